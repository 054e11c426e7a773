"""Games of synthetic people of known strength, as a CSV file of many games."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from itertools import permutations

from yatzy.games import show_dice
from yatzy.lab.traces import Traces, trace
from yatzy.model import compile_game
from yatzy.strategies.base import Strategy

Seated = Sequence[tuple[str, Traces]]
"""The players of a table, in the order of play, each with the same number of games."""


def csv_of(tables: Sequence[Seated]) -> str:
    """The games of some tables as rows, as `yatzy review` reads them: rolls, keeps and categories, no points."""
    game = tables[0][0][1].game
    lattice, ids = compile_game(game).lattice, list(game.category_index)
    dice = [show_dice(one) for one in lattice.keeps]
    columns = [f"{kind}{roll}" for roll in range(1, game.rolls + 1) for kind in ("roll", "keep")][:-1]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["game_number", "game", "player", "turn", *columns, "category"])
    number = 0
    for seated in tables:
        for place in range(len(seated[0][1])):
            number += 1
            for name, played in seated:
                rolls, keeps = played.rolls[place] + lattice.first_roll, played.keeps[place]
                for turn in range(len(ids)):
                    thrown = [dice[one] for one in rolls[turn]]
                    kept = [dice[one] for one in keeps[turn]]
                    steps = [step for pair in zip(thrown, kept, strict=False) for step in pair]
                    score = ids[played.category[place, turn]] + ("=0" if played.struck[place, turn] else "")
                    writer.writerow([number, game.id, name, turn + 1, *steps, thrown[-1], score])
    return out.getvalue()


def play_everyone(people: Mapping[str, Strategy], games: int, seed: int) -> list[Seated]:
    """Matches of two: everyone against everyone else, so many games in each order of the seats."""
    tables: list[Seated] = []
    for pair in permutations(people, 2):
        streams = (2 * len(tables), 2 * len(tables) + 1)
        tables.append(
            [
                (name, trace(people[name], games, seed, stream=stream))
                for name, stream in zip(pair, streams, strict=True)
            ]
        )
    return tables
