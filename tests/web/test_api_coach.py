"""What the coach says over HTTP: explanations, outlooks and reviews are the library's, and bounded."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from helpers.plain import plain
from helpers.played_records import played_record

from yatzy.coach.explain import explain
from yatzy.coach.reviews.review import review
from yatzy.coach.selected_moves import BEST_FEW, select_moves
from yatzy.evaluation.outlook import Outlooks
from yatzy.games import Keep, Player, Position, Record, Score, Turn, load_preset
from yatzy.model.described import MOST_CATEGORIES
from yatzy.report.answers.explanations import explanation_answer
from yatzy.report.answers.outlooks import outlook_answer
from yatzy.report.answers.reviews import review_answer
from yatzy.report.answers.selected_moves import selected_moves_answer
from yatzy.solver import Solver, parse_strategy
from yatzy.values.curves import BestChances
from yatzy.values.expected import ExpectedScore
from yatzy.web import limits

if TYPE_CHECKING:
    from web.conftest import Running

Solve = Callable[[str], ExpectedScore]
FIRST_ROLL = "yacht~d13356~r2"
MANY = "\n".join(f'[[categories]]\nid = "c{number}"\npattern = "chance"' for number in range(MOST_CATEGORIES + 1))


@pytest.fixture(scope="module")
def yacht(solved: Solve, outlooks: Callable[[str], Outlooks]) -> ExpectedScore:
    """Yacht with its outlooks, which take no time."""
    outlooks("yacht")
    return solved("yacht")


def erring_record(game: str, players: int = 1) -> Record:
    """A game of people who make mistakes."""
    return played_record(parse_strategy("softened:0.5", load_preset(game), Solver()), 3, 0, players)


def test_a_review_is_the_librarys(web: Running, yacht: ExpectedScore) -> None:
    record = erring_record("yacht", 2)
    found = web.answer("review", record=str(record))
    assert found == plain(review_answer(review(record, yacht)))
    for one, score in zip(found["players"], record.scores, strict=True):
        assert one["final"] == score
        assert one["start"] + one["luck"] - one["error"] == pytest.approx(score)
        assert one["error"] > 0
        assert one["error"] == pytest.approx(sum(wrong["loss"] for wrong in one["errors"]))
    alone = web.answer("review", record=str(record), player="bo")
    assert alone["players"] == found["players"][1:]


def test_a_review_for_a_match_and_for_a_target(web: Running) -> None:
    record = erring_record("two-yatzy", 2)
    text = str(record)
    search = Solver().search(record.game, "match:emp:1", "win")
    found = web.answer("review", record=text, objective="match:emp:1", payoff="win")
    assert found == plain(review_answer(review(record, search)))
    target = web.answer("review", record=text, objective="target:6")
    assert (target["unit"], target["sides"]) == ("chance", "own")
    assert [one["final"] for one in target["players"]] == [float(score >= 6) for score in record.scores]


def test_a_record_that_tells_little_is_said_to(web: Running, yacht: ExpectedScore) -> None:
    known = erring_record("yacht")
    turns = tuple(Turn((), (), turn.score, points=turn.points) for turn in known.turns)
    found = web.answer("review", record=str(Record(known.game, (Player("Ann"),), turns)))
    (one,) = found["players"]
    assert {turn["known"] for turn in one["turns"]} == {"points"}
    assert one["error"] == 0
    assert one["start"] + one["mixed"] == pytest.approx(known.scores[0])


def test_an_explanation_is_the_librarys(
    web: Running, yacht: ExpectedScore, outlooks: Callable[[str], Outlooks]
) -> None:
    where = Position.start(yacht.game).roll((1, 3, 3, 5, 6))
    found = web.answer("explain", position=FIRST_ROLL, move="33", against="13356", language="sv")
    here = explain(yacht, outlooks("yacht"), where, Keep((3, 3)), Keep(where.dice))
    assert found == plain(explanation_answer(here, "sv"))
    assert found["points"]["all"] == pytest.approx(found["difference"], abs=1e-4)
    assert "behålla" in found["sentences"][0]
    default = web.answer("explain", position=FIRST_ROLL)
    best = web.answer("advise", position=FIRST_ROLL)["moves"]
    assert [default["preferred"]["move"], default["other"]["move"]] == [best[0]["move"], best[1]["move"]]


def test_an_outlook_is_the_librarys(web: Running, yacht: ExpectedScore, outlooks: Callable[[str], Outlooks]) -> None:
    where = Position.start(yacht.game, 2).roll((1, 3, 3, 5, 6))
    text = str(where)
    found = web.answer("outlook", position=text)
    here = outlooks("yacht").at(where)
    assert found == plain(outlook_answer(where, here, ()))
    assert found["mass"] == here.score.mass.tolist()
    assert found["mean"] == pytest.approx(yacht.value(where), abs=1e-3)
    other = web.answer("outlook", position=text, player=2)
    assert other["mean"] == pytest.approx(yacht.value(Position.start(yacht.game)), abs=1e-3)
    after = web.answer("outlook", position=text, move="choice")
    assert after["mean"] == pytest.approx(outlooks("yacht").after(where, Score("choice")).mean)


def test_selected_moves_are_the_librarys(
    web: Running, chances: Callable[[str], BestChances], outlooks: Callable[[str], Outlooks]
) -> None:
    where = Position.parse("two-yatzy~s.~s.~d12~r1")
    moves = (Keep((2,)), Score("twos"))
    here = select_moves(chances("two-yatzy"), outlooks("two-yatzy"), where, moves)
    found = web.answer("selected-moves", position=str(where), moves=["keep 2", "twos"])
    assert found == plain(selected_moves_answer(here, ()))
    assert [one["move"] for one in found["moves"]] == ["2", "twos"]
    assert found["moves"][0]["best"] == here.moves[0].best.tolist()
    default = web.answer("selected-moves", position=str(where), objective="target:5")
    best = web.answer("advise", position=str(where), objectives=["target:5"])["moves"]
    assert [one["move"] for one in default["moves"]] == [one["move"] for one in best[:BEST_FEW]]


@pytest.mark.parametrize(
    ("path", "fields", "status", "said"),
    [
        ("review", {"record": "game: ludo"}, 422, "ludo"),
        ("review", {"record": "1: 11111 (1) sevens"}, 422, "line 1"),
        ("review", {"record": "x" * (limits.RECORD + 1)}, 422, "record"),
        ("review", {"record": "game: yatzy\n" + "player: x\n" * 5}, 422, "called x"),
        ("review", {"record": "game: two-yatzy\nplayer: Ann", "player": "Bo"}, 422, "there are Ann"),
        ("review", {"record": "game: two-yatzy\nplayer: Ann", "objective": "match:emp:1"}, 422, "two players"),
        ("review", {"record": "game: two-yatzy\nplayer: A\nplayer: B", "objective": "match:auto"}, 422, "match:emp:1"),
        ("review", {"record": "game: two-yatzy\nplayer: A\nplayer: B", "objective": "match:emp:2"}, 422, "at most"),
        ("review", {"record": "game: two-yatzy", "objective": "utility:/etc/passwd"}, 403, "file"),
        ("review", {"record": "game: two-yatzy\n" + "".join(f"player: P{n}\n" for n in range(9))}, 422, "8 players"),
        ("explain", {"position": "yacht"}, 422, "no move to explain"),
        ("explain", {"position": FIRST_ROLL, "move": "44"}, 422, "44"),
        ("explain", {"position": FIRST_ROLL, "move": "33", "against": "33"}, 422, "twice"),
        ("explain", {"position": FIRST_ROLL, "objective": "utility:x"}, 403, "file"),
        ("explain", {"position": FIRST_ROLL, "language": "fi"}, 422, "language"),
        ("outlook", {"position": FIRST_ROLL, "player": 2}, 422, "player"),
        ("outlook", {"position": FIRST_ROLL, "player": 1, "move": "33"}, 422, "not both"),
        ("outlook", {"position": FIRST_ROLL, "move": "sevens"}, 422, "sevens"),
        ("selected-moves", {"position": FIRST_ROLL, "moves": ["sevens"]}, 422, "sevens"),
        ("selected-moves", {"position": FIRST_ROLL, "moves": ["33", "44"]}, 422, "44 cannot be kept"),
        ("selected-moves", {"position": FIRST_ROLL, "moves": ["33"] * 6}, 422, "moves"),
        ("selected-moves", {"position": FIRST_ROLL, "moves": ["33"], "objective": "most"}, 422, "most"),
        ("selected-moves", {"position": FIRST_ROLL, "objective": "utility:x"}, 403, "file"),
        ("selected-moves", {"position": "yacht"}, 422, "no move to choose"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_in_one_line(
    web: Running, yacht: ExpectedScore, path: str, fields: dict[str, Any], status: int, said: str
) -> None:
    answer, line = web.refusal(path, **fields)
    assert answer == status
    assert said in line


def test_a_game_inside_a_record_is_bounded(web: Running) -> None:
    rules = f'id = "giant"\nname = {{ en = "Giant" }}\ndice = 5\nfaces = 6\nrolls = 3\n{MANY}'
    record = "game: giant\n" + "".join(f"| {line}\n" for line in rules.splitlines()) + "player: Ann\n"
    _, line = web.refusal("review", record=record)
    assert f"{MOST_CATEGORIES + 1} are more than" in line
