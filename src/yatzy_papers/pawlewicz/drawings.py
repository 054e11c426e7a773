"""Figures of the thesis and the paper, drawn again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from yatzy import Position, Score
from yatzy.lab import (
    COLOURS,
    STYLES,
    Series,
    add_legend,
    draw_error_chances,
    draw_mean_errors,
    draw_together,
    label_powers,
    new_figure,
    print_style,
)
from yatzy_papers.claims import Drawing
from yatzy_papers.pawlewicz.one_player import (
    AIMS,
    FOUR_MOVES,
    FOUR_MOVES_DICE,
    FOUR_MOVES_SHEET,
    GAME,
    PRINTED,
    START,
    TAILS,
    TARGETS,
)
from yatzy_papers.run import PaperRun

if TYPE_CHECKING:
    from matplotlib.figure import Figure

EMPS = {f"match:emp:{depth}": f"EMP({depth})" for depth in range(4)}
"""The strategies of figures 4.1 and 4.2, with their names there."""
OTHERS = {
    "expected": "E",
    **{f"match:dyns:{depth}": f"DynS({depth})" for depth in range(5)},
    "match:emp:1": "EMP(1)",
}
"""The strategies of figure 4.4."""


def _start(run: PaperRun) -> Figure:
    curve = run.chances(GAME.id).curve(START)
    at_least = curve.between(0, curve.high + 1)
    read = Series("best chances, read as a distribution", None, at_least[:-1] - at_least[1:])
    points = Series("expected-score strategy", None, run.score(GAME.id).mass)
    caption = "Exact. The dashed curve is not a distribution: each score has its own best strategy."
    return draw_together([points, read], f"{GAME.name()}: the start as a distribution", caption)


def _start_curve(run: PaperRun) -> Figure:
    passage = PRINTED["pawlewicz.start"]
    half = int(passage.figure("largest score with chance ½ or more").value)
    with print_style():
        figure = new_figure(
            f"{GAME.name()}: best chances of all scores at the start",
            f"Exact. Circle: in print, {half} is the largest score that is reached with chance ½.",
        )
        axes = figure.axes[0]
        curve, score = run.chances(GAME.id).curve(START), run.score(GAME.id)
        scores = np.arange(0, 701)
        axes.plot(scores, 100 * curve.take(scores), color=COLOURS[0], label="best chance of each score")
        reached = score.mass[::-1].cumsum()[::-1][: len(scores)]
        axes.plot(scores, 100 * reached, color=COLOURS[1], linestyle=STYLES[1], label="expected-score strategy")
        axes.axhline(50, color="#777777", linewidth=0.8, linestyle=":")
        chance = 100 * passage.figure(f"chance of {half}").value
        axes.plot([half], [chance], "o", color="black", fillstyle="none", label="in print")
        axes.set(
            xlabel="final score [points]", ylabel="chance of at least this score [%]", ylim=(0, 102), xlim=(0, 700)
        )
        add_legend(axes)
    return figure


def _tails(run: PaperRun) -> Figure:
    with print_style():
        figure = new_figure(f"{GAME.name()}: best chances of very high scores", "Circles: in print.")
        axes = figure.axes[0]
        passages = PRINTED["pawlewicz.tails"], PRINTED["pawlewicz.tail-1000"]
        printed = {one.name: one.value for passage in passages for one in passage.figures}
        for (name, sheet), colour, style in zip(TAILS.items(), COLOURS, STYLES, strict=False):
            curve = run.chances(GAME.id).curve(sheet)
            scores = np.arange(300, 1201)
            label = f"after 50 in Yahtzee {name}" if name.startswith("and ") else name
            axes.plot(scores, curve.take(scores - sheet.points), color=colour, linestyle=style, label=label)
            axes.plot(
                TARGETS, [printed[f"{name}: {target}"] for target in TARGETS], "o", color=colour, fillstyle="none"
            )
        axes.set(
            yscale="log", xlabel="final score [points]", ylabel="best chance of at least this score", xlim=(300, 1200)
        )
        axes.set_ylim(1e-9, 1.5)
        label_powers(axes.yaxis)
        add_legend(axes)
    return figure


def _four_moves(run: PaperRun) -> Figure:
    with print_style():
        figure = new_figure(
            f"{GAME.name()}: four moves, each best for some aim",
            f"Open: ones, threes, four of a kind, full house; 170 points, upper sum 51, no roll left. Vertical lines: "
            f"{', '.join(map(str, AIMS))}.",
        )
        axes = figure.axes[0]
        position = Position((FOUR_MOVES_SHEET,), FOUR_MOVES_DICE, 0)
        for move, colour, style in zip(FOUR_MOVES, COLOURS, STYLES, strict=False):
            sheet = position.play(Score(move)).sheets[0]
            scores = np.arange(170, 281)
            chances = run.chances(GAME.id).curve(sheet).take(scores - sheet.points)
            name = GAME.categories[GAME.category_index[move]].name()
            axes.plot(scores, 100 * chances, color=colour, linestyle=style, label=name)
        for aim in AIMS:
            axes.axvline(aim, color="#777777", linewidth=0.8, linestyle=":")
        axes.set(xlabel="final score [points]", ylabel="best chance of at least this score [%]", ylim=(0, 102))
        add_legend(axes)
    return figure


def _mean_errors(run: PaperRun) -> Figure:
    return draw_mean_errors(run.strength(), EMPS)


def _others(run: PaperRun) -> Figure:
    return draw_mean_errors(run.strength(), OTHERS)


def _error_chances(run: PaperRun) -> Figure:
    return draw_error_chances(run.strength(), labels=EMPS)


def _deepest(run: PaperRun) -> Figure:
    result = run.strength()
    return draw_error_chances(result, result.depths[-3:], {"expected": "E", "match:dyns:4": "DynS(4)"} | EMPS)


DRAWINGS = (
    Drawing("pawlewicz-start-curve", "Best chances of all scores at the start", "Figure 3.3", _start_curve,
            before="pawlewicz.curve-mean"),
    Drawing("pawlewicz-start", "The start as a distribution", "", _start, before="pawlewicz.tails"),
    Drawing("pawlewicz-tails", "Best chances of very high scores", "", _tails, before="pawlewicz.four-moves",
            revision=2),
    Drawing("pawlewicz-four-moves", "Four moves, each best for some aim", "", _four_moves, before="pawlewicz.times",
            revision=2),
    Drawing("pawlewicz-mean-error", "Mean error of EMP by depth", "Figure 4.1", _mean_errors,
            before="pawlewicz.erring", revision=3),
    Drawing("pawlewicz-error-chances", "The chance that EMP makes an error larger than e", "Figure 4.2", _error_chances,
            before="pawlewicz.mean-errors", revision=4),
    Drawing("pawlewicz-error-chances-deep", "The same for E, DynS(4) and EMP at depths 6 to 8", "", _deepest,
            before="pawlewicz.mean-errors", revision=4),
    Drawing("pawlewicz-mean-error-of-others", "Mean error by depth: E, DynS and EMP(1)", "Figure 4.4", _others,
            before="pawlewicz.emp-4", revision=2),
)  # fmt: skip
