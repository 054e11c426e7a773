"""Complete solutions with the rows of the GPU, on the device of the tests."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from helpers.gpu_stand_in import StandIn, needs_compiler
from helpers.small_games import CHANCE, PAIR, RUN

from yatzy.errors import InputError
from yatzy.games import Game
from yatzy.gpu.game import LANES
from yatzy.gpu.solver import CHUNK_BYTES
from yatzy.matches import blocks as block_files
from yatzy.matches import endgames_gpu, solving
from yatzy.matches.counting import count_match
from yatzy.matches.solving import SolvedMatch, solve_match
from yatzy.matches.values import ranges_of
from yatzy.model import compile_game
from yatzy.store.blocks import write_block
from yatzy.values.resources import Resources

GAME = Game("three-boxes", 2, 3, 2, (PAIR, CHANCE, RUN))


DEPTHS = 2 * len(GAME.categories)

pytestmark = needs_compiler


@pytest.fixture
def device(monkeypatch: pytest.MonkeyPatch) -> StandIn:
    device = StandIn()
    monkeypatch.setattr(endgames_gpu, "open_device", lambda: device)
    return device


def solve(folder: Path, backend: str = "gpu", report: Callable[[str], None] | None = None, **other: Any) -> SolvedMatch:
    with ThreadPoolExecutor(1) as pool:
        return solve_match(GAME, pool, resources=Resources(folder, report=report), backend=backend, block=30, **other)


def known(result: SolvedMatch) -> list[tuple[str, float, float, list[float]]]:
    """What is known of every layer."""
    found = []
    for layer in result.layers:
        assert layer.sample is not None
        found.append((layer.hash, layer.least, layer.most, layer.sample.value.tolist()))
    return found


def test_a_solution_has_the_same_hashes_with_layers_on_the_device_or_on_disk(
    tmp_path: Path, device: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    solve_on, blocks = endgames_gpu.solve_on, list[int]()

    def counted(*args: Any) -> Any:
        blocks.append(1)
        return solve_on(*args)

    monkeypatch.setattr(endgames_gpu, "solve_on", counted)
    expected = known(solve(tmp_path / "cpu", "cpu"))
    assert not device.launches
    assert known(solve(tmp_path / "gpu")) == expected
    assert len(device.launches) == DEPTHS  # one for each layer
    assert not blocks
    assert not list(tmp_path.rglob("*.block"))
    device.free_memory = lambda: 200  # type: ignore[method-assign]
    assert known(solve(tmp_path / "small")) == expected
    assert len(blocks) > DEPTHS


def test_room_is_counted_for_two_neighbours(device: StandIn) -> None:
    compiled, counts = compile_game(GAME), count_match(GAME).rows[-3:]
    sizes = [4 * row.values + endgames_gpu.LAYER_INDEX_BYTES * row.pairs for row in counts]
    assert sizes[0] > sizes[1] > sizes[2]
    ranges = ranges_of(compiled)
    layers = endgames_gpu.LayersOnDevice(compiled, ranges, device)
    chunks = CHUNK_BYTES * layers._solver.launch // LANES
    layers._solver.memory = sizes[0] + sizes[1] + chunks
    assert layers.fits(counts)
    layers._solver.memory -= 1
    assert not layers.fits(counts)
    assert layers.fits(counts[1:])


@pytest.mark.parametrize(("rate", "backend"), [(1e18, "gpu"), (1e18, "cpu"), (1e-18, "gpu")])
def test_an_interruption_goes_on_from_the_last_layer_on_disk(
    rate: float, backend: str, tmp_path: Path, device: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = known(solve(tmp_path / "cpu", "cpu"))
    monkeypatch.setattr("yatzy.store.pace.RATE", rate)
    finish = block_files.finish_block

    def interrupt(game: Game, layout: Any, *rest: Any, **other: Any) -> Any:
        if layout.depth == 4:
            raise KeyboardInterrupt
        return finish(game, layout, *rest, **other)

    monkeypatch.setattr(solving, "finish_block", interrupt)
    with pytest.raises(KeyboardInterrupt):
        solve(tmp_path)
    monkeypatch.setattr(solving, "finish_block", finish)
    on_disk = {path.parent.name for path in tmp_path.rglob("*.block")}
    assert on_disk == ({"depth-03"} if rate > 1 else set())
    told, before = list[str](), len(device.launches)
    assert known(solve(tmp_path, backend, told.append)) == expected
    if backend == "gpu":
        assert len(device.launches) - before == (DEPTHS - 3 if rate > 1 else DEPTHS)
    assert ("resuming three-boxes: depths 0 to 3 are solved" in told) == (rate > 1)
    assert not list(tmp_path.rglob("*.block"))


def test_a_disk_that_fills_does_not_end_the_computation(
    tmp_path: Path, device: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = known(solve(tmp_path / "cpu", "cpu"))
    monkeypatch.setattr("yatzy.store.pace.RATE", 1e18)
    reports, depths = list[str](), list[set[str]]()

    def full(path: Path, *rest: Any) -> None:
        if path.parent.name == "depth-03" and path.stem == "000002":
            raise InputError("{path}: cannot be written: {reason}", path=path, reason="No space left on device")
        if path.parent.name == "depth-04":
            depths.append({folder.name for folder in path.parent.parent.glob("depth-*")})
        write_block(path, *rest)

    monkeypatch.setattr("yatzy.matches.blocks.write_block", full)
    found = solve(tmp_path / "gpu", report=reports.append)
    assert known(found) == expected
    told = [line for line in reports if "the computation goes on without saving" in line]
    assert len(told) == 1
    assert "000002.block: cannot be written: No space left on device;" in told[0]
    assert {"depth-02"} <= depths[0] <= {"depth-02", "depth-04"}  # the last one that was written whole


@pytest.mark.parametrize("memory", [2**30, 200])
def test_progress_counts_every_value_once(memory: int, tmp_path: Path, device: StandIn) -> None:
    device.free_memory = lambda: memory  # type: ignore[method-assign]
    told = list[tuple[int, int]]()
    with ThreadPoolExecutor(1) as pool:
        resources = Resources(tmp_path, progress=lambda *_: lambda *counted: told.append(counted))
        result = solve_match(GAME, pool, resources=resources, backend="gpu", block=30)
    done = [count for count, _ in told]
    assert done == sorted(done)
    assert len(done) >= DEPTHS
    assert told[-1] == (result.values, result.values)
    assert {total for _, total in told} == {result.values}
