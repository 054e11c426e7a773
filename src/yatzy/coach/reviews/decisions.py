"""Decisions of many reviewed games as columns, one row a decision, and one row a game and player.

The columns are NumPy arrays; written to a file they are Parquet (docs/review.md lists them).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, fields
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from yatzy.coach.grades import LIMITS, Grade
from yatzy.errors import InputError
from yatzy.games import Game
from yatzy.units import Unit

GRADES = tuple(Grade)
PHASES = ("first", "middle", "last")
"""Thirds of a game, by the categories that are filled."""
KINDS = ("keep", "category")
METADATA = "yatzy"


@dataclass(frozen=True, eq=False)
class Decisions:
    """Decisions, a row each: numbers and codes."""

    summary: npt.NDArray[np.int32]
    """[row]: which of the `GameSummary`s it belongs to."""
    turn: npt.NDArray[np.int16]
    """[row]: the turn of the player, from 1."""
    roll: npt.NDArray[np.int8]
    """[row]: the rolls before it in the turn."""
    kind: npt.NDArray[np.int8]
    """[row]: a place in `KINDS`."""
    open: npt.NDArray[np.int8]
    """[row]: open categories before the turn."""
    phase: npt.NDArray[np.int8]
    """[row]: a place in `PHASES`."""
    move: npt.NDArray[np.int32]
    """[row]: a place in `ReviewedGames.words`."""
    best: npt.NDArray[np.int32]
    """[row]: a best move, the one that was made where that is as good."""
    value: npt.NDArray[np.float64]
    """[row]: of the best."""
    made: npt.NDArray[np.float64]
    """[row]: of the move that was made."""
    loss: npt.NDArray[np.float64]
    grade: npt.NDArray[np.int8]
    """[row]: a place in `GRADES`."""
    forced: npt.NDArray[np.bool_]
    luck: npt.NDArray[np.float64]
    """[row]: of the roll before it; not a number where there was none or it is not known."""

    def __len__(self) -> int:
        return len(self.turn)


@dataclass(frozen=True, slots=True)
class GameSummary:
    """The game of one player in a record."""

    record: int
    """The number of the record, from 0."""
    source: str
    """Where it was read from."""
    game: str
    """The id of the game."""
    seat: int
    """From 0."""
    player: str
    over: bool
    start: float
    final: float
    luck: float | None
    error: float
    mixed: float
    decisions: int
    """Those that were not forced."""

    @property
    def mean_loss(self) -> float | None:
        """The mean over the decisions that were not forced; None without any."""
        return self.error / self.decisions if self.decisions else None

    @property
    def residual(self) -> float | None:
        """What is left between the final value and the sum."""
        return None if self.luck is None else self.final - (self.start + self.luck - self.error + self.mixed)


@dataclass(frozen=True, eq=False)
class ReviewedGames:
    """Many games reviewed for an objective."""

    objective: str
    unit: Unit
    words: tuple[str, ...]
    """The moves as text."""
    decisions: Decisions
    games: tuple[GameSummary, ...]

    @property
    def records(self) -> int:
        """How many records there are."""
        return len({one.record for one in self.games})

    @staticmethod
    def join(parts: Sequence[ReviewedGames]) -> ReviewedGames:
        """Parts of one review as one, whatever games they are of, in the order of the records and seats."""
        if not parts:
            raise InputError("there are no games to review")
        if len({part.objective for part in parts}) > 1:
            raise InputError("games reviewed for different objectives cannot be put together")
        words = tuple(dict.fromkeys(word for part in parts for word in part.words))
        place = {word: number for number, word in enumerate(words)}
        games: list[GameSummary] = []
        columns: dict[str, list[npt.NDArray[Any]]] = {field.name: [] for field in fields(Decisions)}
        for part in parts:
            code = np.array([place[word] for word in part.words], np.int32)
            for name, pieces in columns.items():
                column = getattr(part.decisions, name)
                if name == "summary":
                    column = column + np.int32(len(games))
                pieces.append(code[column] if name in ("move", "best") else column)
            games += part.games
        joined = {name: np.concatenate(pieces) for name, pieces in columns.items()}
        order = sorted(range(len(games)), key=lambda number: (games[number].record, games[number].seat))
        joined["summary"] = np.argsort(order).astype(np.int32)[joined["summary"]]
        rows = np.argsort(joined["summary"], kind="stable")
        decisions = Decisions(**{name: column[rows] for name, column in joined.items()})
        return ReviewedGames(parts[0].objective, parts[0].unit, words, decisions, tuple(games[i] for i in order))


def grades_of(loss: npt.NDArray[np.float64], unit: Unit, tied: npt.NDArray[np.bool_]) -> npt.NDArray[np.int8]:
    """The classes of many moves at once, as places in `GRADES`; by the same limits as `grade_of`."""
    return np.where(tied, 0, 1 + np.searchsorted(np.array(LIMITS[unit]), loss, side="left")).astype(np.int8)


def phase_of(game: Game, filled: Any) -> Any:
    """The third of a game in which so many categories are filled, as a place in `PHASES`."""
    return len(PHASES) * filled // len(game.categories)


def write_parquet(reviewed: ReviewedGames, path: str | Path) -> None:
    """Write one row a decision."""
    pl, rows = _polars(), reviewed.decisions
    games = reviewed.games

    def words(texts: Sequence[str], codes: npt.NDArray[Any]) -> Any:
        """Text by code; as categories, so that a name is stored once."""
        kinds = list(dict.fromkeys(texts))
        place = {text: number for number, text in enumerate(kinds)}
        which = np.array([place[text] for text in texts], np.uint32)[codes]
        return pl.Series(kinds, dtype=pl.String).gather(which).cast(pl.Categorical)

    numbers = {name: getattr(rows, name) for name in ("turn", "roll", "open", "value", "made", "loss", "forced")}
    frame = pl.DataFrame(
        {
            "record": np.array([one.record for one in games], np.int32)[rows.summary],
            "source": words([one.source for one in games], rows.summary),
            "game": words([one.game for one in games], rows.summary),
            "seat": np.array([one.seat + 1 for one in games], np.int8)[rows.summary],
            "player": words([one.player for one in games], rows.summary),
            **{name: numbers[name] for name in ("turn", "roll")},
            "kind": words(KINDS, rows.kind),
            "open": numbers["open"],
            "phase": words(PHASES, rows.phase),
            "move": words(reviewed.words, rows.move),
            "best": words(reviewed.words, rows.best),
            **{name: numbers[name] for name in ("value", "made", "loss")},
            "grade": words([grade.value for grade in GRADES], rows.grade),
            "forced": numbers["forced"],
            "luck": pl.Series(rows.luck).fill_nan(None),
        }
    )
    about = {"kind": "decisions", "objective": reviewed.objective, "unit": reviewed.unit.value}
    buffer = BytesIO()
    frame.write_parquet(buffer, metadata={METADATA: json.dumps(about | {"records": reviewed.records})})
    from yatzy.store.files import write_atomic

    write_atomic(Path(path), buffer.getvalue())


def _polars() -> Any:
    from yatzy.lab.results import require_polars

    require_polars()
    import polars

    return polars
