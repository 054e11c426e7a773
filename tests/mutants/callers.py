"""Which tests call which functions of the program: a pytest plugin that writes it down, and its reader.

The quickest tests that call the changed function are tried on a mutant first. If they pass, all tests of the room
decide.
"""

from __future__ import annotations

import ast
import json
import os
import sys
import threading
from collections.abc import Generator
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest

MOST, SECONDS = 40, 15.0
"""At most that many tests are tried first, of that many seconds together."""


class CallersPlugin:
    """Writes, for every test, its seconds and the functions that it calls."""

    def __init__(self, source: Path, out: Path) -> None:
        self.source, self.out = f"{source}{os.sep}", out
        self.called: dict[str, set[str]] = {}
        self.seconds: dict[str, float] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """Look at the calls while a test runs."""
        seen = set[CodeType]()

        def look(frame: FrameType, event: str, _: Any) -> None:
            if event == "call":
                seen.add(frame.f_code)

        threading.setprofile(look)
        sys.setprofile(look)
        try:
            return (yield)
        finally:
            sys.setprofile(None)
            threading.setprofile(None)
            own = (code for code in seen if code.co_filename.startswith(self.source))
            self.called[item.nodeid] = {
                f"{code.co_filename.removeprefix(self.source)}:{code.co_firstlineno}" for code in own
            }

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add up the time of a test."""
        self.seconds[report.nodeid] = self.seconds.get(report.nodeid, 0.0) + report.duration

    def pytest_sessionfinish(self) -> None:
        """Write what was seen."""
        found = {test: [self.seconds.get(test, 0.0), sorted(functions)] for test, functions in self.called.items()}
        self.out.write_text(json.dumps(found), encoding="utf-8")


class Callers:
    """The tests that call a function, the quickest first."""

    def __init__(self, found: dict[str, tuple[float, list[str]]]) -> None:
        self._tests: dict[str, list[str]] = {}
        self._seconds = {test: seconds for test, (seconds, _) in found.items()}
        for test in sorted(found, key=self._seconds.__getitem__):
            for function in found[test][1]:
                if test.isascii() and test.isprintable():  # it becomes a line of a file of arguments
                    self._tests.setdefault(function, []).append(test)

    def of(self, path: str, line: int, source: bytes) -> list[str]:
        """The tests to try first for a change in a line of a module, whose path begins where the package does."""
        chosen: list[str] = []
        spent = 0.0
        for test in self._tests.get(f"{path}:{function_start(source, line)}", [])[:MOST]:
            spent += self._seconds[test]
            if spent > SECONDS and chosen:
                break
            chosen.append(test)
        return chosen


def function_start(source: bytes, line: int) -> int:
    """The first line, decorators included, of the innermost function around a line; 0 outside of functions."""
    start = 0
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            if first <= line <= (node.end_lineno or line):
                start = max(start, first)
    return start


if __name__ == "__main__":
    sys.exit(pytest.main(sys.argv[3:], plugins=[CallersPlugin(Path(sys.argv[1]), Path(sys.argv[2]))]))
