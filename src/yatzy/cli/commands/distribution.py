"""Show the chances of all final scores: the best chance of each, or the exact distribution of a strategy."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from yatzy.cli import completion, terminal
from yatzy.cli.opening import open_solver
from yatzy.cli.options import Json, Language, Plot, Tables
from yatzy.cli.situation import takes_situation
from yatzy.coach.situation import Situation
from yatzy.errors import InputError
from yatzy.evaluation.evaluating import evaluate
from yatzy.games import Position
from yatzy.lab import evaluate_once
from yatzy.lab.plots import Line, check_format, plot_mass, plot_tails
from yatzy.names import Origin
from yatzy.report.answers.values import best_chances, strategy_distribution
from yatzy.report.figures import figure_words
from yatzy.report.lab import best_chance_blocks, evaluation_blocks
from yatzy.report.terminal import print_blocks
from yatzy.report.texts import text
from yatzy.report.words import position_words, strategy_label
from yatzy.store import tables_folder
from yatzy.values.targets import position_curve

EVALUATIONS = "evaluations"
"""The folder, inside that of the tables, in which the distributions of whole games are kept."""


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
        _best(asked.position, plot, language, tables, json)
    else:
        _of_strategy(asked.position, str(strategy), plot, language, tables, json)


def _best(where: Position, plot: Path | None, language: str, tables: Path | None, json: bool) -> None:
    with open_solver(tables) as solver:
        first, chances = position_curve(solver.chances(where.game), where)
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
    where: Position, strategy: str, plot: Path | None, language: str, tables: Path | None, json: bool
) -> None:
    with open_solver(tables) as solver:
        player = solver.strategy(where.game, strategy, Origin.PERSON)
        what = f"{where.game.name()} as {strategy} plays it"
        if where == Position.start(where.game):
            result = evaluate_once(player, tables_folder(solver.folder) / EVALUATIONS, resources=solver, what=what)
        else:
            result = evaluate(player, where, progress=solver.watch(what, "Evaluating"))
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
