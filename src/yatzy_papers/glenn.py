"""Glenn 2006, table 3: strategies for Yahtzee that are not the best, evaluated exactly.

The strategies are played by a small program of their own, which shares nothing with the solver but the points of the
categories. A state is (filled categories, whether the box of Yahtzee holds its points, upper sum up to 63). A strategy
scores where the points of the turn and its *estimate* of the state after it are highest; equal sums go to the first
category of an order. It keeps what leads to the highest mean of these sums, or what a rule says. Mean and standard
deviation are carried forward with the probability of each state.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import erf, factorial, prod, sqrt
from typing import Any

import numpy as np
import numpy.typing as npt

from yatzy import Position, Sheet, load_game
from yatzy.games import reachable_sums
from yatzy_papers.claims import Cause, Claim, Computed, Cost, Figures, Reason, Table, Value, Work, figures
from yatzy_papers.glenn_counts import COUNTS
from yatzy_papers.passages import read_passages
from yatzy_papers.run import PaperRun

PRINTED = read_passages("glenn")
FREE = "yahtzee-free-joker"
CATEGORIES, SETS, SUMS = 13, 1 << 13, 64
FULL_HOUSE, SMALL, LARGE, BOX = 8, 9, 10, 11
SHEET_ORDER = tuple(range(CATEGORIES))
RAREST_FIRST = (BOX, LARGE, 7, FULL_HOUSE, SMALL, 6, 0, 1, 2, 3, 4, 5, 12)
"""An order of categories from the most difficult one on: Yahtzee, large straight, four of a kind, …, chance."""
LAST_FIRST = SHEET_ORDER[::-1]
UPPER, UPPER_DOWN = (0, 1, 2, 3, 4, 5), (5, 4, 3, 2, 1, 0)
STRAIGHTS_FIRST = (LARGE, SMALL, FULL_HOUSE, 0, 1, 2, 3, 4, 5, 7, 6, BOX, 12)

ORDERS = {
    "the rarest first, then ones to sixes": RAREST_FIRST,
    "the rarest first, then sixes to ones": (BOX, LARGE, 7, FULL_HOUSE, SMALL, 6, *UPPER_DOWN, 12),
    "the rarest first, ones to sixes before three of a kind": (BOX, LARGE, 7, FULL_HOUSE, SMALL, *UPPER, 6, 12),
    "the rarest first, sixes to ones before three of a kind": (BOX, LARGE, 7, FULL_HOUSE, SMALL, *UPPER_DOWN, 6, 12),
    "the rarest first, chance before sixes to ones": (BOX, LARGE, 7, FULL_HOUSE, SMALL, 6, 12, *UPPER_DOWN),
    "Yahtzee, straights, full house, then sixes to ones": (BOX, LARGE, SMALL, FULL_HOUSE, 7, 6, *UPPER_DOWN, 12),
    "Yahtzee, large straight, then sixes to ones": (BOX, LARGE, *UPPER_DOWN, 7, FULL_HOUSE, SMALL, 6, 12),
    "sixes to ones, then the rarest first": (*UPPER_DOWN, BOX, LARGE, 7, FULL_HOUSE, SMALL, 6, 12),
    "the straights first": STRAIGHTS_FIRST,
    "the order of the sheet": SHEET_ORDER,
    "the last category first": LAST_FIRST,
}
"""Orders that one may call "the more difficult first", and others."""

Dice = tuple[int, ...]
Array = npt.NDArray[Any]


@dataclass(frozen=True, eq=False)
class Tables:
    """The dice of a turn as arrays."""

    points: Array
    """[roll, category]"""
    face: Array
    """[roll]: the face of five equal dice, 0 for others."""
    keep_start: Array
    keeps: Array
    """The keeps of roll r are keeps[keep_start[r] : keep_start[r + 1]]."""
    roll_start: Array
    rolls: Array
    chance: Array
    """The rolls that keep k can become, with their chances, likewise."""
    sets: Array
    """The sets of filled categories, smaller ones first."""


@cache
def _rolls() -> tuple[Dice, ...]:
    return tuple(combinations_with_replacement(range(1, 7), 5))


@cache
def _keeps() -> dict[Dice, int]:
    keeps = [keep for size in range(6) for keep in combinations_with_replacement(range(1, 7), size)]
    return {keep: number for number, keep in enumerate(keeps)}


@cache
def _tables() -> Tables:
    categories = load_game(FREE).categories
    number = {roll: i for i, roll in enumerate(_rolls())}
    of_roll = [sorted({_keeps()[keep] for size in range(6) for keep in combinations(roll, size)}) for roll in _rolls()]
    outcomes = []
    for keep in _keeps():
        chances: dict[int, float] = {}
        for more in combinations_with_replacement(range(1, 7), 5 - len(keep)):
            ways = factorial(len(more)) // prod(factorial(count) for count in Counter(more).values())
            chances[number[tuple(sorted(keep + more))]] = ways / 6 ** len(more)
        outcomes.append(chances)
    return Tables(
        np.array([[category.score(roll) for category in categories] for roll in _rolls()], np.float64),
        np.array([roll[0] if len(set(roll)) == 1 else 0 for roll in _rolls()]),
        np.cumsum([0, *map(len, of_roll)]),
        np.concatenate([np.array(keeps) for keeps in of_roll]),
        np.cumsum([0, *map(len, outcomes)]),
        np.concatenate([np.array(list(chances)) for chances in outcomes]),
        np.concatenate([np.array(list(chances.values())) for chances in outcomes]),
        np.array(sorted(range(SETS), key=int.bit_count)),
    )


def played(
    order: Sequence[int] = SHEET_ORDER, estimate: Array | None = None, rule: Array | None = None
) -> tuple[float, float]:
    """The mean and standard deviation of a strategy."""
    from yatzy_papers.moments import moments  # Numba, which takes a second to import

    tables = _tables()
    arrays = (
        *(tables.points, tables.face, tables.keep_start, tables.keeps, tables.roll_start, tables.rolls),
        *(tables.chance, tables.sets),
    )
    known = np.zeros((SETS, 2, SUMS)) if estimate is None else estimate
    no_rule = np.zeros((0, 0), np.int64)
    mean, sd = moments(*arrays, known, estimate is not None, np.array(order), no_rule if rule is None else rule)
    return float(mean), float(sd)


# Strategies that go for Yahtzee


def _rule(straights: bool) -> Array:
    """[set, roll]: keep the most frequent face; of equally frequent ones one whose category is open, then the highest.

    With straights, one that has been rolled is kept while its category is open.
    """
    keeps = np.empty((SETS, len(_rolls())), np.int64)
    for number, roll in enumerate(_rolls()):
        counts, shown = Counter(roll), set(roll)
        for upper in range(64):
            face = max(counts, key=lambda face: (counts[face], not upper >> (face - 1) & 1, face))
            keeps[upper::64, number] = _keeps()[(face,) * counts[face]]
        runs = [low for low in (3, 2, 1) if shown.issuperset(range(low, low + 4))]
        if straights and runs:
            large, four = len(runs) == 2, _keeps()[tuple(range(runs[0], runs[0] + 4))]
            for filled in range(SETS):
                small_open, large_open = not filled >> SMALL & 1, not filled >> LARGE & 1
                if (large and large_open) or (small_open and (large or not large_open)):
                    keeps[filled, number] = _keeps()[roll]
                elif small_open and large_open:
                    keeps[filled, number] = four
    return keeps


# Strategies that estimate what is to come


def _bonus(run: PaperRun) -> tuple[Array, Array]:
    """The mean points of each category by the best strategy, and the expected bonus [upper set, sum] by his formula."""
    found = [entry.points for entry in run.evaluation(FREE).categories]
    mean, variance = np.array([one.mean for one in found]), np.array([one.sd**2 for one in found])
    bonus = np.zeros((64, SUMS))
    for filled in range(64):
        open_ = [i for i in range(6) if not filled >> i & 1]
        for upper in range(SUMS - 1):
            if open_:
                distance = (SUMS - 1 - upper - mean[open_].sum()) / sqrt(variance[open_].sum())
                bonus[filled, upper] = 35 * (1 - erf(distance / sqrt(2))) / 2
        bonus[filled, SUMS - 1] = 35
    return mean, bonus


def _estimate(run: PaperRun, to_come: Callable[[int], float]) -> Array:
    """[set, box, sum]: the points to come from the open categories, and the expected bonus."""
    bonus = _bonus(run)[1]
    return np.array([[to_come(filled) + bonus[filled & 63]] * 2 for filled in range(SETS)])


def _by_means(run: PaperRun) -> Array:
    mean = _bonus(run)[0]
    return _estimate(run, lambda filled: float(sum(mean[i] for i in range(CATEGORIES) if not filled >> i & 1)))


def _by_halves(run: PaperRun) -> Array:
    """From the best strategies for the upper and for the lower categories alone."""
    game = load_game(FREE)
    halves = []
    for upper in (True, False):
        categories = tuple(category for category in game.categories if category.upper == upper)
        half = replace(game, id=f"yahtzee-{'upper' if upper else 'lower'}", bonus=None, joker=None,
                       categories=categories, names={"en": "Half of Yahtzee"})  # fmt: skip
        solved, ids = run.expected(half), [category.id for category in categories]
        halves.append([
            solved.value(Position((Sheet.of_sums(half, [id for i, id in enumerate(ids) if filled >> i & 1]),)))
            for filled in range(1 << len(ids))
        ])  # fmt: skip
    return _estimate(run, lambda filled: halves[0][filled & 63] + halves[1][filled >> 6])


def by_solver(run: PaperRun) -> Array:
    """The true values, by which the best strategy plays: a check of this program against the solver."""
    game, solved = load_game(FREE), run.expected(FREE)
    ids, upper_sets = [category.id for category in game.categories], (1 << 6) - 1
    estimate = np.zeros((SETS, 2, SUMS))
    estimate[:, :, SUMS - 1] = 35
    for filled in range(SETS - 1):
        ticked = [id for i, id in enumerate(ids) if filled >> i & 1]
        sums = reachable_sums(game, filled & upper_sets)
        for upper in (upper for upper in range(sums.bit_length()) if sums >> upper & 1):
            for box in (False, True)[: 1 + (filled >> BOX & 1)]:
                sheet = Sheet.of_sums(game, ticked, upper=upper, box_pays=box)
                to_come = solved.value(Position((sheet,)))
                estimate[filled, int(box), min(upper, SUMS - 1)] = to_come + (35 if upper >= SUMS - 1 else 0)
    return estimate


# Claims


def _figures(found: tuple[float, float], words: str = "") -> Figures:
    return {f"{words}mean": Computed(found[0]), f"{words}standard deviation": Computed(found[1])}


TIES = {
    "ties in the order of the sheet": SHEET_ORDER,
    "ties to the last category": LAST_FIRST,
    "ties to the rarest": RAREST_FIRST,
    "ties to the straights": STRAIGHTS_FIRST,
}


def _with_ties(rule: Callable[[], Array] | None) -> Callable[[PaperRun], Figures]:
    def compute(run: PaperRun) -> Figures:
        found: dict[str, Computed] = {}
        for words, order in TIES.items():
            found |= _figures(played(order, rule=None if rule is None else rule()), f"{words}: ")
        return found

    return compute


def _open_ties(says: str, evidence: dict[str, str], rule: Callable[[], Array] | None) -> Reason:
    return Reason(
        f"{says} Orders of ours lie on either side of the print, so the order of ties can make the difference; which"
        " one he used was not found.",
        figures(evidence),
        _with_ties(rule),
        cause=Cause.NOT_FOUND,
    )


def _orders(run: PaperRun) -> list[list[Value | None]]:
    """The greedy strategy with each order."""
    return [[words, *played(order)] for words, order in ORDERS.items()]


def _rule_alone() -> Array:
    return _rule(straights=False)


def _rule_with_straights() -> Array:
    return _rule(straights=True)


def _checked(run: PaperRun) -> Figures:
    return _figures(played(RAREST_FIRST, by_solver(run)), "with the true values: ")


UNEXPLAINED = Reason(
    "The cause was not found. Means and variances of the categories are ours, the bonus is his formula without a"
    " correction for whole numbers. With the true values in place of the estimate, the same program plays the best"
    " strategy.",
    figures({"with the true values: mean": "254.5896", "with the true values: standard deviation": "59.61"}),
    _checked,
    cause=Cause.NOT_FOUND,
)
NOT_SAID = "The publication breaks ties between categories arbitrarily."
HOW = "exactly, with the free Joker; ties between categories go to the rarest one"
WORK = Work(
    "glenn",
    "Glenn 2006",
    "An optimal strategy for Yahtzee, and six others beside it: three that go for Yahtzees, one for the points of a"
    " turn, and two that estimate what is to come. The best one is under “Results cited in these works”.",
    (
        *COUNTS,
        Claim(
            *PRINTED["glenn.yahtzees"],
            lambda run: _figures(played(RAREST_FIRST, rule=_rule_alone())),
            (FREE,),
            reasons=(
                _open_ties(
                    NOT_SAID,
                    {
                        "ties in the order of the sheet: mean": "< 171.52",
                        "ties to the straights: mean": "> 171.52",
                        "ties to the last category: standard deviation": "< 68.17",
                        "ties in the order of the sheet: standard deviation": "> 68.17",
                    },
                    _rule_alone,
                ),
            ),
            how=HOW,
        ),
        Claim(
            *PRINTED["glenn.straights"],
            lambda run: _figures(played(RAREST_FIRST, rule=_rule_with_straights())),
            (FREE,),
            reasons=(
                _open_ties(
                    NOT_SAID,
                    {
                        "ties to the last category: mean": "< 202.51",
                        "ties to the rarest: mean": "> 202.51",
                        "ties to the rarest: standard deviation": "< 65.90",
                        "ties in the order of the sheet: standard deviation": "> 65.90",
                    },
                    _rule_with_straights,
                ),
            ),
            how=HOW,
        ),
        Claim(
            *PRINTED["glenn.greedy"],
            lambda run: _figures(played(RAREST_FIRST)),
            (FREE,),
            reasons=(
                _open_ties(
                    "Ties go to “the more difficult categories”; the publication gives one example and no list. The"
                    " table at the end shows eleven orders, none of which gives both figures.",
                    {
                        "ties to the last category: mean": "< 218.05",
                        "ties to the rarest: mean": "> 218.05",
                        "ties to the rarest: standard deviation": "< 46.87",
                        "ties in the order of the sheet: standard deviation": "> 46.87",
                    },
                    None,
                ),
            ),
            how=HOW,
        ),
        Claim(
            *PRINTED["glenn.rational"],
            unchecked="Of this strategy one rule is given, “among other things”; the others are not described.",
        ),
        Claim(
            *PRINTED["glenn.heuristic"],
            lambda run: _figures(played(RAREST_FIRST, _by_means(run))),
            (FREE,),
            cost=Cost.FULL,
            reasons=(UNEXPLAINED,),
            how="exactly, with the mean and variance of each category by the best strategy",
        ),
        Claim(
            *PRINTED["glenn.better-heuristic"],
            lambda run: _figures(played(RAREST_FIRST, _by_halves(run))),
            (FREE,),
            cost=Cost.FULL,
            reasons=(UNEXPLAINED,),
            how="exactly, with the values of the upper and of the lower half alone, without Joker",
        ),
    ),
    (
        Table(
            "glenn.orders",
            "The greedy strategy, by the order of ties",
            "Playing for the most expected points of each turn, exactly; equal categories are filled in this order. In"
            " print: 218.05 with a standard deviation of 46.87.",
            ("order", "mean", "sd"),
            ("", ".4f", ".4f"),
            _orders,
            (FREE,),
        ),
    ),
)
