"""Compute the best response to opponents with known strategies, and what it gains over playing for points."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import numpy.typing as npt
import typer

from yatzy import matches
from yatzy.cli import lab_options, terminal
from yatzy.cli.commands.players import seats
from yatzy.cli.opening import open_solver
from yatzy.cli.options import Json, Language, PayoffOption, Tables, Threads
from yatzy.errors import Message
from yatzy.games import load_game
from yatzy.lab import Estimate, simulate
from yatzy.lab.sample import mean_of
from yatzy.names import Origin
from yatzy.names.payoffs import payoff_for
from yatzy.report.match import response_blocks
from yatzy.report.terminal import print_blocks
from yatzy.strategies.base import Strategy

if TYPE_CHECKING:
    from yatzy.matches import BestAnswer, Gain

EXPECTED = "expected"


def command(
    strategies: Annotated[
        list[str],
        typer.Argument(metavar="STRATEGY ...", help="One for each opponent; 3*expected means three opponents."),
    ],
    game: lab_options.GameName = "yatzy",
    payoff: PayoffOption = "match-points",
    games: Annotated[
        int, typer.Option("--games", min=0, max=2**31 - 1, help="Number of games to simulate as a check; 0 for none.")
    ] = 100_000,
    seed: lab_options.Seed = 1,
    language: Language = "en",
    threads: Threads = None,
    tables: Tables = None,
    json: Json = False,
) -> None:
    chosen, names = load_game(game), seats(strategies)
    pays = payoff_for(payoff, len(names) + 1)
    with open_solver(tables, threads) as solver:

        def play(strategy: Strategy, stream: int) -> npt.NDArray[np.int32]:
            watch = solver.watch(
                Message("{games:,} games by {strategy}", games=games, strategy=strategy.name), "Playing"
            )
            return simulate(strategy, games, seed, threads, watch, stream=stream).total

        opened = {name: solver.strategy(chosen, name, Origin.PERSON) for name in dict.fromkeys([*names, EXPECTED])}
        players = {name: matches.fixed_player(strategy, solver) for name, strategy in opened.items()}
        best = matches.BestAnswer(chosen, [players[name] for name in names], pays, solver)
        found = matches.gain(best, players[EXPECTED], play if games else None, solver)
    if json:
        terminal.print_json(_fields(best, found, payoff, seed))
    else:
        shown = response_blocks(best, payoff, _exactly(found), _simulated(found), games, seed, language)
        print_blocks(shown)


def _simulated(found: Gain) -> dict[str, Estimate] | None:
    """The mean payoffs in the simulated games, with standard errors."""
    if found.games is None:
        return None
    return {name: mean_of(getattr(found.games, name)) for name in ("answer", "expected", "gain")}


def _exactly(found: Gain) -> dict[str, float]:
    return {"answer": found.answer_exact, "expected": found.expected_exact, "gain": found.gain_exact}


def _fields(best: BestAnswer, found: Gain, payoff: str, seed: int) -> dict[str, Any]:
    return {
        "game": best.game.id,
        "objective": best.objective,
        "opponents": [one.name for one in best.opponents],
        "payoff": payoff,
        "exact": _exactly(found),
        "games": len(found.games.answer) if found.games else 0,
        "seed": seed if found.games else None,
        "simulated": _simulated(found),
        "cached": best.table.cached,
    }
