"""Records as text: everything written is read back, and whatever is refused gets one line that says where and why."""

from __future__ import annotations

import random
import re
import textwrap
from dataclasses import replace
from pathlib import Path

import pytest
from helpers.random_records import GAMES, ONE_DIE, TWELVE, random_record
from helpers.small_games import FIXED, games
from hypothesis import given, settings
from hypothesis import strategies as st

from yatzy.errors import RecordError
from yatzy.games import Detail, Game, Keep, Player, Record, Roll, Score, Turn, load_preset
from yatzy.games.record_csv import read_csv
from yatzy.games.record_text import _KEYS, LONGEST_GAME_ID

ROOT = Path(__file__).parents[2]
YATZY = load_preset("yatzy")


def read(body: str, head: str = "game: yatzy\nplayer: Ann\nplayer: Bo") -> Record:
    return Record.parse(f"{head}\n\n{body}")


def check_round_trip(record: Record) -> None:
    text = str(record)
    back = Record.parse(text)
    assert back == record
    assert back.positions == record.positions
    assert back.position == record.position
    assert str(back) == text


# ---------------------------------------------------------------- there and back


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_random_games_come_back(game: Game) -> None:
    rng = random.Random(game.id)
    for _ in range(30):
        check_round_trip(random_record(game, rng))


@given(st.sampled_from(GAMES), st.randoms(use_true_random=False))
@settings(max_examples=150, deadline=None)
def test_any_game_comes_back(game: Game, rng: random.Random) -> None:
    check_round_trip(random_record(game, rng))


@given(games(), st.randoms(use_true_random=False))
@settings(max_examples=100, deadline=None)
def test_games_of_ones_own_come_back(game: Game, rng: random.Random) -> None:
    check_round_trip(random_record(game, rng))


def test_random_records_are_of_all_kinds() -> None:
    rng = random.Random(1)
    records = [random_record(rng.choice(GAMES), rng) for _ in range(400)]
    turns = [turn for record in records for turn in record.turns]
    assert {turn.detail for turn in turns} == set(Detail)
    assert any(turn.score and turn.score.strike for turn in turns)
    assert any(turn.joker_bonus for turn in turns)
    assert any(turn.score is None for turn in turns)
    assert any(record.start and not record.start.between_turns for record in records)
    assert any(isinstance(step, Roll) for record in records for step in record.undone)
    assert {record.over for record in records} == {record.order_known for record in records} == {True, False}
    assert max(len(record.players) for record in records) == 3


EXAMPLE = """\
game: yatzy
date: 2026-11-15
player: Ann
player: Bo [softened:1]

1 Ann: 11455 (55) 55556 (5555) 15555 fives 20
1 Bo: 23456 (23456) large-straight 20
2 Ann: 14445 fours 12
2 Bo: fives 20
3 Ann: 11455 (55)
"""


def test_the_example_is_canonical() -> None:
    record = Record.parse(EXAMPLE)
    assert str(record) == EXAMPLE
    assert [turn.detail for turn in record.turns] == [*[Detail.FULL] * 2, Detail.DICE, Detail.POINTS, Detail.FULL]
    assert record.scores == (32, 40)
    assert record.players == (Player("Ann"), Player("Bo", "softened:1"))


@pytest.mark.parametrize(
    "text",
    [
        "\ufeff" + EXAMPLE,
        EXAMPLE.replace("\n", "\r\n"),
        EXAMPLE.replace("\n", " \t\n"),
        EXAMPLE.replace("\n", "\n\n# a comment: of mine\n"),
        EXAMPLE.replace("game:", "Game :").replace("date", "DATE"),
        EXAMPLE.replace(" ", "  ").replace("  55", "\t55"),
        EXAMPLE.replace("(23456)", "(all)"),
        EXAMPLE.replace("55556 (5555)", "65555 (5 5 5 5)"),
        EXAMPLE.replace("1 Ann: ", "").replace("2 Bo:", "Bo:").replace("2 Ann:", "2:").replace("1 Bo:", "1 bo:"),
        EXAMPLE.replace("fives 20", "Fives 20   # at last: five"),
        EXAMPLE.replace("15555 fives 20", "15555 femmor").replace("large-straight 20", "Large  Straight"),
        EXAMPLE.replace("fours 12", "fours 12 +0"),
        EXAMPLE.replace("date", "order: known\ndate"),
        EXAMPLE.replace("date", f"rules: {YATZY.hash[:12].upper()}\ndate"),
    ],
)
def test_the_same_record_written_otherwise(text: str) -> None:
    assert Record.parse(text) == Record.parse(EXAMPLE)


def test_names_of_several_words() -> None:
    record = read("Ann: 44446 four of a kind 16\n1 Bo: 11122 Full House\nAnn: 11122 Kåk\n2 Bo: 44446 one pair=0")
    assert [turn.score for turn in record.turns] == [
        Score("four-of-a-kind"),
        Score("full-house"),
        Score("full-house"),
        Score("one-pair", strike=True),
    ]
    text = str(Record(TWELVE, (Player("Ann"),)))
    turns = Record.parse(text + "1: 3-10-12-10 (10-10) 10-10-10-1 (all) 3 of a kind 30\n").turns
    assert turns[0].rolls == ((3, 10, 10, 12), (1, 10, 10, 10))
    assert turns[0].score == Score("3-of-a-kind")


def test_a_record_without_names() -> None:
    record = Record.parse("game: yacht\n11456 ones\n12345 (2) 22333 (22333) twos 4")
    assert record.players == (Player("Player"),)
    assert str(record).endswith("\n\n1: 11456 ones 2\n2: 12345 (2) 22333 (22333) twos 4\n")


def test_no_dice_kept() -> None:
    for keep in ("(-)", "()", "( )"):
        assert read(f"11456 {keep} 23456 (all) chance").turns[0].keeps == ((), (2, 3, 4, 5, 6))


def test_all_dice_kept_until_the_end_is_a_stop() -> None:
    long, short = read("23456 (23456) 23456 (23456) 23456 chance"), read("23456 (23456) chance")
    assert long == short


def test_a_sheet_copied_player_by_player() -> None:
    head = "game: yatzy\norder: unknown\nplayer: Ann\nplayer: Bo"
    apart = read("Ann: ones 1\nAnn: twos 4\nAnn: yatzy 0\nBo: twos 2\nBo: yatzy 50\nBo: ones 0", head)
    assert [apart.turns[i].points for i in (0, 2, 4, 1, 3, 5)] == [1, 4, 0, 2, 50, 0]
    assert Record.parse(str(apart)) == apart
    with pytest.raises(RecordError, match=r"^record: line 7: the turn of Bo before this one is missing$"):
        read("Ann: ones 1\nAnn: twos 4", head)


def test_a_saved_game_keeps_what_was_taken_back() -> None:
    record = read("11336 (33)\nundone: 13336 (333) 33336 threes 11455 (55)")
    assert record.undone == (
        Roll((1, 3, 3, 3, 6)),
        Keep((3, 3, 3)),
        Roll((3, 3, 3, 3, 6)),
        Score("threes"),
        Roll((1, 1, 4, 5, 5)),
        Keep((5, 5)),
    )
    assert str(record).endswith("\n1 Ann: 11336 (33)\n\nundone: 13336 (333) 33336 threes 11455 (55)\n")
    assert read("undone: 11455 (11455) (11455) four of a kind=0").undone[-1] == Score("four-of-a-kind", strike=True)


# ---------------------------------------------------------------- games written into the record


def test_own_games_are_written_into_the_record() -> None:
    record = Record(FIXED[0], (Player("Ann"),))
    text = str(record)
    assert text.startswith('game: one-roll\n| id = "one-roll"\n')
    assert Record.parse(text) == record
    with pytest.raises(RecordError, match="line 1: there is no game 'one-roll'"):
        Record.parse("game: one-roll")
    assert Record.parse("game: one-roll", FIXED[0]) == replace(record, players=(Player("Player"),))


def test_a_game_with_the_id_of_a_preset_is_written_into_the_record() -> None:
    house = replace(YATZY, rolls=4)
    assert Record.parse(str(Record(house, (Player("Ann"),)))).game == house


# ---------------------------------------------------------------- what is refused

REFUSED: list[tuple[str, str]] = [
    ("11455 (66)", "line 5: turn 1 of Ann: 66 cannot be kept from 11455"),
    ("11455 (55) 11456", "line 5: turn 1 of Ann: the roll 11456 does not contain the kept 55"),
    ("11455 (55) 55556 (5555) 15555 (1)", "line 5: turn 1 of Ann: dice can be kept only after a roll and with rolls"),
    ("11455 (55) 55556 fives 20", "line 5: turn 1 of Ann: 1 roll was left; what was kept is missing, such as (55556)"),
    ("11455 (55) fives 20", "line 5: turn 1 of Ann: 55 was kept, so another roll comes before the category"),
    ("11455 55556 fives 20", "line 5: what was kept of 11455 is missing; write it in parentheses"),
    ("(55) 55556 fives 20", "line 5: (55) is kept, but no roll comes before it"),
    ("11455 (55) (5) 55556", "line 5: (5) is kept, but no roll comes before it"),
    ("11455 (55 fives", "line 5: ( is not what was kept; write the dice in parentheses, (-) for none"),
    ("11455 (fives) fives", "line 5: (fives) is not what was kept; write the dice in parentheses, (-) for none"),
    ("1145 fives", "line 5: dice: 4 given, but yatzy is played with 5"),
    ("11457 fives", "line 5: dice: 7 is not from 1 to 6"),
    ("11455 fivs", "line 5: yatzy has no category 'fivs'; did you mean fives?"),
    ("11455 fives 15", "line 5: turn 1 of Ann: fives gets 10 for 11455, not 15"),
    ("11455 fives 0", "line 5: turn 1 of Ann: fives gets 10 for 11455, not 0; to strike it write fives=0"),
    ("11455 fives 10 +100", "line 5: turn 1 of Ann: fives with 11455 pays a bonus of +0, not +100"),
    ("11455 (55) 10", "line 5: dice: 2 given, but yatzy is played with 5"),
    ("11455 +10", "line 5: points are given, but no category"),
    ("fives", "line 5: turn 1 of Ann: fives: neither dice nor points are given"),
    ("fives 7", "line 5: turn 1 of Ann: fives cannot get 7 points here; possible: 0, 5, 10, 15, 20, 25"),
    ("fives=0 5", "line 5: turn 1 of Ann: fives is struck, so it gets 0 points, not 5"),
    ("fives " + "9" * 5000, "line 5: points: '9999"),
    ("fives ٣", "line 5: yatzy has no category 'fives ٣'"),
    ("x" * 5000, "line 5: 'xxx"),
    ("2 Ann: fives 20", "line 5: 2 Ann cannot be here: it is turn 1 of Ann"),
    ("Bo: fives 20", "line 5: Bo cannot be here: it is turn 1 of Ann"),
    ("fives 20\nAnn: fives 20", "line 6: Ann cannot be here: it is turn 1 of Bo"),
    ("99999 Ann: fives 20", "line 5: turn: '99999' is not a number of at most 4 digits"),
    ("Cid: fives 20", "line 5: 'Cid' is neither a key nor a turn; keys are game, rules, date"),
    ("resutl: 3, 4", "line 5: 'resutl' is neither a key nor a turn; did you mean result?"),
    ("11455 (55)\nfives 20", "line 5: turn 1 of Ann: only the last turn may be without a category"),
    ("fives 20\nfives 20\nfives 10", "line 7: turn 2 of Ann: fives cannot be filled here; allowed: ones, twos"),
    (
        "15555 fives\nfives 20\n15555 fives",
        "line 7: turn 2 of Ann: fives cannot be filled with 15555 here; allowed: on",
    ),
    ("fives 20\nplayer: Cid", "line 6: player: belongs before the first turn"),
    ("result: 3, 4", "line 5: result: the game is not over; turns are missing: 30"),
    ("date: 2026-11-15\ndate: 2026-11-15", "line 6: date: is given twice; it may be given once"),
    ("date: 2026-13-15", "line 5: date: '2026-13-15' is not a day such as 2026-11-15"),
    ("date: 20261115", "line 5: date: '20261115' is not a day such as 2026-11-15"),
    ("seed: -1", "line 5: seed: '-1' is not a number of at most 39 digits"),
    ("seed: " + "9" * 39, "seed: must be a whole number from 0, of at most 128 bits"),
    ("order: some", "line 5: order: 'some' is neither known nor unknown"),
    ("rules: 0123", "line 5: rules: '0123' are not the rules of yatzy here, which are"),
    ("| dice = 5", "line 5: a line of a game description must follow game:"),
    ("note:", "note: must be one line of from 1 to 500 letters"),
    ("note: " + "x" * 501, "note: must be one line of from 1 to 500 letters"),
    ("player: ann", "two players are called Ann; names must be different"),
    ("player: 7", "line 5: player '7': a name must not be a number"),
    ("player: Bo [expected", "line 5: player: the bracket after the name is not closed"),
    ("player: Cid []", "strategy of Cid: must be one line of from 1 to 500 letters"),
    ("player: " + "x" * 41, "line 5: player 'xxx"),
    ("\n".join(f"player: P{i}" for i in range(20)), "line 23: more than 20 players"),
    ("position: yatzy", "line 5: position: it has 1 sheets, but the players named are 2"),
    ("position: yahtzee", "line 5: position: 'yahtzee' is its game, but yatzy is played"),
    ("position: yatzy~q", "line 5: position: 'q' is not a field"),
    ("undone: (55)", "undone: step 1: dice can be kept only after a roll and with rolls left"),
    ("undone: 11455 11455", "undone: step 2: there is nothing to roll here"),
    ("undone: fives", "undone: step 1: fives cannot be filled before a roll"),
    ("undone: 11455 fivs", "line 5: yatzy has no category 'fivs'; did you mean fives?"),
    ("\n".join("ones 0" for _ in range(31)), "line 35: yatzy ends after 15 turns of each player; this is one more"),
]


@pytest.mark.parametrize(("body", "says"), REFUSED, ids=[says[:60] for _, says in REFUSED])
def test_what_breaks_the_rules_gets_one_line(body: str, says: str) -> None:
    with pytest.raises(RecordError) as caught:
        read(body)
    message = str(caught.value)
    assert message.startswith(f"record: {says}"), message
    assert len(message.splitlines()) == 1
    assert len(message) < 1200


def test_a_record_of_nothing() -> None:
    with pytest.raises(RecordError, match=r"my.txt: game: is missing"):
        Record.parse("", source="my.txt")
    with pytest.raises(RecordError, match=r"line 1: 'gmae' is neither a key nor a turn; did you mean game?"):
        Record.parse("gmae: yatzy")
    with pytest.raises(RecordError, match=r"line 2: 'plyer' is neither a key nor a turn; did you mean player?"):
        Record.parse("game: yatzy\nplyer: Ann\nplayer: Bo")
    with pytest.raises(RecordError, match="letters are too long for one game"):
        Record.parse("#" * 5_000_000)
    with pytest.raises(RecordError, match=r"line 1: there is no game 'yatzi'; did you mean yatzy?"):
        Record.parse("game: yatzi")


@pytest.mark.parametrize(("letters", "shown"), [(60, "x" * 60), (61, "x" * 59 + "…")])
def test_errors_quote_sixty_letters(letters: int, shown: str) -> None:
    with pytest.raises(RecordError, match=f"rules: '{shown}' are not the rules"):
        Record.parse(f"game: yatzy\nrules: {'x' * letters}\nplayer: Ann")


def test_embedded_games_that_are_none() -> None:
    with pytest.raises(RecordError, match="line 1: game: 'mine' is named, but 'one-roll' is described"):
        Record.parse(str(Record(FIXED[0], (Player("Ann"),))).replace("game: one-roll", "game: mine"))
    with pytest.raises(RecordError, match="line 1: game: not TOML"):
        Record.parse("game: mine\n| id = ")
    with pytest.raises(RecordError, match="line 1: game: its description has 70,000 letters"):
        Record.parse("game: mine\n| " + "x" * 70_000)


def test_the_result_is_checked() -> None:
    text = "game: two-yatzy\n12 ones\n22 (22) twos\nresult: {}"
    assert Record.parse(text.format(5)).over
    with pytest.raises(RecordError, match="line 4: result: 7 is written, but the turns add up to 5"):
        Record.parse(text.format(7))
    with pytest.raises(RecordError, match="line 4: result: 5, 6 is written, but the turns add up to 5"):
        Record.parse(text.format("5, 6"))


def test_what_does_not_print_is_escaped() -> None:
    with pytest.raises(RecordError, match=r"line 5: \(x\\u200b\) is not what was kept"):
        read("11455 (x\u200b)")


def test_a_forced_order_is_kept() -> None:
    assert Record.parse("game: yatzy-forced-order\n11222 (all) ones").scores == (2,)
    with pytest.raises(RecordError, match="twos cannot be filled with 11222 here; allowed: ones"):
        Record.parse("game: yatzy-forced-order\n11222 (all) twos")


def test_jokers_are_written_and_checked() -> None:
    text = "game: yahtzee\n66666 yahtzee\n66666 sixes 30 +100\n"
    record = Record.parse(text)
    assert str(record).endswith("\n1: 66666 yahtzee 50\n2: 66666 sixes 30 +100\n")
    assert record.scores == (180,)
    with pytest.raises(RecordError, match=r"sixes with 66666 pays a bonus of \+100, not \+0"):
        Record.parse(text.replace("+100", "+0"))
    with pytest.raises(RecordError, match=r"line 3: .* ones cannot be filled with 66666 here; allowed: sixes"):
        Record.parse(text.replace("sixes 30 +100", "ones"))
    assert Record.parse("game: yahtzee\nyahtzee 50\nsixes 30 +100\n").scores == (180,)
    with pytest.raises(RecordError, match=r"sixes with 24 points cannot pay a bonus of \+100 here; possible: \+0"):
        Record.parse("game: yahtzee\nyahtzee 50\nsixes 24 +100\n")


def test_a_game_taken_up_within_a_turn() -> None:
    head = "game: yatzy\nposition: yatzy~d13356~r0"
    assert read("13356 chance", head).scores == (18,)
    assert read("chance 18", head).scores == (18,)
    assert read("chance=0", head).scores == (0,)
    with pytest.raises(RecordError, match="chance cannot get 17 points here; possible: 0, 18"):
        read("chance 17", head)
    with pytest.raises(RecordError, match="13356 are on the table, so 13366 cannot follow"):
        read("13366 chance", head)
    kept = "game: yatzy\nposition: yatzy~d66~r1"
    with pytest.raises(RecordError, match="sixes cannot get 6 points here; possible: 0, 12, 18, 24, 30"):
        read("sixes 6", kept)
    with pytest.raises(RecordError, match="the roll 12345 does not contain the kept 66"):
        read("12345 chance", kept)
    free = kept.replace("r1", "r2")
    assert read("12345 chance", free).scores == read("chance 15", free).scores == (15,)


def test_one_die_of_two_digits() -> None:
    record = Record(ONE_DIE, (Player("Ann"),), (Turn(((12,),), ((),)),), undone=(Roll((3,)), Score("chance")))
    assert "\n1: 12- (-)\n\nundone: 3 chance\n" in str(record)
    check_round_trip(record)


# ---------------------------------------------------------------- the document

DOCUMENT = (ROOT / "docs/records.md").read_text(encoding="utf-8")


def test_the_record_in_the_document_is_the_one_of_the_papers() -> None:
    (text,) = re.findall(r"```\n(.*?)```", DOCUMENT, re.DOTALL)
    assert text == (ROOT / "src/yatzy_papers/data/tillius-2026-table-6.txt").read_text(encoding="utf-8")


def test_the_python_in_the_document_runs(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", DOCUMENT, re.DOTALL)
    monkeypatch.chdir(ROOT)
    exec(compile(code, "records.md", "exec"), {})
    assert capsys.readouterr().out.splitlines() == re.findall(r"\)  # (.*)", code)


def test_the_other_examples_in_the_document_are_records() -> None:
    blocks = [textwrap.dedent(block) for block in re.findall(r"\n\n((?:    .*\n|\n)+)", DOCUMENT)]
    turns = "\n".join(line for line in blocks[0].splitlines() if "NUMBER" not in line)
    assert read(turns).scores == (70, 23)
    own = next(block for block in blocks if block.startswith("game: heads"))
    assert Record.parse(own).over
    table = next(block for block in blocks if block.startswith("game_number"))
    assert read_csv(table)[0].scores == (23, 20)
    assert set(re.findall(r"^\| `(\w+):`", DOCUMENT, re.MULTILINE)) == set(_KEYS)


def test_the_id_of_a_game_may_be_as_long_as_a_game_file_allows() -> None:
    longest = replace(YATZY, id="x" * LONGEST_GAME_ID)
    assert Record.parse(f"game: {longest.id}\nplayer: Ann\n", longest).game == longest
    with pytest.raises(RecordError, match=r"line 1: game: 'x+…?' is too long for the id of a game"):
        Record.parse(f"game: {longest.id}x\nplayer: Ann\n", longest)
