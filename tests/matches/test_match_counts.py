"""Pairs of sheets and open differences, against sheets filled one by one by the rules."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field, replace
from functools import cache

import numpy as np
import pytest
from helpers.small_games import FIXED, games
from hypothesis import HealthCheck, given, settings

from yatzy import load_game
from yatzy.errors import SizeError
from yatzy.games import Category, Chance, Game, Groups, Joker, JokerReading, Sheet, placements, rolls
from yatzy.matches.counting import count_match, point_ranges
from yatzy.model import compile_game


@dataclass
class Reached:
    """What play makes of one state."""

    filled: int
    made: set[int] = field(default_factory=set)
    to_come: set[int] = field(default_factory=set)


@cache
def reach(game: Game) -> dict[int, Reached]:
    """Every state with all the points that a sheet there has made or can still make."""
    states = compile_game(game).states
    futures: dict[tuple[int, int, bool], frozenset[int]] = {}

    def future(sheet: Sheet) -> frozenset[int]:
        key = (sheet.filled, sheet.upper, sheet.box_pays)
        if key not in futures:
            after = {sheet.fill(p.category, p.points, p.joker_bonus) for d in rolls(game) for p in placements(sheet, d)}
            more = {s.points - sheet.points + points for s in after for points in future(s)}
            futures[key] = frozenset({0} if sheet.over else more)
        return futures[key]

    found: dict[int, Reached] = {}
    seen = {replace(Sheet.start(game), boxes=None)}
    waiting = list(seen)
    while waiting:
        sheet = waiting.pop()
        here = found.setdefault(states.find(sheet), Reached(sheet.filled.bit_count()))
        here.made.add(sheet.points)
        here.to_come |= future(sheet)
        for dice in rolls(game):
            more = {sheet.fill(p.category, p.points, p.joker_bonus) for p in placements(sheet, dice)} - seen
            seen |= more
            waiting += more
    return found


def check_ranges(game: Game) -> None:
    """Every bound is attained, so nothing that play reaches lies outside."""
    found, ranges = reach(game), point_ranges(compile_game(game))
    for state, here in found.items():
        assert (ranges.least_made[state], ranges.most_made[state]) == (min(here.made), max(here.made))
        assert (ranges.least_to_come[state], ranges.most_to_come[state]) == (min(here.to_come), max(here.to_come))
    unreached = set(range(len(ranges.least_made))) - set(found)
    assert all(ranges.least_made[state] > ranges.most_made[state] for state in unreached)


@pytest.mark.parametrize("game", FIXED, ids=lambda game: game.id)
def test_point_ranges_are_those_of_play(game: Game) -> None:
    check_ranges(game)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(games())
def test_point_ranges_of_any_game(game: Game) -> None:
    check_ranges(game)


@pytest.mark.parametrize("game", FIXED, ids=lambda game: game.id)
def test_counts_are_those_of_all_pairs(game: Game) -> None:
    """The sums over kinds, against every pair of states looked at by itself."""
    layers: dict[int, list[Reached]] = defaultdict(list)
    for here in reach(game).values():
        layers[here.filled].append(here)
    counts = count_match(game)
    n = len(game.categories)
    order = [(n - depth // 2 - depth % 2, n - depth // 2) for depth in range(2 * n + 1)]
    assert [(row.mover, row.opponent) for row in counts.rows] == order
    for row in counts.rows:
        assert row.pairs == len(layers[row.mover]) * len(layers[row.opponent])
        assert row.values == sum(differences(m, o) for m in layers[row.mover] for o in layers[row.opponent])


def differences(mover: Reached, opponent: Reached) -> int:
    """The differences from the least to the most that can occur, at which neither player is sure to be ahead."""
    occur = range(min(opponent.made) - max(mover.made), max(opponent.made) - min(mover.made) + 1)
    gain = [max(opponent.to_come) - min(mover.to_come), min(opponent.to_come) - max(mover.to_come)]
    return sum(x + gain[0] >= 0 >= x + gain[1] for x in occur)


@pytest.mark.parametrize("game", FIXED[1:4], ids=lambda game: game.id)
def test_no_difference_that_matters_is_missing(game: Game) -> None:
    """Where no value is stored, the winner is known."""
    found, ranges = reach(game), point_ranges(compile_game(game))
    for mover, m in found.items():
        for opponent, o in found.items():
            if o.filled - m.filled not in (0, 1):
                continue
            stored = ranges.open_differences(mover, opponent)
            for x in {theirs - mine for theirs in o.made for mine in m.made} - set(stored):
                finals = {np.sign(x + theirs - mine) for theirs in o.to_come for mine in m.to_come}
                assert finals in ({1}, {-1})


def test_two_yatzy_by_hand() -> None:
    """A category still open brings 0 … 2 (ones) or 0 … 4 (twos), and so has the other one.

    Depth 1: 0 ≤ x ≤ 2 and 0 ≤ x ≤ 4. Depth 2: |x| ≤ 2 twice, −4 … 2 and −2 … 4. Depth 3: 0 … 4 and 0 … 2.
    """
    counts = count_match(load_game("two-yatzy"))
    assert [(row.mover, row.opponent, row.pairs, row.values) for row in counts.rows] == [
        (2, 2, 1, 1),
        (1, 2, 2, 3 + 5),
        (1, 1, 4, 5 + 5 + 7 + 7),
        (0, 1, 2, 5 + 3),
        (0, 0, 1, 1),
    ]
    assert (counts.pairs, counts.values) == counts.up_to_depth(4) == (10, 42)
    assert counts.up_to_depth(1) == (3, 9)
    assert counts.depth_rows(1) == counts.rows[:2]
    assert counts.size(np.float32) == 4 * 42
    assert counts.size(depth=1) == 8 * 9


def test_states_that_no_play_reaches_are_left_out() -> None:
    """With a single die all dice are always equal: the Joker box is never filled with nothing."""
    box = Category("box", Groups((1,), points=5))
    game = Game("one-die", 1, 2, 1, (box, Category("chance", Chance())), joker=Joker("box", JokerReading.FREE, 3))
    assert [row.pairs for row in count_match(game).rows] == [1, 2, 4, 2, 1]
    ranges = point_ranges(compile_game(game))
    never = int(np.flatnonzero(ranges.least_made > ranges.most_made)[0])
    assert not ranges.open_differences(0, never)
    assert not ranges.open_differences(never, never)
    check_ranges(game)


def test_progress_ends_at_the_total() -> None:
    told: list[tuple[int, int]] = []
    count_match(FIXED[0], lambda done, total: told.append((done, total)))
    assert told == sorted(told)
    assert told[0][0] == 0
    assert told[-1][0] == told[-1][1] > 0


def test_a_game_too_large_is_refused() -> None:
    game = Game("thirty-chances", 2, 2, 1, tuple(Category(f"chance-{i}", Chance()) for i in range(30)))
    with pytest.raises(SizeError, match="too large"):
        count_match(game)
