"""Rank every legal move by what it is worth, for one objective or several side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer
from rich.table import Table

from yatzy.cli import situation, terminal
from yatzy.cli.opening import open_solver
from yatzy.cli.options import Json, Language, ObjectiveOption, Tables
from yatzy.coach import Advice
from yatzy.coach.advice import advise_all
from yatzy.coach.sampled_outlook import open_outlooks
from yatzy.errors import PositionError
from yatzy.evaluation.outlook import Outlook
from yatzy.games import Position, show_dice
from yatzy.names import Origin
from yatzy.report.explanation import range_text, sampled_note
from yatzy.report.fields import advice_fields
from yatzy.report.numbers import number, percent
from yatzy.report.texts import text
from yatzy.report.words import capital, grade_name
from yatzy.solver import Solver, check_objective, open_adviser
from yatzy.units import Unit


def command(
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
    outlook: Annotated[
        bool,
        typer.Option("--outlook", help="Show the chance of each category and of the bonus, and the range of scores."),
    ] = False,
    language: Language = "en",
    tables: Tables = None,
    json: Json = False,
) -> None:
    asked = situation.read_situation(position, game, dice, rolls_left, open, filled, upper, points, yahtzee_box)
    where = asked.position
    if not where.legal_moves:
        raise PositionError("there is no move to choose: say --dice (and --rolls-left), or ask 'yatzy value'")
    wanted = [objective, *(name.strip() for name in (columns or "").split(",") if name.strip())]
    if columns and objective == "expected":
        wanted = wanted[1:]  # the first column ranks unless an objective was named
    names, players = list(dict.fromkeys(wanted)), len(where.sheets)
    for name in names:  # before anything is computed
        check_objective(where.game, name, players, Origin.PERSON)
    with open_solver(tables) as solver:
        future = _outlook(solver, where) if outlook else None
        table = advise_all(
            [open_adviser(solver, where.game, name, players, origin=Origin.PERSON) for name in names], where, future
        )
    if json:
        terminal.print_json(advice_fields(table.advices, top, future) | {"notes": list(asked.notes)})
        return
    terminal.print_table(advice_table(table.advices, top, language))
    if future is not None:
        print_outlook(future, where, language)
    print(where)
    for line in asked.notes:
        terminal.note(f"note: {line}")


def _outlook(solver: Solver, where: Position) -> Outlook:
    return open_outlooks(solver, where.game).at(where)


_HEADINGS = {Unit.POINTS: "final score", Unit.CHANCE: "chance", Unit.WORTH: "worth"}


def advice_table(advices: Sequence[Advice], top: int | None, language: str) -> Table:
    """The best moves for the terminal, ranked by the first objective; the best of each column is starred."""
    ranked, where = advices[0], advices[0].position
    rolls = f"{where.rolls_left} roll{'' if where.rolls_left == 1 else 's'} left"
    table = Table("class", "move", title=f"{where.game.name(language)}: {show_dice(where.dice)}, {rolls}")
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
            f"{entry.grade.sign:<2} {grade_name(entry.grade, language)}",
            terminal.move_name(where.game, entry.move, language),
            *(terminal.amount(a.unit, m.value) + (" *" if m.best else "  ") * (len(advices) > 1) for a, m in cells),
            "-" if entry.best else terminal.amount(ranked.unit, entry.loss),
            style="bold" if entry.best else "",
        )
    return table


def print_outlook(outlook: Outlook, where: Position, language: str) -> None:
    """What will become of a position: the chance of each category and of the bonus, and the range of final scores."""
    table = Table(text(language, "explain.category"))
    for name in ("chance", "this_turn", "points"):
        table.add_column(text(language, f"explain.{name}"), justify="right", no_wrap=True)
    for entry in outlook.categories:
        table.add_row(
            entry.category.name(language),
            percent(entry.chance, 1, language),
            percent(entry.this_turn, 1, language),
            number(entry.points, 2, language),
        )
    terminal.print_table(table)
    if outlook.bonus is not None:
        print(f"{text(language, 'explain.bonus')}: {percent(outlook.bonus, 1, language)}")
    print(capital(range_text(outlook, language)))
    if not outlook.exact:
        print(sampled_note(outlook.games, language))
