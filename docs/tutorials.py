"""Run the tutorials: write their files, run their commands and their Python, and put the output into the pages.

A block with a title is a file. A block of kind `console` has commands after `$ `, each followed by its output. The
output of a Python block stands in a block of kind `text` after it.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

HERE = Path(__file__).parent
PAGES = ("first-minute", "teach-me", "own-rules", "own-strategy", "winning", "research", "at-scale")
WIDTH = 100
"""Of the terminal, in columns."""
BLOCK = re.compile(r'^```(\w+)(?: title="([^"]+)")?\n(.*?)^```\n', re.MULTILINE | re.DOTALL)
TIME = re.compile(r"\b\d+(\.\d+)? s\b")
"""A time, which is another one in every run; it is shown as `… s`."""
Command = Callable[[list[str]], str]
"""Runs the command line in the current folder with these arguments, and returns what it prints."""


def write_pages(names: Sequence[str] = PAGES) -> None:
    """Put the output of a run into the pages."""
    for name in names:
        path = HERE / f"{name}.md"
        with tempfile.TemporaryDirectory() as folder:
            environment = os.environ | {"COLUMNS": str(WIDTH), "YATZY_GAMES": f"{folder}/games"}

            def command(arguments: list[str], environment: dict[str, str] = environment) -> str:
                call = [sys.executable, "-m", "yatzy", *arguments]
                return subprocess.run(call, env=environment, stdout=subprocess.PIPE, text=True, check=True).stdout

            path.write_text(run_page(path.read_text(encoding="utf-8"), Path(folder), command), encoding="utf-8")


def run_page(text: str, folder: Path, command: Command) -> str:
    """The text of a tutorial with the output of a run in an empty folder."""
    names: dict[str, object] = {"__name__": "tutorial"}
    printed = ""

    def run(found: re.Match[str]) -> str:
        nonlocal printed
        kind, title, body = found.groups()
        if title:
            (folder / title).write_text(body, encoding="utf-8")
            return found[0]
        if kind == "console":
            lines = [line for line in body.splitlines() if line.startswith("$ ")]
            text = "\n".join(line for one in lines for line in shown(one, command))
            return f"```console\n{text}\n```\n"
        if kind == "python":
            printed = output_of(body, names)
        elif kind == "text":
            return f"```text\n{printed}```\n"
        return found[0]

    with in_folder(folder):
        return BLOCK.sub(run, text)


def shown(line: str, command: Command) -> list[str]:
    """A command as it is shown, and its output."""
    program, *arguments = shlex.split(line.removeprefix("$ "))
    assert program == "yatzy", line
    return [line, *(TIME.sub("… s", one.rstrip()) for one in command(arguments).strip("\n").splitlines())]


def output_of(code: str, names: dict[str, object]) -> str:
    """What a block of Python prints; later blocks of the page know its names."""
    with contextlib.redirect_stdout(io.StringIO()) as out:
        exec(compile(code, "tutorial", "exec"), names)
    return out.getvalue()


@contextlib.contextmanager
def in_folder(folder: Path) -> Iterator[None]:
    """Work in a folder."""
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)
