"""Show the chances of all final scores: the best chance of each, or the exact distribution of a strategy."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from yatzy.cli import completion, terminal
from yatzy.cli.figure_options import draws_figure
from yatzy.cli.opening import open_solver
from yatzy.cli.options import Json, Language, On, Plot, Tables
from yatzy.cli.situation import takes_situation
from yatzy.coach.situation import Situation
from yatzy.errors import InputError, Message
from yatzy.evaluation.evaluating import evaluate, evaluation_cost
from yatzy.games import Position
from yatzy.lab import evaluate_once
from yatzy.lab.plots import Line, check_format, plot_mass, plot_tails
from yatzy.names import Origin
from yatzy.report.answers.values import best_chances, strategy_distribution
from yatzy.report.figures import figure_words
from yatzy.report.lab import best_chance_blocks, evaluation_blocks, evaluation_time
from yatzy.report.terminal import print_blocks
from yatzy.report.texts import text
from yatzy.report.words import position_words, strategy_label
from yatzy.solver import Solver
from yatzy.store import tables_folder
from yatzy.strategies.base import Strategy
from yatzy.values.resources import Progress, Resources

EVALUATIONS = "evaluations"
"""The folder, inside that of the tables, in which the distributions of whole games are kept."""
LONG = 30.0
"""Seconds from which the expected time is shown before an evaluation."""


@draws_figure
@takes_situation()
def command(
    asked: Situation,
    best: Annotated[
        bool, typer.Option("--best", help="Show the best chance of each score, each with its own best strategy.")
    ] = False,
    strategy: Annotated[
        str | None,
        typer.Option(
            "--strategy",
            autocompletion=completion.strategies,
            help="Show the distribution of this strategy (docs/strategies.md).",
        ),
    ] = None,
    checkpoints: Annotated[
        Path | None,
        typer.Option(
            "--checkpoints",
            metavar="FOLDER",
            help="A folder in which to save the work, to resume it after an interruption.",
        ),
    ] = None,
    on: On = None,
    plot: Plot = None,
    language: Language = "en",
    tables: Tables = None,
    json: Json = False,
) -> None:
    if best == (strategy is not None):
        raise InputError("give either --best or --strategy NAME, such as expected, target:300 or greedy")
    if plot is not None:
        check_format(plot)
    if best:
        _best(asked.position, on, plot, language, tables, json)
    else:
        if on is not None:
            raise InputError("--on works only with --best")
        _of_strategy(asked.position, str(strategy), checkpoints, plot, language, tables, json)


def _best(where: Position, on: str | None, plot: Path | None, language: str, tables: Path | None, json: bool) -> None:
    with open_solver(tables, on=on) as solver:
        first, chances = solver.best_chances(where)
    if plot is not None:
        said = position_words(where, language)
        title, caption, label = (
            text(language, f"figure_caption.{key}", game=where.game.name(language), position=said)
            for key in ("best_title", "best_caption", "best_chance")
        )
        plot_tails([Line(label, first, chances)], title, caption, plot, figure_words(language))
    if json:
        terminal.print_json(best_chances(where, first, chances))
        return
    print_blocks(best_chance_blocks(where, first, chances, language))


def _of_strategy(
    where: Position,
    strategy: str,
    checkpoints: Path | None,
    plot: Path | None,
    language: str,
    tables: Path | None,
    json: bool,
) -> None:
    with open_solver(tables) as solver:
        player = solver.strategy(where.game, strategy, Origin.PERSON)
        what = Message("{game} as {strategy} plays it", game=where.game, strategy=strategy)
        resources = _telling_time(solver, player, where, language)
        if where == Position.start(where.game):
            folder = tables_folder(solver.folder) / EVALUATIONS
            result = evaluate_once(player, folder, resources=resources, what=what, checkpoints=checkpoints)
        else:
            watch = resources.watch(what, "Evaluating")
            result = evaluate(player, where, progress=watch, checkpoints=checkpoints)
    score = result.score
    if plot is not None:
        words, label = figure_words(language), strategy_label(result.strategy, language)
        mean, median, exact = (text(language, key) for key in ("compare.mean", "compare.median", "players.exactly"))
        marks = [(mean, score.mean), (median, float(score.percentile(50)))]
        title = text(language, "figure_caption.final_score", game=where.game.name(language), strategy=label)
        caption = text(
            language, "figure_caption.exact_sd", position=position_words(where, language), sd=words.number(score.sd, 2)
        )
        plot_mass(score.mass, exact, marks, title, caption, plot, words)
    if json:
        terminal.print_json(strategy_distribution(where, result))
        return
    print_blocks(evaluation_blocks(where, result, language))


def _telling_time(solver: Solver, player: Strategy, where: Position, language: str) -> Resources:
    """The resources of a solver; when an evaluation begins that takes long, its time is told first."""

    def open_progress(*what: str) -> Progress:
        watch, told = solver.watch(*what), False

        def advance(done: int, total: int) -> None:
            nonlocal told
            if not told:
                told, seconds = True, evaluation_cost(player, where).seconds()
                if seconds >= LONG:
                    terminal.note(evaluation_time(player.name, seconds, language))
            if watch is not None:
                watch(done, total)

        return advance

    return replace(solver.plain, progress=open_progress)
