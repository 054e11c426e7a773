"""The mutants that `make mutants` tries: each differs in one operator, comparison or constant, and parses."""

from __future__ import annotations

import ast

from mutants.__main__ import all_mutants
from mutants.changes import find_changes

MODULE = b'''"""A docstring with 1 + 1."""
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    X = 1
@cache(maxsize=8)
def f(a: int | None, b=True):
    """Nothing here either: 2 < 3."""
    if a < 1 and not b:  # 4 > 3
        a += -2
    x: "1 + 1" = a is not None
    return a * (  # a % b
        b) if "\xc3\xa5" not in a else f"{a + 1}"
'''


def test_every_change_of_a_module() -> None:
    found = [(change.line, MODULE[change.start : change.end].decode(), change.new) for change in find_changes(MODULE)]
    assert found == [
        (6, "True", "False"),
        (8, "<", "<="),
        (8, "1", "2"),
        (8, "and", "or"),
        (8, "not", ""),
        (9, "+=", "-="),
        (9, "-", ""),
        (9, "2", "3"),
        (10, "is not", "is"),
        (11, "*", "/"),
        (12, "not in", "in"),
    ]


def test_every_mutant_parses_and_differs() -> None:
    mutants = list(all_mutants(["names"]))
    assert len(mutants) > 50
    for mutant in mutants:
        changed = mutant.change.apply(mutant.source)
        assert changed != mutant.source
        ast.parse(changed)
        assert mutant.room == "names"
        assert str(mutant).count("\n") >= 1
