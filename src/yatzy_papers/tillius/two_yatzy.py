"""Two-yatzy: two two-sided dice, two rolls, ones and twos. It is small enough to enumerate all strategies."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache
from itertools import product
from typing import TypeAlias

from yatzy import Game, Position, load_game
from yatzy_papers.claims import Claim, Computed, Figures, Reason, figures
from yatzy_papers.passages import read_passages
from yatzy_papers.run import PaperRun
from yatzy_papers.sampling import sampled_mean, sampled_sd, sampled_share

PRINTED = read_passages("tillius")
GAMES = PRINTED["tillius.two-yatzy-simulated"].sample
MEAN = PRINTED["tillius.two-yatzy"].figure("for 5: mean").value
TARGET = 5
Moments: TypeAlias = tuple[Fraction, Fraction, Fraction]
"""The chance of the target, the mean of the final score and the mean of its square."""
NOTHING: Moments = (Fraction(0), Fraction(0), Fraction(0))


def remembering(game: Game, target: int) -> frozenset[Moments]:
    """The moments of every strategy that is best for a target, including strategies that depend on earlier moves."""

    @cache
    def moments(position: Position) -> frozenset[Moments]:
        if position.over:
            return frozenset({_end(position, target)})
        if position.awaits_roll:
            found: frozenset[Moments] = frozenset({NOTHING})
            for after, weight in rolls_from(position):
                found = frozenset(_plus(one, other, weight) for one in found for other in moments(after))
            return found
        every = frozenset().union(*(moments(position.play(move)) for move in position.legal_moves))
        top = max(one[0] for one in every)
        return frozenset(one for one in every if one[0] == top)

    return moments(Position.start(game))


def by_state(game: Game, target: int) -> frozenset[Moments]:
    """The same, only for strategies that depend on the position alone."""

    @cache
    def chance(position: Position) -> Fraction:
        if position.over:
            return _end(position, target)[0]
        if position.awaits_roll:
            return sum((weight * chance(after) for after, weight in rolls_from(position)), Fraction(0))
        return max(chance(position.play(move)) for move in position.legal_moves)

    def follow(position: Position, chosen: dict[Position, Position]) -> Moments:
        if position.over:
            return _end(position, target)
        if position.awaits_roll:
            total = NOTHING
            for after, weight in rolls_from(position):
                total = _plus(total, follow(after, chosen), weight)
            return total
        return follow(chosen[position], chosen)

    choices: dict[Position, list[Position]] = {}
    waiting = [Position.start(game)]
    while waiting:
        here = waiting.pop()
        if here.over or here in choices:
            continue
        if here.awaits_roll:
            waiting += [after for after, _ in rolls_from(here)]
        else:
            ways = [here.play(move) for move in here.legal_moves]
            choices[here] = [way for way in ways if chance(way) == chance(here)]
            waiting += choices[here]
    return frozenset(
        follow(Position.start(game), dict(zip(choices, ways, strict=True))) for ways in product(*choices.values())
    )


def rolls_from(position: Position) -> list[tuple[Position, Fraction]]:
    """The positions after a roll, with their chances."""
    game, chances = position.game, dict[Position, Fraction]()
    missing = game.dice - len(position.dice)
    for more in product(range(1, game.faces + 1), repeat=missing):
        after = position.roll(position.dice + more)
        chances[after] = chances.get(after, Fraction(0)) + Fraction(1, game.faces**missing)
    return list(chances.items())


def _end(position: Position, target: int) -> Moments:
    points = position.sheet.points
    return Fraction(points >= target), Fraction(points), Fraction(points**2)


def _plus(one: Moments, other: Moments, weight: Fraction) -> Moments:
    return one[0] + weight * other[0], one[1] + weight * other[1], one[2] + weight * other[2]


def _sd(one: Moments) -> float:
    return math.sqrt(one[2] - one[1] ** 2)


def _exact(run: PaperRun) -> Figures:
    points, five = run.score("two-yatzy"), run.score("two-yatzy", f"target:{TARGET}")
    return {
        "for points: mean": Computed(points.mean),
        "for points: 5 or more": Computed(points.at_least(TARGET)),
        "for 5: mean": Computed(five.mean),
        "for 5: 5 or more": Computed(five.at_least(TARGET)),
    }


def _simulated(run: PaperRun) -> Figures:
    found: dict[str, Computed] = {}
    for words, name in (("for points", "expected"), ("for 5", f"target:{TARGET}")):
        score = run.score("two-yatzy", name)
        found[f"{words}: mean"] = sampled_mean(score, GAMES)
        found[f"{words}: standard deviation"] = sampled_sd(score, GAMES)
        found[f"{words}: 5 or more"] = sampled_share(score.at_least(TARGET), GAMES)
    return found


def _every_strategy(run: PaperRun) -> Figures:
    game = load_game("two-yatzy")
    plain, every = by_state(game, TARGET), remembering(game, TARGET)
    means = sorted(float(one[1]) for one in every)
    return {
        "the chance of 5 of all of them": Computed(float(next(iter(every))[0])),
        "means, looking at the state alone": Computed(len({one[1] for one in plain})),
        "the nearest of these to 4.7266 is off by": Computed(min(abs(float(one[1]) - MEAN) for one in plain)),
        "the lowest mean": Computed(means[0]),
        "the highest mean": Computed(means[-1]),
        "the nearest mean of all, remembering": Computed(min(means, key=lambda mean: abs(mean - MEAN))),
        "the largest standard deviation": Computed(max(map(_sd, every))),
    }


TIES = Reason(
    "The mean depends on the moves played where several have the same chance of 5: with 4 points in twos, a single 1"
    " is enough. There our strategy plays for points, so it has the highest mean. Strategies that depend only on the"
    " state have one of four means, and the printed mean is not among them. Strategies that also depend on the first"
    " turn have more means, and one of them, 605/128, is the printed one.",
    figures(
        {
            "the chance of 5 of all of them": ".7734",
            "means, looking at the state alone": "4",
            "the nearest of these to 4.7266 is off by": "> .03",
            "the lowest mean": "4.6953125",
            "the highest mean": "4.90625",
            "the nearest mean of all, remembering": "4.7266",
        }
    ),
    _every_strategy,
    of=("for 5: mean",),
)
TOO_WIDE = Reason(
    "No best strategy for 5 has such a large standard deviation, however ties are broken; we tried them all. We do"
    " not know how his strategy plays.",
    figures({"the largest standard deviation": "< 1.3031"}),
    _every_strategy,
    of=("for 5: standard deviation",),
    known=False,
)

TWO_YATZY = (
    Claim(
        *PRINTED["tillius.two-yatzy"],
        _exact,
        ("two-yatzy",),
        reasons=(TIES,),
        how="the exact distributions; among moves with the same chance of 5, ours plays for points",
    ),
    Claim(
        *PRINTED["tillius.two-yatzy-simulated"],
        _simulated,
        ("two-yatzy",),
        reasons=(TIES, TOO_WIDE),
        how="the exact distributions, and the range for a sample of that size",
    ),
)
