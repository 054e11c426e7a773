"""Compare two moves: points and chance of every category, bonus, range of scores, and why one is better."""

from __future__ import annotations

from typing import Annotated

import typer

from yatzy.cli import completion, terminal
from yatzy.cli.opening import open_solver
from yatzy.cli.options import Json, Language, ObjectiveOption, Tables
from yatzy.cli.situation import option_name, print_assumptions, takes_situation
from yatzy.coach import explain as explaining
from yatzy.coach.sampled_outlook import open_outlooks
from yatzy.coach.situation import Situation
from yatzy.errors import PositionError
from yatzy.games import Game, Move
from yatzy.names import Origin
from yatzy.report.answers.explanations import explanation_answer
from yatzy.report.explanation import explanation_blocks
from yatzy.report.situation import situation_notes
from yatzy.report.terminal import print_blocks
from yatzy.solver import check_objective


@takes_situation()
def command(
    asked: Situation,
    move: Annotated[
        str | None,
        typer.Option(
            "--move",
            autocompletion=completion.categories,
            help="The move to explain: dice to keep, - for none, or a category (default: the second best).",
        ),
    ] = None,
    against: Annotated[
        str | None,
        typer.Option(
            "--against",
            autocompletion=completion.categories,
            help="The move to compare it with (default: the best move).",
        ),
    ] = None,
    objective: ObjectiveOption = "expected",
    language: Language = "en",
    tables: Tables = None,
    json: Json = False,
) -> None:
    where = asked.position
    if not where.legal_moves:
        raise PositionError("there is no move to explain: give --dice (and --rolls-left)")
    one, other = _read(where.game, move), _read(where.game, against)
    players = len(where.sheets)
    check_objective(where.game, objective, players, Origin.PERSON)
    explaining.check_comparison(where, one, other)
    with open_solver(tables) as solver:
        evaluator = solver.evaluator(where.game, objective, players, origin=Origin.PERSON)
        explaining.check_moves(evaluator, where, one, other)
        found = explaining.explain(evaluator, open_outlooks(solver, where.game), where, one, other)
    if json:
        terminal.print_json(explanation_answer(found, language, situation_notes(asked, call=option_name)))
        return
    print_blocks(explanation_blocks(found, language))
    print(where)
    print_assumptions(asked, language)


def _read(game: Game, text: str | None) -> Move | None:
    return None if text is None else game.parse_move(text)
