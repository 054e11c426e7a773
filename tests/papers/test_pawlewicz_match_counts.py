"""Pawlewicz 2010, "Nearly optimal computer play in multi-player Yahtzee": how large the optimum for two is."""

from __future__ import annotations

import pytest

from yatzy import load_game
from yatzy.matches.counting import MatchCounts, PairCount, count_match

PAIRS = """
13,13: 4
12,13: 170
12,12: 7,225
11,12: 108,970
11,11: 1,643,524
10,11: 10,179,080
10,10: 63,043,600
9,10: 212,553,800
9,9: 716,632,900
8,9: 1,497,165,790
8,8: 3,127,829,329
7,8: 4,308,280,518
7,7: 5,934,237,156
6,7: 5,530,733,064
6,6: 5,154,665,616
5,6: 3,252,071,616
5,5: 2,051,727,616
4,5: 854,962,000
4,4: 356,265,625
3,4: 92,487,500
3,3: 24,010,000
2,3: 3,449,600
2,2: 495,616
1,2: 30,976
1,1: 1,936
0,1: 44
0,0: 1
"""
VALUES = """
13,13: 4
12,13: 16,108
12,12: 1,325,955
11,12: 25,539,171
11,11: 453,792,562
10,11: 3,217,757,027
10,10: 22,211,567,786
9,10: 82,783,641,016
9,9: 300,915,379,820
8,9: 671,255,866,032
8,8: 1,457,509,326,327
7,8: 1,999,968,096,032
7,7: 2,552,435,835,158
6,7: 2,146,557,157,931
6,6: 1,743,391,907,424
5,6: 955,286,057,050
5,5: 499,277,719,048
4,5: 170,624,278,183
4,4: 53,794,722,569
3,4: 10,362,427,034
3,3: 1,725,140,368
2,3: 166,637,548
2,2: 12,263,680
1,2: 525,448
1,1: 17,776
0,1: 224
0,0: 1
"""


def _printed(text: str) -> dict[str, int]:
    """The lines of a list: filled categories of mover and opponent, and a number."""
    return {
        key: int(number.replace(",", "")) for key, number in (line.split(": ") for line in text.split("\n") if line)
    }


@pytest.fixture(scope="module")
def counts() -> MatchCounts:
    return count_match(load_game("yahtzee-pawlewicz"))


def _row(counts: MatchCounts, filled: str) -> PairCount:
    return next(row for row in counts.rows if f"{row.mover},{row.opponent}" == filled)


@pytest.mark.parametrize(("filled", "printed"), _printed(PAIRS).items(), ids=_printed(PAIRS))
def test_pairs_of_sheets(counts: MatchCounts, filled: str, printed: int) -> None:
    assert _row(counts, filled).pairs == printed


@pytest.mark.parametrize(("filled", "printed"), _printed(VALUES).items(), ids=_printed(VALUES))
def test_values_to_store(counts: MatchCounts, filled: str, printed: int) -> None:
    assert _row(counts, filled).values == printed


def test_both_lists_are_in_the_order_of_the_depth(counts: MatchCounts) -> None:
    order = [f"{row.mover},{row.opponent}" for row in counts.rows]
    assert order == list(_printed(PAIRS)) == list(_printed(VALUES))
    assert [counts.depth(row) for row in counts.rows] == list(range(27))


def test_sums(counts: MatchCounts) -> None:
    assert counts.pairs == 33_192_583_276
    assert counts.values == 12_671_976_997_282


def test_sizes_at_eight_bytes_a_value(counts: MatchCounts) -> None:
    """27.5 GB to depth 5, 193 GB to depth 6, 92.2 TB in all; his units are powers of 1024."""
    assert counts.size(depth=5) / 2**30 == pytest.approx(27.5, abs=0.06)
    assert counts.size(depth=6) / 2**30 == pytest.approx(193, abs=0.5)
    assert counts.size() / 2**40 == pytest.approx(92.2, abs=0.05)
