"""`yatzy match solve` and `--on` from outside."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from helpers.command import answer, refusal, yatzy
from helpers.small_games import CHANCE, PAIR

from yatzy.games import Category, Face, Game, Position
from yatzy.gpu.device import open_device
from yatzy.matches.counting import count_match
from yatzy.matches.exact import ExactMatch

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
