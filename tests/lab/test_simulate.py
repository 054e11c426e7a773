"""Simulated games against known random numbers, against the rules, and against the exact evaluation."""

from __future__ import annotations

import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from yatzy import ExpectedScore, Position, load_game, parse_strategy
from yatzy.errors import InputError
from yatzy.evaluation.distribution import Distribution
from yatzy.evaluation.evaluating import evaluate
from yatzy.games import Move
from yatzy.kernels.random import philox, roll_dice
from yatzy.lab import DICE_VERSION, PlayedTurn, SimulatedGames, remote, replay, simulate
from yatzy.lab.results import run_sample
from yatzy.lab.simulation import check_games
from yatzy.model import compile_game
from yatzy.names import Origin
from yatzy.solver import Solver, solve
from yatzy.values.arrays import turn_arrays
from yatzy.values.evaluator import Solution
from yatzy.values.exponential import ExponentialUtility

Solved = Callable[[str], ExpectedScore]
ERRORS = 4
"""Standard errors that a simulated number may be off. The seeds are fixed, so nothing here fails by chance."""


@pytest.mark.parametrize(
    ("counter", "key", "words"),
    [
        ("00000000 00000000 00000000 00000000", "00000000 00000000", "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
        ("ffffffff ffffffff ffffffff ffffffff", "ffffffff ffffffff", "408f276d 41c83b0e a20bc7c6 6d5451fd"),
        ("243f6a88 85a308d3 13198a2e 03707344", "a4093822 299f31d0", "d16cfe09 94fdcceb 5001e420 24126ea1"),
    ],
)
def test_philox_gives_the_known_answers(counter: str, key: str, words: str) -> None:
    """The vectors that Random123, the library of the authors of Philox, tests itself with."""
    given = [int(word, 16) for word in f"{counter} {key}".split()]
    assert " ".join(f"{word:08x}" for word in philox(*given)) == words


def test_every_roll_comes_as_often_as_it_should() -> None:
    """Chi-square over the 252 rolls: it has mean 251 and variance 2 · 251 when faces are fair and independent."""
    compiled = compile_game(load_game("yatzy"))
    model, lattice = turn_arrays(compiled), compiled.lattice
    dice = model.child, model.first_roll, model.faces
    rolls = [
        roll_dice(*dice, 5, 6, game, turn, roll, 0) for game in range(3000) for turn in range(15) for roll in range(3)
    ]
    seen = np.bincount(np.array(rolls) - lattice.first_roll, minlength=len(lattice.rolls))
    due = lattice.weight * len(rolls)
    degrees = len(due) - 1
    assert abs(float(np.sum((seen - due) ** 2 / due)) - degrees) < ERRORS * math.sqrt(2 * degrees)


def test_rolled_dice_take_their_words_in_order() -> None:
    lattice = compile_game(load_game("yatzy")).lattice
    model = turn_arrays(compile_game(load_game("yatzy")))
    words = [*philox(7, 3, 1, 0, 5, 6), *philox(7, 3, 1, 1, 5, 6)]
    faces = [1 + (int(word) * 6 >> 32) for word in words]
    for kept in [(), (2,), (4, 4), (1, 1, 1, 6), (1, 2, 3, 4, 5)]:
        roll = roll_dice(model.child, model.first_roll, model.faces, 5, 6, 7, 3, 1, lattice.index[kept])
        assert lattice.keeps[roll] == tuple(sorted((*kept, *faces[: 5 - len(kept)])))


FIRST_ROLLS = [
    ["11566", "12246", "11256", "11246"],
    ["23556", "12235", "11145", "23456"],
    ["23555", "22456", "22335", "12346"],
]
"""Of seed 7, computed by another program after the description in docs/lab.md."""


def test_the_seed_alone_decides(solved: Solved) -> None:
    solution = solved("yatzy")
    one = simulate(solution, 20_000, 1, threads=1)
    for threads in (2, 3):
        same = simulate(solution, 20_000, 1, threads)
        for name in ("total", "upper", "bonus", "jokers", "points"):
            assert np.array_equal(getattr(one, name), getattr(same, name))
    fewer, other = simulate(solution, 100, 1), simulate(solution, 100, 2**64 - 1)
    assert np.array_equal(one.points[:100], fewer.points)
    assert not np.array_equal(other.points, fewer.points)
    assert one.total[:6].tolist() == [247, 244, 314, 275, 233, 260]


def test_a_seed_gives_the_same_dice_in_every_release() -> None:
    """If these change, so must the version. A first roll does not depend on the strategy."""
    greedy = parse_strategy("greedy", load_game("yatzy"))
    first = [["".join(map(str, turn.rolls[0])) for turn in replay(greedy, 7, game)][:4] for game in (0, 1, 2**31 - 2)]
    assert (DICE_VERSION, first) == (1, FIRST_ROLLS)


@pytest.mark.parametrize("objective", ["expected", "exp:0.01", "exp:-0.02"])
@pytest.mark.parametrize("id", ["yatzy", "yahtzee", "yatzy-forced-order"])
def test_a_replay_is_legal_and_agrees_with_its_row(id: str, objective: str) -> None:
    solution = solve(load_game(id), objective)
    games = simulate(solution, 3000, 2)
    # The games with the most Joker bonuses too, where there are any.
    for row in {*range(100), *np.argsort(games.jokers)[-3:].tolist()}:
        _check_replay(solution, games, row)


def _check_replay(solution: Solution, games: SimulatedGames, row: int) -> None:
    position = Position.start(solution.game)
    for turn in replay(solution, games.seed, row):
        position = _play(position, turn)
    sheet = position.sheet
    assert position.over
    assert sheet.points == games.total[row]
    assert sheet.upper == games.upper[row]
    assert sheet.bonus_won == games.bonus[row]
    assert sheet.boxes == tuple(games.points[row].tolist())
    joker = solution.game.joker
    assert sheet.jokers * (joker.points if joker else 0) == games.jokers[row]


def _play(position: Position, turn: PlayedTurn) -> Position:
    """Play a turn by the rules, checking what it says it brings."""
    before = position.sheet.points
    position = position.roll(turn.rolls[0])
    for keep, roll in zip(turn.keeps, turn.rolls[1:], strict=True):
        position = position.play(keep)
        if position.awaits_roll:
            position = position.roll(roll)
        assert position.dice == roll
    assert position.placement(turn.score).points == turn.points
    position = position.play(turn.score)
    assert position.sheet.points == before + turn.points + turn.bonuses
    return position


def test_replayed_moves_are_the_best_ones(solved: Solved) -> None:
    solution = solved("yahtzee")
    position = Position.start(solution.game)
    for turn in replay(solution, 3, 17):
        position = position.roll(turn.rolls[0])
        moves: list[Move] = [*turn.keeps, turn.score]
        for move, roll in zip(moves, (*turn.rolls[1:], ()), strict=True):
            values = {each.move: each.value for each in solution.moves(position)}
            assert values[move] >= max(values.values()) - solution.tie
            position = position.play(move)
            if roll and position.awaits_roll:
                position = position.roll(roll)


@pytest.mark.parametrize(
    ("id", "games"),
    [
        ("yatzy-forced-order", 100_000),
        pytest.param("yatzy", 1_000_000, marks=pytest.mark.slow),
        pytest.param("yahtzee-free-joker", 1_000_000, marks=pytest.mark.slow),
    ],
)
def test_games_agree_with_the_exact_evaluation(id: str, games: int, solved: Solved) -> None:
    _check_against_exact(solved(id), games)


def test_exponential_utility_agrees_with_the_exact_evaluation() -> None:
    _check_against_exact(ExponentialUtility(load_game("yatzy-forced-order"), 0.02), 100_000)


def _check_against_exact(solution: Solution, count: int) -> None:
    exact, games = evaluate(solution), simulate(solution, count, 4)
    assert len(games) == count
    score = exact.score
    assert abs(games.mean.value - score.mean) < ERRORS * score.sd / math.sqrt(count)
    assert games.mean.error == pytest.approx(score.sd / math.sqrt(count), rel=0.01)
    assert abs(games.sd.value - score.sd) < ERRORS * games.sd.error
    _check_share(games.bonus, exact.bonus)
    assert games.bonus_share.value == games.bonus.mean()
    for percent in (1, 5, 10, 25, 50, 75, 90, 95, 99):
        at = score.percentile(percent)
        _check_share(games.total <= at, 1 - score.at_least(at + 1))
        estimate = games.percentile(percent)
        assert abs(estimate.value - at) <= ERRORS * estimate.error + 1
    for i, result in enumerate(exact.categories):
        mean = games.category_mean(result.category.id)
        assert mean.value == games.points[:, i].mean()
        assert abs(mean.value - result.mean) <= ERRORS * result.points.sd / math.sqrt(count) + 1e-9
        _check_share(games.points[:, i] > 0, result.hit)
    assert np.array_equal(games.total, _totals(games))


def _check_share(which: npt.NDArray[np.bool_], chance: float) -> None:
    error = math.sqrt(max(chance * (1 - chance), 0) / len(which))
    assert abs(which.mean() - chance) <= ERRORS * error + 1e-9


def _totals(games: SimulatedGames) -> npt.NDArray[np.int64]:
    bonus = games.game.bonus
    assert bonus is not None
    assert np.array_equal(games.bonus, games.upper >= bonus.threshold)
    return np.asarray(games.points.sum(axis=1) + games.bonus * bonus.points + games.jokers, np.int64)


def test_summaries_and_their_errors() -> None:
    """By hand on scores 0 … 99, each 100 times."""
    total = np.repeat(np.arange(100, dtype=np.int32), 100)
    none = np.zeros(len(total), np.int32)
    points = np.stack([total, total // 50], axis=1).astype(np.int16)
    games = SimulatedGames(load_game("two-yatzy"), "expected", 1, 0, 0, total, none, none > 0, none, points)
    exact = Distribution(np.full(100, 0.01))
    assert games.mean.value == pytest.approx(49.5)
    assert games.mean.error == pytest.approx(exact.sd / 100)
    assert games.sd.value == pytest.approx(exact.sd)
    assert games.sd.error == pytest.approx(exact.sd * math.sqrt((1.8 - 1) / 4 / 10_000), rel=1e-3)  # kurtosis 1.8
    for percent in (1, 5, 25, 50, 75, 95, 99, 100):
        assert games.percentile(percent).value == exact.percentile(percent)
    assert games.percentile(50).error == pytest.approx(0.5)  # 50 games, that is half a point, to both sides
    assert games.at_least(80).value == pytest.approx(0.2)
    assert games.at_least(80).error == pytest.approx(0.004)
    assert games.bonus_share.value == 0
    second = games.game.categories[1].id
    assert (games.category_mean(second).value, games.category_hit(second).value) == (0.5, 0.5)
    assert games.category_mean(second).error == games.category_hit(second).error == pytest.approx(0.005)


def test_progress_ends_at_the_whole() -> None:
    told: list[tuple[int, int]] = []
    solution = ExpectedScore(load_game("yacht"))  # of so many states that a turn is played in several pieces
    simulate(solution, 10_000, 1, progress=lambda done, all_: told.append((done, all_)))
    whole = 10_000 * len(solution.game.categories)
    assert told[0] == (0, whole)
    assert told[-1] == (whole, whole)
    assert told == sorted(told)
    assert len(told) > 30


def test_what_cannot_be_simulated_is_refused(solved: Solved) -> None:
    solution = solved("two-yatzy")
    for games, seed, name in ((0, 1, "games"), (2**31, 1, "games"), (1, -1, "seed"), (1, 2**64, "seed")):
        with pytest.raises(InputError, match=name):
            simulate(solution, games, seed)
    with pytest.raises(InputError, match="game: -1"):
        replay(solution, 1, -1)


def test_the_limits_of_dice_are_allowed_themselves() -> None:
    for games, seed, first, stream in ((2**31 - 1, 0, 0, 0), (1, 2**64 - 1, 2**31 - 2, 2**16 - 1)):
        check_games(games, seed, first, stream)
    for games, seed, first, stream, told in (
        (0, 0, 0, 0, "games: 0 is not from 1 to 2,147,483,647"),
        (2, 0, 2**31 - 2, 0, "games: 2 is not from 1 to 1"),
        (1, 2**64, 0, 0, "seed"),
        (1, 0, -1, 0, "game: -1"),
        (1, 0, 0, 2**16, "stream: 65536 is not from 0 to 65,535"),
        (1, 0, 0, -1, "stream: -1"),
    ):
        with pytest.raises(InputError, match=told):
            check_games(games, seed, first, stream)
    strategy = parse_strategy("greedy", load_game("two-yatzy"))
    assert list(replay(strategy, 1, 2**31 - 2))
    with pytest.raises(InputError, match="game: 2147483647 is not from 0 to 2,147,483,646"):
        list(replay(strategy, 1, 2**31 - 1))


@pytest.mark.parametrize(("name", "games"), [("expected", 200), ("random", 50)])
def test_workers_play_the_same_games(name: str, games: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote, "TASK", 64)
    monkeypatch.setattr(remote, "SLOW_TASK", 16)
    game, played, told = load_game("two-yatzy"), list[int](), list[tuple[int, int]]()
    run = remote.play_games

    def counted(task: remote.GamesTask) -> SimulatedGames:
        played.append(task.games)
        return run(task)

    monkeypatch.setattr(remote, "play_games", counted)
    with ThreadPoolExecutor(2) as pool:
        solver = Solver(tmp_path, executor=pool)
        strategy = solver.strategy(game, name)
        there = remote.simulate_with(strategy, games, 7, solver, lambda *counts: told.append(counts), stream=2)
    here = remote.simulate_with(strategy, games, 7, Solver(tmp_path), stream=2)
    size = 64 if strategy.in_bulk else 16
    assert sorted(played) == sorted([*[size] * (games // size), games % size]), "nothing is played here"
    for one in (there, simulate(strategy, games, 7, stream=2)):
        assert (one.seed, one.first, one.stream, len(one)) == (7, 0, 2, games)
        assert np.array_equal(one.points, here.points)
        assert np.array_equal(one.total, here.total)
    done = [count for count, _ in told]
    assert (done[0], done[-1], {total for _, total in told}) == (0, games, {games})
    assert sorted(np.diff(done).tolist()) == sorted(played)


def test_workers_do_not_play_a_strategy_of_the_same_name_in_place_of_ones_own(tmp_path: Path) -> None:
    code = tmp_path / "own.py"
    head = "from yatzy.strategies.base import Strategy\nclass Own(Strategy):\n    name = 'greedy'\n"
    code.write_text(
        f"{head}    def __init__(self, game):\n        self.game = game\n"
        "    def move(self, position, earlier=()):\n        return position.legal_moves[0]\n"
    )
    with ThreadPoolExecutor(1) as pool:
        solver = Solver(tmp_path, executor=pool)
        own = solver.strategy(load_game("yacht"), f"{code}:Own", Origin.PERSON)
        assert own.name == "greedy"
        with pytest.raises(InputError, match="greedy: is in a file, which workers elsewhere may not have"):
            remote.simulate_with(own, 10, 1, solver)
        with pytest.raises(InputError, match="greedy: is in a file, which workers elsewhere may not have"):
            run_sample(own, 10, 1, tmp_path / "run", resources=solver)


def test_what_workers_cannot_play_is_refused_before_any_game(tmp_path: Path) -> None:
    code = tmp_path / "own.py"
    code.write_text("class Own:\n    def move(self, position):\n        return position.legal_moves[0]\n")
    with ThreadPoolExecutor(1) as pool:
        solver, game = Solver(tmp_path, executor=pool), load_game("two-yatzy")
        own = solver.strategy(game, f"{code}:Own", Origin.PERSON)
        with pytest.raises(InputError, match="is in a file, which workers elsewhere may not have; leave --on away"):
            remote.simulate_with(own, 10, 1, solver)
        greedy = solver.strategy(game, "greedy")
        for games, seed, stream in ((0, 1, 0), (10, -1, 0), (10, 1, -1)):
            with pytest.raises(InputError):
                remote.simulate_with(greedy, games, seed, solver, stream=stream)


def test_games_that_all_end_alike_do_not_vary() -> None:
    forced = simulate(parse_strategy("expected", load_game("two-yatzy")), 400, 1)
    assert forced.mass.sum() == pytest.approx(1)
    assert forced.mass @ np.arange(len(forced.mass)) == pytest.approx(forced.mean.value)
    alike = replace(forced, total=np.full(400, 7, np.int32))
    assert (alike.mean.value, alike.sd.value, alike.sd.error, alike.variance.value) == (7, 0, 0, 0)
    assert alike.mass.tolist() == [0, 0, 0, 0, 0, 0, 0, 1]


def test_an_event_is_a_bonus_or_points_in_a_category(solved: Solved) -> None:
    games = simulate(parse_strategy("random", load_game("yahtzee")), 300, 3)
    assert games.having("bonus").tolist() == games.bonus.tolist()
    for place, category in enumerate(games.game.categories):
        points = games.points[:, place]
        assert games.having(category.id).tolist() == [bool(one) for one in points.tolist()]
        assert games.category_hit(category.id).value == pytest.approx((points != 0).mean())
        assert games.category_mean(category.id).value == pytest.approx(points.mean())
    assert games.yatzy_share == games.category_hit("yahtzee")
    assert simulate(parse_strategy("random", load_game("two-yatzy")), 3, 3).yatzy_share is None
