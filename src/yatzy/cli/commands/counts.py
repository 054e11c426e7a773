"""Count the rolls, keeps, classes and states of a game."""

from __future__ import annotations

from dataclasses import asdict

from yatzy.cli import terminal
from yatzy.cli.options import GameArgument, Json, Language
from yatzy.games import load_game
from yatzy.model import count_game
from yatzy.report.counts import count_table
from yatzy.report.terminal import print_blocks


def command(game: GameArgument = "yatzy", language: Language = "en", json: Json = False) -> None:
    chosen = load_game(game)
    numbers = asdict(count_game(chosen))
    if json:
        terminal.print_json({"game": chosen.id, **numbers})
        return
    print_blocks([count_table(chosen, numbers, language)])
