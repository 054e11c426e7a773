"""The command line from outside, in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any


def yatzy(*arguments: str | Path, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run the command line in a process of its own."""
    command = [sys.executable, "-c", "from yatzy.cli import main; main()", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, **options)


def answer(*arguments: str | Path) -> dict[str, Any]:
    """The JSON object that a command prints, and nothing else may be printed."""
    done = yatzy(*arguments, "--json")
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("\n") == 1
    result = json.loads(done.stdout)
    assert isinstance(result, dict)
    return result


def refusal(*arguments: str | Path) -> str:
    """The one line that says what is wrong; nothing on standard output, exit code 2, no traceback."""
    done = yatzy(*arguments)
    assert done.returncode == 2, (done.stdout, done.stderr)
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1, done.stderr
    assert done.stderr.startswith("yatzy: ")
    return done.stderr
