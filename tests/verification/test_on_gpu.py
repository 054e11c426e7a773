"""Tables computed again by the kernels of the GPU, on the device of the tests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from helpers.crafted import Layers, document, encode, read_layers
from helpers.gpu_stand_in import StandIn, lend, needs_compiler
from helpers.small_games import FIXED

from yatzy.errors import InputError
from yatzy.games import Game, load_game
from yatzy.matches.endgames import Endgames
from yatzy.solver import Solver
from yatzy.values.resources import Resources
from yatzy.verification import TableCheck, Verdict, Wanted, check_table
from yatzy.verification.results import Law

pytestmark = needs_compiler

GAMES = (load_game("two-yatzy"), FIXED[1], next(game for game in FIXED if game.joker), FIXED[6])
KINDS = ("expected", "chances", "match-points")
WHOLE = Wanted(1.0, games=0, on="gpu")


def build(game: Game, kind: str, folder: Path) -> Path:
    solver = Solver(folder)
    if kind == "match-points":
        return Endgames(game, 3, Resources(folder)).tables[3].solved.path
    return solver.expected(game).table.path if kind == "expected" else solver.chances(game).table.path


def check(path: Path, monkeypatch: pytest.MonkeyPatch, source: str | None = None) -> TableCheck:
    lend(monkeypatch, StandIn(source=source))
    return check_table(path, WHOLE, GAMES)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_sound_tables_agree(game: Game, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = check(build(game, kind, tmp_path), monkeypatch)
    assert (found.verdict, found.reason) == (Verdict.SOUND, "")
    assert found.values == found.of > 1
    assert found.difference == 0
    assert [law.law for law in found.identities] == ([] if kind == "expected" else [Law.MONOTONE])


def lower(array: Any) -> None:
    array[len(array) // 2] *= 0.999


def raise_(array: Any) -> None:
    array[-1] += 0.01


@pytest.mark.parametrize("change", [lower, raise_])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("game", GAMES[:3], ids=lambda game: game.id)
def test_an_altered_number_is_found(
    game: Game, kind: str, change: Callable[[Any], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = build(game, kind, tmp_path)
    key, layers = read_layers(path)
    name = {"expected": "value", "chances": "chance", "match-points": "waiting"}[kind]
    longest = max((index for index in range(len(layers))), key=lambda index: len(layers[index][name]))
    change_in(layers, longest, name, change)
    path.write_bytes(encode(document(key, layers)))
    found = check(path, monkeypatch)
    assert found.verdict is Verdict.WRONG
    # A number is wrong itself, and so are those of the layer before that depend on it.
    assert found.wrong >= 1
    assert any(fault.place.layer == longest for fault in found.faults)


def change_in(layers: Layers, layer: int, name: str, change: Callable[[Any], None]) -> None:
    change(layers[layer][name])


def test_curves_that_begin_elsewhere_are_compared_at_full_length(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = build(GAMES[0], "chances", tmp_path)
    key, layers = read_layers(path)
    layers[0]["low"][0] += 1
    path.write_bytes(encode(document(key, layers)))
    found = check(path, monkeypatch)
    assert found.verdict is Verdict.WRONG
    assert {fault.place.layer for fault in found.faults} == {0}


@pytest.mark.parametrize("kind", KINDS)
def test_an_error_of_the_device_is_found(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = StandIn().source.replace("mean = mean + row[group * LANES]", "mean = mean + row[group * LANES] * 0.999f")
    assert check(build(GAMES[1], kind, tmp_path), monkeypatch, wrong).verdict is Verdict.WRONG


def test_some_rows_are_refused() -> None:
    with pytest.raises(InputError, match="--on gpu always computes all states again"):
        Wanted(0.5, on="gpu")
    with pytest.raises(InputError, match="--on gpu always computes all states again"):
        Wanted(rows=100, on="gpu")


def test_all_rows_are_checked_without_asking() -> None:
    assert Wanted(on="gpu") == Wanted(1.0, on="gpu")
    assert Wanted(on="gpu").whole
    assert not Wanted().whole
