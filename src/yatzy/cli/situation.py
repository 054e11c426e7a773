"""From options to a position: either one line of notation, or what is known of the sheet and the dice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from yatzy.errors import InputError, PositionError
from yatzy.games import (
    Game,
    Groups,
    Position,
    Sheet,
    find_category,
    load_game,
    load_preset,
    parse_dice,
    parse_position,
)

PositionArgument = Annotated[
    str | None,
    typer.Argument(metavar="[POSITION]", help="A position as one line of text, instead of options."),
]
GameOption = Annotated[str | None, typer.Option("--game", help="A preset or a .toml file  [default: yatzy]")]
Dice = Annotated[str | None, typer.Option("--dice", help="The dice on the table, such as 13356.")]
RollsLeft = Annotated[int | None, typer.Option("--rolls-left", help="Rolls left in this turn.")]
Open = Annotated[list[str] | None, typer.Option("--open", help="Open categories, separated by commas.")]
Filled = Annotated[list[str] | None, typer.Option("--filled", help="Filled categories, separated by commas.")]
Upper = Annotated[int | None, typer.Option("--upper", help="Sum of the upper categories so far.")]
Points = Annotated[int | None, typer.Option("--points", help="Points so far, bonuses included.")]
YahtzeeBox = Annotated[str | None, typer.Option("--yahtzee-box", help="What the Yahtzee box holds: open, 0 or 50.")]


@dataclass(frozen=True, slots=True)
class Situation:
    """A position as a person gave it, and what we had to assume about it."""

    position: Position
    notes: tuple[str, ...]


def read_situation(
    text: str | None,
    game_name: str | None,
    dice: str | None = None,
    rolls_left: int | None = None,
    open_: list[str] | None = None,
    filled: list[str] | None = None,
    upper: int | None = None,
    points: int | None = None,
    yahtzee_box: str | None = None,
) -> Situation:
    """Put a position together; whatever is left out is as at the start of a game."""
    if text is not None:
        given = (dice, rolls_left, open_, filled, upper, points, yahtzee_box)
        if any(option is not None for option in given):
            raise InputError("give either a position as one line of text or options, not both")
        own = load_game(game_name) if game_name is not None else None
        return Situation(parse_position(text, lambda id: _find_game(id, own)), ())
    game = load_game(game_name or "yatzy")
    sheet, notes = _read_sheet(game, open_, filled, upper, points, yahtzee_box)
    if dice is None:
        if rolls_left is not None and rolls_left != game.rolls:
            raise PositionError(f"--rolls-left {rolls_left} needs --dice: before the first roll {game.rolls} are left")
        return Situation(Position((sheet,)), notes)
    left = game.rolls - 1 if rolls_left is None else rolls_left
    return Situation(Position((sheet,), parse_dice(game, dice), left), notes)


def _find_game(id: str, own: Game | None) -> Game:
    return own if own is not None and own.id == id else load_preset(id)


def _read_sheet(
    game: Game,
    open_: list[str] | None,
    filled: list[str] | None,
    upper: int | None,
    points: int | None,
    yahtzee_box: str | None,
) -> tuple[Sheet, tuple[str, ...]]:
    notes = []
    shut = _filled_categories(game, open_, filled)
    box_pays, shut = _read_box(game, yahtzee_box, shut, named=open_ is not None or filled is not None)
    if yahtzee_box is None and game.joker_box is not None and game.categories[game.joker_box].id in shut:
        notes.append("the Yahtzee box is taken to hold 0; say --yahtzee-box 50 if it holds 50")
    if points is None and shut:
        notes.append("values are points still to come; say --points for final scores")
    if upper is not None and upper < 0:
        raise PositionError(f"--upper {upper}: a sum cannot be below 0")
    return Sheet.of_sums(game, shut, upper=upper or 0, points=points, box_pays=box_pays), tuple(notes)


def _filled_categories(game: Game, open_: list[str] | None, filled: list[str] | None) -> set[str]:
    everything = list(game.category_index)
    if open_ is None and filled is None:
        return set()
    free = _categories(game, open_ or [])
    shut = _categories(game, filled or [])
    if both := [id for id in everything if id in free & shut]:
        raise PositionError(f"{both[0]} is given as open and as filled")
    if open_ is None:
        return shut
    if filled is None:
        return set(everything) - free
    if neither := [id for id in everything if id not in free | shut]:
        raise PositionError(f"{neither[0]} is neither in --open nor in --filled; give one of the two lists")
    return shut


def _categories(game: Game, texts: list[str]) -> set[str]:
    names = [name.strip() for text in texts for name in text.split(",")]
    return {find_category(game, name).id for name in names if name}


def _read_box(game: Game, yahtzee_box: str | None, shut: set[str], named: bool) -> tuple[bool, set[str]]:
    """Whether the Yahtzee box holds its points, and the filled categories with it among them."""
    if yahtzee_box is None:
        return False, shut
    box = next((c for c in game.categories if isinstance(c.pattern, Groups)
                and c.pattern.sizes == (game.dice,) and c.pattern.points), None)  # fmt: skip
    if box is None:
        raise PositionError(f"--yahtzee-box: {game.id} has no box for {game.dice} equal dice")
    if yahtzee_box not in ("open", "0", str(box.fixed_points)):
        raise PositionError(f"--yahtzee-box {yahtzee_box}: must be open, 0 or {box.fixed_points}")
    if yahtzee_box == "open":
        if box.id in shut:
            raise PositionError(f"{box.id} is filled by the other options, so --yahtzee-box cannot be open")
        return False, shut
    if named and box.id not in shut:
        raise PositionError(f"{box.id} is open by the other options, so --yahtzee-box cannot be {yahtzee_box}")
    return yahtzee_box != "0" and game.joker is not None, shut | {box.id}
