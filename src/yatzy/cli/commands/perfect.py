"""Compute the exact probability of a perfect game, the highest possible score, when playing for nothing else."""

from __future__ import annotations

import time
from fractions import Fraction
from typing import Annotated

import typer

from yatzy.cli import terminal
from yatzy.cli.options import GameArgument, Json, Language
from yatzy.errors import Message
from yatzy.evaluation.perfect import decimal_text, perfect_chance
from yatzy.games import load_game
from yatzy.report.perfect import perfect_lines

Digits = Annotated[int, typer.Option("--digits", min=1, max=10000, help="Number of digits after the decimal point.")]


def command(game: GameArgument = "yatzy", digits: Digits = 40, language: Language = "en", json: Json = False) -> None:
    chosen = load_game(game)
    begun = time.perf_counter()
    with terminal.watching() as watch:
        found = perfect_chance(chosen, watch(Message("{game} for a perfect game", game=chosen)))
    seconds = time.perf_counter() - begun
    if json:
        numerator, denominator = map(decimal_text, found.probability.as_integer_ratio())
        terminal.print_json(
            {
                "game": chosen.id,
                "score": found.score,
                "digits": digits,
                "probability": found.digits(digits),
                "numerator": numerator,
                "denominator": denominator,
                "one_in": _number(1 / found.probability),
                "states": found.states,
                "seconds": seconds,
            }
        )
        return
    terminal.print_lines(perfect_lines(found, digits, seconds, language))


def _number(value: Fraction) -> float | None:
    """A fraction as a number for JSON; None if it is too large for a float."""
    try:
        return float(value)
    except OverflowError:
        return None
