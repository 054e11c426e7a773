"""Payoffs, the judge by curves and the search, against definitions written out and brute force in fractions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path
from random import Random
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import pytest
from helpers.small_games import CHANCE, FIXED, PAIR, RUN

from yatzy import Position, Sheet, advise
from yatzy.errors import InputError, PositionError, SizeError
from yatzy.games import Category, Chance, Face, Game
from yatzy.matches import leaves, search
from yatzy.matches.exact import ExactMatch, every_pair
from yatzy.matches.leaves import (
    Leaves,
    SheetCurves,
    SheetSet,
    best_target,
    common_window,
    expected_payoff,
    worth_of_score,
    worth_of_target,
)
from yatzy.matches.look_ahead import Asked, LookAhead, PairValues
from yatzy.matches.search import MatchSearch
from yatzy.model import compile_game
from yatzy.names import Auto, DynS, Emp, Others
from yatzy.names.payoffs import Payoff, match_points, win_outright
from yatzy.units import Unit
from yatzy.values.curves import BestChances
from yatzy.values.resources import Resources

TWO = Game("two-boxes", 2, 2, 2, (Category("twos", Face(2)), CHANCE))
THREE = Game("three-boxes", 2, 3, 2, (PAIR, CHANCE, RUN))
JOKER = next(game for game in FIXED if game.id == "joker-pawlewicz" and game.faces == 2)
FORCED = next(game for game in FIXED if game.id == "forced-mixed")
FloatArray = npt.NDArray[np.float64]


# The judge


def curve(seed: int, scores: int = 9) -> FloatArray:
    """Chances of at least 0, 1, … points that fall from 1 to 0, with steps and flat pieces."""
    inner = np.sort(np.random.default_rng(seed).integers(0, 12, scores) / 12)[::-1]
    return np.array([1.0, *inner, 0.0])


def mass(curve: FloatArray) -> FloatArray:
    return curve[:-1] - curve[1:]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_expected_payoff_is_the_double_sum_of_its_definition(players: int) -> None:
    mine, *others = (curve(10 * players + i) for i in range(players))
    direct = sum(
        (mine[x] - mine[x + 1]) * sum(1 - (other[x] + other[x + 1]) / 2 for other in others)
        for x in range(len(mine) - 1)
    )
    assert float(expected_payoff(match_points(players), mine, others)) == pytest.approx(direct, abs=1e-12)


@pytest.mark.parametrize(
    "payoff",
    [match_points(2), match_points(4), win_outright(2), win_outright(4), Payoff((6, 3, 1, 0)), Payoff((5, 2, 2))],
)
def test_worth_of_a_score_equals_enumeration(payoff: Payoff) -> None:
    others = [curve(i, scores=5) for i in range(payoff.players - 1)]
    worth = worth_of_score(payoff, others)
    for x in range(len(others[0]) - 1):
        direct = sum(
            np.prod([mass(other)[s] for other, s in zip(others, scores, strict=True)])
            * payoff.of_scores([x, *scores])[0]
            for scores in product(range(len(others[0]) - 1), repeat=len(others))
        )
        assert worth[x] == pytest.approx(direct, abs=1e-12)


@pytest.mark.parametrize("payoff", [match_points(3), Payoff((6, 3, 1, 0)), win_outright(3)])
def test_what_is_known_of_an_opponent_counts_like_a_curve(payoff: Payoff) -> None:
    others = [curve(i) for i in range(payoff.players - 2)]
    ahead, behind = np.ones(len(curve(0))), np.zeros(len(curve(0)))
    assert worth_of_score(payoff, others, above=1) == pytest.approx(worth_of_score(payoff, [*others, ahead]))
    assert worth_of_score(payoff, others) == pytest.approx(worth_of_score(payoff, [*others, behind]))
    assert worth_of_target(payoff, others, reached=1) == pytest.approx(worth_of_target(payoff, [*others, ahead]))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_best_target_is_the_maximum_of_its_definition(players: int) -> None:
    mine, *others = (curve(20 * players + i) for i in range(players))
    direct = max(mine[x] * sum(1 - other[x] for other in others) for x in range(len(mine)))
    assert float(best_target(match_points(players), mine, others)) == pytest.approx(direct, abs=1e-12)


def test_best_target_of_other_payoffs_comes_last_when_the_target_is_missed() -> None:
    payoff, mine, others = Payoff((6, 3, 1)), curve(1), [curve(2), curve(3)]
    a, b = others
    reached = 6 * (1 - a) * (1 - b) + 3 * (a * (1 - b) + b * (1 - a)) + 1 * a * b
    assert float(best_target(payoff, mine, others)) == pytest.approx(np.max(mine * reached + (1 - mine) * 1))


# Brute force


class EverybodyForThemselves:
    """What each player gets when all maximise their own; ties as in `reach`: against whom it is asked for."""

    def __init__(self, payoff: Payoff, asking: int) -> None:
        self.payoff, self.asking = payoff, asking
        self.values = cache(self._values)

    def after(self, position: Position, move: Any) -> tuple[Fraction, ...]:
        return self.values(position.play(move))

    def _values(self, position: Position) -> tuple[Fraction, ...]:
        if position.over:
            return tuple(Fraction(v) for v in self.payoff.of_scores([sheet.points for sheet in position.sheets]))
        if position.awaits_roll:
            missing = position.game.dice - len(position.dice)
            rolls = list(product(range(1, position.game.faces + 1), repeat=missing))
            found = [self.values(position.roll(position.dice + roll)) for roll in rolls]
            return tuple(sum(column, Fraction(0)) / len(rolls) for column in zip(*found, strict=True))
        mover, players = position.mover, len(position.sheets)
        envied = self.asking if mover != self.asking else (self.asking + 1) % players
        return max((self.after(position, move) for move in position.legal_moves), key=lambda v: (v[mover], -v[envied]))


class AllAgainstOne:
    """What one player gets when that player maximises it and all others minimise it; after some turns, an estimate."""

    def __init__(self, payoff: Payoff, one: int, judge: Callable[[Position], float] | None = None) -> None:
        self.payoff, self.one, self.judge = payoff, one, judge
        self.value = cache(self._value)

    def after(self, position: Position, move: Any, turns: int = 99) -> Any:
        then = position.play(move)
        return self.value(then, turns - (then.between_turns or then.over))

    def _value(self, position: Position, turns: int = 99) -> Any:
        if position.over:
            return Fraction(self.payoff.of_scores([sheet.points for sheet in position.sheets])[self.one])
        if not turns:
            assert self.judge
            return self.judge(position)
        if position.awaits_roll:
            missing = position.game.dice - len(position.dice)
            rolls = list(product(range(1, position.game.faces + 1), repeat=missing))
            return sum(self.value(position.roll(position.dice + roll), turns) for roll in rolls) / len(rolls)
        choose = max if position.mover == self.one else min
        return choose(self.after(position, move, turns) for move in position.legal_moves)


def forget_boxes(position: Position) -> Position:
    return replace(position, sheets=tuple(replace(sheet, boxes=None) for sheet in position.sheets))


def every_position(start: Position) -> Iterator[Position]:
    """All positions that can be reached, each once."""
    seen, todo = {start}, [start]
    while todo:
        position = todo.pop()
        yield position
        if position.awaits_roll:
            missing = position.game.dice - len(position.dice)
            new = [position.roll(position.dice + r) for r in product(range(1, position.game.faces + 1), repeat=missing)]
        else:
            new = [forget_boxes(position.play(move)) for move in position.legal_moves]
        todo += [one for one in dict.fromkeys(new) if one not in seen]
        seen.update(new)


def agree(search: MatchSearch, position: Position, after: Callable[[Any], Fraction], value: Fraction) -> None:
    answer = search.answer(position)
    assert answer.exact
    assert answer.value == pytest.approx(float(value), abs=2e-6)
    for entry in answer.moves:
        assert entry.value == pytest.approx(float(after(entry.move)), abs=2e-6), (position, entry)


@pytest.mark.parametrize("game", [TWO, THREE], ids=lambda game: game.id)
def test_searching_to_the_end_is_exact_at_every_position_of_two(game: Game, tmp_path: Path) -> None:
    judge, search = ExactMatch(game), MatchSearch(BestChances(game, Resources(tmp_path)), "match:emp:9")
    positions = list(every_position(forget_boxes(Position.start(game, 2))))
    for position in positions[:: max(1, len(positions) // 300)]:
        if not position.over:
            agree(search, position, lambda move, at=position: judge.after(at, move), judge.value(position))  # type: ignore[misc]


@pytest.mark.parametrize("game", [JOKER, FORCED], ids=lambda game: game.id)
def test_searching_to_the_end_is_exact_between_turns(game: Game, tmp_path: Path) -> None:
    judge, search = ExactMatch(game), MatchSearch(BestChances(game, Resources(tmp_path)), "match:emp:9")
    few = [p for p in every_pair(game) if sum(len(sheet.open) for sheet in p.sheets) in (1, 2, 3)]
    for position in few[:: max(1, len(few) // 30)]:
        assert search.value(position) == pytest.approx(float(judge.value(position)), abs=2e-6)


def test_an_answer_is_prompt_once_such_a_turn_was_searched(tmp_path: Path) -> None:
    search = MatchSearch(BestChances(THREE, Resources(tmp_path)), "match:emp:1")
    start = Position.start(THREE, 2)
    last, other = (Position(start.sheets, dice, 0) for dice in ((1,) * THREE.dice, (2,) * THREE.dice))
    early = Position(start.sheets, last.dice, 1)
    assert not search.is_prompt(last), "no kernel has been loaded"
    search.value(last)
    assert search.is_prompt(other)
    assert not search.is_prompt(early)
    assert not search.is_prompt(start)
    three = Position(Position.start(THREE, 3).sheets, last.dice, 0)
    assert not search.is_prompt(three), "more players may need other kernels"
    deeper = MatchSearch(search.chances, "match:emp:2")
    deeper.value(last)
    assert not deeper.is_prompt(other)


@pytest.mark.parametrize("depth", [4, 5])
def test_a_search_as_deep_as_the_match_is_exact_and_a_shallower_one_says_it_is_not(depth: int, tmp_path: Path) -> None:
    chances = BestChances(THREE, Resources(tmp_path))
    position = forget_boxes(Position.start(THREE, 2))
    for boxes in range(6 - depth):
        sheet = position.sheet.fill(boxes // 2, 0, 0)
        mover = position.mover
        position = Position((*position.sheets[:mover], sheet, *position.sheets[mover + 1 :]))
    assert MatchSearch(chances, Emp(depth)).answer(position).exact
    assert not MatchSearch(chances, Emp(depth - 1)).answer(position).exact
    assert MatchSearch(chances, Emp(depth)).value(position) == pytest.approx(
        float(ExactMatch(THREE).value(position)), abs=2e-6
    )


@pytest.mark.parametrize(
    ("players", "payoff"),
    [(3, match_points(3)), (3, Payoff((5, 2, 0))), (3, win_outright(3)), (2, win_outright(2)), (2, Payoff((3, -1)))],
    ids=["points of three", "places of three", "win of three", "win of two", "places of two"],
)
def test_everybody_for_themselves_equals_brute_force(players: int, payoff: Payoff, tmp_path: Path) -> None:
    search = MatchSearch(BestChances(TWO, Resources(tmp_path)), "match:emp:9", payoff)
    judges = [EverybodyForThemselves(payoff, asking) for asking in range(players)]
    positions = [p for p in every_position(forget_boxes(Position.start(TWO, players))) if not p.over]
    for position in [positions[0], *positions[:: max(1, len(positions) // 80)]]:
        mover, judge = position.mover, judges[position.mover]
        value = judge.values(position)[mover]
        agree(search, position, lambda move, at=position, to=mover, by=judge: by.after(at, move)[to], value)  # type: ignore[misc]


def last_rounds(game: Game, players: int) -> Iterator[Position]:
    """Everyone has one open category, the same for all, and a few points or none."""
    for box in range(len(game.categories)):
        sheet = Sheet.start(game)
        for other in range(len(game.categories)):
            sheet = sheet if other == box else sheet.fill(other, 0, 0)
        for points in product(range(3), repeat=players):
            yield Position(tuple(replace(sheet, points=made, boxes=None) for made in points))


@pytest.mark.parametrize(
    ("players", "payoff"),
    [(3, match_points(3)), (3, Payoff((5, 2, 0))), (3, win_outright(3)), (2, win_outright(2)), (2, Payoff((3, -1)))],
    ids=["points of three", "places of three", "win of three", "win of two", "places of two"],
)
def test_all_against_one_equals_brute_force(players: int, payoff: Payoff, tmp_path: Path) -> None:
    chances, judge = BestChances(THREE, Resources(tmp_path)), AllAgainstOne(payoff, 0)
    search, alone = (MatchSearch(chances, f"match:emp:9{end}", payoff) for end in (":against-you", ""))
    costs = []
    for position in list(last_rounds(THREE, players))[::4]:
        agree(search, position, lambda move, at=position: judge.after(at, move), judge.value(position))  # type: ignore[misc]
        rolled = position.roll((1, 3))
        agree(search, rolled, lambda move, at=rolled: judge.after(at, move), judge.value(rolled))  # type: ignore[misc]
        costs.append(alone.value(position) - search.value(position))
    assert min(costs) > -2e-6
    assert (max(costs) > 0.01) == (payoff != Payoff((3, -1)))  # in a game of constant sum, two are always opponents


# The search


@pytest.fixture(scope="module")
def joker_chances(tmp_path_factory: pytest.TempPathFactory) -> BestChances:
    return BestChances(JOKER, Resources(tmp_path_factory.mktemp("joker")))


def direct_judge(chances: BestChances, sheets: Sequence[Sheet], me: int, payoff: Payoff, judge: Any) -> float:
    """The judge on whole curves, without windows."""
    top = max(sheet.points + chances.curve(sheet).high for sheet in sheets) + 2
    scores = np.arange(-1, top)
    curves = [chances.curve(sheet).take(scores - sheet.points) for sheet in sheets]
    return float(judge(payoff, curves[me], [c for i, c in enumerate(curves) if i != me]))


@pytest.mark.parametrize("kind", ["emp", "dyns"])
@pytest.mark.parametrize("payoff", [match_points(2), win_outright(2), match_points(3), Payoff((5, 2, 0))], ids=str)
def test_one_turn_is_the_judge_of_every_end(kind: str, payoff: Payoff, joker_chances: BestChances) -> None:
    start = Sheet.start(JOKER)
    sheets = (*(start.fill(0, i, 0) for i in range(payoff.players - 1)), start)
    position = Position(sheets, (1, 2), 0)
    mover, by_target = position.mover, kind == "dyns"
    judge = best_target if by_target else expected_payoff
    for entry in MatchSearch(joker_chances, f"match:{kind}:1", payoff).moves(position):
        then = position.play(entry.move).sheets
        if by_target and payoff == match_points(2):  # who moves next picks the target
            direct = 1 - direct_judge(joker_chances, then, 1 - mover, payoff, judge)
        else:
            direct = direct_judge(joker_chances, then, mover, payoff, judge)
        assert entry.value == pytest.approx(direct, abs=1e-6)


@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize("kind", ["emp", "dyns"])
@pytest.mark.parametrize("payoff", [win_outright(2), match_points(3), Payoff((5, 2, 0))], ids=str)
def test_a_search_against_all_judges_its_leaves_for_the_player_who_asks(
    payoff: Payoff, kind: str, depth: int, tmp_path: Path
) -> None:
    chances, judge = BestChances(THREE, Resources(tmp_path)), best_target if kind == "dyns" else expected_payoff
    start = Sheet.start(THREE)
    sheets = (start.fill(0, 2, 0), *(start for _ in range(payoff.players - 1)))
    position = Position(sheets, (1, 2), 0)
    brute = AllAgainstOne(payoff, 1, lambda leaf: direct_judge(chances, leaf.sheets, 1, payoff, judge))
    found = MatchSearch(chances, f"match:{kind}:{depth}:against-you", payoff).answer(position)
    assert not found.exact
    for entry in found.moves:
        assert entry.value == pytest.approx(float(brute.after(position, entry.move, depth)), abs=2e-6)


@pytest.mark.parametrize(
    ("payoff", "depth", "others"),
    [
        (match_points(3), 2, Others.FOR_THEMSELVES),
        (match_points(3), 1, None),
        (win_outright(2), 2, Others.FOR_THEMSELVES),
        (match_points(2), 2, None),
    ],
)
def test_an_answer_says_what_it_assumes_about_the_others(
    payoff: Payoff, depth: int, others: Others | None, joker_chances: BestChances
) -> None:
    start = Position.start(JOKER, payoff.players)
    assert MatchSearch(joker_chances, Emp(depth), payoff).answer(start).others == others
    against = MatchSearch(joker_chances, Emp(depth, Others.AGAINST_YOU), payoff).answer(start)
    assert against.others == (Others.AGAINST_YOU if others else None)
    if others is None:
        assert against.value == pytest.approx(MatchSearch(joker_chances, Emp(depth), payoff).value(start), abs=1e-6)
    timed = MatchSearch(joker_chances, Auto(0.0001, Others.AGAINST_YOU), payoff).answer(start)
    assert timed.objective == "match:emp:1:against-you"


def first_turn(chances: BestChances) -> tuple[SheetSet, list[Sheet]]:
    start, find = Sheet.start(JOKER), chances.compiled.states.find
    sheets = [start.fill(place, points, 0) for place in range(2) for points in (0, 2)]
    return SheetSet(np.array([find(s) for s in sheets]), np.array([s.points for s in sheets], np.int32)), sheets


def test_the_mean_of_a_curve_is_that_of_its_distribution(joker_chances: BestChances) -> None:
    some, sheets = first_turn(joker_chances)
    for mean, sheet in zip(SheetCurves(joker_chances, some).means(), sheets, strict=True):
        curve = joker_chances.curve(sheet).take(np.arange(1, 1000)).astype(np.float64)
        assert curve[0] > 0
        assert mean == pytest.approx(sheet.points + curve.sum(), abs=1e-6)


def test_many_curves_are_read_as_few_are(joker_chances: BestChances, monkeypatch: pytest.MonkeyPatch) -> None:
    some, _ = first_turn(joker_chances)
    few = SheetCurves(joker_chances, some)
    monkeypatch.setattr(leaves, "FEW", 0)
    many, window = SheetCurves(joker_chances, some), common_window([few, few])
    assert (many.least, many.most) == (few.least, few.most)
    one, other = (curves.take(window, slice(None), np.float64) for curves in (few, many))
    assert np.array_equal(one, other)


@pytest.mark.parametrize("by_target", [False, True])
@pytest.mark.parametrize("payoff", [match_points(2), win_outright(2), match_points(3), Payoff((5, 2, 0))], ids=str)
def test_leaves_are_judged_for_every_player(payoff: Payoff, by_target: bool, joker_chances: BestChances) -> None:
    start, find = Sheet.start(JOKER), joker_chances.compiled.states.find
    sheets = [[start.fill(i, p, 0) for p in (0, 2 + 2 * i)] for i in range(payoff.players)]
    sets = [
        SheetSet(np.array([find(s) for s in some]), np.array([s.points for s in some], np.int32)) for some in sheets
    ]
    curves, judge = [SheetCurves(joker_chances, one) for one in sets], best_target if by_target else expected_payoff
    lanes = np.minimum(np.arange(32), 2 ** (payoff.players - 1) - 1)  # as many as a vector wants
    with ThreadPoolExecutor(2) as pool:
        for q in range(payoff.players):
            leaves = Leaves(payoff, curves, q, by_target=by_target, dtype=np.float64, pool=pool)
            values = leaves.values(range(payoff.players), lanes)
            for chosen in product(range(2), repeat=payoff.players):
                lane = int("".join(str(at) for i, at in enumerate(chosen) if i != q), 2)
                here = [some[at] for some, at in zip(sheets, chosen, strict=True)]
                for player, value in enumerate(values):
                    direct = direct_judge(joker_chances, here, player, payoff, judge)
                    assert value[chosen[q], lane] == pytest.approx(direct, abs=1e-6)


@pytest.mark.parametrize("kind", ["emp", "dyns"])
def test_without_search_every_move_is_judged_by_the_curve_it_leaves(kind: str, joker_chances: BestChances) -> None:
    start, judge = Sheet.start(JOKER), {"emp": expected_payoff, "dyns": best_target}[kind]
    position = Position((start.fill(0, 1, 0), start), (1, 2), 0)
    search = MatchSearch(joker_chances, f"match:{kind}:0")
    for entry in search.moves(position):
        then = position.play(entry.move).sheets
        assert entry.value == pytest.approx(direct_judge(joker_chances, then, 1, match_points(2), judge), abs=1e-6)
    between = replace(position, dice=(), rolls_left=JOKER.rolls)
    direct = direct_judge(joker_chances, between.sheets, 1, match_points(2), judge)
    assert search.value(between) == pytest.approx(direct, abs=1e-6)


@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize("kind", [Emp, DynS])
def test_a_search_is_a_turn_and_a_shallower_search_of_the_other_player(
    kind: type[Emp | DynS], depth: int, joker_chances: BestChances
) -> None:
    """When the mover changes, the value is 1 less what it was."""
    start = Sheet.start(JOKER)
    position = Position((start.fill(2, 9, 0), start), (1, 1), 0)
    deep, shallow = (MatchSearch(joker_chances, kind(d)) for d in (depth + 1, depth))
    for entry in deep.moves(position):
        assert entry.value == pytest.approx(1 - shallow.value(position.play(entry.move)), abs=2e-6)


def test_whatever_the_dice_a_position_is_worth_its_best_move_and_a_roll_their_mean(joker_chances: BestChances) -> None:
    search, start = MatchSearch(joker_chances, "match:emp:3"), Position.start(JOKER, 2)
    total = 0.0
    for dice in product((1, 2), repeat=2):
        position = start.roll(dice)
        total += max(entry.value for entry in search.moves(position)) / 4
        last = replace(position, rolls_left=0)
        fresh = MatchSearch(joker_chances, "match:emp:3")  # has not searched this turn yet
        again = {entry.move: entry.value for entry in fresh.moves(last)}
        assert {entry.move: entry.value for entry in search.moves(last)} == pytest.approx(again, abs=1e-6)
    assert search.value(start) == pytest.approx(total, abs=1e-6)


class Endgames:
    """Exact endgames in fractions."""

    def __init__(self, game: Game, depth: int) -> None:
        self.depth, self.asked, self._judge = depth, 0, ExactMatch(game)
        states = BestChances(game).compiled.states
        self._sheets = {states.find(s): replace(s, points=0) for p in every_pair(game) for s in p.sheets}

    def lookup(self, movers: Any, opponents: Any, x: Any, /) -> npt.NDArray[np.float32]:
        self.asked += 1
        out = np.empty(x.shape, np.float32)
        for (i, mover), (j, opponent) in product(enumerate(movers.tolist()), enumerate(opponents.tolist())):
            sheets = self._sheets[mover], replace(self._sheets[opponent], points=int(x[i, j]))
            behind = sheets[0].filled.bit_count() < sheets[1].filled.bit_count()
            out[i, j] = float(self._judge.value(Position(sheets[::-1] if behind else sheets)))
        return out


@pytest.mark.parametrize("depth", [0, 1, 2, 3])
def test_exact_endgames_make_a_shallow_search_exact(depth: int, tmp_path: Path) -> None:
    judge, tables = ExactMatch(TWO), Endgames(TWO, depth)
    search = MatchSearch(BestChances(TWO, Resources(tmp_path)), Emp(4 - depth), exact=tables)
    for position in [Position.start(TWO, 2), Position.start(TWO, 2).roll((1, 2))]:
        answer = search.answer(position)
        assert (answer.exact, answer.depth) == (True, 4 - depth)
        assert tables.asked
        assert answer.value == pytest.approx(float(judge.value(position)), abs=1e-6)
    if depth < 3:
        assert (
            not MatchSearch(BestChances(TWO, Resources(tmp_path)), Emp(3 - depth), exact=tables).answer(position).exact
        )


def test_automatic_depth_is_exact_when_it_can_be_and_says_so(joker_chances: BestChances) -> None:
    answer = MatchSearch(joker_chances, "match:auto:30").answer(Position.start(JOKER, 2))
    assert (answer.exact, answer.objective, answer.depth) == (True, "match:emp:10", 10)
    hurried = MatchSearch(joker_chances, "match:auto:0.0001").answer(Position.start(JOKER, 2))
    assert (hurried.exact, hurried.objective, hurried.depth) == (False, "match:emp:1", 1)


class SomeSheets:
    """So many sheets after each turn of a player."""

    def __init__(self, *sizes: int) -> None:
        self.levels = [range(size) for size in sizes]

    def level(self, number: int) -> range:
        return self.levels[number]


@pytest.mark.parametrize(("depth", "leaves", "turns"), [(3, 7 * 5, 2 * 5 + 1 * 2), (4, 13 * 7, 5 * 7 + 2 * 5 + 1 * 2)])
def test_the_time_of_a_search_is_estimated_from_its_leaves_and_turns(
    depth: int, leaves: int, turns: int, joker_chances: BestChances
) -> None:
    found = MatchSearch(joker_chances, "match:auto", threads=2)
    reaches = cast(Any, [SomeSheets(2, 7, 11), SomeSheets(1, 5, 13)])
    seconds = leaves * search.SCORES / search.PRODUCTS + turns / search.TURNS
    for payoff, slower in ((match_points(2), 1), (win_outright(2), search.MANY)):
        guess = found._guess(reaches, payoff, depth, look=True)
        assert guess == pytest.approx(slower * seconds / 2 + search.REST, rel=1e-12)


@pytest.mark.parametrize(("seconds", "depth"), [(1.5, 1), (2.0, 2), (2.5, 2), (3.0, 3)])
def test_a_search_may_take_all_of_its_time(
    seconds: float, depth: int, joker_chances: BestChances, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(MatchSearch, "_guess", lambda self, reaches, payoff, depth, look: float(depth))
    found = MatchSearch(joker_chances, Auto(seconds)).answer(Position.start(JOKER, 2))
    assert found.depth == depth


@pytest.mark.parametrize(("rest", "objective", "changes"), [(0.0, Auto(0.1), True), (9e9, Auto(0.1), False),
                                                             (0.0, Emp(1), False)])  # fmt: skip
def test_a_search_learns_from_the_time_it_took(
    rest: float, objective: Any, changes: bool, joker_chances: BestChances, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(MatchSearch, "_guess", lambda self, reaches, payoff, depth, look: 0.01)
    monkeypatch.setattr(search, "REST", rest)
    found = MatchSearch(joker_chances, objective)
    found.answer(Position.start(JOKER, 2))
    assert (found._slowness != 1.0) == changes


def test_advice_by_search(joker_chances: BestChances) -> None:
    search = MatchSearch(joker_chances, "match:emp:2")
    position = Position.start(JOKER, 2).roll((1, 2))
    advice = advise(cast(Any, search), position)
    assert advice.best.move == search.best(position)
    assert (advice.objective, advice.unit) == ("match:emp:2", Unit.WORTH)
    assert MatchSearch(joker_chances, "match:emp:2", "win").unit is Unit.CHANCE
    assert len(advice.moves) == len(position.legal_moves)


def test_a_move_that_loses_more_than_rounding_is_not_tied(joker_chances: BestChances) -> None:
    found = MatchSearch(joker_chances, Emp(1), match_points(2))
    assert found.tied(0.5, 0.5 + 1e-6)
    assert not found.tied(0.5, 0.5 + 1e-5)
    for dice in ((1, 1), (1, 2), (2, 2)):
        values = found.moves(Position((Sheet.start(JOKER),) * 2, dice, 1))
        best = found.best(Position((Sheet.start(JOKER),) * 2, dice, 1))
        assert next(one.value for one in values if one.move == best) > max(one.value for one in values) - 1e-5


def test_a_match_that_is_decided_is_played_for_points(tmp_path: Path) -> None:
    game = Game("two-chances", 2, 3, 2, (Category("one", Chance()), Category("two", Chance())))
    sheet = Sheet.start(game).fill(0, 2, 0)
    ahead = Position((replace(sheet, points=100), sheet), (3, 3), 1)
    search = MatchSearch(BestChances(game, Resources(tmp_path)), "match:emp:2")
    best = advise(cast(Any, search), ahead).best
    assert best.value == 1.0
    assert best.move == ahead.legal_moves[-1]  # two sixes kept of all that cannot matter


def test_questions_without_an_answer_are_refused(joker_chances: BestChances) -> None:
    search, start = MatchSearch(joker_chances, "match:emp:1"), Sheet.start(JOKER)
    with pytest.raises(PositionError, match="two players"):
        search.value(Position((start,)))
    unknown = Sheet.of_sums(JOKER, ["run"])
    with pytest.raises(PositionError, match="player 2"):
        search.value(Position((start.fill(2, 6, 0), unknown)))
    with pytest.raises(InputError, match="for 3 players"):
        MatchSearch(joker_chances, "match:emp:1", match_points(3)).value(Position.start(JOKER, 2))
    with pytest.raises(InputError, match="two-boxes"):
        search.value(Position.start(TWO, 2))


def test_a_search_that_memory_cannot_hold_is_refused(
    joker_chances: BestChances, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("yatzy.matches.reach.physical_memory", lambda: 10_000)
    with pytest.raises(SizeError, match=r"^searching 4 turns for 3 players .* GiB of memory; search fewer$"):
        MatchSearch(joker_chances, "match:emp:4").value(Position.start(JOKER, 3))


def test_many_threads_get_the_same_answers(joker_chances: BestChances) -> None:
    search, positions = MatchSearch(joker_chances, "match:emp:3"), [Position.start(JOKER, 2).roll((1, 2))] * 16
    with ThreadPoolExecutor(8) as pool:
        answers = [[entry.value for entry in values] for values in pool.map(search.moves, positions)]
    assert answers == [answers[0]] * len(answers)


def test_only_the_last_answers_are_kept(joker_chances: BestChances) -> None:
    found = MatchSearch(joker_chances, "match:emp:1")
    start = Sheet.start(JOKER)
    asked = [Position((replace(start, points=points), start), (1, 2), 1) for points in range(search.KEPT + 3)]
    answers = [found.answer(position) for position in asked]
    assert found.answer(asked[-1]) is answers[-1]
    assert found.answer(asked[3]) is answers[3]
    assert found.answer(asked[2]) is not answers[2]
    assert found.answer(asked[2]) == replace(answers[2], seconds=found.answer(asked[2]).seconds)


def test_after_the_end_the_payoff_is_known(joker_chances: BestChances) -> None:
    full = Sheet.start(JOKER)
    for category in range(len(JOKER.categories)):
        full = full.fill(category, 0, 0)
    answer = MatchSearch(joker_chances, "match:emp:1").answer(Position((full, full)))
    assert (answer.value, answer.moves, answer.exact) == (0.5, (), True)


def test_windows_leave_out_only_what_is_negligible(tmp_path: Path) -> None:
    game = Game("six-chances", 5, 6, 3, tuple(Category(f"box-{i}", Chance()) for i in range(6)))
    chances, start = BestChances(game, Resources(tmp_path)), Sheet.start(game)
    position = Position((start.fill(0, 20, 0), start), (1, 2, 3, 4, 6), 0)
    then = position.play(position.legal_moves[0]).sheets
    curves = [SheetCurves(chances, SheetSet(np.array([6]), np.array([sheet.points], np.int32))) for sheet in then]
    assert len(common_window(curves)) < 100 < chances.curve(start).high
    for depth in (0, 1):
        value = MatchSearch(chances, Emp(depth)).moves(position)[0].value
        assert value == pytest.approx(direct_judge(chances, then, 1, match_points(2), expected_payoff), abs=1e-6)


# All pairs of sheets at once


def waiting(found: PairValues, then: Position) -> float | None:
    """The value to the player who has just moved; None if the difference of points decides the match."""
    mover, other = then.sheet, then.sheets[1 - then.mover]
    layout, find = found.layout, compile_game(then.game).states.find
    pair, x = (find(mover), find(other)), other.points - mover.points
    window = layout.ranges.open_differences(*pair)
    if x not in window:
        return None
    row = pair[0] - layout.pairs.mover
    within = layout.pairs.within[row * layout.pairs.opponents + pair[1] - layout.pairs.opponent]
    return float(found.values[int(layout.start[row]) + int(within) + window[-1] - x])


def played_on(position: Position, turns: int, random: Random) -> Position:
    """The position after some turns at random, with the sheets as searches know them."""
    for _ in range(turns):
        dice = tuple(sorted(random.choices(range(1, position.game.faces + 1), k=position.game.dice)))
        last = Position(position.sheets, dice, 0)
        position = forget_boxes(last.play(random.choice(last.legal_moves)))
    return position


@pytest.mark.parametrize("game", [THREE, JOKER, FORCED], ids=lambda game: game.id)
@pytest.mark.parametrize("by_target", [False, True], ids=["emp", "dyns"])
@pytest.mark.parametrize("turns", [0, 1, 2, 3])
def test_many_positions_searched_at_once_are_worth_what_each_is_alone(
    game: Game, by_target: bool, turns: int, tmp_path: Path
) -> None:
    chances, random = BestChances(game, Resources(tmp_path)), Random(f"{game.id} {turns}")
    ahead = LookAhead(chances, by_target=by_target)
    search = MatchSearch(chances, DynS(turns + 1) if by_target else Emp(turns + 1))
    find, compared = chances.compiled.states.find, 0
    for depth in range(2 * len(game.categories) - 1):
        asked = [played_on(Position.start(game, 2), 2 * len(game.categories) - 2 - depth, random) for _ in range(3)]
        sheets = [(one.sheet, one.sheets[1 - one.mover]) for one in asked]
        states, rivals = (np.array([find(pair[seat]) for pair in sheets], np.int64) for seat in (0, 1))
        difference = np.array([other.points - mine.points for mine, other in sheets], np.int32)
        found = ahead.after_two_turns(depth, turns, Asked(states, rivals, difference), None)
        for one in asked:
            dice = tuple(sorted(random.choices(range(1, game.faces + 1), k=game.dice)))
            last = Position(played_on(one, 1, random).sheets, dice, 0)
            for entry in search.moves(last):
                value = waiting(found, last.play(entry.move))
                if value is not None:
                    assert value == pytest.approx(entry.value, abs=2e-6), (last, entry.move)
                    compared += 1
    assert compared > 10
