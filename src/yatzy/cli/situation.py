"""From options to a position: either one line of notation, or what is known of the sheet and the dice."""

from __future__ import annotations

from typing import Annotated

import typer

from yatzy.coach import situation
from yatzy.coach.situation import Situation
from yatzy.errors import InputError
from yatzy.games import Position, load_game

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
        return situation.Situation(Position.parse(text, own), ())
    known = situation.Known(dice, rolls_left, open_, filled, upper, points, yahtzee_box)
    return situation.situation_of(load_game(game_name or "yatzy"), known, _option)


def _option(field: str) -> str:
    return "--" + field.replace("_", "-")
