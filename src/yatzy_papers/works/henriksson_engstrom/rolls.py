"""What the best strategies make with three and with four rolls a turn, and the files of strategies."""

from __future__ import annotations

import numpy as np

from yatzy.games import load_game
from yatzy_papers.claims import Claim, Entry, Figure, Figures, Print, Reason, entries
from yatzy_papers.desk import Desk
from yatzy_papers.sampling import sampled_mean, sampled_sd

GAMES = 100_000
SEED = 2013
IDS = {"three rolls": "yatzy", "four rolls": "yatzy-four-rolls"}
PRINTED = {
    "three rolls": {"mean": "233.00", "standard deviation": "44.82", "most frequent": "231"},
    "four rolls": {"mean": "280.07", "standard deviation": "41.25", "most frequent": "312"},
}
SETS, SUMS, ROLLS = 2**15, 64, 252
"""Sets of filled categories, upper sums, and rolls of five dice."""


def _found(desk: Desk) -> Figures:
    found: dict[str, Figure] = {}
    for words, id in IDS.items():
        score = desk.score(id)
        found[f"{words}: mean"] = sampled_mean(score, GAMES)
        found[f"{words}: standard deviation"] = sampled_sd(score, GAMES)
        found[f"{words}: most frequent"] = _sampled_mode(score.mass)
    return found


def _sampled_mode(mass: np.ndarray) -> Figure:
    """The most frequent score, with room for all that may be it in a sample."""
    top = int(np.argmax(mass))
    error = np.sqrt((mass + mass[top]) / GAMES)
    near = np.flatnonzero(mass[top] - mass <= 4 * error)
    return Figure(top, room=(float(near[0]), float(near[-1])))


def _not_the_best(desk: Desk) -> Figures:
    """What the best strategies make, by their table and in as many games as theirs."""
    found: dict[str, Figure] = {}
    for words, id in IDS.items():
        mean = desk.sample(id, "expected", GAMES, SEED).mean
        found[f"{words}: the best strategy"] = Figure(desk.value(id))
        found[f"{words}: the best strategy, in 100,000 games"] = Figure(mean.value, mean.error)
    return found


def _bytes(desk: Desk) -> Figures:
    return {f"{words}, GB": Figure(SETS * SUMS * ROLLS * load_game(id).rolls / 1e9) for words, id in IDS.items()}


def _scaled(desk: Desk) -> Figures:
    return {"4/3 of the rounded 1.59 GB": Figure(1.59 * 4 / 3)}


CLAIMS = (
    Claim(
        "henriksson.scores",
        "100,000 games with three and with four rolls",
        "Mean, standard deviation and most frequent score of the best strategies.",
        entries({f"{words}: {name}": text for words, row in PRINTED.items() for name, text in row.items()}, GAMES),
        _found,
        tuple(IDS.values()),
        reasons=(
            Reason(
                "Their strategies are not the best ones: those make far more, with less spread. How theirs play is"
                " not told.",
                (
                    Entry("three rolls: the best strategy", Print("> 233.00")),
                    Entry("four rolls: the best strategy", Print("> 280.07")),
                    Entry("three rolls: the best strategy, in 100,000 games", Print("> 233.00")),
                    Entry("four rolls: the best strategy, in 100,000 games", Print("> 280.07")),
                ),
                _not_the_best,
            ),
        ),
        how="the exact distributions of the best strategies, and what a sample of that size shows of them. The most"
        " frequent scores of theirs lie where those of the best may lie as well, which says little: near the top"
        " scores are about equally frequent",
    ),
    Claim(
        "henriksson.file",
        "the file of a strategy",
        "A byte for every state: the dice to keep, or the category.",
        entries({"three rolls, GB": "1.59", "four rolls, GB": "2.12"}),
        _bytes,
        reasons=(
            Reason(
                "2^15 sets of categories, 64 upper sums and 252 rolls, three times or four. The second size is 4/3"
                " of the first after rounding.",
                (Entry("4/3 of the rounded 1.59 GB", Print("2.12")),),
                _scaled,
                of=("four rolls, GB",),
            ),
        ),
        how="counted: sets of filled categories · upper sums · rolls of the dice · rolls of a turn",
    ),
    Claim(
        "henriksson.times",
        "the time of the strategies",
        "What making them took on 32 cores.",
        entries({"three rolls": "6.5 hours", "four rolls": "11 hours"}),
        unchecked="Times of their program on their machine. Ours solves either in a second (docs/benchmarks.md).",
    ),
)
