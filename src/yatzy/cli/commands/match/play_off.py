"""Play many matches of two to six players, in every order of the seats with the same dice."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from yatzy.cli import lab_options, terminal
from yatzy.cli.commands.players import seats
from yatzy.cli.opening import open_solver
from yatzy.cli.options import Json, Language, OnWorkers, PayoffOption, Tables, Threads
from yatzy.errors import InputError, Message
from yatzy.games import Game, load_game
from yatzy.lab.duel import NEARLY_BEST, Duellist, PlayOff, parse_duellist
from yatzy.lab.remote import play_off_with
from yatzy.lab.seat_orders import FEWEST, MOST, SeatOrders, play_all_orders
from yatzy.names import Origin, Softened, parse_strategy
from yatzy.names.payoffs import match_points, payoff_for
from yatzy.report.match import play_off_blocks, seat_orders_blocks
from yatzy.report.terminal import print_blocks
from yatzy.solver import Solver

PLAYERS = (
    f"{NEARLY_BEST}, {Softened(NEARLY_BEST)}, or a fast strategy for one player, such as expected or greedy;"
    " 3*expected means three players."
)


def command(
    players: Annotated[list[str], typer.Argument(metavar="PLAYER ...", help=PLAYERS)],
    game: lab_options.GameName = "yatzy",
    games: Annotated[
        int, typer.Option("--games", min=2, max=2**31 - 1, help="Number of matches, over all seating orders.")
    ] = 100_000,
    payoff: PayoffOption = "match-points",
    seed: lab_options.Seed = 1,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", metavar="FOLDER", help="Keep finished parts in this folder; an interrupted run resumes there."
        ),
    ] = None,
    on: OnWorkers = None,
    language: Language = "en",
    threads: Threads = None,
    tables: Tables = None,
    json: Json = False,
) -> None:
    chosen, names = load_game(game), seats(players)
    _check(names, payoff, out)
    with open_solver(tables, threads, on) as solver:
        duellists = {name: _duellist(name, chosen, solver) for name in dict.fromkeys(names)}
        table = [duellists[name] for name in names]
        if len(names) > 2 or out is not None or payoff_for(payoff, 2) != match_points(2):
            found = play_all_orders(table, games, seed, payoff, solver, out)
            shown, fields = seat_orders_blocks(found, payoff, language), _seat_orders_fields(found, names, payoff)
        else:
            pairs = (games + 1) // 2
            watch = solver.watch(Message("{matches:,} matches", matches=2 * pairs), "Playing")
            result = play_off_with(table[0], table[1], pairs, seed, solver, watch)
            shown, fields = play_off_blocks(result, language), _play_off_fields(result)
    if json:
        terminal.print_json(fields)
        return
    print_blocks(shown)


def _check(names: list[str], payoff: str, out: Path | None) -> None:
    """Refuse a play-off that cannot be played, before anything is computed."""
    if not FEWEST <= len(names) <= MOST:
        raise InputError(
            "a play-off has {fewest} to {most} players, not {count}", fewest=FEWEST, most=MOST, count=len(names)
        )
    payoff_for(payoff, len(names))
    for name in names:
        parsed = parse_strategy(name)
        if out is not None and (parsed.reads_file or parsed.runs_code):
            raise InputError("{name}: its file may change, so its matches cannot be kept; leave --out away", name=name)


def _seat_orders_fields(result: SeatOrders, names: list[str], payoff: str) -> dict[str, Any]:
    return {
        "game": result.game.id,
        "players": names,
        "payoff": payoff,
        "matches": result.matches,
        "orders": len(result.orders),
        "seed": result.seed,
        "strategies": result.standings,
        "by_seat": result.by_seat,
    }


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
