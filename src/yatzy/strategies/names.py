"""Strategies by name: a name is opened as something that plays."""

from __future__ import annotations

from yatzy.errors import InputError
from yatzy.games import Game
from yatzy.names import (
    STRATEGY_FORMS,
    Best,
    Custom,
    Exported,
    Greedy,
    Origin,
    Random,
    Softened,
    StrategyName,
    check_origin,
    grammar,
    strategies,
)
from yatzy.solve.objectives import Workshop
from yatzy.solve.softened import RandomStrategy, SoftenedStrategy
from yatzy.solve.strategy import Strategy
from yatzy.solve.tabled import ValueStrategy, strategy_for
from yatzy.strategies.export import FileStrategy
from yatzy.strategies.molinder import MolinderBonus, MolinderLower
from yatzy.strategies.own import load_own


def parse_strategy(
    name: StrategyName | str, game: Game, workshop: Workshop | None = None, origin: Origin = Origin.DATA
) -> Strategy:
    """The strategy that a name stands for, in a game; tables it needs are made if they are not there.

    origin: where the name comes from. Only `Origin.PERSON` may read a file or run code.
    """
    if isinstance(name, str):
        name = grammar.parse_strategy(name)
    check_origin(name, origin)
    workshop = workshop or Workshop()
    match name:
        case _ if name.several:
            raise InputError(f"there is no strategy {str(name)!r} for one player; {_FORMS}")
        case Softened(objective, firmness):
            return SoftenedStrategy(workshop.open(game, objective, origin), firmness)
        case Best(objective):
            return strategy_for(workshop.open(game, objective, origin))
        case Greedy():
            return ValueStrategy(game, "greedy")
        case Random():
            return RandomStrategy(game)
        case strategies.MolinderBonus():
            return MolinderBonus(game)
        case strategies.MolinderLower():
            return MolinderLower(game)
        case Exported(path):
            return FileStrategy(path, game)
        case Custom():
            return load_own(str(name), game)
    raise InputError(f"there is no strategy {str(name)!r}; {_FORMS}")


_FORMS = f"strategies are {', '.join(STRATEGY_FORMS)}"
