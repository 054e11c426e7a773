"""Tables on disk: several real processes, some of them killed."""

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import numpy as np
import pytest

from yatzy.errors import TableUnwritable
from yatzy.store import Table, TableKey, TableWriter, list_tables, open_or_build, remove_tables

KEY = TableKey("yatzy", "0123456789abcdef", "expected", 5)

# Arguments: folder, log of layers computed, layer to hang at. Waits for a line before it begins.
CHILD = f"""
import sys, time
from pathlib import Path
import numpy as np
import filelock
from yatzy.store import TableKey, open_or_build
folder, log, hang = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
def say(line):
    print(line, flush=True)
def build(writer):
    for layer in writer.missing:
        with open(log, "a") as file:
            file.write(f"{{layer}}\\n")
        if layer == hang:
            with open(writer.path, "ab") as part:  # as if killed within the write
                part.write(b"\\x89LAYER and half a record")
            say("hanging")
            time.sleep(600)
        time.sleep(0.04)
        writer.append(layer, {{"value": np.arange(1000.0) * layer}})
say("ready")
sys.stdin.readline()
try:
    table = open_or_build(folder, {KEY!r}, build, say)
    say("sum " + str(sum(table.array(layer, "value").sum() for layer in range(5))))
except KeyboardInterrupt:
    say("interrupted")
"""
RIGHT = f"sum {sum(np.arange(1000.0).sum() * layer for layer in range(5))}"


class Child:
    """A process that builds the table when told to."""

    def __init__(self, folder: Path, hang: int = -1) -> None:
        command = [sys.executable, "-c", CHILD, str(folder / "tables"), str(folder / "log"), str(hang)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.stdin: IO[str] = self.process.stdin
        self.stdout: IO[str] = self.process.stdout

    def line(self) -> str:
        return self.stdout.readline().strip()

    def begin(self) -> None:
        self.stdin.write("\n")
        self.stdin.flush()

    def rest(self) -> list[str]:
        lines = self.stdout.read().splitlines()
        self.process.wait(timeout=300)
        return lines

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        self.stdin.close()
        self.stdout.close()


@pytest.fixture
def children() -> Iterator[list[Child]]:
    started: list[Child] = []
    yield started
    for child in started:
        child.end()


def computed(folder: Path) -> list[int]:
    return [int(line) for line in (folder / "log").read_text().split()]


def test_two_processes_build_once_and_both_are_right(tmp_path: Path, children: list[Child]) -> None:
    children += [Child(tmp_path), Child(tmp_path)]
    for child in children:
        assert child.line() == "ready"
    for child in children:
        child.begin()
    said = [child.rest() for child in children]
    assert [lines[-1] for lines in said] == [RIGHT, RIGHT]
    assert computed(tmp_path) == [0, 1, 2, 3, 4]
    # Nothing, should the second have begun only after the first was done.
    waited = [line for lines in said for line in lines[:-1]]
    assert waited in ([], [f"another process is building {KEY.name}; waiting for it"])


def test_a_killed_builder_is_followed_by_the_one_that_waits(tmp_path: Path, children: list[Child]) -> None:
    killed, waiting, interrupted = Child(tmp_path, hang=3), Child(tmp_path), Child(tmp_path)
    children += [killed, waiting, interrupted]
    for child in children:
        assert child.line() == "ready"
    killed.begin()
    assert killed.line() == "hanging"
    for child in (waiting, interrupted):
        child.begin()
        assert child.line() == f"another process is building {KEY.name}; waiting for it"

    [info] = list_tables(tmp_path / "tables")
    assert (info.layers, info.layers_done) == (5, 3)
    with pytest.raises(TableUnwritable, match="being built by another process"):
        remove_tables(tmp_path / "tables", [KEY.name])
    assert info.path.exists()

    interrupted.process.send_signal(signal.SIGINT)
    assert interrupted.rest() == ["interrupted"]
    assert waiting.process.poll() is None

    killed.process.kill()
    assert waiting.rest() == [f"resuming {KEY.name}: 3 of 5 layers are done", RIGHT]
    assert computed(tmp_path) == [0, 1, 2, 3, 3, 4]


def test_killed_at_any_moment_no_layer_on_the_disk_is_made_again(tmp_path: Path, children: list[Child]) -> None:
    for delay in (0.0, 0.03, 0.06):
        child = Child(tmp_path)
        children.append(child)
        assert child.line() == "ready"
        child.begin()
        while not (tmp_path / "log").exists():
            time.sleep(0.001)
        time.sleep(delay)
        child.process.kill()
        child.process.wait()
    [info] = list_tables(tmp_path / "tables")
    tried = computed(tmp_path)
    # Each kill costs at most the layer it hit.
    assert len(tried) <= info.layers_done + 3
    built: list[int] = []

    def build(writer: TableWriter) -> None:
        for layer in writer.missing:
            built.append(layer)
            writer.append(layer, {"value": np.arange(1000.0) * layer})

    with open_or_build(tmp_path / "tables", KEY, build) as table:
        assert table.verify() == []
        assert [table.array(layer, "value")[1] for layer in range(5)] == [0, 1, 2, 3, 4]
    assert built == list(range(info.layers_done, 5))


@pytest.mark.skipif(sys.platform == "win32", reason="keeps open files from being replaced")
def test_a_reader_keeps_its_table_while_it_is_removed(tmp_path: Path) -> None:
    def build(writer: TableWriter) -> None:
        for layer in writer.missing:
            writer.append(layer, {"value": np.arange(1000.0) * layer})

    with open_or_build(tmp_path, KEY, build) as table:
        remove_tables(tmp_path, [KEY.name])
        assert table.array(4, "value")[-1] == 999 * 4
        assert table.verify() == []
        with open_or_build(tmp_path, KEY, build) as again, Table(again.path) as third:
            assert third.array(4, "value")[-1] == 999 * 4
