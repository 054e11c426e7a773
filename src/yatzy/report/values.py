"""The values of games and positions in words: what best play is worth, and the chance of a score."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from yatzy.games import Position
from yatzy.names import Expected
from yatzy.report.numbers import PRECISE, count, number, precise_text
from yatzy.report.texts import text
from yatzy.report.words import objective_phrase
from yatzy.units import Unit

if TYPE_CHECKING:
    from yatzy.values.evaluator import Evaluator, Solution


def _worth(solution: Evaluator, value: float, language: str, digits: int = PRECISE) -> str:
    return text(
        language,
        "value.best_play",
        game=solution.game.name(language),
        objective=objective_phrase(solution.objective, language),
        value=precise_text(value, solution.unit, language, digits),
    )


def solution_lines(solution: Solution, value: float, digits: int, language: str = "en") -> Iterator[str]:
    """The value of a solved game with `digits` decimals, and how it was found."""
    yield _worth(solution, value, language, digits)
    how = "value.opened" if solution.table.cached else "value.solved"
    seconds = number(solution.table.seconds, 2, language)
    yield text(language, how, states=count(solution.states, language), seconds=seconds)


def value_lines(solution: Evaluator, where: Position, value: float, language: str = "en") -> Iterator[str]:
    """The value of a position."""
    known = where.sheet.points_known
    yield (
        _worth(solution, value, language)
        if known
        else text(language, "value.still_to_come", worth=_worth(solution, value, language))
    )
    if solution.name == Expected() and known:
        points = where.sheet.points
        yield text(language, "value.to_come", points=points, more=number(value - points, 4, language))
    yield str(where)


def chance_lines(where: Position, score: int, chance: float, language: str = "en") -> Iterator[str]:
    """The best chance of a final score."""
    shown, game = precise_text(chance, Unit.CHANCE, language), where.game.name(language)
    key = "value.chance" if where.sheet.points_known else "value.chance_to_come"
    yield text(language, key, game=game, chance=shown, score=score)
    yield str(where)
