"""The size of the two-player optimum, row by row."""

from __future__ import annotations

import math

from yatzy_papers.claims import Claim, Computed, Figures, Reason, figures
from yatzy_papers.passages import read_passages
from yatzy_papers.run import PaperRun

PRINTED = read_passages("pawlewicz")
GAME = "yahtzee-pawlewicz"


def _pairs(run: PaperRun) -> Figures:
    found = run.counts(GAME)
    rows = {f"{row.mover},{row.opponent}": Computed(row.pairs) for row in found.rows}
    return rows | {"sum": Computed(found.pairs)}


def _values(run: PaperRun) -> Figures:
    found = run.counts(GAME)
    rows = {f"{row.mover},{row.opponent}": Computed(row.values) for row in found.rows}
    return rows | {"sum": Computed(found.values)}


def _bytes(run: PaperRun) -> Figures:
    found = run.counts(GAME)
    return {
        "to depth 5, GB": Computed(found.size(depth=5) / 2**30),
        "to depth 6, GB": Computed(found.size(depth=6) / 2**30),
        "all, TB": Computed(found.size() / 2**40),
    }


def _cut_off(run: PaperRun) -> Figures:
    size = run.counts(GAME).size(depth=5) / 2**30
    return {"to depth 5, cut off after a digit": Computed(math.floor(10 * size) / 10)}


SIZES = (
    Claim(
        *PRINTED["pawlewicz.pairs"],
        _pairs,
        (GAME,),
        how="counted",
    ),
    Claim(
        *PRINTED["pawlewicz.values"],
        _values,
        (GAME,),
        how="counted",
    ),
    Claim(
        *PRINTED["pawlewicz.bytes"],
        _bytes,
        (GAME,),
        reasons=(
            Reason(
                "It is truncated after its last digit, not rounded. For the two other sizes that makes no difference.",
                figures({"to depth 5, cut off after a digit": "27.5"}),
                _cut_off,
                of=("to depth 5, GB",),
            ),
        ),
        how="counted",
    ),
    Claim(
        *PRINTED["pawlewicz.match-times"],
        unchecked="Times of his program on his machine; ours are in docs/benchmarks.md.",
    ),
)
