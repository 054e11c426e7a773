"""The best chance of at least so many points in the end, from the start or from any situation."""

from __future__ import annotations

from typing import Annotated

import typer

from yatzy.cli import situation, terminal
from yatzy.cli.opening import open_solver
from yatzy.cli.options import Json, Tables
from yatzy.report.fields import chance_fields
from yatzy.report.numbers import precise_text
from yatzy.units import Unit


def command(
    at_least: Annotated[int, typer.Option("--at-least", help="The final score to reach, points so far included.")],
    position: situation.PositionArgument = None,
    game: situation.GameOption = None,
    dice: situation.Dice = None,
    rolls_left: situation.RollsLeft = None,
    open: situation.Open = None,
    filled: situation.Filled = None,
    upper: situation.Upper = None,
    points: situation.Points = None,
    yahtzee_box: situation.YahtzeeBox = None,
    tables: Tables = None,
    json: Json = False,
) -> None:
    asked = situation.read_situation(position, game, dice, rolls_left, open, filled, upper, points, yahtzee_box)
    where = asked.position
    with open_solver(tables) as solver:
        solution = solver.open(where.game, f"target:{at_least}")
    probability = solution.value(where)
    if json:
        terminal.print_json(chance_fields(solution, where, at_least, probability) | {"notes": list(asked.notes)})
        return
    chance = precise_text(probability, Unit.CHANCE)
    print(f"{where.game.name()}: {chance} chance of {at_least} or more, played for it")
    print(where)
    for line in asked.notes:
        terminal.note(f"note: {line}")
