"""`turn.cu` on whole layers of small games, run on the CPU, beside the Numba kernels and the judge in fractions."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from helpers.curves_in_memory import build, differences
from helpers.gpu_stand_in import StandIn, needs_compiler
from helpers.small_games import CHANCE, FIXED, PAIR, RUN

from yatzy.errors import SizeError
from yatzy.games import Bonus, Category, Face, Game, Groups, Joker, JokerReading, load_game
from yatzy.gpu.curves import CurveSolver
from yatzy.gpu.device import source_text
from yatzy.gpu.game import MOST_ROWS, game_arrays
from yatzy.gpu.solver import slices
from yatzy.model import compile_game
from yatzy.values.curves import Curve
from yatzy.values.exact import ExactUtility, every_sheet

pytestmark = needs_compiler

ONES, TWOS = Category("ones", Face(1)), Category("twos", Face(2))
BOX = Category("box", Groups((2,), points=9))
GAMES = (
    *(game for game in FIXED if game.id in ("one-roll", "two-rolls", "three-dice", "forced", "no-upper")),
    Game("only-upper", 2, 3, 2, (ONES, TWOS), Bonus(points=3, threshold=4)),
    Game("many-points", 2, 3, 3, (TWOS, Category("pair", Groups((2,), points=90)), RUN), Bonus(50, 4)),
    Game("joker-bonus", 2, 2, 2, (TWOS, BOX, RUN), Bonus(4, 4), Joker("box", JokerReading.PAWLEWICZ, points=11)),
    Game("joker-free", 2, 3, 2, (ONES, BOX, PAIR, CHANCE), None, Joker("box", JokerReading.FREE, points=40)),
    Game("joker-forced", 2, 2, 2, (ONES, TWOS, BOX, RUN), Bonus(4, 4), Joker("box", JokerReading.FORCED, points=7)),
    load_game("two-yatzy"),
)
"""With and without bonus, Jokers, a forced order, upper and lower categories; curves below and above a chunk."""
each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)


@each_game
@pytest.mark.parametrize("backwards", [False, True], ids=["forwards", "backwards"])
def test_curves_have_the_bits_of_the_kernels(game: Game, backwards: bool) -> None:
    device = StandIn(backwards)
    found = build(game, CurveSolver(device, compile_game(game)))
    assert not differences(build(game, None), found)
    assert {kernel for kernel, _ in device.launches} == {"solve_curves"}
    assert len(device.launches) == len(game.categories)


@each_game
def test_curves_in_slices_are_the_same(game: Game) -> None:
    device = StandIn()
    found = build(game, CurveSolver(device, compile_game(game), memory=1, launch=40))
    assert not differences(build(game, None), found)
    assert len(device.launches) > len(game.categories)


def test_a_game_may_have_more_categories_than_a_word_has_bits() -> None:
    categories = (*(replace(PAIR, id=f"pair-{number}") for number in range(33)), CHANCE)
    game = Game("many-boxes", 2, 2, 2, categories, forced_order=True)
    assert not differences(build(game, None), build(game, CurveSolver(StandIn(), compile_game(game))))


@pytest.mark.parametrize("game", [game for game in GAMES if len(game.categories) < 4], ids=lambda game: game.id)
def test_curves_equal_the_fractions(game: Game) -> None:
    compiled = compile_game(game)
    memory = build(game, CurveSolver(StandIn(), compiled))
    highest = int(memory.array(0, "low")[0] + memory.array(0, "offset")[1]) - 1
    for target in {highest // 3, highest // 2, highest, highest + 1} - {0}:
        judge = at_least(game, target)
        for sheet in every_sheet(game):
            layer, at = compiled.states.locate(sheet)
            begin, end = memory.array(layer, "offset")[at : at + 2].tolist()
            curve = Curve(int(memory.array(layer, "low")[at]), memory.array(layer, "chance")[begin:end])
            exact = float(judge.value(sheet))
            assert curve.at(target - sheet.points) == pytest.approx(exact, abs=1e-6), (sheet, target)


def at_least(game: Game, target: int) -> ExactUtility:
    return ExactUtility(game, lambda points: Fraction(points >= target))


@pytest.mark.parametrize("which", ["a missing barrier after filling", "points forgotten", "a level left out"])
def test_errors_in_the_source_are_found(which: str) -> None:
    """The comparison above can fail, and running the threads backwards finds a missing barrier."""
    right, wrong = {
        "a missing barrier after filling": (
            "            turn(b, m);\n            PHASE(if (thread < LANES) write_curve",
            "            PHASE(place(thread, b, m); weigh(thread, b, m))\n"
            "            PHASE(if (thread < LANES) write_curve",
        ),
        "points forgotten": ("lane.x - b.shift[source] - points", "lane.x - points"),
        "a level left out": (
            "if constexpr (SIZE > 0) add_levels<SIZE - 1>",
            "if constexpr (SIZE > 1) add_levels<SIZE - 1>",
        ),
    }[which]
    assert source_text().count(right) == 1
    game = GAMES[0] if "barrier" in which else load_game("two-yatzy")
    expected = build(game, None)
    found = [
        build(game, CurveSolver(StandIn(backwards, source_text().replace(right, wrong)), compile_game(game)))
        for backwards in (False, True)
    ]
    assert differences(expected, found[0]) or differences(expected, found[1])


def test_sizes_and_rows_of_a_game() -> None:
    found = game_arrays(compile_game(load_game("yatzy")))
    assert found.sizes["FILLED"] == len(found.arrays["filled_source"]) == len(found.arrays["filled_points"])
    assert (found.arrays["places"] & 0xFFFF).max() == 462 + found.sizes["FILLED"] < MOST_ROWS
    assert found.arrays["parent"].shape == (462, 6)
    assert found.arrays["child"].shape == (210, 6)


def test_a_game_with_too_many_keeps_is_refused() -> None:
    compiled = compile_game(Game("many-dice", 8, 8, 2, (CHANCE,)))
    with pytest.raises(SizeError, match="many-dice: 12,870 keeps and 57 numbers of points are too many for a GPU"):
        game_arrays(compiled)


def test_slices_have_at_least_one_row_and_at_most_the_limit() -> None:
    sizes = np.array([3, 3, 9, 1, 0, 0, 2, 5])
    assert [list(piece) for piece in slices(sizes, 6)] == [[0, 1], [2], [3, 4, 5, 6], [7]]
    assert [list(piece) for piece in slices(sizes, 100)] == [list(range(8))]
    assert not list(slices(np.array([], np.int64), 6))
