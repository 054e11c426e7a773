"""Play many games with one strategy: mean, spread, percentiles, bonus and every category, with standard errors."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from yatzy.cli import lab_options, terminal
from yatzy.cli.figure_options import draws_figure
from yatzy.cli.opening import open_solver
from yatzy.cli.options import Json, Language, OnWorkers, Plot, Tables, Threads
from yatzy.errors import InputError, Message
from yatzy.games import load_game
from yatzy.games.record_csv import write_csv
from yatzy.lab import SimulatedGames
from yatzy.lab.figures import Series, draw_scores, write_figure
from yatzy.lab.records import MOST_RECORDS, trace_records
from yatzy.lab.remote import simulate_with
from yatzy.lab.results import check_out, run_to_file
from yatzy.lab.traces import trace
from yatzy.names import Origin
from yatzy.report.answers.samples import sample_answer
from yatzy.report.figures import figure_words, sample_caption
from yatzy.report.lab import sample_blocks
from yatzy.report.terminal import print_blocks
from yatzy.report.texts import text
from yatzy.report.words import strategy_label
from yatzy.store.files import check_target, write_atomic


@draws_figure
def command(
    game: lab_options.GameName = "yatzy",
    strategy: lab_options.StrategyName = "expected",
    games: lab_options.Games = 100_000,
    seed: lab_options.Seed = 1,
    at_least: lab_options.AtLeast = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", help="Write one row per game to this Parquet file; an interrupted run resumes."),
    ] = None,
    records: Annotated[
        Path | None,
        typer.Option(
            "--records", metavar="FILE.csv", help="Write every game turn by turn, for yatzy review (docs/records.md)."
        ),
    ] = None,
    plot: Plot = None,
    on: OnWorkers = None,
    language: Language = "en",
    threads: Threads = None,
    tables: Tables = None,
    json: Json = False,
) -> None:
    chosen, scores = load_game(game), lab_options.read_scores(at_least)
    lab_options.check_plot(plot)
    if out is not None:
        check_out(out)
    if records is not None:
        _check_records(records, games)
    with open_solver(tables, threads, on) as solver:
        player = solver.strategy(chosen, strategy, Origin.PERSON)
        what = Message("{games:,} games by {strategy}", games=games, strategy=player.name)
        if out is None:
            played = simulate_with(player, games, seed, solver, solver.watch(what, "Playing"))
        else:
            played = run_to_file(player, games, seed, out, solver, what)
        if records is not None:
            traces = trace(
                player, games, seed, solver.threads, solver.watch(Message("{games} as records", games=what), "Writing")
            )
            write_atomic(records, write_csv(trace_records(traces)))
    if plot is not None:
        _draw(played, plot, language)
    if json:
        terminal.print_json(sample_answer(played, scores))
    else:
        print_blocks(sample_blocks(played, scores, language))


def _check_records(path: Path, games: int) -> None:
    if path.suffix.lower() != ".csv":
        raise InputError(
            "--records {path}: many games are written as .csv; 'yatzy replay' writes one as text", path=path
        )
    if games > MOST_RECORDS:
        raise InputError(
            "--records: {games:,} games are too many for records; the most is {most:,}",
            games=games,
            most=MOST_RECORDS,
        )
    check_target(path)


def _draw(games: SimulatedGames, plot: Path, language: str) -> None:
    label = strategy_label(games.strategy, language)
    title = text(language, "figure_caption.final_score", game=games.game.name(language), strategy=label)
    series = Series(label, games.total)
    write_figure(draw_scores(series, title, sample_caption(games, language), figure_words(language)), plot)
