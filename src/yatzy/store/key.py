"""The key of a table, which is part of its header, and the file name derived from it."""

import hashlib
import re
import unicodedata
from dataclasses import dataclass

from yatzy.errors import InputError, Message

_PLAIN = frozenset(b"abcdefghijklmnopqrstuvwxyz0123456789-_+")
_FRIENDLY = {ord(":"): "=", ord("."): ","}
_LONGEST = 80  # a file name may have 255 bytes; three parts and a suffix must fit
_MOST_LETTERS = 5000  # an objective may name a file, and a path has up to 4096 bytes


@dataclass(frozen=True, slots=True)
class TableKey:
    """Which table this is. Tables with equal keys have equal contents."""

    game: str
    """Id of the game, for messages and file names."""
    game_hash: str
    """Hash of the game's rules in lowercase hex, at least 12 digits."""
    objective: str
    """What the values mean, such as `expected`."""
    layers: int
    """Number of layers of the whole table; they are numbered from 0."""
    revision: int = 1
    """`Computation.total` of the code that makes such tables. Revision 1 is not written out, as in older files."""

    def __post_init__(self) -> None:
        for what, text in ((Message("game"), self.game), (Message("objective"), self.objective)):
            if not isinstance(text, str) or not text:
                raise InputError(
                    "the key of a table needs a game and an objective; the {what} is {text!r:.80}", what=what, text=text
                )
            if len(text) > _MOST_LETTERS or any(unicodedata.category(c) in {"Cc", "Zl", "Zp"} for c in text):
                raise InputError(
                    "the {what} of a table must be one line of at most {most} letters",
                    what=what,
                    most=_MOST_LETTERS,
                )
        if not isinstance(self.game_hash, str) or not re.fullmatch(r"[0-9a-f]{12,128}", self.game_hash):
            raise InputError(
                "game_hash must be 12 to 128 lowercase hex digits, not {game_hash!r:.80}", game_hash=self.game_hash
            )
        if type(self.layers) is not int or not 0 <= self.layers < 1 << 32:
            raise InputError("layers must be a count from 0 to 4294967295, not {layers!r:.80}", layers=self.layers)
        if type(self.revision) is not int or not 1 <= self.revision < 1 << 32:
            raise InputError(
                "revision must be a number from 1 to 4294967295, not {revision!r:.80}", revision=self.revision
            )

    @property
    def name(self) -> str:
        """File name without suffix, such as `yatzy-1a2b3c4d5e6f-expected`; safe on every system."""
        revision = f"~{self.revision}" if self.revision > 1 else ""  # a tilde in a text is escaped
        return f"{_safe(self.game)}-{self.game_hash[:12]}-{_safe(self.objective)}{revision}"

    def __str__(self) -> str:
        revision = f", revision {self.revision}" if self.revision > 1 else ""
        return f"{self.game} ({self.game_hash[:12]}), {self.objective}, {self.layers} layers{revision}"


def _safe(text: str) -> str:
    """Escape so that different texts give different names, ignoring case; a long text ends in a hash."""
    safe = "".join(
        chr(byte) if byte in _PLAIN else _FRIENDLY.get(byte) or f"%{byte:02x}"
        for byte in text.encode("utf-8", "surrogatepass")
    )
    if len(safe) <= _LONGEST:
        return safe
    digest = hashlib.blake2b(safe.encode(), digest_size=8).hexdigest()
    return f"{safe[: _LONGEST - 17]}-{digest}"
