"""The rules of games as tables. What a category pays and the note of a game are in English only."""

from __future__ import annotations

from collections.abc import Sequence

from yatzy.games import Game
from yatzy.report.document import Table
from yatzy.report.texts import text


def games_table(known: Sequence[Game], language: str = "en") -> Table:
    """All games, one in each row."""
    rows = []
    for one in known:
        bonus = "-"
        if one.bonus:
            bonus = text(language, "games_table.bonus_at", points=one.bonus.points, sum=one.bonus.threshold)
        dice, categories = f"{one.dice} × {one.faces}", str(len(one.categories))
        rows.append((one.id, one.name(language), dice, str(one.rolls), categories, bonus, one.note))
    names = ("game", "name", "dice", "rolls", "categories", "bonus", "note")
    head = tuple(text(language, f"games_table.{name}") for name in names)
    return Table(head, tuple(rows), frozenset(range(len(head))), text(language, "games_table.title"))


def game_table(game: Game, language: str = "en") -> Table:
    """The categories of a game, its bonus and its Joker rule."""
    rows = [(one.id, one.name(language), one.pattern.describe()) for one in game.categories]
    if game.bonus:
        pays = text(language, "game_table.bonus_pays", points=game.bonus.points, sum=game.bonus.threshold)
        rows.append(("", text(language, "game_table.bonus"), pays))
    if game.joker:
        pays = text(language, f"game_table.joker_{game.joker.reading.value}", points=game.joker.points)
        rows.append(("", text(language, "game_table.joker"), pays))
    title = text(
        language,
        "game_table.title",
        game=game.name(language),
        id=game.id,
        dice=game.dice,
        faces=game.faces,
        rolls=game.rolls,
    )
    head = tuple(text(language, f"game_table.{name}") for name in ("category", "name", "pays"))
    return Table(head, tuple(rows), frozenset({0, 1, 2}), title)
