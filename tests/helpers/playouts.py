"""Games played at random, position by position."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from yatzy.games import Move, Position, Score, placements


def random_roll(position: Position, rng: random.Random) -> tuple[int, ...]:
    """The kept dice and others, often all equal, so that Jokers come up."""
    game, kept = position.game, position.dice
    if len(set(kept)) <= 1 and rng.random() < 0.4:
        return (kept[0] if kept else rng.randint(1, game.faces),) * game.dice
    return (*kept, *(rng.randint(1, game.faces) for _ in range(game.dice - len(kept))))


def random_step(position: Position, rng: random.Random) -> Position:
    """A roll where one is awaited, else any legal move, at times a category before the rolls are used up."""
    if position.awaits_roll:
        return position.roll(random_roll(position, rng))
    moves: Sequence[Move] = position.legal_moves
    if position.rolls_left and rng.random() < 0.3:
        moves = [Score(position.game.categories[p.category].id) for p in placements(position.sheet, position.dice)]
    return position.play(rng.choice(moves))


def playout(position: Position, rng: random.Random) -> Iterator[Position]:
    """All positions from this one to the end of the game, one after the other."""
    yield position
    while not position.over:
        position = random_step(position, rng)
        yield position
