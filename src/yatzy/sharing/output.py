"""Files for other programs: their formats, checked before anything is computed, and what every file says of itself."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from yatzy import __version__
from yatzy.errors import InputError, Message, SizeError, either
from yatzy.games import Game, Score, show_dice
from yatzy.lab.results import METADATA, require_polars
from yatzy.model import compile_game
from yatzy.store.files import check_target, write_atomic

PARQUET, NUMPY = ".parquet", ".npz"
FORMATS = (PARQUET, NUMPY)
MOST_ROWS = 2**25
"""The most rows of a file with all states or decisions; they are put together in memory."""
BOXES = ("open", "empty", "paid")
"""The Joker box: open, filled with 0, or filled with its points."""


def check_output(path: str | Path, what: Message, formats: Sequence[str] = FORMATS) -> str:
    """The format of a file; refuses one that cannot be written."""
    suffix = Path(path).suffix.lower()
    if suffix not in formats:
        raise InputError("{path}: {what} written as {formats}", path=path, what=what, formats=either(formats))
    check_target(path)
    if suffix == PARQUET:
        require_polars()
    return suffix


def move_texts(game: Game) -> list[str]:
    """All moves of a game as text: keeps, categories, and categories scored as 0 although the dice would pay."""
    keeps = map(show_dice, compile_game(game).lattice.keeps)
    return [*keeps, *(str(Score(id, struck)) for struck in (False, True) for id in game.category_index)]


def check_rows(game: Game, rows: int, hint: Message | str = "") -> None:
    """Refuse to put together more than `MOST_ROWS` rows."""
    if rows > MOST_ROWS:
        raise SizeError(
            "{game}: {rows:,} rows are more than {most:,}{hint}",
            game=game.id,
            rows=rows,
            most=MOST_ROWS,
            hint=hint,
        )


def about(kind: str, game: Game, rows: int, **more: Any) -> dict[str, Any]:
    """What a file is about, stored in it as JSON."""
    return {"kind": kind, "game": game.id, "hash": game.hash, **more, "rows": rows, "program": f"yatzy {__version__}"}


def write_numpy(path: str | Path, arrays: Mapping[str, Any], said: Mapping[str, Any]) -> None:
    """Write arrays of numbers and texts."""
    buffer = io.BytesIO()
    np.savez(buffer, **arrays, about=np.array(json.dumps(said)))
    write_atomic(path, buffer.getvalue())


def write_parquet(path: str | Path, columns: Mapping[str, Any], said: Mapping[str, Any], **options: Any) -> None:
    """Write a Parquet file."""
    import polars as pl  # optional, and slow to import

    buffer = io.BytesIO()
    pl.DataFrame(columns).write_parquet(buffer, metadata={METADATA: json.dumps(said)}, **options)
    write_atomic(path, buffer.getvalue())


def text_column(texts: Sequence[str], index: Any) -> Any:
    """A column of texts, each given as an index."""
    import polars as pl  # optional, and slow to import

    return pl.Series(texts).cast(pl.Categorical).gather(index)  # gathers numbers instead of texts
