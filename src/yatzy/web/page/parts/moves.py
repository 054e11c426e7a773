"""Moves and objectives, as the page names them."""

from __future__ import annotations

from collections.abc import Callable

from yatzy.games import Move, Position, Score
from yatzy.web.page.parts.dice import mini
from yatzy.web.page.parts.markup import Markup, join, tag
from yatzy.web.page.reader import Reader


def objective_name(t: Callable[..., str], objective: str, *, long: bool = False) -> str:
    """An objective as the head of a column, or in a sentence."""
    if long and objective == "expected":
        return t("objective.expected_long")
    kind, _, rest = objective.partition(":")
    if kind == "match":
        kind, _, rest = rest.partition(":")
        return t(f"objective.{kind}", depth=rest)
    if kind == "chance":
        return t("objective.chance", percent=f"{100 * float(rest):g}")
    return t(f"objective.{kind}", number=rest)


def move_name(reader: Reader, position: Position, move: Move) -> Markup:
    """A move as it is shown."""
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
