"""The siege itself: it harms nothing outside its own folder, and goes on where it was ended."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from pathlib import Path

import pytest
from siege.arguments import GOOD, ODD, SMALL, check_harmless, discover
from siege.campaign import Campaign, run_campaign
from siege.processes import Order, environment, run
from siege.report import Result

if sys.platform != "linux":
    pytest.skip("the siege needs Linux", allow_module_level=True)


def test_no_odd_argument_names_a_place_outside_the_sandbox() -> None:
    check_harmless((*ODD, *SMALL))
    for word in ("/", "..", "../x", "--tables=/", "utility:/etc/x", "file:../x", "a/../../b", "x@/y"):
        with pytest.raises(ValueError, match="outside the sandbox"):
            check_harmless([word])


def test_every_command_has_a_command_line_that_runs() -> None:
    """Otherwise the campaign of arguments stops before its first try."""
    missing = [one.words for one in discover() if not any(argv[: len(one.words)] == one.words for argv in GOOD)]
    assert missing == []


def test_children_write_no_bytecode_and_use_folders_of_their_own(tmp_path: Path) -> None:
    found = environment(tmp_path)
    assert found["PYTHONDONTWRITEBYTECODE"] == "1"
    for name in ("HOME", "YATZY_TABLES", "YATZY_GAMES", "TMPDIR"):
        assert Path(found[name]).is_relative_to(tmp_path)


@pytest.mark.parametrize("check", ["bytecode", "going-on"])
def test_in_a_process_without_threads(check: str, tmp_path: Path) -> None:
    """A siege forks, which a process with threads, such as this one, had better not do."""
    command = [sys.executable, __file__, check, str(tmp_path)]
    child = subprocess.run(command, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}, check=False)
    assert child.returncode == 0


def no_bytecode(tmp_path: Path) -> None:
    (tmp_path / "fresh.py").write_text("x = 1\n")
    sys.path.insert(0, str(tmp_path))
    ended = run(Order((), tmp_path, call=lambda: print(importlib.import_module("fresh").x)))
    assert ended.text == "1\n", ended
    assert not (tmp_path / "__pycache__").exists()


class Counting(Campaign):
    """Writes a line for every try, and finds something in the third."""

    name, jobs, short_jobs, workers = "counting", 6, 2, 2

    def attempt(self, number: int) -> Result:
        with (self.folder / "seen").open("a") as file:
            file.write(f"{number}\n")
        result = Result()
        if number == 3:
            result.add("wrong", "three")
        return result


def goes_on(tmp_path: Path) -> None:
    first = run_campaign(Counting(tmp_path, 1, True), tmp_path / "out")
    assert (first.done, first.planned, first.findings) == (2, 2, ())
    progress = tmp_path / "out" / "counting.jsonl"
    full = Counting(tmp_path, 1, False)
    run_campaign(full, tmp_path / "out")
    lines = progress.read_bytes().splitlines(keepends=True)
    progress.write_bytes(b"".join(lines[:4]) + lines[4][:9])  # three tries, and a fourth that was being written
    (tmp_path / "seen").unlink()
    again = run_campaign(full, tmp_path / "out")
    assert again.done == again.planned == 6
    assert len((tmp_path / "seen").read_text().split()) == 3
    assert [(number, finding.what) for number, finding in again.findings] == [(3, "three")]
    assert again.repeat(3) == "python -m siege --seed 1 counting --only 3"


if __name__ == "__main__":
    {"bytecode": no_bytecode, "going-on": goes_on}[sys.argv[1]](Path(sys.argv[2]))
