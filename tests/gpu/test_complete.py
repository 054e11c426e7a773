"""Complete solutions with the rows of the GPU, on the device of the tests."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from helpers.gpu_stand_in import StandIn, needs_compiler
from helpers.small_games import CHANCE, PAIR, RUN

from yatzy.games import Game
from yatzy.matches import endgames_gpu
from yatzy.matches.solving import solve_match
from yatzy.values.resources import Resources

GAME = Game("three-boxes", 2, 3, 2, (PAIR, CHANCE, RUN))


@needs_compiler
def test_a_solution_has_the_same_hashes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    device, asked = StandIn(), list[int]()

    def open_device() -> StandIn:
        asked.append(1)
        return device

    monkeypatch.setattr(endgames_gpu, "open_device", open_device)
    found = {}
    for backend in ("cpu", "gpu"):
        with ThreadPoolExecutor(1) as pool:
            solved = solve_match(GAME, pool, resources=Resources(tmp_path / backend), backend=backend, block=30)
        found[backend] = [layer.hash for layer in solved.layers]
    assert asked
    assert found["gpu"] == found["cpu"]
