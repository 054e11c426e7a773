"""The quiz: real choices, the same from the same seed, graded like everywhere else, and kept."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from helpers.plain import plain
from helpers.played_records import played_record

from yatzy import ExpectedScore, Position, Sheet, load_game
from yatzy.coach.advice import advise
from yatzy.coach.grades import LIMITS, Grade
from yatzy.coach.play.tutor import Tutor
from yatzy.coach.quizzes.quiz import Question, Quiz
from yatzy.coach.quizzes.results import FILE, QuizKeeper, read_results
from yatzy.coach.quizzes.sources import (
    check_questions,
    costliest_mistakes,
    generated_questions,
    generated_quiz,
    is_real_choice,
    mistake_questions,
    naive_move,
    record_questions,
)
from yatzy.coach.reviews.review import review
from yatzy.errors import InputError, MoveError, RecordError
from yatzy.games import Detail, Keep, Player, Record, Score, Turn
from yatzy.report.answers.quizzes import history_answer, quiz_answer
from yatzy.report.quiz import tally, verdict
from yatzy.solver import Solver
from yatzy.strategies.softened import SoftenedStrategy
from yatzy.units import Unit

GAMES = ("yacht", "yatzy", "yahtzee", "two-yatzy")


@pytest.fixture(autouse=True)
def games_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of answers for each test."""
    monkeypatch.setenv("YATZY_GAMES", str(tmp_path))
    return tmp_path


def quiz_of(id: str, questions: int = 6, seed: int = 4, objective: str = "expected") -> Quiz:
    return generated_quiz(Solver(), load_game(id), objective, questions, seed)


def assert_real_choice(question: Question, evaluator: ExpectedScore) -> None:
    """Told from the values alone."""
    values = {entry.move: entry.value for entry in evaluator.moves(question.position)}
    assert set(values) == set(question.position.legal_moves)
    top = max(values.values())
    behind = {move: top - value for move, value in values.items() if top - value > 1e-9}
    good, inaccuracy, mistake = LIMITS[Unit.POINTS]
    gap = min(behind.values())
    assert gap <= mistake
    tempted = [behind[move] for move in (naive_move(question.position), question.played) if move in behind]
    assert good / 5 <= gap <= inaccuracy or max(tempted, default=0.0) > good


@pytest.mark.parametrize("id", GAMES)
def test_questions_are_real_choices_and_follow_from_the_seed(id: str, solved: Callable[[str], ExpectedScore]) -> None:
    solution = solved(id)
    player = SoftenedStrategy(solution, 1)
    questions = generated_questions(solution, player, 6, 4)
    assert questions == generated_questions(solution, player, 6, 4)
    assert questions != generated_questions(solution, player, 6, 5)
    assert len(questions) == 6
    assert len({question.position for question in questions}) == 6
    if id != "two-yatzy":  # which has few positions of either kind
        assert sum(question.asks_for_keep for question in questions) == 3
    for question in questions:
        assert_real_choice(question, solution)
        assert question.advice == advise(solution, question.position)
        assert question.origin.seed == 4
        assert question.origin.turn == question.position.sheet.filled.bit_count() + 1


def test_the_same_seed_gives_the_same_quiz_for_good() -> None:
    found = [str(question.position) for question in quiz_of("yacht", 4, seed=2).questions]
    assert found == [
        "yacht~s1.4.12.4.15.18...30.30..~d13366~r1",
        "yacht~s0.0.12.12.10.12.23.....~d12455~r0",
        "yacht~s.4.6.8.10....30...~d11445~r2",
        "yacht~s..6....21.24..30..~d23466~r0",
    ]


def test_a_longer_quiz_begins_like_a_shorter_one(solved: Callable[[str], ExpectedScore]) -> None:
    solution = solved("yacht")
    player = SoftenedStrategy(solution, 1)
    assert generated_questions(solution, player, 8, 1)[:3] == generated_questions(solution, player, 3, 1)


def test_what_is_plain_or_all_the_same_is_not_asked(solved: Callable[[str], ExpectedScore]) -> None:
    solution = solved("yatzy")
    plain = advise(solution, Position.parse("yatzy~s..............~d66666~r0"))
    assert not is_real_choice(solution, plain)
    straight = advise(solution, Position.parse("yatzy~s..............~d12345~r1"))
    assert not is_real_choice(solution, straight, Keep((2, 3, 4, 5)))
    close = advise(solution, Position.parse("yatzy~s..............~d13356~r2"))
    assert is_real_choice(solution, close)
    one = advise(solution, Position.parse("yatzy~s3.6.9.12.15.18.10.16.18.20.15.20.19.22.~d13356~r0"))
    assert not is_real_choice(solution, one)


def test_first_sight() -> None:
    game = load_game("yahtzee-pawlewicz")
    sheet = Sheet.start(game).fill(game.category_index["yahtzee"], 50, 0)
    assert naive_move(Position((sheet,), (6,) * 5, 0)) == Score("sixes")  # which pays the bonus, as no other box does
    assert naive_move(Position.parse("yatzy~s..............~d33556~r2")) == Keep((3, 3, 5, 5))
    assert naive_move(Position.parse("yatzy~s..............~d12346~r2")) == Keep((6,))
    assert naive_move(Position.parse("yatzy~s..............~d23456~r2")) == Keep((2, 3, 4, 5, 6))
    assert naive_move(Position.parse("yatzy~s..............~d23456~r0")) in (Score("large-straight"), Score("chance"))


@pytest.mark.parametrize(("id", "objective"), [("yacht", "expected"), ("yatzy", "expected"), ("yacht", "target:180")])
def test_quiz_tutor_and_review_grade_every_answer_alike(id: str, objective: str) -> None:
    quiz = quiz_of(id, 6, 9, objective)
    judge = Solver().evaluator(load_game(id), objective)
    tutor = Tutor(judge)
    for question in quiz.questions:
        position = question.position
        for move in position.legal_moves:
            graded = quiz.graded(move)
            assert graded == tutor.judge(position, move)
            turn = Turn((position.dice,), (move.dice,)) if isinstance(move, Keep) else Turn((position.dice,), (), move)
            record = Record(position.game, (Player("Ann"),), (turn,), start=position)
            (decision, *_) = review(record, judge).players[0].decisions
            assert (decision.position, decision.move) == (position, move)
            assert (decision.loss, decision.grade) == (graded.loss, graded.grade)
            warned = tutor.warn(position, move)
            assert (warned is not None) == (graded.grade.rank >= Grade.MISTAKE.rank)
        quiz = quiz.answered(question.advice.best.move)
    assert quiz.question is None
    assert quiz.summary.counts == (6, 0, 0, 0, 0)
    with pytest.raises(InputError, match="every question"):
        quiz.answered(Keep(()))


def test_the_summary_counts_what_was_answered() -> None:
    quiz = quiz_of("yacht", 4)
    assert quiz.summary.mean_loss is None
    assert tally(quiz.summary, Unit.POINTS) == "No question was answered."
    losses, worst = 0.0, 0
    for question in quiz.questions[:3]:
        last = question.advice.moves[-1]
        losses += last.loss
        worst += last.grade is Grade.BLUNDER
        quiz = quiz.answered(last.move)
        assert f"loses {last.loss:.2f} points" in verdict(question, quiz.answers[-1])
    summary = quiz.summary
    assert (summary.asked, summary.answered) == (4, 3)
    assert summary.mean_loss == pytest.approx(losses / 3)
    assert summary.count(Grade.BLUNDER) == worst
    assert sum(summary.counts) == 3
    assert f"3 of 4 answered, mean loss {losses / 3:.2f} points" in tally(summary, Unit.POINTS)
    told = plain(quiz_answer(quiz))
    assert [entry["answer"] is None for entry in told["questions"]] == [False, False, False, True]
    assert told["counts"]["blunder"] == worst


def test_a_category_with_rolls_left_is_keeping_all() -> None:
    quiz = quiz_of("yatzy", 1)
    (question,) = quiz.questions
    assert question.asks_for_keep
    free = question.position.game.categories[question.position.sheet.open[0]].id
    assert quiz.graded(Score(free)) == question.advice.of(Keep(question.position.dice))
    shut = [c.id for i, c in enumerate(question.position.game.categories) if i not in question.position.sheet.open]
    if shut:
        with pytest.raises(MoveError, match="cannot be filled"):
            quiz.graded(Score(shut[0]))


def test_the_costliest_mistakes_of_several_records_come_first(solved: Callable[[str], ExpectedScore]) -> None:
    solution = solved("two-yatzy")
    strategy = SoftenedStrategy(solution, 0.5)
    records = [(f"game {n}", played_record(strategy, 3, n, 2)) for n in range(6)]
    found = costliest_mistakes(solution, records, "BO")
    each = [one for name, record in records for one in mistake_questions(solution, record, "Bo", name)]
    assert len(found) == len(each) > 3
    assert sorted(str(one.position) for one in found) == sorted(str(one.position) for one in each)
    lost = [next(entry.loss for entry in one.advice.moves if entry.move == one.played) for one in found]
    assert lost == sorted(lost, reverse=True)
    with pytest.raises(RecordError, match="no player 'Cy' in these records; there are Ann, Bo"):
        costliest_mistakes(solution, records, "Cy")


def test_mistakes_of_a_record_are_those_of_its_review(solved: Callable[[str], ExpectedScore]) -> None:
    solution, seen = solved("yacht"), 0
    record = played_record(SoftenedStrategy(solution, 0.3), 3, players=2)
    reviewed = review(record, solution)
    for player in reviewed.players:
        questions = mistake_questions(solution, record, player.player.name.upper(), "a game")
        wrong = [one for one in player.errors if one.grade not in (Grade.BEST, Grade.GOOD)]
        assert {(q.position, q.played) for q in questions} == {(one.position, one.move) for one in wrong}
        assert len(questions) == len(wrong)
        quiz = Quiz(solution, questions)
        for question in questions:  # made again, they are graded as they were
            assert question.played is not None
            grade = quiz.graded(question.played).grade
            assert grade is next(one.grade for one in wrong if one.position == question.position)
            quiz = quiz.answered(question.played)
            assert question.origin.player == player.player.name
        seen += len(questions)
    assert seen > 4
    with pytest.raises(RecordError, match="no player 'Eve' in this record; there are Ann, Bo"):
        mistake_questions(solution, record, "Eve", "a game")
    with pytest.raises(InputError, match="a game of yacht, but the quiz is about yatzy"):
        mistake_questions(solved("yatzy"), record, "Ann", "a game")


def test_a_struck_category_is_a_mistake_that_can_be_made_again(solved: Callable[[str], ExpectedScore]) -> None:
    solution = solved("yatzy")
    turn = Turn(((5, 5, 5, 6, 6),), (), Score("full-house", strike=True))
    record = Record(solution.game, (Player("Ann"),), (turn,))
    (question,) = mistake_questions(solution, record, "ann", "a game")
    (decision,) = review(record, solution).players[0].decisions
    again = Quiz(solution, (question,)).answered(Score("full-house", strike=True))
    assert again.answers[0].loss == pytest.approx(decision.loss)
    assert again.answers[0].grade is decision.grade


def test_questions_from_records_are_of_the_player_named(solved: Callable[[str], ExpectedScore]) -> None:
    solution = solved("yacht")
    records = [(f"game {n}", played_record(SoftenedStrategy(solution, 1), n, players=2)) for n in range(3)]
    questions = record_questions(solution, records, 10, 1, "bo")
    assert questions == record_questions(solution, records, 10, 1, "bo")
    assert {question.position for question in questions} != {
        question.position for question in record_questions(solution, records, 10, 2, "bo")
    }
    assert sum(question.asks_for_keep for question in questions) == 5
    told = dict(records)
    for question in questions:
        assert_real_choice(question, solution)
        assert question.origin.player == "Bo"
        assert question.origin.record is not None
        record = told[question.origin.record]
        steps = [step for turn in range(len(record.turns)) for step in record.steps(turn)]
        assert (question.position, question.played) in steps
        assert question.position.mover == 1
    everybody = record_questions(solution, records, 200, 1)
    assert {question.origin.player for question in everybody} == {"Ann", "Bo"}
    assert len({question.position for question in everybody}) == len(everybody)


def test_records_that_tell_nothing_are_refused(solved: Callable[[str], ExpectedScore]) -> None:
    solution = solved("yacht")
    bare = Record(solution.game, (Player("Ann"),), (Turn(score=Score("ones"), points=2),))
    assert bare.turns[0].detail is Detail.POINTS
    with pytest.raises(InputError, match="no close or costly decision"):
        record_questions(solution, [("a game", bare)], 5, 1)
    assert mistake_questions(solution, bare, "Ann", "a game") == ()


@pytest.mark.parametrize("questions", [0, -1, 201])
def test_a_quiz_has_a_length(questions: int) -> None:
    with pytest.raises(InputError, match="is not from 1 to 200"):
        quiz_of("yacht", questions)


def test_for_a_match_there_are_two_sheets() -> None:
    quiz = quiz_of("two-yatzy", 3, 1, "match:emp:1")
    assert all(len(question.position.sheets) == 2 for question in quiz.questions)
    assert quiz.evaluator.objective == "match:emp:1"


def answered(id: str = "yacht", answers: int = 2) -> Quiz:
    """A quiz of three that is kept as far as it is answered."""
    quiz = quiz_of(id, 3)
    keeper = QuizKeeper(quiz)
    for question in quiz.questions[:answers]:
        quiz = quiz.answered(question.advice.moves[-1].move)
        keeper.keep(len(quiz.answers), question, quiz.answers[-1])
    return quiz


def test_answers_are_kept_and_added_to(games_folder: Path) -> None:
    assert read_results() == read_results(games_folder / "nowhere")
    assert read_results().quizzes == ()
    first = answered()
    (kept,) = read_results().quizzes
    assert kept.summary == first.summary
    assert (kept.game, kept.objective, kept.unit) == ("yacht", "expected", Unit.POINTS)
    assert [Position.parse(one.position) for one in kept.answers] == [q.position for q in first.questions[:2]]
    second = answered("two-yatzy", 3)
    both = read_results()
    assert [one.summary for one in both.quizzes] == [first.summary, second.summary]
    assert both.unreadable == 0
    assert [one.answered for one in history_answer(both).quizzes] == [2, 3]


def test_a_line_that_was_cut_off_costs_only_itself(games_folder: Path) -> None:
    first = answered()
    path = games_folder / FILE
    whole = path.read_bytes()
    path.write_bytes(whole[:-20])
    second = answered()
    history = read_results()
    assert history.unreadable == 1
    assert [one.summary.answered for one in history.quizzes] == [1, 2]
    assert history.quizzes[0].answers[0].loss == first.answers[0].loss
    assert history.quizzes[1].summary == second.summary


@pytest.mark.parametrize(
    "line",
    ["", "null", "[]", "{}", '{"quiz": 1}', "[" * 100_000, "\x00", '"text"', "\ufffd", '{"a": NaN}'],
)
def test_nonsense_in_the_file_is_passed_over(games_folder: Path, line: str) -> None:
    answered()
    with (games_folder / FILE).open("a", encoding="utf-8") as file:
        file.write(line + "\n")
    history = read_results()
    assert len(history.quizzes) == 1
    assert history.unreadable == (1 if line else 0)


@pytest.mark.parametrize(
    "change", [{"loss": "much"}, {"grade": "fine"}, {"when": "today"}, {"number": None}, {"more": 1}]
)
def test_a_line_with_a_wrong_field_is_passed_over(games_folder: Path, change: dict[str, object]) -> None:
    answered(answers=1)
    path = games_folder / FILE
    line = json.loads(path.read_text("utf-8"))
    path.write_text(json.dumps(line | change) + "\n", encoding="utf-8")
    assert (len(read_results().quizzes), read_results().unreadable) == (0, 1)


def test_two_who_write_at_once_lose_nothing(games_folder: Path) -> None:
    quiz = quiz_of("two-yatzy", 3)
    answer = quiz.graded(quiz.questions[0].advice.best.move)
    with ThreadPoolExecutor(4) as pool:
        for _ in range(8):
            keeper = QuizKeeper(quiz)
            for number in range(1, 21):
                pool.submit(keeper.keep, number, quiz.questions[0], answer)
    history = read_results()
    assert history.unreadable == 0
    assert [len(one.answers) for one in history.quizzes] == [20] * 8


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("YATZY_GAMES", str(tmp_path / "file"))
    with pytest.raises(InputError, match="the answer cannot be saved"):
        answered()


def test_a_quiz_has_from_1_to_200_questions() -> None:
    for questions in (1, 200):
        check_questions(questions)
    for questions in (0, 201):
        with pytest.raises(InputError, match=f"questions: {questions} is not from 1 to 200"):
            check_questions(questions)
