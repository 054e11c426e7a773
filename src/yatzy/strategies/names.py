"""Strategies by name.

expected, target:S, chance:P, exp:THETA, utility:FILE    the best for an objective
greedy                                                   the most points in this turn
random                                                   any legal move
softened:FIRMNESS[:OBJECTIVE]                            the best moves most often (solve/softened.py)
molinder-bonus, molinder-lower                           two written by hand (molinder.py)
file:PATH                                                an exported strategy (export.py)
FILE.py:CLASS                                            one of your own (own.py)
"""

from __future__ import annotations

import math
from collections.abc import Callable

from yatzy.errors import InputError
from yatzy.games import Game
from yatzy.solve.objectives import FORMS as OBJECTIVES
from yatzy.solve.objectives import Workshop
from yatzy.solve.softened import RandomStrategy, SoftenedStrategy
from yatzy.solve.strategy import Strategy
from yatzy.solve.tabled import ValueStrategy, strategy_for
from yatzy.strategies.export import FileStrategy
from yatzy.strategies.molinder import MolinderBonus, MolinderLower
from yatzy.strategies.own import load_own

NAMED: dict[str, Callable[[Game], Strategy]] = {
    "greedy": lambda game: ValueStrategy(game, "greedy"),
    "random": RandomStrategy,
    "molinder-bonus": MolinderBonus,
    "molinder-lower": MolinderLower,
}

FORMS = (*OBJECTIVES, *NAMED, "softened:FIRMNESS[:OBJECTIVE]", "file:PATH", "FILE.py:CLASS")


def parse_strategy(text: str, game: Game, workshop: Workshop | None = None) -> Strategy:
    """The strategy that a name stands for, in a game; tables it needs are made if they are not there."""
    text, workshop = text.strip(), workshop or Workshop()
    kind, _, rest = text.partition(":")
    if text in NAMED:
        return NAMED[text](game)
    if text.rpartition(":")[0].endswith(".py"):
        return load_own(text, game)
    if kind == "file" and rest:
        return FileStrategy(rest, game)
    if kind == "softened" and rest:
        return _softened(rest, game, workshop)
    if kind in {form.partition(":")[0] for form in OBJECTIVES}:
        return strategy_for(workshop.open(game, text))
    raise InputError(f"there is no strategy {text!r}; strategies are {', '.join(FORMS)}")


def _softened(text: str, game: Game, workshop: Workshop) -> Strategy:
    number, _, objective = text.partition(":")
    try:
        firmness = float(number)
    except ValueError:
        firmness = math.nan
    if not 0 <= firmness < math.inf:
        raise InputError(f"softened:{text}: the firmness must be a number from 0 on, such as softened:1")
    return SoftenedStrategy(workshop.open(game, objective or "expected"), firmness)
