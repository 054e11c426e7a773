"""The dice in front of a player: entering real ones, changing one, and where dice lie after a roll."""

from __future__ import annotations

import pytest

from yatzy.coach.play.session import Session
from yatzy.games import Player, Position, load_preset
from yatzy.web.page.table.hand import Hand

YATZY = load_preset("yatzy")


@pytest.fixture
def session() -> Session:
    return Session.new(YATZY, [Player("Ann")], seed=5)


def see(hand: Hand, session: Session) -> frozenset[int]:
    return hand.follow(session.position, session.last, True)


def test_entered_dice_lie_in_the_order_of_entry(session: Session) -> None:
    hand = Hand()
    see(hand, session)
    assert [hand.enter(face, 5) for face in (6, 1, 3, 3, 5)] == [False] * 4 + [True]
    session.enter(hand.lay_down(5))
    assert see(hand, session) == frozenset(range(5))
    assert hand.slots == (6, 1, 3, 3, 5)
    assert hand.entered == []


def test_a_die_being_entered_is_replaced(session: Session) -> None:
    hand = Hand()
    see(hand, session)
    hand.enter(6, 5)
    hand.enter(1, 5)
    hand.changing = 0
    hand.enter(2, 5)
    assert hand.entered == [2, 1]
    assert hand.changing is None


def test_kept_dice_keep_their_places_and_only_new_ones_are_entered(session: Session) -> None:
    hand = Hand()
    see(hand, session)
    session.enter((6, 1, 3, 3, 5))
    see(hand, session)
    assert hand.slots == (1, 3, 3, 5, 6)
    hand.held = {1, 2}
    session.play(hand.keep)
    see(hand, session)
    assert hand.free(5) == [0, 3, 4]
    for face in (4, 4, 2):
        hand.enter(face, 5)
    session.enter(hand.lay_down(5))
    assert see(hand, session) == frozenset({0, 3, 4})
    assert hand.slots == (4, 3, 3, 4, 2)
    assert hand.held == {1, 2}
    assert hand.is_locked(1)
    assert not hand.is_locked(0)


def test_one_die_of_a_roll_is_changed_and_the_others_stay_held(session: Session) -> None:
    hand = Hand()
    see(hand, session)
    session.enter((1, 3, 3, 5, 6))
    see(hand, session)
    hand.held = {1, 2, 3}
    before = hand.correct(3, 3)
    assert before == (1, 3, 3, 5, 6)
    session.correct(hand.slots)
    assert see(hand, session) == frozenset({3})
    assert hand.slots == (1, 3, 3, 3, 6)
    assert hand.held == {1, 2}
    assert session.position.dice == (1, 3, 3, 3, 6)
    assert not session.can_redo


def test_the_last_roll_can_be_entered_again(session: Session) -> None:
    hand = Hand()
    see(hand, session)
    session.enter((1, 3, 3, 5, 6))
    see(hand, session)
    hand.enter_again()
    session.undo()
    see(hand, session)
    assert hand.entered == [1, 3, 3, 5]


def test_a_kept_die_of_a_link_comes_first() -> None:
    hand = Hand()
    position = Position.parse("yatzy~d33~r1")
    hand.follow(position, None, True)
    assert hand.held == {0, 1}
    assert hand.free(5) == [2, 3, 4]
