"""The startup time of the command line, compared with that of the bare interpreter."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from benchmarks.report import Grid, Result, Settings, Value, seconds
from benchmarks.timing import Times


def run(settings: Settings) -> Result:
    command = shutil.which("yatzy", path=str(Path(sys.executable).parent)) or shutil.which("yatzy")
    if command is None:
        return Result([], {}, ["startup: there is no command yatzy: make bench installs it"])
    subjects = {"python -c pass": [sys.executable, "-c", "pass"], "yatzy --version": [command, "--version"]}
    times = {name: Times() for name in subjects}
    for _ in range(settings.repeats(11, 5)):
        for name, arguments in subjects.items():
            times[name].add(lambda a=arguments: subprocess.run(a, check=True, capture_output=True))  # type: ignore[misc]
    data: dict[str, Value] = {name: measured.data for name, measured in times.items()}
    grid = Grid(
        "Starting up",
        ("command", "best", "median"),
        [[name, seconds(measured.best), seconds(measured.median)] for name, measured in times.items()],
    )
    return Result([grid], data)
