"""One player: counts, the expected score, and the best chance of every score."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from yatzy import Position, Score, Sheet, count_game, load_game
from yatzy_papers.claims import Cause, Claim, Computed, Cost, Figures, Reason, figures
from yatzy_papers.passages import read_passages
from yatzy_papers.pawlewicz.doubles import cut_curves
from yatzy_papers.run import PaperRun

PRINTED = read_passages("pawlewicz")
GAME = load_game("yahtzee-pawlewicz")
START = Sheet.start(GAME)
CUT = 2.0**-32
"""Values closer than this to 0 or 1 are not stored."""
ROUNDED_OFF = 0.001
"""Chances closer than this to 0 or 1 may have been rounded in the mean of the curve."""
TAIL_CLAIMS = ("pawlewicz.tails", "pawlewicz.tail-1000")
TARGETS = (500, 600, 700, 800, 1000)
TAILS = {
    "start": START,
    "after 50 in Yahtzee": Sheet.of_sums(GAME, ["yahtzee"], points=50, box_pays=True),
    "and 66666 in sixes with the bonus": Sheet.of_sums(GAME, ["yahtzee", "sixes"], upper=30, points=180, box_pays=True),
}
AIMS = (200, 207, 242, 251)
FOUR_MOVES = ("ones", "threes", "four-of-a-kind", "full-house")
FOUR_MOVES_SHEET = Sheet.of_sums(GAME, set(GAME.category_index) - set(FOUR_MOVES), upper=51, points=170)
FOUR_MOVES_DICE = (1, 3, 3, 4, 6)


def _counts(run: PaperRun) -> Figures:
    found = count_game(GAME)
    numbers = (
        found.rolls,
        found.keeps,
        found.keep_roll_pairs,
        found.turn_states,
        found.upper_pairs,
        found.upper_pairs_reachable,
        found.upper_classes_unsettled,
        found.upper_classes,
        found.states_plain,
        found.states_unsettled,
        found.states,
    )
    return {name: Computed(number) for name, number in zip(PRINTED["pawlewicz.counts"].names, numbers, strict=True)}


def _expected(run: PaperRun) -> Figures:
    return {"expected score": Computed(run.value(GAME.id))}


def _start(run: PaperRun) -> Figures:
    curve = run.chances(GAME.id).curve(START)
    chances = curve.between(0, curve.high)
    return {
        "largest score with chance ½ or more": Computed(int((chances >= 0.5).nonzero()[0][-1])),
        "chance of 254": Computed(curve.at(254)),
        "mean of the curve read as a distribution": Computed(float(chances[1:].sum())),
    }


def _reached(run: PaperRun) -> Figures:
    """A check of the curve at one score: the exact chance of the strategy for that score."""
    curve, score = run.chances(GAME.id).curve(START), run.score(GAME.id, "target:300")
    return {
        "best chance of 300, by the curve": Computed(curve.at(300)),
        "by following the strategy for 300": Computed(score.at_least(300)),
        "the two apart": Computed(abs(curve.at(300) - score.at_least(300))),
    }


def _window(run: PaperRun) -> Figures:
    found = cut_curves(GAME, run, CUT)
    curve = found.start
    chances = curve.between(0, curve.high)
    return {
        "first score of the window": Computed(curve.low),
        "last score of the window": Computed(curve.high),
        "all values, 10^9 bytes": Computed(8 * found.values / 1e9),
        "mean, cut as his": Computed(float(chances[1:].sum())),
        "chance of 1000, cut as his": Computed(curve.at(1000)),
    }


def _tails(run: PaperRun) -> Figures:
    chances = run.chances(GAME.id)
    return {
        f"{name}: {target}": Computed(chances.curve(sheet).at(target - sheet.points))
        for name, sheet in TAILS.items()
        for target in TARGETS
    }


def _four_moves(run: PaperRun) -> Figures:
    position = Position((FOUR_MOVES_SHEET,), FOUR_MOVES_DICE, 0)
    found: dict[str, Computed] = {}
    for column in ("expected", *(f"target:{aim}" for aim in AIMS)):
        solution = run.expected(GAME.id) if column == "expected" else run.solution(GAME.id, column)
        name = "expected" if column == "expected" else f"at least {column.removeprefix('target:')}"
        for entry in solution.moves(position):
            if isinstance(entry.move, Score):
                found[f"{entry.move.category}: {name}"] = Computed(entry.value)
    return found


def _best_for_an_aim(run: PaperRun) -> Figures:
    """The move that is best for each aim."""
    found = _four_moves(run)
    best = {}
    for name in ("expected", *(f"at least {aim}" for aim in AIMS)):
        best[name] = max(FOUR_MOVES, key=lambda move, name=name: float(found[f"{move}: {name}"].value))  # type: ignore[misc]
    return {name: Computed(move) for name, move in best.items()}


def _rounded_off(run: PaperRun) -> Figures:
    """The mean of the curve of the start when chances near 0 and 1 are rounded to these, and which ones are."""
    curve = run.chances(GAME.id).curve(START)
    chances = curve.between(0, curve.high).astype(np.float64)
    inside = np.flatnonzero((chances >= ROUNDED_OFF) & (chances <= 1 - ROUNDED_OFF))
    printed = PRINTED["pawlewicz.curve-mean"].figures[0]
    cuts = np.linspace(0, 10 * ROUNDED_OFF, 10_001)[1:]
    fitting = [cut for cut in cuts if printed.agrees(Computed(_mean_rounded_off(chances, cut)))]
    return {
        "mean, rounded off at .001 and .999": Computed(_mean_rounded_off(chances, ROUNDED_OFF)),
        "the smallest cut that gives the printed mean": Computed(float(min(fitting))),
        "the largest cut that gives the printed mean": Computed(float(max(fitting))),
        "first score of the window with the cut .001": Computed(int(inside[0])),
        "last score of the window with the cut .001": Computed(int(inside[-1])),
        "printed chances below the cut .001": Computed(
            sum(one.value < ROUNDED_OFF for key in TAIL_CLAIMS for one in PRINTED[key].figures)
        ),
    }


def _mean_rounded_off(chances: npt.NDArray[np.float64], cut: float) -> float:
    """The mean of a curve, [score], with chances below `cut` taken as 0 and those above 1 - `cut` as 1."""
    return float(np.where(chances < cut, 0.0, np.where(chances > 1 - cut, 1.0, chances))[1:].sum())


CURVE_IS_RIGHT = Reason(
    "We do not know the origin of his figure. Our curve passes two checks: no strategy exceeds it, and at 300 it equals"
    " the exact chance of the strategy for 300. In double precision and with his cut-offs, which reproduce his window"
    " and his chances of very high scores, the mean remains .022 above his. It is his to all digits if chances below"
    " .001 count as 0 and those above .999 as 1, and no cut that differs from .001 by more than 2 % gives it. But we"
    " found this cut by trying several, which makes it a guess. It can only belong to this mean: with it, the window"
    " would be far smaller than the printed one, and six of the printed chances of very high scores would be 0.",
    figures(
        {
            "the two apart": "< .000001",
            "mean, cut as his": "> 264.4495",
            "mean, rounded off at .001 and .999": "264.449",
            "the smallest cut that gives the printed mean": "> .00098",
            "the largest cut that gives the printed mean": "< .00102",
            "first score of the window with the cut .001": "> 80",
            "last score of the window with the cut .001": "< 1062",
            "printed chances below the cut .001": "6",
        }
    ),
    lambda run: {**_reached(run), **_window(run), **_rounded_off(run)},
    cause=Cause.NOT_FOUND,
)


ONE_PLAYER = (
    Claim(
        *PRINTED["pawlewicz.counts"],
        _counts,
        (GAME.id,),
        how="counted",
    ),
    Claim(
        *PRINTED["pawlewicz.expected"],
        _expected,
        (GAME.id,),
        how="solved exactly",
    ),
    Claim(
        *PRINTED["pawlewicz.start"],
        _start,
        (GAME.id,),
        how="the curve of the start",
    ),
    Claim(
        *PRINTED["pawlewicz.curve-mean"],
        _start,
        (GAME.id,),
        Cost.FULL,
        reasons=(CURVE_IS_RIGHT,),
        how="the sum of the curve over all scores from 1",
    ),
    Claim(
        *PRINTED["pawlewicz.window"],
        _window,
        (GAME.id,),
        Cost.FULL,
        how="all curves in double precision, cut off after every die, at 8 bytes per value",
    ),
    Claim(
        *PRINTED["pawlewicz.tails"],
        _tails,
        (GAME.id,),
        how="the curves of three sheets",
    ),
    Claim(
        *PRINTED["pawlewicz.tail-1000"],
        _tails,
        (GAME.id,),
        Cost.FULL,
        reasons=(
            Reason(
                "He sets values below 2^-32 to 0, which lowers the result a little. With the same cut-offs we get his"
                " figure.",
                figures({"chance of 1000, cut as his": "1.9e-08"}),
                _window,
            ),
        ),
        how="the curve of the start",
    ),
    Claim(
        *PRINTED["pawlewicz.four-moves"],
        _four_moves,
        (GAME.id,),
        how="the values of every move for five objectives",
    ),
    Claim(
        *PRINTED["pawlewicz.best-for-an-aim"],
        _best_for_an_aim,
        (GAME.id,),
        how="the best of the figures above",
    ),
    Claim(
        *PRINTED["pawlewicz.times"],
        unchecked="Times of his program on his machine; ours are in docs/benchmarks.md.",
    ),
)
