"""Strategies for matches, which play by a search: `match:…`, and `softened:FIRMNESS:match:…` with occasional errors."""

from __future__ import annotations

import math
from collections.abc import Sequence

from yatzy.games import Move, Position
from yatzy.matches.search import MatchSearch
from yatzy.names import Best, Softened
from yatzy.strategies.base import Earlier, MixedStrategy, Strategy


class MatchStrategy(Strategy):
    """Plays the best move that a search finds."""

    def __init__(self, search: MatchSearch) -> None:
        self.game, self.name, self._search = search.game, search.objective, search

    def move(self, position: Position, earlier: Earlier = ()) -> Move:
        """The best move."""
        return self._search.best(position)


class SoftenedMatch(MixedStrategy):
    """A search that plays better moves more often: weight e^(firmness · (value - best)), in units of the payoff."""

    def __init__(self, search: MatchSearch, firmness: float) -> None:
        self.game, self.name = search.game, str(Softened(search.name, firmness))
        self._search, self._firmness = search, firmness

    def weights(self, position: Position, earlier: Earlier = ()) -> Sequence[tuple[Move, float]]:
        """The weights of all legal moves."""
        values = self._search.moves(position)
        top = max(entry.value for entry in values)
        return [(entry.move, math.exp(self._firmness * (entry.value - top))) for entry in values]


def open_match(search: MatchSearch, name: Best) -> MatchStrategy:
    """`match:…`."""
    return MatchStrategy(search)


def open_softened_match(search: MatchSearch, name: Softened) -> SoftenedMatch:
    """`softened:FIRMNESS:match:…`."""
    return SoftenedMatch(search, name.firmness)
