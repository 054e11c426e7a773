"""Read records from files: single games as text, many games as CSV, or folders of both."""

from __future__ import annotations

import os.path
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from yatzy.coach.play.saved import SUFFIX
from yatzy.errors import InputError, Message, RecordError
from yatzy.games import Game, Record, find_game
from yatzy.games.record_csv import MOST_CSV, read_csv
from yatzy.games.record_text import MOST_TEXT
from yatzy.model.described import check_described
from yatzy.reading import read_text_bounded

CSV = ".csv"
ENDINGS = (SUFFIX, ".txt", CSV)
"""The suffixes of record files in a folder."""

Sourced = tuple[str, Record]
"""A record and where it was read from."""


def record_paths(paths: Sequence[Path]) -> list[Path]:
    """Expand folders to the record files in them, sorted by name."""
    found: list[Path] = []
    for path in paths:
        if not os.path.isdir(path):
            found.append(path)
            continue
        inside = sorted(one for one in path.rglob("*") if one.suffix.lower() in ENDINGS and one.is_file())
        if not inside:
            raise InputError("{path}: has no records; they end in {endings}", path=path, endings=", ".join(ENDINGS))
        found += inside
    return found


def read_records(
    paths: Sequence[Path], own: Game | None = None, refuse: Callable[[str], None] | None = None
) -> Iterator[Sourced]:
    """Yield the records of files in order. Games that are not presets are read by the rules of `own`.

    A file that cannot be read is an error; if `refuse` is given, it gets the message and the file is skipped.
    """
    for path in paths:
        try:
            yield from _read_file(path, own)
        except InputError as error:
            if refuse is None:
                raise
            refuse(Message("{error}", error=error))


def _read_file(path: Path, own: Game | None) -> list[Sourced]:
    is_csv = path.suffix.lower() == CSV
    text = read_text_bounded(path, MOST_CSV if is_csv else MOST_TEXT, Message("a record"), RecordError)
    if not is_csv:
        record = Record.parse(text, own, str(path))
        check_described(record.game, own)
        return [(str(path), record)]
    records = read_csv(text, lambda id: find_game(id, own), str(path), game=own.id if own is not None else "yatzy")
    return [(f"{path}: game {number}", record) for number, record in enumerate(records, 1)]
