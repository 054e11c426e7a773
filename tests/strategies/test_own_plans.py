"""A rule over a strategy, and turns as arrays: evaluated exactly, as the moves say and as fractions say."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers.command import yatzy as command_line
from helpers.small_games import FIXED
from numba import njit

import yatzy
from yatzy import Game, Keep, Position, Score, Sheets, from_arrays, load_game, override
from yatzy.errors import InputError, StrategyError
from yatzy.evaluation import checkpoints
from yatzy.evaluation.evaluating import _follow, evaluate, evaluation_cost
from yatzy.games import Move
from yatzy.lab import replay, simulate
from yatzy.lab.results import result_key
from yatzy.model import compile_game
from yatzy.names import Origin
from yatzy.solver import parse_strategy
from yatzy.strategies.base import DependsOn, Strategy
from yatzy.strategies.exported import export_strategy
from yatzy.values.exact import exact_distribution

BY_ID = {game.id: game for game in FIXED}
SMALL = [BY_ID[id] for id in ("three-dice", "forced-mixed", "no-upper")] + [game for game in FIXED if game.joker][:3]
ERRORS = 4


def keep_pair(dice: Sequence[int], rolls_left: int) -> Move | None:
    """Keeps exactly the highest pair."""
    pair = max((die for die in dice if dice.count(die) >= 2), default=0)
    return Keep((pair, pair)) if pair and rolls_left else None


def keep_all(dice: Sequence[int], rolls_left: int, open: frozenset[str]) -> str | None:
    """Keeps all dice while an even number of categories is open; that is text, and depends on the filled ones."""
    return "".join(map(str, dice)) if rolls_left and len(open) % 2 == 0 else None


def early(dice: Sequence[int], rolls_left: int, open: frozenset[str]) -> Move | None:
    """Scores at once what is best left to the end."""
    return Score("face-1") if rolls_left == 1 and dice[0] == 1 and "face-1" in open else None


def by_missing(dice: Sequence[int], rolls_left: int, open: frozenset[str], missing: int) -> Move | None:
    return Keep(()) if rolls_left and missing % 2 else None


def by_box(dice: Sequence[int], rolls_left: int, open: frozenset[str], missing: int, box: int) -> Move | None:
    return Keep(tuple(dice[:1])) if rolls_left and box == 2 else None


def same(strategy: Strategy, game: Game) -> None:
    """The fast evaluation, that of single moves, and fractions agree."""
    fast, slow = evaluate(strategy), _follow(strategy, Position.start(game))
    judged = exact_distribution(game, strategy.move)
    assert fast.score.mean == pytest.approx(float(sum(p * x for x, p in judged.items())), abs=1e-12)
    for score, chance in judged.items():
        assert fast.score.mass[score] == pytest.approx(float(chance), abs=1e-13)
    assert fast.bonus == pytest.approx(slow.bonus, abs=1e-12)
    for mine, theirs in zip(fast.categories, slow.categories, strict=True):
        assert (mine.mean, mine.hit) == pytest.approx((theirs.mean, theirs.hit), abs=1e-11)


@pytest.mark.parametrize("rule", [keep_pair, keep_all, early, by_missing, by_box])
@pytest.mark.parametrize("game", SMALL, ids=lambda game: game.id)
def test_a_rule_is_evaluated_as_its_moves_say(game: Game, rule: Callable[..., Any]) -> None:
    if rule is early and ("face-1" not in game.category_index or game.joker or game.forced_order):
        pytest.skip("the rule does not fit the game")
    strategy = override(yatzy.solve(game), rule)
    assert strategy.in_bulk
    same(strategy, game)


def test_a_rule_changes_what_it_says_and_nothing_else() -> None:
    game = load_game("two-yatzy")
    base, strategy = yatzy.solve(game), override(yatzy.solve(game), keep_pair)
    pair, no_pair = Position.start(game).roll((1, 1)), Position.start(game).roll((1, 2))
    assert strategy.move(pair) == Keep((1, 1))
    assert strategy.move(no_pair) == base.best(no_pair)
    never = override(base, lambda dice, rolls_left: None)
    assert evaluate(never).score.mass == pytest.approx(evaluate(base).score.mass, abs=1e-15)
    assert evaluate(strategy).score.mean < evaluate(base).score.mean


def masked_pair(dice: Any, rolls_left: Any) -> Any:
    if rolls_left == 0:
        return -1
    for i in range(len(dice) - 1, 0, -1):
        if dice[i] == dice[i - 1]:
            return 3 << (i - 1)
    return -1


def masked_last(dice: Any, rolls_left: Any, filled: Any, missing: Any, box: Any) -> Any:
    """Scores the last category if the bonus is not settled and the category is open."""
    last = 3
    if rolls_left == 0 and missing > 0 and not filled >> last & 1 and dice[0] != dice[-1]:
        return last + 128 * (dice[0] == 1)
    return -1


compiled_pair, compiled_last = njit(masked_pair), njit(masked_last)


def test_a_compiled_rule_says_the_same() -> None:
    game = load_game("yatzy-forced-order")
    plain, compiled = (override(yatzy.solve(game), rule) for rule in (keep_pair, compiled_pair))
    assert evaluate(compiled).score.mass == pytest.approx(evaluate(plain).score.mass, abs=1e-15)
    assert np.array_equal(simulate(compiled, 500, 3).points, simulate(plain, 500, 3).points)
    assert replay(compiled, 3, 7) == replay(plain, 3, 7)


def test_a_compiled_rule_of_the_state_is_judged() -> None:
    game = BY_ID["three-dice"]
    strategy = override(yatzy.solve(game), compiled_last)
    same(strategy, game)
    assert evaluate(strategy).score.mean < evaluate(yatzy.solve(game)).score.mean


@pytest.mark.parametrize("base", ["molinder-bonus", "greedy"])
def test_a_rule_over_a_strategy_that_a_person_can_follow(base: str) -> None:
    """Aims stay: the plans of whole turns play what single moves say."""
    game = load_game("yatzy")
    strategy = override(parse_strategy(base, game), keep_pair)
    assert strategy.depends_on is (DependsOn.FILLED if base.startswith("molinder") else DependsOn.STATE)
    games = simulate(strategy, 2000, 5)
    for row in range(5):
        assert sum(turn.points + turn.bonuses for turn in replay(strategy, 5, row)) == games.total[row]


def test_early_scores_are_played_in_bulk_and_one_by_one() -> None:
    game = BY_ID["three-rolls"]
    strategy = override(yatzy.solve(game), early)
    games, exact = simulate(strategy, 20_000, 1), evaluate(strategy)
    assert abs(games.mean.value - exact.score.mean) < ERRORS * games.mean.error
    for row in range(20):
        assert sum(turn.points + turn.bonuses for turn in replay(strategy, 1, row)) == games.total[row]


def test_what_cannot_be_exported(tmp_path: Path) -> None:
    game = BY_ID["three-rolls"]
    with pytest.raises(InputError, match="expected\\+early cannot be exported: it scores with rolls left"):
        export_strategy(override(yatzy.solve(game), early), tmp_path / "early.yz")
    path = tmp_path / "pair.yz"
    pair = override(yatzy.solve(game), keep_pair)
    export_strategy(pair, path)
    exported = parse_strategy(f"file:{path}", game, origin=Origin.PERSON)
    assert evaluate(exported).score.mass == pytest.approx(evaluate(pair).score.mass, abs=1e-15)


def test_a_rule_of_the_position_or_over_a_random_player_is_played_move_by_move() -> None:
    game = load_game("two-yatzy")

    def early_ones(position: Position) -> str | None:
        return "ones" if position.rolls_left == 0 and position.sheet.filled == 0 else None

    strategy = override(yatzy.solve(game), early_ones, name="ones first")
    assert not strategy.in_bulk
    judged = exact_distribution(game, strategy.move)
    assert evaluate(strategy).score.mean == pytest.approx(float(sum(p * x for x, p in judged.items())))
    soft = override(parse_strategy("softened:1", game), keep_pair)
    assert soft.mixed
    assert evaluate(soft).score.mean == pytest.approx(simulate(soft, 4000, 1).mean.value, abs=0.1)


@pytest.mark.parametrize(
    ("rule", "says"),
    [
        (lambda dice, left: "seven", r"'seven' is not a move, with the dice 11 and 0 rolls left"),
        (lambda dice, left: 7, r"7 is not a move"),
        (lambda dice, left: Keep((2, 2)), r"illegal move 22, with the dice 11 and 0 rolls left"),
        (lambda dice, left: Score("sixes"), r"two-yatzy has no category 'sixes'"),
        (
            lambda dice, left: None if left else "ones",
            r"ones is not allowed with the dice 11 and 0 rolls left; open: twos",
        ),
        (lambda dice, left: 1 / 0, r"ZeroDivisionError: division by zero, with the dice 11 and 0 rolls left"),
        (njit(lambda dice, left: 4), r"4 is neither -1 nor the number of a category|4 is neither -1 nor the mask"),
        (njit(lambda dice, left: -2), r"-2 is neither -1 nor"),
        (njit(lambda dice, left: dice.nothing), r"TypingError"),
    ],
)
def test_bad_rules_get_one_line(rule: Callable[..., Any], says: str) -> None:
    with pytest.raises(StrategyError, match=says) as caught:
        evaluate(override(yatzy.solve(load_game("two-yatzy")), rule))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("rule", [lambda: None, lambda a, b, c, d, e, f: None, 7, njit(lambda position: -1)])
def test_what_is_no_rule(rule: Any) -> None:
    with pytest.raises(InputError, match="rule is a function of"):
        override(yatzy.solve(load_game("two-yatzy")), rule)


def test_kept_results_know_the_code_of_a_rule() -> None:
    base, least = yatzy.solve(load_game("two-yatzy")), 2

    def make(least: int) -> Strategy:
        def rule(dice: Sequence[int], rolls_left: int) -> Move | None:
            return Keep(()) if rolls_left and sum(dice) <= least else None

        return override(base, rule)

    one, again, other = (result_key(make(number)) for number in (least, least, least + 1))
    assert one == again
    assert one["strategy"] == other["strategy"] == "expected+rule"
    assert one["code"] != other["code"]


# Whole turns as arrays


def sixes(sheets: Sheets) -> tuple[Any, Any]:
    """Keeps the highest face, and fills the first category that may be filled."""
    top = sheets.rolls == sheets.game.faces
    return top @ (1 << np.arange(sheets.game.dice)), np.argmax(sheets.available, axis=1)[:, None]


class Sixes:
    """The same, move by move."""

    def move(self, position: Position) -> Move:
        if position.rolls_left:
            return Keep(tuple(die for die in position.dice if die == position.game.faces))
        return Score(position.game.categories[position.sheet.available[0]].id)


@pytest.mark.parametrize("game", [game for game in SMALL if not game.joker], ids=lambda game: game.id)
@pytest.mark.parametrize("depends_on", ["filled", "state"])
def test_arrays_are_evaluated_as_moves(game: Game, depends_on: str) -> None:
    strategy = from_arrays(game, sixes, depends_on=depends_on)
    for position in (Position.start(game).roll((1,) * game.dice),):
        assert strategy.move(position) == Sixes().move(position)
    judged = exact_distribution(game, Sixes().move)
    found = evaluate(strategy).score.mass
    assert {x: float(p) for x, p in judged.items()} == pytest.approx(
        {x: float(found[x]) for x in np.flatnonzero(found).tolist()}, abs=1e-13
    )


def test_arrays_with_aims_and_strikes() -> None:
    """After the first roll, aim 1 keeps all dice and strikes; aim 0 is as above."""
    game = load_game("two-yatzy")

    def turns(sheets: Sheets) -> tuple[Any, Any, Any]:
        first = np.argmax(sheets.available, axis=1)[:, None]
        keep = np.stack([np.zeros(len(sheets.rolls), int), np.full(len(sheets.rolls), 3)])
        return keep, np.stack([first, first + 128], axis=1), (sheets.rolls[:, 0] == 1).astype(int)

    strategy = from_arrays(game, turns, aims=2)
    mean = 3 / 4 * 0 + 1 / 4 * (1 + 2)  # the first roll is 22 with 1/4; then both dice are rolled once more
    assert evaluate(strategy).score.mean == pytest.approx(mean)
    assert simulate(strategy, 20_000, 1).mean.value == pytest.approx(mean, abs=0.05)


@pytest.mark.parametrize(
    ("turns", "says"),
    [
        (lambda sheets: 1 / 0, "ZeroDivisionError"),
        (lambda sheets: 3, "must return 2 arrays: keep, category"),
        (lambda sheets: (0.5, 0), "keep must be an array of integers, not of float64"),
        (lambda sheets: (np.zeros(7, int), 0), r"keep does not fit the shape \(1, 1, 3\)"),
        (lambda sheets: (4, 0), "keep: 4 is not from 0 to 3"),
        (lambda sheets: (0, 2), "category 2 is not allowed with the dice 11 and 0 rolls left; open: ones, twos"),
        (lambda sheets: (0, 0), "category 0 is not allowed with the dice 11 and 0 rolls left; open: twos"),
    ],
)
def test_bad_arrays_get_one_line(turns: Callable[[Sheets], Any], says: str) -> None:
    with pytest.raises(StrategyError, match=says):
        evaluate(from_arrays(load_game("two-yatzy"), turns))


def test_arguments_that_are_refused() -> None:
    with pytest.raises(InputError, match="'points' is neither 'filled' nor 'state'"):
        from_arrays(load_game("two-yatzy"), sixes, depends_on="points")
    with pytest.raises(InputError, match="'filled' is not enough for yahtzee, which has a Joker rule"):
        from_arrays(load_game("yahtzee"), sixes, depends_on="filled")
    with pytest.raises(InputError, match="aims: 0 is not from 1"):
        from_arrays(load_game("two-yatzy"), sixes, aims=0)


# Time, progress and resuming


def test_the_time_of_the_users_code_is_known_beforehand() -> None:
    game = load_game("yatzy")

    def slow(dice: Sequence[int], rolls_left: int, open: frozenset[str]) -> None:
        sum(range(100))

    by_dice, by_sets = (evaluation_cost(override(yatzy.solve(game), rule)) for rule in (keep_pair, slow))
    assert 0 < by_dice.user_seconds < 1 < by_sets.user_seconds
    assert by_sets.seconds(1) > by_sets.seconds(2) > by_sets.user_seconds
    assert evaluation_cost(yatzy.solve(game)).user_seconds == 0


class StopError(Exception):
    pass


def test_an_interrupted_evaluation_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is stopped three times, also in the middle of a layer, and ends with the same result."""
    monkeypatch.setattr(checkpoints, "EVERY", 0.0)
    monkeypatch.setattr("yatzy.evaluation.forward_pass.STEP", 16)
    game = load_game("yatzy-forced-order")
    sheet = yatzy.Sheet.start(game).fill(0, 3, 0)
    start = Position((sheet,))
    strategy = override(yatzy.solve(game), keep_pair)
    whole, steps = evaluate(strategy, start, split="bonus"), list[int]()
    evaluate(strategy, start, split="bonus", progress=lambda done, total: steps.append(done))
    steps = sorted(set(steps))
    within = [step for step in steps if step not in compile_game(game).states.layer_start]
    stops = [steps[2], within[len(within) // 2], steps[-2]]
    runs = list[list[int]]()
    for stop in stops:

        def watch(done: int, total: int, stop: int = stop) -> None:
            runs[-1].append(done)
            if done > stop:
                raise StopError

        runs.append([])
        with pytest.raises(StopError):
            evaluate(strategy, start, progress=watch, split="bonus", checkpoints=tmp_path)
    runs.append([])
    found = evaluate(
        strategy, start, progress=lambda done, total: runs[-1].append(done), split="bonus", checkpoints=tmp_path
    )
    assert [run[0] for run in runs] == [steps[0], *stops]
    assert np.array_equal(found.score.mass, whole.score.mass)
    assert all(np.array_equal(mine, theirs) for mine, theirs in zip(found.parts, whole.parts, strict=True))
    assert found.bonus == whole.bonus
    assert [one.mean for one in found.categories] == [one.mean for one in whole.categories]
    assert list(tmp_path.iterdir()) == []


def test_a_damaged_or_foreign_checkpoint_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoints, "EVERY", 0.0)
    game = load_game("yatzy-forced-order")

    def stop(done: int, total: int) -> None:
        if done > 5:
            raise StopError

    def unfinished(strategy: Strategy) -> None:
        with pytest.raises(StopError):
            evaluate(strategy, progress=stop, checkpoints=tmp_path)

    first, other = (override(yatzy.solve(game), rule) for rule in (keep_pair, lambda dice, left: None))
    unfinished(first)
    (path,) = tmp_path.iterdir()
    path.write_bytes(path.read_bytes()[:-1] + b"\0")
    assert np.array_equal(evaluate(first, checkpoints=tmp_path).score.mass, evaluate(first).score.mass)
    unfinished(first)
    assert np.array_equal(evaluate(other, checkpoints=tmp_path).score.mass, evaluate(other).score.mass)
    assert len(list(tmp_path.iterdir())) == 1


FILE = """
from yatzy import Keep, override, solve

def pairs(game):
    return override(solve(game), keep_pair)

def keep_pair(dice, rolls_left):
    pair = max((die for die in dice if dice.count(die) >= 2), default=0)
    return Keep((pair, pair)) if pair and rolls_left else None
"""


def test_a_function_in_a_file_is_a_strategy(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(FILE)
    done = command_line(
        "distribution", "--game", "two-yatzy", "--strategy", "mine.py:pairs", "--checkpoints", "saved", "--json",
        cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    expected = evaluate(override(yatzy.solve(load_game("two-yatzy")), keep_pair)).score.mean
    assert json.loads(done.stdout)["mean"] == pytest.approx(expected)
    done = command_line("distribution", "--game", "two-yatzy", "--strategy", "mine.py:nothing", cwd=tmp_path)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "mine.py has no class or function nothing" in done.stderr


@pytest.mark.parametrize("arguments", [2, 3, 4, 5])
def test_no_sheets_have_no_turns(arguments: int) -> None:
    """A rule is asked about whatever is left to plan, which may be nothing."""
    rules: list[Callable[..., Any]] = [
        lambda dice, left: None,
        lambda dice, left, open: None,
        lambda dice, left, open, missing: None,
        lambda dice, left, open, missing, box: None,
    ]
    planned = override(yatzy.solve(load_game("two-yatzy")), rules[arguments - 2]).planned
    assert planned is not None
    assert len(planned.plans(1, np.empty(0, np.int64))) == 0
