"""Names that must not be opened when they come as data, and files that show it when they are."""

from __future__ import annotations

import os
from pathlib import Path


class Traps:
    """Files that tell when they were run; those that are read would block for ever."""

    def __init__(self, folder: Path) -> None:
        self.code, self._mark = folder / "trap.py", folder / "was-run"
        move = "def move(self, position): return '-' if position.rolls_left else 'ones'"
        self.code.write_text(f"open({str(self._mark)!r}, 'w').close()\nclass Trap:\n    {move}\n")
        self.pipe = folder / "trap"
        os.mkfifo(self.pipe)

    @property
    def was_run(self) -> bool:
        return self._mark.exists()

    @property
    def forms(self) -> list[str]:
        return [
            f"{self.code}:Trap", f"file:{self.pipe}", f"utility:{self.pipe}", f"softened:1:utility:{self.pipe}",
            f"softened:1:{self.code}:Trap", "match:emp:99", "match:dyns:99", "match:auto:1e9",
            "softened:1:match:emp:99",
        ]  # fmt: skip


def record(strategy: str) -> str:
    return f"game: two-yatzy\nplayer: Ann\nplayer: Bo [{strategy}]\n"
