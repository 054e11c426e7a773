"""Score sheets: the lines of a sheet, the sheet of one player as a table, and the list of saved games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from yatzy.games import Category, Position, Sheet, placements
from yatzy.report.document import Table
from yatzy.report.texts import text

if TYPE_CHECKING:
    from yatzy.coach.play.saved import SavedGame


@dataclass(frozen=True, slots=True)
class SheetLine:
    """One category of a sheet."""

    number: int
    """From 1, in the order of the sheet."""
    category: Category
    filled: bool
    points: int | None
    """None if the category is open, or if its points are unknown."""
    offer: int | None
    """The points that the dice would score; None if the category is filled or there are no dice."""
    offered_bonus: int
    """The Joker bonus that the dice would score in addition."""


def sheet_lines(sheet: Sheet, dice: tuple[int, ...] = ()) -> tuple[SheetLine, ...]:
    """The lines of a sheet, with what the dice would score, if there are any."""
    game = sheet.game
    found = {place.category: place for place in placements(sheet, dice)} if len(dice) == game.dice else {}
    lines = []
    for number, category in enumerate(game.categories):
        filled, place = bool(sheet.filled >> number & 1), found.get(number)
        points = sheet.boxes[number] if sheet.boxes is not None and filled else None
        offer, bonus = (None, 0) if place is None else (place.points, place.joker_bonus)
        lines.append(SheetLine(number + 1, category, filled, points, offer, bonus))
    return tuple(lines)


def points_text(line: SheetLine, unknown: str = "x") -> str:
    """The points of a filled category."""
    return unknown if line.points is None else str(line.points)


def bonus_progress(sheet: Sheet) -> str:
    """The upper sum and the threshold of the bonus; empty without a bonus."""
    bonus = sheet.game.bonus
    return "" if bonus is None else f"{sheet.upper}/{bonus.threshold}"


def sheet_table(position: Position, language: str = "en") -> Table:
    """The sheet of the player to move in two halves. What the dice would score is in brackets."""
    lines, upper = sheet_lines(position.sheet, position.dice), len(position.game.upper_categories)
    half = upper if 0 < upper < len(lines) else (len(lines) + 1) // 2
    left, right = ([_cells(line, language) for line in side] for side in (lines[:half], lines[half:]))
    height = max(len(left), len(right))
    pad = [("", "")] * height
    rows = tuple((*a, *b) for a, b in zip([*left, *pad][:height], [*right, *pad][:height], strict=True))
    narrow = Table(("", ""), (*left, *right), frozenset({0}), _sums(position))
    return Table(("", "", "", ""), rows, frozenset({0, 2}), _sums(position), narrow=narrow)


def _cells(line: SheetLine, language: str) -> tuple[str, str]:
    if line.filled:
        return line.category.name(language), f"{points_text(line)} "
    offer = "-" if line.offer is None else str(line.offer + line.offered_bonus)
    return line.category.name(language), f"({offer})"


def _sums(position: Position) -> str:
    sheet = position.sheet
    others = [str(other.points) for i, other in enumerate(position.sheets) if i != position.mover]
    points = " – ".join([f"Σ {sheet.points}", *others]) if sheet.points_known else ""
    return "   ".join(part for part in (points, bonus_progress(sheet)) if part)


def saved_table(games: Sequence[SavedGame], language: str = "en") -> Table:
    """The saved games, with the progress of each."""
    rows = []
    for one in games:
        game = one.record.game.id if one.record else ""
        rows.append((str(one.date), game, ", ".join(one.players), _progress(one, language), str(one.path)))
    head = tuple(text(language, f"saved_list.{name}") for name in ("date", "game", "players", "state", "file"))
    return Table(head, tuple(rows), frozenset(range(len(head))))


def _progress(saved: SavedGame, language: str) -> str:
    if saved.record is None:
        return text(language, "saved_list.unreadable")
    if saved.record.over:
        return text(language, "saved_list.finished")
    filled, turns = saved.record.position.sheet.filled.bit_count(), len(saved.record.game.categories)
    return text(language, "saved_list.turn", turn=filled + 1, turns=turns)
