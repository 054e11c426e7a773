"""A pytest plugin that finds out which tests of a room execute which lines of it."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Generator, Iterable, Mapping, Sequence
from pathlib import Path
from types import ModuleType

import pytest
from coverage import Coverage

from mutants.covering import Watched

NO_TEST = "between tests"


def fixture_context(name: str, place: str) -> str:
    """The context of a fixture; place: the folder, file or class whose tests can use it."""
    return f"fixture {name} of {place}"


def users_of(contexts: Iterable[str], fixtures: Mapping[str, Sequence[str]]) -> set[str]:
    """The tests that a line belongs to, from the contexts that executed it and the fixtures of every test."""
    executed = set(contexts)
    return {
        test
        for test, names in fixtures.items()
        if test in executed or any(fixture_context(name, place) in executed for name in names for place in around(test))
    }


def around(test: str) -> list[str]:
    """The folders, file and classes around a test; the first is the folder of all."""
    name = test.partition("[")[0]
    return ["", *(name[: found.start()] for found in re.finditer("::|/", name))]


def forget_cached(module: ModuleType | None) -> None:
    """Clear the caches of the functions that a module defines."""
    if module is None:
        return
    for function in list(vars(module).values()):
        if getattr(function, "__module__", None) == module.__name__ and hasattr(function, "cache_clear"):
            function.cache_clear()


class CoveragePlugin:
    """Writes, for every test, its CPU seconds and the lines of the room that it executes.

    What a fixture of several tests executes counts for each of them, although only the first one waits for it. What
    functions of a test file cache is forgotten before every test, so that each executes what it needs.
    """

    def __init__(self, tree: Path, room: str, out: Path) -> None:
        self.tree, self.out = tree, out
        self.coverage = Coverage(data_file=None, config_file=False, source=[str(tree / "src" / "yatzy" / room)])
        self.seconds: dict[str, float] = {}
        self.fixtures: dict[str, list[str]] = {}
        """By test: the names of its fixtures."""
        self.running = NO_TEST

    def pytest_sessionstart(self) -> None:
        """Begin before any test is imported."""
        self.coverage.start()
        self.coverage.switch_context(NO_TEST)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """Tell coverage which test runs."""
        self.fixtures[item.nodeid] = list(getattr(item, "fixturenames", ()))
        forget_cached(getattr(item, "module", None))
        self._switch(item.nodeid)
        begun = time.process_time()
        try:
            return (yield)
        finally:
            self.seconds[item.nodeid] = round(time.process_time() - begun, 3)
            self._switch(NO_TEST)

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[object]) -> Generator[None, object, object]:
        """Tell coverage which fixture of several tests is made."""
        before = self.running
        if fixturedef.scope != "function":
            self._switch(fixture_context(fixturedef.argname, fixturedef.baseid))
        try:
            return (yield)
        finally:
            self._switch(before)

    def _switch(self, context: str) -> None:
        self.running = context
        self.coverage.switch_context(context)

    def pytest_sessionfinish(self) -> None:
        """Write what was seen."""
        self.coverage.stop()
        data = self.coverage.get_data()
        found = {test: Watched(seconds) for test, seconds in self.seconds.items()}
        for file in data.measured_files():
            path = Path(file).relative_to(self.tree).as_posix()
            for line, contexts in data.contexts_by_lineno(file).items():
                for test in users_of(contexts, self.fixtures):
                    found[test].lines.setdefault(path, []).append(line)
        data.close(force=True)
        self.out.write_text(json.dumps({test: vars(one) for test, one in found.items()}), encoding="utf-8")
