"""Play many games by one strategy: mean, spread, percentiles, bonus and every category, with standard errors."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from yatzy.cli import sampled, show
from yatzy.cli.options import Json, Language, Tables, Threads
from yatzy.cli.solved import open_solver
from yatzy.games import load_game

if TYPE_CHECKING:
    from yatzy.lab import SimulatedGames


def command(
    game: sampled.GameName = "yatzy",
    strategy: sampled.StrategyName = "expected",
    games: sampled.Games = 100_000,
    seed: sampled.Seed = 1,
    at_least: sampled.AtLeast = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", help="Write one row a game to this Parquet file; an interrupted run goes on."),
    ] = None,
    plot: sampled.Plot = None,
    language: Language = "en",
    threads: Threads = None,
    tables: Tables = None,
    json: Json = False,
) -> None:
    chosen, scores = load_game(game), sampled.read_scores(at_least)
    sampled.check_plot(plot)
    if out is not None:
        from yatzy.lab.results import check_out

        check_out(out)
    with open_solver(tables, threads) as solver:
        player = sampled.open_strategy(strategy, chosen, solver)
        watch = solver.watch(f"{games:,} games by {player.name}", "Playing")
        if out is None:
            from yatzy.lab import simulate as play

            played = play(player, games, seed, threads, watch)
        else:
            from yatzy.lab.results import run_to_file

            played = run_to_file(player, games, seed, out, threads, watch, show.note)
    if plot is not None:
        _draw(played, plot)
    if json:
        show.print_json(sampled.fields(played, scores))
    else:
        sampled.print_sample(played, scores, language)


def _draw(games: SimulatedGames, plot: Path) -> None:
    from yatzy.lab.figures import Series, draw_scores, write

    title = f"{games.game.name()}: final score of {games.strategy}"
    write(draw_scores(Series(games.strategy, games.total), title, sampled.caption(games)), plot)
