"""Rank all legal moves by value, for one objective or several side by side."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from yatzy.cli import completion, terminal
from yatzy.cli.figure_options import draws_figure
from yatzy.cli.opening import open_solver
from yatzy.cli.options import AnyObjectiveOption, Json, Language, Plot, Tables
from yatzy.cli.situation import option_name, print_assumptions, takes_situation
from yatzy.coach.advice import advise_all
from yatzy.coach.situation import Situation
from yatzy.errors import PositionError
from yatzy.games import Position
from yatzy.names import Expected, Origin, parse_objective
from yatzy.report.advice import advice_table, outlook_blocks
from yatzy.report.selected_moves import selected_moves_blocks
from yatzy.report.situation import situation_notes
from yatzy.report.terminal import print_blocks
from yatzy.solver import Solver, check_objective

if TYPE_CHECKING:
    from yatzy.cli.selection import Selection
    from yatzy.evaluation.outlook import Outlook
    from yatzy.values.evaluator import Evaluator


@draws_figure
@takes_situation()
def command(
    asked: Situation,
    objective: AnyObjectiveOption = "expected",
    columns: Annotated[
        str | None,
        typer.Option(
            "--columns",
            autocompletion=completion.objectives,
            help="More objectives to show side by side, separated by commas.",
        ),
    ] = None,
    top: Annotated[
        int | None, typer.Option("--top", min=1, help="Show only the best moves, at most this many.")
    ] = None,
    outlook: Annotated[
        bool,
        typer.Option("--outlook", help="Show the chance of each category and of the bonus, and the range of scores."),
    ] = False,
    moves: Annotated[
        str | None,
        typer.Option(
            "--moves",
            help="Show the chances of all final scores after these moves, separated by commas: "
            "dice to keep, - for none, or a category (default with --plot: the best few).",
        ),
    ] = None,
    plot: Plot = None,
    language: Language = "en",
    tables: Tables = None,
    json: Json = False,
) -> None:
    where = asked.position
    if not where.legal_moves:
        raise PositionError("there is no move to choose: give --dice (and --rolls-left), or use 'yatzy value'")
    wanted = [objective, *(name.strip() for name in (columns or "").split(",") if name.strip())]
    if columns and parse_objective(objective) == Expected():
        wanted = wanted[1:]  # the first column ranks, unless an objective was given
    names, players = list(dict.fromkeys(wanted)), len(where.sheets)
    for name in names:  # before anything is computed
        check_objective(where.game, name, players, Origin.PERSON)
    selection = _selection(where, moves, plot)
    with open_solver(tables) as solver:
        future = _outlook(solver, where) if outlook else None
        evaluators = [solver.evaluator(where.game, name, players, origin=Origin.PERSON) for name in names]
        table = advise_all(evaluators, where, future)
        selected = None if selection is None else selection.find(solver, table.first)
    if selection is not None and selected is not None:
        selection.draw(selected, language)
    if json:
        from yatzy.report.answers.advice import advice_answer  # takes milliseconds, and only --json needs it

        terminal.print_json(
            advice_answer(table.advices, top, future, situation_notes(asked, call=option_name), selected)
        )
        return
    print_blocks([advice_table(table.advices, top, language, asked.assumed)])
    if future is not None:
        print_blocks(outlook_blocks(future, language))
    if selected is not None:
        print_blocks(selected_moves_blocks(selected, language))
    print(where)
    if any(evaluator.name.several for evaluator in evaluators):
        _print_assumptions(evaluators, where, language)
    print_assumptions(asked, language)


def _print_assumptions(evaluators: Sequence[Evaluator], where: Position, language: str) -> None:
    from yatzy.matches.search import MatchSearch  # imports kernels, and only searches need it
    from yatzy.report.match import assumption_text

    found = [assumption_text(one.answer(where), language) for one in evaluators if isinstance(one, MatchSearch)]
    for line in dict.fromkeys(line for line in found if line):
        print(line)


def _outlook(solver: Solver, where: Position) -> Outlook:
    from yatzy.coach.sampled_outlook import open_outlooks  # loads the lab, which only --outlook needs

    return open_outlooks(solver, where.game).at(where)


def _selection(where: Position, moves: str | None, plot: Path | None) -> Selection | None:
    if moves is None and plot is None:
        return None
    from yatzy.cli.selection import Selection  # loads the lab and its figures, which only these options need

    return Selection.parse(where, moves, plot)
