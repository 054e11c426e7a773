"""The rules of games as tables. The note of a game is shown as it is written in its file."""

from __future__ import annotations

from collections.abc import Sequence

from yatzy.games import Game
from yatzy.games.patterns import Chance, Face, Groups, Pattern, Pays, Straight
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
        rows.append((one.id, one.name(language), dice, str(one.rolls), categories, bonus, one.note(language)))
    names = ("game", "name", "dice", "rolls", "categories", "bonus", "note")
    head = tuple(text(language, f"games_table.{name}") for name in names)
    title = text(language, "games_table.title")
    narrow = Table(("", "", ""), tuple((row[0], row[1], row[-1]) for row in rows), frozenset(range(3)), title)
    return Table(head, tuple(rows), frozenset(range(len(head))), title, narrow=narrow)


def game_table(game: Game, language: str = "en") -> Table:
    """The categories of a game, its bonus and its Joker rule."""
    rows = [(one.id, one.name(language), pays_text(one.pattern, language)) for one in game.categories]
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


def pays_text(pattern: Pattern, language: str = "en") -> str:
    """What a category pays. A pattern without texts describes itself, in English."""
    match pattern:
        case Face(face=face):
            return text(language, "pays.face", face=face)
        case Chance(faces=faces, minimum=minimum):
            pays = text(language, "pays.faces", faces=", ".join(map(str, faces))) if faces else ""
            pays = pays or text(language, "pays.chance")
            return text(language, "pays.minimum", pays=pays, minimum=minimum) if minimum else pays
        case Straight(faces=faces, length=length, points=points):
            pay = text(language, "pays.chance") if points is None else points
            dice = "-".join(map(str, faces)) or text(language, "pays.run", length=length)
            return text(language, "pays.for", pay=pay, dice=dice)
        case Groups():
            return _groups_text(pattern, language)
    return pattern.describe()


def _groups_text(groups: Groups, language: str) -> str:
    kind = "equal" if len(groups.sizes) == 1 else "one_face" if groups.same_face else "different"
    dice = text(language, f"pays.{kind}", sizes=" + ".join(map(str, groups.sizes)))
    total = text(language, "pays.these" if groups.pays is Pays.GROUPS else "pays.chance")
    pays = text(language, "pays.for", pay=total if groups.points is None else groups.points, dice=dice)
    return text(language, "pays.partial", pays=pays) if groups.partial else pays
