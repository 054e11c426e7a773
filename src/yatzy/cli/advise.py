"""`yatzy advise`: every move of a position, ranked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from yatzy.cli import show, situation
from yatzy.cli.options import Json, Language, ObjectiveOption, Tables
from yatzy.cli.solved import workshop
from yatzy.errors import PositionError
from yatzy.games import Position, format_position, legal_moves, show_dice
from yatzy.units import Unit

if TYPE_CHECKING:
    from rich.table import Table

    from yatzy.coach import Advice
    from yatzy.coach.advice import Adviser
    from yatzy.solve import Workshop


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
    objective: ObjectiveOption = "expected",
    columns: Annotated[
        str | None, typer.Option("--columns", help="More objectives to show side by side, separated by commas.")
    ] = None,
    top: Annotated[int | None, typer.Option("--top", min=1, help="Show only so many moves.")] = None,
    language: Language = "en",
    tables: Tables = None,
    json: Json = False,
) -> None:
    """Rank every legal move by what it is worth, for one objective or several side by side."""
    asked = situation.read_situation(position, game, dice, rolls_left, open, filled, upper, points, yahtzee_box)
    where = asked.position
    if not legal_moves(where):
        raise PositionError("there is no move to choose: say --dice (and --rolls-left), or ask 'yatzy value'")
    wanted = [objective, *(name.strip() for name in (columns or "").split(",") if name.strip())]
    if columns and objective == "expected":
        wanted = wanted[1:]  # the first column ranks unless an objective was named
    from yatzy import coach

    names = list(dict.fromkeys(wanted))
    for name in names:  # before anything is computed
        _check(name, where)
    with workshop(tables) as shop:
        advices = [coach.advise(_adviser(name, where, shop), where) for name in names]
    if json:
        show.print_json(advice_fields(advices, top) | {"notes": list(asked.notes)})
        return
    show.print_table(advice_table(advices, top, language))
    print(format_position(where))
    for line in asked.notes:
        show.note(f"note: {line}")


def _check(name: str, where: Position) -> None:
    from yatzy.match.objectives import parse_match_objective
    from yatzy.solve.objectives import parse_objective

    if not name.startswith("match:"):
        parse_objective(name, where.game)
        return
    parse_match_objective(name)
    if len(where.sheets) < 2:
        raise PositionError(f"{name}: a match needs at least two players; this position has one")


def _adviser(name: str, where: Position, shop: Workshop) -> Adviser:
    if name.startswith("match:"):
        from yatzy.match.opening import open_match

        return open_match(shop, where.game, name)
    return shop.open(where.game, name)


def advice_fields(advices: list[Advice], top: int | None) -> dict[str, Any]:
    """All moves for JSON, ranked by the first objective."""
    ranked, where = advices[0], advices[0].position
    return {
        "game": where.game.id,
        "objective": ranked.objective,
        "unit": ranked.unit.value,
        "position": format_position(where),
        "dice": list(where.dice),
        "rolls_left": where.rolls_left,
        "points": where.sheet.points,
        "value": ranked.value,
        "best": show.move_fields(ranked.best.move)["move"],
        "moves": [
            {
                **show.move_fields(entry.move),
                "value": entry.value,
                "loss": entry.loss,
                "best": entry.best,
                "values": {advice.objective: advice.of(entry.move).value for advice in advices},
                "best_for": [advice.objective for advice in advices if advice.of(entry.move).best],
            }
            for entry in ranked.moves[:top]
        ],
    }


_HEADINGS = {Unit.POINTS: "final score", Unit.CHANCE: "chance", Unit.WORTH: "worth"}


def advice_table(advices: list[Advice], top: int | None, language: str) -> Table:
    """The best moves for the terminal, ranked by the first objective; the best of each column is starred."""
    from rich.table import Table

    ranked, where = advices[0], advices[0].position
    rolls = f"{where.rolls_left} roll{'' if where.rolls_left == 1 else 's'} left"
    table = Table("", "move", title=f"{where.game.name(language)}: {show_dice(where.dice)}, {rolls}")
    for advice in advices:
        kind = (
            "expected final score"
            if advice.objective == "expected"
            else f"{advice.objective}\n{_HEADINGS[advice.unit]}"
        )
        table.add_column(kind, justify="right", no_wrap=True)
    table.add_column("loss", justify="right", no_wrap=True)
    for entry in ranked.moves[:top]:
        cells = [(advice, advice.of(entry.move)) for advice in advices]
        table.add_row(
            "best" if entry.best else "",
            show.move_name(where.game, entry.move, language),
            *(show.amount(a.unit, m.value) + (" *" if m.best else "  ") * (len(advices) > 1) for a, m in cells),
            "-" if entry.best else show.amount(ranked.unit, entry.loss),
            style="bold" if entry.best else "",
        )
    return table
