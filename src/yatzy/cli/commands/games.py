"""List the games, or show the categories of one."""

from __future__ import annotations

from typing import Annotated

import typer

from yatzy.cli import completion, terminal
from yatzy.cli.options import Json, Language
from yatzy.games import PRESETS, Game, load_game, load_preset
from yatzy.report.answers.games import game_answer, games_answer
from yatzy.report.games import game_table, games_table
from yatzy.report.terminal import print_blocks


def command(
    game: Annotated[
        str | None, typer.Argument(metavar="[GAME]", autocompletion=completion.games, help="Show one game in full.")
    ] = None,
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
    print_blocks([games_table(known, language)])


def _show_one(game: Game, language: str, json: bool) -> None:
    if json:
        terminal.print_json(game_answer(game))
        return
    print_blocks([game_table(game, language)])
    if game.notes:
        print(game.note(language))
