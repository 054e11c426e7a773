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

LANES = 32
"""Values of a chunk, which a block of threads computes together."""
THREADS = 768
"""Threads of a multiprocessor, in up to three blocks: as many as leave each thread 80 registers."""
BLOCK_BYTES = 75 * 1024
"""Shared memory of a block if there are three of them on a multiprocessor of compute capability 9.0."""
RUN = 16
"""Consecutive chunks of a block."""
MOST_ROWS = 2**13
"""Rows in shared memory: a mebibyte of them, more than any GPU has. Their numbers must fit into 16 bits."""


@dataclass(frozen=True, eq=False)
class GameArrays:
    """Sizes and arrays of a game."""

    sizes: dict[str, int]
    """The macros of `turn.cu`."""
    arrays: dict[str, npt.NDArray[Any]]
    """By name, in the order of the parameters of the kernels."""


def game_arrays(compiled: CompiledGame) -> GameArrays:
    """The arrays and sizes of a game."""
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
        "THREADS": _threads(len(lattice.keeps) + filled + 1 + (game.faces if game.joker else 0)),
        "LANES": LANES,
        "RUN": RUN,
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
    place_row, place_mask = _places(compiled)
    arrays = {
        "child": _lists([list(row) for row in lattice.child.tolist()], game.faces),
        "parent": _lists(_parents(compiled), 1 + min(game.dice, game.faces)),
        "share": np.array([float(game.faces) ** (size - game.dice) for size in range(game.dice)], np.float32),
        "weight": lattice.weight.astype(np.float32),
        "place_row": place_row,
        "place_mask": place_mask,
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
    """The threads of a block: all of a multiprocessor if its rows take so much memory that only one block fits."""
    size = 4 * LANES * rows
    return THREADS // 3 if size <= BLOCK_BYTES else THREADS // 2 if 2 * size <= 3 * BLOCK_BYTES else THREADS


def _bit(compiled: CompiledGame, face: int) -> int:
    category = compiled.game.upper_of_face.get(face)
    return 0 if category is None else 1 << category


def _lists(lists: list[list[int]], longest: int) -> npt.NDArray[np.uint16]:
    """Lists of equal length, a multiple of 16 bytes, so that a list is loaded in one or two pieces."""
    padded = np.zeros((len(lists), (longest + 7) // 8 * 8), np.uint16)
    for row, entries in zip(padded, lists, strict=True):
        row[: len(entries)] = entries
    return padded


def _parents(compiled: CompiledGame) -> list[list[int]]:
    lattice = compiled.lattice
    start, parent = lattice.parent_start.tolist(), lattice.parent.tolist()
    return [[end - begin, *parent[begin:end]] for begin, end in pairwise(start)]


def _places(compiled: CompiledGame) -> tuple[npt.NDArray[np.uint16], npt.NDArray[np.uint64]]:
    """[roll, 1 + category]: the row that is open in every state, then those of the categories; [roll]: which pay."""
    game, placing, keeps = compiled.game, compiled.placing, len(compiled.lattice.keeps)
    rows, rest = placing.rows, len(compiled.states.rest.categories)
    first_filled = keeps + 1
    first_option = first_filled + rows.slots * game.dice
    first_joker = first_option + len(placing.option_points)
    place_row = np.zeros((len(compiled.lattice.rolls), 1 + rows.slots + rest), np.uint16)
    place_mask = np.zeros(len(place_row), np.uint64)
    for roll, (begin, end) in enumerate(pairwise(placing.roll_start.tolist())):
        for row in placing.roll_row[begin:end].tolist():
            if row >= rows.joker:
                place_row[roll, 0] = first_joker + row - rows.joker
                continue
            if row == rows.zero:
                place_row[roll, 0] = keeps
                continue
            if row >= rows.option:
                option = row - rows.option
                category = rows.slots + int(placing.option_source[option]) - rows.rest
                place_row[roll, 1 + category] = first_option + option
            else:
                category, count = divmod(row, rows.per_slot)
                place_row[roll, 1 + category] = first_filled + category * game.dice + count - 1
            place_mask[roll] |= np.uint64(1 << category)
    return place_row, place_mask
