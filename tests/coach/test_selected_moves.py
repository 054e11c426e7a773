"""The chances of all final scores after selected moves, judged by the slow exact solver."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from helpers.small_games import FIXED

from yatzy import BestChances, ExpectedScore, Keep, Position, Score, advise
from yatzy.coach.selected_moves import (
    BEST_FEW,
    MOST_MOVES,
    FloatArray,
    ScoreChances,
    best_moves,
    parse_moves,
    select_moves,
)
from yatzy.errors import InputError, MoveError, NotationError
from yatzy.evaluation.outlook import Outlooks
from yatzy.games import Game, Move
from yatzy.values.exact import ExactSolver, ExactUtility, every_decision, exact_distribution

CLOSE = 1e-6
SMALL = next(game for game in FIXED if game.id == "two-rolls")
JOKER = next(game for game in FIXED if game.joker is not None)


def every_move(position: Position) -> tuple[Move, ...]:
    """The listed moves and, with rolls left, the categories that could be filled at once."""
    return (*position.legal_moves, *(Score(id) for id in _open(position) if position.rolls_left))


def _open(position: Position) -> list[str]:
    no_roll_left = Position((position.sheet,), position.dice, 0)
    return [move.category for move in no_roll_left.legal_moves if isinstance(move, Score)]


@pytest.mark.parametrize("game", [SMALL, JOKER], ids=lambda game: game.id)
def test_both_curves_agree_with_the_exact_solver(game: Game) -> None:
    expected = ExpectedScore(game)
    chances, outlooks = BestChances(game), Outlooks(game, expected)
    judges = dict[int, ExactUtility]()

    def best_chance(score: int, position: Position, move: Move) -> float:
        judge = judges.setdefault(score, ExactUtility(game, lambda points: Fraction(points >= score)))
        listed = dict(judge.moves(position.sheet, position.dice, position.rolls_left))
        return float(listed[move] if move in listed else judge.value(position.play(move).sheet))

    # The judge follows every roll of every score: two turns are what it does in a moment.
    late = len(game.categories) - 2
    positions = [position for position in every_decision(game) if position.sheet.filled.bit_count() >= late]
    for position in positions[:: max(len(positions) // 8, 1)]:
        found = select_moves(chances, outlooks, position, every_move(position))
        assert [one.move for one in found.moves] == [*every_move(position)]
        assert found.present.move is None
        for one in found.moves:
            assert one.move is not None
            scores = np.arange(one.first, one.first + len(one.best) + 1)
            wanted = [best_chance(int(score), position, one.move) for score in scores]
            np.testing.assert_allclose(np.append(one.best, 0.0), wanted, atol=CLOSE)
            played = exact_distribution(game, outlooks.strategy.move, position.play(one.move))
            at_least = [float(sum(mass for end, mass in played.items() if end >= score)) for score in scores]
            np.testing.assert_allclose(_padded(one.played_on, len(scores)), at_least, atol=CLOSE)
        # The present is as good as the best move: for each score, and in the mean.
        best = np.max([_padded(one.best, len(found.present.best)) for one in found.moves], axis=0)
        np.testing.assert_allclose(found.present.best, best, atol=CLOSE)


def _padded(curve: FloatArray, length: int) -> FloatArray:
    return np.pad(curve, (0, length - len(curve)))


def test_the_means_are_the_values_of_the_moves() -> None:
    chances, outlooks = BestChances(SMALL), Outlooks(SMALL, ExpectedScore(SMALL))
    exact = ExactSolver(SMALL)
    for position in [*every_decision(SMALL)][::7]:
        found = select_moves(chances, outlooks, position, position.legal_moves)
        values = dict(exact.moves(position.sheet, position.dice, position.rolls_left))
        for one in found.moves:
            assert one.move is not None
            wanted = float(values[one.move]) + position.sheet.points
            assert one.outlook.mean == pytest.approx(wanted, abs=CLOSE * 10)
            assert one.first + one.played_on[1:].sum() == pytest.approx(one.outlook.mean)
        assert found.present.outlook.mean == pytest.approx(max(one.outlook.mean for one in found.moves), abs=CLOSE * 10)


def test_scores_at_a_chance(chances: Callable[[str], BestChances], outlooks: Callable[[str], Outlooks]) -> None:
    position = Position.parse("two-yatzy~s.~d12~r0")
    found = select_moves(chances("two-yatzy"), outlooks("two-yatzy"), position, position.legal_moves)
    for one in (found.present, *found.moves):
        for chance in (0.9, 0.5, 0.1):
            assert_highest(one, one.best, one.best_score(chance), chance)
            assert_highest(one, one.played_on, one.played_on_score(chance), chance)
            assert one.best_score(chance) >= one.played_on_score(chance)


def assert_highest(one: ScoreChances, curve: FloatArray, score: int, chance: float) -> None:
    place = score - one.first
    assert curve[place] >= chance
    assert place + 1 == len(curve) or curve[place + 1] < chance


def test_moves_are_read_as_people_write_them() -> None:
    position = Position.parse("yatzy~d36666~r1")
    found = parse_moves(position, ["sixes", " four-of-a-kind", "keep 6666", "6666", "keep -", "Sixes"])
    assert found == (Score("sixes"), Score("four-of-a-kind"), Keep((6, 6, 6, 6)), Keep(()))
    last = Position.parse("yatzy~d36666~r0")
    assert parse_moves(last, ["ones=0", "ones"]) == (Score("ones"),)  # the same move, which pays nothing


@pytest.mark.parametrize(
    ("moves", "error", "says"),
    [
        (["keep 55"], MoveError, "55 cannot be kept"),
        (["nonsense"], NotationError, "no category 'nonsense'"),
        (["keep nonsense"], NotationError, "no category 'keep nonsense'"),
        ([""], NotationError, "no category ''"),
        ([], InputError, f"from 1 to {MOST_MOVES} moves"),
        (["3", "6", "66", "36", "366", "666"], InputError, f"from 1 to {MOST_MOVES} moves can be compared, not 6"),
    ],
)
def test_moves_that_cannot_be_selected(moves: list[str], error: type[InputError], says: str) -> None:
    with pytest.raises(error, match=says):
        parse_moves(Position.parse("yatzy~d36666~r1"), moves)


def test_an_illegal_move_is_refused(chances: Callable[[str], BestChances], outlooks: Callable[[str], Outlooks]) -> None:
    position = Position.parse("two-yatzy~s.~d12~r1")
    with pytest.raises(MoveError, match="cannot be kept"):
        select_moves(chances("two-yatzy"), outlooks("two-yatzy"), position, [Keep((2, 2))])


def test_the_best_few_are_those_of_the_advice(solved: Callable[[str], ExpectedScore]) -> None:
    advice = advise(solved("two-yatzy"), Position.parse("two-yatzy~d12~r1"))
    assert best_moves(advice) == tuple(entry.move for entry in advice.moves[:BEST_FEW])


def test_the_code_of_the_document_runs(capsys: pytest.CaptureFixture[str], outlooks: Callable[[str], Outlooks]) -> None:
    document = (Path(__file__).parents[2] / "docs" / "coach.md").read_text(encoding="utf-8")
    code = next(one for one in re.findall(r"```python\n(.*?)```", document, re.DOTALL) if "select_moves" in one)
    exec(compile(code, "coach.md", "exec"), {})
    first, second = (line.split() for line in capsys.readouterr().out.splitlines())
    position = Position.parse("two-yatzy~d12~r1")
    assert (first[0], second[0]) == ("2", "twos")
    assert float(first[1]) == pytest.approx(outlooks("two-yatzy").after(position, Keep((2,))).mean)
