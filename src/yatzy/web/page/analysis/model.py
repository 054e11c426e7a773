"""The view models of the analysis: the lines of the chart and the parts beside it.

Lines and outlooks are cached by position, so the same position gives the same objects. A part whose model has not
changed is not rendered again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from yatzy.errors import YatzyError
from yatzy.evaluation.outlook import Outlook
from yatzy.games import Move, Player, Position
from yatzy.report.words import move_name
from yatzy.web.page.parts.charts import Chances, Line
from yatzy.web.page.reader import Reader


@dataclass
class Found:
    """The results for a position so far."""

    position: Position
    moves: tuple[Move, ...]
    """Moves whose own curve is shown: first the ticked ones."""
    ticked: int = 0
    """How many of them are ticked."""
    outlooks: dict[int, Outlook] = field(default_factory=dict)
    """By player index."""
    lines: list[Line] = field(default_factory=list)
    """One per player, then one per compared move."""
    best: list[Line] = field(default_factory=list)
    """The best chances, one per player."""
    move_best: list[Line] = field(default_factory=list)
    """The best chances after each ticked move."""
    plain_wins: tuple[float, ...] = ()
    best_win: float | None = None
    missing: set[str] = field(default_factory=set)
    """Tables that are not ready yet."""
    problem: YatzyError | None = None


@dataclass(frozen=True, slots=True)
class Chart:
    """The chart, and the table of its numbers."""

    reader: Reader
    lines: tuple[Line, ...]
    target: int | None
    exactly: bool = False


@dataclass(frozen=True, slots=True)
class Head:
    """The title, and the switches of the chart."""

    reader: Reader
    exactly: bool
    with_best: bool


@dataclass(frozen=True, slots=True)
class Ticks:
    """The line below the chart: how to compare moves, or a button to stop comparing."""

    reader: Reader
    ticked: bool
    can_tick: bool


@dataclass(frozen=True, slots=True)
class Range:
    """The expected final score and its range."""

    reader: Reader
    outlook: Outlook | None
    best: Line | None
    target: int | None


@dataclass(frozen=True, slots=True)
class Categories:
    """The outlook of every open category."""

    reader: Reader
    position: Position
    outlook: Outlook | None


@dataclass(frozen=True, slots=True)
class Wins:
    """Every player's chance to win."""

    reader: Reader
    players: tuple[Player, ...]
    mover: int
    plain: tuple[float, ...]
    """By player index, if everyone maximises the expected score."""
    best: float | None
    """For the player to move, found by search."""


def seat_line(reader: Reader, players: Sequence[Player], seat: int, outlook: Outlook) -> Line:
    """The distribution of a player who maximises the expected score."""
    name = players[seat].name if len(players) > 1 else reader.t("analysis.view.plain")
    return Line.of(name, outlook.score, sampled=not outlook.exact, colour=seat, dash=0)


def best_line(reader: Reader, players: Sequence[Player], seat: int, first: int, at_least: Chances) -> Line:
    """A player's best chance of reaching each score."""
    several = len(players) > 1
    key = "analysis.view.best_of" if several else "analysis.view.best_alone"
    name = reader.t(key, name=players[seat].name) if several else reader.t(key)
    return Line.of_chances(name, first, at_least, colour=seat, dash=1)


def move_line(
    reader: Reader, players: int, place: int, position: Position, move: Move, outlook: Outlook, *, ticked: bool = False
) -> Line:
    """The distribution of the player to move after one of the compared moves; symbols show that it is ticked."""
    name = reader.t("analysis.view.after", move=move_name(position.game, move, reader.language))
    line = Line.of(name, outlook.score, sampled=not outlook.exact, colour=players + place, dash=2 + place)
    return replace(line, symbol=place) if ticked else line


def move_best_line(
    reader: Reader, players: int, place: int, position: Position, move: Move, first: int, at_least: Chances
) -> Line:
    """The best chances of the player to move after a ticked move: with its colour and symbols, and dashed."""
    name = reader.t("analysis.view.after_best", move=move_name(position.game, move, reader.language))
    line = Line.of_chances(name, first, at_least, colour=players + place, dash=1)
    return replace(line, symbol=place, in_legend=False)
