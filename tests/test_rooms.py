"""The design that the folders show: imports only go up the list of rooms, and every room says what it is."""

from __future__ import annotations

import ast
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src" / "yatzy"
ROOMS = ("lazy", "errors", "units", "reading", "notebook", "games", "names", "model", "kernels", "store",
         "values", "strategies", "evaluation", "matches", "solver", "lab", "sharing", "coach", "report", "plot", "cli",
         "web")  # fmt: skip
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
