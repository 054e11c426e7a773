"""Words for games that are split by events."""

from __future__ import annotations

from collections.abc import Sequence

from yatzy.evaluation.distribution import BONUS
from yatzy.games import Game
from yatzy.report.texts import text


def event_label(game: Game, event: str, language: str = "en") -> str:
    """An event that splits games: the upper bonus, or points in a category."""
    if event == BONUS:
        return text(language, "study_figure.upper_bonus")
    return game.categories[game.category_index[event]].name(language)


def part_labels(game: Game, events: Sequence[str], language: str = "en") -> list[str]:
    """The parts into which events split the games, in the order of `Evaluation.parts`."""
    names = [event_label(game, event, language) for event in events]
    if len(names) == 1:
        return [text(language, f"study_figure.{key}", what=names[0]) for key in ("without", "with")]
    neither = text(language, "study_figure.neither", first=names[0], second=names[1])
    only = [text(language, "study_figure.only", what=name) for name in names]
    return [neither, *only, text(language, "study_figure.both")]
