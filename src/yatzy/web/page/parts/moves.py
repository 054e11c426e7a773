"""The names of moves on the page."""

from __future__ import annotations

from yatzy.games import Move, Position, Score
from yatzy.web.page.parts.dice import mini
from yatzy.web.page.parts.markup import Markup, join, tag
from yatzy.web.page.reader import Reader


def move_name(reader: Reader, position: Position, move: Move) -> Markup:
    """A move as HTML."""
    t, game = reader.t, position.game
    if isinstance(move, Score):
        points = position.placement(move).points
        category = game.categories[game.category_index[move.category]].name(reader.language)
        return join(category, " ", tag("span", points, class_="yz-quiet"))
    if not move.dice:
        return join(t("move.none"))
    if len(move.dice) == game.dice:
        return join(mini(move.dice), " ", tag("span", t("move.all"), class_="yz-quiet yz-stop"))
    return mini(move.dice)
