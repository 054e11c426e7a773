"""List the games, or show the categories of one."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.table import Table

from yatzy.cli import terminal
from yatzy.cli.options import Json, Language
from yatzy.games import PRESETS, Game, load_game, load_preset
from yatzy.report.answers.games import game_answer, games_answer


def command(
    game: Annotated[str | None, typer.Argument(metavar="[GAME]", help="Show one game in full.")] = None,
    language: Language = "en",
    json: Json = False,
) -> None:
    if game is not None:
        _show_one(load_game(game), language, json)
        return
    known = [load_preset(id) for id in PRESETS]
    if json:
        terminal.print_json(games_answer(known))
        return
    table = Table(title="Games")
    table.add_column("game", no_wrap=True)
    for column in ("name", "dice", "rolls", "categories", "bonus", "what it is"):
        table.add_column(column)
    for one in known:
        bonus = f"{one.bonus.points} at {one.bonus.threshold}" if one.bonus else "-"
        table.add_row(one.id, one.name(language), f"{one.dice} × {one.faces}", str(one.rolls),
                      str(len(one.categories)), bonus, one.note)  # fmt: skip
    terminal.print_table(table)


def _show_one(game: Game, language: str, json: bool) -> None:
    if json:
        terminal.print_json(game_answer(game))
        return
    title = f"{game.name(language)} ({game.id}): {game.dice} dice, {game.faces} faces, {game.rolls} rolls"
    table = Table("category", "name", "pays", title=title, caption=game.note)
    for category in game.categories:
        table.add_row(category.id, category.name(language), category.pattern.describe())
    if game.bonus:
        table.add_row("", "bonus", f"{game.bonus.points} once the upper categories sum to {game.bonus.threshold}")
    if game.joker:
        table.add_row("", "Joker", f"{game.joker.reading.value} reading, {game.joker.points} for each further one")
    terminal.print_table(table)
