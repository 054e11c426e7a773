"""Matches in bulk: EMP(1) by the kernels against the search, seats against games played alone."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from yatzy import Position, Sheet, load_game
from yatzy.errors import InputError
from yatzy.evaluation.evaluating import evaluate
from yatzy.games import Score
from yatzy.kernels.curves import Curves
from yatzy.kernels.duel import Rivals, find_worths, judge_outcomes
from yatzy.kernels.outcomes import find_outcomes
from yatzy.lab import duel, remote, simulate, table_exactly
from yatzy.lab.batch_player import BatchPlayer
from yatzy.lab.duel import EmpPlayer, SoloPlayer, parse_duellist, play_matches, play_off, play_seats
from yatzy.matches.search import MatchSearch
from yatzy.model import compile_game, most_points
from yatzy.names.payoffs import match_points
from yatzy.solver import Solver, parse_strategy
from yatzy.values.arrays import exact_turn_arrays
from yatzy.values.curves import BestChances
from yatzy.values.tables import block_of

YACHT = load_game("yacht")
Chances = Callable[[str], BestChances]
ERRORS = 4


def test_seats_that_ignore_each_other_play_as_if_alone() -> None:
    one, other = (parse_strategy(name, YACHT) for name in ("expected", "greedy"))
    matches = play_matches(SoloPlayer(one), SoloPlayer(other), 500, 9)
    assert np.array_equal(matches.first.points, simulate(one, 500, 9, stream=0).points)
    assert np.array_equal(matches.second.points, simulate(other, 500, 9, stream=1).points)
    sign = np.sign(matches.first.total - matches.second.total)
    assert matches.points.tolist() == [{1: 1.0, 0: 0.5, -1: 0.0}[int(s)] for s in sign]


def test_matches_take_no_memory_for_traces() -> None:
    chances = BestChances(load_game("two-yatzy"))
    greedy = parse_strategy("greedy", chances.game)
    for seat in (EmpPlayer(chances), EmpPlayer(chances, 1.0), SoloPlayer(greedy)):
        player = seat.sit(50, 1, 0, 0)
        assert (len(player), player.trace.nbytes, player.joker.nbytes) == (50, 0, 0), seat.name


def test_progress_goes_from_none_to_all_turns_of_both() -> None:
    greedy, told = SoloPlayer(parse_strategy("greedy", YACHT)), list[tuple[int, int]]()
    play_matches(greedy, greedy, 1, 1, progress=lambda done, total: told.append((done, total)))
    assert told == [(done, 24) for done in range(25)]


def test_the_second_half_of_a_play_off_goes_on_where_the_first_ended() -> None:
    greedy, told = SoloPlayer(parse_strategy("greedy", YACHT)), list[tuple[int, int]]()
    play_off(greedy, greedy, 1, 1, progress=lambda done, total: told.append((done, total)))
    assert told == [(done, 48) for done in (*range(25), *range(24, 49))]


@pytest.mark.parametrize(("first", "size"), [("expected", 64), ("match:emp:1", 16)])
def test_workers_play_the_same_play_off(first: str, size: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote, "PAIRS", 64)
    monkeypatch.setattr(remote, "SLOW_PAIRS", 16)
    game, told, threads = load_game("two-yatzy"), list[tuple[int, int]](), list[int | None]()

    def counted(one: Any, other: Any, games: int, seed: int, number: int | None = None, **more: Any) -> Any:
        threads.append(number)
        return play_matches(one, other, games, seed, number, **more)

    monkeypatch.setattr(remote, "play_matches", counted)
    with ThreadPoolExecutor(2) as pool:
        solver = Solver(tmp_path, executor=pool)
        solver.chances(game)
        players = [parse_duellist(name, game, solver) for name in (first, "greedy")]
        there = remote.play_off_with(players[0], players[1], 100, 3, solver, lambda *counts: told.append(counts))
    here = remote.play_off_with(players[0], players[1], 100, 3, Solver(tmp_path))
    assert set(threads) == {1}, "a worker has one core"
    for one in (there, play_off(players[0], players[1], 100, 3)):
        assert one.names == here.names
        for mine, theirs in zip(one.matches, here.matches, strict=True):
            assert np.array_equal(mine.first.points, theirs.first.points)
            assert np.array_equal(mine.second.points, theirs.second.points)
        assert one.means == here.means
    done = [count for count, _ in told]
    assert (done[0], done[-1], {total for _, total in told}) == (0, 200, {200})
    assert sorted(np.diff(done).tolist()) == sorted(2 * [*[size] * (100 // size), 100 % size])


def test_matches_begin_with_the_first_dice_of_their_seed() -> None:
    greedy = SoloPlayer(parse_strategy("greedy", YACHT))
    usual, asked = play_matches(greedy, greedy, 9, 4), play_matches(greedy, greedy, 9, 4, first_game=0)
    later, seats = play_matches(greedy, greedy, 9, 4, first_game=1), play_seats([greedy] * 2, match_points(2), 9, 4)
    assert np.array_equal(usual.first.points, asked.first.points)
    assert np.array_equal(seats[1].points, asked.second.points)
    assert np.array_equal(usual.first.points[1:], later.first.points[:-1])


@pytest.mark.parametrize("threads", [1, 3])
def test_a_duel_takes_the_threads_it_is_given(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = list[int | None]()

    class Counted(ThreadPoolExecutor):
        def __init__(self, workers: int | None = None) -> None:
            opened.append(workers)
            super().__init__(workers)

    monkeypatch.setattr(duel, "ThreadPoolExecutor", Counted)
    greedy = SoloPlayer(parse_strategy("greedy", YACHT))
    play_matches(greedy, greedy, 2, 1, threads)
    assert opened == [threads]


def test_a_play_off_changes_the_players_over() -> None:
    one, other = (SoloPlayer(parse_strategy(name, YACHT)) for name in ("expected", "greedy"))
    result, back = play_off(one, other, 20_000, 3), play_off(other, one, 20_000, 3)
    assert result.score.value + back.score.value == pytest.approx(1, abs=1e-12)
    assert result.advantage.value == pytest.approx(result.score.value - 0.5)
    scores = [evaluate(parse_strategy(name, YACHT)).score for name in ("expected", "greedy")]
    exact = table_exactly(scores).seats[0].match_points
    assert abs(result.score.value - exact) < ERRORS * result.score.error
    same = play_off(one, one, 500, 3)
    assert same.score.value == 0.5
    assert same.score.error == 0
    assert result.wins.value + result.draws.value / 2 == pytest.approx(result.score.value)


def _curves(chances: BestChances, layer: int) -> Curves:
    return chances.curves(layer)


@pytest.mark.parametrize("id", ["yacht", pytest.param("yahtzee-pawlewicz", marks=pytest.mark.slow)])
def test_the_kernel_judges_as_the_search_does(id: str, chances: Chances) -> None:
    """Every category of some rolls, in positions met on the way: EMP(1) of the kernels and of the search."""
    known = chances(id)
    game, compiled = known.game, compile_game(known.game)
    search, model = MatchSearch(known, "match:emp:1"), exact_turn_arrays(compiled)
    met: list[tuple[int, int, BatchPlayer, BatchPlayer]] = []
    positions: list[Position] = []

    def look(turn: int, player: int, first: BatchPlayer, second: BatchPlayer) -> None:
        if player == 0 and turn % 3 == 1:
            positions.extend(_position(first, second, turn, row) for row in range(4))
            met.append((turn, player, first, second))

    play_matches(EmpPlayer(known), EmpPlayer(known, 50.0), 4, 5, after_turn=look)
    assert len(positions) >= 12
    scores = most_points(game) + 2
    for position in positions:
        mine, theirs = position.sheets[1], position.sheets[0]
        layer = mine.filled.bit_count()
        state = compiled.states.find(mine)
        block = block_of(model.block_start, state)
        after, rival = _curves(known, layer + 1), _curves(known, layer + 1)
        other = compiled.states.find(theirs) - rival.first
        nothing = np.empty((0, scores + 1), np.float32)
        rivals = Rivals(rival, np.array([other], np.int32), np.array([theirs.points], np.int32), scores, nothing)
        worth, step = np.empty(scores + 1, np.float32), np.empty(scores + 1, np.float32)
        low, high = find_worths(rivals, 0, worth, step)
        to, points = np.empty(model.outcomes, np.int64), np.empty(model.outcomes, np.int32)
        bonus = np.empty(model.outcomes, np.bool_)
        value = np.empty(model.outcomes)
        find_outcomes(model, after, block, state - model.block_start[block], to, points, bonus)
        judge_outcomes(after, to, points, mine.points, worth, step, low, high, value)
        for roll in ((1, 1, 2, 4, 6), (3, 3, 3, 5, 5), (2, 3, 4, 5, 6)):
            here = Position(position.sheets, roll, 0)
            for entry in search.moves(here):
                assert isinstance(entry.move, Score)
                place = here.placement(entry.move)
                outcome = compiled.placing.outcome_category, compiled.placing.outcome_points
                which = np.flatnonzero((outcome[0] == place.category) & (outcome[1] == place.points) & (to >= 0))
                assert np.abs(value[which] - entry.value).min() < 1e-5


def _position(first: BatchPlayer, second: BatchPlayer, turn: int, row: int) -> Position:
    """The position of a match when the first player has played a turn more."""
    sheets = []
    for seat, filled in ((first, turn + 1), (second, turn)):
        states = compile_game(seat.game).states
        mask = int(states.filled(np.array([states.layer_start[filled] + seat.state[row]]))[0])
        points = seat._points[row]
        boxes = [int(points[i]) if mask >> i & 1 else None for i in range(len(points))]
        joker = seat.game.joker.points if seat.game.joker else 1
        sheets.append(Sheet.of_boxes(seat.game, boxes, int(seat._jokers[row]) // joker))
        assert sheets[-1].points == seat.made[row]
    return Position(tuple(sheets))


def test_nearly_best_play_wins_and_firmness_makes_it_so(chances: Chances) -> None:
    known = chances("yacht")
    expected = SoloPlayer(parse_strategy("expected", YACHT))
    best = play_off(EmpPlayer(known), expected, 4000, 2)
    assert best.advantage.value > ERRORS * best.advantage.error
    firm = play_off(EmpPlayer(known, 1e7), expected, 300, 2)
    for one, other in zip(firm.matches, play_off(EmpPlayer(known), expected, 300, 2).matches, strict=True):
        assert (one.points == other.points).mean() > 0.97  # equal moves are drawn, which mostly decides nothing
    loose = play_off(EmpPlayer(known, 10.0), expected, 2000, 2)
    assert loose.score.value < best.score.value
    one_thread, two = (play_off(EmpPlayer(known), expected, 300, 2, threads=n).points for n in (1, 2))
    assert np.array_equal(one_thread, two)


def test_players_by_name(chances: Chances) -> None:
    solver = Solver()
    chances("yacht")
    for name in ("match:emp:1", "softened:100:match:emp:1", "expected", "target:200"):
        assert parse_duellist(name, YACHT, solver).name == name
    for name, says in (
        ("match:emp:2", "too slow for matches in bulk"),
        ("softened:x:match:emp:1", "the firmness must be a number"),
        ("chance:0.5", "too slow for matches in bulk"),
        ("nobody", "there is no strategy"),
    ):
        with pytest.raises(InputError, match=says):
            parse_duellist(name, YACHT, solver)
    with pytest.raises(InputError, match="a match has one game"):
        play_matches(
            parse_duellist("greedy", YACHT, solver), parse_duellist("greedy", load_game("yatzy"), solver), 2, 1
        )
    with pytest.raises(InputError, match="games: 0"):
        play_matches(parse_duellist("greedy", YACHT, solver), parse_duellist("greedy", YACHT, solver), 0, 1)
