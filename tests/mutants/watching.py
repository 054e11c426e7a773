"""A pytest plugin that finds out which tests of a room execute which lines of it."""

from __future__ import annotations

import json
import time
from collections.abc import Generator
from pathlib import Path

import pytest
from coverage import Coverage

from mutants.covering import Watched

NO_TEST = "between tests"


class CoveragePlugin:
    """Writes, for every test, its CPU seconds and the lines of the room that it executes."""

    def __init__(self, tree: Path, room: str, out: Path) -> None:
        self.tree, self.out = tree, out
        self.coverage = Coverage(data_file=None, config_file=False, source=[str(tree / "src" / "yatzy" / room)])
        self.seconds: dict[str, float] = {}

    def pytest_sessionstart(self) -> None:
        """Begin before any test is imported."""
        self.coverage.start()
        self.coverage.switch_context(NO_TEST)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """Tell coverage which test runs."""
        self.coverage.switch_context(item.nodeid)
        begun = time.process_time()
        try:
            return (yield)
        finally:
            self.seconds[item.nodeid] = round(time.process_time() - begun, 3)
            self.coverage.switch_context(NO_TEST)

    def pytest_sessionfinish(self) -> None:
        """Write what was seen."""
        self.coverage.stop()
        data = self.coverage.get_data()
        found = {test: Watched(seconds) for test, seconds in self.seconds.items()}
        for file in data.measured_files():
            path = Path(file).relative_to(self.tree).as_posix()
            for line, tests in data.contexts_by_lineno(file).items():
                for test in found.keys() & tests:
                    found[test].lines.setdefault(path, []).append(line)
        data.close(force=True)
        self.out.write_text(json.dumps({test: vars(one) for test, one in found.items()}), encoding="utf-8")
