"""Games, moves, positions and records as values: text there and back, `repr` that runs, one rule for moves."""

from __future__ import annotations

import random
import re
from dataclasses import replace

import pytest
from helpers.playouts import random_roll
from helpers.random_records import GAMES, random_record

from yatzy.errors import MoveError, NotationError
from yatzy.games import PRESETS, Game, Keep, Move, Position, Record, Score, Sheet, keeps_of, load_game

NAMES = {"Keep": Keep, "Score": Score, "Position": Position, "load_game": load_game}
YATZY = load_game("yatzy")
ROLLED = Position.start(YATZY).roll((1, 3, 3, 5, 6))


def again(value: object) -> object:
    return eval(repr(value), NAMES)


@pytest.mark.parametrize("id", PRESETS)
def test_a_preset_is_its_text_and_its_repr_runs(id: str) -> None:
    game = load_game(id)
    assert Game.parse(str(game)) == game == again(game)
    assert repr(game) == f"load_game('{id}')"


def test_a_game_of_ones_own_is_not_taken_for_the_preset_of_its_name() -> None:
    own = replace(YATZY, rolls=4)
    assert repr(own) == "<Game yatzy>"
    assert Position.parse("yatzy~r4", own).game is own
    assert Position.parse("yacht~r1~d11111", own).game == load_game("yacht")
    assert repr(Position.parse("yatzy~r3~d11111", own)) == "Position.parse('yatzy~d11111~r3', <Game yatzy>)"


def test_moves_as_text() -> None:
    assert str(Keep((3, 1))) == "13"
    assert str(Keep(())) == "-"
    assert str(Score("ones")) == "ones"
    assert str(Score("ones", True)) == "ones=0"
    moves: list[Move] = [Keep(()), Keep((3, 3)), Score("ones"), Score("ones", True)]
    for move in moves:
        assert again(move) == move == YATZY.parse_move(str(move))


def test_the_repr_of_a_position_leaves_out_an_empty_sheet() -> None:
    assert repr(ROLLED) == "Position.parse('yatzy~d13356~r2')"
    assert str(ROLLED) == "yatzy~s..............~d13356~r2"
    assert repr(Position.start(YATZY, 2)) == "Position.parse('yatzy~s..............~s..............')"


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_positions_and_records_there_and_back(game: Game) -> None:
    rng = random.Random(game.id)
    for _ in range(3):
        record = random_record(game, rng)
        assert Record.parse(str(record), game) == record
        for position in record.positions:
            assert Position.parse(str(position), record.game) == position
            if repr(record.game).startswith("load_game"):
                assert again(position) == position
        assert record.scores == tuple(sheet.points for sheet in record.position.sheets)


@pytest.mark.parametrize("id", ["yatzy", "yahtzee", "yahtzee-pawlewicz", "yatzy-forced-order"])
def test_one_rule_for_the_list_the_check_and_the_move(id: str) -> None:
    game, rng = load_game(id), random.Random(id)
    every: list[Move] = [Score(category.id) for category in game.categories]
    every += [Keep(keep) for keep in keeps_of((1, 1, 3, 5, 6))]
    for _ in range(3):
        position = Position.start(game, 2)
        while not position.over:
            if position.awaits_roll:
                assert position.legal_moves == ()
                dice = (6,) * game.dice if rng.random() < 0.3 else random_roll(position, rng)
                position = position.roll(dice if not position.dice else random_roll(position, rng))
                continue
            legal = position.legal_moves
            assert len(set(legal)) == len(legal) > 0
            for move in legal:
                position.check(move)
                assert position.parse_move(str(move)) == move
                after = position.play(move)
                assert after == Position(after.sheets, after.dice, after.rolls_left)
            before = str(position)
            for move in every:
                if move not in legal and (isinstance(move, Keep) or not position.rolls_left):
                    for use in (position.check, position.play, lambda move, here=position: here.parse_move(str(move))):
                        with pytest.raises(MoveError):
                            use(move)
            assert str(position) == before
            position = position.play(rng.choice(legal))


def test_moves_that_are_taken_though_never_better() -> None:
    assert Score("ones") not in ROLLED.legal_moves
    assert ROLLED.play(Score("ones")).sheets[0].points == 1
    assert ROLLED.play(Score("ones", True)).sheets[0].points == 0
    assert ROLLED.parse_move("Ones=0") == Score("ones", True)


def test_a_move_that_does_not_read() -> None:
    with pytest.raises(NotationError, match="has no category 'nines'"):
        ROLLED.parse_move("nines")
    with pytest.raises(MoveError, match="44 cannot be kept from 13356"):
        ROLLED.parse_move("44")
    with pytest.raises(MoveError, match="cannot be filled before a roll"):
        Position.start(YATZY).parse_move("ones")


def test_keeping_all_dice_passes_a_roll() -> None:
    assert ROLLED.play(Keep(ROLLED.dice)) == Position((Sheet.start(YATZY),), ROLLED.dice, 1)
    assert ROLLED.play(Keep((3, 3))) == Position((Sheet.start(YATZY),), (3, 3), 2)


def test_a_position_in_a_notebook_shows_sheets_and_dice() -> None:
    game = load_game("yatzy")
    filled = other = Sheet.start(game)
    for place in range(6):
        filled, other = filled.fill(place, 4 * (place + 1), 0), other.fill(place + 8, 0, 0)
    html = Position((filled, other), (1, 2, 3, 4, 6), 1)._repr_html_()
    assert "dice 12346, 1 roll left" in html
    rows = [re.findall(r"<t[dh][^>]*>([^<]*)<", row) for row in html.split("<tr")[1:]]
    assert ["Category", "Player 1", "Player 2"] in rows
    assert [row[1:] for row in rows if row[0] in ("Ones", "Sixes")] == [["4", ""], ["24", ""]]
    assert [row[1:] for row in rows if row[0] in ("Bonus", "Points")] == [["50", ""], ["134", "0"]]
    unknown = Position((replace(filled, boxes=None),), (1, 2, 3, 4, 6), 2)._repr_html_()
    assert "2 rolls left" in unknown
    assert unknown.count(">x<") == 6
