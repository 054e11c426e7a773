"""Options shared by the commands of the lab."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from yatzy.cli import completion
from yatzy.errors import InputError
from yatzy.games import Game, load_game
from yatzy.lab.plots import check_format
from yatzy.names import strategy_forms

GameName = Annotated[str, typer.Option("--game", autocompletion=completion.games, help="A preset or a .toml file.")]
StrategyName = Annotated[
    str,
    typer.Option(
        "--strategy",
        autocompletion=completion.strategies,
        help=f"The strategy that plays: {', '.join(strategy_forms())} (docs/strategies.md).",
    ),
]
Games = Annotated[int, typer.Option("--games", min=1, max=2**31 - 1, help="Number of games.")]
Seed = Annotated[int, typer.Option("--seed", min=0, max=2**64 - 1, help="Seed of the dice.")]
AtLeast = Annotated[
    str | None,
    typer.Option(
        "--at-least", metavar="SCORES", help="Also print the share of games with at least this score: 250,300,…"
    ),
]


LONGEST_SCORE = 9
"""Maximum number of digits; no game pays that much."""
MOST_SCORES = 1000
LONGEST_SPAN = 2
"""Maximum number of digits of a number of categories."""


def read_scores(text: str | None) -> list[int]:
    """Parse scores separated by commas."""
    if text is None:
        return []
    parts = [part.strip() for part in text.split(",", MOST_SCORES)]
    if len(parts) > MOST_SCORES:
        raise InputError("--at-least: at most {most} scores", most=MOST_SCORES)
    for part in parts:
        if not (part.isascii() and part.isdigit()) or len(part) > LONGEST_SCORE:
            raise InputError("--at-least: {part!r} is not a score; expected for example 250,300", part=part[:40])
    return [int(part) for part in parts]


def read_span(text: str, option: str, example: str) -> tuple[int, int]:
    """Parse a number or a range of numbers: `3` or `1-3`."""
    first, dash, last = text.strip().partition("-")
    numbers = (first, last if dash else first)
    if not all(number.isascii() and number.isdigit() and len(number) <= LONGEST_SPAN for number in numbers):
        raise InputError(
            "{option}: {text!r} is not a number or a range; expected for example {example}",
            option=option,
            text=text.strip()[:40],
            example=example,
        )
    low, high = map(int, numbers)
    if high < low:
        raise InputError(
            "{option}: {text} is not a range; expected for example {example}",
            option=option,
            text=text.strip(),
            example=example,
        )
    return low, high


def check_plot(plot: Path | None) -> None:
    """Reject a figure that could not be written, before anything is computed."""
    if plot is not None:
        check_format(plot)


def side(text: str, game: str) -> tuple[Game, str]:
    """Parse `STRATEGY` or `GAME@STRATEGY` into a game and the name of a strategy."""
    name, at, strategy = text.partition("@")
    return (load_game(name), strategy) if at else (load_game(game), text)
