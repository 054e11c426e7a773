"""The cost of an exact distribution, estimated before anything is allocated.

The mass of two layers is held at a time: one number for every state and every score the state may have. Both counts
follow from the blocks of the layers, so no array here is longer than the list of blocks or the sets of lower
categories.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from yatzy.errors import Message, SizeError
from yatzy.games import Game
from yatzy.model import CompiledGame
from yatzy.values.threads import available_memory, core_count

SHARE = 0.75
"""The fraction of free memory that an exact distribution may use when no limit is given."""
OPERATIONS_A_SECOND = 3e8
"""Approximate speed of one core."""


@dataclass(frozen=True, slots=True)
class Cost:
    """An estimate of the cost of a computation, on the high side."""

    bytes: int
    """Peak memory."""
    operations: float
    """Approximate number of additions."""
    user_seconds: float = 0.0
    """Time spent in the user's own code, which runs on one core."""

    def seconds(self, threads: int | None = None) -> float:
        """The expected time; by default with all cores."""
        return self.operations / OPERATIONS_A_SECOND / (threads or core_count()) + self.user_seconds

    @property
    def message(self) -> Message:
        """The memory in words."""
        return Message("about {size:,.1f} GiB of memory", size=self.bytes / 2**30)

    def __str__(self) -> str:
        return self.message


@dataclass(frozen=True, slots=True)
class CostLimit:
    """The largest allowed cost of a computation."""

    bytes: int
    operations: float = float("inf")
    instead: Message | str = ""
    """The alternative that the error message suggests; by default the command that plays a sample."""


@dataclass(frozen=True, slots=True)
class LayerSizes:
    """The number of states and of mass entries in the layers of a game."""

    states: npt.NDArray[np.int64]
    """[layer]"""
    places: npt.NDArray[np.int64]
    """[layer]: the sum of the widths of its states."""


def most_by_category(compiled: CompiledGame) -> list[int]:
    """[category]: the most points that can be scored there."""
    return [
        max(int(compiled.placing.points[:, i].max()), category.fixed_points or 0)
        for i, category in enumerate(compiled.game.categories)
    ]


def layer_sizes(compiled: CompiledGame) -> LayerSizes:
    """The layer totals of `values.utility.widths`, without an array entry for each state."""
    game, states, most = compiled.game, compiled.states, most_by_category(compiled)
    first = states.rest.first
    points = np.zeros(len(states.rest.mask), np.int64)
    for bit, category in enumerate(states.rest.categories):
        points += (states.rest.mask >> bit & 1) * most[category]
    until = np.concatenate([[0], np.cumsum(points)])
    rest_points, rest_sets = np.diff(until[first]), np.diff(first)
    upper = np.zeros(len(states.upper), np.int64)
    for i in game.upper_categories:
        upper += (states.upper.filled >> i & 1) * most[i]
    u, box, size = states.block.T
    layer = states.upper.count[u] + (box > 0) + size
    held = most[game.joker_box] * (box > 0) if game.joker_box is not None else np.zeros(len(box), np.int64)
    extra = (game.bonus.points if game.bonus else 0) + (game.joker.points * layer if game.joker else 0)
    sets = rest_sets[size]
    places = rest_points[size] + sets * (upper[u] + held + extra + 1)
    layers = states.layers
    return LayerSizes(
        states=np.bincount(layer, sets, layers).astype(np.int64),
        places=np.bincount(layer, places, layers).astype(np.int64),
    )


def least_cost(compiled: CompiledGame, first: int) -> Cost:
    """What any exact distribution from a layer on takes at least: the mass of two layers at a time.

    In a forced order, states that are never reached count too, so that its operations may be fewer.
    """
    places = layer_sizes(compiled).places[first:]
    return Cost(8 * int((places[:-1] + places[1:]).max(initial=0)), float(places.sum()))


def refuse_beyond(cost: Cost, limit: CostLimit | None, game: Game, strategy: str) -> None:
    """Refuse an exact distribution above a limit; the default limit is a fraction of the available memory."""
    bound = limit or CostLimit(int(SHARE * available_memory()))
    instead = bound.instead or Message(
        "simulate it instead: yatzy simulate --game {game} --strategy {strategy}", game=game.id, strategy=strategy
    )
    if cost.bytes > bound.bytes:
        raise SizeError(
            "the exact distribution of {strategy} for {game} would take {cost}, and {most:,.1f} GiB may be used;"
            " {instead}",
            strategy=strategy,
            game=game.id,
            cost=cost.message,
            most=bound.bytes / 2**30,
            instead=instead,
        )
    if cost.operations > bound.operations:
        raise SizeError(
            "the exact distribution of {strategy} for {game} would take about {minutes:,.0f} minutes, which"
            " is too long here; {instead}",
            strategy=strategy,
            game=game.id,
            minutes=cost.operations / OPERATIONS_A_SECOND / 60,
            instead=instead,
        )
