"""Options shared by the commands of the lab, and simulated games as text and JSON."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from yatzy.cli import terminal
from yatzy.errors import InputError
from yatzy.games import Game, load_game
from yatzy.lab import Estimate, SimulatedGames
from yatzy.lab.plots import bars, check_format
from yatzy.names import Origin, strategy_forms
from yatzy.solver import Solver, parse_strategy
from yatzy.strategies.base import Strategy

PERCENTILES = (1, 5, 10, 25, 50, 75, 90, 95, 99)

GameName = Annotated[str, typer.Option("--game", help="A preset or a .toml file.")]
StrategyName = Annotated[
    str,
    typer.Option("--strategy", help=f"The strategy that plays: {', '.join(strategy_forms())} (docs/strategies.md)."),
]
Games = Annotated[int, typer.Option("--games", min=1, max=2**31 - 1, help="Number of games.")]
Seed = Annotated[int, typer.Option("--seed", min=0, max=2**64 - 1, help="Seed of the dice.")]
AtLeast = Annotated[
    str | None,
    typer.Option(
        "--at-least", metavar="SCORES", help="Also print the share of games with at least this score: 250,300,…"
    ),
]
Plot = Annotated[Path | None, typer.Option("--plot", help="Write a figure: .svg, .png or .pdf.")]


LONGEST_SCORE = 9
"""Maximum number of digits; no game pays that much."""
MOST_SCORES = 1000


def read_scores(text: str | None) -> list[int]:
    """Parse scores separated by commas."""
    if text is None:
        return []
    parts = [part.strip() for part in text.split(",", MOST_SCORES)]
    if len(parts) > MOST_SCORES:
        raise InputError(f"--at-least: at most {MOST_SCORES} scores")
    for part in parts:
        if not (part.isascii() and part.isdigit()) or len(part) > LONGEST_SCORE:
            raise InputError(f"--at-least: {part[:40]!r} is not a score; expected for example 250,300")
    return [int(part) for part in parts]


def check_plot(plot: Path | None) -> None:
    """Reject a figure that could not be written, before anything is computed."""
    if plot is not None:
        check_format(plot)


def side(text: str, game: str) -> tuple[Game, str]:
    """Parse `STRATEGY` or `GAME@STRATEGY` into a game and the name of a strategy."""
    name, at, strategy = text.partition("@")
    return (load_game(name), strategy) if at else (load_game(game), text)


def open_strategy(name: str, game: Game, solver: Solver) -> Strategy:
    """Open a strategy named on the command line."""
    return parse_strategy(name, game, solver, Origin.PERSON)


def caption(games: SimulatedGames) -> str:
    """The caption of a figure: how the sample was made."""
    return f"{len(games):,} games, seed {games.seed}"


def percent(number: Estimate) -> str:
    """A share with its standard error, in percent."""
    return f"{100 * number.value:.2f} ± {100 * number.error:.2f} %"


def print_sample(games: SimulatedGames, at_least: list[int], language: str = "en") -> None:
    """Print the results of a sample."""
    game = games.game
    print(f"{game.name(language)} by {games.strategy}: {len(games):,} games, seed {games.seed}")
    if games.highest > games.lowest:
        print(bars(games.mass[games.lowest :], games.lowest))
    print(f"mean {games.mean.value:.3f} ± {games.mean.error:.3f}  sd {games.sd.value:.3f} ± {games.sd.error:.3f}")
    print(f"median {games.percentile(50).value:g}  mode {games.mode}  min {games.lowest}  max {games.highest}")
    print("percentiles  " + "  ".join(f"{p} %: {games.percentile(p).value:g}" for p in PERCENTILES))
    for score in at_least:
        print(f"{score} or more  {percent(games.at_least(score))}")
    if game.bonus:
        print(f"bonus  {percent(games.bonus_share)}")
    _print_categories([games], language)


def _print_categories(samples: list[SimulatedGames], language: str) -> None:
    table = Table("category")
    table.add_column("mean points", justify="right")
    table.add_column("games with points", justify="right")
    for sample in samples:
        for category in sample.game.categories:
            mean, hit = sample.category_mean(category.id), sample.category_hit(category.id)
            table.add_row(category.name(language), f"{mean.value:.3f} ± {mean.error:.3f}", percent(hit))
    terminal.print_table(table)
