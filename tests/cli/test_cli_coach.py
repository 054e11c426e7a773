"""The commands of the coach from outside: outlook, why and quiz, and one clear line for wrong input."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from helpers.command import START, answer, refusal, yatzy
from helpers.played_records import played_record

from yatzy import Position, Record, advise, load_game
from yatzy.coach.quizzes.results import read_results
from yatzy.coach.quizzes.sources import costliest_mistakes
from yatzy.coach.reviews.review import review
from yatzy.coach.selected_moves import BEST_FEW
from yatzy.solver import solve
from yatzy.strategies.softened import SoftenedStrategy

YACHT = ("--game", "yacht")
FULL = "yacht~s...........~d55566~r0"
ROLLED = "two-yatzy~d12~r1"
TWO = "two-yatzy~s.~s.~d12~r0"


@pytest.fixture(autouse=True, scope="module")
def solved_before(tables: Path) -> None:
    """So that no refusal has a line about solving above it."""
    for id in ("yacht", "two-yatzy"):
        solve(load_game(id))


@pytest.fixture(autouse=True)
def games_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of answers for each test."""
    monkeypatch.setenv("YATZY_GAMES", str(tmp_path / "games"))
    return tmp_path / "games"


def test_advise_tells_the_class_of_every_move() -> None:
    position = Position.parse(FULL)
    known = advise(solve(position.game), position)
    told = answer("advise", FULL)
    assert [move["grade"] for move in told["moves"]] == [entry.grade.value for entry in known.moves]
    assert told["outlook"] is None
    shown = yatzy("advise", FULL).stdout
    assert "★  best" in shown
    assert "?? blunder" in shown
    assert "bäst" in yatzy("advise", FULL, "--language", "sv").stdout


def test_advise_shows_the_outlook() -> None:
    told = answer("advise", FULL, "--outlook", "--top", "1")["outlook"]
    assert told["exact"]
    assert told["bonus"] is None
    assert set(told["categories"]) == set(load_game("yacht").category_index)
    assert told["low"] < told["mean"] < told["high"]
    assert told["mean"] == pytest.approx(answer("advise", FULL)["value"])
    shown = yatzy("advise", FULL, "--outlook").stdout
    assert f"Final score {told['mean']:.1f} on average, {told['low']} to {told['high']} in the middle 80 %" in shown
    assert "this turn" in shown


def test_advise_shows_and_draws_selected_moves(tmp_path: Path) -> None:
    figure = tmp_path / "moves.svg"
    told = answer("advise", ROLLED, "--moves", "keep 2, twos,2", "--plot", figure)["selected_moves"]
    assert figure.read_bytes().startswith(b"<?xml")
    assert [one["move"] for one in told["moves"]] == ["2", "twos"]
    assert told["moves"][0]["keep"] == [2]
    assert told["moves"][1]["category"] == "twos"
    values = {one["move"]: one["value"] for one in answer("advise", ROLLED)["moves"]}
    assert told["moves"][0]["mean"] == pytest.approx(values["2"])
    assert told["present"]["mean"] == pytest.approx(max(values.values()))
    for one in (told["present"], *told["moves"]):
        for best, played_on in zip(one["best"], one["played_on"], strict=False):
            assert best >= played_on - 1e-6
    shown = yatzy("advise", ROLLED, "--moves", "keep 2,twos").stdout
    assert "now, before the move" in shown
    assert "keep 2 " in shown
    assert "Twos 2 " in shown
    assert "före draget" in yatzy("advise", ROLLED, "--moves", "2", "--language", "sv").stdout


def test_advise_draws_the_best_few_unless_told(tmp_path: Path) -> None:
    figure = tmp_path / "moves.png"
    told = answer("advise", ROLLED, "--objective", "target:5", "--plot", figure)
    assert figure.read_bytes().startswith(b"\x89PNG")
    best = [one["move"] for one in told["moves"][:BEST_FEW]]
    assert [one["move"] for one in told["selected_moves"]["moves"]] == best
    assert "selected_moves" not in answer("advise", ROLLED)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--moves", "keep 11"], "11 cannot be kept"),
        (["--moves", "2,threes"], "no category 'threes'"),
        (["--moves", ""], "no category ''"),
        (["--moves", "1,2,12,-,ones,twos"], "from 1 to 5 moves can be compared, not 6"),
        (["--plot", "moves.gif"], "a figure is written as .svg, .png, .pdf"),
    ],
)
def test_advise_refuses_what_cannot_be_selected(arguments: list[str], says: str, tmp_path: Path) -> None:
    assert says in refusal("advise", ROLLED, *arguments, "--tables", tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_explain_compares_two_moves() -> None:
    told = answer("explain", FULL, "--move", "fives", "--against", "choice")
    moves = {told["preferred"]["move"], told["other"]["move"]}
    assert moves == {"fives", "choice"}
    assert told["difference"] == pytest.approx(told["preferred"]["value"] - told["other"]["value"])
    assert told["points"]["all"] == pytest.approx(told["difference"], abs=1e-4)
    assert sum(told["points"]["categories"].values()) == pytest.approx(told["difference"], abs=1e-4)
    assert len(told["sentences"]) == 2
    assert told["notes"] == []
    shown = yatzy("explain", FULL, "--move", "fives", "--against", "choice").stdout
    for sentence in told["sentences"]:
        assert sentence in shown
    assert "Final score" in shown
    assert FULL in shown
    assert answer("explain", FULL, "--move", "choice=0")["other"]["move"] == "choice=0"
    swedish = answer("explain", FULL, "--language", "sv")
    assert swedish["sentences"][0].startswith("Att ta ")


def test_explain_for_another_objective_says_what_is_whose() -> None:
    told = answer("explain", FULL, "--objective", "target:180")
    assert told["unit"] == "chance"
    assert 0 < told["preferred"]["value"] < 1
    assert told["preferred"]["outlook"]["objective"] == "expected"
    assert "at least 180 points" in told["notes"][0]
    match = answer("explain", TWO, "--objective", "match:emp:1")
    assert match["objective"] == "match:emp:1"
    by_options = answer("explain", *YACHT, "--dice", "55566", "--rolls-left", "0")
    assert by_options["position"] == FULL


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([FULL, "--move", "33"], "33 is not a move here: no roll is left; choose "),
        ([FULL, "--move", "nonsense"], "no category 'nonsense'"),
        ([FULL, "--move", "fives", "--against", "fives"], "given twice"),
        (["yacht~s...........~d55566~r1", "--move", "yacht"], "choose which of the dice 55566 to keep"),
        (["yacht~s..........."], "there is no move to explain: give --dice"),
        ([FULL, "--objective", "match:emp:1"], "a match needs at least two players"),
        ([FULL, "--objective", "most"], "there is no objective 'most'"),
        ([FULL, "--dice", "12345"], "not both"),
        ([FULL, "--language", "fr"], "--language fr"),
        (["two-yatzy~s1.~d12~r0"], "twos is the only move here"),
        ([FULL, "--move", "fives=0", "--against", "fives=0"], "given twice"),
        ([FULL, "--move", "ones=0", "--against", "ones"], "given twice"),
    ],
)
def test_explain_refuses(arguments: list[str], says: str) -> None:
    assert says in refusal("explain", *arguments)


def test_explain_refuses_before_it_solves(tmp_path: Path) -> None:
    assert "33 is not a move here" in refusal("explain", FULL, "--move", "33", "--tables", tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_quiz_from_a_script_and_its_results() -> None:
    told = answer("quiz", *YACHT, "--seed", "5", "--questions", "3", "--answers", "-")
    assert (told["asked"], told["answered"]) == (3, 1)
    best = [question["best"] for question in told["questions"]]
    right = answer("quiz", *YACHT, "--seed", "5", "--questions", "3", "--answers", ",".join(best))
    assert right["counts"] == {"best": 3, "good": 0, "inaccuracy": 0, "mistake": 0, "blunder": 0}
    assert right["mean_loss"] == 0
    for question in right["questions"]:
        position = Position.parse(question["position"])
        known = advise(solve(position.game), position)
        assert question["answer"]["value"] == known.of(position.game.parse_move(question["answer"]["move"])).value
    kept = answer("quiz", "--results")["quizzes"]
    assert [quiz["answered"] for quiz in kept] == [1, 3]
    shown = yatzy("quiz", "--results").stdout
    assert "1/3" in shown
    assert "3/3" in shown


def test_results_before_the_first_quiz() -> None:
    assert "No quiz has been answered yet." in yatzy("quiz", "--results").stdout
    assert answer("quiz", "--results") == {"quizzes": [], "unreadable": 0}


def test_a_quiz_with_a_person() -> None:
    arguments = (*YACHT, "--seed", "5", "--questions", "2")
    best = [question["best"] for question in answer("quiz", *arguments, "--answers", "-")["questions"]]
    done = yatzy("quiz", *arguments, input=f"?\nnonsense\n99\n-\n{best[1]}\n")
    assert done.returncode == 0, done.stderr
    assert "Question 1 of 2" in done.stdout
    assert "Question 2 of 2" in done.stdout
    assert "no category 'nonsense'" in done.stdout
    assert "Answer with the dice to keep" in done.stdout
    assert "★ best" in done.stdout
    assert "2 of 2 answered, mean loss" in done.stdout
    assert [len(quiz.answers) for quiz in read_results().quizzes] == [1, 2]


@pytest.mark.parametrize(
    ("language", "says"),
    [
        ("sv", ("666 kan inte behållas av 11346", "har ingen kategori 'nonsense'", "skriv vad du behåller")),
        (
            "de",
            ("lässt sich 666 nicht behalten", "hat keine Kategorie 'nonsense'", "gib an, was du behältst"),
        ),
    ],
)
def test_a_wrong_answer_is_refused_in_the_language_of_the_quiz(language: str, says: tuple[str, ...]) -> None:
    arguments = (*YACHT, "--seed", "5", "--questions", "1", "--language", language)
    shown = yatzy("quiz", *arguments, input="666\nnonsense\nchoice\nq\n").stdout
    assert all(one in shown for one in says), shown


@pytest.mark.parametrize("leave", ["q\n", ""])
def test_whoever_leaves_keeps_what_was_answered(leave: str) -> None:
    done = yatzy("quiz", *YACHT, "--seed", "5", "--questions", "4", "--language", "sv", input=f"-\n{leave}")
    assert done.returncode == 0
    assert "1 av 4 besvarade" in done.stdout
    (kept,) = read_results().quizzes
    assert (kept.summary.asked, kept.summary.answered) == (4, 1)


def test_ctrl_c_keeps_what_was_answered() -> None:
    answer("advise", FULL, "--outlook")  # so that its tables are there
    command = [sys.executable, "-c", START, "quiz", *YACHT, "--seed", "5"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b"-\n")
        process.stdin.flush()
        shown = b""
        while shown.count(b"Your move (? help): ") < 2:  # until it waits for the second answer
            shown += (more := os.read(process.stdout.fileno(), 10_000))
            assert more, shown
        process.send_signal(signal.SIGINT)
        out, error = process.communicate(timeout=300)
    assert process.returncode == 0, error
    assert b"1 of 10 answered" in out
    assert b"Traceback" not in error
    assert len(read_results().quizzes[0].answers) == 1


def test_a_quiz_from_records(tmp_path: Path) -> None:
    solution = solve(load_game("yacht"))
    record = played_record(SoftenedStrategy(solution, 0.3), 3, players=2)
    path = tmp_path / "evening.yatzy"
    path.write_text(str(record), encoding="utf-8")
    reviewed = review(record, solution).players[1]
    wrong = sorted((one for one in reviewed.decisions if one.grade.rank > 1), key=lambda one: -one.loss)
    told = answer(
        "quiz", "--mistakes", path, "--player", "bo", "--answers", "-" if wrong[0].position.rolls_left else "ones"
    )
    assert told["asked"] == len(wrong)
    assert [question["origin"]["turn"] for question in told["questions"]] == [one.turn for one in wrong]
    other = tmp_path / "other.yatzy"
    other.write_text(str(played_record(SoftenedStrategy(solution, 0.3), 4, players=2)), encoding="utf-8")
    both = ("--mistakes", path, "--mistakes", other)
    all_wrong = costliest_mistakes(solution, [(str(one), Record.parse(one.read_text())) for one in (path, other)], "Bo")
    losses = [question.advice.of(question.played).loss for question in all_wrong if question.played is not None]
    assert len(losses) > len(wrong)
    assert losses == sorted(losses, reverse=True)
    assert {question.origin.record for question in all_wrong} == {str(path), str(other)}
    assert f"Question 1 of {len(losses)}" in yatzy("quiz", *both, "--player", "Bo", input="q\n").stdout
    assert "no player 'Eve' in these records" in refusal("quiz", *both, "--player", "Eve", "--answers", "-")
    asked = answer("quiz", "--from", path, "--player", "Ann", "--questions", "2", "--seed", "1", "--answers", "-")
    assert asked["asked"] == 2
    assert all(question["origin"]["player"] == "Ann" for question in asked["questions"])
    done = yatzy("quiz", "--mistakes", path, "--player", "Bo", input="q\n")
    assert "Bo, turn" in done.stdout
    assert "whose mistakes? give --player with one of Ann, Bo" in refusal("quiz", "--mistakes", path, "--answers", "-")
    assert "no player 'Eve'" in refusal("quiz", "--from", path, "--player", "Eve", "--answers", "-")
    assert "but --game is yatzy" in refusal("quiz", "--game", "yatzy", "--from", path, "--answers", "-")
    perfect = tmp_path / "perfect.yatzy"
    perfect.write_text("game: yacht\nplayer: Ann\n\n1 Ann: 55555 yacht\n", encoding="utf-8")
    assert "Ann made no inaccuracy" in refusal("quiz", "--mistakes", perfect)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--json"], "--json needs --answers or --results"),
        (["--player", "Ann"], "--player needs --from or --mistakes"),
        (["--from", "a", "--mistakes", "b"], "either --from or --mistakes"),
        (["--from", "nowhere.yatzy", "--answers", "-"], "nowhere.yatzy: cannot be read"),
        ([*YACHT, "--seed", "1", "--questions", "2", "--answers", "-,-,-"], "3 answers, but there are 2 questions"),
        ([*YACHT, "--seed", "1", "--questions", "2", "--answers", "-,"], "an answer is empty"),
        ([*YACHT, "--seed", "1", "--answers", "nonsense"], "--answers: question 1: yacht has no category 'nonsense'"),
        ([*YACHT, "--objective", "most", "--answers", "-"], "there is no objective 'most'"),
        (["--game", "nonsense", "--answers", "-"], "nonsense"),
        (["--questions", "0"], "--questions"),
        (["--seed", "-1"], "--seed"),
    ],
)
def test_quiz_refuses(arguments: list[str], says: str, games_folder: Path) -> None:
    assert says in refusal("quiz", *arguments)
    assert not games_folder.exists()  # nothing was kept


def test_json_of_the_quiz_is_json() -> None:
    done = yatzy("quiz", *YACHT, "--seed", "2", "--questions", "1", "--answers", "-", "--json")
    assert isinstance(json.loads(done.stdout), dict)
