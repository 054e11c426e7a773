"""List the games, or show the categories of one."""

from __future__ import annotations

from typing import Annotated

import typer

from yatzy.cli import terminal
from yatzy.cli.options import Json, Language
from yatzy.games import PRESETS, Game, load_game, load_preset
from yatzy.report.answers.games import game_answer, games_answer
from yatzy.report.document import Table
from yatzy.report.terminal import print_blocks


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
    rows = []
    for one in known:
        bonus = f"{one.bonus.points} at {one.bonus.threshold}" if one.bonus else "-"
        dice, categories = f"{one.dice} × {one.faces}", str(len(one.categories))
        rows.append((one.id, one.name(language), dice, str(one.rolls), categories, bonus, one.note))
    head = ("game", "name", "dice", "rolls", "categories", "bonus", "what it is")
    print_blocks([Table(head, tuple(rows), frozenset(range(len(head))), "Games")])


def _show_one(game: Game, language: str, json: bool) -> None:
    if json:
        terminal.print_json(game_answer(game))
        return
    title = f"{game.name(language)} ({game.id}): {game.dice} dice, {game.faces} faces, {game.rolls} rolls"
    rows = [(one.id, one.name(language), one.pattern.describe()) for one in game.categories]
    if game.bonus:
        rows.append(("", "bonus", f"{game.bonus.points} once the upper categories sum to {game.bonus.threshold}"))
    if game.joker:
        rows.append(("", "Joker", f"{game.joker.reading.value} reading, {game.joker.points} for each further one"))
    print_blocks([Table(("category", "name", "pays"), tuple(rows), frozenset({0, 1, 2}), title)])
    if game.note:
        print(game.note)
