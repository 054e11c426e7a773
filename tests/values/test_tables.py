"""How tables of values are read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from yatzy import load_game
from yatzy.values.curves import BestChances
from yatzy.values.resources import Resources
from yatzy.values.tables import Column

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
