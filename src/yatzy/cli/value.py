"""`yatzy value`: what a position is worth."""

from __future__ import annotations

from yatzy.cli import show, situation
from yatzy.cli.options import Json, Tables
from yatzy.cli.solved import solved
from yatzy.games import format_position


def value(
    position: situation.PositionArgument = None,
    game: situation.GameOption = None,
    open: situation.Open = None,
    filled: situation.Filled = None,
    upper: situation.Upper = None,
    points: situation.Points = None,
    yahtzee_box: situation.YahtzeeBox = None,
    tables: Tables = None,
    json: Json = False,
) -> None:
    """The final score to expect from a situation between turns, or from a position given as text."""
    asked = situation.read_situation(
        position, game, open_=open, filled=filled, upper=upper, points=points, yahtzee_box=yahtzee_box
    )
    where = asked.position
    solution = solved(where.game, tables)
    worth = solution.value(where)
    if json:
        show.print_json(
            {
                "game": where.game.id,
                "objective": solution.objective,
                "position": format_position(where),
                "points": where.sheet.points,
                "value": worth,
                "to_come": worth - where.sheet.points,
                "notes": list(asked.notes),
            }
        )
        return
    print(f"{where.game.name()}: {worth:.6f} points to expect in the end")
    print(f"{where.sheet.points} so far, {worth - where.sheet.points:.6f} to come  ({format_position(where)})")
    for line in asked.notes:
        show.note(f"note: {line}")
