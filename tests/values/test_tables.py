"""How tables of values are read."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from yatzy import load_game
from yatzy.errors import TableDamaged, TableMissing
from yatzy.games import Sheet
from yatzy.solver import Solver
from yatzy.values.curves import BestChances
from yatzy.values.expected import ExpectedScore
from yatzy.values.resources import Resources
from yatzy.values.tables import Column, curve_columns

TWO = load_game("two-yatzy")


def test_the_numbers_of_an_array_are_checked_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chances, checked = BestChances(TWO, Resources(tmp_path)), list[int]()
    fault = Column.fault

    def count(column: Column, numbers: Any) -> str | None:
        checked.append(len(numbers))
        return fault(column, numbers)

    monkeypatch.setattr(Column, "fault", count)
    chances.curves(1)
    first = len(checked)
    assert first, "the first read checks"
    chances.curves(1)
    assert len(checked) == first


def test_single_rows_are_those_of_the_array_and_are_checked(tmp_path: Path) -> None:
    table = BestChances(TWO, Resources(tmp_path)).table
    whole, rows = table.read(1, "offset", 0, 3).copy(), np.array([[1, 2], [0, 1]])
    np.testing.assert_array_equal(table.read_at(1, "offset", rows), whole[rows])
    assert table.read_at(1, "chance", np.empty(0, np.int64)).shape == (0,)
    for wrong in (-1, 10**6):
        with pytest.raises(TableDamaged, match="rows, and"):
            table.read_at(1, "chance", np.array([0, wrong]))
    data = bytearray(table.path.read_bytes())
    data[data.find(whole.tobytes())] ^= 1
    table.path.write_bytes(data)
    again = BestChances(TWO, Resources(tmp_path)).table
    np.testing.assert_array_equal(again.read_at(1, "offset", rows), whole[rows])
    assert table.path.read_bytes() != data, "the damaged table was built again"


def test_steps_between_single_rows_are_checked() -> None:
    column = Column("<i8", (None,), 0, 9, (1, 3))
    assert column.fault(np.array([[0, 1], [5, 8], [2, 3]])) is None
    assert "offsets" in str(column.fault(np.array([[0, 1], [5, 9]])))


@pytest.mark.parametrize(
    ("numbers", "fault"),
    [
        ([0, 2, 5], None),
        ([0], None),
        ([], None),
        ([0, 4], "offsets that are not 1 to 3 apart"),
        ([3, 3], "offsets that are not 1 to 3 apart"),
        ([0, 10], "numbers that are not from 0 to 9"),
        ([-1, 0], "numbers that are not from 0 to 9"),
    ],
)
def test_faults_of_offsets(numbers: list[int], fault: str | None) -> None:
    found = Column("<i8", (None,), 0, 9, (1, 3)).fault(np.array(numbers, np.int64))
    assert found is None if fault is None else fault in str(found)


def test_misfits_of_an_array() -> None:
    column = Column("<i8", (None, 2), 0, 9)
    assert column.misfit("<i8", (7, 2)) is None
    for dtype, shape in (("<f8", (7, 2)), ("<i8", (7, 3)), ("<i8", (7,))):
        assert str(column.misfit(dtype, shape)).endswith("but must be <i8 (any, 2)")


def test_read_only_tables_are_neither_built_nor_repaired(tmp_path: Path) -> None:
    with pytest.raises(TableMissing):
        ExpectedScore(TWO, Resources(tmp_path, read_only=True))
    with pytest.raises(TableMissing):
        Solver(tmp_path, read_only=True).chances(TWO)
    assert list(tmp_path.iterdir()) == []
    solution = ExpectedScore(TWO, Resources(tmp_path))
    path, start = solution.table.path, struct.pack("<d", solution.to_come(Sheet.start(TWO)))
    damaged = path.read_bytes().replace(start, b"\1" * 8)
    path.write_bytes(damaged)
    with pytest.raises(TableDamaged):
        ExpectedScore(TWO, Resources(tmp_path, read_only=True)).table.check()
    assert path.read_bytes() == damaged
    ExpectedScore(TWO, Resources(tmp_path)).table.check()
    assert path.read_bytes() != damaged


def test_the_first_score_of_a_curve_is_at_most_one_above_all_scores() -> None:
    columns = curve_columns(2, "chance", 30, shortest=1, least_low=1, range_=(0.0, 1.0))
    low, offset = columns["low"], columns["offset"]
    assert low.fault(np.array([1, 31], np.int32)) is None
    for wrong in ([0, 31], [1, 32]):
        assert low.fault(np.array(wrong, np.int32)) is not None
    assert offset.fault(np.array([0, 1, 33])) is None
    for wrong in ([0, 0, 33], [0, 1, 34]):
        assert offset.fault(np.array(wrong)) is not None
