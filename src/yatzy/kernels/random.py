"""Counter-based random dice: Philox4x32-10. The dice depend only on the seed, game, turn and roll.

The generator maps a counter of four 32-bit words and a key of two to four random words (Salmon, Moraes, Dror and Shaw,
"Parallel random numbers: as easy as 1, 2, 3", 2011). It has no state, so games can be played in any order and on any
number of threads, and a single game can be replayed on its own.

    key     = the seed, its low word first
    counter = (game, turn, roll of the turn, block of four dice)

The dice that are rolled (not the kept ones) use the words 0, 1, 2, 3 of block 0, then those of block 1, and so on.
A word w becomes the face ⌊w · faces / 2³²⌋, counted from 0. The probability of a face is off by at most 2⁻³².
"""

from __future__ import annotations

from typing import Any

import numpy as np

from yatzy.kernels.cache import njit
from yatzy.kernels.vectors import LANES

ROUNDS = 10
MULTIPLIER_0, MULTIPLIER_1 = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
WEYL_0, WEYL_1 = np.uint32(0x9E3779B9), np.uint32(0xBB67AE85)
HALF = np.uint64(32)


@njit(cache=True, nogil=True, error_model="numpy")
def philox(counter_0: int, counter_1: int, counter_2: int, counter_3: int, key_0: int, key_1: int) -> Any:
    """Four random words, uint32; every argument is one word."""
    # Cast every result back to 32 bits at once, because Numba widens the results of integer operations.
    a, b, c, d = np.uint32(counter_0), np.uint32(counter_1), np.uint32(counter_2), np.uint32(counter_3)
    low, high = np.uint32(key_0), np.uint32(key_1)
    for _ in range(ROUNDS):
        left, right = MULTIPLIER_0 * np.uint64(a), MULTIPLIER_1 * np.uint64(c)
        a, c = np.uint32(np.uint32(right >> HALF) ^ b ^ low), np.uint32(np.uint32(left >> HALF) ^ d ^ high)
        b, d = np.uint32(right), np.uint32(left)
        low, high = np.uint32(low + WEYL_0), np.uint32(high + WEYL_1)
    return a, b, c, d


@njit(cache=True, nogil=True, error_model="numpy", inline="always")
def roll_dice(
    child: Any, first_roll: int, faces: int, key_0: int, key_1: int, game: int, turn: int, roll: int, keep: int
) -> int:
    """Roll the dice not kept; takes a keep and returns a roll, both as lattice indices.

    child, first_roll, faces: as in `TurnArrays`. It is not passed as a whole, because Numba would update the reference
    count of every array, which takes longer than the roll.
    """
    block = 0
    while keep < first_roll:
        for word in philox(game, turn, roll, block, key_0, key_1):
            if keep < first_roll:
                face = int(word) * faces >> 32
                keep = int(child[keep * faces + face]) // LANES
        block += 1
    return keep
