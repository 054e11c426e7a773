"""The mutants that `make mutants` tries: each differs in one operator, comparison or constant, and parses."""

from __future__ import annotations

import ast
from functools import cache, lru_cache
from pathlib import Path
from types import ModuleType

from mutants.__main__ import all_mutants, choose, reason_for, reasons
from mutants.changes import find_changes, mutants_of
from mutants.covering import Covering, Watched, statement_around
from mutants.watching import fixture_context, forget_cached, users_of

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


def test_a_choice_changes_little_with_the_program() -> None:
    more = b"y = 1 + 1\n" + MODULE
    before, after = (choose(list(mutants_of("m.py", source)), 6, seed=1) for source in (MODULE, more))
    assert before != choose(list(mutants_of("m.py", MODULE)), 6, seed=2)
    assert len({one.name for one in before} & {one.name for one in after}) >= 4


def test_mutants_of_equal_lines_have_names_of_their_own() -> None:
    names = [mutant.name for mutant in mutants_of("m.py", b"x = 1\nx = 1\n")]
    assert len(set(names)) == 2


def test_the_statement_around_a_line() -> None:
    assert [statement_around(MODULE, line) for line in (1, 4, 6, 8, 9, 11, 12)] == [
        None, None, None, range(8, 9), range(9, 10), range(11, 13), range(11, 13)
    ]  # fmt: skip


def test_the_quickest_tests_that_execute_a_statement_come_first() -> None:
    covering = Covering(
        {
            "slow": Watched(9.0, {"m.py": [8, 11]}),
            "quick": Watched(0.1, {"m.py": [8, 12]}),
            "import": Watched(0.0, {"m.py": [6]}),
            "other": Watched(1.0, {"m.py": [8]}),
        }
    )
    assert covering.all() == ["import", "quick", "other", "slow"]
    assert covering.of("m.py", 12, MODULE) == ["quick", "slow"]
    assert covering.of("m.py", 9, MODULE) == []
    assert covering.of("m.py", 6, MODULE) == ["quick", "other", "slow"]
    assert covering.of("n.py", 8, MODULE) == []


def test_what_a_fixture_executes_counts_for_every_test_that_uses_it() -> None:
    fixtures = {
        "a/test_x.py::test_one[2-3]": ["games"],
        "a/test_x.py::test_two": [],
        "a/test_y.py::test_one": ["games"],
    }
    one, two, other = fixtures
    assert users_of([two], fixtures) == {two}
    assert users_of([fixture_context("games", "a/test_x.py")], fixtures) == {one}
    assert users_of([fixture_context("games", "a"), two], fixtures) == {one, two, other}
    assert users_of([fixture_context("games", "")], fixtures) == {one, other}
    assert users_of([fixture_context("games", "b"), fixture_context("other", "")], fixtures) == set()


def test_only_what_a_test_file_itself_caches_is_forgotten() -> None:
    module, calls = ModuleType("test_x"), list[int]()

    def own(number: int) -> None:
        calls.append(number)

    def imported(number: int) -> None:
        calls.append(-number)

    own.__module__, imported.__module__ = "test_x", "yatzy.model"
    found = [cache(own), lru_cache(maxsize=2)(imported)]
    vars(module).update(own=found[0], imported=found[1], NUMBER=3)
    for number in (1, 1):
        forget_cached(module)
        for function in found:
            function(number)
    assert calls == [1, -1, 1]
    forget_cached(None)


def test_every_equivalent_mutant_can_be_chosen() -> None:
    known = reasons()
    found = {
        (mutant.path, *(f"{line[:2]}{line[2:].strip()}" for line in mutant.lines))
        for path in {path for path, *_ in known}
        for mutant in mutants_of(path, Path(path).read_bytes())
    }
    assert set(known) <= found


def test_the_reason_for_an_equivalent_mutant() -> None:
    mutant = next(mutants_of("m.py", b"if a:\n    x = 1 + y\n"))
    known: dict[tuple[str, ...], str] = {("m.py", "- x = 1 + y", "+ x = 1 - y"): "y is 0"}
    assert [reason_for(one, known) for one in mutants_of("m.py", mutant.source)] == [None, "y is 0"]
