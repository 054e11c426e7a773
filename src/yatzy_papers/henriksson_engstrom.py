"""Henriksson and Engström 2013: three against four rolls a turn, each with its own best strategy."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations_with_replacement, product
from typing import TYPE_CHECKING

import numpy as np

from yatzy import Distribution, Game, count_game, load_game
from yatzy.lab import Series, draw_together
from yatzy.strategies import AssumedDice, fair_chances
from yatzy_papers.claims import (
    SIGMAS,
    Cause,
    Claim,
    Computed,
    Cost,
    Drawing,
    Figures,
    Reason,
    Table,
    Value,
    Work,
    figures,
)
from yatzy_papers.passages import read_passages
from yatzy_papers.run import PaperRun
from yatzy_papers.sampling import sampled_mean, sampled_sd

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PRINTED = read_passages("henriksson-engstrom")
SCORES = PRINTED["henriksson.scores"]
GAMES = SCORES.sample
SEED = 2013
IDS = {"three rolls": "yatzy", "four rolls": "yatzy-four-rolls"}
SETS, SUMS = 2**15, 64
"""Sets of filled categories, and upper sums."""
HANDS = int(PRINTED["henriksson.counts"].figure("hands").value)
"""Rolls of five dice, by their count; there are 252."""
THREE_DIFFERENT = PRINTED["henriksson.probabilities"].figure("three different dice, times 7776").value / 7776
ONE_PAIR = PRINTED["henriksson.probabilities"].figure("five dice with one pair, times 648").value / 648
"""The two slips in their table of probabilities."""


@dataclass(frozen=True)
class Reading:
    """A way in which their program may have planned. It is played with fair dice, and the bonus is paid."""

    words: str
    three_different: bool = True
    """Whether the plan has the first slip."""
    one_pair: bool = False
    """Whether the plan has the second slip where it rolls all five dice again."""
    one_pair_first: bool = False
    """Whether it has the second slip in the first roll of a turn, too."""
    normalised: bool = False
    """Whether the chances of each number of dice are scaled so that they add up to 1."""
    sees_bonus: bool = True
    bonus_from: int | None = None
    """The upper sum that wins the bonus in plan and play, if it is not that of the rules."""

    def game(self, id: str) -> Game:
        """A preset with this bonus."""
        game = load_game(id)
        if self.bonus_from is None or game.bonus is None:
            return game
        return replace(
            game, id=f"{id}-bonus-from-{self.bonus_from}", bonus=replace(game.bonus, threshold=self.bonus_from)
        )

    def chances(self, first: bool = False) -> Mapping[tuple[int, ...], float]:
        """The assumed chances of rolls; of the first roll of a turn, or of all others."""
        one_pair, found = self.one_pair_first if first else self.one_pair, fair_chances(5, 6)
        for roll in found:
            if self.three_different and (len(roll), len(set(roll))) == (3, 3):
                found[roll] = THREE_DIFFERENT
            elif one_pair and (len(roll), len(set(roll))) == (5, 4):
                found[roll] = ONE_PAIR
        if self.normalised:
            for dice in range(1, 6):
                total = sum(chance for roll, chance in found.items() if len(roll) == dice)
                found |= {roll: chance / total for roll, chance in found.items() if len(roll) == dice}
        return found


FIRST_SLIP = Reading("the first slip")
BOTH_SLIPS = Reading("both slips, the first roll fair", one_pair=True)
READINGS = (
    FIRST_SLIP,
    Reading("the first slip, normalised", normalised=True),
    BOTH_SLIPS,
    Reading("both slips, the first roll too", one_pair=True, one_pair_first=True),
    Reading("both slips, the first roll too, normalised", one_pair=True, one_pair_first=True, normalised=True),
    Reading("both slips, the first roll fair, without looking at the bonus", one_pair=True, sees_bonus=False),
    Reading("both slips, the first roll fair, the bonus only above 63", one_pair=True, bonus_from=64),
    Reading("no slip, without looking at the bonus", three_different=False, sees_bonus=False),
)


def _played(run: PaperRun, id: str, reading: Reading) -> Distribution:
    """The exact distribution of a plan by a reading, played with fair dice."""
    game, first = reading.game(id), reading.chances(first=True)
    plan = AssumedDice(game, reading.chances(), first, sees_bonus=reading.sees_bonus, threads=run.solver.threads)
    return run.played(plan, f"{game.name()} by a plan with {reading.words}")


def _share(run: PaperRun, words: str, figure: str, reading: Reading) -> float:
    """The share of the difference between the best strategy and a printed figure that a reading explains."""
    best, planned = run.score(IDS[words]), _played(run, IDS[words], reading)
    ours, slip = (best.mean, planned.mean) if figure == "mean" else (best.sd, planned.sd)
    return (ours - slip) / (ours - SCORES.figure(f"{words}: {figure}").value)


def _slips(run: PaperRun) -> Figures:
    found: dict[str, Computed] = {}
    for words, id in IDS.items():
        for reading in (FIRST_SLIP, BOTH_SLIPS):
            found[f"{words}: mean with {reading.words}"] = Computed(_played(run, id, reading).mean)
        for figure in ("mean", "standard deviation"):
            share = _share(run, words, figure, BOTH_SLIPS)
            found[f"{words}: share of the difference of the {figure} with both"] = Computed(share)
    return found


def lost_games(score: Distribution, mean: float, sd: float) -> tuple[float, int]:
    """The share of games, and the score they would have to end with, that give a mean and a standard deviation.

    With a share p that ends with s points, mean' = mean − p·(mean − s) and var' = (1 − p)·(var + (mean' − mean)²/p).
    """
    less, variance = score.mean - mean, score.sd**2
    linear = sd**2 - variance + less**2
    share = (math.sqrt(linear**2 + 4 * variance * less**2) - linear) / (2 * variance)
    return share, round(score.mean - less / share)


def _lost(run: PaperRun) -> Figures:
    """What is missing in both, if it is a few games that ended with few points; fitted to three rolls."""
    three, four = (_played(run, id, BOTH_SLIPS) for id in IDS.values())
    wanted = (SCORES.figure(f"three rolls: {figure}").value for figure in ("mean", "standard deviation"))
    share, points = lost_games(three, *wanted)
    mass = (1 - share) * four.mass
    mass[points] += share
    mixed = Distribution(mass)
    return {
        "three rolls: share of games that would have to end early": Computed(share),
        "three rolls: the score of these games": Computed(points),
        "four rolls: mean with as many such games": sampled_mean(mixed, GAMES),
        "four rolls: standard deviation with as many such games": sampled_sd(mixed, GAMES),
    }


def _readings(run: PaperRun) -> list[list[Value | None]]:
    rows: list[list[Value | None]] = []
    for words, id in IDS.items():
        for reading in READINGS:
            score = _played(run, id, reading)
            rows.append([words, reading.words, score.mean, score.sd, _share(run, words, "mean", reading)])
    return rows


def _scores(run: PaperRun) -> Figures:
    found: dict[str, Computed] = {}
    for words, id in IDS.items():
        score = run.score(id)
        found[f"{words}: mean"] = sampled_mean(score, GAMES)
        found[f"{words}: standard deviation"] = sampled_sd(score, GAMES)
        found[f"{words}: most frequent"] = _sampled_mode(score.mass)
    return found


def _sampled_mode(mass: np.ndarray) -> Computed:
    """The most frequent score. Its range covers all scores that may be the most frequent one in a sample."""
    top = int(np.argmax(mass))
    error = np.sqrt((mass + mass[top]) / GAMES)
    near = np.flatnonzero(mass[top] - mass <= SIGMAS * error)
    return Computed(top, range=(float(near[0]), float(near[-1])))


def _spread(run: PaperRun) -> Figures:
    three, four = (run.score(id).sd ** 2 for id in IDS.values())
    return {"variance with four rolls less that with three": Computed(four - three)}


def _counts(run: PaperRun) -> Figures:
    game = load_game("yatzy")
    found = count_game(game)
    return {
        "hands": Computed(found.rolls),
        "keeps": Computed(found.keeps),
        "highest score": Computed(_highest(game)),
    }


def _highest(game: Game) -> int:
    """The sum of the highest points of every category, and the bonus."""
    rolls = list(combinations_with_replacement(range(1, game.faces + 1), game.dice))
    bonus = 0 if game.bonus is None else game.bonus.points
    return bonus + sum(max(map(category.score, rolls)) for category in game.categories)


def _one_too_many(run: PaperRun) -> Figures:
    """The combinations of up to five dice, with one too many for each number of dice from one to five."""
    game = load_game("yatzy")
    more = [math.comb(game.faces + dice - 1, dice) + 1 for dice in range(1, game.dice + 1)]
    return {"one more hand": Computed(more[-1]), "one more for each number of dice, and none": Computed(1 + sum(more))}


def _probabilities(run: PaperRun) -> Figures:
    """The probabilities of 1-2-3 and 1-1-2-3-4, by counting all rolls."""
    return {
        "three different dice, times 7776": Computed(int(_chance((1, 2, 3)) * 7776)),
        "five dice with one pair, times 648": Computed(int(_chance((1, 1, 2, 3, 4)) * 648)),
    }


def _chance(dice: tuple[int, ...]) -> Fraction:
    rolls = [tuple(sorted(roll)) for roll in product(range(1, 7), repeat=len(dice))]
    return Fraction(rolls.count(dice), len(rolls))


def _own_formulas(run: PaperRun) -> Figures:
    return {
        "6 · (1/6)³, times 7776": Computed(int(6 * Fraction(1, 6) ** 3 * 7776)),
        "60 · (1/6)⁵, times 648": Computed(int(60 * Fraction(1, 6) ** 5 * 648)),
    }


def _from_nothing(run: PaperRun) -> Figures:
    return {
        "scores from 0 to the highest": Computed(1 + _highest(load_game("yatzy"))),
        "highest score of Yahtzee": Computed(_highest(load_game("yahtzee-plain"))),
    }


def _bytes(run: PaperRun) -> Figures:
    return {f"{words}, GB": Computed(load_game(id).rolls * HANDS * SETS * SUMS / 1e9) for words, id in IDS.items()}


CLAIMS = (
    Claim(
        *SCORES,
        _scores,
        tuple(IDS.values()),
        reasons=(
            Reason(
                "Their table of probabilities has two slips: three different dice have 1/7776 in it and not 1/36, and"
                " five dice with one pair 1/648 and not 5/648. A plan for the expected score that assumes these"
                " probabilities and is played with fair dice makes 234.7 and 282.0 points with the first slip, and"
                " 234.2 and 281.6 with both. That is about nine tenths of the difference of the means, and a half and a"
                " third of that of the standard deviations. The probabilities are taken as they stand, although they do"
                " not add up to 1, and the second slip is not in the first roll of a turn. If they are normalised, the"
                " slips cost much less. The cause of the rest, 1.2 and 1.6 points and the larger spread, was not found;"
                " the table of readings below shows what was tried. A bonus only above 63, for example, comes close"
                " with four rolls, but costs too much with three. The rest has the same form in both: if about 6 in"
                " 1,000 games ended with about 24 points, which we fitted to the figures for three rolls, those for"
                " four rolls would come out, too. We do not know why games should end like that.",
                figures(
                    {
                        "three rolls: mean with the first slip": "234.7",
                        "three rolls: mean with both slips, the first roll fair": "234.2",
                        "four rolls: mean with the first slip": "282.0",
                        "four rolls: mean with both slips, the first roll fair": "281.6",
                        "three rolls: share of the difference of the mean with both": "> .9",
                        "four rolls: share of the difference of the mean with both": "> .85",
                        "three rolls: share of the difference of the standard deviation with both": "> .5",
                        "four rolls: share of the difference of the standard deviation with both": "> .35",
                        "three rolls: share of games that would have to end early": ".006",
                        "three rolls: the score of these games": "24",
                        "four rolls: mean with as many such games": "280.07",
                        "four rolls: standard deviation with as many such games": "41.25",
                    }
                ),
                lambda run: {**_slips(run), **_lost(run)},
                cause=Cause.PARTLY,
            ),
        ),
        how="the exact distributions of the best strategies, and the range for a sample of that size. Their most"
        " frequent scores are in this range, but that says little, because many scores are almost equally frequent",
    ),
    Claim(
        *PRINTED["henriksson.spread"],
        _spread,
        tuple(IDS.values()),
        how="from the exact distributions of the best strategies",
    ),
    Claim(
        *PRINTED["henriksson.counts"],
        _counts,
        ("yatzy",),
        reasons=(
            Reason(
                "Counted, there are 252 and 462. Both counts come out as printed if each number of dice from one to"
                " five has one combination too many, but we do not know how that would happen.",
                figures({"one more hand": "253", "one more for each number of dice, and none": "467"}),
                _one_too_many,
                of=("hands", "keeps"),
                cause=Cause.NOT_FOUND,
            ),
            Reason(
                "The highest points of all categories and the bonus add up to 374. There are 375 scores from 0 to 374,"
                " and 375 is the highest score of Yahtzee without bonuses for further Yahtzees, as Glenn 2006 has it;"
                " but we do not know that the figure is one of these.",
                figures({"scores from 0 to the highest": "375", "highest score of Yahtzee": "375"}),
                _from_nothing,
                of=("highest score",),
                cause=Cause.NOT_FOUND,
            ),
        ),
        how="counted",
    ),
    Claim(
        *PRINTED["henriksson.probabilities"],
        _probabilities,
        reasons=(
            Reason(
                "The formulas in front of the figures are right, and give 1/36 and 5/648.",
                figures({"6 · (1/6)³, times 7776": "216", "60 · (1/6)⁵, times 648": "5"}),
                _own_formulas,
            ),
        ),
        how="counted over all rolls",
    ),
    Claim(
        *PRINTED["henriksson.file"],
        _bytes,
        how="their formula: rolls of a turn · 253 rolls of the dice · 2^15 sets of filled categories · 64 upper sums",
    ),
    Claim(
        *PRINTED["henriksson.times"],
        unchecked="These are times of their program on their machine. Our program solves either game in a second"
        " (docs/benchmarks.md).",
    ),
)


def _rolls(run: PaperRun) -> Figure:
    series = [
        Series(words, run.sample(id, "expected", GAMES, SEED).total, run.score(id).mass) for words, id in IDS.items()
    ]
    means = " and ".join(SCORES.figure(f"{words}: mean").text for words in IDS)
    caption = (
        f"{GAMES:,} games each by the best strategies, seed {SEED}, and the exact distributions. In print: {means}."
    )
    return draw_together(series, "Yatzy: three rolls a turn and four", caption)


READINGS_TABLE = Table(
    "henriksson.readings",
    "Readings of their plan",
    "Plans for the expected score that assume the printed probabilities, played with fair dice: mean, standard"
    " deviation, and the share of the difference between the best mean and the printed one that"
    " the reading explains. The other slips in their text, 253 rolls, 467 keeps and a highest score of 375, are counts"
    " that no plan depends on.",
    ("rolls", "the plan has", "mean", "sd", "share"),
    ("", "", ".4f", ".4f", ".3f"),
    _readings,
    tuple(IDS.values()),
    Cost.FULL,
    revision=2,
)
WORK = Work(
    "henriksson-engstrom",
    "Henriksson & Engström 2013",
    "Scandinavian Yatzy with three and with four rolls per turn, each with its own strategy, 100,000 games each. The"
    " authors themselves doubt their numbers.",
    CLAIMS,
    (READINGS_TABLE,),
    drawings=(Drawing("henriksson-rolls", "Three rolls and four", "the graph", _rolls, before="henriksson.file"),),
)
