"""Advice as one structure: every objective side by side, any of them ranking, and what is refused."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from helpers.plain import plain
from helpers.small_games import FIXED

from yatzy import ExpectedScore, Position, load_game
from yatzy.coach.advice import advise, advise_all, ranked_move
from yatzy.coach.grades import LIMITS, Grade, grade_of, limit_of
from yatzy.coach.quizzes.sources import CLOSE
from yatzy.errors import InputError, MoveError
from yatzy.games import Keep, Score
from yatzy.matches.search import MatchSearch
from yatzy.report.answers.advice import advice_answer
from yatzy.solver import Solver, check_objective
from yatzy.units import Unit

YACHT = load_game("yacht")
FULL = Position.parse("yacht~s...........~d55566~r0")


def test_rows_hold_every_move_once_whatever_ranks(tables: Any) -> None:
    solver = Solver()
    evaluators = [solver.evaluator(YACHT, name) for name in ("expected", "target:150", "chance:0.9")]
    for position in (FULL, Position.start(YACHT).roll((1, 3, 3, 5, 6))):
        table = advise_all(evaluators, position)
        assert table.objectives == ("expected", "target:150", "chance:0.9")
        for column, evaluator in enumerate(evaluators):
            alone = advise(evaluator, position)
            rows = table.ranked_by(column)
            assert [row.move for row in rows] == [entry.move for entry in alone.moves]
            assert [row.under[column] for row in rows] == list(alone.moves)
            assert {row.move for row in rows} == set(position.legal_moves)
        assert table.rows == table.ranked_by(0)
        assert table.outlook is None
        assert table.position == position


def test_a_table_without_objectives_is_refused() -> None:
    with pytest.raises(InputError, match="at least one objective"):
        advise_all([], FULL)


@pytest.mark.parametrize("game", FIXED, ids=lambda game: game.id)
def test_losses_and_classes_follow_from_the_values(game: Any) -> None:
    solution = ExpectedScore(game)
    for dice in ((1,) * game.dice, tuple(range(1, game.faces + 1))[-1:] * game.dice):
        for left in (game.rolls - 1, 0):
            position = Position(Position.start(game).sheets, dice, left)
            advice = advise(solution, position)
            top = max(entry.value for entry in advice.moves)
            for entry in advice.moves:
                assert entry.loss == pytest.approx(top - entry.value)
                tied = top - entry.value <= 1e-9
                assert entry.grade is grade_of(top - entry.value, Unit.POINTS, tied=tied)
                assert (entry.grade is Grade.BEST) == tied
            assert [entry.loss for entry in advice.moves] == sorted(entry.loss for entry in advice.moves)


def test_a_struck_category_is_worth_the_sheet_after_it(solved: Callable[[str], ExpectedScore]) -> None:
    solution = solved("yatzy")
    position = Position.parse("yatzy~s..............~d55566~r0")
    advice, strike = advise(solution, position), Score("full-house", strike=True)
    with pytest.raises(MoveError, match="is not a move here"):
        advice.of(strike)
    entry = ranked_move(solution, advice, strike)
    assert entry.value == solution.value(position.play(strike))
    assert entry.loss == pytest.approx(advice.value - entry.value)
    assert entry.grade is Grade.BLUNDER
    # Where nothing is paid, to strike and to fill are the same.
    assert ranked_move(solution, advice, Score("small-straight", strike=True)) == advice.of(Score("small-straight"))


def test_what_is_no_choice_is_refused_with_what_is(solved: Callable[[str], ExpectedScore]) -> None:
    start = Position.start(load_game("yatzy"))
    keeping, choosing = start.roll((1, 3, 3, 5, 6)), Position(start.sheets, (1, 3, 3, 5, 6), 0)
    advice = advise(solved("yatzy"), keeping)
    with pytest.raises(MoveError, match="choose which of the dice 13356 to keep"):
        advice.of(Keep((4, 4)))
    with pytest.raises(MoveError, match="choose which of the dice 13356 to keep"):
        advice.of(Score("chance"))
    with pytest.raises(MoveError, match="choose chance, "):
        advise(solved("yatzy"), choosing).of(Keep((3, 3)))


def test_objectives_by_name_for_one_and_for_several(tables: Any) -> None:
    solver = Solver()
    assert solver.evaluator(YACHT, "expected").objective == "expected"
    found = solver.evaluator(YACHT, "match:emp:1", players=2)
    assert isinstance(found, MatchSearch)
    for players in (0, 1):
        with pytest.raises(InputError, match="match:emp:1: a match needs at least two players"):
            solver.evaluator(YACHT, "match:emp:1", players)
    with pytest.raises(InputError, match=r"there is no objective 'most'; objectives are expected, .*utility:FILE$"):
        check_objective(YACHT, "most")
    with pytest.raises(InputError, match=r"there is no objective 'most'; objectives are expected, .*match:emp:D"):
        check_objective(YACHT, "most", 2)
    with pytest.raises(InputError, match="target:9999"):
        check_objective(YACHT, "target:9999")
    with pytest.raises(InputError, match=r"there is no match objective 'match:best'; match objectives are match:emp:D"):
        check_objective(YACHT, "match:best", 2)


def test_fields_tell_all_that_the_structure_has(solved: Callable[[str], ExpectedScore], outlooks: Any) -> None:
    advice = advise(solved("yacht"), FULL)
    fields = plain(advice_answer([advice]))
    assert fields["outlook"] is None
    assert [entry["grade"] for entry in fields["moves"]] == [entry.grade.value for entry in advice.moves]
    outlook = outlooks("yacht").at(FULL)
    told = plain(advice_answer([advice], 1, outlook))["outlook"]
    assert (told["low"], told["high"]) == (outlook.score.percentile(10), outlook.score.percentile(90))
    assert told["mean"] == pytest.approx(advice.value)
    assert set(told["categories"]) == set(YACHT.category_index)
    points = sum(entry["points"] for entry in told["categories"].values())
    assert points == pytest.approx(advice.value, abs=1e-4)  # yacht has neither bonus nor Joker


def test_limits_rise_and_every_class_can_be_reached() -> None:
    for unit, limits in LIMITS.items():
        assert list(limits) == sorted(limits)
        losses = [0.0, *(limit * 0.999 for limit in limits), limits[-1] * 1.001]
        assert [grade_of(loss, unit, tied=loss == 0) for loss in losses] == list(Grade)


def test_advice_is_equal_when_all_is(solved: Callable[[str], ExpectedScore]) -> None:
    one, two = (advise(solved("yacht"), FULL) for _ in range(2))
    assert one == two
    one.of(one.best.move)  # looking things up changes nothing
    assert one == two


DOCUMENT = (Path(__file__).parents[2] / "docs" / "coach.md").read_text(encoding="utf-8")


def test_the_document_prints_the_limits() -> None:
    rows = {
        name: (sign, *(float(number) if number else None for number in numbers))
        for name, sign, *numbers in re.findall(
            r"^\| (?!class)(\w+) \| (\S+) \| [a-z ]*([\d.]*) \| [a-z ]*([\d.]*)[a-z ]* \| [a-z ]*([\d.]*)[a-z %]* \|$",
            DOCUMENT,
            re.MULTILINE,
        )
    }
    points, chance, worth = (LIMITS[unit] for unit in (Unit.POINTS, Unit.CHANCE, Unit.WORTH))
    wanted: dict[str, Any] = {grade.value: (grade.sign, None, None, None) for grade in (Grade.BEST, Grade.BLUNDER)}
    for grade, *limits in zip((Grade.GOOD, Grade.INACCURACY, Grade.MISTAKE), points, chance, worth, strict=True):
        wanted[grade.value] = (grade.sign, limits[0], 100 * limits[1], 100 * limits[2])
    assert {name: pytest.approx(row) if None not in row else row for name, row in wanted.items()} == rows


def test_the_code_of_the_document_runs(capsys: pytest.CaptureFixture[str], outlooks: Any) -> None:
    code = re.findall(r"```python\n(.*?)```", DOCUMENT, re.DOTALL)[0]
    exec(compile(code, "coach.md", "exec"), {})
    *rows, scores = capsys.readouterr().out.splitlines()
    assert rows[0].endswith("True")
    outlook = outlooks("yacht").at(FULL)
    assert scores == f"{outlook.low} {outlook.high}"


def test_what_the_document_says_of_questions_are_the_limits() -> None:
    good, inaccuracy, mistake = LIMITS[Unit.POINTS]
    assert f"differ by {CLOSE * good:g} to {inaccuracy:g} points" in DOCUMENT
    assert f"within {mistake:g} points of the best" in DOCUMENT


@pytest.mark.parametrize("unit", list(Unit))
def test_the_limit_of_a_grade_is_the_largest_loss_that_gets_it(unit: Unit) -> None:
    assert limit_of(Grade.BEST, unit) == 0
    assert limit_of(Grade.BLUNDER, unit) == float("inf")
    for grade, worse in zip(list(Grade)[1:-1], list(Grade)[2:], strict=True):
        limit = limit_of(grade, unit)
        assert grade_of(limit, unit, tied=False) is grade
        assert grade_of(limit * 1.001, unit, tied=False) is worse


def test_a_table_of_advice_is_ranked_by_its_first_column(solved: Callable[[str], ExpectedScore]) -> None:
    position = Position.parse("two-yatzy~s.~d12~r1")
    columns = [Solver().build(position.game, name) for name in ("target:5", "expected")]
    table = advise_all(columns, position)
    assert table.objectives == ("target:5", "expected")
    assert table.first == advise(columns[0], position)
    assert table.position == position
