"""Dice of many games at once, compared with those of one game."""

import numpy as np
import pytest

from yatzy import kernels
from yatzy.games import load_game
from yatzy.kernels.random import BATCH, make_dice_batch, roll_batch
from yatzy.model import compile_game
from yatzy.values.arrays import exact_turn_arrays

SEED, TURN = (7, 11), 3


@pytest.mark.parametrize("name", ["two-yatzy", "yatzy", "maxi-yatzy"])
@pytest.mark.parametrize("games", [1, 5, BATCH])
def test_a_batch_rolls_the_dice_of_single_games(name: str, games: int) -> None:
    arrays = exact_turn_arrays(compile_game(load_game(name)))
    dice = (arrays.child, arrays.first_roll, arrays.faces)
    batch = make_dice_batch(*dice, arrays.keeps)
    for first in range(0, arrays.keeps, games):  # every keep, complete dice included; the first games keep nothing
        keeps = np.maximum(np.arange(first, first + games) % arrays.keeps - games // 3, 0)
        numbers = 1000 + np.arange(games)
        batch.number[:games], batch.dice[:games] = numbers, keeps << batch.bits
        roll_batch(batch, arrays.faces, *SEED, TURN, 1, games)
        wanted = [
            kernels.roll_dice(*dice, *SEED, number, TURN, 1, keep) for number, keep in zip(numbers, keeps, strict=True)
        ]
        assert (batch.dice[:games] >> batch.bits).tolist() == wanted


def test_games_that_all_keep_nothing_take_further_blocks_of_words() -> None:
    arrays = exact_turn_arrays(compile_game(load_game("maxi-yatzy")))
    dice = (arrays.child, arrays.first_roll, arrays.faces)
    batch = make_dice_batch(*dice, arrays.keeps)
    batch.number[:] = np.arange(BATCH)
    roll_batch(batch, arrays.faces, *SEED, TURN, 0, BATCH)
    wanted = [kernels.roll_dice(*dice, *SEED, number, TURN, 0, 0) for number in range(BATCH)]
    assert (batch.dice >> batch.bits).tolist() == wanted
