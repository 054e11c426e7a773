"""Play many two-player matches, each twice with the same dice and the players swapped."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from yatzy.cli import lab_options, terminal
from yatzy.cli.opening import open_solver
from yatzy.cli.options import Json, Language, Tables, Threads
from yatzy.games import Game, load_game
from yatzy.lab.duel import NEARLY_BEST, Duellist, PlayOff, parse_duellist
from yatzy.lab.duel import play_off as play
from yatzy.names import Origin, Softened
from yatzy.report.match import play_off_blocks
from yatzy.report.terminal import print_blocks
from yatzy.solver import Solver

PLAYERS = f"{NEARLY_BEST}, {Softened(NEARLY_BEST)}, or a fast strategy for one player, such as expected or greedy."


def command(
    first: Annotated[str, typer.Argument(metavar="PLAYER", help=PLAYERS)],
    second: Annotated[str, typer.Argument(metavar="PLAYER", help="The other player.")],
    game: lab_options.GameName = "yatzy",
    games: Annotated[
        int, typer.Option("--games", min=2, max=2**31 - 1, help="Number of matches, counting both of each pair.")
    ] = 100_000,
    seed: lab_options.Seed = 1,
    language: Language = "en",
    threads: Threads = None,
    tables: Tables = None,
    json: Json = False,
) -> None:
    chosen, pairs = load_game(game), (games + 1) // 2
    with open_solver(tables, threads) as solver:
        players = [_duellist(name, chosen, solver) for name in (first, second)]
        watch = solver.watch(f"{2 * pairs:,} matches", "Playing")
        result = play(players[0], players[1], pairs, seed, threads, watch)
    if json:
        terminal.print_json(_play_off_fields(result))
        return
    print_blocks(play_off_blocks(result, language))


def _play_off_fields(result: PlayOff) -> dict[str, Any]:
    sample = result.matches[0].first
    return {
        "game": sample.game.id,
        "players": list(result.names),
        "matches": 2 * len(sample),
        "seed": sample.seed,
        **{n: getattr(result, n) for n in ("score", "advantage", "wins", "draws", "moving_first")},
        "means": result.means,
    }


def _duellist(name: str, game: Game, solver: Solver) -> Duellist:
    return parse_duellist(name, game, solver, Origin.PERSON)
