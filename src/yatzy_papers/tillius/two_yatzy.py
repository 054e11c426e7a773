"""Two-yatzy: two two-sided dice, two rolls, ones and twos. It is small enough to enumerate all strategies."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import product
from typing import TypeAlias

from yatzy import Game, Position, Score, load_game
from yatzy_papers.claims import Cause, Claim, Computed, Figures, Reason, figures
from yatzy_papers.passages import read_passages
from yatzy_papers.run import PaperRun
from yatzy_papers.sampling import sampled_lowest, sampled_mean, sampled_sd, sampled_share

PRINTED = read_passages("tillius")
GAMES = PRINTED["tillius.two-yatzy-simulated"].sample
MEAN = PRINTED["tillius.two-yatzy"].figure("for 5: mean").value
DEVIATION = PRINTED["tillius.two-yatzy-simulated"].figure("for 5: standard deviation").value
TARGET = 5
Shares: TypeAlias = tuple[Fraction, ...]
"""[score]: the chance of exactly this score."""
HIGHEST = 6
NOTHING: Shares = (Fraction(0),) * (HIGHEST + 1)


def remembering(game: Game, target: int) -> frozenset[Shares]:
    """The distribution of every best strategy for a target, including strategies that depend on earlier moves."""

    @cache
    def shares(position: Position) -> frozenset[Shares]:
        if position.over:
            return frozenset({_end(position)})
        if position.awaits_roll:
            found: frozenset[Shares] = frozenset({NOTHING})
            for after, weight in rolls_from(position):
                found = frozenset(_plus(one, other, weight) for one in found for other in shares(after))
            return found
        every = frozenset().union(*(shares(position.play(move)) for move in position.legal_moves))
        top = max(chance_of(one, target) for one in every)
        return frozenset(one for one in every if chance_of(one, target) == top)

    return shares(Position.start(game))


def by_state(game: Game, target: int) -> list[Shares]:
    """The distribution of every best strategy for a target that depends on the position alone: one for each of them."""

    @cache
    def chance(position: Position) -> Fraction:
        if position.over:
            return chance_of(_end(position), target)
        if position.awaits_roll:
            return sum((weight * chance(after) for after, weight in rolls_from(position)), Fraction(0))
        return max(chance(position.play(move)) for move in position.legal_moves)

    def follow(position: Position, chosen: dict[Position, Position]) -> Shares:
        if position.over:
            return _end(position)
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
    return [follow(Position.start(game), dict(zip(choices, ways, strict=True))) for ways in product(*choices.values())]


@dataclass(frozen=True, slots=True)
class Sums:
    """What matters of a distribution here."""

    chance: Fraction
    """Of the target."""
    mean: Fraction
    square: Fraction
    """The mean of the square."""
    lowest: int

    def plus(self, other: Sums, weight: Fraction) -> Sums:
        """With a part of another distribution."""
        return Sums(
            self.chance + weight * other.chance,
            self.mean + weight * other.mean,
            self.square + weight * other.square,
            min(self.lowest, other.lowest),
        )

    @property
    def sd(self) -> float:
        """The standard deviation."""
        return math.sqrt(self.square - self.mean**2)


def striking(game: Game, target: int) -> frozenset[Sums]:
    """Every best strategy for a target, if it may depend on earlier moves and strike a category although dice pay."""

    @cache
    def sums(position: Position) -> frozenset[Sums]:
        if position.over:
            points = position.sheet.points
            return frozenset({Sums(Fraction(points >= target), Fraction(points), Fraction(points**2), points)})
        if position.awaits_roll:
            found = frozenset({Sums(Fraction(0), Fraction(0), Fraction(0), HIGHEST)})
            for after, weight in rolls_from(position):
                found = frozenset(one.plus(other, weight) for one in found for other in sums(after))
            return found
        moves = set(position.legal_moves)
        moves |= {replace(move, strike=True) for move in moves if isinstance(move, Score) and pays(position, move)}
        every = frozenset().union(*(sums(position.play(move)) for move in moves))
        top = max(one.chance for one in every)
        return frozenset(one for one in every if one.chance == top)

    def pays(position: Position, move: Score) -> bool:
        return position.play(move).sheet.points > position.sheet.points

    return sums(Position.start(game))


def rolls_from(position: Position) -> list[tuple[Position, Fraction]]:
    """The positions after a roll, with their chances."""
    game, chances = position.game, dict[Position, Fraction]()
    missing = game.dice - len(position.dice)
    for more in product(range(1, game.faces + 1), repeat=missing):
        after = position.roll(position.dice + more)
        chances[after] = chances.get(after, Fraction(0)) + Fraction(1, game.faces**missing)
    return list(chances.items())


def chance_of(one: Shares, target: int) -> Fraction:
    """The chance of at least the target."""
    return sum(one[target:], Fraction(0))


def mean_of(one: Shares) -> Fraction:
    """The mean of a distribution."""
    return sum((score * share for score, share in enumerate(one)), Fraction(0))


def variance_of(one: Shares) -> Fraction:
    """The variance of a distribution."""
    return sum((score**2 * share for score, share in enumerate(one)), Fraction(0)) - mean_of(one) ** 2


def lowest_of(one: Shares) -> int:
    """The lowest score that can occur."""
    return next(score for score, share in enumerate(one) if share)


def _end(position: Position) -> Shares:
    return tuple(Fraction(score == position.sheet.points) for score in range(HIGHEST + 1))


def _plus(one: Shares, other: Shares, weight: Fraction) -> Shares:
    return tuple(a + weight * b for a, b in zip(one, other, strict=True))


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
        found[f"{words}: lowest"] = sampled_lowest(score, GAMES)
    return found


def _every_strategy(run: PaperRun) -> Figures:
    game = load_game("two-yatzy")
    plain, every = by_state(game, TARGET), remembering(game, TARGET)
    means, deviations = {mean_of(one) for one in plain}, [math.sqrt(variance_of(one)) for one in plain]
    nearest = min(every, key=lambda one: abs(float(mean_of(one)) - MEAN))
    struck = striking(game, TARGET)
    close = [one.sd for one in struck if one.mean == mean_of(nearest)]
    return {
        "best strategies for 5 by state": Computed(len(plain)),
        "their chance of 5, lowest": Computed(float(min(chance_of(one, TARGET) for one in plain))),
        "their chance of 5, highest": Computed(float(max(chance_of(one, TARGET) for one in plain))),
        "different means": Computed(len(means)),
        "lowest mean, 601/128": Computed(float(min(means))),
        "highest mean, 157/32": Computed(float(max(means))),
        "the nearest mean to 4.7266 is off by": Computed(min(abs(float(mean) - MEAN) for mean in means)),
        "lowest standard deviation": Computed(min(deviations)),
        "highest standard deviation": Computed(max(deviations)),
        "lowest score of the strategy with the highest lowest score": Computed(max(map(lowest_of, plain))),
        "chance of ending with 1, at least": Computed(float(min(one[1] for one in plain))),
        "with memory, the nearest mean": Computed(float(mean_of(nearest))),
        "with memory, the standard deviation of that strategy": Computed(math.sqrt(variance_of(nearest))),
        "with memory, the highest standard deviation": Computed(max(math.sqrt(variance_of(one)) for one in every)),
        "striking too, their nearest standard deviation": Computed(min(close, key=lambda sd: abs(sd - DEVIATION))),
        "striking too, the highest lowest score": Computed(max(one.lowest for one in struck)),
    }


NONE_OF_THEM = Reason(
    "No best strategy for 5 gives the printed figures. The thesis has strategies that depend on the state alone, so we"
    " enumerated all of them that reach the best chance, in fractions. They differ only where several moves are equally"
    " good for 5. They have four means, none of which is the printed one, and smaller standard deviations. Ours plays"
    " for points in a tie, so it has the highest mean. Every one of them ends with 1 point in more than 2 % of the"
    " games, while the lowest score in print is 2. If strategies may also depend on the first turn, the mean 605/128 ="
    " 4.7266 occurs, but not with the printed standard deviation. If they may also strike categories that pay, both"
    " figures are nearly reached, but the lowest score remains 1.",
    figures(
        {
            "best strategies for 5 by state": "4",
            "their chance of 5, lowest": ".7734",
            "their chance of 5, highest": ".7734",
            "different means": "4",
            "lowest mean, 601/128": "4.6953125",
            "highest mean, 157/32": "4.90625",
            "the nearest mean to 4.7266 is off by": "> .03",
            "lowest standard deviation": "1.0388",
            "highest standard deviation": "1.1722",
            "lowest score of the strategy with the highest lowest score": "1",
            "chance of ending with 1, at least": ".0234",
            "with memory, the nearest mean": "4.7266",
            "with memory, the standard deviation of that strategy": "< 1.3031",
            "with memory, the highest standard deviation": "< 1.3031",
            "striking too, their nearest standard deviation": "1.3123",
            "striking too, the highest lowest score": "1",
        }
    ),
    _every_strategy,
    of=("for 5: mean", "for 5: standard deviation", "for 5: lowest"),
    cause=Cause.NOT_FOUND,
)

TWO_YATZY = (
    Claim(
        *PRINTED["tillius.two-yatzy"],
        _exact,
        ("two-yatzy",),
        reasons=(replace(NONE_OF_THEM, of=("for 5: mean",)),),
        how="the exact distributions; among moves with the same chance of 5, ours plays for points",
    ),
    Claim(
        *PRINTED["tillius.two-yatzy-simulated"],
        _simulated,
        ("two-yatzy",),
        reasons=(NONE_OF_THEM,),
        how="the exact distributions, and the range for a sample of that size",
    ),
)
