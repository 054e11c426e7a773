"""Computer players: strategies by name, those for several players included, each opened once.

Beside the strategies of strategies/names.py there are

match:emp:D, match:dyns:D, match:auto[:SECONDS]      searches that look at everyone's sheet (match/objectives.py)
softened:FIRMNESS:match:...                          the same with errors now and then

Firmness is per unit of value: points for play by points, match points for a search.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from threading import Lock
from typing import TYPE_CHECKING, TypeAlias

from yatzy.coach.advisers import check_objective
from yatzy.errors import InputError
from yatzy.games import Dice, Game, Move, Position
from yatzy.match.objectives import FORMS as MATCH_FORMS
from yatzy.match.objectives import is_match_objective
from yatzy.solve.objectives import FORMS as OBJECTIVES
from yatzy.solve.objectives import Workshop
from yatzy.solve.strategy import Earlier, MixedStrategy, Strategy, checked_move

if TYPE_CHECKING:
    from yatzy.match.search import MatchSearch

Draw: TypeAlias = Callable[[Position, Sequence[tuple[Move, float]]], Move]
"""What picks one of some moves by their chances."""
SOFTENED = "softened"
FORMS = (*MATCH_FORMS, "softened:FIRMNESS:match:…")
"""Those that only a table has; strategies/names.py has the others."""


class Opponents:
    """The computer players of any number of games; may be asked from several threads."""

    def __init__(self, workshop: Workshop | None = None) -> None:
        self._workshop = workshop or Workshop()
        self._known: dict[tuple[str, Game], Strategy] = {}
        self._opening = Lock()

    def move(self, name: str, position: Position, earlier: tuple[Dice, ...], draw: Draw) -> Move:
        """What a computer player does in a position; an illegal answer of somebody's own strategy is refused."""
        strategy = self.strategy(name, position.game, len(position.sheets))
        if isinstance(strategy, MixedStrategy):
            move = draw(position, strategy.weights(position, earlier))
        else:
            move = strategy.move(position, earlier)
        checked_move(strategy, position, move)
        return move

    def strategy(self, name: str, game: Game, players: int = 1) -> Strategy:
        """The strategy that a name stands for; tables it needs are made if they are not there."""
        key = (name.strip(), game)
        with self._opening:  # a table is made by one, the others wait for it
            if key not in self._known:
                check_strategy(name, game, players)
                self._known[key] = self._open(name.strip(), game)
            return self._known[key]

    def _open(self, name: str, game: Game) -> Strategy:
        from yatzy.strategies.names import parse_strategy

        objective, firmness = _parts(name)
        if not is_match_objective(objective):
            return parse_strategy(name, game, self._workshop)
        from yatzy.match.opening import open_match  # compiled, so not before it is needed

        search = open_match(self._workshop, game, objective)
        return MatchStrategy(search) if firmness is None else SoftenedMatch(search, firmness)


class MatchStrategy(Strategy):
    """The best move that a search finds."""

    def __init__(self, search: MatchSearch) -> None:
        self.game, self.name, self._search = search.game, search.objective, search

    def move(self, position: Position, earlier: Earlier = ()) -> Move:
        """The best move."""
        return self._search.best_move(position)


class SoftenedMatch(MixedStrategy):
    """A search whose best moves are made most often: weight e^(firmness · (value - best))."""

    def __init__(self, search: MatchSearch, firmness: float) -> None:
        self.game, self.name = search.game, f"{SOFTENED}:{firmness:g}:{search.objective}"
        self._search, self._firmness = search, firmness

    def weights(self, position: Position, earlier: Earlier = ()) -> Sequence[tuple[Move, float]]:
        """All legal moves."""
        values = self._search.move_values(position)
        top = max(entry.value for entry in values)
        return [(entry.move, math.exp(self._firmness * (entry.value - top))) for entry in values]


def check_strategy(name: str, game: Game, players: int = 1) -> None:
    """Refuse a strategy that is none, before any table is made for it."""
    from yatzy.strategies.names import FORMS as ALONE
    from yatzy.strategies.names import NAMED, parse_strategy

    name = name.strip()
    objective, _ = _parts(name)
    kind = objective.partition(":")[0]
    if objective == name and (kind == "file" or name.rpartition(":")[0].endswith(".py")):
        parse_strategy(name, game)  # a look at the file tells, and needs no table
    elif is_match_objective(objective) or kind in {form.partition(":")[0] for form in OBJECTIVES}:
        check_objective(game, objective, players)
    elif objective != name or name not in NAMED:
        raise InputError(f"there is no strategy {name!r}; strategies are {', '.join((*ALONE, *FORMS))}")


def _parts(name: str) -> tuple[str, float | None]:
    """What a strategy plays for, and how firmly if it is softened."""
    head, _, rest = name.partition(":")
    if head != SOFTENED:
        return name, None
    number, _, objective = rest.partition(":")
    try:
        firmness = float(number)
    except ValueError:
        firmness = math.nan
    if not 0 <= firmness < math.inf:
        raise InputError(f"{name}: the firmness must be a number from 0 on, such as softened:1")
    return objective or "expected", firmness
