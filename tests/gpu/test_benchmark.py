"""The check that a machine with a GPU runs, on the device of the tests."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from benchmarks import gpu_slice, gpu_speed
from benchmarks.report import Settings
from helpers.gpu_stand_in import StandIn, needs_compiler

from yatzy import kernels
from yatzy.errors import InputError
from yatzy.games import load_game
from yatzy.gpu.device import source_text
from yatzy.gpu.game import game_arrays
from yatzy.matches.endgames import Endgames
from yatzy.model import compile_game
from yatzy.values.resources import Resources


class SmallStandIn(StandIn):
    """A device with little memory, for launches of few values."""

    def free_memory(self) -> int:
        return 2**20


@needs_compiler
def test_it_compares_whole_layers(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(gpu_speed, "open_device", StandIn)
    assert gpu_speed.main(["--quick", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["benchmarks"]["gpu"]
    curves, pairs = found["curves of two-yatzy"], found["pairs of two-yatzy to depth 2"]
    for one in (curves, pairs, found["expected score of two-yatzy"]):
        assert one["compared"]
        assert one["same_bits"]
        assert one["largest_difference"] == 0
    assert gpu_speed.main(["--quick"]) == 0
    assert "the same bits" in capsys.readouterr().out


@needs_compiler
def test_a_complete_game_is_worth_what_its_tables_say(tmp_path: Path) -> None:
    game = load_game("two-yatzy")
    whole = 2 * len(game.categories)
    result = gpu_speed.measure(StandIn(), Settings(), game.id)
    tables = Endgames(game, whole, Resources(tmp_path))
    low, values = tables.curve(0, 0)
    assert low == 0
    (what,) = (what for what in result.data if "complete" in what)
    assert what == f"two-yatzy, complete: the first player gets {values[0]:.7f}"
    assert not result.failures


@needs_compiler
def test_a_difference_is_a_failure(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    wrong = source_text().replace("mean = mean + row[group * LANES]", "mean = mean + 1.00001f * row[group * LANES]")
    monkeypatch.setattr(gpu_speed, "open_device", lambda: StandIn(source=wrong))
    assert gpu_speed.main(["--quick"]) == 1
    told = capsys.readouterr().err
    assert "FAILED gpu: expected score of two-yatzy: differs by" in told
    assert "FAILED gpu: curves of two-yatzy: differs by" in told
    assert "FAILED gpu: pairs of two-yatzy to depth 2: differs by" in told


def test_without_a_gpu_it_says_so(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def missing() -> StandIn:
        raise InputError("there is no GPU here")

    monkeypatch.setattr(gpu_speed, "open_device", missing)
    assert gpu_speed.main([]) == 2
    assert capsys.readouterr().err == "there is no GPU here\n"
    result = gpu_speed.run(Settings())
    assert result.grids[0].rows == [["there is no GPU here"]]
    assert not result.failures


def test_it_needs_few_packages() -> None:
    """A machine with a GPU may have nothing but NumPy, Numba, CuPy and Rich."""
    missing = ("cupy", "filelock", "platformdirs", "polars", "matplotlib", "nicegui", "httpx", "playwright")
    code = f"import sys; sys.modules.update(dict.fromkeys({missing})); import benchmarks.gpu_speed as one; one.main([])"
    root = Path(__file__).parent.parent.parent
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=root)
    assert done.stderr.startswith("a GPU needs CuPy: pip install 'PATH[gpu]'")


def test_accesses_of_shared_memory_of_yatzy() -> None:
    """Counted by hand for five dice and three rolls, with one roll's rows of no category."""
    found = gpu_speed.shared_accesses(compile_game(load_game("yatzy")), 0)
    down, up = 210 * 6 + 210, 1260 + 2 * 462
    assert found == 2 * 252 + 2 * (down + up) - 252


@needs_compiler
@pytest.mark.parametrize("id", ["yatzy", "yahtzee-pawlewicz", "yacht", "maxi-yatzy"])
def test_sizes_in_the_document_are_the_computed_ones(id: str) -> None:
    text = (Path(__file__).parent.parent.parent / "docs/scale.md").read_text(encoding="utf-8")
    compiled = compile_game(load_game(id))
    sizes = game_arrays(compiled).sizes
    rows = len(compiled.lattice.keeps) + 1 + sizes["FILLED"] + sizes["JOKERS"]
    program, categories = StandIn().compile(sizes), len(compiled.game.categories)
    accesses = [round(gpu_speed.shared_accesses(compiled, number)) for number in (1, categories / 2, categories)]
    numbers = [rows, *program.sizes(), *accesses]
    assert f"| `{id}` | {' | '.join(f'{number:,}' for number in numbers)} |" in text


@needs_compiler
def test_a_slice_with_made_up_values_is_that_of_the_cpu(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(gpu_slice, "open_device", SmallStandIn)
    arguments = ["--work", str(tmp_path), "--game", "yacht", "--opponents", "3", "--tile", "2"]
    assert gpu_slice.main([*arguments, "--depth", "5"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["same_bits"]
    assert 0 < found["compared"] < found["values"] < found["layer_values"]
    assert found["written_bytes"] == 4 * found["values"]
    assert not list(tmp_path.iterdir())
    solve = kernels.solve_pairs

    def slightly_wrong(*arguments: Any) -> None:
        solve(*arguments)
        arguments[-1][-1] += 1e-6

    monkeypatch.setattr(kernels, "solve_pairs", slightly_wrong)
    assert gpu_slice.main([*arguments, "--depth", "5"]) == 1
    assert gpu_slice.main([*arguments, "--depth", "25"]) == 2
    assert "there is no such layer of yacht" in capsys.readouterr().err
