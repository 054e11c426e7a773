"""Playing for the points of each turn: an order of the categories breaks ties, and nothing else."""

from __future__ import annotations

import pytest

from yatzy.errors import InputError
from yatzy.games import Position, Score, Sheet, load_game
from yatzy.solver import Solver
from yatzy.strategies import OrderedGreedy

GAME = load_game("two-yatzy")
YACHT = load_game("yacht")
IDS = list(YACHT.category_index)


def last_move(order: list[str], dice: tuple[int, ...], open_: tuple[str, ...]) -> str:
    sheet = Sheet.of_sums(YACHT, set(IDS) - set(open_))
    move = OrderedGreedy(YACHT, order).move(Position((sheet,), dice, 0))
    assert isinstance(move, Score)
    return move.category


@pytest.mark.parametrize("order", [IDS, IDS[::-1]])
def test_the_first_category_of_the_order_is_struck(order: list[str]) -> None:
    nothing = tuple(id for id in IDS if YACHT.categories[YACHT.category_index[id]].score((1, 1, 2, 4, 6)) == 0)
    assert len(nothing) > 3
    assert last_move(order, (1, 1, 2, 4, 6), nothing) == next(id for id in order if id in nothing)
    assert last_move(order, (1, 1, 2, 4, 6), (*nothing, "ones")) == "ones"  # where points are paid, they count


def test_the_order_of_the_sheet_is_greedy_for_a_small_game() -> None:
    greedy, ordered = Solver().strategy(GAME, "greedy"), OrderedGreedy(GAME, list(GAME.category_index))
    for dice in ((1, 1), (1, 2), (2, 2)):
        for left in (0, 1):
            position = Position((Sheet.start(GAME),), dice, left)
            assert ordered.move(position) == greedy.move(position)


def test_an_order_names_every_category_once() -> None:
    for order in (IDS[1:], [*IDS, IDS[0]], [IDS[0], *IDS[:-1]]):
        with pytest.raises(InputError, match="every category of yacht once"):
            OrderedGreedy(YACHT, order)


def test_orders_have_different_names() -> None:
    assert OrderedGreedy(YACHT, IDS).name != OrderedGreedy(YACHT, IDS[::-1]).name
