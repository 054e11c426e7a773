"""The mutants that `make mutants` tries: each differs in one operator, comparison or constant, and parses."""

from __future__ import annotations

import ast

from mutants.__main__ import all_mutants
from mutants.callers import Callers, function_start
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


def test_the_innermost_function_around_a_line() -> None:
    assert [function_start(MODULE, line) for line in (1, 4, 5, 8, 12)] == [0, 0, 5, 5, 5]


def test_the_quickest_callers_come_first() -> None:
    callers = Callers(
        {"slow": (9.0, ["m.py:5"]), "quick": (0.1, ["m.py:5"]), "other": (0.0, []), "\0": (0.0, ["m.py:5"])}
    )
    assert callers.of("m.py", 8, MODULE) == ["quick", "slow"]
    assert callers.of("m.py", 1, MODULE) == []
