"""What addresses open, who is at a table, and who holds a seat."""

from __future__ import annotations

from pathlib import Path

import pytest

from yatzy.games import Game, Player, Position, load_preset
from yatzy.web.page.opening import Asked, frozen_link, join_link, open_address
from yatzy.web.page.preferences import Preferences
from yatzy.web.page.reader import Reader
from yatzy.web.page.seats import Seats
from yatzy.web.page.store import GameStore, OpenGame
from yatzy.web.page.table.together import Company, company_line, seat_list

START = "yatzy~s..............~s..............~d13356~r2"
HOUSE = 'id = "own"\nbased_on = "two-yatzy"\nrolls = 3\nname = { en = "Own" }\n'


@pytest.fixture
def store(tmp_path: Path) -> GameStore:
    return GameStore(tmp_path)


@pytest.fixture
def live(store: GameStore) -> OpenGame:
    """A game of Ann and Bo that goes on."""
    found = store.new(load_preset("yatzy"), [Player("Ann"), Player("Bo", "greedy")], start=Position.parse(START))
    found.session.play_and_roll(found.session.game.parse_move("33"))
    return found


def asked(link: str) -> Asked:
    """The parameters of a link."""
    fields = dict(one.split("=", 1) for one in link.removeprefix("/?").split("&"))
    return Asked(**fields)


def test_a_link_to_a_position_is_a_copy_and_a_link_to_a_table_is_the_table(store: GameStore, live: OpenGame) -> None:
    session = live.session
    frozen, joined = frozen_link(session.game, session.position, live.id), join_link(live.id)
    before = session.position
    session.play(session.game.parse_move("-"))
    copy = open_address(store, Preferences(), asked(frozen))
    assert copy.game is not live
    assert copy.game.session.position == before
    assert not any(player.strategy for player in copy.game.session.players), "nobody moves in it by themselves"
    table = open_address(store, Preferences(), asked(joined))
    assert table.game is live
    assert table.joined


def test_the_address_of_a_tab_opens_the_game_only_where_it_was_played(store: GameStore, live: OpenGame) -> None:
    address = Asked(game=live.id, position=START)
    mine = open_address(store, Preferences(tables=(live.id,)), address)
    assert mine.game is live
    assert not mine.joined
    other = open_address(store, Preferences(), address)
    assert other.game is not live
    assert str(other.game.session.position) == START
    assert [player.name for player in other.game.session.players] == ["Ann", "Bo"]


def test_a_saved_game_is_opened_by_its_name_and_a_missing_one_is_told(store: GameStore, live: OpenGame) -> None:
    assert open_address(store, Preferences(), Asked(game=live.id)).game is live
    for address, said in ((Asked(game="nope"), "no saved game nope"), (Asked(join="nope"), "table nope")):
        found = open_address(store, Preferences(), address)
        assert said in found.problem
        assert found.game.untouched
    assert open_address(store, Preferences(language="sv"), Asked(game="nope")).problem.startswith("Det finns inget")


def test_a_position_of_house_rules_takes_the_rules_from_the_saved_game(store: GameStore) -> None:
    game = Game.parse(HOUSE)
    table = store.new(game, [Player("Ann")])
    table.session.roll()
    link = frozen_link(game, table.session.position, table.id)
    assert link.startswith(f"/?rules={table.id}&position=own~")
    found = open_address(GameStore(store.folder), Preferences(), asked(link))
    assert found.problem == ""
    assert found.game.session.game == game
    assert found.game.session.position == table.session.position
    assert "own" in open_address(store, Preferences(), Asked(position="own~d12~r1")).problem


def test_no_two_games_ever_have_the_same_address(store: GameStore) -> None:
    ids = set()
    for _ in range(20):
        found = open_address(store, Preferences(), Asked())
        ids.add(found.game.id)
        store.leave(found.game)
    assert len(ids) == 20
    assert not any(store.folder.iterdir()), "games that were only viewed are not saved"


def test_a_game_is_deleted_unless_it_is_open(store: GameStore, live: OpenGame) -> None:
    path = store.folder / f"{live.id}.yatzy"
    assert path.exists()
    live.listeners.append(lambda: None)
    with pytest.raises(Exception, match="open in a browser"):
        store.delete(live.id)
    live.listeners.clear()
    store.delete(live.id)
    assert not list(store.folder.glob(f"{live.id}*"))
    assert store.find(live.id) is None
    with pytest.raises(Exception, match="cannot be deleted"):
        store.delete(live.id)
    with pytest.raises(Exception, match="no saved game"):
        store.delete("../games")


def test_seats_are_held_while_their_holder_is_there() -> None:
    seats = Seats()
    seats.enter("tab 1", "laptop")
    seats.enter("tab 2", "phone")
    seats.enter("tab 3", "phone")
    assert seats.browsers == ("laptop", "phone")
    assert seats.may_move(1, "laptop")
    assert seats.take(1, "phone")
    assert not seats.may_move(1, "laptop")
    assert seats.may_move(1, "phone")
    assert seats.may_move(0, "phone"), "nobody holds it"
    assert not seats.take(1, "laptop")
    seats.leave("tab 2")
    assert not seats.may_move(1, "laptop")
    seats.leave("tab 3")
    assert seats.may_move(1, "laptop"), "the phone is gone"
    seats.enter("tab 4", "phone")
    assert seats.seats_of("phone") == (1,), "it has its seat again"
    seats.stand_up(1, "laptop")
    assert seats.seats_of("phone") == (1,)
    seats.stand_up(1, "phone")
    assert seats.may_move(1, "laptop")


def test_the_people_at_a_table_in_words() -> None:
    evil = "<img src=x>"
    players = (Player("Ann"), Player(evil), Player("Computer", "greedy"))
    seats = Seats()
    seats.enter(1, "laptop")
    assert company_line(Company.of(Reader("en"), players, seats, "laptop")) == ""
    for number, browser in enumerate(("phone", "tablet", "tv"), 2):
        seats.enter(number, browser)
    seats.take(1, "phone")
    line = company_line(Company.of(Reader("en"), players, seats, "laptop"))
    assert "At this table: you, &lt;img src=x&gt;, 2 guests" in line
    assert "you (&lt;img src=x&gt;), 3 guests" in company_line(Company.of(Reader("en"), players, seats, "phone"))
    shown = seat_list(Company.of(Reader("en"), players, seats, "laptop"))
    assert shown.count("<li>") == 2, "computers have no seat to take"
    assert "Somebody else" in shown
    assert evil not in shown


def test_a_rematch_is_one_game_for_all_and_keeps_the_seats(store: GameStore, live: OpenGame) -> None:
    live.seats.enter("tab", "browser")
    live.seats.take(1, "browser")
    following = store.rematch(live)
    following.listeners.append(lambda: None)  # somebody is there
    assert store.rematch(live) is following
    assert live.current is following
    assert following.session.players == live.session.players
    following.seats.enter("tab", "browser")
    assert following.seats.holder(1) == "browser"
    assert open_address(store, Preferences(), asked(join_link(live.id))).game is following
    assert open_address(store, Preferences(), Asked(game=live.id)).game is live, "an old game can be looked at"
    following.listeners.clear()
    assert store.rematch(live) is not following, "an abandoned rematch is not continued"


@pytest.mark.parametrize(("language", "said"), [("sv", "kast kvar: 9 är inte"), ("de", "übrige Würfe: 9 liegt")])
def test_what_cannot_be_opened_is_told_in_the_readers_language(store: GameStore, language: str, said: str) -> None:
    opened = open_address(store, Preferences(language=language), Asked(position="yatzy~d12345~r9"))
    assert opened.problem.startswith(said)
