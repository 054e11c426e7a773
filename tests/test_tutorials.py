"""The tutorials show what a run prints."""

from __future__ import annotations

from pathlib import Path

import pytest
import tutorials
from helpers.command import yatzy

DOCS = Path(__file__).parent.parent / "docs"


SLOW = ("own-strategy", "research")
"""They evaluate strategies exactly, and draw the figures of a study."""


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] if name in SLOW else []) for name in tutorials.PAGES]
)
def test_a_tutorial_shows_what_a_run_prints(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("YATZY_GAMES", str(tmp_path / "games"))
    monkeypatch.setenv("COLUMNS", str(tutorials.WIDTH))

    def command(arguments: list[str]) -> str:
        done = yatzy(*arguments)
        assert done.returncode == 0, done.stderr
        return done.stdout

    written = (DOCS / f"{name}.md").read_text(encoding="utf-8")
    assert tutorials.run_page(written, tmp_path, command) == written, "run python docs/make.py tutorials"
