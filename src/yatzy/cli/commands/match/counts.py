"""Count the states and values of the two-player game by filled categories, and estimate the work of solving it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import typer

from yatzy import lab, matches
from yatzy.cli import terminal
from yatzy.cli.options import GameArgument, Json, Language, Threads
from yatzy.errors import Message
from yatzy.games import load_game
from yatzy.report.counts import match_count_blocks
from yatzy.report.terminal import print_blocks

if TYPE_CHECKING:
    from yatzy.matches import MatchCounts


def command(
    game: GameArgument = "yatzy",
    time: Annotated[
        bool, typer.Option("--time", help="Estimate the time that solving would take on this machine.")
    ] = False,
    language: Language = "en",
    threads: Threads = None,
    json: Json = False,
) -> None:
    chosen = load_game(game)
    with terminal.watching() as watch:
        found = matches.count_match(chosen, watch(Message("the pairs of {game}", game=chosen), "Counting"))
    rate = None
    if time:
        rate = lab.values_per_second(chosen, threads)
    if json:
        terminal.print_json(_count_fields(found, rate))
    else:
        print_blocks(match_count_blocks(found, rate, language))


def _count_fields(found: MatchCounts, rate: float | None) -> dict[str, Any]:
    return {
        "game": found.game.id,
        "rows": [
            {"mover": r.mover, "opponent": r.opponent, "pairs": r.pairs, "values": r.values, "depth": found.depth(r)}
            for r in found.rows
        ],
        "pairs": found.pairs,
        "values": found.values,
        "bytes": found.size(np.float32),
        "values_per_second": rate,
        "seconds": found.values / rate if rate else None,
    }
