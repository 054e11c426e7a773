"""Sheets in words: everything written is read back, natural text is read, and the rest gets one clear line."""

from __future__ import annotations

import random

import pytest
from helpers.playouts import playout

from yatzy.errors import InputError
from yatzy.games import PRESETS, Game, Position, Sheet, load_preset, parse_sheet
from yatzy.games.sheet_text import LONGEST_SHEET, format_sheet

YATZY, YAHTZEE = load_preset("yatzy"), load_preset("yahtzee")


def boxes(game: Game, **points: int) -> Sheet:
    known = {id.replace("_", "-"): value for id, value in points.items()}
    return Sheet.of_boxes(game, [known.get(category.id) for category in game.categories])


@pytest.mark.parametrize("id", PRESETS)
def test_the_sheets_of_a_random_game_come_back(id: str) -> None:
    game, seen = load_preset(id), 0
    for position in playout(Position.start(game), random.Random(id)):
        if position.sheet.filled:
            assert parse_sheet(game, format_sheet(position.sheet)) == position.sheet
            seen += 1
    assert seen > len(game.categories)


@pytest.mark.parametrize(
    "text",
    [
        "ones 3, sixes 24, full house 22",
        "ones=3,sixes=24,full-house=22",
        "Ones: 3; Sixes: 24; Full house: 22",
        "ones 3 sixes 24 full house 22",
        "  ONES = 3\r\nsixes = 24\n\nfull_house = 22\n",
        "Ettor 3, Sexor 24, Kåk 22",
        "Einer 3, Sechser 24, full-house 22, upper 27, bonus 0, total 49",
        "ones 3 | sixes 24 | full house 22 | Summa 49",
    ],
)
def test_natural_text_is_read(text: str) -> None:
    assert parse_sheet(YATZY, text) == boxes(YATZY, ones=3, sixes=24, full_house=22)


def test_bonus_and_jokers_count() -> None:
    text = "threes 9, fours 12, fives 20, sixes 30, yahtzee 50, full house 25, jokers 2"
    sheet = parse_sheet(YAHTZEE, text)
    assert (sheet.upper, sheet.bonus_won, sheet.jokers, sheet.box_pays) == (71, True, 2, True)
    assert sheet.points == 71 + 50 + 25 + 35 + 200
    assert parse_sheet(YAHTZEE, f"{text}, bonus 35, total 381") == sheet


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "is empty; expected are categories with their points, such as 'ones 3, yatzy 50'"),
        ("ones", "'ones' has no points; expected are categories with their points, such as 'ones 3, yatzy 50'"),
        ("onez 3", "yatzy has no category 'onez', did you mean ones?; expected are"),
        ("ones 3, sixes x", "'x' is not a number of points for sixes; write 0 for a struck box; expected are"),
        ("13356", "'13356' is not a category with points; expected are"),
        ("ones 3, ones 4", "ones is given twice"),
        ("ones 3, Ettor 3", "ones is given twice"),
        ("ones 6", "ones: 6 points cannot be made there; possible are 0, 1, 2, 3, 4, 5"),
        ("chance 31", "chance: 31 points cannot be made there; nearest are 29 and 30"),
        ("ones -3", "'-3' is not a number of points for ones; expected are"),
        ("ones 3, total 4", "total 4 is given, but the boxes make it 3"),
        ("sixes 30, bonus 50", "bonus 50 is given, but the boxes make it 0"),
        ("ones 3, jokers 1", "1 Joker bonuses are not from 0 to 0"),
        ("ones 3, " * (LONGEST_SHEET // 8 + 1), "letters are too many for a sheet"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(text: str, told: str) -> None:
    with pytest.raises(InputError) as refused:
        parse_sheet(YATZY, text)
    assert told in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_joker_bonus_needs_a_box_that_equal_dice_can_fill() -> None:
    assert parse_sheet(YAHTZEE, "yahtzee 50, sixes 30, jokers 1").jokers == 1
    with pytest.raises(InputError, match="1 Joker bonuses are not from 0 to 0 on this sheet"):
        parse_sheet(YAHTZEE, "yahtzee 50, sixes 18, jokers 1")


def test_names_of_a_game_come_before_the_sums() -> None:
    own = """
        id = "own"
        dice = 2
        faces = 6
        rolls = 2
        categories = [
            { id = "total", pattern = "chance" },
            { id = "2-equal", pattern = "groups", groups = [2] },
            { id = "jokers", pattern = "face", face = 6 },
        ]
    """
    sheet = parse_sheet(Game.parse(own), "total 7, 2 equal 8, jokers 6")
    assert (sheet.boxes, sheet.points) == ((7, 8, 6), 21)
