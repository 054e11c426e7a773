"""Compute the exact probability of a perfect game, the highest possible score, when playing for nothing else."""

from __future__ import annotations

import time
from fractions import Fraction
from typing import Annotated

import typer

from yatzy.cli import terminal
from yatzy.cli.options import GameArgument, Json
from yatzy.evaluation.perfect import decimal_text, perfect_chance
from yatzy.games import load_game

Digits = Annotated[int, typer.Option("--digits", min=1, max=10000, help="Number of digits after the decimal point.")]


def command(game: GameArgument = "yatzy", digits: Digits = 40, json: Json = False) -> None:
    chosen = load_game(game)
    begun = time.perf_counter()
    with terminal.watching() as watch:
        found = perfect_chance(chosen, watch(f"{chosen.name()} for a perfect game"))
    seconds = time.perf_counter() - begun
    numerator, denominator = map(decimal_text, found.probability.as_integer_ratio())
    if json:
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
    print(f"{chosen.name()}: the highest score is {found.score:,} points")
    print(f"Playing for nothing else reaches it with probability {found.digits(digits)}")
    print(f"That is 1 in {_shown(1 / found.probability)},")
    print(f"a fraction of {len(numerator):,} over {len(denominator):,} digits")
    print(f"{found.states:,} states, solved in {seconds:.2f} s")


def _number(value: Fraction) -> float | None:
    """A fraction as a number for JSON; None if it is too large for a float."""
    try:
        return float(value)
    except OverflowError:
        return None


def _shown(value: Fraction) -> str:
    """A rounded number for people: 2.37; 760,651; 7.6065 · 10^30."""
    if value < 1000:
        return f"{float(value):.4g}"
    if value < 10**21:
        return f"{round(value):,}"
    whole = decimal_text(int(value))
    return f"{whole[0]}.{whole[1:6]} · 10^{len(whole) - 1}"
