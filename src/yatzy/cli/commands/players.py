"""Play games of several players who ignore each other's sheets: the winner's score, and how often each player wins."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Any

import typer

from yatzy.cli import completion, lab_options, terminal
from yatzy.cli.commands.compare import Exact
from yatzy.cli.figure_options import draws_figure
from yatzy.cli.opening import open_solver
from yatzy.cli.options import Json, Language, Plot, Tables, Threads
from yatzy.errors import Message
from yatzy.evaluation.distribution import PERCENTILES, Distribution
from yatzy.evaluation.evaluating import evaluate
from yatzy.games import load_game
from yatzy.lab.figures import Series, draw_winner, write_figure
from yatzy.lab.players import ExactTable, TableResult, play_table, table_exactly
from yatzy.names import Origin
from yatzy.report.figures import figure_words, sample_caption
from yatzy.report.lab import players_blocks
from yatzy.report.terminal import print_blocks
from yatzy.report.texts import text
from yatzy.report.words import strategy_label


@draws_figure
def command(
    strategies: Annotated[
        list[str],
        typer.Argument(
            metavar="STRATEGY ...",
            autocompletion=completion.strategies,
            help="One for each player; 4*expected means four players.",
        ),
    ],
    game: lab_options.GameName = "yatzy",
    games: lab_options.Games = 100_000,
    seed: lab_options.Seed = 1,
    exact: Exact = False,
    plot: Plot = None,
    language: Language = "en",
    threads: Threads = None,
    tables: Tables = None,
    json: Json = False,
) -> None:
    chosen, names = load_game(game), seats(strategies)
    lab_options.check_plot(plot)
    known: dict[str, Distribution] = {}
    with open_solver(tables, threads) as solver:
        opened = {name: solver.strategy(chosen, name, Origin.PERSON) for name in dict.fromkeys(names)}
        watch = solver.watch(
            Message("{games:,} games of {players} players", games=games, players=len(names)), "Playing"
        )
        result = play_table([opened[name] for name in names], games, seed, threads, watch)
        for name, player in opened.items() if exact else ():
            watch = solver.watch(Message("{game} as {strategy} plays it", game=chosen, strategy=name), "Evaluating")
            known[name] = evaluate(player, threads=threads, progress=watch).score
    exactly = table_exactly([known[name] for name in names]) if exact else None
    if plot is not None:
        _draw(result, exactly, known, plot, language)
    if json:
        terminal.print_json(_fields(result, exactly))
    else:
        print_blocks(players_blocks(result, exactly, language))


def seats(strategies: list[str]) -> list[str]:
    """The strategy of each player; `4*expected` stands for four."""
    names = list[str]()
    for typed in strategies:
        match = re.fullmatch(r"([1-9]\d?)\*(.+)", typed)
        names += [match[2]] * int(match[1]) if match else [typed]
    return names


def _draw(
    result: TableResult, exactly: ExactTable | None, known: dict[str, Distribution], plot: Path, language: str
) -> None:
    different = {seat.games.strategy: seat.games for seat in result.seats}
    players = [
        Series(strategy_label(name, language), games.total, known[name].mass if name in known else None)
        for name, games in list(different.items())[:4]
    ]
    games = result.seats[0].games
    game = games.game.name(language)
    title = text(language, "figure_caption.winner_of", game=game, players=len(result.seats))
    label = text(language, "figure_caption.winner")
    winner = Series(label, result.winner, exactly.winner.mass if exactly else None)
    caption = sample_caption(games, language, "exact" if exactly else "sample")
    write_figure(draw_winner(players, winner, title, caption, figure_words(language)), plot)


def _fields(result: TableResult, exactly: ExactTable | None) -> dict[str, Any]:
    winner, one = result.winner_games, result.seats[0].games
    return {
        "game": one.game.id,
        "games": len(one),
        "seed": one.seed,
        "winner": {
            "mean": winner.mean,
            "sd": winner.sd,
            "percentiles": {str(p): winner.percentile(p) for p in PERCENTILES},
            "exact": exactly
            and {"mean": exactly.winner.mean, "sd": exactly.winner.sd, "median": exactly.winner.percentile(50)},
        },
        "players": [
            {
                "strategy": seat.games.strategy,
                **{name: getattr(seat, name) for name in NAMES},
                "mean": seat.games.mean,
                "exact": exactly and exactly.seats[place],
            }
            for place, seat in enumerate(result.seats)
        ],
    }


NAMES = ("wins", "outright", "match_points", "rank")
