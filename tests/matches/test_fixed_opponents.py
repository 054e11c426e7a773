"""The best answer to fixed opponents, against fractions, the optimum of two and simulated games."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path
from random import Random
from typing import Any, cast

import numpy as np
import pytest
from helpers.small_games import CHANCE, FIXED, PAIR, RUN

from yatzy import ExpectedScore, Keep, Position, Score, Sheet, advise, load_game
from yatzy.cli.commands.match.answer import command as answer_command
from yatzy.errors import InputError, PositionError, SizeError
from yatzy.evaluation.distribution import Distribution
from yatzy.evaluation.evaluating import evaluate
from yatzy.games import Bonus, Category, Chance, Face, Game, Groups, Joker, JokerReading, Move, rolls
from yatzy.lab import simulate
from yatzy.lab.sample import mean_of
from yatzy.matches.exact import every_pair
from yatzy.matches.fixed_opponents import (
    BestAnswer,
    FixedOpponents,
    ReachableStates,
    answer_to,
    gain,
    payoffs_of_games,
    utility_against,
)
from yatzy.matches.values import SmallMatch
from yatzy.model import compile_game
from yatzy.names.payoffs import Payoff, match_points, payoff_for, win_outright
from yatzy.solver import Solver
from yatzy.strategies.base import Strategy
from yatzy.strategies.best import ValueStrategy, strategy_for
from yatzy.strategies.molinder import MolinderBonus
from yatzy.strategies.softened import RandomStrategy
from yatzy.units import Unit
from yatzy.values.exact import ExactUtility, exact_distribution
from yatzy.values.resources import Resources
from yatzy.values.utility import UtilityScore

SINGLE = 2e-6
TWOS, BOX = Category("twos", Face(2)), Category("box", Groups((2,), points=9))
TINY = Game("tiny", 2, 3, 2, (TWOS, PAIR, CHANCE))
SMALL = (
    TINY,
    Game("bonus", 2, 2, 2, (Category("ones", Face(1)), TWOS, CHANCE), Bonus(points=3, threshold=4)),
    Game("forced", 2, 3, 2, (TWOS, PAIR, RUN), forced_order=True),
    *(
        Game(f"joker-{reading.value}", 2, 2, 2, (TWOS, BOX, RUN), Bonus(4, 4), Joker("box", reading, points=5))
        for reading in (JokerReading.FREE, JokerReading.PAWLEWICZ)
    ),
)
PAYOFFS = (match_points(2), win_outright(2), Payoff((6.0, 1.0)))
Finals = dict[int, Fraction]


def greedy(game: Game) -> Strategy:
    return ValueStrategy(game, "greedy")


def expected(game: Game, folder: Path | None = None) -> Strategy:
    return strategy_for(ExpectedScore(game, Resources(folder)))


def worth_against(opponents: tuple[Finals, ...], payoff: Payoff) -> Callable[[int], Fraction]:
    """The expected payoff of a score, by going through all that the opponents can make together."""

    @cache
    def worth(mine: int) -> Fraction:
        total = Fraction(0)
        for scores in product(*opponents):
            chance = Fraction(1)
            for finals, score in zip(opponents, scores, strict=True):
                chance *= finals[score]
            total += chance * Fraction(payoff.of_scores((mine, *scores))[0])
        return total

    return worth


def finals_from(strategy: Strategy, sheet: Sheet) -> Finals:
    """The final scores of a strategy from a sheet, by following every roll."""
    if sheet.over:
        return {sheet.points: Fraction(1)}
    found: Finals = {}

    def follow(position: Position, chance: Fraction) -> None:
        if position.between_turns and position.sheet != sheet:
            for score, share in finals_from(strategy, position.sheet).items():
                found[score] = found.get(score, Fraction(0)) + chance * share
        elif position.awaits_roll:
            missing = position.game.dice - len(position.dice)
            for more in product(range(1, position.game.faces + 1), repeat=missing):
                follow(position.roll(position.dice + more), chance / int(position.game.faces**missing))
        else:
            follow(position.play(strategy.move(position)), chance)

    follow(Position((sheet,)), Fraction(1))
    return found


def some_positions(game: Game, number: int) -> Iterator[Position]:
    """Positions of two between turns and within them, spread over the game; not the start."""
    random = Random(game.id)
    between = sorted((p for p in every_pair(game) if not p.over and any(s.filled for s in p.sheets)), key=str)
    for position in random.choices(between, k=number):
        yield position
        dice, rolls_left = random.choice(rolls(game)), random.randrange(game.rolls)
        yield Position(position.sheets, dice, rolls_left)
        if rolls_left:
            yield Position(position.sheets, dice[: random.randrange(game.dice)], rolls_left)


# What a score is worth


@pytest.mark.parametrize("text", ["match-points", "win", "6,3,1,0"])
def test_the_utility_is_the_mean_over_all_that_the_opponents_make(text: str) -> None:
    random, payoff = Random(text), payoff_for(text, 4)
    finals = tuple(
        {score: Fraction(random.randrange(1, 9), 1) for score in random.sample(range(9), size)} for size in (4, 3, 5)
    )
    finals = tuple({score: part / sum(one.values()) for score, part in one.items()} for one in finals)
    masses = [
        Distribution(np.array([float(one.get(score, 0)) for score in range(9 + i)])) for i, one in enumerate(finals)
    ]
    utility, worth = utility_against(masses, payoff), worth_against(finals, payoff)
    scores = np.arange(15)
    assert utility(scores) == pytest.approx([float(worth(score)) for score in scores.tolist()], abs=1e-12)
    if text == "match-points":
        assert utility_against(masses) == utility


def test_games_pay_what_their_scores_say() -> None:
    scores = np.random.default_rng(1).integers(0, 5, (4, 300)).astype(np.int32)
    for payoff in (match_points(4), win_outright(4), Payoff((6.0, 3.0, 1.0, 0.0))):
        paid = payoffs_of_games(payoff, scores[0], list(scores[1:]))
        assert paid.tolist() == pytest.approx([payoff.of_scores(game)[0] for game in scores.T.tolist()])


# Fractions


@pytest.mark.parametrize("payoff", PAYOFFS, ids=["match-points", "win", "6,1"])
@pytest.mark.parametrize("game", SMALL, ids=lambda game: game.id)
def test_the_answer_from_the_start_is_the_judges(game: Game, payoff: Payoff, tmp_path: Path) -> None:
    for opponent in (greedy(game), expected(game, tmp_path)):
        judge = ExactUtility(game, worth_against((exact_distribution(game, opponent.move),), payoff))
        found = answer_to(game, [opponent], payoff, Solver(tmp_path))
        assert found.value(Sheet.start(game)) == pytest.approx(float(judge.value(Sheet.start(game))), abs=SINGLE)
        assert found.objective == f"answer:{opponent.name}"
        assert found.unit is (Unit.CHANCE if payoff == win_outright(2) else Unit.WORTH)


@pytest.mark.parametrize("game", SMALL, ids=lambda game: game.id)
def test_move_by_move_is_the_judges(game: Game, tmp_path: Path) -> None:
    opponent = greedy(game)
    final = cache(lambda sheet: finals_from(opponent, sheet))
    for payoff in PAYOFFS[:2]:
        fixed = FixedOpponents(game, [opponent], payoff, Solver(tmp_path))
        for position in some_positions(game, 6):
            mine, theirs = position.sheet, position.sheets[1 - position.mover]
            judge = ExactUtility(game, worth_against((final(replace(theirs, boxes=None)),), payoff))
            exact = float(judge.keep_value(mine, position.dice, position.rolls_left)) if position.awaits_roll else None
            moves = {} if position.awaits_roll else dict(judge.moves(mine, position.dice, position.rolls_left))
            exact = float(max(moves.values())) if exact is None else exact
            assert fixed.value(position) == pytest.approx(exact, abs=1e-10)
            found = {entry.move: entry.value for entry in fixed.moves(position)}
            assert found == pytest.approx({move: float(value) for move, value in moves.items()}, abs=1e-10)


def test_two_opponents_who_differ(tmp_path: Path) -> None:
    game, payoff = TINY, Payoff((5.0, 2.0, 0.0))
    opponents = [greedy(game), expected(game, tmp_path)]
    fixed = FixedOpponents(game, opponents, payoff, Solver(tmp_path))
    one, two = Sheet.start(game).fill(1, 4, 0), Sheet.start(game).fill(2, 3, 0)
    position = Position((one, two, Sheet.start(game)), (2, 3), 1)
    assert position.mover == 2
    finals = tuple(finals_from(*pair) for pair in zip(opponents, (one, two), strict=True))
    judge = ExactUtility(game, worth_against(finals, payoff))
    exact = {move: float(value) for move, value in judge.moves(Sheet.start(game), (2, 3), 1)}
    assert {entry.move: entry.value for entry in fixed.moves(position)} == pytest.approx(exact, abs=1e-10)
    assert fixed.objective == "answer:greedy,expected"
    swapped = FixedOpponents(game, opponents[::-1], payoff, Solver(tmp_path))
    assert swapped.value(position) != pytest.approx(fixed.value(position), abs=1e-4)
    seats = Position((two, one, Sheet.start(game)), (2, 3), 1)
    assert swapped.value(seats) == pytest.approx(fixed.value(position), abs=1e-12)


def test_who_looks_again_in_every_turn_does_at_least_as_well(tmp_path: Path) -> None:
    game, opponent = Game("two-boxes", 2, 3, 2, (PAIR, RUN)), greedy(Game("two-boxes", 2, 3, 2, (PAIR, RUN)))
    fixed = FixedOpponents(game, [opponent], resources=Solver(tmp_path))

    @cache
    def played(position: Position) -> float:
        """What the first player gets, who asks before every move."""
        if position.over:
            return fixed.payoff.of_scores([sheet.points for sheet in position.sheets])[0]
        if position.awaits_roll:
            missing = game.dice - len(position.dice)
            more = list(product(range(1, game.faces + 1), repeat=missing))
            return sum(played(position.roll(position.dice + dice)) for dice in more) / len(more)
        alone = Position((position.sheet,), position.dice, position.rolls_left)
        move: Move = opponent.move(alone) if position.mover else fixed.best(position)
        return played(position.play(move))

    start = Position.start(game, 2)
    assert played(start) >= fixed.value(start) - SINGLE
    assert played(start) > fixed.value(start) + 1e-4  # and here looking helps


# Tables, and states on demand


def test_at_the_start_the_table_answers_and_the_states_on_demand_agree(solved: Callable[[str], ExpectedScore]) -> None:
    game, opponent = load_game("yacht"), strategy_for(solved("yacht"))
    fixed = FixedOpponents(game, [opponent])
    start = Position.start(game, 2)
    table = answer_to(game, [opponent])
    assert table.table.cached is False
    assert fixed.value(start) == pytest.approx(table.value(Sheet.start(game)), abs=SINGLE)
    assert fixed.start.table.cached is True
    turn = ReachableStates(compile_game(game), Sheet.start(game), 10**9).turn(table.utility)
    for position in (start, start.roll((1, 1, 4, 5, 6)), Position(start.sheets, (2, 2, 3), 1)):
        assert fixed.value(position) == pytest.approx(float(turn.at(position)), abs=SINGLE)
    assert isinstance(table, UtilityScore)
    advice = advise(cast(Any, fixed), start.roll((1, 1, 4, 5, 6)))
    assert advice.best.move == fixed.best(start.roll((1, 1, 4, 5, 6)))
    assert (advice.objective, advice.unit) == ("answer:expected", Unit.WORTH)


@pytest.mark.parametrize("filled", [4, 6, 9])
def test_the_middle_of_a_game_on_demand_and_from_a_table(filled: int, solved: Callable[[str], ExpectedScore]) -> None:
    """The table of the start holds wherever the opponents' distribution is still that of the start."""
    game, random = load_game("yacht"), Random(filled)
    utility = utility_against([evaluate(solved("yacht")).score])
    table, sheet = UtilityScore(game, utility), Sheet.start(game)
    while sheet.filled.bit_count() < filled:
        dice = tuple(random.choices(range(1, 7), k=5))
        after = Position((sheet,), dice, 0).play(random.choice(Position((sheet,), dice, 0).legal_moves))
        sheet = after.sheet
    turn = ReachableStates(compile_game(game), sheet, 10**9).turn(utility)
    for position in (Position((sheet,)), Position((sheet,), (1, 3, 3, 4, 6), 2), Position((sheet,), (5, 5, 5), 1)):
        assert float(turn.at(position)) == pytest.approx(table.value(position), abs=SINGLE)


# Against the optimum of two


@pytest.mark.parametrize("game", SMALL, ids=lambda game: game.id)
def test_a_finished_opponent_is_answered_as_by_the_optimum(game: Game) -> None:
    """Who has finished plays no more, so any strategy will do."""
    fixed = FixedOpponents(game, [greedy(game)])
    ends = [p for p in every_pair(game) if p.sheets[0].over and not p.over]
    for position in Random(3).sample(ends, 12):
        for dice in Random(str(position)).sample(rolls(game), 2):
            here = Position(position.sheets, dice, game.rolls - 1)
            optimum = SmallMatch(here)
            assert fixed.value(here) == pytest.approx(optimum.value(here), abs=1e-12)
            values = {entry.move: entry.value for entry in optimum.moves(here)}
            assert {entry.move: entry.value for entry in fixed.moves(here)} == pytest.approx(values, abs=1e-12)


def test_tillius_end_position_only_the_six_can_win() -> None:
    game = load_game("yatzy")
    mover = Sheet.of_sums(game, set(game.category_index) - {"four-of-a-kind"}, upper=63, points=250)
    position = Position((Sheet.of_sums(game, game.category_index, upper=63, points=272), mover), (5, 5, 5, 5, 6), 1)
    fixed = FixedOpponents(game, [MolinderBonus(game)])
    values = {entry.move: entry.value for entry in fixed.moves(position)}
    assert values[Keep((5, 5, 5, 5))] == 0
    assert values[Keep((6,))] == pytest.approx(float(Fraction(7, 432)), abs=1e-12)
    assert fixed.best(position) == Keep((6,))
    assert fixed.value(position) == SmallMatch(position).value(position)


# What it gains


def test_what_is_gained_exactly_and_in_games(solved: Callable[[str], ExpectedScore]) -> None:
    game, plays_for_points = load_game("yacht"), strategy_for(solved("yacht"))
    answer = answer_to(game, [plays_for_points, greedy(game)])
    found = gain(answer, plays_for_points, lambda strategy, stream: simulate(strategy, 20_000, 5, stream=stream).total)
    assert found.gain_exact > 1e-4
    assert found.answer_exact == answer.value(Sheet.start(game))
    mine, theirs = (evaluate(one).score for one in (plays_for_points, greedy(game)))
    by_hand = sum(
        float(
            np.sum(
                mine.mass[:, None]
                * other.mass
                * (np.sign(np.subtract.outer(*map(np.arange, map(len, (mine, other))))) + 1)
                / 2
            )
        )
        for other in (mine, theirs)
    )
    assert found.expected_exact == pytest.approx(by_hand, abs=1e-8)
    assert found.games is not None
    pairs = ((found.games.answer, found.answer_exact), (found.games.expected, found.expected_exact))
    for paid, exact in (*pairs, (found.games.gain, found.gain_exact)):
        sampled = mean_of(paid)
        assert 0 < sampled.error < 0.01
        assert abs(sampled.value - exact) < 4 * sampled.error
    assert mean_of(found.games.gain).error < mean_of(found.games.answer).error  # the same dice


def test_the_answer_does_what_its_table_says(solved: Callable[[str], ExpectedScore]) -> None:
    answer = answer_to(load_game("yacht"), [solved("yacht")])
    assert answer.paid(evaluate(answer).score) == pytest.approx(answer.value(Sheet.start(answer.game)), abs=SINGLE)


@pytest.mark.parametrize("game", SMALL, ids=lambda game: game.id)
def test_no_strategy_does_better_than_the_answer(game: Game, tmp_path: Path) -> None:
    others = [greedy(game), expected(game, tmp_path), RandomStrategy(game)]
    for opponent in others:
        for payoff in ("match-points", "win"):
            answer = answer_to(game, [opponent, opponent], payoff, Solver(tmp_path))
            for other in others:
                found = gain(answer, other)
                assert found.games is None
                assert found.gain_exact >= -SINGLE


def test_a_match_that_is_decided_is_played_for_points() -> None:
    game = Game("two-chances", 2, 3, 2, (Category("one", Chance()), Category("two", Chance())))
    sheet = Sheet.start(game).fill(0, 2, 0)
    ahead = Position((replace(sheet, points=100), sheet), (3, 3), 1)
    fixed = FixedOpponents(game, [greedy(game)])
    assert {entry.value for entry in fixed.moves(ahead)} == {1.0}
    assert fixed.best(ahead) == Keep((3, 3))
    assert advise(cast(Any, fixed), ahead).best.move == Keep((3, 3))
    assert fixed.best(Position(ahead.sheets, (3, 3), 0)) == Score("two")


def test_two_moves_that_are_worth_the_same_differ_in_points() -> None:
    """Nobody can catch up, so the pair and the chance are both sure to win, and only one of them scores well."""
    sheet = Sheet.start(TINY).fill(0, 4, 0)
    ahead = Position((replace(sheet, points=100), sheet), (2, 3), 0)
    pair, chance = FixedOpponents(TINY, [greedy(TINY)]).moves(ahead)
    assert (pair.move, chance.move) == (Score("pair"), Score("chance"))
    assert pair.value == chance.value == 1.0
    assert 0 < pair.tie_breaker < chance.tie_breaker


def test_over_is_over() -> None:
    full = Sheet.start(TINY).fill(0, 4, 0).fill(1, 0, 0).fill(2, 3, 0)
    fixed = FixedOpponents(TINY, [greedy(TINY)])
    assert fixed.value(Position((full, full))) == 0.5
    assert fixed.moves(Position((full, full))) == []


# Refusals


def test_no_more_points_are_kept_than_can_be_scored() -> None:
    """Two twos, a pair of threes and a chance of six: 16 points, so 17 final scores."""
    compiled, start = compile_game(TINY), Sheet.start(TINY)
    for sheet, most in ((start, 4 + 6 + 6), (start.fill(0, 0, 0), 6 + 6)):
        offsets = ReachableStates(compiled, sheet, 10**6)._offsets
        assert int(offsets[-1][-1]) == most + 1


def test_questions_without_an_answer_are_refused() -> None:
    fixed, start = FixedOpponents(TINY, [greedy(TINY)]), Sheet.start(TINY)
    with pytest.raises(PositionError, match="has 3 players, the match 2"):
        fixed.value(Position.start(TINY, 3))
    with pytest.raises(InputError, match="of no-upper"):
        fixed.value(Position.start(FIXED[9], 2))
    with pytest.raises(PositionError, match="player 2"):
        fixed.value(Position((start.fill(1, 4, 0), Sheet.of_sums(TINY, ["pair"]))))
    with pytest.raises(InputError, match="payoff is for 3 players, but there are 2"):
        FixedOpponents(TINY, [greedy(TINY)], match_points(3))
    with pytest.raises(InputError, match="payoff is for 2 players, but there are 4"):
        answer_to(TINY, [greedy(TINY)] * 3, match_points(2))
    with pytest.raises(InputError, match="greedy plays no-upper, but the match is of tiny"):
        FixedOpponents(TINY, [greedy(FIXED[9])])
    with pytest.raises(InputError, match="greedy plays no-upper, but the match is of tiny"):
        answer_to(TINY, [greedy(FIXED[9])])
    with pytest.raises(InputError, match="at least two players"):
        answer_to(TINY, [])
    with pytest.raises(InputError, match="opponent 2: the chances"):
        utility_against([Distribution(np.array([0.5, 0.5])), Distribution(np.array([0.5, 0.4]))])


def test_a_distribution_can_be_answered_but_not_played(tmp_path: Path) -> None:
    one = evaluate(greedy(TINY)).score
    answer = answer_to(TINY, [one], resources=Solver(tmp_path))
    assert answer.objective == "answer:distribution"
    assert answer.value(Sheet.start(TINY)) == answer_to(TINY, [greedy(TINY)], resources=Solver(tmp_path)).value(
        Sheet.start(TINY)
    )
    with pytest.raises(InputError, match="only the distribution of this player is known"):
        gain(answer, greedy(TINY), lambda strategy, stream: simulate(strategy, 10, 1, stream=stream).total)


def test_too_early_is_said_before_anything_is_solved() -> None:
    game = load_game("yatzy")
    fixed = FixedOpponents(game, [MolinderBonus(game)])
    begun = Position((Sheet.start(game).fill(0, 3, 0), Sheet.start(game)))
    with pytest.raises(SizeError, match=r"^with 15 open categories the answer takes more than 10,000,000 values"):
        fixed.value(begun)
    small = FixedOpponents(TINY, [greedy(TINY)], limit=5)
    with pytest.raises(SizeError, match="more than 5 values"):
        small.value(Position((Sheet.start(TINY).fill(1, 4, 0), Sheet.start(TINY))))


# The command


def test_the_command_tells_the_gain(
    solved: Callable[[str], ExpectedScore], tables: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    solved("yacht")
    options: dict[str, Any] = {"game": "yacht", "games": 2000, "seed": 3, "threads": None, "tables": tables}
    answer_command(["2*expected"], payoff="6,3,0", **options, json=True)
    found = json.loads(capsys.readouterr().out)
    assert (found["game"], found["objective"], found["payoff"]) == ("yacht", "answer:expected,expected", "6,3,0")
    assert (found["games"], found["seed"]) == (2000, 3)
    assert found["exact"]["gain"] == pytest.approx(found["exact"]["answer"] - found["exact"]["expected"])
    assert found["exact"]["expected"] == pytest.approx(3.0)  # all three are alike
    assert found["exact"]["gain"] > 0
    sampled = found["simulated"]["gain"]
    assert abs(sampled["value"] - found["exact"]["gain"]) < 4 * sampled["error"]
    answer_command(["expected"], payoff="match-points", **{**options, "games": 0}, json=False)
    shown = capsys.readouterr().out
    assert "the best response to best strategy for points" in shown
    assert "0.500000" in shown
    assert "±" not in shown
    with pytest.raises(InputError, match="2 places, but there are 4 players"):
        answer_command(["3*expected"], payoff="1,0", **options, json=True)


def test_the_answer_is_a_table_of_its_own_name(tmp_path: Path) -> None:
    """Two lists of opponents with one utility share a table, and digits beyond rounding do not tell them apart."""
    mass = evaluate(greedy(TINY)).score.mass
    one = answer_to(TINY, [Distribution(mass)], resources=Solver(tmp_path))
    two = answer_to(TINY, [Distribution(mass * (1 + 1e-15))], resources=Solver(tmp_path))
    assert isinstance(one, BestAnswer)
    assert one.table.path == two.table.path
    assert two.table.cached
