"""Which tests of a room execute the statement at a line of it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Watched:
    """A test without any mutant."""

    seconds: float
    """Of CPU time."""
    lines: dict[str, list[int]] = field(default_factory=dict)
    """The lines of the room that it executes, by module."""


class Covering:
    """The tests of a room, the quickest first."""

    def __init__(self, tests: dict[str, Watched]) -> None:
        self._tests = dict(sorted(tests.items(), key=lambda entry: entry[1].seconds))

    def seconds(self, test: str) -> float:
        """The CPU seconds of a test."""
        return self._tests[test].seconds

    def all(self) -> list[str]:
        """Every test of the room."""
        return list(self._tests)

    def of(self, path: str, line: int, source: bytes) -> list[str]:
        """The tests that execute the statement at a line of a module.

        What runs when the module is imported concerns all tests that execute anything else in the module.
        """
        place = statement_around(source, line)
        own = set(functions_lines(source)) if place is None else set(place)
        return [test for test, one in self._tests.items() if not own.isdisjoint(one.lines.get(path, ()))]


def statement_around(source: bytes, line: int) -> range | None:
    """The lines of the innermost statement around a line, without the body of a compound statement.

    None if the statement runs when the module is imported.
    """
    found: range | None = None

    def look(node: ast.AST, inside: bool) -> None:
        nonlocal found
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.stmt | ast.ExceptHandler | ast.match_case) and line in _head(child):
                found = _head(child) if inside else None
            look(child, inside or isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef))

    look(ast.parse(source), inside=False)
    return found


def functions_lines(source: bytes) -> Iterator[int]:
    """The lines of a module that run when a function is called."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from range(node.body[0].lineno, (node.end_lineno or node.lineno) + 1)


def _head(node: ast.stmt | ast.ExceptHandler | ast.match_case) -> range:
    """The lines of a statement before its body."""
    place = node.pattern if isinstance(node, ast.match_case) else node
    first, last = place.lineno, place.end_lineno or place.lineno
    first = min([first, *(decorator.lineno for decorator in getattr(node, "decorator_list", []))])
    if body := getattr(node, "cases", None) or getattr(node, "body", None):
        inner = body[0].pattern if isinstance(body[0], ast.match_case) else body[0]
        last = max(first, inner.lineno - 1)
    return range(first, last + 1)
