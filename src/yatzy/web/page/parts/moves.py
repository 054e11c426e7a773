"""The names of moves on the page."""

from __future__ import annotations

from yatzy.games import Move, Position, Score
from yatzy.web.page.parts.dice import mini
from yatzy.web.page.parts.markup import Markup, join, tag
from yatzy.web.page.reader import Reader


def move_name(reader: Reader, position: Position, move: Move) -> Markup:
    """A move as HTML."""
    return move_markup(reader, move, category_offer(reader, position, move), position.game.dice)


def category_offer(reader: Reader, position: Position, move: Move) -> tuple[str, int]:
    """The name of the category that a move fills, and the points it pays; nothing for a keep."""
    if not isinstance(move, Score):
        return "", 0
    game = position.game
    return game.categories[game.category_index[move.category]].name(reader.language), position.placement(move).points


def move_markup(reader: Reader, move: Move, offer: tuple[str, int], dice: int) -> Markup:
    """A move as HTML, in a game with this number of dice. `offer`: see `category_offer`."""
    t = reader.t
    if isinstance(move, Score):
        category, points = offer
        return join(category, " ", tag("span", points, class_="yz-quiet"))
    if not move.dice:
        return join(t("move.none"))
    if len(move.dice) == dice:
        return join(mini(move.dice), " ", tag("span", t("move.all"), class_="yz-quiet yz-stop"))
    return mini(move.dice)
