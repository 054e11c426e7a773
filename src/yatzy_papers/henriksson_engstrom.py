"""Henriksson and Engström 2013: three against four rolls a turn, each with its own best strategy."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import comb
from typing import TYPE_CHECKING

import numpy as np

from yatzy import Game, count_game, load_game
from yatzy.lab import Series, draw_together
from yatzy_papers.claims import SIGMAS, Claim, Computed, Drawing, Figures, Reason, Work, figures
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
SETS, SUMS, ROLLS = 2**15, 64, 252
"""Sets of filled categories, upper sums, and rolls of five dice."""


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


def _not_the_best(run: PaperRun) -> Figures:
    """The scores of the best strategies, from their tables and in a sample of the printed size."""
    found: dict[str, Computed] = {}
    for words, id in IDS.items():
        mean = run.sample(id, "expected", GAMES, SEED).mean
        found[f"{words}: the best strategy"] = Computed(run.value(id))
        found[f"{words}: the best strategy, in 100,000 games"] = Computed(mean.value, mean.error)
    return found


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
    more = [comb(game.faces + dice - 1, dice) + 1 for dice in range(1, game.dice + 1)]
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
    return {"scores from 0 to the highest": Computed(1 + _highest(load_game("yatzy")))}


def _bytes(run: PaperRun) -> Figures:
    return {f"{words}, GB": Computed(SETS * SUMS * ROLLS * load_game(id).rolls / 1e9) for words, id in IDS.items()}


def _scaled(run: PaperRun) -> Figures:
    rounded = PRINTED["henriksson.file"].figure("three rolls, GB").value
    return {"4/3 of the rounded 1.59 GB": Computed(rounded * 4 / 3)}


CLAIMS = (
    Claim(
        *SCORES,
        _scores,
        tuple(IDS.values()),
        reasons=(
            Reason(
                "Their strategies are not the best ones, which score far more with less spread. The publication does"
                " not say how they play.",
                figures(
                    {
                        "three rolls: the best strategy": "> 233.00",
                        "four rolls: the best strategy": "> 280.07",
                        "three rolls: the best strategy, in 100,000 games": "> 233.00",
                        "four rolls: the best strategy, in 100,000 games": "> 280.07",
                    }
                ),
                _not_the_best,
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
                "Both counts have one combination too many for each number of dice from one to five.",
                figures({"one more hand": "253", "one more for each number of dice, and none": "467"}),
                _one_too_many,
                of=("hands", "keeps"),
            ),
            Reason(
                "The highest points of all categories and the bonus add up to 374. There are 375 scores from 0 to 374,"
                " but we do not know that this is what was counted.",
                figures({"scores from 0 to the highest": "375"}),
                _from_nothing,
                of=("highest score",),
                known=False,
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
        reasons=(
            Reason(
                "The first size is 2^15 sets of categories times 64 upper sums, 252 rolls and three rolls per turn."
                " The second is 4/3 of the first after rounding.",
                figures({"4/3 of the rounded 1.59 GB": "2.12"}),
                _scaled,
                of=("four rolls, GB",),
            ),
        ),
        how="counted: sets of filled categories · upper sums · rolls of the dice · rolls of a turn",
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


WORK = Work(
    "henriksson-engstrom",
    "Henriksson & Engström 2013",
    "Scandinavian Yatzy with three and with four rolls per turn, each with its own strategy, 100,000 games each. The"
    " authors themselves doubt their numbers.",
    CLAIMS,
    drawings=(Drawing("henriksson-rolls", "Three rolls and four", "the graph", _rolls, before="henriksson.file"),),
)
