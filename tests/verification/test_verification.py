"""Every kind of table is computed again: sound tables agree, and one altered value is found."""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers.crafted import GAMES as SMALL
from helpers.crafted import UTILITY, Layers, craft_table, document, encode, read_layers
from helpers.small_games import FIXED

from yatzy import load_game
from yatzy.games import Game, Joker
from yatzy.matches.endgames import Endgames
from yatzy.names import Origin
from yatzy.report.answers.base import json_text
from yatzy.report.answers.verification import verification_answer
from yatzy.solver import Solver
from yatzy.strategies.arrays import from_arrays
from yatzy.strategies.choices import Sheets
from yatzy.strategies.exported import export_strategy
from yatzy.values.curves import BestChances
from yatzy.values.expected import ExpectedScore
from yatzy.values.resources import Resources
from yatzy.values.utility import read_utility
from yatzy.verification import TableCheck, Verdict, Wanted, check_table
from yatzy.verification.checking import WAYS, _drawn, _open
from yatzy.verification.results import Law
from yatzy.verification.rows import Sources, TableRows

KINDS = ("expected", "exp:0.1", "exp:-0.1", "chances", "utility", "outlook", "match-points", "strategy")
TWO = load_game("two-yatzy")
BONUS = FIXED[1]
JOKER = next(game for game in FIXED if isinstance(game.joker, Joker))
GAMES = (TWO, BONUS, JOKER, FIXED[6])
WHOLE = Wanted(1.0, games=0)


def build(game: Game, kind: str, folder: Path) -> Path:
    """The table of a kind, with those that it needs."""
    solver = Solver(folder)
    (folder / "worth.csv").write_text(UTILITY, encoding="utf-8")
    match kind:
        case "chances":
            return solver.chances(game).table.path
        case "utility":
            return solver.build(game, f"utility:{folder / 'worth.csv'}", Origin.PERSON).table.path
        case "outlook":
            return solver.outlooks(game).table.path
        case "match-points":
            return Endgames(game, 2, Resources(folder)).tables[2].solved.path
        case "strategy":
            export_strategy(solver.strategy(game, "expected"), folder / "expected.strategy")
            return folder / "expected.strategy"
        case _:
            return solver.build(game, kind).table.path


def check(path: Path, wanted: Wanted = WHOLE) -> TableCheck:
    return check_table(path, wanted, GAMES, [read_utility(path.parent / "worth.csv")], Solver(path.parent))


def alter(path: Path, change: Callable[[Layers], None]) -> None:
    """Change arrays of a table and mend its checksums."""
    key, layers = read_layers(path)
    change(layers)
    path.write_bytes(encode(document(key, layers)))


def rows_of(path: Path, game: Game, objective: str) -> TableRows:
    sources = Sources(Solver(path.parent, read_only=True))
    return _open(path, game.id, game.hash, objective, WHOLE, GAMES, sources)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_a_sound_table_agrees_everywhere(game: Game, kind: str, tmp_path: Path) -> None:
    path = build(game, kind, tmp_path)
    found = check(path, replace(WHOLE, games=2000))
    assert found.verdict is Verdict.SOUND, found.complaint
    assert found.values == found.of > 0
    assert found.difference <= found.bound
    assert found.complaint == ""
    assert all(law.sound for law in found.identities)


@pytest.mark.parametrize(
    ("kind", "laws"),
    [
        ("expected", {Law.SIMULATED}),
        ("exp:0.1", {Law.SIMULATED}),
        ("chances", {Law.MONOTONE, Law.SIMULATED}),
        ("utility", {Law.SIMULATED}),
        ("outlook", {Law.MEAN}),
        ("match-points", {Law.MONOTONE, Law.REVERSED, Law.SIMULATED}),
    ],
)
def test_identities_are_checked(kind: str, laws: set[Law], tmp_path: Path) -> None:
    build(TWO, "expected", tmp_path)
    found = check(build(TWO, kind, tmp_path), replace(WHOLE, games=2000))
    assert {law.law for law in found.identities} == laws
    assert all(law.checked > 0 for law in found.identities)


def _places(layers: Layers) -> list[tuple[int, str, int]]:
    """A number of every array of every layer, and the last one at the start and before the end."""
    return [
        (layer, name, at)
        for layer, arrays in enumerate(layers)
        for name, array in arrays.items()
        for at in {array.size // 2, array.size - 1 if layer in (0, len(layers) - 2) else array.size // 2}
        if array.size
    ]


def _other(array: np.ndarray[Any, Any], at: int) -> Any:
    """Another number that a table may hold: larger by little, but by more than any rounding."""
    old = array.flat[at]
    if array.dtype.kind == "f":
        return old * (1 - 1e-4) if old else 1e-4
    return old ^ 1 if array.dtype.kind == "u" else old + 1


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("game", [TWO, JOKER], ids=lambda game: game.id)
def test_one_altered_value_is_always_found_in_the_whole(game: Game, kind: str, tmp_path: Path) -> None:
    path = build(game, kind, tmp_path)
    sound, (key, layers) = path.read_bytes(), read_layers(path)
    places = _places(layers)
    if kind == "strategy":  # any legal choice of equal worth is as good
        places = [place for place in places if place[1] not in ("keep", "category")]
    for layer, name, at in places:

        def change(layers: Layers, layer: int = layer, name: str = name, at: int = at) -> None:
            layers[layer][name].flat[at] = _other(layers[layer][name], at)

        alter(path, change)
        found = check(path)
        assert found.verdict is Verdict.WRONG, (layer, name, at)
        assert path.stem in found.complaint
    path.write_bytes(sound)
    assert key.layers == len(layers)
    assert check(path).verdict is Verdict.SOUND


@pytest.mark.parametrize("kind", ["expected", "chances", "outlook"])
def test_the_complaint_names_table_layer_and_state(kind: str, tmp_path: Path) -> None:
    path = build(BONUS, kind, tmp_path)
    name = {"expected": "value", "chances": "chance", "outlook": "mass"}[kind]

    def change(layers: Layers) -> None:
        layers[3][name].flat[0] *= 1.001

    alter(path, change)
    found = check(path)
    fault = next(fault for fault in found.faults if fault.place.layer == 3)
    assert fault.place.state.startswith(f"{BONUS.id}~s")
    assert fault.stored == pytest.approx(1.001 * fault.again, rel=1e-6)
    assert fault.difference == pytest.approx(0.001, rel=0.01)
    assert f"{path.stem}: layer " in found.complaint
    assert found.wrong >= len(found.faults)


def test_a_choice_that_loses_is_found(tmp_path: Path) -> None:
    path = build(BONUS, "strategy", tmp_path)

    def change(layers: Layers) -> None:
        layers[-1]["keep"][0, 0, 0, :] = 0  # never keeps anything

    alter(path, change)
    found = check(path)
    assert found.verdict is Verdict.WRONG
    assert found.faults[0].place.what == "choice"
    assert found.faults[0].stored < found.faults[0].again


@pytest.mark.parametrize("name", ["greedy", "exp:0.1"])
def test_other_strategies_are_checked_too(name: str, tmp_path: Path) -> None:
    path = tmp_path / "elsewhere" / "file.strategy"
    path.parent.mkdir()
    export_strategy(Solver(tmp_path).strategy(BONUS, name), path)
    found = check_table(path, WHOLE, GAMES, solver=Solver(tmp_path))
    assert (found.verdict, found.values) == (Verdict.SOUND, found.of)


def first_open(sheets: Sheets) -> tuple[int, Any]:
    """Keep nothing, and fill the first open category."""
    return 0, sheets.available.argmax(axis=1)[:, None]


def test_a_strategy_without_values_is_asked_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "by-hand.strategy"
    strategy = from_arrays(BONUS, first_open, depends_on="filled", name="molinder-lower")
    export_strategy(strategy, path)
    found = check_table(path, WHOLE, GAMES)
    assert (found.verdict, found.values) == (Verdict.UNCHECKED, 0)  # the real one plays with five dice
    monkeypatch.setattr(Solver, "strategy", lambda *_: strategy)
    found = check_table(path, WHOLE, GAMES)
    assert (found.verdict, found.values) == (Verdict.SOUND, found.of)

    def change(layers: Layers) -> None:
        layers[2]["keep"].flat[7] ^= 1

    alter(path, change)
    found = check_table(path, WHOLE, GAMES)
    assert (found.verdict, found.wrong) == (Verdict.WRONG, 1)


def test_a_value_is_found_whenever_it_is_in_the_share(tmp_path: Path) -> None:
    path = build(BONUS, "chances", tmp_path)
    rows = rows_of(path, BONUS, "chances")
    layer, row = 2, 5
    curves = rows.chances.curves(layer)  # type: ignore[attr-defined]
    at = int(curves.offset[row])
    del rows

    def change(layers: Layers) -> None:
        layers[layer]["chance"][at] *= 1.001

    alter(path, change)
    rows = rows_of(path, BONUS, "chances")
    seen = set()
    for seed in range(12):
        wanted = Wanted(0.3, seed=seed, games=0)
        drawn = np.concatenate(list(_drawn(rows, layer, wanted)))
        found = check(path, wanted)
        here = [fault for fault in found.faults if fault.place.layer == layer]
        assert bool(here) == (row in drawn)
        if here:
            assert found.verdict is Verdict.WRONG
        seen.add(row in drawn)
    assert seen == {True, False}


def test_the_rows_depend_on_the_seed_alone_and_every_layer_has_one(tmp_path: Path) -> None:
    rows = rows_of(build(BONUS, "expected", tmp_path), BONUS, "expected")
    differ = []
    for layer in rows.layers:
        pieces = [np.concatenate(list(_drawn(rows, layer, Wanted(0.4, seed=seed)))).tolist() for seed in (1, 1, 2)]
        assert pieces[0] == pieces[1]
        assert len(set(pieces[0])) == len(pieces[0]) == max(math.ceil(0.4 * rows.rows(layer)), 1)
        differ.append(pieces[0] != pieces[2])
    assert any(differ)


@pytest.mark.parametrize(
    ("kind", "name", "change", "law"),
    [
        ("expected", "value", 5.5, Law.SIMULATED),
        ("chances", "chance", 0.99, Law.MONOTONE),
        ("outlook", "mass", 0.2, Law.MEAN),
        ("match-points", "waiting", 0.25, Law.REVERSED),
    ],
)
def test_identities_can_fail(kind: str, name: str, change: float, law: Law, tmp_path: Path) -> None:
    path = build(TWO, kind, tmp_path)

    def alter_last(layers: Layers) -> None:
        array = layers[0][name]
        assert array.flat[array.size - 1] != change
        array.flat[array.size - 1] = change

    alter(path, alter_last)
    found = check(path, replace(WHOLE, games=20_000))
    assert found.verdict is Verdict.WRONG
    assert [one.sound for one in found.identities if one.law is law] == [False]


def test_a_damaged_table_is_reported_and_not_repaired(tmp_path: Path) -> None:
    path = build(BONUS, "expected", tmp_path)
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    for wanted in (WHOLE, Wanted(games=0)):
        found = check(path, wanted)
        assert (found.verdict, found.values) == (Verdict.WRONG, 0)
        assert "damaged" in found.complaint
    assert path.read_bytes() == bytes(data)


def test_what_cannot_be_checked_says_why(tmp_path: Path) -> None:
    path = build(BONUS, "expected", tmp_path)
    assert "--game" in check_table(path, WHOLE).reason
    path = build(TWO, "match-points", tmp_path)
    below = next(tmp_path.glob("*match-points=1.table"))
    below.unlink()
    found = check(path)
    assert found.verdict is Verdict.UNCHECKED
    assert below.name in found.reason
    assert not below.exists()
    path = build(TWO, "utility", tmp_path)
    found = check_table(path, WHOLE)
    assert found.verdict is Verdict.SOUND
    assert found.values < found.of
    assert "--utility" in found.reason


def test_a_table_under_a_wrong_name_or_of_an_unknown_kind_is_not_checked(tmp_path: Path) -> None:
    path = build(TWO, "expected", tmp_path)
    other = path.with_name("other.table")
    other.write_bytes(path.read_bytes())
    assert check_table(other, WHOLE).verdict is Verdict.WRONG
    key, layers = read_layers(path)
    mine = tmp_path / "mine.table"
    mine.write_bytes(encode(document(replace(key, objective="mine:1"), layers)))
    assert check_table(mine, WHOLE).verdict is Verdict.UNCHECKED


def test_another_way_is_chosen_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = build(TWO, "expected", tmp_path)
    monkeypatch.setitem(WAYS, "there", {"expected": "yatzy.verification.values:ExponentialRows"})
    wanted = replace(WHOLE, on="there")
    with pytest.raises(AssertionError):
        check(path, wanted)  # which is not the way to compute expected scores
    assert check(build(TWO, "chances", tmp_path), wanted).verdict is Verdict.UNCHECKED


@pytest.mark.parametrize("first", [0, 6])
def test_forged_tables_are_wrong_or_not_checked_and_never_crash(
    first: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Right checksums, and anything in the arrays."""
    monkeypatch.setattr(os, "fsync", lambda fd: None)
    for seed in range(first, first + 6):
        rng, folder = np.random.default_rng(seed), tmp_path / str(seed)
        folder.mkdir()
        monkeypatch.setenv("YATZY_TABLES", str(folder))
        game = SMALL[int(rng.integers(len(SMALL)))]
        craft_table(rng, game, folder)
        utility = [read_utility(path) for path in folder.glob("worth.csv")]
        for path in folder.glob("*.table"):
            found = check_table(path, WHOLE, [game], utility)
            assert "\n" not in found.complaint
            json_text(verification_answer(folder, WHOLE, [found]))


@pytest.mark.slow
@pytest.mark.parametrize("id", ["yatzy", "yahtzee", "yahtzee-pawlewicz", "yatzy-forced-order"])
def test_presets_agree(
    id: str, solved: Callable[[str], ExpectedScore], chances: Callable[[str], BestChances], tables: Path
) -> None:
    """A sample of the curves and expected scores of full-size games, and of the outlooks and endgames of small ones."""
    paths = [solved(id).table.path, chances(id).table.path]
    if id == "yatzy-forced-order":
        paths.append(Solver().outlooks(load_game(id)).table.path)
    if id == "yahtzee-pawlewicz":
        paths += [table.solved.path for table in Endgames(load_game(id), 2, Resources(tables)).tables]
    for path in paths:
        found = check_table(path, Wanted())
        assert found.verdict is Verdict.SOUND, found.complaint
