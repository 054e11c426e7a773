"""Reviews of played turns against the values of single positions, and the sum of luck and error of whole games."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from math import factorial, prod

import numpy as np
import numpy.typing as npt
import pytest
from helpers.small_games import FIXED

from yatzy import ExpectedScore, Position, load_game
from yatzy.errors import InputError, MoveError
from yatzy.evaluation.played_turns import PlayedTurns
from yatzy.evaluation.reviewed_turns import ReviewedTurns, TurnReviews, reviewable
from yatzy.games import Dice, Game, Keep, Move, Score, Sheet, keeps_of
from yatzy.games.rules import is_joker_roll
from yatzy.lab.traces import Traces, trace
from yatzy.model import compile_game
from yatzy.solver import parse_strategy, solve
from yatzy.values.curves import BestChances
from yatzy.values.evaluator import Solution
from yatzy.values.targets import TargetChance

Solved = Callable[[str], ExpectedScore]
GAMES = 10_000


@dataclass(frozen=True)
class Turn:
    """A turn as people play it: the positions after each roll, and the move made in each."""

    start: Position
    positions: tuple[Position, ...]
    moves: tuple[Move, ...]


def _random_game(game: Game, rng: random.Random) -> Iterator[Turn]:
    """A game of random moves, strikes among them."""
    position = Position.start(game)
    for _ in game.categories:
        start, positions, moves = position, list[Position](), list[Move]()
        while not positions or positions[-1].rolls_left:
            if position.awaits_roll:
                position = position.roll((*position.dice, *_dice(game, len(position.dice), rng)))
            positions.append(position)
            if position.rolls_left:
                moves.append(Keep(rng.choice(keeps_of(position.dice))))
                position = position.play(moves[-1])
        choice = rng.choice(position.legal_moves)
        assert isinstance(choice, Score)
        if not is_joker_roll(game, position.dice) and rng.random() < 0.3:
            choice = Score(choice.category, strike=True)
        position = position.play(choice)
        yield Turn(start, tuple(positions), (*moves, choice))


def _dice(game: Game, kept: int, rng: random.Random) -> Dice:
    return tuple(rng.randint(1, game.faces) for _ in range(game.dice - kept))


def _rows(game: Game, turns: list[Turn]) -> PlayedTurns:
    compiled = compile_game(game)
    lattice, index = compiled.lattice, compiled.lattice.index
    rolls = [[index[p.dice] - lattice.first_roll for p in turn.positions] for turn in turns]
    keeps = [[index[move.dice] for move in turn.moves if isinstance(move, Keep)] for turn in turns]
    scores = [move for turn in turns for move in turn.moves if isinstance(move, Score)]
    return PlayedTurns(
        state=np.array([compiled.states.find(turn.start.sheet) for turn in turns], np.int64),
        made=np.array([turn.start.sheet.points for turn in turns], np.int32),
        rolls=np.array(rolls, np.int16).reshape(len(turns), game.rolls),
        keeps=np.array(keeps, np.int16).reshape(len(turns), game.rolls - 1),
        category=np.array([game.category_index[move.category] for move in scores], np.int8),
        struck=np.array([move.strike for move in scores], np.bool_),
    )


def _check(solution: Solution, games: int, seed: int, rounding: float) -> None:
    """Values of the review against those of the solution, asked position by position; `rounding` is the table's."""
    rng = random.Random(seed)
    turns = [turn for _ in range(games) for turn in _random_game(solution.game, rng)]
    reviewed = TurnReviews(solution).review(_rows(solution.game, turns))
    for row, turn in enumerate(turns):
        assert reviewed.start[row] == pytest.approx(solution.value(turn.start), abs=rounding)
        for roll, (position, move) in enumerate(zip(turn.positions, turn.moves, strict=True)):
            values = {each.move: each.value for each in solution.moves(position)}
            assert reviewed.rolled[row, roll] == pytest.approx(max(values.values()), abs=1e-10)
            assert reviewed.rolled[row, roll] == pytest.approx(solution.value(position), abs=1e-10)
            after = position.play(move)
            due = values[move] if move in values else solution.value(after)
            assert reviewed.chosen[row, roll] == pytest.approx(due, abs=1e-10)
        assert reviewed.after[row] == pytest.approx(solution.value(after), abs=1e-10)


@pytest.mark.parametrize("objective", ["expected", "target:9", "target:14"])
@pytest.mark.parametrize("game", FIXED, ids=lambda game: game.id)
def test_small_games_agree_with_single_positions(game: Game, objective: str) -> None:
    _check(solve(game, objective), 8, 1, 1e-6 if objective != "expected" else 1e-10)


@pytest.mark.parametrize("id", ["yatzy", "yahtzee", "yahtzee-free-joker", "yahtzee-pawlewicz", "yatzy-forced-order"])
def test_games_agree_with_single_positions(id: str, solved: Solved) -> None:
    _check(solved(id), 2, 2, 1e-9)


@pytest.mark.slow
def test_chances_agree_with_single_positions(solved: Solved, chances: Callable[[str], BestChances]) -> None:
    _check(TargetChance(chances("yatzy"), solved("yatzy"), 150), 2, 3, 1e-6)


@pytest.mark.parametrize("id", ["yatzy", "yahtzee"])
def test_the_start_and_luck_less_error_is_the_final_score(id: str, solved: Solved) -> None:
    solution = solved(id)
    traces = trace(parse_strategy("softened:1", solution.game), GAMES, 7)
    reviewed = TurnReviews(solution).review(traces.turns())
    _check_sum(traces, reviewed, traces.total, 1e-6)
    start = solution.value(Position.start(solution.game))
    assert np.allclose(reviewed.start.reshape(GAMES, -1)[:, 0], start, rtol=0, atol=1e-9)
    assert reviewed.error.min() >= 0
    # Luck is fair: the mean of a game is within four standard errors of none.
    luck = reviewed.luck.reshape(GAMES, -1).sum(axis=1)
    assert abs(luck.mean()) < 4 * luck.std() / np.sqrt(GAMES)


@pytest.mark.slow
def test_the_start_and_luck_less_error_is_whether_the_target_was_reached(
    solved: Solved, chances: Callable[[str], BestChances]
) -> None:
    solution = TargetChance(chances("yatzy"), solved("yatzy"), 250)
    for name in ("softened:1", "expected"):
        traces = trace(parse_strategy(name, solution.game), GAMES, 7)
        reviewed = TurnReviews(solution).review(traces.turns())
        # The table is in single precision, and every turn begins with the mean of its own.
        _check_sum(traces, reviewed, traces.total >= 250, 5e-6)
        assert reviewed.error.min() >= 0


def _check_sum(traces: Traces, reviewed: ReviewedTurns, final: npt.NDArray[np.generic], rounding: float) -> None:
    start, after, luck, error = (
        array.reshape(len(traces), len(traces.game.categories), -1)
        for array in (reviewed.start, reviewed.after, reviewed.luck, reviewed.error)
    )
    assert np.array_equal(after[:, -1, 0], final)
    total = start[:, 0, 0] + luck.sum(axis=(1, 2)) - error.sum(axis=(1, 2))
    assert np.abs(total - final).max() < rounding
    assert np.abs(start[:, 1:] - after[:, :-1]).max() < rounding
    assert error.sum() > 0


def test_best_play_makes_no_error(solved: Solved) -> None:
    for id in ("yatzy", "yahtzee"):
        solution = solved(id)
        assert TurnReviews(solution).review(trace(solution, 500, 3).turns()).error.max() <= solution.tie


def test_the_luck_of_a_roll_is_none_on_average(solved: Solved) -> None:
    """All first rolls, and all second ones after a keep, each with its chance."""
    solution = solved("yahtzee")
    sheet = Sheet.of_sums(solution.game, ["yahtzee", "chance", "twos"], upper=6, points=80, box_pays=True)
    rolls = compile_game(solution.game).lattice.rolls
    firsts = [_stop(sheet, (dice,)) for dice in rolls]
    seconds = [_stop(sheet, ((3, 3, 4, 5, 6), dice), (3, 3)) for dice in rolls if dice.count(3) >= 2]
    for roll, turns in enumerate((firsts, seconds)):
        luck = TurnReviews(solution).review(_rows(solution.game, turns)).luck[:, roll]
        kept = (3, 3) if roll else ()
        chance = np.array([_chance(turn.positions[roll].dice, kept) for turn in turns])
        assert chance.sum() == pytest.approx(1)
        assert chance @ luck == pytest.approx(0, abs=1e-10)
        assert np.abs(luck).max() > 1


def _stop(sheet: Sheet, rolls: tuple[Dice, ...], kept: Dice = ()) -> Turn:
    """A turn that keeps all dice after these rolls, and fills any category."""
    last = sheet.game.rolls - 1
    dice = (*rolls, *(rolls[-1],) * (last + 1 - len(rolls)))
    positions = tuple(Position((sheet,), one, last - i) for i, one in enumerate(dice))
    keeps = [Keep(kept if i < len(rolls) - 1 else dice[i]) for i in range(last)]
    return Turn(Position((sheet,)), positions, (*keeps, positions[-1].legal_moves[0]))


def _chance(roll: Dice, kept: Dice) -> float:
    """The chance of a roll when some of its dice were kept."""
    counts = (Counter(roll) - Counter(kept)).values()
    return factorial(sum(counts)) / prod(map(factorial, counts)) / 6.0 ** sum(counts)


def test_the_order_of_rows_and_the_threads_make_no_difference(solved: Solved) -> None:
    solution = solved("yatzy")
    turns = trace(parse_strategy("softened:1", solution.game), 400, 9).turns()
    order = np.random.default_rng(1).permutation(len(turns))
    mixed = PlayedTurns(turns.state[order], turns.made[order], turns.rolls[order], turns.keeps[order],
                        turns.category[order], turns.struck[order])  # fmt: skip
    told: list[tuple[int, int]] = []
    one = TurnReviews(solution, threads=1).review(turns)
    other = TurnReviews(solution, threads=3).review(mixed, lambda done, of: told.append((done, of)))
    for name in ("start", "rolled", "chosen"):
        assert np.array_equal(getattr(one, name)[order], getattr(other, name))
    assert told == sorted(told)
    assert (told[0], told[-1]) == ((0, 6000), (6000, 6000))


def test_no_turns_are_reviewed_too(solved: Solved) -> None:
    solution = solved("two-yatzy")
    assert len(TurnReviews(solution).review(_rows(solution.game, [])).luck) == 0


REFUSED: list[tuple[str, object, str]] = [
    ("rolls", [[0, 0], [0, 0]], r"rolls: the shape is \(2, 2\), but should be \(2, 3\) in yahtzee"),
    ("state", [0, 10**9], "state: 1000000000 in row 1 is not from 0 to"),
    ("made", [0, -1], "made: -1 in row 1"),
    ("category", [12, 13], "category: 13 in row 1 is not from 0 to 12"),
    ("keeps", [[0, 0], [1, 0]], "keeps: 1 cannot be kept from 66666 in row 1"),
    ("keeps", [[6, 0], [6, 0]], "keeps: 6 cannot be kept from 12345 in row 0"),
    ("category", [11, 5], "category: yahtzee may not be filled in row 0"),
    ("category", [12, 0], "category: ones may not be filled in row 1"),
    ("struck", [True, True], "struck: the Joker rule forbids it in row 1"),
]


@pytest.mark.parametrize(("name", "value", "said"), REFUSED)
def test_what_is_no_turn_is_refused(name: str, value: object, said: str, solved: Solved) -> None:
    """Row 0: 12345, to chance. Row 1: a Joker, which has to go to sixes. The box of the Joker is filled."""
    solution = solved("yahtzee")
    sheet = Sheet.of_sums(solution.game, ["yahtzee"], points=50, box_pays=True)
    turns = _rows(solution.game, [_stop(sheet, (dice,)) for dice in ((1, 2, 3, 4, 5), (6,) * 5)])
    turns = replace(turns, category=np.array([12, 5], np.int8))
    assert len(TurnReviews(solution).review(turns)) == 2
    with pytest.raises(InputError, match=said):
        TurnReviews(solution).review(replace(turns, **{name: np.array(value)}))


def test_a_roll_has_the_dice_that_were_kept(solved: Solved) -> None:
    solution = solved("yahtzee")
    turns = _rows(solution.game, [_stop(Sheet.start(solution.game), ((1, 2, 3, 4, 5), (6,) * 5), (1, 2))])
    with pytest.raises(InputError, match="keeps: 12 is not left in 66666 in row 0"):
        TurnReviews(solution).review(turns)


def test_a_forced_order_is_kept(solved: Solved) -> None:
    solution = solved("yatzy-forced-order")
    turns = _rows(solution.game, [_stop(Sheet.start(solution.game), ((1, 2, 3, 4, 5),))])
    assert len(TurnReviews(solution).review(turns)) == 1
    with pytest.raises(InputError, match="category: twos may not be filled in row 0"):
        TurnReviews(solution).review(replace(turns, category=np.array([1], np.int8)))


def test_which_objectives_are_reviewable() -> None:
    game = load_game("two-yatzy")
    able = {name: reviewable(solve(game, name)) for name in ("expected", "target:5", "chance:0.5", "exp:0.1")}
    assert able == {"expected": True, "target:5": True, "chance:0.5": False, "exp:0.1": False}
    with pytest.raises(InputError, match=r"^exp:0\.1: turns are reviewed in bulk for expected and target:S only"):
        TurnReviews(solve(game, "exp:0.1"))


@pytest.mark.parametrize("objective", ["expected", "target:5", "chance:0.4", "exp:0.1"])
@pytest.mark.parametrize("game", FIXED, ids=lambda game: game.id)
def test_striking_is_worth_the_sheet_with_a_0(game: Game, objective: str) -> None:
    """Every roll in one sheet after the other of a random game, whether rolls are left or not."""
    solution = solve(game, objective)
    for turn in _random_game(game, random.Random(6)):
        sheet, values = turn.start.sheet, solution.turn(turn.start.sheet)
        for dice in compile_game(game).lattice.rolls:
            for left in (0, game.rolls - 1):
                position = Position((sheet,), dice, left)
                strikes = [Score(game.categories[i].id, strike=True) for i in sheet.available]
                for move in strikes:
                    if is_joker_roll(game, dice):
                        with pytest.raises(MoveError):
                            values.after(position, move)
                    else:
                        after = position.play(move).sheet
                        assert after.points - sheet.points in (0, _bonus(game))
                        assert values.after(position, move) == solution.worth(after, sheet)


def _bonus(game: Game) -> int:
    return game.bonus.points if game.bonus else 0
