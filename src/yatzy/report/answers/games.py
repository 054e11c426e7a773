"""Games as JSON."""

from __future__ import annotations

from collections.abc import Iterable

from yatzy.games import Bonus, Game, Joker
from yatzy.report.answers.base import Answer


class CategoryAnswer(Answer):
    """A line of the score sheet."""

    id: str
    names: dict[str, str]
    """By language."""
    upper: bool
    pays: str
    """What it scores, in words."""


class GameAnswer(Answer):
    """A game with its categories and its rules."""

    id: str
    names: dict[str, str]
    note: str
    dice: int
    faces: int
    rolls: int
    forced_order: bool
    bonus: Bonus | None
    joker: Joker | None
    categories: tuple[CategoryAnswer, ...]
    hash: str
    """A digest of the rules; equal rules have equal digests."""


class GamesAnswer(Answer):
    """All presets."""

    games: tuple[GameAnswer, ...]


def game_answer(game: Game) -> GameAnswer:
    """A game with its categories, its rules and its names."""
    return GameAnswer(
        id=game.id,
        names=dict(game.names),
        note=game.note(),
        dice=game.dice,
        faces=game.faces,
        rolls=game.rolls,
        forced_order=game.forced_order,
        bonus=game.bonus,
        joker=game.joker,
        categories=tuple(
            CategoryAnswer(id=one.id, names=dict(one.names), upper=one.upper, pays=one.pattern.describe())
            for one in game.categories
        ),
        hash=game.hash,
    )


def games_answer(games: Iterable[Game]) -> GamesAnswer:
    """Several games."""
    return GamesAnswer(games=tuple(game_answer(game) for game in games))
