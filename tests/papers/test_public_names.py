"""The package of the literature uses public names of `yatzy` only, which proves that they are enough.

Public are the names that `yatzy` itself exports, and those in `__all__` of a room: `from yatzy.lab import simulate`.
Modules inside a room are not, nor are the kernels, the command line and the page.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

import yatzy
import yatzy_papers

SOURCE = Path(yatzy_papers.__file__).parent
ROOMS = (
    "errors",
    "games",
    "names",
    "model",
    "store",
    "values",
    "strategies",
    "evaluation",
    "matches",
    "lab",
    "coach",
    "report",
)


def misuses(source: str) -> Iterator[str]:
    """Imports of anything in `yatzy` that is not a public name."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.split(".")[0] == "yatzy")
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "yatzy":
            _, _, room = str(node.module).partition(".")
            public = import_module(str(node.module)).__all__ if not room or room in ROOMS else ()
            yield from (f"{node.module}: {alias.name}" for alias in node.names if alias.name not in public)


@pytest.mark.parametrize("path", sorted(SOURCE.rglob("*.py")), ids=lambda path: path.relative_to(SOURCE).as_posix())
def test_only_public_names_are_used(path: Path) -> None:
    assert list(misuses(path.read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize(
    "source",
    [
        "import yatzy.lab.plots",
        "import yatzy",
        "from yatzy.lab.plots import new_figure",
        "def f():\n    from yatzy.kernels import play",
        "from yatzy.kernels.play import play",
        "from yatzy.lab import nothing_of_that_name",
        "from yatzy import lab",
        "from yatzy.cli import main",
    ],
)
def test_what_is_not_public_is_found(source: str) -> None:
    assert list(misuses(source))


def test_only_the_command_imports_this_package() -> None:
    paths = (Path(yatzy.__file__).parent).rglob("*.py")
    users = [path.name for path in paths if "yatzy_papers" in path.read_text(encoding="utf-8")]
    assert users == ["papers.py"]


def test_what_is_public_is_left_alone() -> None:
    assert list(misuses("from yatzy import Game\nfrom yatzy.lab import simulate\nimport numpy")) == []
