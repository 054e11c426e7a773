"""Packs of tables: written, read with NumPy alone, added to an empty home, and refused if anything is wrong."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from helpers.command import answer, refusal, yatzy
from helpers.sheets import random_sheets
from helpers.small_games import FIXED

from yatzy import ExpectedScore, Game, Solver, load_game
from yatzy.errors import InputError
from yatzy.sharing import Manifest, add_tables, pack_tables
from yatzy.sharing import adding as adding_module
from yatzy.sharing import packing as packing_module
from yatzy.store import Table, TableWriter, list_tables
from yatzy.values.bounds import error_bound
from yatzy.values.curves import BestChances
from yatzy.values.exact import ExactSolver
from yatzy.values.kinds import table_key
from yatzy.values.resources import Resources

ROOT = Path(__file__).parents[2]
SMALL = FIXED[0]
JOKER = next(game for game in FIXED if game.joker is not None)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the tables of two games."""
    folder = tmp_path_factory.mktemp("home")
    solver = Solver(folder)
    for game in (load_game("two-yatzy"), JOKER):
        solver.expected(game)
        solver.chances(game)
    return folder


@pytest.fixture
def pack(home: Path, tmp_path: Path) -> Path:
    pack_tables([load_game("two-yatzy"), JOKER], tmp_path / "pack", home)
    return tmp_path / "pack"


def reader_of(pack: Path) -> ModuleType:
    """The reader that is in the pack."""
    spec = importlib.util.spec_from_file_location("read_tables_of_a_pack", pack / "read_tables.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def hashes(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.glob("*.table"))}


@pytest.mark.parametrize("name", ["pack", "pack.zip"])
def test_a_pack_gives_an_empty_home_the_same_tables(name: str, home: Path, tmp_path: Path) -> None:
    packed = pack_tables([load_game("two-yatzy"), JOKER], tmp_path / name, home)
    assert [(one.game, one.objective) for one in packed.tables] == [
        ("two-yatzy", "chances"), ("two-yatzy", "expected"), (JOKER.id, "chances"), (JOKER.id, "expected")
    ]  # fmt: skip
    other = tmp_path / "other"
    added = add_tables(tmp_path / name, other)
    assert hashes(other) == hashes(home)
    assert [one.there for one in added] == [False] * 4
    assert [one.there for one in add_tables(tmp_path / name, other)] == [True] * 4
    assert sorted(path.suffix for path in other.iterdir()) == [".lock"] * 4 + [".table"] * 4
    again = pack_tables([load_game("two-yatzy"), JOKER], tmp_path / f"again-{name}", other)
    assert again == packed


def test_the_manifest_says_what_the_tables_are(pack: Path) -> None:
    text = (pack / "manifest.json").read_bytes()
    manifest = Manifest.parse(text, "manifest")
    assert str(manifest).encode() == text
    assert [Game.parse(rules).hash for rules in manifest.games.values()] == list(manifest.games)
    (one,) = (one for one in manifest.tables if (one.game, one.objective) == ("two-yatzy", "expected"))
    assert (one.kind, one.table_format, one.revision, one.layers, one.values) == ("expected", 1, 1, 3, 4)
    assert 0 < (one.error_bound or 0) < 1e-12
    assert (pack / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()


def test_the_reader_in_plain_numpy_finds_every_value(
    tmp_path: Path, solved: Callable[[str], ExpectedScore], tables: Path
) -> None:
    """A thousand sheets of Yatzy, Yahtzee with its Joker box, and small games with other shapes."""
    games = [load_game("yatzy"), load_game("yahtzee"), load_game("yatzy-forced-order"), *FIXED]
    solutions = [solved(game.id) if game.id in ("yatzy", "yahtzee") else Solver().expected(game) for game in games]
    pack_tables(games, tmp_path / "pack", tables, ["expected"])
    reader = reader_of(tmp_path / "pack").Pack(tmp_path / "pack")
    for game, solution in zip(games, solutions, strict=True):
        table = reader.table(game.hash)
        for sheet in random_sheets(game, 1000 if len(game.categories) > 10 else 50):
            assert sheet.boxes is not None
            boxes = {id: points for id, points in zip(game.category_index, sheet.boxes, strict=True)
                     if points is not None}  # fmt: skip
            assert table.value(boxes) == solution.to_come(sheet)


def test_the_reader_finds_curves(pack: Path, home: Path) -> None:
    reader, chances = reader_of(pack).Pack(pack), BestChances(JOKER, Resources(home))
    table = reader.table(JOKER.id, "chances")
    for sheet in random_sheets(JOKER, 50):
        assert sheet.boxes is not None
        boxes = {id: points for id, points in zip(JOKER.category_index, sheet.boxes, strict=True) if points is not None}
        curve = chances.curve(sheet)
        np.testing.assert_array_equal(table.curve(boxes), curve.between(0, curve.high).astype(np.float32))


def test_the_reader_runs_without_this_program(pack: Path) -> None:
    def run(*arguments: str) -> str:
        command = [sys.executable, "-I", "-S", "-c", CODE, str(pack / "read_tables.py"), *arguments]
        path = os.pathsep.join(str(Path(one.__file__).parents[1]) for one in (np,) if one.__file__)
        done = subprocess.run(command, env={"NUMPY": path}, capture_output=True, text=True, check=True)
        return done.stdout

    assert "two-yatzy  expected  4 values\n" in run()
    assert float(run("two-yatzy")) == 5
    assert float(run("two-yatzy", "ones=2")) == 3


CODE = """
import os, runpy, sys
sys.path.append(os.environ["NUMPY"])
sys.modules["yatzy"] = None
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
"""


def test_the_code_of_the_pack_s_readme_runs(tables: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                             solved: Callable[[str], ExpectedScore]) -> None:  # fmt: skip
    solved("yatzy")
    pack_tables([load_game("yatzy")], tmp_path / "pack", tables, ["expected"])
    (code,) = re.findall(r"```python\n(.*?)```", (tmp_path / "pack/README.md").read_text("utf-8"), re.DOTALL)
    monkeypatch.chdir(tmp_path / "pack")
    monkeypatch.setitem(sys.modules, "read_tables", reader_of(tmp_path / "pack"))
    names: dict[str, Any] = {}
    exec(compile(code, "README.md", "exec"), names)
    assert 200 < names["table"].value({"ones": 3, "chance": 20}) < 248


@pytest.mark.parametrize("game", FIXED, ids=lambda game: game.id)
def test_no_value_is_further_from_the_exact_one_than_the_bound(game: Game) -> None:
    solution, judge, bound = Solver().expected(game), ExactSolver(game), error_bound(game, "expected")
    assert bound is not None
    assert bound.shown < 1e-10
    for sheet in random_sheets(game, 20):
        assert abs(solution.to_come(sheet) - judge.value(sheet)) <= bound.shown


# What is refused


def change(pack: Path, **fields: Any) -> None:
    """Change fields of the first table in the manifest."""
    path = pack / "manifest.json"
    manifest = json.loads(path.read_text("utf-8"))
    for name, value in fields.items():
        if name in manifest:
            manifest[name] = value
        else:
            manifest["tables"][0][name] = value
    path.write_text(json.dumps(manifest), encoding="utf-8")


def flip(pack: Path) -> None:
    (path, *_) = sorted((pack / "tables").iterdir())
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def link(pack: Path) -> None:
    (path, *_) = sorted((pack / "tables").iterdir())
    path.rename(pack / "elsewhere")
    path.symlink_to(pack / "elsewhere")


def link_folder(pack: Path) -> None:
    shutil.move(pack / "tables", pack.parent / "elsewhere")
    (pack / "tables").symlink_to(pack.parent / "elsewhere")


def exchange(pack: Path) -> None:
    """Another game's table under the name of this one, with the right size and checksum in the manifest."""
    path = pack / "manifest.json"
    manifest = json.loads(path.read_text("utf-8"))
    one, other = manifest["tables"][1], manifest["tables"][3]
    shutil.copy(pack / other["file"], pack / one["file"])
    one.update({name: other[name] for name in ("bytes", "sha256", "values", "value_hash")})
    path.write_text(json.dumps(manifest), encoding="utf-8")


def pad(pack: Path) -> None:
    """A file that is larger than its table can be, and a manifest that says so; as a sparse file it takes no space."""
    path = pack / "manifest.json"
    name = json.loads(path.read_text("utf-8"))["tables"][0]["file"]
    os.truncate(pack / name, 10**6)
    change(pack, bytes=10**6)


WRONG: dict[str, tuple[Callable[[Path], object], str]] = {
    "one flipped byte": (flip, "is damaged: its checksum is not that of the manifest"),
    "a foreign game": (lambda pack: change(pack, game="yatzy"), "is for other rules than those of yatzy"),
    "a foreign table": (exchange, "is not a sound table"),
    "rules that are not there": (lambda pack: change(pack, games={}), "the manifest has no rules with hash"),
    "a newer pack": (lambda pack: change(pack, format=2), "has format 2, and this program reads format 1"),
    "a newer table": (lambda pack: change(pack, table_format=2), "has format 2, and this program reads format 1"),
    "a newer computation": (lambda pack: change(pack, revision=7), "has revision 7 of chances, and this program makes"),
    "a path that leaves": (lambda pack: change(pack, file="../../secret.table"), "is not the name of its table"),
    "an absolute path": (lambda pack: change(pack, file="/etc/passwd"), "'/etc/passwd' is not the name of its table"),
    "a large lie": (lambda pack: change(pack, bytes=10**10), "bytes, but the manifest says 10,000,000,000"),
    "a padded file": (pad, "has 1,000,000 bytes; a table of two-yatzy has fewer than"),
    "other layers": (lambda pack: change(pack, layers=2**40), "layers, but two-yatzy has 3"),
    "other values": (lambda pack: change(pack, value_hash="0" * 32), "its values are not those of the manifest"),
    "a number that is none": (lambda pack: change(pack, bytes=True), "tables: 1: bytes: must be a whole number"),
    "no tables": (lambda pack: change(pack, tables=[]), "tables: must be a list of 1 to 1000"),
    "no manifest": (lambda pack: (pack / "manifest.json").unlink(), "has no manifest.json, so it is no pack"),
    "no JSON": (lambda pack: (pack / "manifest.json").write_bytes(b"[" * 10**5), "is not JSON"),
    "a link": (link, "is missing, or not a plain file"),
    "a linked folder": (link_folder, "is missing, or not a plain file"),
    "a strange kind": (lambda pack: change(pack, kind="outlook", objective="outlook"), "outlook are not shared"),
}


@pytest.mark.parametrize("what", WRONG)
def test_what_fails_a_check_is_refused_in_one_line_and_nothing_is_kept(what: str, pack: Path, tmp_path: Path) -> None:
    spoil, says = WRONG[what]
    spoil(pack)
    other = tmp_path / "other"
    assert says in refusal("tables", "add", pack, "--tables", other)
    assert not other.exists() or not list(other.iterdir())
    if what not in ("a link", "a linked folder"):
        with zipfile.ZipFile(tmp_path / "pack.zip", "w") as archive:
            for path in sorted(one for one in pack.rglob("*") if one.is_file()):
                archive.write(path, path.relative_to(pack).as_posix())
        assert says in refusal("tables", "add", tmp_path / "pack.zip", "--tables", other)
        assert not other.exists() or not list(other.iterdir())


def test_a_table_with_right_checksums_and_wrong_values_is_refused(tmp_path: Path) -> None:
    """A stranger can write any numbers into a table; they have to follow from each other."""
    game, forged = load_game("two-yatzy"), tmp_path / "forged"
    with Solver(tmp_path / "true").expected(game).table._table as table, TableWriter(forged, table.key) as writer:
        for layer in range(table.layers):
            writer.append(layer, {"value": table.array(layer, "value") + (0.25 if layer == 1 else 0)})
        writer.finish()
    pack_tables([game], tmp_path / "pack", forged)
    said = refusal("tables", "add", tmp_path / "pack", "--tables", tmp_path / "home")
    assert "its values do not follow from each other" in said
    assert list_tables(tmp_path / "home") == []


def test_a_compressed_archive_is_refused(pack: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "pack.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(one for one in pack.rglob("*") if one.is_file()):
            archive.write(path, path.relative_to(pack).as_posix())
    assert "has no manifest.json" in refusal("tables", "add", tmp_path / "pack.zip", "--tables", tmp_path / "other")
    (tmp_path / "text.zip").write_text("no archive")
    assert "is damaged, or no ZIP file" in refusal("tables", "add", tmp_path / "text.zip")
    assert "there is no such folder or file" in refusal("tables", "add", tmp_path / "nowhere")
    assert "is neither a folder nor a file" in refusal("tables", "add", "/dev/zero")


def test_of_two_packs_of_one_name_the_first_stays(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = packing_module._copy

    def slow_copy(source: Path, target: Path, tell: Callable[[int], None]) -> str:
        (tmp_path / "pack" / "tables").mkdir(parents=True, exist_ok=True)  # by another process
        return real(source, target, tell)

    monkeypatch.setattr(packing_module, "_copy", slow_copy)
    with pytest.raises(InputError, match="exists already"):
        pack_tables([JOKER], tmp_path / "pack", home)
    assert [path.name for path in tmp_path.iterdir()] == ["pack"]
    assert [path.name for path in (tmp_path / "pack").iterdir()] == ["tables"]


def test_an_interrupted_check_leaves_nothing(pack: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(adding_module, "_check_values", interrupt)
    with pytest.raises(KeyboardInterrupt):
        add_tables(pack, tmp_path / "other")
    assert list((tmp_path / "other").iterdir()) == []


def test_a_damaged_table_is_replaced_by_a_sound_one(pack: Path, home: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    add_tables(pack, other)
    path = other / f"{table_key(load_game('two-yatzy'), 'expected').name}.table"
    path.write_bytes(path.read_bytes()[:-1])
    assert [one.there for one in add_tables(pack, other)] == [True, False, True, True]
    assert hashes(other) == hashes(home)


def test_packing_and_adding_from_the_command_line(home: Path, tmp_path: Path) -> None:
    made = answer("tables", "pack", "two-yatzy", "--objective", "expected", "--out", tmp_path / "p", "--tables", home)
    assert [one["values"] for one in made["tables"]] == [4]
    shown = yatzy("tables", "pack", "two-yatzy", "--out", tmp_path / "q.zip", "--tables", home, "--language", "de")
    assert "Hash der Werte" in shown.stdout
    assert made["tables"][0]["value_hash"] in shown.stdout
    added = answer("tables", "add", tmp_path / "q.zip", "--tables", tmp_path / "home")
    assert [one["there"] for one in added["tables"]] == [False, False]
    shown = yatzy("tables", "add", tmp_path / "p", "--tables", tmp_path / "home", "--language", "sv")
    assert "fanns redan" in shown.stdout
    with Table(Path(added["tables"][1]["path"])) as table:
        assert table.key.objective == "expected"
    assert "exists already" in refusal("tables", "pack", "two-yatzy", "--out", tmp_path / "p", "--tables", home)
    said = refusal("tables", "pack", "yacht", "--out", tmp_path / "x", "--tables", home)
    assert "there is no finished table of yacht" in said
    said = refusal("tables", "pack", "two-yatzy", "--objective", "exp:1", "--out", tmp_path / "x", "--tables", home)
    assert "there is no table exp:1 of two-yatzy" in said
    assert not (tmp_path / "x").exists()
