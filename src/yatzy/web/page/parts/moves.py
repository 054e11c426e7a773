"""The names of moves and objectives on the page."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from yatzy.games import Move, Position, Score
from yatzy.names import parse_objective
from yatzy.web.page.parts.dice import mini
from yatzy.web.page.parts.markup import Markup, join, tag
from yatzy.web.page.reader import Reader


def objective_name(t: Callable[..., str], objective: str, *, long: bool = False) -> str:
    """The name of an objective, for a column header or a sentence."""
    name = parse_objective(objective)
    words = name.words()
    key = f"objective.{words.rpartition(':')[2]}"
    number = objective.removeprefix(words).removeprefix(":") if name.number is None else f"{name.number:g}"
    for one in (f"{key}_long", key) if long else (key,):
        with suppress(KeyError):
            return t(one, number=number, percent=number, depth=number)
    return objective  # there is no better text


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
