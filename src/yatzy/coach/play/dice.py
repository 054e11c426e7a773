"""The program's dice in a game: a function of what led to them, so that undoing a move cannot change the luck.

A roll depends only on the seed, the player, the turn, the number of the roll and the dice kept:

    bytes = SHAKE-128 of "yatzy-dice:SEED:PLAYER:TURN:ROLL:KEPT"
    die k = 1 + ⌊w_k · faces / 2⁶⁴⌋ where w_k is the k-th word of 8 bytes, little-endian

Players, turns and rolls count from 0, and KEPT are the kept dice in order, separated by commas. Keeping the same dice
again therefore gives the same roll, and keeping other dice gives an independent one.

Random choices of computer players are drawn in the same way.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import shake_128

from yatzy.games import Dice, Move, Position, show_dice
from yatzy.games.dice import sorted_dice

WORD = 8
"""Bytes of random data per die."""


def new_seed() -> int:
    """A random seed, short enough to be read out."""
    return secrets.randbelow(10**9)


@dataclass(frozen=True, slots=True)
class DiceSource:
    """The dice of one game."""

    seed: int

    def roll(self, position: Position) -> Dice:
        """All dice after the roll that a position awaits."""
        kept, game = position.dice, position.game
        words = self._words("dice", position, ",".join(map(str, kept)), game.dice - len(kept))
        return sorted_dice((*kept, *(1 + (word * game.faces >> 8 * WORD) for word in words)))

    def draw(self, position: Position, moves: Sequence[tuple[Move, float]]) -> Move:
        """Draw one of the moves by its chance."""
        (word,) = self._words("move", position, show_dice(position.dice), 1)
        left = word / 2 ** (8 * WORD) * sum(chance for _, chance in moves)
        for move, chance in moves:
            left -= chance
            if left < 0:
                return move
        return max(moves, key=lambda entry: entry[1])[0]  # only reached through rounding

    def _words(self, what: str, position: Position, dice: str, count: int) -> list[int]:
        turn, roll = position.sheet.filled.bit_count(), position.game.rolls - position.rolls_left
        where = f"yatzy-{what}:{self.seed}:{position.mover}:{turn}:{roll}:{dice}"
        digest = shake_128(where.encode()).digest(WORD * count)
        return [int.from_bytes(digest[WORD * k : WORD * (k + 1)], "little") for k in range(count)]
