"""Curves of chances, objectives and exact evaluation, judged in fractions on small games."""

from __future__ import annotations

import math
import shutil
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from helpers.small_games import CHANCE, FIXED, PAIR

from yatzy import Position, Sheet, advise, load_game
from yatzy.errors import InputError, SizeError
from yatzy.evaluation.distribution import Distribution
from yatzy.evaluation.evaluating import evaluate, turn_results
from yatzy.games import Category, Game, Groups, Keep, Move, Score
from yatzy.kernels import Curves
from yatzy.kernels.curves import SPAN
from yatzy.model import compile_game, most_points
from yatzy.solver import Solver, solve
from yatzy.store import TableKey, TableWriter
from yatzy.strategies.base import Earlier, Strategy
from yatzy.strategies.best import strategy_for
from yatzy.values.curve_layers import build_chances, estimated_bytes, fill_layer, refuse_if_too_large
from yatzy.values.curves import BestChances
from yatzy.values.exact import ExactUtility, every_decision, every_sheet, exact_distribution
from yatzy.values.resources import Resources
from yatzy.values.targets import position_curve
from yatzy.values.utility import UtilityFunction, UtilityScore

SMALL = [game for game in FIXED if game.dice == 2 and game.faces <= 3 and len(game.categories) <= 5]
IDS = [f"{game.id}-{game.faces}" for game in SMALL]
LONG = ("one-roll", "two-rolls", "bonus-out-of-reach")
"""Take as long as all others together, so every decision of theirs is for `make slow`."""
DECIDED = [pytest.param(game, marks=pytest.mark.slow) if game.id in LONG else game for game in SMALL]
ROUNDING = 1e-6
YACHT = load_game("yacht")
Ints = npt.NDArray[Any]


def at_least(game: Game, target: int) -> ExactUtility:
    return ExactUtility(game, lambda points: Fraction(points >= target))


@pytest.mark.parametrize("game", SMALL, ids=IDS)
def test_every_curve_equals_the_fractions(game: Game, tmp_path: Path) -> None:
    chances = BestChances(game, Resources(tmp_path))
    most = most_points(game)
    for target in {most // 3, most // 2, most - 2, most + 1}:
        judge = at_least(game, target)
        for sheet in every_sheet(game):
            exact = float(judge.value(sheet))
            assert chances.curve(sheet).at(target - sheet.points) == pytest.approx(exact, rel=ROUNDING, abs=1e-12)


def test_windows_longer_than_what_is_copied_at_a_time(tmp_path: Path) -> None:
    rich = Category("rich", Groups((2,), points=SPAN + 188))
    game = Game("rich", 2, 3, 2, (PAIR, rich, CHANCE))
    chances = BestChances(game, Resources(tmp_path))
    assert len(chances.curve(Sheet.start(game)).chance) > SPAN
    for target in (1, 9, SPAN - 1, SPAN, SPAN + 1, rich.fixed_points or 0, most_points(game)):
        judge = at_least(game, target)
        for sheet in every_sheet(game):
            exact = float(judge.value(sheet))
            assert chances.curve(sheet).at(target - sheet.points) == pytest.approx(exact, rel=ROUNDING, abs=1e-12)


@pytest.mark.parametrize("game", DECIDED[:8], ids=IDS[:8])
def test_every_decision_for_a_target_equals_the_fractions(game: Game, tmp_path: Path) -> None:
    for target in (most_points(game) // 3, most_points(game) // 2, most_points(game) - 1):
        judge, solution = at_least(game, target), Solver(tmp_path).build(game, f"target:{target}")
        for position in every_decision(game):
            exact = {move: float(v) for move, v in judge.moves(position.sheet, position.dice, position.rolls_left)}
            fast = {entry.move: entry.value for entry in solution.moves(position)}
            assert fast == pytest.approx(exact, rel=ROUNDING, abs=1e-12)
            assert exact[advise(solution, position).best.move] >= max(exact.values()) - ROUNDING


@pytest.mark.parametrize("game", DECIDED[:8], ids=IDS[:8])
def test_score_at_a_chance_follows_from_the_curves(game: Game, tmp_path: Path) -> None:
    chances = BestChances(game, Resources(tmp_path))
    solutions = {p: Solver(tmp_path).build(game, f"chance:{p}") for p in (0.1, 0.5, 0.83)}
    for position in every_decision(game):
        first, curve = position_curve(chances, position)
        for probability, solution in solutions.items():
            value = solution.value(position)
            assert value == first + int((curve >= probability).sum()) - 1
            assert max(entry.value for entry in solution.moves(position)) == value


@pytest.mark.parametrize("game", DECIDED[:10], ids=IDS[:10])
def test_any_utility_equals_the_fractions_at_every_decision(game: Game, tmp_path: Path) -> None:
    """Also one that falls, jumps and wants an even score: nothing may be assumed of it."""
    worths = [(points * 7919) % 11 - 4 + (points % 2) * 3 for points in range(most_points(game) + 1)]
    judge = ExactUtility(game, lambda points: Fraction(worths[points]))
    solution = UtilityScore(game, UtilityFunction(0, tuple(map(float, worths))), Resources(tmp_path))
    for position in every_decision(game):
        exact = {move: float(v) for move, v in judge.moves(position.sheet, position.dice, position.rolls_left)}
        fast = {entry.move: entry.value for entry in solution.moves(position)}
        assert fast == pytest.approx(exact, abs=2e-5)


@pytest.mark.parametrize("game", DECIDED[:8], ids=IDS[:8])
def test_evaluated_exactly_strategies_do_what_fractions_say(game: Game, tmp_path: Path) -> None:
    """The whole distribution of the expected-score and of a target strategy, by following every roll."""
    target = most_points(game) // 2
    for objective in ("expected", f"target:{target}", "exp:0.1", "exp:-0.1"):
        solution = Solver(tmp_path).build(game, objective)
        exact = exact_distribution(game, solution.best)
        score = evaluate(solution).score
        assert score.mass.sum() == pytest.approx(1, abs=1e-12)
        if objective == "expected":  # ties apart, which the two may break differently
            assert score.mean == pytest.approx(float(sum(s * p for s, p in exact.items())), abs=1e-9)
        elif objective.startswith("target"):
            assert score.at_least(target) == pytest.approx(
                float(sum(p for s, p in exact.items() if s >= target)), abs=1e-6
            )
        else:
            theta = float(objective[4:])
            utility = sum(float(p) * math.exp(theta * s) for s, p in exact.items())
            assert score.mass @ np.exp(theta * np.arange(len(score))) == pytest.approx(utility, rel=1e-9)
            assert solution.value(Position.start(game)) == pytest.approx(math.log(utility) / theta, abs=1e-9)


@cache
def score_of(objective: str) -> Distribution:
    return evaluate(solve(YACHT, objective)).score


@pytest.mark.parametrize("objective", ["expected", "target:200", "exp:0.02", "exp:-0.02"])
def test_best_policy_evaluated_gives_its_own_value(objective: str, tables: Path) -> None:
    solution = solve(YACHT, objective)
    value, score = solution.value(Position.start(YACHT)), score_of(objective)
    if objective == "expected":
        assert score.mean == pytest.approx(value, abs=1e-9)
    elif objective == "target:200":
        assert score.at_least(200) == pytest.approx(value, abs=ROUNDING)
    else:
        theta = float(objective[4:])
        assert math.log(score.mass @ np.exp(theta * np.arange(len(score)))) / theta == pytest.approx(value, abs=1e-9)


def test_cross_evaluation_no_strategy_beats_the_one_made_for_the_aim() -> None:
    scores = {name: score_of(name) for name in ("expected", "target:200", "target:150")}
    for name, score in scores.items():
        assert score.mean <= scores["expected"].mean + 1e-9, name
        assert score.at_least(200) <= scores["target:200"].at_least(200) + 1e-7, name
        assert score.at_least(150) <= scores["target:150"].at_least(150) + 1e-7, name
    assert scores["target:200"].mean < scores["expected"].mean - 1


def test_evaluation_from_the_middle_of_a_turn() -> None:
    solution = solve(YACHT, "expected")
    sheet = Sheet.of_boxes(YACHT, (3, None, 9, None, None, 24, None, None, 30, None, 20, 0))
    for position in (Position((sheet,)), Position((sheet,), (2, 2, 4, 5, 5), 2), Position((sheet,), (5, 5), 1)):
        result = evaluate(solution, position)
        assert result.score.mean == pytest.approx(solution.value(position), abs=1e-9)
        assert result.score.lowest >= sheet.points
        assert {entry.category.id for entry in result.categories} == {YACHT.categories[i].id for i in sheet.open}
        assert sum(entry.mean for entry in result.categories) + sheet.points == pytest.approx(result.score.mean)
        assert sum(turn_results(strategy_for(solution), position).values()) == pytest.approx(1)


class Greedy(Strategy):
    """Keeps everything and takes the most points it can get at once."""

    name = "greedy"

    def __init__(self, game: Game) -> None:
        self.game = game

    def move(self, position: Position, earlier: Earlier = ()) -> Move:
        if position.rolls_left:
            return Keep(position.dice)
        return max(
            (move for move in position.legal_moves if isinstance(move, Score)),
            key=lambda move: position.placement(move).points,
        )


@pytest.mark.parametrize("game", SMALL[:8], ids=IDS[:8])
def test_any_strategy_object_is_evaluated_exactly(game: Game, tmp_path: Path) -> None:
    result = evaluate(Greedy(game))
    exact = exact_distribution(game, Greedy(game).move)
    assert {s: float(p) for s, p in enumerate(result.score.mass) if p} == pytest.approx(
        {s: float(p) for s, p in exact.items()}
    )
    jokers = result.score.mean - sum(c.mean for c in result.categories) - _bonus(game) * result.bonus
    assert jokers == pytest.approx(0, abs=1e-12) if game.joker is None else jokers > -1e-12
    best = evaluate(Solver(tmp_path).build(game, "expected"))
    assert result.strategy == "greedy"
    assert result.score.mean <= best.score.mean + 1e-12


def _bonus(game: Game) -> int:
    return game.bonus.points if game.bonus else 0


def test_a_strategy_object_from_the_middle_of_a_turn() -> None:
    sheet = Sheet.of_boxes(YACHT, (3, *(0,) * 9, None, None))
    result = evaluate(Greedy(YACHT), Position((sheet,), (1, 2, 2, 6, 6), 1))
    assert result.score.at_least(3 + 17) == pytest.approx(1)
    assert [entry.category.id for entry in result.categories] == ["choice", "yacht"]


def test_categories_and_bonus_add_up_to_the_mean() -> None:
    for id in ("yahtzee-plain", "yatzy-forced-order"):
        game = load_game(id)
        result = evaluate(solve(game))
        assert game.bonus is not None
        total = sum(entry.mean for entry in result.categories) + game.bonus.points * result.bonus
        assert total == pytest.approx(result.score.mean, abs=1e-9)
        assert all(entry.points.mass.sum() == pytest.approx(1) for entry in result.categories)


def test_curves_fall_from_one_to_nothing(tables: Path) -> None:
    """In every state: between 0 and 1, never rising, and above 0 up to the most points."""
    chances = BestChances(YACHT)
    states = compile_game(YACHT).states
    for layer in range(states.layers):
        count = int(states.layer_start[layer + 1] - states.layer_start[layer])
        offset = chances.table.read(layer, "offset", 0, count + 1)
        low = chances.table.read(layer, "low", 0, count)
        values = chances.table.read(layer, "chance", 0, int(offset[-1]))
        assert (low >= 1).all()
        assert ((values > 0) & (values < 1)).all()
        falls = np.diff(values.astype(np.float64)) <= 1e-7
        falls[offset[1:-1] - 1] = True  # from one curve to the next
        assert falls.all()


@pytest.mark.slow
def test_single_precision_on_disk_is_within_a_millionth_of_double(tmp_path: Path) -> None:
    compiled = compile_game(YACHT)
    curves = {}
    for name, dtype in (("single", np.float32), ("double", np.float64)):
        key = TableKey("yacht", YACHT.hash, name, compiled.states.layers)
        with TableWriter(tmp_path, key) as writer:
            build_chances(compiled, writer, dtype=dtype)
            curves[name] = [
                [np.array(writer.array(layer, part)) for part in ("low", "offset", "chance")]
                for layer in range(compiled.states.layers)
            ]
    worst = relative = 0.0
    for single, double in zip(curves["single"], curves["double"], strict=True):
        for state in range(len(single[0])):
            exact = double[2][double[1][state] : double[1][state + 1]]
            first = single[0][state] - double[0][state]
            assert (exact[:first] > 1 - ROUNDING).all()
            stored = single[2][single[1][state] : single[1][state + 1]].astype(np.float64)
            error = np.abs(stored - exact[first:])
            worst = max(worst, error.max(initial=0.0))
            relative = max(relative, (error / exact[first:]).max(initial=0.0))
    assert 0 < worst < ROUNDING
    assert relative < ROUNDING, "tails keep their relative precision"


def test_an_unreachable_target_says_nothing_and_still_advises() -> None:
    """No chance of 250 with one category left: then the expected score decides."""
    sheet = Sheet.of_boxes(YACHT, (None, None, *(0,) * 10))
    position = Position((sheet,), (1, 1, 1, 2, 2), 0)
    target = advise(solve(YACHT, "target:250"), position)
    expected = advise(solve(YACHT, "expected"), position)
    assert target.value == 0
    assert target.best.move == expected.best.move
    assert [entry.best for entry in target.moves] == [True, False]
    rolling = Position((sheet,), (1, 1, 2, 3, 4), 2)
    assert advise(solve(YACHT, "target:250"), rolling).best.move == advise(solve(YACHT, "expected"), rolling).best.move


def test_a_certain_target_goes_on_for_points() -> None:
    sheet = Sheet.of_boxes(YACHT, (None, None, *(0,) * 8, 30, 50))
    for dice in ((1, 1, 2, 3, 4), (2, 2, 2, 5, 6)):
        position = Position((sheet,), dice, 1)
        target = advise(solve(YACHT, "target:80"), position)
        assert target.value == 1
        assert target.best.move == advise(solve(YACHT, "expected"), position).best.move


def test_the_most_points_are_a_target_and_one_more_is_refused(tmp_path: Path) -> None:
    game = SMALL[0]
    most = most_points(game)
    assert Solver(tmp_path).build(game, f"target:{most}").value(Position.start(game)) > 0
    with pytest.raises(InputError, match=f"a whole number from 1 to {most}$"):
        Solver(tmp_path).build(game, f"target:{most + 1}")


class StopHereError(Exception):
    pass


def test_an_interrupted_table_of_curves_goes_on(tmp_path: Path) -> None:
    whole = BestChances(YACHT, Resources(tmp_path / "whole")).table.path.read_bytes()
    for stop in (0.2, 0.6, 0.9):
        folder, seen = tmp_path / str(stop), list[float]()

        def interrupt(done: int, total: int, stop: float = stop) -> None:
            if done > stop * total:
                raise StopHereError

        def watch(done: int, total: int, seen: list[float] = seen) -> None:
            seen.append(done / total)

        with pytest.raises(StopHereError):
            BestChances(YACHT, Resources(folder, progress=lambda *_: interrupt))
        again = BestChances(YACHT, Resources(folder, progress=lambda *_: watch))
        assert seen[1] > stop - 0.25, "finished layers were computed again"
        assert again.table.path.read_bytes() == whole


def test_threads_do_not_change_a_curve(tmp_path: Path) -> None:
    one, three = (BestChances(YACHT, Resources(tmp_path / str(n), threads=n)).table.path.read_bytes() for n in (1, 3))
    assert one == three


def test_a_game_that_does_not_fit_is_refused_with_its_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("yatzy.values.curve_layers.physical_memory", lambda: 8 * 2**30)
    game = load_game("maxi-yatzy")
    gib = estimated_bytes(game) / 2**30
    with pytest.raises(SizeError, match=rf"maxi-yatzy would take about {gib:,.1f} GiB on disk .* and 8\.0 GiB$"):
        refuse_if_too_large(game, tmp_path)
    with pytest.raises(SizeError):
        BestChances(game, Resources(tmp_path))
    assert not list(tmp_path.glob("*.table"))


def test_an_interrupted_table_needs_room_for_the_rest_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    size, free = estimated_bytes(YACHT), 1000
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: SimpleNamespace(free=free))
    refuse_if_too_large(YACHT, tmp_path, size - free)
    with pytest.raises(SizeError):
        refuse_if_too_large(YACHT, tmp_path, size - free - 1)


def test_percentiles_and_mode_of_a_known_distribution() -> None:
    score = Distribution(np.array([0.0, 0.25, 0.5, 0.0, 0.25]))
    assert (score.mean, score.mode, score.lowest, score.highest) == (2.25, 2, 1, 4)
    assert score.sd == pytest.approx(math.sqrt(1.1875))
    assert [score.percentile(p) for p in (1, 25, 26, 50, 75, 76, 99)] == [1, 1, 2, 2, 2, 4, 4]
    assert [score.at_least(s) for s in (-3, 0, 1, 2, 3, 4, 5)] == [1, 1, 1, 0.75, 0.25, 0.25, 0]


def test_moves_are_the_legal_ones() -> None:
    position = Position.start(YACHT).roll((1, 2, 2, 6, 6))
    for objective in ("target:180", "chance:0.5", "exp:0.03"):
        moves = [entry.move for entry in solve(YACHT, objective).moves(position)]
        assert tuple(moves) == position.legal_moves


def test_progress_grows_with_every_block_and_ends_with_all(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    BestChances(YACHT, Resources(tmp_path, progress=lambda *_: lambda done, total: told.append((done, total))))
    done = [one for one, _ in told]
    assert len({total for _, total in told}) == 1
    assert done == sorted(set(done))
    assert (done[0], done[-1]) == (0, told[0][1])


def test_only_scores_that_are_neither_certain_nor_impossible_are_stored(tmp_path: Path) -> None:
    table = BestChances(YACHT, Resources(tmp_path)).table
    stored = 0
    for layer, states in enumerate(np.diff(compile_game(YACHT).states.layer_start).tolist()):
        count = int(table.read(layer, "offset", states, states + 1)[0])
        chance = table.read(layer, "chance", 0, count)
        assert ((chance > 0) & (chance < 1)).all()
        stored += count
    assert stored == 521_106


def test_the_estimate_of_a_table_counts_two_thirds_of_the_jokers() -> None:
    with_jokers = load_game("yahtzee")
    assert with_jokers.joker is not None
    without = replace(with_jokers, joker=replace(with_jokers.joker, points=0))
    more = estimated_bytes(with_jokers) - estimated_bytes(without)
    states = len(compile_game(with_jokers).states)
    assert more == pytest.approx(states * (13 * 100 * 2 / 3) / 2 * 4, rel=0.01)


@pytest.mark.parametrize("game", [game for game in SMALL if not game.forced_order], ids=lambda game: game.id)
def test_layers_filled_by_others_make_the_same_curves(game: Game, tmp_path: Path) -> None:
    compiled, chances = compile_game(game), BestChances(game, Resources(tmp_path))
    after: Curves | None = None
    for layer in reversed(range(compiled.states.layers)):
        stored, asked = chances.curves(layer), list[tuple[int, int]]()

        def fill(
            below: Curves, first: int, end: int, least: Ints, offset: Ints, chance: Ints, stored: Curves = stored,
            before: Curves | None = after, asked: list[tuple[int, int]] = asked,
        ) -> None:  # fmt: skip
            """The stored chances, at any score of the windows."""
            assert below is before
            asked.append((first, end))
            length = np.diff(stored.offset)
            for state in range(end - first):
                window = least[state] + np.arange(offset[state + 1] - offset[state])
                place = window - stored.low[state]
                inside = (place >= 0) & (place < length[state])
                own = np.where(place < 0, np.float32(1), np.float32(0))
                own[inside] = stored.chance[stored.offset[state] + place[inside]]
                chance[offset[state] : offset[state + 1]] = own

        found = fill_layer(compiled, after, layer, fill, threads=2)
        for name in ("first", "low", "offset", "chance"):
            assert np.array_equal(getattr(found, name), getattr(stored, name)), (layer, name)
        first, end = compiled.states.layer_start[layer : layer + 2].tolist()
        assert asked == ([] if after is None else [(first, end)])
        after = found


@pytest.mark.parametrize("game", SMALL[:4], ids=IDS[:4])
def test_a_score_at_a_chance_is_the_highest_that_is_likely_enough_from_every_sheet(game: Game, tmp_path: Path) -> None:
    solver = Solver(tmp_path)
    chances = solver.chances(game)
    for probability in (0.05, 0.5, 0.9):
        solution = solver.build(game, f"chance:{probability}")
        for sheet in every_sheet(game):
            best = int(solution.value(sheet))
            curve = chances.curve(sheet)
            assert curve.at(best - sheet.points) >= probability > curve.at(best + 1 - sheet.points)
            assert solution.worth(sheet, sheet) == best
