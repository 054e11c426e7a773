"""Traced games against the same games played again one move at a time, and against the simulation."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import pytest
from helpers.small_games import FIXED

from yatzy import ExpectedScore, Position, load_game
from yatzy.errors import InputError, StrategyError
from yatzy.games import Game, Move, Score, Sheet
from yatzy.lab import replay, simulate
from yatzy.lab.records import replay_record, trace_records
from yatzy.lab.traces import Traces, trace
from yatzy.model import compile_game
from yatzy.solver import parse_strategy
from yatzy.strategies.base import Earlier, MixedStrategy, Strategy

Solved = Callable[[str], ExpectedScore]
ARRAYS = ("rolls", "keeps", "category", "points", "joker", "struck")


class OneByOne(Strategy):
    """A strategy without its fast form."""

    def __init__(self, strategy: Strategy) -> None:
        self.game, self.name, self._strategy = strategy.game, strategy.name, strategy

    def move(self, position: Position, earlier: Earlier = ()) -> Move:
        return self._strategy.move(position, earlier)


class DrawnOneByOne(MixedStrategy):
    """A mixed strategy without its fast form."""

    def __init__(self, strategy: MixedStrategy) -> None:
        self.game, self.name, self._strategy = strategy.game, strategy.name, strategy

    def weights(self, position: Position, earlier: Earlier = ()) -> Sequence[tuple[Move, float]]:
        return self._strategy.weights(position, earlier)


def _slow(strategy: Strategy) -> Strategy:
    return DrawnOneByOne(strategy) if isinstance(strategy, MixedStrategy) else OneByOne(strategy)


def _sheets(traces: Traces, strategy: Strategy, row: int) -> Iterator[tuple[int, Sheet, Sheet]]:
    """The sheets before and after each turn of a game played again, after a look at what its trace says."""
    lattice = compile_game(traces.game).lattice
    position = Position.start(traces.game)
    played = replay(strategy, traces.seed, traces.first + row, traces.stream)
    for turn, one in enumerate(played):
        before = position.sheet
        position = position.roll(one.rolls[-1]).play(one.score)
        at = row, turn
        assert tuple(lattice.rolls[i] for i in traces.rolls[at]) == one.rolls
        assert tuple(lattice.keeps[i] for i in traces.keeps[at]) == tuple(keep.dice for keep in one.keeps)
        category = traces.game.categories[traces.category[at]]
        assert category.id == one.score.category
        assert traces.points[at] == one.points
        assert traces.joker[at] == (position.sheet.jokers - before.jokers) * _joker_points(traces)
        assert traces.struck[at] == (one.score.strike and category.score(one.rolls[-1]) > 0)
        yield turn, before, position.sheet


def _joker_points(traces: Traces) -> int:
    return traces.game.joker.points if traces.game.joker else 0


def _check(traces: Traces, strategy: Strategy, rows: Sequence[int]) -> None:
    turns, states = traces.turns(), compile_game(traces.game).states
    count = len(traces.game.categories)
    for row in rows:
        sheet = Sheet.start(traces.game)
        for turn, before, sheet in _sheets(traces, strategy, row):  # noqa: B007  (the last one is wanted)
            assert turns.state[row * count + turn] == states.find(before)
            assert turns.made[row * count + turn] == before.points
        assert traces.total[row] == sheet.points


@pytest.mark.parametrize(
    ("id", "name"),
    [
        *(("yatzy", name) for name in ("expected", "softened:1", "greedy", "random", "molinder-bonus")),
        *(("yahtzee", name) for name in ("expected", "softened:0.3", "random")),
        *(("yahtzee-pawlewicz", name) for name in ("softened:0.3",)),
        ("yatzy-forced-order", "softened:0.5"),
        ("maxi-yatzy", "greedy"),
        ("maxi-yatzy", "random"),
    ],
)
def test_a_trace_is_the_game_played_again(id: str, name: str) -> None:
    strategy = parse_strategy(name, load_game(id))
    traces = trace(strategy, 2000, 11)
    games = simulate(strategy, 2000, 11)
    assert np.array_equal(traces.total, games.total)
    assert np.array_equal(np.take_along_axis(games.points, traces.category.astype(np.intp), axis=1), traces.points)
    assert np.array_equal(traces.joker.sum(axis=1), games.jokers)
    # The games with the most Joker bonuses and strikes too, where there are any.
    most = (np.argsort(array.sum(axis=1))[-3:].tolist() for array in (traces.joker, traces.struck))
    _check(traces, strategy, sorted({*range(12), *(row for rows in most for row in rows)}))
    assert traces.struck.any() == (name == "molinder-bonus")
    if id.startswith("yahtzee") and name != "random":
        assert traces.joker.any()


@pytest.mark.parametrize("name", ["target:9", "random", "softened:0.5", "exp:0.1", "softened:5:target:9", "chance:0.4"])
@pytest.mark.parametrize("games", [8, pytest.param(30, marks=pytest.mark.slow)])
@pytest.mark.parametrize("game", FIXED, ids=lambda game: game.id)
def test_traces_of_small_games(game: Game, name: str, games: int) -> None:
    """Some of these strategies have no fast form."""
    strategy = parse_strategy(name, game)
    _check(trace(strategy, games, 4, first=5, stream=2), strategy, range(games))


@pytest.mark.parametrize(
    ("id", "name"), [("yatzy", "molinder-bonus"), ("yahtzee", "expected"), ("yahtzee", "softened:0.3")]
)
def test_with_and_without_a_fast_form_the_trace_is_the_same(id: str, name: str) -> None:
    strategy = parse_strategy(name, load_game(id))
    slow = _slow(strategy)
    assert strategy.in_bulk
    assert not slow.in_bulk
    told: list[tuple[int, int]] = []
    one, other = trace(strategy, 25, 8), trace(slow, 25, 8, progress=lambda done, of: told.append((done, of)))
    for array in ARRAYS:
        assert np.array_equal(getattr(one, array), getattr(other, array)), array
        assert getattr(one, array).dtype == getattr(other, array).dtype
    assert (told[0], told[-1]) == ((0, 25), (25, 25))


def test_the_seed_the_first_game_and_the_stream_alone_decide(solved: Solved) -> None:
    strategy = parse_strategy("softened:1", solved("yatzy").game)
    whole, threads = trace(strategy, 300, 1, threads=1), trace(strategy, 300, 1, threads=3)
    part, other = trace(strategy, 100, 1, first=150), trace(strategy, 300, 1, stream=1)
    for array in ARRAYS:
        assert np.array_equal(getattr(whole, array), getattr(threads, array))
        assert np.array_equal(getattr(whole, array)[150:250], getattr(part, array))
    assert not np.array_equal(whole.rolls, other.rolls)
    assert (len(part), part.first, other.stream, part.strategy) == (100, 150, 1, "softened:1")


def test_a_record_names_the_game_that_a_replay_plays_again() -> None:
    strategy = parse_strategy("greedy", load_game("two-yatzy"))
    records = list(trace_records(trace(strategy, 3, 4, first=5)))
    assert [record.notes for record in records] == [(f"simulated, seed 4, game {number}",) for number in (5, 6, 7)]
    assert records == [replay_record(strategy, replay(strategy, 4, number), 4, number) for number in (5, 6, 7)]


class Stumbling(OneByOne):
    """Makes an illegal move in its third game."""

    games = 0

    def move(self, position: Position, earlier: Earlier = ()) -> Move:
        if position.sheet.over or (not position.sheet.filled and not earlier):
            self.games += 1
        return Score("nothing") if self.games == 3 else super().move(position, earlier)


def test_what_was_finished_before_an_illegal_move_is_kept() -> None:
    greedy = parse_strategy("greedy", load_game("two-yatzy"))
    with pytest.raises(StrategyError, match="illegal move") as raised:
        trace(Stumbling(greedy), 10, 1)
    for array in ARRAYS:
        assert np.array_equal(getattr(raised.value.finished, array), getattr(trace(greedy, 2, 1), array))


def test_what_cannot_be_traced_is_refused(solved: Solved) -> None:
    solution = solved("two-yatzy")
    for games, seed, name in ((0, 1, "games"), (1, -1, "seed")):
        with pytest.raises(InputError, match=name):
            trace(solution, games, seed)
    with pytest.raises(InputError, match="stream"):
        trace(solution, 1, 1, stream=-1)
