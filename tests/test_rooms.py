"""The design that the folders show: imports only go up the list of rooms, and every room says what it is."""

from __future__ import annotations

import ast
import runpy
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from benchmarks.walks import walk

SOURCE = Path(__file__).parent.parent / "src" / "yatzy"
DOCS = SOURCE.parents[1] / "docs"
ROOMS = ("lazy", "errors", "units", "reading", "notebook", "games", "names", "model", "kernels", "gpu", "store",
         "workers", "values", "strategies", "evaluation", "matches", "solver", "lab", "verification", "sharing",
         "coach", "report",
         "plot", "cli", "web")  # fmt: skip
DOORS = {"cli/commands/serve.py": "web"}
"""The one way down: the command that opens the page is typed where all commands are, and does nothing else."""


def imported(path: Path) -> set[str]:
    """The rooms that a module imports from, wherever it does so."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    names = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    names += [alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names]
    packages = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module == "yatzy"]
    names += [f"yatzy.{alias.name}" for node in packages for alias in node.names]
    return {name.split(".")[1] for name in names if name.startswith("yatzy.")}


@pytest.mark.parametrize("room", ROOMS)
def test_imports_only_go_up(room: str) -> None:
    paths = [SOURCE / f"{room}.py"] if (SOURCE / f"{room}.py").exists() else sorted((SOURCE / room).rglob("*.py"))
    assert paths
    below = set(ROOMS[ROOMS.index(room) + 1 :])
    for path in paths:
        door = DOORS.get(path.relative_to(SOURCE).as_posix())
        assert not imported(path) & below - {door}, path


def test_every_room_is_listed_and_says_what_it_is() -> None:
    rooms = {path.name for path in SOURCE.iterdir() if (path / "__init__.py").exists()}
    assert rooms == set(ROOMS) - {"lazy", "errors", "units", "reading", "notebook", "solver", "plot"}
    for room in rooms:
        assert ast.get_docstring(ast.parse((SOURCE / room / "__init__.py").read_text(encoding="utf-8")))


def test_kernels_know_nothing_of_objects() -> None:
    for path in (SOURCE / "kernels").glob("*.py"):
        assert imported(path) <= {"kernels", "lazy"}, path


@pytest.mark.parametrize(
    "room", ["coach", "evaluation", "games", "lab", "matches", "names", "report", "store", "values"]
)
def test_public_names_of_a_room_are_there(room: str) -> None:
    module = import_module(f"yatzy.{room}")
    for name in module.__all__:
        assert name in dir(module)
        found = getattr(module, name)
        assert not hasattr(found, "__path__"), f"{name} is a module"
    with pytest.raises(AttributeError, match="nonsense"):
        module.nonsense  # noqa: B018


def test_names_of_a_room_are_imported_when_they_are_used() -> None:
    code = "import sys, yatzy.matches, yatzy.report, yatzy.store; print('numba' in sys.modules)"
    code += "; print('yatzy.report.document' in sys.modules); from yatzy.report import to_html"
    code += "; print('yatzy.report.document' in sys.modules, to_html.__name__)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False", "True", "to_html"]


@pytest.fixture(scope="module")
def picture() -> dict[str, Any]:
    """The module that draws the picture of docs/architecture.md."""
    return runpy.run_path(str(DOCS / "rooms.py"))


def test_the_picture_shows_every_room_in_its_order(picture: dict[str, Any]) -> None:
    helpers = ("lazy", "notebook")
    assert [room for layer in picture["LAYERS"] for room in layer] == [room for room in ROOMS if room not in helpers]
    assert (DOCS / "rooms.svg").read_text("utf-8") == picture["draw_rooms"](), "run python docs/rooms.py"


def test_a_question_passes_through_the_rooms_of_the_picture(
    picture: dict[str, Any], tables: Path, solved: Callable[[str], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    solved("two-yatzy")
    monkeypatch.setenv("YATZY_TABLES", str(tables))
    found = walk(["advise", "two-yatzy~d12~r1"])
    running = {name.split(".")[1] for name in found["running"] if name != "yatzy"}
    assert set(picture["WALKS"]["yatzy advise"]) <= running
