"""How large the optimum of two is, row by row."""

from __future__ import annotations

import math

from yatzy_papers.claims import Claim, Figure, Figures, Reason, entries
from yatzy_papers.desk import Desk

GAME = "yahtzee-pawlewicz"
PAIRS = """
13,13: 4 · 12,13: 170 · 12,12: 7,225 · 11,12: 108,970 · 11,11: 1,643,524 · 10,11: 10,179,080 · 10,10: 63,043,600 ·
9,10: 212,553,800 · 9,9: 716,632,900 · 8,9: 1,497,165,790 · 8,8: 3,127,829,329 · 7,8: 4,308,280,518 ·
7,7: 5,934,237,156 · 6,7: 5,530,733,064 · 6,6: 5,154,665,616 · 5,6: 3,252,071,616 · 5,5: 2,051,727,616 ·
4,5: 854,962,000 · 4,4: 356,265,625 · 3,4: 92,487,500 · 3,3: 24,010,000 · 2,3: 3,449,600 · 2,2: 495,616 ·
1,2: 30,976 · 1,1: 1,936 · 0,1: 44 · 0,0: 1 · sum: 33,192,583,276
"""
VALUES = """
13,13: 4 · 12,13: 16,108 · 12,12: 1,325,955 · 11,12: 25,539,171 · 11,11: 453,792,562 · 10,11: 3,217,757,027 ·
10,10: 22,211,567,786 · 9,10: 82,783,641,016 · 9,9: 300,915,379,820 · 8,9: 671,255,866,032 · 8,8: 1,457,509,326,327 ·
7,8: 1,999,968,096,032 · 7,7: 2,552,435,835,158 · 6,7: 2,146,557,157,931 · 6,6: 1,743,391,907,424 ·
5,6: 955,286,057,050 · 5,5: 499,277,719,048 · 4,5: 170,624,278,183 · 4,4: 53,794,722,569 · 3,4: 10,362,427,034 ·
3,3: 1,725,140,368 · 2,3: 166,637,548 · 2,2: 12,263,680 · 1,2: 525,448 · 1,1: 17,776 · 0,1: 224 · 0,0: 1 ·
sum: 12,671,976,997,282
"""


def _listed(text: str) -> dict[str, str]:
    return dict(part.strip().split(": ") for part in text.replace("\n", " ").split("·"))


def _pairs(desk: Desk) -> Figures:
    found = desk.counts(GAME)
    rows = {f"{row.mover},{row.opponent}": Figure(row.pairs) for row in found.rows}
    return rows | {"sum": Figure(found.pairs)}


def _values(desk: Desk) -> Figures:
    found = desk.counts(GAME)
    rows = {f"{row.mover},{row.opponent}": Figure(row.values) for row in found.rows}
    return rows | {"sum": Figure(found.values)}


def _bytes(desk: Desk) -> Figures:
    found = desk.counts(GAME)
    return {
        "to depth 5, GB": Figure(found.size(depth=5) / 2**30),
        "to depth 6, GB": Figure(found.size(depth=6) / 2**30),
        "all, TB": Figure(found.size() / 2**40),
    }


def _cut_off(desk: Desk) -> Figures:
    size = desk.counts(GAME).size(depth=5) / 2**30
    return {"to depth 5, cut off after a digit": Figure(math.floor(10 * size) / 10)}


SIZES = (
    Claim(
        "pawlewicz.pairs",
        "the number of states of two",
        "Pairs of sheets by filled categories of mover and opponent.",
        entries(_listed(PAIRS)),
        _pairs,
        (GAME,),
        how="counted",
    ),
    Claim(
        "pawlewicz.values",
        "the number of values of two",
        "Differences of points to store, by filled categories of mover and opponent.",
        entries(_listed(VALUES)),
        _values,
        (GAME,),
        how="counted",
    ),
    Claim(
        "pawlewicz.bytes",
        "the size of the optimum of two",
        "What the values take at 8 bytes each; his GB are 2^30 bytes.",
        entries({"to depth 5, GB": "27.5", "to depth 6, GB": "193", "all, TB": "92.2"}),
        _bytes,
        (GAME,),
        reasons=(
            Reason(
                "The first one is cut off after its last digit rather than rounded.",
                entries({"to depth 5, cut off after a digit": "27.5"}),
                _cut_off,
                of=("to depth 5, GB",),
            ),
        ),
        how="counted",
    ),
    Claim(
        "pawlewicz.match-times",
        "the time of the optimum of two",
        "Times on a Pentium 4 with 2.8 GHz: the tables to depth 4, all of it, a move at depth 8 and 9 with tables to"
        " depth 5, a move of EMP(2) at the start, of EMP(3) there and with 12 boxes open.",
        entries(
            {
                "to depth 4": "6 days",
                "all": "40 years",
                "a move at depth 8": "0.1–0.6 s",
                "a move at depth 9": "2–10 s",
                "EMP(2) at the start": "0.6 s",
                "EMP(3) at the start": "over 10 s",
                "EMP(3) with 12 open": "under 1 s",
            }
        ),
        unchecked="Times of his program on his machine; ours are in docs/benchmarks.md.",
    ),
)
