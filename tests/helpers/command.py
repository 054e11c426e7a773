"""The command line from outside: inside this process, which is fast, or in a process of its own."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest import mock

import pytest

from yatzy.cli.app import run
from yatzy.cli.streams import prepare

Done = subprocess.CompletedProcess[str]
START = "import sys; from yatzy.cli import main; sys.argv[0] = 'yatzy'; main()"


def yatzy(
    *arguments: str | Path,
    input: str = "",  # noqa: A002  (as subprocess.run calls it)
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
) -> Done:
    """Run the command line in this process, with streams of its own and, if given, another environment or folder.

    Everything from the preparation of the streams to the exit code is run, but not the start of the interpreter.
    What needs a process, such as signals, real descriptors or a fresh interpreter, uses `yatzy_process`.
    """
    command = ["yatzy", *map(str, arguments)]
    out, error = io.BytesIO(), io.BytesIO()
    with pytest.MonkeyPatch.context() as patch:
        if cwd is not None:
            patch.chdir(cwd)
        patch.setattr(sys, "argv", command)
        patch.setitem(sys.modules, "__main__", ModuleType("__main__"))  # Typer takes the name of the command from it
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(input.encode()), encoding="utf-8"))
        patch.setattr(sys, "stdout", io.TextIOWrapper(out, encoding="utf-8"))
        patch.setattr(sys, "stderr", io.TextIOWrapper(error, encoding="utf-8"))
        with mock.patch.dict(os.environ, env or {}, clear=env is not None):
            prepare()
            try:
                run(command[1:])
            except SystemExit as end:
                code = end.code
        sys.stdout.flush()
        sys.stderr.flush()
        shown, told = (stream.getvalue().decode() for stream in (out, error))
    assert isinstance(code, int)
    return subprocess.CompletedProcess(command, code, shown, told)


def yatzy_process(*arguments: str | Path, **options: Any) -> Done:
    """Run the command line in a process of its own."""
    command = [sys.executable, "-c", START, *map(str, arguments)]
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
