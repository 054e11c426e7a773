"""Figures of the thesis, drawn again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yatzy import Position, load_game
from yatzy.lab import (
    COLOURS,
    STYLES,
    Line,
    Series,
    add_legend,
    draw_graph,
    draw_scores,
    draw_winner,
    new_figure,
    print_style,
    state_graph,
    table_exactly,
)
from yatzy.values import position_curve
from yatzy_papers.claims import Drawing
from yatzy_papers.run import PaperRun
from yatzy_papers.tillius.printed_games import TABLES, decisions, points
from yatzy_papers.tillius.values import GAMES, PRINTED, SEED, TARGETS

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def _graph(title: str, target: int | None, values: str) -> Figure:
    return draw_graph(state_graph(load_game("two-yatzy"), target), title, values)


def _graph_for_points(run: PaperRun) -> Figure:
    return _graph("Two-yatzy, playing for points", None, "Bold: the expected number of points still to come.")


def _graph_for_five(run: PaperRun) -> Figure:
    values = "Bold: the best chance of a final score of 5 or more. Where that chance is 0, play is not shown."
    return _graph("Two-yatzy, playing for 5 points", 5, values)


def _scores(run: PaperRun) -> Figure:
    games = run.sample("yatzy", "expected", GAMES, SEED)
    series = Series("expected-score strategy", games.total, run.score("yatzy").mass)
    caption = f"{GAMES:,} simulated games, seed {SEED}, and the exact distribution."
    return draw_scores(series, "Yatzy: final score of the expected-score strategy", caption)


def _chances(run: PaperRun) -> Figure:
    with print_style():
        first, best = position_curve(run.chances("yatzy"), Position.start(load_game("yatzy")))
        reached = run.score("yatzy").mass[::-1].cumsum()[::-1]
        figure = new_figure("Yatzy: chances of at least β points", "Lines: exact. Circles: the six β in print.")
        axes = figure.axes[0]
        for line, colour, style in (
            (Line("best chance of each β", first, best), COLOURS[0], "-"),
            (Line("expected-score strategy", 0, reached), COLOURS[1], "--"),
        ):
            scores = range(line.first, line.first + len(line.at_least))
            axes.plot(scores, 100 * line.at_least, color=colour, linestyle=style, label=line.label)
        printed = [100 * one.value for one in PRINTED["tillius.chances"].figures]
        axes.plot(TARGETS, printed, "o", color="black", fillstyle="none", label="in print")
        axes.set(xlabel="β [points]", ylabel="chance of at least β [%]", ylim=(0, 102), xlim=(100, 374))
        add_legend(axes)
    return figure


def _winner(run: PaperRun) -> Figure:
    score = run.score("yatzy")
    winner = Series("winner of four", None, table_exactly([score] * 4).winner.mass)
    player = Series("one player", None, score.mass)
    title, printed = "Yatzy: the score that wins among four players", PRINTED["tillius.winner"]
    return draw_winner(
        [player],
        winner,
        title,
        "Exact, for four of the expected-score strategy. In print, of 100,000 games:"
        f" median {printed.figure('median').text}, mean {printed.figure('mean').value:.2f}.",
    )


def _games(run: PaperRun) -> Figure:
    with print_style():
        figure = new_figure(
            "Yatzy: the expected final score through the two printed games",
            "After every move of the game; no move loses anything, so every change is luck.",
        )
        axes = figure.axes[0]
        for table, colour, style in zip(TABLES, COLOURS, STYLES, strict=False):
            values = [run.value("yatzy"), *(one.made for one in decisions(run, table))]
            turns = [0.0]
            for one in decisions(run, table):
                inside = 1.0 if not one.position.rolls_left else (3 - one.position.rolls_left) / 3
                turns.append(one.turn - 1 + inside)
            text = f"Table {table}: {points(table)} points"
            axes.plot(turns, values, drawstyle="steps-post", color=colour, linestyle=style, label=text)
        axes.axhline(run.value("yatzy"), color="black", linewidth=0.8, linestyle=":", label="at the start")
        axes.set(xlabel="turns finished", ylabel="expected final score [points]", xticks=range(16), xlim=(0, 15.2))
        add_legend(axes)
    return figure


DRAWINGS = (
    Drawing("tillius-scores", "The final score of the expected-score strategy", "", _scores, before="tillius.chances"),
    Drawing("tillius-chances", "The chance of at least β points", "", _chances, before="tillius.perfect"),
    Drawing("tillius-winner", "The score that wins among four", "", _winner, before="tillius.end-position"),
    Drawing("tillius-games", "The games of tables 6 and 7", "", _games, before="tillius.two-yatzy"),
    Drawing("tillius-graph-points", "Two-yatzy as a graph, playing for points", "the first graph", _graph_for_points),
    Drawing(
        "tillius-graph-five", "Two-yatzy as a graph, playing for 5", "the second graph", _graph_for_five, revision=2
    ),
)
