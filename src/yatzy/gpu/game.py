"""A compiled game in the layout of `turn.cu`: its sizes, which are compiled in, and its arrays.

Rows in shared memory are the keeps, the zero row, the filled rows (upper categories by number of dice above 0, then the
options of the rest categories) and the joker rows. A *source* is a function that rows read, one for each row of
model/placing.py before the zero row.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from yatzy.errors import SizeError
from yatzy.model import CompiledGame

ROW = 128
"""Bytes of a row in shared memory: a number for each lane. The lanes of a chunk are computed together."""
LANES = ROW // 4
"""Lanes in single precision."""
THREADS = 1152
"""Threads of a multiprocessor, in up to three blocks: as many as leave each thread 56 registers."""
MOST_THREADS = 1024
"""Threads of a block at most."""
BLOCK_BYTES = 75 * 1024
"""Shared memory of a block if there are three of them on a multiprocessor of compute capability 9.0."""
RUN, RUN_OF_STATES = 16, 2
"""Consecutive chunks of a block. Chunks of a curve or a pair share what the first has looked up; states share nothing,
and few of them at a time keep all multiprocessors busy to the end of a small layer."""
NEVER_OPEN, NEVER_OPEN_OF_MANY = 31, 63
"""A bit of the open categories that is never set, with up to 31 categories and with more."""
MOST_ROWS = 2**13
"""Rows in shared memory: a mebibyte of them, more than any GPU has. Their numbers must fit into 16 bits."""


@dataclass(frozen=True, eq=False)
class GameArrays:
    """Sizes and arrays of a game."""

    sizes: dict[str, int]
    """The macros of `turn.cu`."""
    arrays: dict[str, npt.NDArray[Any]]
    """By name, in the order of the parameters of the kernels."""


def game_arrays(compiled: CompiledGame, number: type[np.floating[Any]] = np.float32) -> GameArrays:
    """The arrays and sizes of a game. number: single precision, or double for expected scores."""
    game, lattice, placing = compiled.game, compiled.lattice, compiled.placing
    rows, upper, states = placing.rows, compiled.upper, compiled.states
    filled = rows.slots * game.dice + len(placing.option_points)
    sizes = {
        "DICE": game.dice,
        "FACES": game.faces,
        "REROLLS": game.rolls - 1,
        "SLOTS": rows.slots,
        "REST": len(states.rest.categories),
        "BOXES": states.start.shape[1],
        "JOKERS": game.faces if game.joker else 0,
        "FILLED": filled,
        "BYTES": (size_of_number := np.dtype(number).itemsize),
        "THREADS": _threads(len(lattice.keeps) + filled + 1 + (game.faces if game.joker else 0)),
        "LANES": ROW // size_of_number,
        "RUN": RUN if size_of_number == 4 else RUN_OF_STATES,
    }
    if (keeps := len(lattice.keeps)) + filled > MOST_ROWS:
        raise SizeError(
            "{game}: {keeps:,} keeps and {filled:,} numbers of points are too many for a GPU",
            game=game.id,
            keeps=keeps,
            filled=filled,
        )
    counts = np.arange(1, game.dice + 1)
    upper_source = np.arange(rows.slots)[:, None] * rows.per_slot + counts
    places = _places(compiled)
    sizes["PLACES"] = places.shape[1]
    arrays = {
        "child": _lists(lattice.child.tolist(), np.uint16),
        "parent": _lists(_parents(compiled), np.uint16),
        "share": np.array([float(game.faces) ** (size - game.dice) for size in range(game.dice)], number),
        "weight": lattice.weight.astype(number),
        "places": places,
        "filled_source": np.append(upper_source.ravel(), placing.option_source).astype(np.uint16),
        "filled_points": np.append(np.zeros(upper_source.size), placing.option_points).astype(np.int32),
        "joker_start": placing.joker_start.astype(np.int32),
        "joker_source": placing.joker_row.astype(np.int32),
        "joker_points": placing.joker_points.astype(np.int32),
        "joker_upper": np.array([_bit(compiled, face) for face in range(1, game.faces + 1)], np.int64),
        "upper_filled": upper.filled,
        "upper_next": upper.next,
        "upper_shift": upper.points,
        "rest_next": states.rest.next,
        "rest_first": states.rest.first,
        "state_start": states.start,
        "block": states.block,
        "block_start": states.block_start,
    }
    return GameArrays(sizes, {name: np.ascontiguousarray(array) for name, array in arrays.items()})


def _threads(rows: int) -> int:
    """The threads of a block: more of those of a multiprocessor if fewer blocks have room for their rows there."""
    blocks = min(max(3 * BLOCK_BYTES // (ROW * rows), 1), 3)
    return min(THREADS // blocks, MOST_THREADS)


def _bit(compiled: CompiledGame, face: int) -> int:
    category = compiled.game.upper_of_face.get(face)
    return 0 if category is None else 1 << category


def _lists(lists: list[list[int]], type_: type[np.unsignedinteger[Any]], padding: int = 0) -> npt.NDArray[Any]:
    """Lists of equal length, a multiple of 4 bytes."""
    longest, step = max(map(len, lists)), 4 // np.dtype(type_).itemsize
    padded = np.full((len(lists), -(-longest // step) * step), padding, type_)
    for row, entries in zip(padded, lists, strict=True):
        row[: len(entries)] = entries
    return padded


def _parents(compiled: CompiledGame) -> list[list[int]]:
    lattice = compiled.lattice
    start, parent = lattice.parent_start.tolist(), lattice.parent.tolist()
    return [[end - begin, *parent[begin:end]] for begin, end in pairwise(start)]


def _places(compiled: CompiledGame) -> npt.NDArray[np.uint32]:
    """[roll, entry]: the row that is open in every state, then those of the categories that pay, with the category.

    An entry is row + category · 2¹⁶. Lists are padded with a category that is never open.
    """
    game, placing, keeps = compiled.game, compiled.placing, len(compiled.lattice.keeps)
    rows, first_filled = placing.rows, keeps + 1
    first_option = first_filled + rows.slots * game.dice
    first_joker = first_option + len(placing.option_points)
    places = list[list[int]]()
    for begin, end in pairwise(placing.roll_start.tolist()):
        always, paying = 0, list[int]()
        for row in placing.roll_row[begin:end].tolist():
            if row >= rows.joker:
                always = first_joker + row - rows.joker
            elif row == rows.zero:
                always = keeps
            elif row >= rows.option:
                option = row - rows.option
                category = rows.slots + int(placing.option_source[option]) - rows.rest
                paying.append(first_option + option + (category << 16))
            else:
                category, count = divmod(row, rows.per_slot)
                paying.append(first_filled + category * game.dice + count - 1 + (category << 16))
        places.append([always, *paying])
    few = rows.slots + len(compiled.states.rest.categories) <= NEVER_OPEN
    never = NEVER_OPEN if few else NEVER_OPEN_OF_MANY
    return _lists(places, np.uint32, never << 16)
