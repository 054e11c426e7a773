"""Exact evaluation of a strategy: the probability mass function of its final score, with no sampling error.

All mass starts on the empty sheet with 0 points. In every state the strategy determines the chance of each outcome of
the turn (a category with its points); an outcome moves its share of the mass to the following state, shifted by its
points. The mass that arrives at the full sheets is the distribution of the final score. Summing the shares by outcome
gives the result of each category.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import product
from math import comb
from pathlib import Path

import numpy as np

from yatzy.errors import InputError
from yatzy.evaluation.checkpoints import Checkpoint
from yatzy.evaluation.distribution import CategoryResult, Distribution, Evaluation, FloatArray
from yatzy.evaluation.forward_pass import ForwardPass, PassByPoints, PassByState
from yatzy.games import Keep, Position, Sheet
from yatzy.model import compile_game
from yatzy.store.revisions import Computation
from yatzy.strategies.base import STRATEGIES, DependsOn, Earlier, Strategy, checked_move
from yatzy.strategies.best import as_strategy
from yatzy.values.cost import Cost, CostLimit, refuse_beyond
from yatzy.values.evaluator import Solution
from yatzy.values.resources import Progress
from yatzy.values.threads import core_count

EVALUATION = Computation("evaluation", uses=(STRATEGIES,))
CHECKPOINT = Computation("checkpoint", uses=(EVALUATION,))
MOST_OPEN = 6
"""The most open categories for which a strategy without a fast form is followed through every position."""


def evaluate(
    strategy: Solution | Strategy,
    start: Position | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    split: str | Sequence[str] | None = None,
    limit: CostLimit | None = None,
    checkpoints: str | Path | None = None,
) -> Evaluation:
    """The exact distribution of a strategy from any position of one player.

    A solution stands for the best strategy for its objective. Strategies from tables, softened ones and those that plan
    whole turns are evaluated fast. Any other strategy is called in every position it can reach, which suits small games
    and positions near the end. `split` separates the games with the "bonus", or with points in the category of that id,
    from the others; two such events split them into four parts (`Evaluation.parts`). An evaluation above `limit` is
    refused before it starts (`SizeError`); by default the limit is a fraction of the free memory. With `checkpoints`, a
    folder, an interrupted evaluation goes on where it was; `evaluation_cost` tells the time beforehand.
    """
    strategy = as_strategy(strategy)
    start = start or Position.start(strategy.game)
    push = _forward_pass(strategy)
    events = (split,) if isinstance(split, str) else tuple(split or ())
    if push is None:
        if events:
            raise InputError(
                "{strategy}: games can be split only for a strategy that has a fast form", strategy=strategy.name
            )
        if len(start.sheet.open) > MOST_OPEN:
            raise InputError(
                "{strategy} cannot be evaluated exactly with more than {most} categories open: its move would"
                " be needed in every position; simulate it instead",
                strategy=strategy.name,
                most=MOST_OPEN,
            )
        return _follow(strategy, start)
    push.split(events, start.sheet)
    states = compile_game(strategy.game).states
    first, threads = start.sheet.filled.bit_count(), threads or core_count()
    refuse_beyond(push.cost(first, threads), limit, strategy.game, strategy.name)
    saved = None if checkpoints is None else Checkpoint(Path(checkpoints), CHECKPOINT, strategy, start, events)

    def watch() -> None:
        if progress is not None:
            progress(push.reached, len(states))
        if saved is not None:
            saved.save_if_due(push)

    if saved is None or not saved.restore(push):
        push.begin({TurnResult(start.sheet): 1.0} if start.between_turns else turn_results(strategy, start))
    if progress is not None:
        progress(push.reached, len(states))
    with ThreadPoolExecutor(threads) as pool:
        push.run(pool, watch)
    if saved is not None:
        saved.remove()
    return push.result(strategy.name, start.sheet)


def evaluation_cost(strategy: Solution | Strategy, start: Position | None = None, threads: int | None = None) -> Cost:
    """The expected cost of `evaluate`, on the high side; its `seconds()` is the time.

    Zero for a strategy that is called in every position it can reach. The user's own code is timed on one turn.
    """
    strategy = as_strategy(strategy)
    push, start = _forward_pass(strategy), start or Position.start(strategy.game)
    if push is None:
        return Cost(0, 0.0)
    first, turns = start.sheet.filled.bit_count(), len(strategy.game.categories)
    states = compile_game(strategy.game).states.layer_start
    sets = sum(1 if strategy.game.forced_order else comb(turns, layer) for layer in range(first, turns))
    seconds = strategy.user_seconds(int(states[-2] - states[first]), sets)
    cost = push.cost(first, threads or core_count())
    return Cost(cost.bytes, cost.operations / push.at_once, seconds)


def _forward_pass(strategy: Strategy) -> ForwardPass | None:
    if not strategy.in_bulk:
        return None
    return PassByPoints(strategy) if strategy.depends_on is DependsOn.POINTS else PassByState(strategy)


@dataclass(frozen=True, slots=True)
class TurnResult:
    """A sheet at the end of a turn, and the category and points scored; no category if the turn has not begun."""

    sheet: Sheet
    category: int | None = None
    points: int = 0


def turn_results(strategy: Strategy, position: Position) -> dict[TurnResult, float]:
    """The chances of all sheets with which the turn can end, from this position on."""
    results: dict[TurnResult, float] = {}
    waiting: dict[tuple[Position, Earlier], float] = {(position, ()): 1.0}

    def arrive(at: Position, earlier: Earlier, mass: float) -> None:
        at_all = (at, earlier if strategy.remembers else ())
        waiting[at_all] = waiting.get(at_all, 0.0) + mass

    while waiting:
        # Most rolls left first, and moves before rolls, so that all mass of a position arrives before it is used.
        here, earlier = max(waiting, key=lambda at: (at[0].rolls_left, not at[0].awaits_roll))
        mass = waiting.pop((here, earlier))
        if here.awaits_roll:
            missing = here.game.dice - len(here.dice)
            for more in product(range(1, here.game.faces + 1), repeat=missing):
                arrive(here.roll(here.dice + more), earlier, mass / here.game.faces**missing)
            continue
        for move, share in strategy.weights(here, earlier):
            after = checked_move(strategy, here, move)
            if isinstance(move, Keep):
                arrive(after, (*earlier, here.dice), mass * share)
                continue
            place = here.placement(move)
            sheet = here.sheet.fill(place.category, place.points, place.joker_bonus)
            result = TurnResult(sheet, place.category, place.points)
            results[result] = results.get(result, 0.0) + mass * share
    return results


def _follow(strategy: Strategy, start: Position) -> Evaluation:
    """Call a strategy in every position it can reach."""
    game, written = strategy.game, dict[tuple[int, int], float]()
    score, bonus = dict[int, float](), 0.0
    sheets = {start.sheet: 1.0}
    position: Position | None = start
    while sheets:
        sheet, mass = sheets.popitem() if position is None else (start.sheet, sheets.pop(start.sheet))
        if sheet.over:
            score[sheet.points] = score.get(sheet.points, 0.0) + mass
            bonus += mass * sheet.bonus_won
            continue
        for result, chance in turn_results(strategy, position or Position((sheet,))).items():
            after = replace(result.sheet, boxes=None)
            sheets[after] = sheets.get(after, 0.0) + mass * chance
            key = (result.category or 0, result.points)
            written[key] = written.get(key, 0.0) + mass * chance
        position = None
    categories = tuple(
        CategoryResult(game.categories[i], Distribution(_mass({p: m for (c, p), m in written.items() if c == i})))
        for i in start.sheet.open
    )
    return Evaluation(game, strategy.name, Distribution(_mass(score)), bonus, categories)


def _mass(chances: dict[int, float]) -> FloatArray:
    """An array [points] from chances by number of points."""
    mass = np.zeros(max(chances, default=0) + 1)
    for points, chance in chances.items():
        mass[points] = chance
    return mass
