"""Replay one game of `yatzy simulate` and show it turn by turn."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from yatzy.cli import lab_options, terminal
from yatzy.cli.opening import open_solver
from yatzy.cli.options import Json, Language, Tables
from yatzy.games import load_game
from yatzy.games.record_csv import write_csv
from yatzy.lab import PlayedTurn
from yatzy.lab import replay as play_again
from yatzy.lab.records import replay_record
from yatzy.names import Origin
from yatzy.report.lab import replay_blocks
from yatzy.report.terminal import print_blocks
from yatzy.store.files import check_target, write_atomic


def command(
    number: Annotated[int, typer.Argument(metavar="NUMBER", min=0, help="The number of the game, from 0.")],
    game: lab_options.GameName = "yatzy",
    strategy: lab_options.StrategyName = "expected",
    seed: lab_options.Seed = 1,
    stream: Annotated[
        int, typer.Option("--stream", min=0, help="Whose dice to use, if there are several players; see yatzy players.")
    ] = 0,
    record: Annotated[
        Path | None,
        typer.Option("--record", metavar="FILE", help="Write the game as a record, for yatzy review: text or .csv."),
    ] = None,
    language: Language = "en",
    tables: Tables = None,
    json: Json = False,
) -> None:
    chosen = load_game(game)
    if record is not None:
        check_target(record)
    with open_solver(tables) as solver:
        player = solver.strategy(chosen, strategy, Origin.PERSON)
        turns = play_again(player, seed, number, stream)
    if record is not None:
        written = replay_record(player, turns, seed, number)
        write_atomic(record, write_csv([written]) if record.suffix.lower() == ".csv" else str(written))
    total = sum(turn.points + turn.bonuses for turn in turns)
    if json:
        terminal.print_json(
            {
                "game": chosen.id,
                "strategy": player.name,
                "seed": seed,
                "number": number,
                "total": total,
                "turns": [_fields(turn) for turn in turns],
            }
        )
        return
    print_blocks(replay_blocks(chosen, player.name, seed, number, turns, language))


def _fields(turn: PlayedTurn) -> dict[str, object]:
    return {
        "rolls": [list(roll) for roll in turn.rolls],
        "keeps": [list(keep.dice) for keep in turn.keeps],
        "category": turn.score.category,
        "points": turn.points,
        "bonuses": turn.bonuses,
    }
