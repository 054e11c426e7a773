"""The endgames of a full game to depth 4: some minutes and 1.9 GB on disk."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from yatzy import Position, Score, Sheet, load_game
from yatzy.errors import PositionError
from yatzy.matches.counting import count_match
from yatzy.matches.endgames import Endgames
from yatzy.matches.values import SmallMatch
from yatzy.values.resources import Resources

pytestmark = pytest.mark.full

GAME = load_game("yahtzee-pawlewicz")


@pytest.fixture(scope="module")
def endgames(tmp_path_factory: pytest.TempPathFactory) -> Endgames:
    return Endgames(GAME, 4, Resources(tmp_path_factory.mktemp("endgames")))


def some_sheet(random: Random, filled: int) -> Sheet:
    """A sheet with so many filled categories and points as they come."""
    while True:
        names = random.sample(list(GAME.category_index), filled)
        try:
            return Sheet.of_sums(
                GAME,
                names,
                upper=random.randrange(90),
                points=random.randrange(150, 250),
                box_pays=random.random() < 0.3,
            )
        except PositionError:
            continue


def some_position(random: Random) -> Position:
    first, second = some_sheet(random, 11), some_sheet(random, 11)
    before = Position((first, second))
    rolls_left = random.randrange(4)
    return before if rolls_left == 3 else Position(before.sheets, tuple(random.choices(range(1, 7), k=5)), rolls_left)


def test_tables_hold_what_was_counted(endgames: Endgames) -> None:
    counted = [row.values for row in count_match(GAME).rows[:5]]
    assert [table.layout.values for table in endgames.tables] == counted


def test_pawlewicz_2010_three_of_a_kind_or_yahtzee(endgames: Endgames) -> None:
    names = set(GAME.category_index)
    mover = Sheet.of_sums(GAME, names - {"three-of-a-kind", "yahtzee"}, upper=51, points=198)
    opponent = Sheet.of_sums(GAME, names - {"fours", "yahtzee"}, upper=39, points=205)
    position = Position((mover, opponent), (2, 2, 2, 3, 5), 0)
    values = {entry.move: entry.value for entry in endgames.moves(position)}
    assert values[Score("three-of-a-kind")] == pytest.approx(0.130, abs=5e-4)
    assert values[Score("yahtzee")] == pytest.approx(0.540, abs=5e-4)


def test_any_position_is_worth_what_solving_on_demand_says(endgames: Endgames) -> None:
    random, compared = Random(4), 0
    while compared < 40:
        position = some_position(random)
        try:
            value = endgames.value(position)
        except PositionError:
            continue
        if 0.001 < value < 0.999:
            assert value == pytest.approx(SmallMatch(position).value(position), abs=2e-6)
            compared += 1


def test_curves_fall(endgames: Endgames) -> None:
    random, states = np.random.default_rng(4), endgames.compiled.states.layer_start
    for a, b in random.integers(states[11], states[12], (2000, 2)).tolist():
        values = endgames.curve(a, b)[1]
        assert (np.diff(values) <= 1e-6).all()


def test_a_table_and_one_less_with_a_turn_agree(endgames: Endgames) -> None:
    shallow = Endgames(GAME, 3, Resources(endgames.tables[0].solved.path.parent))
    random, compared = Random(5), 0
    while compared < 20:
        position = some_position(random)
        try:
            values = endgames.value(position), shallow.value(position)
        except PositionError:
            continue
        assert values[0] == pytest.approx(values[1], abs=1e-6)
        compared += 1
