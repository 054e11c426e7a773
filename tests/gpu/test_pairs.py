"""Pairs of states of two players by `turn.cu`, run on the CPU, beside the tables of the Numba kernels."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers.gpu_stand_in import StandIn, needs_compiler
from helpers.small_games import CHANCE, PAIR, PAIR_FIXED, RUN

from yatzy.games import Bonus, Category, Face, Game, Groups, Joker, JokerReading, Position
from yatzy.gpu.device import source_text
from yatzy.gpu.pairs import HostPairs, LoadedPairs, PairSolver
from yatzy.matches import endgames_gpu
from yatzy.matches.endgames import Endgames
from yatzy.matches.endgames_gpu import host_pairs, solve_on, solve_rows
from yatzy.matches.exact import ExactMatch, every_pair
from yatzy.matches.solving import solve_match
from yatzy.values.resources import Resources

pytestmark = needs_compiler

ONES, TWOS = Category("ones", Face(1)), Category("twos", Face(2))
BOX = Category("box", Groups((2,), points=9))
BONUS = Bonus(points=3, threshold=4)
GAMES = (
    Game("three-lower", 2, 2, 2, (PAIR_FIXED, CHANCE, RUN)),
    Game("bonus", 2, 2, 2, (ONES, TWOS, CHANCE), BONUS),
    Game("bonus-three-dice", 3, 2, 2, (TWOS, PAIR), Bonus(points=5, threshold=6)),
    Game("many-points", 2, 3, 3, (TWOS, Category("pair", Groups((2,), points=90)), RUN), Bonus(50, 4)),
    Game("one-roll", 2, 4, 1, (TWOS, CHANCE, PAIR_FIXED)),
    Game("one-die", 1, 3, 2, (ONES, TWOS, CHANCE), Bonus(2, 3)),
    Game("forced", 2, 3, 2, (ONES, PAIR, TWOS), BONUS, forced_order=True),
    Game("joker-forced", 2, 2, 2, (TWOS, BOX, RUN), joker=Joker("box", JokerReading.FORCED, points=5)),
    Game("joker-bonus", 2, 2, 2, (TWOS, BOX, RUN), Bonus(4, 4), Joker("box", JokerReading.PAWLEWICZ, points=11)),
)
"""With and without bonus, Jokers and a forced order; one die has states that no play reaches."""
each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)


@pytest.fixture(autouse=True)
def _nothing_kept() -> Iterator[None]:
    yield
    endgames_gpu._kept.clear()


def tables_of(game: Game, folder: Path) -> Endgames:
    tables = Endgames(game, 2 * len(game.categories), Resources(folder))
    for table in tables.tables:
        table.make_ready(np.arange(len(table.layout.start) - 1))
    return tables


def stored(tables: Endgames, depth: int) -> Any:
    """All values of a depth as the kernels computed them."""
    layout = tables.tables[depth].layout
    return host_pairs(layout).rows(0, len(layout.start) - 1)


def solved(tables: Endgames, depth: int, device: StandIn, memory: int | None = None) -> Any:
    layout, before = tables.tables[depth].layout, tables.tables[depth - 1].layout if depth else None
    return solve_on(device, tables.compiled, layout, before, 0, len(layout.start) - 1, memory)


@each_game
@pytest.mark.parametrize("backwards", [False, True], ids=["forwards", "backwards"])
def test_every_depth_has_the_bits_of_the_kernels(game: Game, backwards: bool, tmp_path: Path) -> None:
    tables, device = tables_of(game, tmp_path), StandIn(backwards)
    for depth in range(tables.depth + 1):
        assert np.array_equal(solved(tables, depth, device), stored(tables, depth)), depth
    assert {kernel for kernel, _ in device.launches} == {"solve_pairs"}


@each_game
def test_layers_larger_than_the_memory_are_the_same(game: Game, tmp_path: Path) -> None:
    tables = tables_of(game, tmp_path)
    launches = []
    for memory in (None, 400, 1):
        device = StandIn()
        for depth in range(1, tables.depth + 1):
            assert np.array_equal(solved(tables, depth, device, memory), stored(tables, depth)), depth
        launches.append(len(device.launches))
    assert launches[0] == tables.depth < launches[1] <= launches[2]


@each_game
def test_the_start_is_worth_what_the_judge_says(game: Game, tmp_path: Path) -> None:
    tables = tables_of(game, tmp_path)
    waiting = solved(tables, tables.depth, StandIn())
    assert len(waiting) == 1
    assert 1 - waiting[0] == pytest.approx(float(ExactMatch(game).value(Position.start(game, 2))), abs=1e-6)


def test_every_position_is_worth_what_the_judge_says(tmp_path: Path) -> None:
    game = GAMES[-1]
    tables, judge, device = tables_of(game, tmp_path), ExactMatch(game), StandIn()
    layers = [solved(tables, depth, device) for depth in range(tables.depth + 1)]
    states, checked = tables.compiled.states, 0
    for position in every_pair(game):
        mover, opponent = position.sheet, position.sheets[1 - position.mover]
        layout = tables.tables[len(mover.open) + len(opponent.open)].layout
        pair, x = (states.find(mover), states.find(opponent)), opponent.points - mover.points
        window = layout.ranges.open_differences(*pair)
        if x in window:
            row = pair[0] - layout.pairs.mover
            within = layout.pairs.within[row * layout.pairs.opponents + pair[1] - layout.pairs.opponent]
            waiting = layers[layout.depth][int(layout.start[row]) + int(within) + window[-1] - x]
            assert 1 - waiting == pytest.approx(float(judge.value(position)), abs=1e-6), position
            checked += 1
    assert checked > 100


def test_some_rows_alone_and_the_layer_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tables, device = tables_of(GAMES[1], tmp_path), StandIn()
    monkeypatch.setattr(endgames_gpu, "open_device", lambda: device)
    loads = list[tuple[int, int]]()
    load = PairSolver.load

    def counted(self: PairSolver, pairs: HostPairs, low: int, high: int) -> LoadedPairs:
        loads.append((low, high))
        return load(self, pairs, low, high)

    monkeypatch.setattr(PairSolver, "load", counted)
    layout, before = tables.tables[3].layout, tables.tables[2].layout
    rows = len(layout.start) - 1
    parts = [solve_rows(tables.compiled, layout, before, low, low + 1) for low in range(rows)]
    assert np.array_equal(np.concatenate(parts), stored(tables, 3))
    assert loads == [(0, len(before.start) - 1)]
    assert not len(solve_rows(tables.compiled, layout, before, 0, 0))


def test_a_complete_solution_has_the_hashes_of_the_cpu(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    device = StandIn()
    monkeypatch.setattr(endgames_gpu, "open_device", lambda: device)
    solved = []
    for backend in ("cpu", "gpu"):
        with ThreadPoolExecutor(1) as executor:
            solved.append(solve_match(GAMES[3], executor, resources=Resources(tmp_path / backend), backend=backend))
    assert len(device.launches) >= 2 * len(GAMES[3].categories)
    assert [layer.hash for layer in solved[0].layers] == [layer.hash for layer in solved[1].layers]
    assert solved[0].value == solved[1].value


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("const int low = max(opponent.x - mover.y", "const int low = max(opponent.x - mover.y + 1"),
        ("value[begin + thread] = 1.0f - sum", "value[begin + thread] = sum"),
        ("if (begin[middle] <= position)", "if (begin[middle] < position)"),
        ("end = pair_begin[(mover + 1) * opponents]", "end = pair_begin[(mover + 1) * opponents] - 1"),
    ],
)
def test_errors_in_the_source_are_found(right: str, wrong: str, tmp_path: Path) -> None:
    tables, text = tables_of(GAMES[1], tmp_path), source_text()
    assert text.count(right) == 1
    device = StandIn(source=text.replace(right, wrong))
    found = [solved(tables, depth, device) for depth in range(tables.depth + 1)]
    assert any(not np.array_equal(values, stored(tables, depth)) for depth, values in enumerate(found))
