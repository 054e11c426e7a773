"""The public names of the package: each is there, typed, and imported only when it is used."""

from __future__ import annotations

import pkgutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import yatzy

NAMES: list[str] = import_module("yatzy").__all__
IMPORTED = """
import sys
import yatzy
known = {name for name in sys.modules if name.startswith("yatzy.")}
assert known == {"yatzy.lazy"}, known
assert {"Position", "load_game", "advise", "__version__"} <= set(dir(yatzy))
assert known == {name for name in sys.modules if name.startswith("yatzy.")}
from yatzy import *
assert load_game("yatzy") is yatzy.load_game("yatzy")
"""


@pytest.mark.parametrize("name", NAMES)
def test_every_public_name_is_there(name: str) -> None:
    assert getattr(yatzy, name) is getattr(yatzy, name)
    assert name in dir(yatzy)


def test_each_public_name_is_written_once() -> None:
    assert len(NAMES) == len(set(NAMES)) > 30
    source = Path(yatzy.__file__).read_text(encoding="utf-8")
    for name in set(NAMES) - {"__version__"}:
        assert source.count(f" import {name} as {name}\n") == 1, name


ROOMS = ["yatzy", *(f"yatzy.{room.name}" for room in pkgutil.iter_modules(yatzy.__path__) if room.ispkg)]


@pytest.mark.parametrize("name", ROOMS)
def test_no_module_has_the_name_of_a_public_function(name: str) -> None:
    """Importing a module sets it as an attribute of the package, in place of a function of its name."""
    package = import_module(name)
    modules = {module.name for module in pkgutil.iter_modules(package.__path__)}
    assert modules
    assert not modules & set(getattr(package, "__all__", ()))


def test_a_name_that_is_not_there() -> None:
    with pytest.raises(AttributeError, match="module 'yatzy' has no attribute 'apply_move'"):
        yatzy.apply_move  # type: ignore[attr-defined]  # noqa: B018


def test_nothing_is_imported_before_it_is_used() -> None:
    subprocess.run([sys.executable, "-c", IMPORTED], check=True)
