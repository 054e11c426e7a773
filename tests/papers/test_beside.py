"""Games of other programs, described as data and solved: their values are those in print."""

from __future__ import annotations

import pytest

from yatzy.values import solve_in_memory
from yatzy_papers.beside import own_game

VALUES = {"kniffel-five-as-full-house": 245.904728, "yacht-dice": 191.774369, "yacht-open-spiel": 169.798705}


@pytest.mark.parametrize("id", VALUES)
def test_values_of_games(id: str) -> None:
    assert own_game(id).id == id
    assert solve_in_memory(own_game(id))[0] == pytest.approx(VALUES[id], abs=5e-7)
