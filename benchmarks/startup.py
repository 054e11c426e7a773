"""The startup time of the command line, compared with that of the bare interpreter, and of the first solving.

Solving needs NumPy and Numba; importing these two is the least that it can take.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.report import Grid, Result, Settings, Value, seconds
from benchmarks.timing import Times


def run(settings: Settings) -> Result:
    command = shutil.which("yatzy", path=str(Path(sys.executable).parent)) or shutil.which("yatzy")
    if command is None:
        return Result([], {}, ["startup: there is no command yatzy: make bench installs it"])
    subjects = {
        "python -c pass": [sys.executable, "-c", "pass"],
        "yatzy --version": [command, "--version"],
        "python -c 'import numpy, numba'": [sys.executable, "-c", "import numpy, numba"],
        "yatzy solve yatzy, no table": [command, "solve", "yatzy"],
    }
    _start(subjects["yatzy solve yatzy, no table"])  # compiles the kernels if need be
    times = {name: Times() for name in subjects}
    for _ in range(settings.repeats(11, 5)):
        for name, arguments in subjects.items():
            times[name].add(lambda a=arguments: _start(a))  # type: ignore[misc]
    data: dict[str, Value] = {name: measured.data for name, measured in times.items()}
    grid = Grid(
        "Starting up",
        ("command", "best", "median"),
        [[name, seconds(measured.best), seconds(measured.median)] for name, measured in times.items()],
    )
    return Result([grid], data)


def _start(arguments: list[str]) -> None:
    with TemporaryDirectory() as tables:
        environment = {**os.environ, "YATZY_TABLES": tables}
        subprocess.run(arguments, check=True, capture_output=True, env=environment)
