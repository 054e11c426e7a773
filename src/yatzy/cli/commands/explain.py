"""Two moves side by side: points and chance of every category, bonus, range of scores, and why one is better."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.table import Table

from yatzy.cli import situation, terminal
from yatzy.cli.opening import open_solver
from yatzy.cli.options import Json, Language, ObjectiveOption, Tables
from yatzy.coach import explain as explaining
from yatzy.coach.explain import Explanation, ReasonKind
from yatzy.coach.sampled_outlook import open_outlooks
from yatzy.errors import PositionError
from yatzy.games import Game, Keep, Move, show_dice
from yatzy.names import Origin
from yatzy.report.explanation import notes, range_text, sentences
from yatzy.report.fields import explanation_fields
from yatzy.report.numbers import number, percent
from yatzy.report.texts import text
from yatzy.report.words import capital, move_phrase, rolls_left
from yatzy.solver import check_objective, open_adviser


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
    move: Annotated[
        str | None,
        typer.Option("--move", help="The move to look at: dice to keep, - for none, or a category.  [default: second]"),
    ] = None,
    against: Annotated[
        str | None, typer.Option("--against", help="The move to compare it with.  [default: the best]")
    ] = None,
    objective: ObjectiveOption = "expected",
    language: Language = "en",
    tables: Tables = None,
    json: Json = False,
) -> None:
    asked = situation.read_situation(position, game, dice, rolls_left, open, filled, upper, points, yahtzee_box)
    where = asked.position
    if not where.legal_moves:
        raise PositionError("there is no move to explain: say --dice (and --rolls-left)")
    one, other = _read(where.game, move), _read(where.game, against)
    players = len(where.sheets)
    check_objective(where.game, objective, players, Origin.PERSON)
    explaining.check_comparison(where, one, other)
    with open_solver(tables) as solver:
        adviser = open_adviser(solver, where.game, objective, players, origin=Origin.PERSON)
        explaining.check_moves(adviser, where, one, other)
        found = explaining.explain(adviser, open_outlooks(solver, where.game), where, one, other)
    if json:
        fields = explanation_fields(found, language)
        terminal.print_json(fields | {"notes": [*fields["notes"], *asked.notes]})
        return
    _print(found, language)
    for line in asked.notes:
        terminal.note(f"note: {line}")


def _read(game: Game, text: str | None) -> Move | None:
    return None if text is None else game.parse_move(text)


def _print(found: Explanation, language: str) -> None:
    terminal.print_table(explanation_table(found, language))
    for side in (found.preferred, found.other):
        name = capital(move_phrase(found.position, side.move, language))
        print(f"{name}: {range_text(side.outlook, language)}")
    print()
    for line in sentences(found, language):
        print(line)
    for line in notes(found, language):
        print(line)
    print(found.position)


def _short_name(game: Game, move: Move, language: str) -> str:
    return str(move) if isinstance(move, Keep) else terminal.move_name(game, move, language)


def explanation_table(found: Explanation, language: str) -> Table:
    """Both moves by category, side by side; the columns of points sum to the final scores to expect."""
    where = found.position
    category, points, chance, now, difference, bonus_name, jokers_name, so_far, final = (
        text(language, f"explain.{name}")
        for name in ("category", "points", "chance", "this_turn", "difference", "bonus", "jokers", "so_far", "final")
    )
    moves = [_short_name(where.game, side.move, language) for side in (found.preferred, found.other)]
    title = f"{where.game.name(language)}: {show_dice(where.dice)}, {rolls_left(where.rolls_left, language)}"
    table = Table(category, title=title)
    for kind in (points, chance, now) if where.rolls_left else (points, chance):
        for name in moves:
            table.add_column(f"{kind}\n{name}", justify="right")
        if kind is points:
            table.add_column(difference, justify="right")

    def amounts(first: float, other: float) -> list[str]:
        gap = round(first - other, 2) + 0.0  # never -0.00
        sign = "+" if gap > 0 else ""
        return [number(first, 2, language), number(other, 2, language), sign + number(gap, 2, language)]

    for pair in found.categories:
        a, b = pair.preferred, pair.other
        hits = (a.chance, b.chance, a.this_turn, b.this_turn)[: 4 if where.rolls_left else 2]
        chances = [percent(value, 1, language) for value in hits]
        table.add_row(pair.category.name(language), *amounts(a.points, b.points), *chances)
    table.add_section()
    sheet, bonus = where.sheet, where.game.bonus
    for reason in found.reasons:
        if reason.kind is ReasonKind.BONUS and bonus is not None and not sheet.bonus_won:
            sums = amounts(bonus.points * reason.preferred, bonus.points * reason.other)
            chances = [percent(value, 1, language) for value in (reason.preferred, reason.other)]
            table.add_row(bonus_name, *sums, *chances)
        elif reason.kind is ReasonKind.JOKERS and where.game.joker is not None and where.game.joker.points:
            table.add_row(jokers_name, *amounts(reason.preferred, reason.other))
    if sheet.points:
        table.add_row(so_far, *amounts(sheet.points, sheet.points))
    table.add_section()
    table.add_row(final, *amounts(found.preferred.outlook.mean, found.other.outlook.mean), style="bold")
    return table
