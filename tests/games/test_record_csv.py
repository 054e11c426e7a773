"""Records as CSV: many games come back from one file, and a row that is wrong is named."""

from __future__ import annotations

import csv
import io
import random
from dataclasses import replace

import pytest
from helpers.random_records import GAMES, random_record
from hypothesis import given, settings
from hypothesis import strategies as st

from yatzy.errors import RecordError
from yatzy.games import Detail, Game, Player, Record, Score, Turn, load_preset
from yatzy.games.game import MAX_ROLLS
from yatzy.games.record_csv import read_csv, write_csv

KNOWN = {game.id: game for game in GAMES}
YATZY = load_preset("yatzy")
MINIMAL = "player,turn,category,points\nAnn,1,ones,3\nBo,1,twos,4\nAnn,2,yatzy,50\n"


def find(game: str) -> Game:
    return KNOWN[game]


@given(st.randoms(use_true_random=False), st.lists(st.sampled_from([*KNOWN.values()]), max_size=4))
@settings(max_examples=150, deadline=None)
def test_random_games_come_back(rng: random.Random, games: list[Game]) -> None:
    records = [random_record(game, rng) for game in games]
    text = write_csv(records)
    assert read_csv(text, find) == records
    assert write_csv(read_csv(text, find)) == text


def test_no_games_come_back() -> None:
    assert read_csv(write_csv([])) == []


@given(st.randoms(use_true_random=False))
@settings(max_examples=50, deadline=None)
def test_the_order_of_the_rows_does_not_matter(rng: random.Random) -> None:
    """Numbers of turns tell the order; only the first rows of the players tell who starts."""
    record = replace(random_record(YATZY, rng, 2, details=False), notes=(), undone=())  # one line a row
    head, *rows = write_csv([record]).splitlines()
    rest = rng.sample(rows[2:], len(rows[2:]))
    assert read_csv("\n".join([head, *rows[:2], *rest])) == [record]


def test_columns() -> None:
    record = Record(
        YATZY,
        (Player("Ann"), Player("Bo", "expected")),
        (
            Turn(((1, 1, 4, 5, 5), (2, 3, 4, 5, 6)), ((), (2, 3, 4, 5, 6)), Score("chance")),
            Turn(((1, 5, 5, 5, 5),), (), Score("fives")),
            Turn((), (), Score("ones"), 3),
        ),
    )
    assert write_csv([record]) == (
        "game_number,game,date,player,strategy,turn,roll1,keep1,roll2,keep2,roll3,category,points,joker_bonus\n"
        "1,yatzy,,Ann,,1,11455,-,23456,23456,,chance,20,\n"
        "1,yatzy,,Bo,expected,1,,,,,15555,fives,20,\n"
        "1,yatzy,,Ann,,2,,,,,,ones,3,\n"
    )


def test_a_csv_with_few_columns() -> None:
    (record,) = read_csv(MINIMAL)
    assert record.game == YATZY
    assert record.scores == (53, 4)
    assert {turn.detail for turn in record.turns} == {Detail.POINTS}
    assert read_csv("category,points\nones,3\nTwos,4\n")[0].players == (Player("Player"),)
    assert read_csv("category,points\nyahtzee,50\n", game="yahtzee")[0].game.id == "yahtzee"
    assert read_csv("\ufeff" + MINIMAL.replace(",", ";").replace("\n", "\r\n")) == [record]
    assert read_csv(MINIMAL.replace(",", "\t").replace("player", " Player ")) == [record]
    by_player = "player,category,points\nAnn,ones,3\nAnn,yatzy,50\nBo,twos,4\n"
    assert read_csv(by_player) == [record]


def test_rolls_of_which_only_the_last_is_told() -> None:
    for column in ("roll1", "roll3"):
        (record,) = read_csv(f"{column},category\n15555,fives\n")
        assert record.turns == (Turn(((1, 5, 5, 5, 5),), (), Score("fives"), 20, 0),)


REFUSED: list[tuple[str, str]] = [
    ("", "there is no line of columns"),
    ("player,catgory\n", "line 1: column 'catgory' is not known; did you mean category?"),
    ("player,turn\n", "line 1: column category is missing"),
    ("category,Category\n", "line 1: column category is there twice"),
    ("category,points\nones,3,4\n", "line 2: 3 cells, but 2 columns"),
    ("category,points\nones,7\n", "line 2: turn 1 of Player: ones cannot get 7 points here; possible: 0, 1"),
    ("category,points\nones,-1\n", "line 2: points: '-1' is not a number"),
    ("category,points\nones," + "9" * 5000, "line 2: points: '9999"),
    ("category,points\nones," + "9" * 500_000, "line 2: is not CSV: field larger than field limit"),
    ('category,points\nones,"3\n', "line 2: is not CSV: unexpected end of data"),
    ("category,points\nonse,3\n", "line 2: yatzy has no category 'onse'; did you mean ones?"),
    ("category,points\n,3\n", "line 2: turn 1 of Player: points are given, but no category"),
    ("category,points\n" + "ones,1\n" * 16, "line 17: Player has had all 15 turns of yatzy"),
    ("game,category,points\nyatzi,ones,1\n", "line 2: there is no game 'yatzi'; did you mean yatzy?"),
    ("game,category,points\n,ones,1\nyahtzee,twos,2\n", "line 3: game: 'yahtzee', but 'yatzy' on an earlier line"),
    ("game_number,category,points\n,ones,1\n", "line 2: game_number: is missing"),
    ("player,category,points\n,ones,1\n", "line 2: player: is missing"),
    ("player,category,points\n7,ones,1\n", "line 2: player '7': a name must not be a number"),
    ("player,category,points\nAnn,ones,1\nBo,ones,1\nBo,twos,2\n", "line 2: turn 2 of Ann is missing, but"),
    ("turn,category,points\n2,ones,1\n", "line 2: it is turn 1 of Player, not 2"),
    ("turn,category,points\n1,ones,1\n1,twos,2\n", "line 3: it is turn 2 of Player, not 1"),
    ("roll2,category\n11111,ones\n\n12,ones", "line 4: dice: 2 given, but yatzy is played with 5"),
    ("roll1,keep1,roll2,category\n11456,,11111,ones\n", "line 2: keep1: is missing; a keep of no dice is -"),
    ("roll1,keep1,roll2,category\n,11,11111,ones\n", "line 2: roll1: is missing; give all rolls, only the last one"),
    ("roll1,keep1,category\n11456,66,ones\n", "line 2: turn 1 of Player: 66 cannot be kept from 11456"),
    ("date,category,points\n2026-1-1,ones,1\n", "line 2: date: '2026-1-1' is not a day such as 2026-11-15"),
    ("player,category\n" + "".join(f"P{i},\n" for i in range(21)), "line 22: more than 20 players"),
    ("player,strategy,category,points\nA,x,ones,1\nA,y,twos,2\n", "line 3: strategy: 'y', but A had another"),
]


@pytest.mark.parametrize(("text", "says"), REFUSED, ids=[says[:50] for _, says in REFUSED])
def test_what_is_wrong_gets_one_line(text: str, says: str) -> None:
    with pytest.raises(RecordError) as caught:
        read_csv(text, source="all.csv")
    assert str(caught.value).startswith(f"all.csv: {says}"), caught.value
    assert len(str(caught.value).splitlines()) == 1


def test_what_is_written_is_csv() -> None:
    rng = random.Random(4)
    records = [random_record(game, rng) for game in GAMES]
    rows = list(csv.DictReader(io.StringIO(write_csv(records))))
    assert {int(row["game_number"]) for row in rows} == set(range(1, len(records) + 1))
    for number, record in enumerate(records, 1):
        told = [row["points"] for row in rows if row["game_number"] == str(number) and row["points"]]
        assert list(map(int, told)) == [turn.points for turn in record.turns if turn.score]


def test_a_turn_of_as_many_rolls_as_a_game_may_have_comes_back() -> None:
    game = replace(load_preset("two-yatzy"), id="long", rolls=MAX_ROLLS)
    faces = [1 + i % 2 for i in range(MAX_ROLLS)]
    turn = Turn(tuple((1, face) for face in faces), ((1,),) * (MAX_ROLLS - 1), Score("ones"))
    record = Record(game, (Player("Ann"),), (turn,))
    text = write_csv([record])
    assert f"roll{MAX_ROLLS}," in text
    assert read_csv(text, lambda _: game) == [record]


def test_numbers_and_names_of_games_have_a_longest_form() -> None:
    def read(number: int, name: int) -> list[Record]:
        return read_csv(f"game_number,game,category,points\n{'n' * number},{'g' * name},ones,1\n", lambda _: YATZY)

    assert len(read(100, 100)) == 1
    for number, name in ((101, 1), (1, 101)):
        with pytest.raises(RecordError, match="game_number, game: longer than 100 letters"):
            read(number, name)
