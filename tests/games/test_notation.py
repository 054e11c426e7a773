"""Dice, moves and positions as text: everything written is read back, everything else gets one clear line."""

from __future__ import annotations

import random
import re

import pytest
from helpers.playouts import playout, random_step
from hypothesis import given, settings
from hypothesis import strategies as st

from yatzy.errors import GameError, InputError, NotationError, PositionError
from yatzy.games import (
    PRESETS,
    Category,
    Chance,
    Dice,
    Face,
    Game,
    Groups,
    Keep,
    Move,
    Position,
    Score,
    Sheet,
    keeps_of,
    load_preset,
    rolls,
)

YATZY = load_preset("yatzy")
YAHTZEE = load_preset("yahtzee")
UNRESERVED = re.compile(r"[A-Za-z0-9._~-]+")

TWELVE = Game(
    "twelve",
    4,
    12,
    3,
    (
        *(Category(f"face-{face}", Face(face)) for face in (1, 2, 11, 12)),
        Category("3-of-a-kind", Groups((3,))),
        Category("4all", Groups((4,), points=40)),
        Category("sum", Chance(), {"en": "12", "sv": "face 1"}),
    ),
)


def one_line(error: BaseException) -> str:
    text = str(error)
    assert len(text.splitlines()) == 1, text
    return text


def check_round_trip(position: Position) -> None:
    text = str(position)
    assert UNRESERVED.fullmatch(text), text
    assert Position.parse(text, TWELVE) == position


# ---------------------------------------------------------------- positions there and back


@pytest.mark.parametrize("players", [1, 3])
@pytest.mark.parametrize("id", PRESETS)
def test_positions_of_a_random_game_come_back(id: str, players: int) -> None:
    rng = random.Random(f"{id} {players}")
    texts = set()
    for position in playout(Position.start(load_preset(id), players), rng):
        check_round_trip(position)
        texts.add(str(position))
    assert len(texts) > players * len(load_preset(id).categories)


@pytest.mark.parametrize("players", [1, 3])
def test_positions_with_faces_of_two_digits_come_back(players: int) -> None:
    rng = random.Random(players)
    for _ in range(10):
        for position in playout(Position.start(TWELVE, players), rng):
            check_round_trip(position)


def test_points_of_six_digits_come_back() -> None:
    ids = [f"pair-{number}" for number in range(1, 12)]
    rich = Game("rich", 2, 6, 1, tuple(Category(id, Groups((2,), points=10_000)) for id in ids))
    position = Position((Sheet.of_sums(rich, ids[:-1], upper=0, points=100_000),))
    assert "~p100000" in str(position)
    assert Position.parse(str(position), rich) == position


@given(st.sampled_from(PRESETS), st.integers(1, 3), st.integers(0, 200), st.randoms(use_true_random=False))
@settings(max_examples=80, deadline=None)
def test_any_position_comes_back(id: str, players: int, steps: int, rng: random.Random) -> None:
    position = Position.start(load_preset(id), players)
    for _ in range(steps):
        if position.over:
            break
        position = random_step(position, rng)
    check_round_trip(position)


def in_sums(sheet: Sheet, *, with_points: bool = True) -> Sheet:
    """The sheet as somebody remembers it who has forgotten the single boxes."""
    ids = [category.id for i, category in enumerate(sheet.game.categories) if i not in sheet.open]
    points = sheet.points if with_points else None
    return Sheet.of_sums(sheet.game, ids, upper=sheet.upper, points=points, box_pays=sheet.box_pays)


@pytest.mark.parametrize("with_points", [True, False])
@pytest.mark.parametrize("id", PRESETS)
def test_positions_known_in_sums_come_back(id: str, with_points: bool) -> None:
    rng = random.Random(f"sums of {id}")
    for position in list(playout(Position.start(load_preset(id), 2), rng))[with_points::4]:
        first, second = position.sheets
        one = in_sums(first, with_points=with_points)
        check_round_trip(Position((one, in_sums(second)), position.dice, position.rolls_left))
        check_round_trip(Position((one, second), position.dice, position.rolls_left))
        check_round_trip(Position((first, in_sums(second)), position.dice, position.rolls_left))


@pytest.mark.parametrize("id", PRESETS)
def test_a_game_played_on_from_sums_comes_back(id: str) -> None:
    game, rng = load_preset(id), random.Random(f"from sums of {id}")
    for start in list(playout(Position.start(game), rng))[:: 1 + game.rolls * 2]:
        remembered = Position((in_sums(start.sheet),), start.dice, start.rolls_left)
        for position in playout(remembered, rng):
            check_round_trip(position)


@pytest.mark.parametrize("jokers", [0, 1, 2, 3])
def test_joker_bonuses_come_back(jokers: int) -> None:
    sheet = Sheet.of_boxes(YAHTZEE, (*(None,) * 3, 20, 25, 30, *(None,) * 5, 50, None), jokers)
    text = str(Position((sheet,)))
    assert text.endswith(f"~j{jokers}") == (jokers > 0)
    read = Position.parse(text).sheet
    assert (read, read.jokers, read.points) == (sheet, jokers, 75 + 35 + 50 + 100 * jokers)


def test_a_position_awaiting_a_roll_comes_back() -> None:
    rolled = Position.start(YATZY).roll((1, 3, 3, 5, 6))
    for move in rolled.legal_moves:
        check_round_trip(rolled.play(move))
    assert str(rolled.play(Keep((3, 3)))).endswith("~d33~r2")
    assert str(rolled.play(Keep(()))).endswith(".~r2")


def test_what_a_position_looks_like() -> None:
    sheet = Sheet.of_boxes(YATZY, (3, None, None, 12, *(None,) * 11))
    assert str(Position((sheet,), (1, 3, 3, 5, 6), 2)) == "yatzy~s3...12...........~d13356~r2"
    two = Position((Sheet.of_boxes(YATZY, (3, *(None,) * 14)), Sheet.start(YATZY)))
    assert str(two) == "yatzy~s3..............~s.............."
    sums = Sheet.of_sums(YAHTZEE, ["ones", "yahtzee", "chance"], upper=3, points=175, box_pays=True)
    assert str(Position((sums,))) == "yahtzee~sx...........50.x~u3~p175"


def test_what_is_left_out_is_as_at_the_start_of_a_turn() -> None:
    assert Position.parse("yatzy") == Position.start(YATZY)
    assert Position.parse("yatzy~s..............") == Position.start(YATZY)
    assert Position.parse("yatzy~d66666~r0") == Position((Sheet.start(YATZY),), (6,) * 5, 0)
    assert Position.parse("yatzy~d-") == Position.start(YATZY)
    assert Position.parse("yatzy~r1~d65432").dice == (2, 3, 4, 5, 6)
    assert Position.parse("yatzy~sx..............~u3").sheet == Sheet.of_sums(YATZY, ["ones"], upper=3)


# ---------------------------------------------------------------- moves there and back


@pytest.mark.parametrize("id", PRESETS)
def test_every_category_as_a_move_comes_back(id: str) -> None:
    game = load_preset(id)
    for category in game.categories:
        text = str(Score(category.id))
        assert UNRESERVED.fullmatch(text)
        assert game.parse_move(text) == Score(category.id)


def test_all_keeps_of_all_rolls_of_yatzy_come_back() -> None:
    keeps = {keep for roll in rolls(YATZY) for keep in keeps_of(roll)}
    assert len(keeps) == 462
    texts = {str(Keep(keep)): Keep(keep) for keep in keeps}
    assert len(texts) == 462
    for text, move in texts.items():
        assert UNRESERVED.fullmatch(text)
        assert YATZY.parse_move(text) == move


def test_all_keeps_with_faces_of_two_digits_come_back() -> None:
    moves: set[Move] = {Keep(keep) for roll in rolls(TWELVE) for keep in keeps_of(roll)}
    moves |= {Score(category.id) for category in TWELVE.categories}
    texts = {str(move): move for move in moves}
    assert len(texts) == len(moves) == 1820 + 7
    for text, move in texts.items():
        assert UNRESERVED.fullmatch(text)
        assert TWELVE.parse_move(text) == move


def test_one_die_of_twenty_faces() -> None:
    game = Game("one", 1, 20, 3, (Category("sum", Chance()),))
    for face in range(1, 21):
        assert game.parse_dice(str(face)) == (face,)
        assert game.parse_move(str(Keep((face,)))) == Keep((face,))


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("-", Keep(())),
        ("33", Keep((3, 3))),
        ("53", Keep((3, 5))),
        ("5 3", Keep((3, 5))),
        ("5,3", Keep((3, 5))),
        ("chance", Score("chance")),
        ("Två par", Score("two-pairs")),
    ],
)
def test_moves_as_people_write_them(text: str, move: Move) -> None:
    assert YATZY.parse_move(text) == move


@pytest.mark.parametrize("text", ["", " ", "3x", "33a", "1/2", "²", "٣", "x33", "--", "~", "chanc e s"])
def test_texts_that_are_no_move(text: str) -> None:
    with pytest.raises(NotationError) as caught:
        YATZY.parse_move(text)
    one_line(caught.value)


# ---------------------------------------------------------------- dice


@pytest.mark.parametrize(
    "text", ["13356", "65331", "6-5-3-3-1", "1 3 3 5 6", "1,3,3,5,6", "1.3.3.5.6", "1, 3, 3, 5, 6"]
)
def test_dice_as_people_write_them(text: str) -> None:
    assert YATZY.parse_dice(text) == (1, 3, 3, 5, 6)


@pytest.mark.parametrize(
    ("text", "dice"),
    [
        ("10-3-12-1", (1, 3, 10, 12)),
        ("12 12 12 12", (12, 12, 12, 12)),
        ("1-2-3-4", (1, 2, 3, 4)),
        ("1234", (1, 2, 3, 4)),
        ("03-04-05-10", (3, 4, 5, 10)),
    ],
)
def test_dice_with_faces_of_two_digits(text: str, dice: Dice) -> None:
    assert TWELVE.parse_dice(text) == dice


@pytest.mark.parametrize(
    ("game", "text", "says"),
    [
        (YATZY, "", "0 given, but yatzy is played with 5"),
        (YATZY, "1335", "4 given"),
        (YATZY, "133566", "6 given"),
        (YATZY, "13357", "7 is not from 1 to 6"),
        (YATZY, "03356", "0 is not from 1 to 6"),
        (YATZY, "1335x", "'x' in '1335x' is not a face from 1 to 6"),
        (YATZY, "1335²", "is not a face from 1 to 6"),
        (YATZY, "1 3 3 5 -6 6", "6 given"),
        (YATZY, "1-3-3-5-666", "'666' in"),
        (YATZY, "13\n56", "is not a face"),
        (TWELVE, "1-2-3-13", "13 is not from 1 to 12"),
        (TWELVE, "10-11-12", "3 given, but twelve is played with 4"),
        (TWELVE, "10111212", "8 given"),
    ],
)
def test_dice_that_cannot_be(game: Game, text: str, says: str) -> None:
    with pytest.raises(InputError) as caught:
        game.parse_dice(text)
    assert isinstance(caught.value, NotationError | PositionError)
    message = one_line(caught.value)
    assert message.startswith("dice: ")
    assert says in message


# ---------------------------------------------------------------- categories


@pytest.mark.parametrize("id", PRESETS)
def test_a_category_is_found_by_its_id_and_by_each_of_its_names(id: str) -> None:
    game = load_preset(id)
    for category in game.categories:
        for text in (category.id, *category.names.values()):
            spellings = (text, text.upper(), text.title(), text.replace(" ", "_"), text.replace(" ", "-"), f"  {text} ")
            for spelling in spellings:
                assert game.find_category(spelling) is category


@pytest.mark.parametrize(
    ("text", "id"),
    [
        ("kåk", "full-house"),
        ("KÅK", "full-house"),
        ("Tvåor", "twos"),
        ("liten stege", "small-straight"),
        ("liten_stege", "small-straight"),
        ("Liten   Stege", "small-straight"),
        ("full house", "full-house"),
        ("Full_House", "full-house"),
        ("FULL-HOUSE", "full-house"),
        ("fyrtal", "four-of-a-kind"),
        ("chans", "chance"),
    ],
)
def test_categories_as_people_write_them(text: str, id: str) -> None:
    assert YATZY.find_category(text).id == id


def test_a_german_name_is_found_where_there_is_one() -> None:
    for game in (load_preset("kniffel"), YATZY):
        assert game.find_category("Große Straße").id == "large-straight"
    with pytest.raises(NotationError):
        YATZY.find_category("Kniffel")


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("chanse", "chance"),
        ("ful house", "full-house"),
        ("yatzee", "yatzy"),
        ("tretall", "three-of-a-kind"),
        ("lten stege", "small-straight"),
    ],
)
def test_a_misspelt_category_gets_a_suggestion(text: str, meant: str) -> None:
    with pytest.raises(NotationError) as caught:
        YATZY.find_category(text)
    assert one_line(caught.value) == f"yatzy has no category {text!r}; did you mean {meant}?"


def test_a_category_like_none_gets_the_list() -> None:
    with pytest.raises(NotationError) as caught:
        YATZY.find_category("qqqq\nqqqq")
    assert one_line(caught.value) == "yatzy has no category 'qqqq\\nqqqq'; known are " + ", ".join(YATZY.category_index)


def test_an_id_means_its_own_category_whatever_others_are_called() -> None:
    chance = Chance()
    first, second = Category("low", chance, {"en": "High"}), Category("high", chance, {"en": "Low"})
    for categories in ((first, second), (second, first)):
        game = Game("crossed", 2, 6, 2, categories)
        assert game.find_category("low").id == "low"
        assert game.find_category("HIGH").id == "high"


def test_names_of_digits_do_not_hide_dice() -> None:
    assert TWELVE.parse_move("12-") == Keep((12,))
    assert TWELVE.parse_move("12") == Keep((1, 2))
    assert TWELVE.find_category("12").id == "sum"
    assert TWELVE.find_category("face 1").id == "face-1"
    assert TWELVE.parse_move("3 of a kind") == Score("3-of-a-kind")


# ---------------------------------------------------------------- texts that are no position

EMPTY = "." * 14
MALFORMED: list[tuple[str, type[InputError], str]] = [
    ("", GameError, "there is no game ''"),
    ("yatzi", GameError, "there is no game 'yatzi'; did you mean yatzy?"),
    (" yatzy", GameError, "there is no game ' yatzy'; did you mean yatzy?"),
    ("~", GameError, "there is no game ''"),
    ("yatzy\n", GameError, "there is no game 'yatzy\\n'"),
    ("yatzy~", NotationError, "'' is not a field"),
    ("yatzy~x", NotationError, "'x' is not a field"),
    ("yatzy~a\nb", NotationError, "'a\\nb' is not a field"),
    ("yatzy~u3", NotationError, "'u3' is not a field"),
    ("yatzy~p3~s" + EMPTY, NotationError, "'p3' is not a field"),
    ("yatzy~j1", NotationError, "'j1' is not a field"),
    ("yatzy~d13356~d13356", NotationError, "'d' is given twice"),
    ("yatzy~r1~r1", NotationError, "'r' is given twice"),
    ("yatzy~sx" + EMPTY + "~u1~u1", NotationError, "'u' is given twice"),
    ("yatzy~s", NotationError, "yatzy has 15 boxes, 1 are given"),
    ("yatzy~s" + EMPTY + ".", NotationError, "yatzy has 15 boxes, 16 are given"),
    ("yatzy~s" + EMPTY[1:], NotationError, "yatzy has 15 boxes, 14 are given"),
    ("yatzy~sx" + EMPTY, NotationError, "needs its upper sum u"),
    ("yatzy~sy" + EMPTY, NotationError, "'s' needs a number, not 'y'"),
    ("yatzy~s-1" + EMPTY, NotationError, "'s' needs a number, not '-1'"),
    ("yatzy~s1e1" + EMPTY, NotationError, "'s' needs a number"),
    ("yatzy~s٣" + EMPTY, NotationError, "'s' needs a number"),
    ("yatzy~s" + "9" * 5000 + EMPTY, NotationError, "'s' needs a number"),
    ("yatzy~s6" + EMPTY, PositionError, "ones: 6 points cannot be made there"),
    ("yatzy~s.3" + EMPTY[1:], PositionError, "twos: 3 points cannot be made there"),
    ("yatzy~s3" + EMPTY + "~u3", NotationError, "'3' in a sheet with u or p"),
    ("yatzy~sx" + EMPTY + "~u3~j1", NotationError, "j cannot be combined with u and p"),
    ("yatzy~sx" + EMPTY + "~u6", PositionError, "an upper sum of 6 cannot be made with ones"),
    ("yatzy~sx" + EMPTY + "~u", NotationError, "'u' needs a number"),
    ("yatzy~sx" + EMPTY + "~u3~p", NotationError, "'p' needs a number"),
    ("yatzy~sx" + EMPTY + "~u3~p2", PositionError, "2 points do not fit the sheet; possible are 3 to 3"),
    ("yatzy~sx" + EMPTY + "~u3~p4", PositionError, "4 points do not fit the sheet; possible are 3 to 3"),
    ("yatzy~s" + EMPTY + "~j1", PositionError, "1 Joker bonuses are not from 0 to 0"),
    ("yahtzee~s...........50.~j1", PositionError, "1 Joker bonuses are not from 0 to 0"),
    ("yahtzee~s0...........50.~j2", PositionError, "2 Joker bonuses are not from 0 to 1"),
    ("yahtzee~s0...........50.~j", NotationError, "'j' needs a number"),
    ("yahtzee~s...........25.", PositionError, "yahtzee: 25 points cannot be made there"),
    ("yahtzee~sx...........x.~u0", NotationError, "yahtzee must be 0 or 50, not 'x'"),
    ("yahtzee~sx...........25.~u0", NotationError, "yahtzee must be 0 or 50, not '25'"),
    ("yatzy~d1335", NotationError, "with the dice 1335 on the table, the rolls left must be given: add ~r1 to ~r2"),
    ("yatzy~d13356", NotationError, "with the dice 13356 on the table, the rolls left must be given: add ~r0 to ~r2"),
    ("yatzy~d13356~r3", PositionError, "rolls left: 3 is not from 0 to 2 here"),
    ("yatzy~d13357~r1", PositionError, "7 is not from 1 to 6"),
    ("yatzy~d133566~r1", PositionError, "6 given"),
    ("yatzy~d1335x~r1", NotationError, "'x' in '1335x' is not a face"),
    ("yatzy~d13~r0", PositionError, "rolls left: 0 is not from 1 to 2 here"),
    ("yatzy~r4", PositionError, "rolls left: 4 is not from 1 to 3 here"),
    ("yatzy~r0", PositionError, "rolls left: 0 is not from 1 to 3 here"),
    ("yatzy~r", NotationError, "'r' needs a number"),
    ("yatzy~r-1", NotationError, "'r' needs a number"),
    ("yatzy~s" + EMPTY + "~s3" + EMPTY, PositionError, "players have filled [0, 1] categories"),
    ("yatzy~s3.2" + EMPTY[1:] + "~s" + EMPTY, PositionError, "players have filled [2, 0] categories"),
    ("yatzy-forced-order~s.2" + EMPTY[1:], PositionError, "ones is open, so nothing after it"),
    ("two-yatzy~s2.4~d12~r1", PositionError, "the game is over"),
]


@pytest.mark.parametrize(("text", "kind", "says"), MALFORMED, ids=[says for _, _, says in MALFORMED])
def test_a_text_that_is_no_position_gets_one_line(text: str, kind: type[InputError], says: str) -> None:
    with pytest.raises(kind) as caught:
        Position.parse(text)
    assert says in one_line(caught.value)


def read_or_refuse(text: str) -> None:
    """Either a position that comes back, or one line."""
    try:
        position = Position.parse(text)
    except InputError as error:
        one_line(error)
    else:
        check_round_trip(position)


@given(st.text())
@settings(max_examples=150, deadline=None)
def test_any_text_gives_one_line(text: str) -> None:
    read_or_refuse(text)
    read_or_refuse("yatzy~" + text)


FIELDS = st.builds(
    "".join,
    st.tuples(
        st.sampled_from(["s", "j", "u", "p", "d", "r", ""]),
        st.text(alphabet="0123456789.x-", max_size=16) | st.sampled_from([EMPTY, "." * 12, ".", "50", "x" + EMPTY]),
    ),
)


@given(st.sampled_from(PRESETS), st.lists(FIELDS, max_size=5))
@settings(max_examples=300, deadline=None)
def test_any_fields_give_a_position_or_one_line(id: str, fields: list[str]) -> None:
    read_or_refuse("~".join([id, *fields]))


@given(
    st.sampled_from(
        [
            "yatzy~s3..9............~d13356~r2",
            "yahtzee~s...20.25.30......50.~j2~d44~r1",
            "yahtzee~sx...........50.x~u3~p175~d12345~r0",
            "two-yatzy~s2.~s.4~d2~r1",
            "yatzy-forced-order~s3.4.............~s3..............",
        ]
    ),
    st.lists(st.tuples(st.integers(0, 60), st.integers(0, 3), st.sampled_from("0123456789.~xsjupdr-ä\n")), max_size=3),
)
@settings(max_examples=300, deadline=None)
def test_a_position_broken_at_random_gives_a_position_or_one_line(
    text: str, changes: list[tuple[int, int, str]]
) -> None:
    for at, cut, letter in changes:
        text = text[:at] + letter + text[at + cut :]
    read_or_refuse(text)


@given(st.text(max_size=12) | st.text(alphabet="0123456789-., ", max_size=8))
@settings(max_examples=200, deadline=None)
def test_any_text_is_a_move_or_gets_one_line(text: str) -> None:
    for game in (YATZY, TWELVE):
        try:
            move = game.parse_move(text)
        except InputError as error:
            one_line(error)
        else:
            assert game.parse_move(str(move)) == move


def test_play_goes_on_from_a_sheet_with_unknown_points() -> None:
    game = load_preset("yatzy")
    start = Position((Sheet.of_sums(game, ["fours", "fives"], upper=20),), (6, 6, 6, 6, 6), 0)
    after = start.play(Score("yatzy"))
    assert after.sheet.points == 50
    assert not after.sheet.points_known
    assert str(after).endswith("~u20~m50")
    assert Position.parse(str(after)) == after


def test_points_made_on_an_empty_sheet() -> None:
    start = Position.parse("yahtzee~s............")
    assert Position.parse("yahtzee~s............~m0") == start
    assert Position.parse("yahtzee~s............~u0~m0") == start
    with pytest.raises(NotationError, match="m5 on an empty sheet"):
        Position.parse("yahtzee~s............~m5")


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(sorted(PRESETS)), st.integers(0, 2**40), st.integers(0, 200), st.sampled_from("pmu"), st.data())
def test_sums_are_read_back(id: str, mask: int, upper: int, known: str, data: st.DataObject) -> None:
    game = load_preset(id)
    boxes = ["x" if mask >> place & 1 else "" for place in range(len(game.categories))]
    if game.joker_box is not None and boxes[game.joker_box]:
        boxes[game.joker_box] = data.draw(st.sampled_from(["0", str(game.categories[game.joker_box].fixed_points)]))
    points = data.draw(st.integers(0, 500))
    text = f"{id}~s{'.'.join(boxes)}~u{upper}" + ("" if known == "u" else f"~{known}{points}")
    try:
        position = Position.parse(text)
    except InputError:
        return  # sums that no sheet has
    written = str(position)
    assert Position.parse(written) == position
    assert str(Position.parse(written)) == written
