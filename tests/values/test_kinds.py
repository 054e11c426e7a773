"""Revisions of tables: raising one makes the tables of that kind again, and no others."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from yatzy import load_game
from yatzy.evaluation.outlook import Outlooks
from yatzy.store import list_tables
from yatzy.store.revisions import Computation
from yatzy.values import kinds
from yatzy.values.curves import BestChances
from yatzy.values.expected import ExpectedScore
from yatzy.values.kinds import EXPECTED, table_key
from yatzy.values.resources import Resources

TWO = load_game("two-yatzy")


def test_a_raised_revision_makes_the_tables_of_its_kind_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = ExpectedScore(TWO, Resources(tmp_path))
    BestChances(TWO, Resources(tmp_path))
    assert ExpectedScore(TWO, Resources(tmp_path)).table.cached
    monkeypatch.setitem(kinds._KINDS, "expected", replace(EXPECTED, revision=2))
    again = ExpectedScore(TWO, Resources(tmp_path))
    assert not again.table.cached
    assert again.table.path.name == first.table.path.name.replace(".table", "~2.table")
    assert ExpectedScore(TWO, Resources(tmp_path)).table.cached
    assert BestChances(TWO, Resources(tmp_path)).table.cached
    assert {info.state.value for info in list_tables(tmp_path)} == {"sound"}


def test_a_table_made_from_another_has_its_revision_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Outlooks(TWO, ExpectedScore(TWO, Resources(tmp_path)), Resources(tmp_path))
    assert Outlooks.ready(TWO, tmp_path)
    outlook = replace(kinds.OUTLOOK, uses=(replace(EXPECTED, revision=2),))
    monkeypatch.setitem(kinds._KINDS, "outlook", outlook)
    assert not Outlooks.ready(TWO, tmp_path)
    assert table_key(TWO, "outlook").revision == 2


def test_tables_of_revision_1_have_the_names_they_always_had() -> None:
    for objective, name in {"expected": "expected", "exp:0.02": "exp=0,02", "match-points:3": "match-points=3"}.items():
        assert table_key(TWO, objective).name == f"two-yatzy-{TWO.hash[:12]}-{name}"


def test_a_kind_of_your_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kinds, "_KINDS", dict(kinds._KINDS))
    assert table_key(TWO, "mine:1").revision == 1
    kinds.declare(Computation("mine", 3))
    assert table_key(TWO, "mine:1").revision == 3
