"""Build a position from what a person knows of it: the sheets or some sums of one, and the dice.

Missing fields have their values at the start of a game. Errors name fields as the caller does: `--upper` on the command
line, `upper` elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from yatzy.errors import PositionError
from yatzy.games import Game, Groups, Position, Sheet, parse_sheet
from yatzy.games.position import MOST_PLAYERS
from yatzy.games.sheet import possible_points

Call = Callable[[str], str]
"""The name of a field for error messages, from its name in `Known`."""
_OF_SUMS = ("open", "filled", "upper", "points", "yahtzee_box")


@dataclass(frozen=True, slots=True)
class Situation:
    """A position as a person gave it, and what we had to assume about it. `report.situation` puts it in words."""

    position: Position
    assumed: tuple[str, ...] = ()
    """The fields of `Known` that were assumed: `yahtzee_box` and `upper` are 0, `points` are counted from 0."""


@dataclass(frozen=True, slots=True)
class Known:
    """What a person knows of a position; None for fields that were not given.

    Either `sheet` is given, or sums and categories of the sheet of a single player.
    """

    dice: str | None = None
    rolls_left: int | None = None
    open: Sequence[str] | None = None
    """Category names, each text one name or several separated by commas."""
    filled: Sequence[str] | None = None
    upper: int | None = None
    points: int | None = None
    yahtzee_box: str | None = None
    """`open`, `0`, or the points it pays."""
    sheet: Sequence[str] | None = None
    """The sheet of each player in words, in the order of play: `ones 3, sixes 24`."""

    @property
    def nothing(self) -> bool:
        """Whether no field was given."""
        return self == Known()


def situation_of(game: Game, known: Known, call: Call = str) -> Situation:
    """The position that the given fields describe."""
    sheets, assumed = _read_sheets(game, known, call)
    if known.dice is None:
        if known.rolls_left is not None and known.rolls_left != game.rolls:
            raise PositionError(
                "{option} {given} needs {dice}: before the first roll {rolls} are left",
                option=call("rolls_left"),
                given=known.rolls_left,
                dice=call("dice"),
                rolls=game.rolls,
            )
        return Situation(Position(sheets), assumed)
    left = game.rolls - 1 if known.rolls_left is None else known.rolls_left
    return Situation(Position(sheets, game.parse_dice(known.dice), left), assumed)


def _read_sheets(game: Game, known: Known, call: Call) -> tuple[tuple[Sheet, ...], tuple[str, ...]]:
    if not known.sheet:
        sheet, assumed = _read_sheet(game, known, call)
        return (sheet,), assumed
    for field in _OF_SUMS:
        if getattr(known, field) is not None:
            raise PositionError(
                "give either {sheet} or {option}: a sheet has all categories and sums",
                sheet=call("sheet"),
                option=call(field),
            )
    if len(known.sheet) > MOST_PLAYERS:
        raise PositionError("{sheet}: more than {most} players", sheet=call("sheet"), most=MOST_PLAYERS)
    return tuple(parse_sheet(game, text, call("sheet")) for text in known.sheet), ()


def _read_sheet(game: Game, known: Known, call: Call) -> tuple[Sheet, tuple[str, ...]]:
    assumed = []
    shut = _filled_categories(game, known, call)
    box_pays, shut = _read_box(game, known, shut, call)
    if known.yahtzee_box is None and game.joker_box is not None and game.categories[game.joker_box].id in shut:
        assumed.append("yahtzee_box")
    if known.upper is None and (names := _undecided_upper(game, shut)):
        if known.filled is not None:
            raise PositionError(
                "{upper} is needed: with {filled} filled, the sum of the upper categories decides what becomes of"
                " the bonus",
                upper=call("upper"),
                filled=", ".join(names),
            )
        assumed.append("upper")
    if known.points is None and shut:
        assumed.append("points")
    if known.upper is not None and known.upper < 0:
        raise PositionError("{option} {given}: a sum cannot be below 0", option=call("upper"), given=known.upper)
    try:
        sheet = Sheet.of_sums(game, shut, upper=known.upper or 0, points=known.points, box_pays=box_pays)
    except PositionError as error:
        filled = [game.categories[i].id for i in game.upper_categories if game.categories[i].id in shut]
        if known.upper is None and known.points is not None and filled:
            raise PositionError(
                "{upper} is needed: with {filled} filled and 0 there: {error}",
                upper=call("upper"),
                filled=", ".join(filled),
                error=error,
            ) from None
        raise
    return sheet, tuple(assumed)


def _undecided_upper(game: Game, shut: set[str]) -> list[str]:
    """The filled upper categories, if the value of the sheet depends on their sum: if the bonus is within reach."""
    upper = [game.categories[i] for i in game.upper_categories]
    filled = [category.id for category in upper if category.id in shut]
    if game.bonus is None or len(filled) == len(upper):
        return []
    most = sum(max(possible_points(game, category.id)) for category in upper)
    return filled if most >= game.bonus.threshold else []


def _filled_categories(game: Game, known: Known, call: Call) -> set[str]:
    everything = list(game.category_index)
    if known.open is None and known.filled is None:
        return set()
    free = _categories(game, known.open or [])
    shut = _categories(game, known.filled or [])
    if both := [id for id in everything if id in free & shut]:
        raise PositionError("{category} is given as open and as filled", category=both[0])
    if known.open is None:
        return shut
    if known.filled is None:
        return set(everything) - free
    if neither := [id for id in everything if id not in free | shut]:
        raise PositionError(
            "{category} is neither in {open} nor in {filled}; give one of the two lists",
            category=neither[0],
            open=call("open"),
            filled=call("filled"),
        )
    return shut


def _categories(game: Game, texts: Sequence[str]) -> set[str]:
    names = dict.fromkeys(name.strip() for text in texts for name in text.split(","))
    return {game.find_category(name).id for name in names if name}


def _read_box(game: Game, known: Known, shut: set[str], call: Call) -> tuple[bool, set[str]]:
    """Whether the Yahtzee box holds its points, and the filled categories including the box."""
    said, name = known.yahtzee_box, call("yahtzee_box")
    if said is None:
        return False, shut
    box = next((c for c in game.categories if isinstance(c.pattern, Groups)
                and c.pattern.sizes == (game.dice,) and c.pattern.points), None)  # fmt: skip
    if box is None:
        raise PositionError("{name}: {game} has no box for {dice} equal dice", name=name, game=game.id, dice=game.dice)
    if said not in ("open", "0", str(box.fixed_points)):
        raise PositionError("{name} {said}: must be open, 0 or {points}", name=name, said=said, points=box.fixed_points)
    if said == "open":
        if box.id in shut:
            raise PositionError("{box} is filled by the other options, so {name} cannot be open", box=box.id, name=name)
        return False, shut
    if (known.open is not None or known.filled is not None) and box.id not in shut:
        raise PositionError(
            "{box} is open by the other options, so {name} cannot be {said}", box=box.id, name=name, said=said
        )
    return said != "0" and game.joker is not None, shut | {box.id}
