"""Values of positions and distributions of final scores as JSON."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Literal

from yatzy.evaluation.distribution import PERCENTILES
from yatzy.games import Position
from yatzy.names import Expected, Others, parse_payoff
from yatzy.report.answers.base import Answer, left_out
from yatzy.report.answers.searches import search_fields
from yatzy.units import Unit

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from yatzy.evaluation.distribution import Evaluation
    from yatzy.matches.fixed_opponents import FixedOpponents
    from yatzy.matches.search import MatchAnswer
    from yatzy.values.evaluator import Solution


class ValueAnswer(Answer):
    """The value of a position."""

    game: str
    objective: str
    unit: Unit
    position: str
    points: int
    """Points so far."""
    value: float
    to_come: float | None = left_out()
    """Expected points still to come; only if the value is an expected score."""
    search: str | None = left_out()
    """In a match: what was searched."""
    turns: int | None = left_out()
    """In a match: turns searched, including the present one."""
    exact: bool | None = left_out()
    """In a match: whether this is the value of optimal play."""
    others: Others | None = left_out()
    """In a match: what was assumed about the turns of the others, unless none was searched or the sum is constant."""
    seconds: float | None = left_out()
    player: int | None = left_out()
    """In a match: the number of the player to move, from 1."""
    payoff: str | None = left_out()
    """In a match: what it pays."""
    opponents: tuple[str, ...] | None = left_out()
    """In a match against opponents with fixed strategies: these strategies."""
    notes: tuple[str, ...]
    """What was assumed about the question."""


class ChanceAnswer(Answer):
    """The best chance of a score."""

    game: str
    objective: str
    position: str
    points: int
    """Points so far."""
    at_least: int
    probability: float
    notes: tuple[str, ...]
    """What was assumed about the question."""


class BestChances(Answer):
    """The best chance of every score. Each score has its own best strategy, so this is not a distribution."""

    game: str
    position: str
    kind: Literal["best"]
    first: int
    """The score of the first entry."""
    at_least: list[float]
    """The chance of at least `first`, `first` + 1, … points."""
    notes: tuple[str, ...] | None = left_out()
    """What was assumed about the question."""


class CategoryShare(Answer):
    """The results of a strategy in a category."""

    mean: float
    hit: float
    """The chance of scoring in it."""


class StrategyDistribution(Answer):
    """The exact distribution of a strategy."""

    game: str
    position: str
    kind: Literal["strategy"]
    strategy: str
    mean: float
    sd: float
    mode: int
    lowest: int
    highest: int
    percentiles: dict[str, int]
    mass: list[float]
    """The chance of exactly 0, 1, 2, … points."""
    bonus: float
    """The chance of the upper bonus."""
    categories: dict[str, CategoryShare]
    """The categories that were open, by id."""
    notes: tuple[str, ...] | None = left_out()
    """What was assumed about the question."""


def value_answer(solution: Solution, where: Position, worth: float, notes: Iterable[str] = ()) -> ValueAnswer:
    """The value of a position."""
    return ValueAnswer(
        game=where.game.id,
        objective=solution.objective,
        unit=solution.unit,
        position=str(where),
        points=where.sheet.points,
        value=worth,
        to_come=worth - where.sheet.points if solution.name == Expected() else None,
        notes=tuple(notes),
    )


def match_value(found: MatchAnswer, objective: str, payoff: str, notes: Iterable[str] = ()) -> ValueAnswer:
    """The value of a position in a match to the player to move, and how the search found it."""
    where = found.position
    return ValueAnswer(
        game=where.game.id,
        objective=objective,
        unit=parse_payoff(payoff).unit,
        position=str(where),
        points=where.sheet.points,
        value=found.value,
        notes=tuple(notes),
        **search_fields(found, payoff),
    )


def response_value(
    fixed: FixedOpponents, where: Position, worth: float, payoff: str, notes: Iterable[str] = ()
) -> ValueAnswer:
    """The value of a position to the player to move against opponents with fixed strategies."""
    return ValueAnswer(
        game=where.game.id,
        objective=fixed.objective,
        unit=fixed.unit,
        position=str(where),
        points=where.sheet.points,
        value=worth,
        player=where.mover + 1,
        payoff=payoff,
        opponents=tuple(one.name for one in fixed.opponents),
        notes=tuple(notes),
    )


def chance_answer(
    solution: Solution, where: Position, at_least: int, probability: float, notes: Iterable[str] = ()
) -> ChanceAnswer:
    """The best chance of a score."""
    return ChanceAnswer(
        game=where.game.id,
        objective=solution.objective,
        position=str(where),
        points=where.sheet.points,
        at_least=at_least,
        probability=probability,
        notes=tuple(notes),
    )


def best_chances(
    where: Position, first: int, chances: npt.NDArray[np.float64], notes: tuple[str, ...] | None = None
) -> BestChances:
    """The best chance of every score, starting with `first`."""
    return BestChances(
        game=where.game.id, position=str(where), kind="best", first=first, at_least=chances.tolist(), notes=notes
    )


def strategy_distribution(
    where: Position, result: Evaluation, notes: tuple[str, ...] | None = None
) -> StrategyDistribution:
    """The exact results of a strategy from a position."""
    score = result.score
    return StrategyDistribution(
        game=where.game.id,
        position=str(where),
        kind="strategy",
        strategy=result.strategy,
        mean=score.mean,
        sd=score.sd,
        mode=score.mode,
        lowest=score.lowest,
        highest=score.highest,
        percentiles={str(percent): score.percentile(percent) for percent in PERCENTILES},
        mass=score.mass.tolist(),
        bonus=result.bonus,
        categories={one.category.id: CategoryShare(mean=one.mean, hit=one.hit) for one in result.categories},
        notes=notes,
    )
