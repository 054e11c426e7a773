"""Decisions of many reviewed games as columns: one row per decision, and one row per game and player.

The columns are NumPy arrays and are written to files as Parquet (docs/review.md lists them).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from yatzy.coach.grades import LIMITS, Grade
from yatzy.errors import InputError
from yatzy.games import Game
from yatzy.lab.results import require_polars
from yatzy.store.files import write_atomic
from yatzy.units import Unit

GRADES = tuple(Grade)
PHASES = ("first", "middle", "last")
"""Thirds of a game, by the number of filled categories."""
KINDS = ("keep", "category")
METADATA = "yatzy"
_WORDS = ("move", "best", "dice", "open_categories", "before")
"""Columns that are indices into `ReviewedGames.words`."""


@dataclass(frozen=True, eq=False)
class Decisions:
    """Decisions as columns of numbers and codes, one row each."""

    summary: npt.NDArray[np.int32]
    """[row]: index of its `GameSummary`."""
    turn: npt.NDArray[np.int16]
    """[row]: the player's turn, from 1."""
    roll: npt.NDArray[np.int8]
    """[row]: the number of rolls before it in the turn."""
    kind: npt.NDArray[np.int8]
    """[row]: index into `KINDS`."""
    open: npt.NDArray[np.int8]
    """[row]: the number of open categories before the turn."""
    phase: npt.NDArray[np.int8]
    """[row]: index into `PHASES`."""
    move: npt.NDArray[np.int32]
    """[row]: index into `ReviewedGames.words`."""
    best: npt.NDArray[np.int32]
    """[row]: a best move; the move that was made, if that is tied for best."""
    value: npt.NDArray[np.float64]
    """[row]: the value of the best move."""
    made: npt.NDArray[np.float64]
    """[row]: the value of the move that was made."""
    loss: npt.NDArray[np.float64]
    grade: npt.NDArray[np.int8]
    """[row]: index into `GRADES`."""
    forced: npt.NDArray[np.bool_]
    luck: npt.NDArray[np.float64]
    """[row]: the luck of the roll before it; NaN if there was none or it is unknown."""
    dice: npt.NDArray[np.int32]
    """[row]: the dice on the table, as an index into `ReviewedGames.words`."""
    rolls_left: npt.NDArray[np.int8]
    open_categories: npt.NDArray[np.int32]
    """[row]: the open categories before the turn, as an index into `ReviewedGames.words`."""
    upper: npt.NDArray[np.int32]
    """[row]: the upper sum before the turn."""
    before: npt.NDArray[np.int32]
    """[row]: the position before the turn, as an index into `ReviewedGames.words`; of "" if it was not asked for."""

    def __len__(self) -> int:
        return len(self.turn)


@dataclass(frozen=True, slots=True)
class GameSummary:
    """One player's game in a record."""

    record: int
    """The number of the record, from 0."""
    source: str
    """Where the record was read from."""
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
    """The number of decisions that were not forced."""

    @property
    def mean_loss(self) -> float | None:
        """The mean loss of the decisions that were not forced; None if there are none."""
        return self.error / self.decisions if self.decisions else None

    @property
    def residual(self) -> float | None:
        """The final value minus the sum of all terms."""
        return None if self.luck is None else self.final - (self.start + self.luck - self.error + self.mixed)


@dataclass(frozen=True, eq=False)
class ReviewedGames:
    """Many games reviewed for an objective."""

    objective: str
    unit: Unit
    words: tuple[str, ...]
    """The moves, dice, sets of open categories and positions as text."""
    decisions: Decisions
    games: tuple[GameSummary, ...]

    @property
    def records(self) -> int:
        """The number of records."""
        return len({one.record for one in self.games})

    def of_player(self, player: str) -> ReviewedGames:
        """The games and decisions of one player by name, ignoring case."""
        chosen = [i for i, one in enumerate(self.games) if one.player.casefold() == player.casefold()]
        place = np.full(len(self.games), -1, np.int32)
        place[chosen] = np.arange(len(chosen), dtype=np.int32)
        rows = place[self.decisions.summary] >= 0
        columns = {one.name: getattr(self.decisions, one.name)[rows] for one in fields(Decisions)}
        columns["summary"] = place[columns["summary"]]
        return replace(self, decisions=Decisions(**columns), games=tuple(self.games[i] for i in chosen))

    @staticmethod
    def join(parts: Sequence[ReviewedGames]) -> ReviewedGames:
        """Join parts of one review, possibly of different games, sorted by record and seat."""
        if not parts:
            raise InputError("there are no games to review")
        if len({part.objective for part in parts}) > 1:
            raise InputError("games reviewed for different objectives cannot be combined")
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
                pieces.append(code[column] if name in _WORDS else column)
            games += part.games
        joined = {name: np.concatenate(pieces) for name, pieces in columns.items()}
        order = sorted(range(len(games)), key=lambda number: (games[number].record, games[number].seat))
        joined["summary"] = np.argsort(order).astype(np.int32)[joined["summary"]]
        rows = np.argsort(joined["summary"], kind="stable")
        decisions = Decisions(**{name: column[rows] for name, column in joined.items()})
        return ReviewedGames(parts[0].objective, parts[0].unit, words, decisions, tuple(games[i] for i in order))


def grades_of(loss: npt.NDArray[np.float64], unit: Unit, tied: npt.NDArray[np.bool_]) -> npt.NDArray[np.int8]:
    """Classes of many moves as indices into `GRADES`, by the same limits as `grade_of`."""
    return np.where(tied, 0, 1 + np.searchsorted(np.array(LIMITS[unit]), loss, side="left")).astype(np.int8)


def phase_of(game: Game, filled: Any) -> Any:
    """The phase of a game with `filled` categories filled, as an index into `PHASES`."""
    return len(PHASES) * filled // len(game.categories)


def write_parquet(reviewed: ReviewedGames, path: str | Path) -> None:
    """Write one row per decision."""
    pl, rows = _polars(), reviewed.decisions
    games = reviewed.games

    def words(texts: Sequence[str], codes: npt.NDArray[Any]) -> Any:
        """Text by code, as a categorical column, so that each name is stored once."""
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
            "dice": words(reviewed.words, rows.dice),
            "rolls_left": rows.rolls_left,
            "open": numbers["open"],
            "open_categories": words(reviewed.words, rows.open_categories),
            "upper": rows.upper,
            "phase": words(PHASES, rows.phase),
            "move": words(reviewed.words, rows.move),
            "best": words(reviewed.words, rows.best),
            **{name: numbers[name] for name in ("value", "made", "loss")},
            "grade": words([grade.value for grade in GRADES], rows.grade),
            "forced": numbers["forced"],
            "luck": pl.Series(rows.luck).fill_nan(None),
            "position": pl.Series(_positions(reviewed), dtype=pl.String),
        }
    )
    about = {"kind": "decisions", "objective": reviewed.objective, "unit": reviewed.unit.value}
    buffer = BytesIO()
    frame.write_parquet(buffer, metadata={METADATA: json.dumps(about | {"records": reviewed.records})})
    write_atomic(Path(path), buffer.getvalue())


def _positions(reviewed: ReviewedGames) -> list[str | None]:
    """[row]: the position of the decision as text; None if positions were not asked for."""
    rows, words = reviewed.decisions, reviewed.words
    return [
        f"{words[before]}~d{words[dice]}~r{left}" if words[before] else None
        for before, dice, left in zip(rows.before, rows.dice, rows.rolls_left, strict=True)
    ]


def _polars() -> Any:
    require_polars()
    import polars  # optional, and slow to import

    return polars
