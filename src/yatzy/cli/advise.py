"""`yatzy advise`: every move of a position, ranked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from yatzy.cli import show, situation
from yatzy.cli.options import Json, Language, Tables
from yatzy.cli.solved import solved
from yatzy.errors import PositionError
from yatzy.games import format_position, legal_moves, show_dice

if TYPE_CHECKING:
    from rich.table import Table

    from yatzy.coach import Advice


def advise(
    position: situation.PositionArgument = None,
    game: situation.GameOption = None,
    dice: situation.Dice = None,
    rolls_left: situation.RollsLeft = None,
    open: situation.Open = None,
    filled: situation.Filled = None,
    upper: situation.Upper = None,
    points: situation.Points = None,
    yahtzee_box: situation.YahtzeeBox = None,
    top: Annotated[int | None, typer.Option("--top", min=1, help="Show only so many moves.")] = None,
    language: Language = "en",
    tables: Tables = None,
    json: Json = False,
) -> None:
    """Rank every legal move by the final score to expect after it."""
    asked = situation.read_situation(position, game, dice, rolls_left, open, filled, upper, points, yahtzee_box)
    where = asked.position
    if not legal_moves(where):
        raise PositionError("there is no move to choose: say --dice (and --rolls-left), or ask 'yatzy value'")
    from yatzy import coach

    advice = coach.advise(solved(where.game, tables), where)
    if json:
        show.print_json(
            {
                "game": where.game.id,
                "objective": advice.objective,
                "position": format_position(where),
                "dice": list(where.dice),
                "rolls_left": where.rolls_left,
                "points": where.sheet.points,
                "value": advice.value,
                "best": show.move_fields(advice.best.move)["move"],
                "moves": [
                    {**show.move_fields(m.move), "value": m.value, "loss": m.loss, "best": m.best}
                    for m in advice.moves[:top]
                ],
                "notes": list(asked.notes),
            }
        )
        return
    show.print_table(advice_table(advice, top, language))
    print(format_position(where))
    for line in asked.notes:
        show.note(f"note: {line}")


def advice_table(advice: Advice, top: int | None, language: str) -> Table:
    """The best moves of an advice for the terminal."""
    from rich.table import Table

    where = advice.position
    rolls = f"{where.rolls_left} roll{'' if where.rolls_left == 1 else 's'} left"
    table = Table("", "move", title=f"{where.game.name(language)}: {show_dice(where.dice)}, {rolls}")
    table.add_column("expected final score", justify="right")
    table.add_column("loss", justify="right")
    for entry in advice.moves[:top]:
        table.add_row(
            "best" if entry.best else "",
            show.move_name(where.game, entry.move, language),
            f"{entry.value:.4f}",
            "-" if entry.best else f"{entry.loss:.4f}",
            style="bold" if entry.best else "",
        )
    return table
