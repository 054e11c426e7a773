"""The states between turns, numbered so that the solver can process long runs of consecutive states.

A state is (upper class u, Joker box b, filled rest m). b is 0 while the box is open, 1 if it was filled with 0, and
2 if it was filled with its points (always 0 in a game without Joker, where the box is an ordinary category). m is the
set of the other filled lower categories, the *rest*. Layer t holds the states with t filled categories. A layer is
divided into *blocks* (u, b, j) of all m with j members, so

    state = start[u, b, j] + rank of m among the sets of its size

Filling an upper category or the box does not change the rank; after filling a rest category it is read from
`RestSets.next`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import numpy.typing as npt

from yatzy.games import Game, Sheet
from yatzy.model.upper import UpperClasses

BOX_OPEN, BOX_EMPTY, BOX_PAYS = 0, 1, 2
NO_STATE = -1


@dataclass(frozen=True, eq=False)
class RestSets:
    """The sets of filled rest categories, by size."""

    categories: tuple[int, ...]
    """Their indices on the sheet."""
    mask: npt.NDArray[np.int64]
    """[set]: its members as bits 0, 1, … of `categories`."""
    first: npt.NDArray[np.int64]
    """[size]: the first set of that size; one more entry at the end."""
    next: npt.NDArray[np.int32]
    """[category, set]: the rank of the set with that category added, NO_STATE if the category cannot be added."""
    _sorted: npt.NDArray[np.int64]
    _sorted_rank: npt.NDArray[np.int32]

    def rank(self, mask: int) -> int:
        """The rank of a set among those of its size."""
        if len(self._sorted) == 1 << len(self.categories):  # all sets exist, so the mask is the index
            return int(self._sorted_rank[mask])
        return int(self._sorted_rank[np.searchsorted(self._sorted, mask)])

    @property
    def bytes(self) -> int:
        """Memory use of the arrays."""
        return sum(array.nbytes for array in (self.mask, self.next, self._sorted, self._sorted_rank))


@dataclass(frozen=True, eq=False)
class StateIndex:
    """All states of a game."""

    game: Game
    upper: UpperClasses
    rest: RestSets
    start: npt.NDArray[np.int64]
    """[upper class, box, size of rest]: the first state of the block, NO_STATE if it cannot occur."""
    block: npt.NDArray[np.int32]
    """[block, (upper class, box, size of rest)] in the order of the states."""
    block_start: npt.NDArray[np.int64]
    """[block]: its first state; one more entry at the end."""
    layer_start: npt.NDArray[np.int64]
    """[layer]: its first state; one more entry at the end."""

    def __len__(self) -> int:
        return int(self.layer_start[-1])

    @property
    def layers(self) -> int:
        """Layers 0 (nothing filled) to N (all filled)."""
        return len(self.layer_start) - 1

    def filled(self, states: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """The filled categories of some states, as bits of the sheet."""
        block = np.searchsorted(self.block_start, states, side="right") - 1
        u, box, size = self.block[block].T
        rest = self.rest.mask[self.rest.first[size] + states - self.block_start[block]]
        filled = self.upper.filled[u].copy()
        for bit, category in enumerate(self.rest.categories):
            filled |= (rest >> bit & 1) << category
        if self.game.joker_box is not None:
            filled |= (box > 0).astype(np.int64) << self.game.joker_box
        return np.asarray(filled, np.int64)

    @cached_property
    def _parts_of(self) -> Callable[[int], tuple[int, int, int]]:
        """By the set of filled categories: the upper ones, the number of the rest, and the rank of the rest. Cached."""
        upper = sum(1 << i for i in self.game.upper_categories)

        @lru_cache(maxsize=4096)
        def parts(filled: int) -> tuple[int, int, int]:
            rest = sum(1 << bit for bit, category in enumerate(self.rest.categories) if filled >> category & 1)
            return filled & upper, rest.bit_count(), int(self.rest.rank(rest))

        return parts

    def find(self, sheet: Sheet) -> int:
        """The state of a sheet."""
        joker_box, box = self.game.joker_box, BOX_OPEN
        if joker_box is not None and sheet.filled >> joker_box & 1:
            box = BOX_PAYS if sheet.box_pays else BOX_EMPTY
        upper, rest, rank = self._parts_of(sheet.filled)
        return int(self.start[self.upper.find(upper, sheet.upper), box, rest]) + rank

    def locate(self, sheet: Sheet) -> tuple[int, int]:
        """The layer of a sheet and its row in the table, which is its state counted from the first of the layer."""
        layer = sheet.filled.bit_count()
        return layer, self.find(sheet) - int(self.layer_start[layer])


def index_states(game: Game, upper: UpperClasses) -> StateIndex:
    """Number the states of a game."""
    rest = _rest_sets(game)
    sizes = np.diff(rest.first)
    boxes = 1 if game.joker_box is None else 3
    u, b, j = (axis.ravel() for axis in np.indices((len(upper), boxes, len(sizes)), dtype=np.int32))
    layer = upper.count[u] + (b > 0) + j
    possible = sizes[j] > 0
    if game.forced_order:
        possible &= _leading(game, upper, rest, u, b, j)
    order = np.flatnonzero(possible)
    order = order[np.argsort(layer[order], kind="stable")]
    block = np.stack([u[order], b[order], j[order]], axis=1)
    block_start = np.concatenate([[0], np.cumsum(sizes[block[:, 2]])]).astype(np.int64)
    start = np.full((len(upper), boxes, len(sizes)), NO_STATE, np.int64)
    start[tuple(block.T)] = block_start[:-1]
    layer_start = block_start[np.searchsorted(layer[order], np.arange(len(game.categories) + 2))]
    return StateIndex(game, upper, rest, start, block, block_start, layer_start)


def _rest_sets(game: Game) -> RestSets:
    categories = tuple(i for i in game.lower_categories if i != game.joker_box)
    n = len(categories)
    masks = 2 ** np.arange(n + 1, dtype=np.int64) - 1 if game.forced_order else np.arange(2**n, dtype=np.int64)
    sizes = np.bitwise_count(masks)
    by_size = np.argsort(sizes, kind="stable")
    first = np.searchsorted(sizes[by_size], np.arange(n + 2)).astype(np.int64)
    rank = np.empty(len(masks), np.int32)  # by mask, ascending
    rank[by_size] = np.arange(len(masks)) - first[sizes[by_size]]
    members = masks[by_size]
    next_ = np.full((n, len(masks)), NO_STATE, np.int32)
    for q in range(n):
        larger = members | 1 << q
        place = np.minimum(np.searchsorted(masks, larger), len(masks) - 1)
        able = (larger != members) & (masks[place] == larger)  # with a forced order not every set exists
        next_[q, able] = rank[place[able]]
    return RestSets(categories, members, first, next_, masks, rank)


def _leading(
    game: Game,
    upper: UpperClasses,
    rest: RestSets,
    u: npt.NDArray[np.int32],
    b: npt.NDArray[np.int32],
    j: npt.NDArray[np.int32],
) -> npt.NDArray[np.bool_]:
    """Which blocks have exactly the first categories of the sheet filled, as a forced order requires."""
    filled = upper.filled[u] + sum((j > q).astype(np.int64) << i for q, i in enumerate(rest.categories))
    if game.joker_box is not None:
        filled = filled + ((b > 0).astype(np.int64) << game.joker_box)
    return np.asarray(filled & (filled + 1) == 0)
