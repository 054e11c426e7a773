"""How tables of values are read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

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
