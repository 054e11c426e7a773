"""Count the states and values of the two-player game by filled categories, and estimate the work of solving it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import typer

from yatzy import lab, matches
from yatzy.cli import terminal
from yatzy.cli.options import GameArgument, Json, Threads
from yatzy.games import load_game
from yatzy.report.document import Table
from yatzy.report.terminal import print_blocks

if TYPE_CHECKING:
    from yatzy.matches import MatchCounts


def command(
    game: GameArgument = "yatzy",
    time: Annotated[
        bool, typer.Option("--time", help="Estimate the time that solving would take on this machine.")
    ] = False,
    threads: Threads = None,
    json: Json = False,
) -> None:
    chosen = load_game(game)
    with terminal.watching() as watch:
        found = matches.count_match(chosen, watch(f"the pairs of {chosen.name()}", "Counting"))
    rate = None
    if time:
        rate = lab.values_per_second(chosen, threads)
    if json:
        terminal.print_json(_count_fields(found, rate))
    else:
        _print_counts(found, rate)


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


def _print_counts(found: MatchCounts, rate: float | None) -> None:
    rows = []
    for row in found.rows:
        depth = found.depth(row)
        size = f"{found.size(np.float32, depth) / 2**30:,.2f}"
        rows.append((str(depth), f"{row.mover}, {row.opponent}", f"{row.pairs:,}", f"{row.values:,}", size))
    rows.append(("", "all", f"{found.pairs:,}", f"{found.values:,}", f"{found.size(np.float32) / 2**30:,.2f}"))
    head = ("depth", "filled (mover, opponent)", "pairs of sheets", "values", "GiB to this depth")
    print_blocks([Table(head, tuple(rows), frozenset(), f"{found.game.name()}, two players")])
    if rate:
        days = found.values / rate / 86400
        print(f"This machine solves {rate:,.0f} values per second: all of them would take {days:,.1f} days.")
