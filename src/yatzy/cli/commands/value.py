"""Show the value of a situation between turns, or of a position given as text, for an objective."""

from __future__ import annotations

from yatzy.cli import terminal
from yatzy.cli.opening import open_solver
from yatzy.cli.options import Json, Language, ObjectiveOption, Tables
from yatzy.cli.situation import takes_situation
from yatzy.coach.situation import Situation
from yatzy.names import Origin
from yatzy.report.answers.values import value_answer
from yatzy.report.values import value_lines


@takes_situation("dice", "rolls_left")
def command(
    asked: Situation,
    objective: ObjectiveOption = "expected",
    language: Language = "en",
    tables: Tables = None,
    json: Json = False,
) -> None:
    where = asked.position
    with open_solver(tables) as solver:
        solution = solver.build(where.game, objective, Origin.PERSON)
    worth = solution.value(where)
    if json:
        terminal.print_json(value_answer(solution, where, worth, asked.notes))
        return
    terminal.print_lines(value_lines(solution, where, worth, language))
    terminal.print_notes(asked.notes)
