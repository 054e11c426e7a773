"""A position from options: one line of notation, or the dice and the sheets or what is known of one."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from typing import Annotated, Any

import typer

from yatzy.cli import completion, terminal
from yatzy.coach.situation import Known, Situation, situation_of
from yatzy.errors import InputError
from yatzy.games import Position, load_game
from yatzy.report.situation import situation_notes

GameOption = Annotated[
    str | None,
    typer.Option("--game", autocompletion=completion.games, help="A preset or a .toml file (default: yatzy)."),
]

_SHEET = re.compile(r"[\s=,]")
"""Signs of a sheet in words that no position has."""


def read_situation(
    position: Annotated[
        str | None,
        typer.Argument(metavar="[POSITION]", help="A position as one line of text, instead of options."),
    ] = None,
    game: GameOption = None,
    dice: Annotated[str | None, typer.Option("--dice", help="The dice on the table, such as 13356.")] = None,
    rolls_left: Annotated[int | None, typer.Option("--rolls-left", help="Rolls left in this turn.")] = None,
    open: Annotated[
        list[str] | None,
        typer.Option("--open", autocompletion=completion.categories, help="Open categories, separated by commas."),
    ] = None,
    filled: Annotated[
        list[str] | None,
        typer.Option("--filled", autocompletion=completion.categories, help="Filled categories, separated by commas."),
    ] = None,
    upper: Annotated[int | None, typer.Option("--upper", help="Sum of the upper categories so far.")] = None,
    points: Annotated[int | None, typer.Option("--points", help="Points so far, including bonuses.")] = None,
    sheet: Annotated[
        list[str] | None,
        typer.Option(
            "--sheet",
            metavar="BOXES",
            autocompletion=completion.boxes,
            help="The filled boxes with their points, instead of sums: ones=3,sixes=24 or 'ones 3, sixes 24'. "
            "Once for each player, in the order of play.",
        ),
    ] = None,
    yahtzee_box: Annotated[str | None, typer.Option("--yahtzee-box", help="The Yahtzee box: open, 0 or 50.")] = None,
) -> Situation:
    """Build a position from the options; missing ones are as at the start of a game."""
    known = Known(dice, rolls_left, open, filled, upper, points, yahtzee_box, sheet or None)
    if position is None:
        return situation_of(load_game(game or "yatzy"), known, option_name)
    if known != Known():
        raise InputError("give either a position as one line of text or options, not both")
    if _SHEET.search(position):
        raise InputError(
            "{position!r} is not a position such as yatzy~d13356~r2; a sheet in words is given with --sheet",
            position=position[:60],
        )
    return Situation(Position.parse(position, None if game is None else load_game(game)))


def takes_situation(*without: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Replace the parameter `asked` of a command by the options of `read_situation`, except those in `without`."""
    options = [one for one in _parameters(read_situation) if one.name not in without]

    def replace(command: Callable[..., None]) -> Callable[..., None]:
        parameters = list[inspect.Parameter]()
        for one in _parameters(command):
            parameters += options if one.name == "asked" else [one]

        def call(**given: Any) -> None:
            asked = read_situation(**{one.name: given.pop(one.name) for one in options})
            command(asked=asked, **given)

        # Typer reads both.
        call.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        call.__annotations__ = {one.name: one.annotation for one in parameters}
        return call

    return replace


def _parameters(function: Callable[..., Any]) -> list[inspect.Parameter]:
    return list(inspect.signature(function, eval_str=True).parameters.values())


def print_assumptions(asked: Situation, language: str) -> None:
    """Print what was assumed about the position, as notes."""
    terminal.print_notes(situation_notes(asked, language, option_name), language)


def option_name(field: str) -> str:
    """The option that gives a field of a position."""
    return "--" + field.replace("_", "-")
