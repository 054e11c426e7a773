"""`yatzy match solve`, `yatzy match verify` and `--on` from outside."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from helpers.command import START, answer, refusal, yatzy
from helpers.small_games import CHANCE, PAIR

from yatzy.games import Category, Face, Game, Position
from yatzy.gpu.device import open_device
from yatzy.matches.blocks import PositionSample
from yatzy.matches.counting import count_match
from yatzy.matches.exact import ExactMatch
from yatzy.matches.solving import LAYER, _key, kept_layers, match_folder
from yatzy.store import KeptResults
from yatzy.values.resources import Resources

GAME = Game("three-boxes", 2, 3, 2, (Category("twos", Face(2)), PAIR, CHANCE))


@pytest.fixture
def game(tmp_path: Path) -> Path:
    path = tmp_path / "three-boxes.toml"
    path.write_text(str(GAME), encoding="utf-8")
    return path


def test_a_small_game_is_solved_and_kept(game: Path, tmp_path: Path) -> None:
    call = ("match", "solve", game, "--tables", tmp_path / "tables")
    found, again = answer(*call, "--on", "local:1"), answer(*call, "--on", "local:2")
    assert (found["cached"], again["cached"]) == (False, True)
    assert {**found, "cached": True} == again
    value = float(ExactMatch(GAME).value(Position.start(GAME, 2)))
    assert found["value"] == pytest.approx(value, abs=found["error"])
    counts = count_match(GAME)
    assert [layer["values"] for layer in found["layers"]] == [row.values for row in counts.rows]
    assert found["values"] == counts.values
    assert all(layer["sample"] == layer["values"] for layer in found["layers"])
    bare = answer("match", "solve", game, "--keep", "none", "--tables", tmp_path / "bare")
    assert [layer["hash"] for layer in bare["layers"]] == [layer["hash"] for layer in found["layers"]]
    assert all(layer["sample"] == 0 for layer in bare["layers"])


def test_all_layers_serve_as_endgames(game: Path, tmp_path: Path) -> None:
    tables = ("--tables", tmp_path / "tables")
    found = answer("match", "solve", game, "--keep", "all", "--work", tmp_path / "work", *tables)
    made = answer("match", "tables", game, "--depth", "6", *tables)
    assert made["cached"]
    assert made["values"] == found["values"]
    assert not list((tmp_path / "work").rglob("*.block"))


@pytest.mark.parametrize(
    ("language", "words", "told"),
    [
        ("en", "The player who begins has 0.", "depth 6 of 6: 1 values in "),
        ("sv", "Den som börjar får 0,", "djup 6 av 6: 1 värden på "),
        ("de", "Wer beginnt, hat 0,", "Tiefe 6 von 6: 1 Werte in "),
    ],
)
def test_the_solution_in_words(language: str, words: str, told: str, game: Path, tmp_path: Path) -> None:
    done = yatzy("match", "solve", game, "--language", language, "--tables", tmp_path / "tables")
    assert done.returncode == 0, done.stderr
    assert words in done.stdout
    assert told in done.stderr


def test_what_cannot_be_is_refused_before_any_work(game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    call = ("match", "solve", game, "--tables", tmp_path / "tables")
    monkeypatch.setitem(sys.modules, "distributed", None)
    monkeypatch.setitem(sys.modules, "cupy", None)
    assert "--on elsewhere: must be one of local, local:N" in refusal(*call, "--on", "elsewhere")
    open_device.cache_clear()
    assert "pip install 'PATH[cluster]'" in refusal(*call, "--on", "dask")
    assert "pip install 'PATH[cluster]'" in refusal("simulate", "--on", "dask:host:8786")
    assert "[gpu]'" in refusal(*call, "--on", "gpu")
    assert "this is not computed on a GPU" in refusal("simulate", "--on", "gpu")
    assert "--keep some: must be one of all, sample, none" in refusal(*call, "--keep", "some")
    monkeypatch.setattr(shutil, "disk_usage", lambda path: SimpleNamespace(free=100))
    done = yatzy(*call)
    assert done.returncode == 2
    assert "two layers of three-boxes for two take" in done.stderr.splitlines()[-1]
    assert not list(tmp_path.rglob("*.block"))


def test_a_number_of_threads_by_on(game: Path) -> None:
    simulated = ("simulate", "--game", game, "--games", "1000", "--seed", "3")
    assert answer(*simulated, "--on", "local:1") == answer(*simulated)


# yatzy match verify


@pytest.fixture
def solved(game: Path, tmp_path: Path) -> tuple[str | Path, ...]:
    """The call that verifies the solution of the small game."""
    answer("match", "solve", game, "--tables", tmp_path)
    return ("match", "verify", game, "--tables", tmp_path)


def spoil(folder: Path, depth: int) -> None:
    """Change a value of the sample of a depth, with a right checksum."""
    resources = Resources(folder)
    layer = kept_layers(GAME, resources)[depth]
    assert layer.sample is not None
    sample = PositionSample(*(array.copy() for array in vars(layer.sample).values()))
    sample.value[0] += 0.01
    changed = replace(layer, sample=sample)
    KeptResults(match_folder(GAME, resources), LAYER).write(_key(GAME, depth), changed.encode())


def test_a_solution_is_verified(solved: tuple[str | Path, ...]) -> None:
    found = answer(*solved, "--endgames", "2", "--games", "5000", "--seed", "3")
    assert (found["game"], found["solved"], found["endgames"], found["sound"]) == (GAME.id, 6, 2, True)
    counts = count_match(GAME)
    assert [(one["depth"], one["positions"]) for one in found["depths"]] == [
        (depth, row.values) for depth, row in enumerate(counts.rows)
    ]
    assert [one["turns"] for one in found["depths"]] == [0, 0, 0, 1, 2, 3, 4]
    assert all(one["difference"] <= one["bound"] and one["fault"] is None for one in found["depths"])
    played = found["games"]
    assert (played["depth"], played["games"], played["seed"], played["sound"]) == (2, 5000, 3, True)
    assert played["apart"]["value"] == pytest.approx(played["mean"]["value"] - played["expected"])
    assert answer(*solved, "--games", "0")["games"] is None


@pytest.mark.parametrize(
    ("language", "words", "told"),
    [
        ("en", "sampled positions of depths 0 to 3 of 6", "three-boxes: depth 3, position three-boxes~s"),
        ("sv", "stickprov av ställningar på djup 0 till 3 av 6", "three-boxes: djup 3, ställning three-boxes~s"),
        ("de", "Stellungen der Tiefen 0 bis 3 von 6", "three-boxes: Tiefe 3, Stellung three-boxes~s"),
    ],
)
def test_a_wrong_solution_ends_with_1_and_names_the_position(
    language: str, words: str, told: str, solved: tuple[str | Path, ...], tmp_path: Path
) -> None:
    spoil(tmp_path, 3)
    done = yatzy(*solved, "--depth", "3", "--endgames", "1", "--games", "500", "--language", language)
    assert done.returncode == 1
    assert words in done.stdout
    assert told in done.stderr.splitlines()[-1]
    shown = yatzy(*solved, "--depth", "3", "--endgames", "1", "--games", "0", "--json")
    assert shown.returncode == 1
    answered = json.loads(shown.stdout)
    assert not answered["sound"]
    assert [one["wrong"] for one in answered["depths"]] == [0, 0, 0, 1]
    assert answered["depths"][3]["fault"]["position"] in done.stderr


def test_what_cannot_be_verified_is_refused(game: Path, tmp_path: Path, solved: tuple[str | Path, ...]) -> None:
    assert "--depth 7: must be from 1 to 6" in refusal(*solved, "--depth", "7")
    assert "--endgames 3: must be from 0 to 2" in refusal(*solved, "--depth", "3", "--endgames", "3")
    assert "this is not computed on a GPU" in refusal(*solved, "--on", "gpu")
    assert "there is no solution of three-boxes" in refusal("match", "verify", game, "--tables", tmp_path / "empty")
    assert "--keep all' makes it" in refusal("match", "regret", game, "--games", "2", "--tables", tmp_path / "empty")


def test_nothing_is_imported_that_a_bare_machine_has_not(solved: tuple[str | Path, ...]) -> None:
    missing = ("polars", "matplotlib", "nicegui", "distributed", "dask", "cupy", "fastapi")
    code = f"import sys; sys.modules.update(dict.fromkeys({missing}, None)); {START.removeprefix('import sys; ')}"
    call = [sys.executable, "-c", code, *map(str, solved), "--games", "100", "--json"]
    done = subprocess.run(call, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["sound"]
