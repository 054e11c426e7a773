"""Outlooks agree with the exact evaluation of the same strategy, wherever they are asked for."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from helpers.small_games import FIXED, games
from hypothesis import HealthCheck, given, settings

from yatzy import ExpectedScore, Position, load_game
from yatzy.coach.sampled_outlook import SampledOutlooks, open_outlooks
from yatzy.errors import InputError, MoveError, SizeError
from yatzy.evaluation import outlook
from yatzy.evaluation.distribution import Distribution
from yatzy.evaluation.evaluating import evaluate, turn_results
from yatzy.evaluation.outlook import Outlook, Outlooks, estimated_bytes, refuse_if_too_large
from yatzy.games import Game, Keep, Move, Score, Sheet
from yatzy.games.rules import is_joker_roll, placements
from yatzy.solver import Solver
from yatzy.strategies.base import Strategy
from yatzy.strategies.best import strategy_for
from yatzy.values.resources import Resources

CLOSE = 1e-5
"""Stored numbers are single; points go up to some hundreds."""


def outlooks_of(game: Game) -> Outlooks:
    return Outlooks(game, ExpectedScore(game))


def sheet_of(game: Game, **points: int) -> Sheet:
    """A sheet with these categories filled; `_` for `-` in their names."""
    known = {name.replace("_", "-"): value for name, value in points.items()}
    return Sheet.of_boxes(game, [known.get(category.id) for category in game.categories])


def assert_same_scores(found: Distribution, wanted: Distribution) -> None:
    length = max(len(found), len(wanted))
    a, b = (np.pad(one.mass, (0, length - len(one))) for one in (found, wanted))
    np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-9)


def assert_outlook(found: Outlook, strategy: Strategy, position: Position) -> None:
    """The outlook is that of the evaluation from this position."""
    sheet, game = position.sheet, position.game
    wanted = evaluate(strategy, position)
    assert found.exact
    assert_same_scores(found.score, wanted.score)
    assert [entry.category for entry in found.categories] == [entry.category for entry in wanted.categories]
    for entry, result in zip(found.categories, wanted.categories, strict=True):
        assert entry.chance == pytest.approx(result.hit, abs=CLOSE)
        assert entry.points == pytest.approx(result.mean, abs=CLOSE)
    bonus_to_come = 0.0
    if game.bonus is None:
        assert found.bonus is None
    else:
        assert found.bonus == pytest.approx(wanted.bonus, abs=CLOSE)
        bonus_to_come = (wanted.bonus - sheet.bonus_won) * game.bonus.points
    # What neither categories nor the upper bonus explain of the score are Joker bonuses.
    jokers = wanted.score.mean - sheet.points - bonus_to_come - sum(result.mean for result in wanted.categories)
    assert found.jokers == pytest.approx(jokers, abs=CLOSE)
    assert_this_turn(found, strategy, position)


def assert_this_turn(found: Outlook, strategy: Strategy, position: Position) -> None:
    if position.game.faces ** (position.game.dice - len(position.dice)) > 6**3:
        return  # every roll in every order: too slow
    results = turn_results(strategy, position)
    for entry in found.categories:
        index = position.game.category_index[entry.category.id]
        mine = [(result.points, chance) for result, chance in results.items() if result.category == index]
        assert entry.this_turn == pytest.approx(sum(chance for points, chance in mine if points), abs=1e-12)
        assert entry.this_turn_points == pytest.approx(sum(points * chance for points, chance in mine), abs=1e-9)


def assert_after(found: Outlook, strategy: Strategy, position: Position, move: Move) -> None:
    """The outlook after a move is that of the position it leads to, and of what it writes down."""
    after = position.play(move)
    if isinstance(move, Keep):
        assert_outlook(found, strategy, after)
        return
    place, wanted = position.placement(move), evaluate(strategy, after)
    assert_same_scores(found.score, wanted.score)
    results = {result.category.id: (result.hit, result.mean) for result in wanted.categories}
    for index, entry in zip(position.sheet.open, found.categories, strict=True):
        assert entry.category == position.game.categories[index]
        if index == place.category:
            hit = float(place.points > 0)
            assert (entry.chance, entry.points, entry.this_turn, entry.this_turn_points) == (
                hit, place.points, hit, place.points,
            )  # fmt: skip
        else:
            assert (entry.chance, entry.points) == pytest.approx(results[entry.category.id], abs=CLOSE)
            assert (entry.this_turn, entry.this_turn_points) == (0, 0)
    if position.game.bonus is not None:
        assert found.bonus == pytest.approx(wanted.bonus, abs=CLOSE)
    brought = after.sheet.points - position.sheet.points
    explained = sum(entry.points for entry in found.categories) + found.jokers
    if position.game.bonus is not None:
        explained += (wanted.bonus - position.sheet.bonus_won) * position.game.bonus.points
    assert explained == pytest.approx(wanted.score.mean - after.sheet.points + brought, abs=CLOSE)


def moves_of(position: Position) -> Iterator[Move]:
    """All legal moves, scoring early and striking included."""
    yield from position.legal_moves
    for place in placements(position.sheet, position.dice):
        category = position.game.categories[place.category].id
        if position.rolls_left:
            yield Score(category)
        if not is_joker_roll(position.game, position.dice):
            yield Score(category, strike=True)


def positions_of_a_game(game: Game, seed: int) -> Iterator[Position]:
    """Every position of a game in which moves and dice are drawn."""
    draw = random.Random(seed)
    position = Position.start(game)
    while not position.over:
        yield position
        if position.awaits_roll:
            more = [draw.randint(1, game.faces) for _ in range(game.dice - len(position.dice))]
            position = position.roll((*position.dice, *more))
        else:
            position = position.play(draw.choice([*moves_of(position)]))
    yield position


def assert_random_game(game: Game, seed: int, outlooks: Outlooks, first: int = 0) -> int:
    """Check all positions of a random game from a layer on, and in each some moves; gives how many."""
    strategy, draw, checked = strategy_for(outlooks.expected), random.Random(seed), 0
    for position in positions_of_a_game(game, seed):
        if position.over or position.sheet.filled.bit_count() < first:
            continue
        assert_outlook(outlooks.at(position), strategy, position)
        checked += 1
        if not position.awaits_roll:
            moves = [*moves_of(position)]
            for move in draw.sample(moves, min(4, len(moves))):
                assert_after(outlooks.after(position, move), strategy, position, move)
                checked += 1
    return checked


@pytest.mark.parametrize("game", FIXED, ids=lambda game: f"{game.id}-{game.dice}d{game.faces}")
def test_outlooks_of_small_games_are_those_of_the_evaluation(game: Game) -> None:
    outlooks = outlooks_of(game)
    assert sum(assert_random_game(game, seed, outlooks) for seed in range(3)) > 20


def test_every_move_of_every_roll_of_a_joker_game() -> None:
    game = next(game for game in FIXED if game.id == "joker-forced" and game.faces == 3)
    outlooks = outlooks_of(game)
    strategy, start = strategy_for(outlooks.expected), Position((sheet_of(game, face_2=2, box=9),))
    for dice in ((1, 1), (2, 2), (1, 3)):
        for left in range(game.rolls):
            position = Position(start.sheets, dice, left)
            for move in moves_of(position):
                assert_after(outlooks.after(position, move), strategy, position, move)
    paid = outlooks.after(Position(start.sheets, (1, 1), 0), Score("face-1"))
    assert game.joker is not None
    assert paid.jokers >= game.joker.points
    assert paid.jokers - game.joker.points == pytest.approx(
        outlooks.at(Position(start.sheets, (1, 1), 0).play(Score("face-1"))).jokers, abs=CLOSE
    )


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(games())
def test_outlooks_of_any_game_are_those_of_the_evaluation(game: Game) -> None:
    assert_random_game(game, 1, outlooks_of(game))


@pytest.mark.parametrize("seed", [1, 2])
def test_late_positions_of_yatzy(outlooks: Callable[[str], Outlooks], seed: int) -> None:
    assert assert_random_game(load_game("yatzy"), seed, outlooks("yatzy"), first=13) > 10


def test_means_of_all_states_of_yatzy_are_the_expected_scores(outlooks: Callable[[str], Outlooks]) -> None:
    """Both the masses and the features add up to the table of expected scores, far below what it takes to matter."""
    made = outlooks("yatzy")
    read, count, states = made.table.read, len(made.game.categories), np.diff(made.compiled.states.layer_start)
    assert made.game.bonus is not None
    for layer in range(count):
        for first in range(0, int(states[layer]), 4096):
            stop = min(first + 4096, int(states[layer]))
            wanted = made.expected.table.read(layer, "value", first, stop)
            offset, low = read(layer, "offset", first, stop + 1), read(layer, "low", first, stop)
            mass = read(layer, "mass", int(offset[0]), int(offset[-1])).astype(np.float64)
            begin = offset[:-1] - offset[0]
            moment = mass * (np.arange(len(mass)) - np.repeat(begin - low, np.diff(offset)))
            total = np.add.reduceat(mass, begin)
            np.testing.assert_allclose(total, 1.0, rtol=0, atol=1e-6)
            np.testing.assert_allclose(np.add.reduceat(moment, begin) / total, wanted, rtol=0, atol=CLOSE)
            features = read(layer, "features", first, stop).astype(np.float64)
            sums = features[:, count : 2 * count].sum(axis=1) + features[:, -2] * made.game.bonus.points
            np.testing.assert_allclose(sums, wanted, rtol=0, atol=2 * CLOSE)
            assert not features[:, -1].any()  # there is no Joker


def test_means_after_moves_are_the_values_of_the_moves(outlooks: Callable[[str], Outlooks]) -> None:
    made = outlooks("yatzy")
    for position in positions_of_a_game(made.game, 3):
        assert made.at(position).mean == pytest.approx(made.expected.value(position), abs=CLOSE)
        for entry in made.expected.moves(position)[::3]:
            assert made.after(position, entry.move).mean == pytest.approx(entry.value, abs=CLOSE)


@pytest.mark.slow
def test_start_of_yatzy_is_the_evaluation_of_the_whole_game(outlooks: Callable[[str], Outlooks]) -> None:
    """The chance of the bonus, 0.8981, and everything else."""
    made = outlooks("yatzy")
    start = Position.start(made.game)
    found, wanted = made.at(start), evaluate(made.expected)
    assert_outlook_figures(found, wanted.score, wanted.bonus)
    for entry, result in zip(found.categories, wanted.categories, strict=True):
        assert (entry.chance, entry.points) == pytest.approx((result.hit, result.mean), abs=CLOSE)
    assert sum(entry.this_turn for entry in found.categories) <= 1
    assert found.of("yatzy").this_turn < 0.0461  # the best chance of all dice equal in three rolls: 0.046029


def assert_outlook_figures(found: Outlook, score: Distribution, bonus: float) -> None:
    assert_same_scores(found.score, score)
    assert (found.mean, found.sd) == pytest.approx((score.mean, score.sd), abs=CLOSE)
    assert (found.low, found.high) == (score.percentile(10), score.percentile(90))
    assert found.bonus == pytest.approx(bonus, abs=CLOSE)
    assert found.score.at_least(300) == pytest.approx(score.at_least(300), rel=1e-5)


def test_a_bonus_that_is_won_or_lost(outlooks: Callable[[str], Outlooks]) -> None:
    made = outlooks("yatzy")
    upper = {"twos": 6, "threes": 9, "fours": 12, "fives": 15, "sixes": 18}
    won, lost = (made.at(Position((sheet_of(made.game, ones=ones, **upper),))) for ones in (3, 2))
    assert (won.bonus, lost.bonus) == (1.0, 0.0)
    assert won.mean - lost.mean == pytest.approx(51, abs=1e-9)  # the rest of the game is the same


def test_players(outlooks: Callable[[str], Outlooks]) -> None:
    made = outlooks("yatzy")
    sheets = (sheet_of(made.game, sixes=18), sheet_of(made.game, yatzy=50))
    position = Position(sheets).roll((6, 6, 6, 2, 1))
    first, second = (Position((sheet,)) for sheet in position.sheets)
    mover = replace(first, dice=position.dice, rolls_left=position.rolls_left)
    assert position.mover == 0
    for found, wanted in (
        (made.at(position), made.at(mover)),
        (made.at(position, 0), made.at(mover)),
        (made.at(position, 1), made.at(second)),
        (made.after(position, Score("ones")), made.after(mover, Score("ones"))),
    ):
        assert found.categories == wanted.categories
        np.testing.assert_array_equal(found.score.mass, wanted.score.mass)


def test_sampled_outlooks_agree_with_exact_ones(outlooks: Callable[[str], Outlooks]) -> None:
    made = outlooks("yatzy")
    sampled = SampledOutlooks(made.expected)
    filled = sheet_of(made.game, ones=3, twos=6, fives=20, sixes=18, two_pairs=22, chance=25, small_straight=0)
    late = Position((filled,))
    dice = late.roll((3, 3, 4, 4, 4))
    asked = [(sampled.at(at), made.at(at)) for at in (Position.start(made.game), late, dice)]
    asked += [(sampled.after(dice, move), made.after(dice, move)) for move in (Keep((4, 4, 4)), Score("fours"))]
    for found, exact in asked:
        assert (found.exact, found.games) == (False, 20_000)
        error = exact.sd / math.sqrt(found.games)
        assert found.mean == pytest.approx(exact.mean, abs=5 * error)
        assert found.sd == pytest.approx(exact.sd, abs=5 * error)  # the error of an sd is about 0.7 of that of a mean
        for score in range(150, 350, 25):
            assert_share(found.score.at_least(score), exact.score.at_least(score), found.games)
        assert found.bonus is not None
        assert exact.bonus is not None
        assert_share(found.bonus, exact.bonus, found.games)
        for one, other in zip(found.categories, exact.categories, strict=True):
            assert_share(one.chance, other.chance, found.games)
            most = max(one.category.score(roll) for roll in made.compiled.lattice.rolls)
            assert one.points == pytest.approx(other.points, abs=5 * most / 2 / math.sqrt(found.games))
            assert (one.this_turn, one.this_turn_points) == (other.this_turn, other.this_turn_points)


def assert_share(found: float, exact: float, games: int) -> None:
    # One game more or less, for shares of the first turn are rounded to whole games.
    assert found == pytest.approx(exact, abs=5 * math.sqrt(exact * (1 - exact) / games) + 2 / games)


def test_sampled_outlooks_with_jokers(solved: Callable[[str], ExpectedScore]) -> None:
    """Points from the categories, the bonus and the Jokers add up to the mean of the score."""
    expected = solved("yahtzee")
    position = Position((sheet_of(expected.game, yahtzee=50, sixes=24, fives=20, chance=22),))
    found = SampledOutlooks(expected, games=5000).at(position)
    assert found.jokers > 0
    assert expected.game.bonus is not None
    assert found.bonus is not None
    parts = sum(entry.points for entry in found.categories) + found.bonus * expected.game.bonus.points + found.jokers
    # Of this turn the shares are exact in the parts and to the nearest game in the score.
    assert position.sheet.points + parts == pytest.approx(found.mean, abs=0.05)
    assert found.mean == pytest.approx(expected.value(position), abs=5 * found.sd / math.sqrt(5000))


def test_a_sample_of_the_last_turn_is_exact() -> None:
    game = FIXED[1]
    exact, sampled = outlooks_of(game), SampledOutlooks(ExpectedScore(game), games=10)
    last = [at for at in positions_of_a_game(game, 4) if not at.over and len(at.sheet.open) == 1]
    for position in last:
        found = sampled.at(position)
        assert found.exact
        assert_same_scores(found.score, exact.at(position).score)
        assert found.bonus == pytest.approx(exact.at(position).bonus, abs=CLOSE)
    assert len(last) >= 3


def test_a_table_too_large_is_sampled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game, solver = FIXED[0], Solver(tmp_path)
    monkeypatch.setattr(outlook, "MOST_BYTES", 100)
    with pytest.raises(SizeError, match=r"^the table of outlooks of one-roll would take about .* GiB"):
        solver.outlooks(game)
    source = open_outlooks(solver, game, games=50)
    assert isinstance(source, SampledOutlooks)
    assert source.at(Position.start(game)).games == 50
    assert [path.name for path in tmp_path.glob("*outlook*")] == []
    monkeypatch.undo()
    assert isinstance(open_outlooks(solver, game), Outlooks)
    monkeypatch.setattr(outlook, "MOST_BYTES", 100)  # what is there is used
    assert isinstance(open_outlooks(solver, game), Outlooks)


def test_maxi_yatzy_is_too_large(tmp_path: Path) -> None:
    with pytest.raises(SizeError, match="maxi-yatzy"):
        refuse_if_too_large(load_game("maxi-yatzy"), tmp_path)
    refuse_if_too_large(load_game("yatzy"), tmp_path)


def test_the_size_is_about_the_estimate(outlooks: Callable[[str], Outlooks]) -> None:
    made = outlooks("yatzy")
    assert made.table.size == pytest.approx(estimated_bytes(made.game), rel=0.2)
    page = Path(__file__).parents[2] / "docs" / "tables.md"
    assert f"takes {made.table.size / 10**6:.0f} MB for Yatzy" in page.read_text("utf-8")


def test_ready_and_resumed(tmp_path: Path) -> None:
    game = next(game for game in FIXED if game.joker)
    expected = ExpectedScore(game, Resources(tmp_path))
    assert not Outlooks.ready(game, tmp_path)

    def interrupt(done: int, total: int) -> None:
        if 2 * done > total:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Outlooks(game, expected, Resources(tmp_path, progress=lambda *_: interrupt))
    assert not Outlooks.ready(game, tmp_path)
    said = list[str]()
    resumed = Outlooks(game, expected, Resources(tmp_path, report=said.append))
    assert Outlooks.ready(game, tmp_path)
    assert any("resuming" in line for line in said)
    whole = Outlooks(game, expected, Resources(tmp_path / "other"))
    start = Position.start(game)
    np.testing.assert_array_equal(resumed.at(start).score.mass, whole.at(start).score.mass)
    assert resumed.at(start).categories == whole.at(start).categories


def test_what_is_wrong_is_said() -> None:
    game = FIXED[0]
    outlooks, start = outlooks_of(game), Position.start(game)
    with pytest.raises(InputError, match="the position is of two-rolls; these are outlooks of one-roll"):
        outlooks.at(Position.start(FIXED[1]))
    with pytest.raises(InputError, match="player: 1 is not from 0 to 0"):
        outlooks.at(start, 1)
    with pytest.raises(MoveError, match="cannot be filled before a roll"):
        outlooks.after(start, Score("pair"))
    with pytest.raises(MoveError, match="dice can be kept only after a roll and with rolls left"):
        outlooks.after(Position(start.sheets, (1, 2), 0), Keep((1,)))
    with pytest.raises(InputError, match="house: is not an open category here; open are face-1"):
        outlooks.at(start).of("house")
    with pytest.raises(InputError, match="games: 0 is not from 1 to"):
        SampledOutlooks(outlooks.expected, games=0)


def test_the_end_of_a_game() -> None:
    game = FIXED[1]
    over = [*positions_of_a_game(game, 5)][-1]
    found = outlooks_of(game).at(over)
    assert (found.categories, found.jokers, found.mean, found.sd) == ((), 0, over.sheet.points, 0)
    assert found.bonus == float(over.sheet.bonus_won)
