"""Games as files: what `str(game)` gives is read back as the same game with the same names."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from helpers.random_records import GAMES
from helpers.small_games import games
from hypothesis import given, settings
from hypothesis import strategies as st

from yatzy.errors import GameError
from yatzy.games import Game, Groups, Pays, load_game, load_preset

COTTAGE = load_game(Path(__file__).parents[2] / "examples/cottage-yatzy.toml")
YATZY = load_preset("yatzy")


def check_game(game: Game) -> None:
    back = Game.parse(str(game))
    assert back == game
    assert back.hash == game.hash
    assert (back.names, back.notes) == (game.names, game.notes)
    assert [category.names for category in back.categories] == [category.names for category in game.categories]


@pytest.mark.parametrize("game", [*GAMES, COTTAGE], ids=lambda game: game.id)
def test_games_come_back(game: Game) -> None:
    check_game(game)


@given(games(), st.dictionaries(st.sampled_from(("en", "sv", "de")), st.text(st.characters(exclude_categories=["Cs"]))))
@settings(max_examples=150, deadline=None)
def test_any_game_comes_back_from_its_file(game: Game, names: dict[str, str]) -> None:
    first = replace(game.categories[0], names=names)
    check_game(replace(game, categories=(first, *game.categories[1:]), names=names, notes=names))


def test_a_game_that_no_file_can_describe() -> None:
    pair = replace(YATZY.categories[6], pattern=Groups((2,), points=5, pays=Pays.ALL))
    with pytest.raises(GameError, match="one-pair: fixed points and pays exclude each other"):
        str(replace(YATZY, categories=(pair,), bonus=None))
