"""Count the rolls, keeps, classes and states of a game."""

from __future__ import annotations

from dataclasses import asdict

from rich.table import Table

from yatzy.cli import terminal
from yatzy.cli.options import GameArgument, Json
from yatzy.games import load_game
from yatzy.model import count_game

_WORDS = {
    "rolls": "rolls",
    "keeps": "keeps",
    "keep_roll_pairs": "pairs (keep, roll that it can become)",
    "turn_states": "states inside a turn",
    "upper_pairs": "pairs (filled upper categories, capped sum)",
    "upper_pairs_reachable": "… that can occur",
    "upper_classes_unsettled": "… merged by their future",
    "upper_classes": "… with “bonus won” and “out of reach” as one",
    "rest_sets": "sets of filled lower categories (times Joker box)",
    "states_plain": "states between turns, nothing merged",
    "states_unsettled": "… merged by their future",
    "states": "… as solved",
    "layers": "layers",
    "turns": "turns",
}


def command(game: GameArgument = "yatzy", json: Json = False) -> None:
    chosen = load_game(game)
    numbers = asdict(count_game(chosen))
    if json:
        terminal.print_json({"game": chosen.id, **numbers})
        return
    table = Table("what", title=chosen.name())
    table.add_column("how many", justify="right")
    for key, number in numbers.items():
        table.add_row(_WORDS[key], f"{number:,}")
    terminal.print_table(table)
