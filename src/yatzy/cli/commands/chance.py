"""Show the best chance of reaching a final score, from the start or from any situation."""

from __future__ import annotations

from typing import Annotated

import typer

from yatzy.cli import terminal
from yatzy.cli.opening import open_solver
from yatzy.cli.options import Json, Language, Tables
from yatzy.cli.situation import option_name, print_assumptions, takes_situation
from yatzy.coach.situation import Situation
from yatzy.report.answers.values import chance_answer
from yatzy.report.situation import situation_notes
from yatzy.report.values import chance_lines


@takes_situation()
def command(
    at_least: Annotated[int, typer.Option("--at-least", help="The final score to reach, including the points so far.")],
    asked: Situation,
    language: Language = "en",
    tables: Tables = None,
    json: Json = False,
) -> None:
    where = asked.position
    with open_solver(tables) as solver:
        solution = solver.build(where.game, f"target:{at_least}")
    probability = solution.value(where)
    if json:
        terminal.print_json(
            chance_answer(solution, where, at_least, probability, situation_notes(asked, call=option_name))
        )
        return
    terminal.print_lines(chance_lines(where, at_least, probability, language))
    print_assumptions(asked, language)
