"""Henriksson and Engström 2013: three against four rolls a turn, each with its own best strategy."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from yatzy import load_game
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
