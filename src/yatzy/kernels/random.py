"""Counter-based random dice: Philox4x32-10. The dice depend only on the seed, game, turn and roll.

The generator maps a counter of four 32-bit words and a key of two to four random words (Salmon, Moraes, Dror and Shaw,
"Parallel random numbers: as easy as 1, 2, 3", 2011). It has no state, so games can be played in any order and on any
number of threads, and a single game can be replayed on its own.

    key     = the seed, its low word first
    counter = (game, turn, roll of the turn, block of four dice)

The dice that are rolled (not the kept ones) use the words 0, 1, 2, 3 of block 0, then those of block 1, and so on.
A word w becomes the face ⌊w · faces / 2³²⌋, counted from 0. The probability of a face is off by at most 2⁻³².

`roll_dice` rolls for one game. `roll_batch` rolls for BATCH games at once: the words do not depend on the dice kept, so
they are computed in vectors, and the steps through the lattice of many games overlap. It gives the same dice.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from yatzy.kernels.cache import njit
from yatzy.kernels.vectors import LANES

ROUNDS = 10
MULTIPLIER_0, MULTIPLIER_1 = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
WEYL_0, WEYL_1 = np.uint32(0x9E3779B9), np.uint32(0xBB67AE85)
HALF = np.uint64(32)
BATCH = 64
"""Games that roll at once."""
WORDS = 4
"""Random words in a block."""


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


class DiceBatch(NamedTuple):
    """The dice of up to BATCH games; dice are lattice indices, shifted to the left by `bits`."""

    bits: int
    """The least number of bits that hold a face."""
    end: int
    """The first of all dice that are complete."""
    more: Any
    """uint32[dice + face]: these dice with one die more; complete dice stay as they are"""
    number: Any
    """uint32[BATCH]: the numbers of the games in the counter of the generator"""
    face: Any
    """uint32[word of a block · BATCH + game]"""
    dice: Any
    """uint32[BATCH]"""


@njit(cache=True, nogil=True, error_model="numpy")
def make_dice_batch(child: Any, first_roll: int, faces: int, keeps: int) -> DiceBatch:
    """Allocate a batch; child, first_roll, faces, keeps: as in `TurnArrays`."""
    bits = 0
    while 1 << bits < faces:
        bits += 1
    more = np.zeros(keeps << bits, np.uint32)
    for keep in range(keeps):
        for face in range(faces):
            to = child[keep * faces + face] // LANES if keep < first_roll else keep
            more[(keep << bits) + face] = to << bits
    return DiceBatch(
        bits,
        first_roll << bits,
        more,
        np.zeros(BATCH, np.uint32),
        np.zeros(WORDS * BATCH, np.uint32),
        np.zeros(BATCH, np.uint32),
    )


@njit(cache=True, nogil=True, error_model="numpy")
def roll_batch(batch: DiceBatch, faces: int, key_0: int, key_1: int, turn: int, roll: int, games: int) -> None:
    """Roll the dice not kept in the first `games` games of a batch: `dice` goes from keeps to rolls."""
    dice, more, face, end = batch.dice, batch.more, batch.face, np.uint32(batch.end)
    block, waiting = 0, games
    while 4 * waiting > games:
        _draw_faces(batch.number, turn, roll, block, key_0, key_1, faces, face)
        block += 1
        for word in range(WORDS):
            for game in range(games):
                dice[game] = more[dice[game] + face[word * BATCH + game]]
        waiting = 0
        for game in range(games):
            waiting += dice[game] < end
    if waiting:  # few games roll more dice than a block has words
        for game in range(games):
            now, at = dice[game], block
            while now < end:
                for word in philox(batch.number[game], turn, roll, at, key_0, key_1):
                    now = more[now + np.uint32(np.uint64(word) * np.uint64(faces) >> HALF)]
                at += 1
            dice[game] = now


@njit(cache=True, nogil=True, error_model="numpy")
def _draw_faces(number: Any, turn: int, roll: int, block: int, key_0: int, key_1: int, faces: int, face: Any) -> None:
    """The faces of one block of words for all games of a batch, in a loop that LLVM vectorises."""
    many = np.uint64(faces)
    for game in range(BATCH):
        a, b, c, d = philox(number[game], turn, roll, block, key_0, key_1)
        face[game] = np.uint64(a) * many >> HALF
        face[BATCH + game] = np.uint64(b) * many >> HALF
        face[2 * BATCH + game] = np.uint64(c) * many >> HALF
        face[3 * BATCH + game] = np.uint64(d) * many >> HALF
