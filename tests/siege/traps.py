"""Files that tell when somebody opens or runs them, and every form of a name that would."""

from __future__ import annotations

import ctypes
import os
import struct
from pathlib import Path

IN_OPEN = 0x20
_EVENT = struct.Struct("iIII")


class Traps:
    """A Python file, an exported strategy and a utility in one folder; `sprung` says what was opened or run since."""

    def __init__(self, folder: Path, strategy: bytes, utility: str) -> None:
        folder.mkdir(parents=True)
        self._mark = folder / "was-run"
        self.code, self.strategy, self.utility = folder / "trap.py", folder / "trap.bin", folder / "trap.csv"
        self.code.write_text(f"open({str(self._mark)!r}, 'w').close()\n\n\nclass Trap:\n    name = 'trap'\n")
        self.strategy.write_bytes(strategy)
        self.utility.write_text(utility)
        libc = ctypes.CDLL(None, use_errno=True)
        self._watching = libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        if self._watching < 0:
            raise OSError(ctypes.get_errno(), "inotify_init1")
        self._names = {}
        for path in (self.code, self.strategy, self.utility):
            watch = libc.inotify_add_watch(self._watching, str(path).encode(), IN_OPEN)
            if watch < 0:
                raise OSError(ctypes.get_errno(), f"inotify_add_watch {path}")
            self._names[watch] = path.name

    def sprung(self) -> list[str]:
        """What was opened, and whether the code was run."""
        found = ["the code was run"] if self._mark.exists() else []
        try:
            data = os.read(self._watching, 1 << 16)
        except BlockingIOError:
            data = b""
        while data:
            watch, _, _, size = _EVENT.unpack_from(data)
            found.append(f"{self._names.get(watch, '?')} was opened")
            data = data[_EVENT.size + size :]
        return sorted(set(found))

    def close(self) -> None:
        """Stop watching."""
        os.close(self._watching)

    def forms(self) -> dict[str, str]:
        """Names that would open a file, run code or search for ever."""
        return {
            "FILE.py:CLASS": f"{self.code}:Trap",
            "file:PATH": f"file:{self.strategy}",
            "utility:FILE": f"utility:{self.utility}",
            "softened:1:FILE.py:CLASS": f"softened:1:{self.code}:Trap",
            "softened:1:file:PATH": f"softened:1:file:{self.strategy}",
            "softened:1:utility:FILE": f"softened:1:utility:{self.utility}",
            "match:emp:99": "match:emp:99",
            "match:dyns:99": "match:dyns:99",
            "match:auto:1e9": "match:auto:1e9",
            "softened:1:match:emp:99": "softened:1:match:emp:99",
        }


FORMS = (
    "FILE.py:CLASS", "file:PATH", "utility:FILE", "softened:1:FILE.py:CLASS", "softened:1:file:PATH",
    "softened:1:utility:FILE", "match:emp:99", "match:dyns:99", "match:auto:1e9", "softened:1:match:emp:99",
)  # fmt: skip
PLAYERS, LARGE = "10,000 players", "a game that is too large"


def record(form: str, traps: Traps, *, finished: bool) -> str:
    """A record that names such a form, or has too many players, or describes too large a game."""
    if form == PLAYERS:
        names = [f"P{number}" for number in range(10_000)]
        return "game: two-yatzy\n" + "".join(f"player: {name} [greedy]\n" for name in names)
    if form == LARGE:
        return large_record()
    turns = "1 Ann: 11 ones 2\n1 Bo: 12 (2) 22 twos 4\n2 Ann: 12 (2) 12 twos 2\n2 Bo: 12 (1) 11 ones 2\n"
    return f"game: two-yatzy\nplayer: Ann\nplayer: Bo [{traps.forms()[form]}]\n\n{turns if finished else ''}"


def large_game() -> str:
    """A description whose tables no machine could hold."""
    categories = "".join(f'\n[[categories]]\nid = "face-{i}"\npattern = "face"\nface = {i}\n' for i in range(1, 31))
    return f'id = "huge"\ndice = 9\nfaces = 30\nrolls = 9\n\n[bonus]\npoints = 50\nthreshold = 500\n{categories}'


def large_record() -> str:
    """A record with that description inside."""
    rules = "".join(f"| {line}\n" for line in large_game().splitlines())
    return f"game: huge\nrules:\n{rules}player: Ann\nplayer: Bo [expected]\n\n"
