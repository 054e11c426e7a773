"""Count the rolls, keeps, classes and states of a game."""

from __future__ import annotations

from dataclasses import asdict

from yatzy.cli import terminal
from yatzy.cli.options import GameArgument, Json
from yatzy.games import load_game
from yatzy.model import count_game
from yatzy.report.document import Table
from yatzy.report.terminal import print_blocks

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
    rows = tuple((_WORDS[key], f"{number:,}") for key, number in numbers.items())
    print_blocks([Table(("what", "how many"), rows, frozenset({0}), chosen.name())])
