"""The sweeps that are written out for five dice do what the tables of the lattice say, bit for bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from numba import njit

from yatzy.games import load_game
from yatzy.kernels import unrolled
from yatzy.kernels.turn import sweep_by_tables, sweep_turn
from yatzy.kernels.vectors import aligned, row_base
from yatzy.model import compile_game, dice_lattice
from yatzy.values.arrays import turn_arrays


def _written_out(model: Any, rows: npt.NDArray[Any]) -> None:
    sweep_turn(model, row_base(rows), None)


def _by_tables(model: Any, rows: npt.NDArray[Any]) -> None:
    sweep_by_tables(model, row_base(rows), None)


written_out, by_tables = njit(_written_out), njit(_by_tables)


def test_its_keeps_are_those_of_the_lattice() -> None:
    lattice = dice_lattice(unrolled.DICE, unrolled.FACES)
    keeps = [tuple(face + 1 for face in keep) for keep in unrolled._lattice()]
    assert keeps == list(lattice.keeps)
    assert len(keeps) == unrolled.KEEPS


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("rerolls", [1, 2, 3])
def test_every_bit_is_that_of_the_tables(dtype: type, rerolls: int) -> None:
    model = turn_arrays(compile_game(load_game("yatzy")))._replace(rerolls=rerolls)
    values: npt.NDArray[Any] = np.random.default_rng(rerolls).random(model.rows * model.lanes).astype(dtype)
    found, expected = aligned(len(values), values.dtype), aligned(len(values), values.dtype)
    found[:], expected[:] = values, values
    written_out(model, found)
    by_tables(model, expected)
    assert np.array_equal(found[: model.lanes], expected[: model.lanes])
    rolls = slice(model.first_roll * model.lanes, model.keeps * model.lanes)  # the values before the last reroll
    assert np.array_equal(found[rolls], expected[rolls])
    assert not np.array_equal(found[rolls], values[rolls])
