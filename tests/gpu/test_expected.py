"""Expected scores of whole small games by `turn.cu`, run on the CPU, beside the Numba kernel and the judge."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from helpers.gpu_stand_in import StandIn, needs_compiler
from helpers.small_games import CHANCE, FIXED, PAIR, RUN

from yatzy.games import Bonus, Category, Face, Game, Groups, Joker, JokerReading, load_game
from yatzy.gpu.device import source_text
from yatzy.gpu.expected import ExpectedSolver
from yatzy.model import compile_game
from yatzy.values.exact import ExactSolver, every_sheet
from yatzy.values.expected import solve_in_memory

pytestmark = needs_compiler

ONES, TWOS = Category("ones", Face(1)), Category("twos", Face(2))
BOX = Category("box", Groups((2,), points=9))
MANY = tuple(Category(f"sum-{number}", Groups((2,), points=number)) for number in range(1, 7))
GAMES = (
    *(game for game in FIXED if game.id in ("one-roll", "two-rolls", "three-dice", "forced", "no-upper")),
    Game("only-upper", 2, 3, 2, (ONES, TWOS), Bonus(points=3, threshold=4)),
    Game("many-points", 2, 3, 3, (TWOS, Category("pair", Groups((2,), points=90)), RUN), Bonus(50, 4)),
    Game("joker-bonus", 2, 2, 2, (TWOS, BOX, RUN), Bonus(4, 4), Joker("box", JokerReading.PAWLEWICZ, points=11)),
    Game("joker-free", 2, 3, 2, (ONES, BOX, PAIR, CHANCE), None, Joker("box", JokerReading.FREE, points=40)),
    Game("joker-forced", 2, 2, 2, (ONES, TWOS, BOX, RUN), Bonus(4, 4), Joker("box", JokerReading.FORCED, points=7)),
    Game("blocks-of-20", 2, 3, 2, (ONES, *MANY, RUN), Bonus(5, 2)),
    load_game("two-yatzy"),
)
"""With and without bonus, Jokers, a forced order; blocks of states below and above a chunk; rows of sources that fit
among those of the keeps, and that do not."""
each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)


def solved(game: Game, device: StandIn, launch: int | None = None) -> npt.NDArray[np.float64]:
    compiled = compile_game(game)
    solver = ExpectedSolver(device, compiled) if launch is None else ExpectedSolver(device, compiled, launch=launch)
    starts = compiled.states.layer_start
    values = np.zeros(len(compiled.states))
    for layer in range(compiled.states.layers - 2, -1, -1):
        first, end, last = starts[layer : layer + 3].tolist()
        values[first:end] = solver.solve_layer(layer, values[end:last])
    return values


@each_game
@pytest.mark.parametrize("backwards", [False, True], ids=["forwards", "backwards"])
def test_values_have_the_bits_of_the_kernel(game: Game, backwards: bool) -> None:
    device = StandIn(backwards)
    assert np.array_equal(solved(game, device), solve_in_memory(game, 1))
    assert [kernel for kernel, _ in device.launches] == ["solve_states"] * len(game.categories)


@each_game
def test_values_in_slices_are_the_same(game: Game) -> None:
    device, states = StandIn(), compile_game(game).states
    assert np.array_equal(solved(game, device, launch=1), solve_in_memory(game, 1))
    blocks = int(np.searchsorted(states.block_start, states.layer_start[-2]))
    assert len(device.launches) == blocks


@pytest.mark.parametrize("game", [game for game in GAMES if len(game.categories) < 4], ids=lambda game: game.id)
def test_values_equal_the_fractions(game: Game) -> None:
    values, states, judge = solved(game, StandIn()), compile_game(game).states, ExactSolver(game)
    for sheet in every_sheet(game):
        assert values[states.find(sheet)] == pytest.approx(float(judge.value(sheet)), abs=1e-12), sheet


@pytest.mark.parametrize("id", ["yatzy", "yahtzee-pawlewicz"])
def test_the_last_turns_of_a_real_game_have_the_bits_of_the_kernel(id: str) -> None:
    game = load_game(id)
    compiled, expected = compile_game(game), solve_in_memory(game)
    solver, states = ExpectedSolver(StandIn(), compiled), compiled.states
    for layer in (states.layers - 2, states.layers - 3):
        first, end, last = states.layer_start[layer : layer + 3].tolist()
        assert np.array_equal(solver.solve_layer(layer, expected[end:last]), expected[first:end])


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("source[which * LANES] + points", "source[which * LANES]"),
        ("rest ? m.block[3 * block + 2] == REST : next.state < 0", "next.state < 0"),
        ("after[next.state - after_first] + next.points", "after[next.state - after_first]"),
        ("value[m.block_start[in_block] - first + begin + thread]", "value[m.block_start[in_block] - first + thread]"),
        ("SOURCE_ROW = SOURCES <= KEEPS ? 0 : GROUPS_END", "SOURCE_ROW = ROLLS"),
    ],
)
def test_errors_in_the_source_are_found(right: str, wrong: str) -> None:
    """The comparisons above can fail."""
    text = source_text()
    assert text.count(right) == 1
    source = text.replace(right, wrong)
    assert not all(agrees(game, source) for game in GAMES)


def agrees(game: Game, source: str) -> bool:
    try:
        return np.array_equal(solved(game, StandIn(source=source)), solve_in_memory(game, 1))
    except AssertionError:  # shared memory was overrun
        return False
