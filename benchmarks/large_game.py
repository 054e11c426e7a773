"""Solving the largest preset, in a separate process so that its peak memory can be measured."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

from benchmarks.ours import start_value
from benchmarks.report import Grid, Result, Settings, seconds, size
from yatzy.games import load_game
from yatzy.model import compile_game

GAME = "maxi-yatzy"


def run(settings: Settings) -> Result:
    output = subprocess.run(
        [sys.executable, "-m", "benchmarks.large_game"],
        cwd=Path(__file__).resolve().parent.parent,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    data = json.loads(output)
    grid = Grid(
        "The largest preset",
        ("game", "states", "value", "solving", "table", "peak memory", "before"),
        [
            [
                GAME,
                f"{data['states']:,}",
                f"{data['value']:.6f}",
                seconds(data["solving_s"]),
                size(data["table_bytes"]),
                size(data["peak_bytes"]) if data["peak_bytes"] else "unknown",
                size(data["before_bytes"]) if data["before_bytes"] else "unknown",
            ]
        ],
        "Solving includes compiling the game's model. Before: the process with the kernel loaded.",
    )
    return Result([grid], data)


def _measure() -> None:
    """The benchmark itself, run in the separate process."""
    start_value(load_game("two-yatzy"))  # compiles or loads the kernel
    before = peak_memory()
    begun = time.perf_counter()
    value = start_value(load_game(GAME))
    took = time.perf_counter() - begun
    states = len(compile_game(load_game(GAME)).states)
    print(
        json.dumps(
            {
                "game": GAME,
                "states": states,
                "value": value,
                "solving_s": took,
                "table_bytes": 8 * states,
                "peak_bytes": peak_memory(),
                "before_bytes": before,
            }
        )
    )


def peak_memory() -> int | None:
    """The peak memory of this process in bytes; None if the system does not report it.

    On Linux it is read from /proc, because the value of `getrusage` may be inherited from the parent process.
    """
    status = Path("/proc/self/status")
    if status.exists():
        for line in status.read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    if sys.platform == "win32":
        return None
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


if __name__ == "__main__":
    _measure()
