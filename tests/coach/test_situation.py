"""Positions from what a person knows of them."""

from __future__ import annotations

import pytest

from yatzy import Position, load_game
from yatzy.coach.situation import Known, situation_of
from yatzy.errors import PositionError
from yatzy.report.situation import situation_notes

YATZY, YAHTZEE = load_game("yatzy"), load_game("yahtzee")


def test_nothing_known_is_the_start_of_a_game() -> None:
    assert Known().nothing
    assert not Known(upper=0).nothing
    assert situation_of(YATZY, Known()) == situation_of(YATZY, Known(upper=0, rolls_left=3))
    assert situation_of(YATZY, Known()).position == Position.start(YATZY)
    assert situation_of(YATZY, Known()).assumed == ()


def test_dice_without_a_number_of_rolls_are_the_first_roll() -> None:
    first = situation_of(YATZY, Known(dice="13356")).position
    assert (first.dice, first.rolls_left) == ((1, 3, 3, 5, 6), 2)
    assert situation_of(YATZY, Known(dice="13356", rolls_left=0)).position.rolls_left == 0


def test_open_or_filled_say_the_same() -> None:
    filled = [category.id for category in YATZY.categories[1:]]
    by_open = situation_of(YATZY, Known(open=["ones"], upper=40, points=120))
    assert by_open == situation_of(YATZY, Known(filled=[",".join(filled)], upper=40, points=120))
    assert by_open == situation_of(YATZY, Known(open=["ones"], filled=filled, upper=40, points=120))
    assert [YATZY.categories[at].id for at in by_open.position.sheet.open] == ["ones"]
    assert (by_open.position.sheet.upper, by_open.position.sheet.points) == (40, 120)
    assert by_open.assumed == ()


def test_what_had_to_be_assumed_is_said() -> None:
    (note,) = situation_notes(situation_of(YATZY, Known(filled=["chance"])))
    assert note == "values are points still to come; give points for final scores"
    (note,) = situation_notes(
        situation_of(YAHTZEE, Known(filled=["yahtzee"], points=0)), "en", lambda name: f"--{name}"
    )
    assert note == "the Yahtzee box is assumed to hold 0; give --yahtzee_box 50 if it holds 50"
    assert situation_of(YAHTZEE, Known(filled=["yahtzee"], points=0, yahtzee_box="0")).assumed == ()
    assert situation_of(YAHTZEE, Known(filled=["chance"], points=20)).assumed == ()


def test_an_upper_sum_is_asked_for_where_it_matters() -> None:
    some = situation_of(YATZY, Known(open=["sixes", "chance"], points=100))
    assert some.assumed == ("upper",)
    assert situation_notes(some) == ("the sum of the upper categories is assumed to be 0; give upper",)
    with pytest.raises(PositionError, match="upper is needed: with ones, twos filled, the sum of the upper categories"):
        situation_of(YATZY, Known(filled=["ones", "twos"], points=3))
    upper = ["ones", "twos", "threes", "fours", "fives", "sixes"]
    assert situation_of(YATZY, Known(filled=upper)).assumed == ("points",)  # the bonus is paid, or never will be
    with pytest.raises(PositionError, match="upper is needed: .* 100 points do not fit the sheet"):  # noqa: RUF043
        situation_of(YATZY, Known(filled=upper, points=100))
    assert situation_of(load_game("yatzy-no-bonus"), Known(filled=["ones"])).assumed == ("points",)


def test_the_yahtzee_box() -> None:
    for said, pays, points in (("50", True, 50), ("0", False, 0)):
        sheet = situation_of(YAHTZEE, Known(yahtzee_box=said, points=points)).position.sheet
        assert sheet.box_pays is pays
        assert len(sheet.open) == 12
        named = Known(filled=["yahtzee"], yahtzee_box=said, points=points)
        assert situation_of(YAHTZEE, named).position.sheet == sheet
    assert situation_of(YAHTZEE, Known(yahtzee_box="open")).position == Position.start(YAHTZEE)
    plain = situation_of(load_game("yahtzee-plain"), Known(yahtzee_box="50", points=50)).position.sheet
    assert not plain.box_pays  # nothing depends on it without Jokers


def test_sheets_in_words_are_positions_of_any_number_of_players() -> None:
    one = situation_of(YATZY, Known(sheet=["ones 3, sixes 24"], dice="13356"))
    assert str(one.position) == "yatzy~s3.....24.........~d13356~r2"
    assert one.assumed == ()
    two = situation_of(YATZY, Known(sheet=["ones 3", "twos 4"])).position
    assert ([sheet.points for sheet in two.sheets], two.mover) == ([3, 4], 0)


@pytest.mark.parametrize(
    ("known", "told"),
    [
        (Known(upper=-1), "upper -1: a sum cannot be below 0"),
        (Known(rolls_left=2), "rolls_left 2 needs dice: before the first roll 3 are left"),
        (Known(open=["ones", "twos"], filled=["ones"]), "ones is given as open and as filled"),
        (Known(open=["ones"], filled=["twos"]), "threes is neither in open nor in filled"),
        (Known(yahtzee_box="40"), "yahtzee_box 40: must be open, 0 or 50"),
        (Known(open=["chance"], yahtzee_box="open"), "yahtzee is filled by the other options"),
        (Known(filled=["chance"], yahtzee_box="50"), "yahtzee is open by the other options"),
        (Known(open=["yahtzee"], yahtzee_box="0"), "yahtzee is open by the other options"),
        (Known(sheet=["ones 3"], upper=3), "give either sheet or upper"),
        (Known(sheet=["ones 3", "twos 4, ones 2"]), "players have filled [1, 2] categories"),
        (Known(sheet=["ones 3"] * 21), "sheet: more than 20 players"),
    ],
)
def test_contradictions_are_refused(known: Known, told: str) -> None:
    with pytest.raises(PositionError) as refused:
        situation_of(YAHTZEE, known)
    assert str(refused.value).startswith(told)


def test_a_game_without_a_box_for_equal_dice_has_no_yahtzee_box() -> None:
    with pytest.raises(PositionError, match="two-yatzy has no box for 2 equal dice"):
        situation_of(load_game("two-yatzy"), Known(yahtzee_box="0"))
