"""Reviews: every number against brute force, the sum of luck and error, and what is told of incomplete records."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from helpers.plain import plain
from helpers.played_records import played_record, record_of, turn_of
from helpers.random_records import random_record
from helpers.small_games import FIXED

from yatzy import ExpectedScore, advise, load_game, parse_strategy
from yatzy.coach.grades import Grade, grade_of
from yatzy.coach.reviews.review import Decision, Review, review
from yatzy.errors import InputError
from yatzy.games import Detail, Game, Keep, Player, Position, Record, Roll, Score, Turn
from yatzy.lab import replay
from yatzy.matches.exact import ExactMatch
from yatzy.matches.search import MatchSearch
from yatzy.matches.values import SmallMatch
from yatzy.names.payoffs import match_points
from yatzy.report.answers.reviews import review_answer
from yatzy.solver import solve
from yatzy.strategies.softened import RandomStrategy
from yatzy.values.curves import BestChances
from yatzy.values.evaluator import Sides
from yatzy.values.exact import ExactSolver
from yatzy.values.targets import TargetChance

TINY = [game for game in FIXED if len(game.categories) <= 5]


def _cut_down(game: Game, *ids: str) -> Game:
    """A game with some of its categories only, so that a match of two is small."""
    return replace(game, id=f"{game.id}-cut", categories=tuple(c for c in game.categories if c.id in ids))


_JOKER = next(game for game in FIXED if game.joker)
PAIRS = [
    *(game for game in FIXED if len(game.categories) <= 3),
    _cut_down(FIXED[1], "face-2", "face-3", "pair"),
    _cut_down(_JOKER, "face-2", "box", "chance"),
    _cut_down(FIXED[2], "face-1", "run", "chance"),
]
FOURS = [game for game in FIXED if len(game.categories) == 4]


def decisions(found: Review) -> list[Decision]:
    return [one for player in found.players for one in player.decisions]


@pytest.mark.parametrize("game", TINY, ids=lambda game: f"{game.id}-{game.dice}-{game.faces}")
def test_every_number_of_a_small_game_is_that_of_the_judge_in_fractions(game: Game) -> None:
    judge, solution = ExactSolver(game), solve(game)
    for number in range(6):
        record = played_record(RandomStrategy(game), 3, number)
        found = review(record, solution)
        (player,) = found.players
        assert player.start == pytest.approx(float(judge.value(Position.start(game).sheet)), abs=1e-9)
        luck = error = Fraction(0)
        steps = [step for turn in range(len(record.turns)) for step in record.steps(turn)]
        entries = iter([one for turn in player.turns for one in turn.rolls])
        made = iter(player.decisions)
        for here, step in steps:
            sheet = here.sheet
            if isinstance(step, Roll):
                mean = sheet.points + judge.keep_value(sheet, here.dice, here.rolls_left)
                after = sheet.points + judge.roll_value(sheet, step.dice, here.rolls_left - 1)
                one = next(entries)
                assert (one.before, one.after) == pytest.approx((float(mean), float(after)), abs=1e-9)
                luck += after - mean
            else:
                values = dict(judge.moves(sheet, here.dice, here.rolls_left))
                best, decision = max(values.values()), next(made)
                assert (decision.position, decision.move) == (here, step)
                assert decision.loss == pytest.approx(float(best - values[step]), abs=1e-9)
                assert set(decision.best) == {move for move, value in values.items() if value == best}
                assert decision.forced == (len(values) == 1)
                error += best - values[step]
        assert next(entries, None) is None
        assert next(made, None) is None
        assert player.luck == pytest.approx(float(luck), abs=1e-9)
        assert player.error == pytest.approx(float(error), abs=1e-9)
        assert judge.value(Position.start(game).sheet) + luck - error == record.scores[0]
        assert found.residual is not None
        assert found.residual < 1e-9


@pytest.mark.parametrize("id", ["yatzy", "yahtzee"])
def test_final_score_is_start_and_luck_less_error(id: str, solved: Callable[[str], ExpectedScore]) -> None:
    solution = solved(id)
    strategy = parse_strategy("softened:1", solution.game)
    for number in range(8):
        record = played_record(strategy, 11, number, players=2)
        found = review(record, solution)
        for player, score in zip(found.players, record.scores, strict=True):
            assert player.luck is not None
            assert player.start is not None
            assert player.start + player.luck - player.error == pytest.approx(score, abs=1e-6)
            assert player.final == score
            assert player.residual == pytest.approx(0, abs=1e-6)
            assert player.error > 0


def test_every_decision_is_graded_as_advice_grades_it(solved: Callable[[str], ExpectedScore]) -> None:
    solution = solved("yatzy")
    found = review(played_record(parse_strategy("softened:0.7", solution.game), 5), solution)
    seen = set()
    for one in decisions(found):
        entry = advise(solution, one.position).of(one.move)
        assert (one.made, one.loss, one.grade) == (entry.value, entry.loss, entry.grade)
        assert one.grade is grade_of(one.loss, found.unit, tied=solution.tied(one.made, one.value))
        assert one.moves == len(one.position.legal_moves)
        seen.add(one.grade)
    assert len(seen) >= 4


def test_mean_loss_leaves_out_what_was_forced(solved: Callable[[str], ExpectedScore]) -> None:
    solution = solved("yatzy")
    (player,) = review(played_record(parse_strategy("softened:1", solution.game), 5), solution).players
    assert [one.forced for one in player.decisions].count(True) == 1  # the last category
    assert player.mean_loss == pytest.approx(player.error / (len(player.decisions) - 1))
    assert sum(player.count(grade) for grade in Grade) == len(player.chosen)
    assert [one.loss for one in player.errors] == sorted((one.loss for one in player.errors), reverse=True)
    assert {one.grade for one in player.decisions} - {one.grade for one in player.errors} == {Grade.BEST}


def test_the_best_strategy_makes_no_error(solved: Callable[[str], ExpectedScore]) -> None:
    solution = solved("yatzy")
    (player,) = review(record_of(solution.game, [replay(solution, 2, 0)]), solution).players
    assert player.error == pytest.approx(0, abs=1e-9)
    assert not player.errors


@pytest.mark.slow
def test_chances_of_a_target_add_up(
    solved: Callable[[str], ExpectedScore], chances: Callable[[str], BestChances]
) -> None:
    target = TargetChance(chances("yatzy"), solved("yatzy"), 230)
    strategy = parse_strategy("softened:1", target.game)
    reached = set()
    for number in range(10):
        found = review(played_record(strategy, 4, number), target)
        (player,) = found.players
        assert player.final == (found.record.scores[0] >= 230)
        assert found.residual is not None
        assert found.residual < 1e-6
        reached.add(player.final)
    assert reached == {0.0, 1.0}


def _cut(record: Record, turn: int, detail: Detail) -> Record:
    """The record with less known of a turn."""
    one = record.turns[turn]
    known = (
        replace(one, rolls=(), keeps=()) if detail is Detail.POINTS else replace(one, rolls=one.rolls[-1:], keeps=())
    )
    return replace(record, turns=(*record.turns[:turn], known, *record.turns[turn + 1 :]))


def test_a_turn_known_by_its_last_dice(solved: Callable[[str], ExpectedScore]) -> None:
    solution = solved("yatzy")
    record = played_record(parse_strategy("softened:1", solution.game), 8)
    whole = review(record, solution).players[0]
    part = review(_cut(record, 4, Detail.DICE), solution).players[0]
    turn, full = part.turns[4], whole.turns[4]
    assert turn.mixed is not None
    assert turn.mixed.detail is Detail.DICE
    assert turn.mixed.gain == pytest.approx(full.luck - sum(one.loss for one in full.decisions[:-1]), abs=1e-9)
    assert turn.decisions == full.decisions[-1:]
    assert not turn.rolls
    assert part.final == whole.final
    assert part.residual == pytest.approx(0, abs=1e-9)
    assert part.turns[:4] == whole.turns[:4]


def test_a_turn_known_by_its_points(solved: Callable[[str], ExpectedScore]) -> None:
    solution = solved("yatzy")
    record = played_record(parse_strategy("softened:1", solution.game), 8)
    whole = review(record, solution).players[0]
    part = review(_cut(record, 4, Detail.POINTS), solution).players[0]
    turn, full = part.turns[4], whole.turns[4]
    assert turn.mixed is not None
    assert turn.mixed.gain == pytest.approx(full.luck - full.error, abs=1e-9)
    assert not turn.decisions
    assert part.residual == pytest.approx(0, abs=1e-9)


def test_of_turns_in_no_known_order_only_the_whole_game_is_evaluated(solved: Callable[[str], ExpectedScore]) -> None:
    solution = solved("yatzy")
    record = replace(played_record(parse_strategy("softened:1", solution.game), 8), order_known=False)
    (player,) = review(record, solution).players
    assert not player.turns
    assert player.start is not None
    assert player.mixed == pytest.approx(record.scores[0] - player.start)
    assert player.residual == pytest.approx(0, abs=1e-9)
    assert player.mean_loss is None


def test_a_game_under_way_ends_where_it_stands(solved: Callable[[str], ExpectedScore]) -> None:
    solution = solved("yatzy")
    whole = played_record(parse_strategy("softened:1", solution.game), 8, players=2)
    under_way = Turn(whole.turns[5].rolls[:1], whole.turns[5].keeps[:1])
    record = replace(whole, turns=(*whole.turns[:5], under_way))
    found = review(record, solution)
    assert found.players[1].final == solution.value(record.position)
    assert found.players[0].final == solution.value(record.position.sheets[0])
    assert found.residual is not None
    assert found.residual < 1e-9


def test_a_game_taken_up_inside_a_turn(solved: Callable[[str], ExpectedScore]) -> None:
    solution = solved("yatzy")
    start = Position(Position.start(solution.game).sheets, (1, 3, 3, 5, 6), 2)
    turn = Turn(((1, 3, 3, 5, 6), (2, 3, 3, 3, 4)), ((3, 3), (3, 3, 3)), None)
    (player,) = review(Record(solution.game, (Player("Ann"),), (turn,), start=start), solution).players
    assert player.start == solution.value(start)
    assert [one.roll for one in player.turns[0].rolls] == [2]
    assert player.residual == pytest.approx(0, abs=1e-9)


def test_a_category_struck_although_the_dice_pay(solved: Callable[[str], ExpectedScore]) -> None:
    solution = solved("yatzy")
    game = solution.game
    turn = Turn(((1, 1, 2, 4, 6),), ((1, 1, 2, 4, 6),), Score("ones", strike=True))
    record = Record(game, (Player("Ann"),), (turn,))
    last = review(record, solution).players[0].decisions[-1]
    after = solution.value(last.position.play(Score("ones", strike=True)).sheet)
    best = max(entry.value for entry in solution.moves(last.position))
    assert last.loss == pytest.approx(best - after, abs=1e-9)
    assert last.loss > advise(solution, last.position).of(Score("ones")).loss
    assert last.grade is grade_of(last.loss, solution.unit, tied=False)


def test_who_strikes_the_last_category_that_pays_was_not_forced() -> None:
    game = next(game for game in FIXED if game.id == "forced")
    dice = (1, 1)
    turn = Turn((dice,), (dice,), Score("face-1", strike=True))
    (player,) = review(Record(game, (Player("Ann"),), (turn,)), solve(game)).players
    assert player.decisions[-1].moves == 1
    assert player.decisions[-1].loss > 0
    assert not player.decisions[-1].forced


@pytest.mark.parametrize("objective", ["exp:0.02", "chance:0.5"])
def test_luck_is_not_told_where_values_are_no_means(objective: str) -> None:
    game = load_game("two-yatzy")
    solution = solve(game, objective)
    errors = 0.0
    for number in range(8):
        found = review(played_record(RandomStrategy(game), 1, number), solution)
        (player,) = found.players
        assert player.luck is None
        assert found.residual is None
        assert all(one.loss == advise(solution, one.position).of(one.move).loss for one in player.decisions)
        errors += player.error
    assert errors > 0


@pytest.mark.parametrize("game", FIXED, ids=lambda game: f"{game.id}-{game.dice}-{game.faces}")
def test_whatever_a_record_tells_adds_up(game: Game) -> None:
    solution, rng = solve(game), random.Random(game.id)
    for _ in range(15):
        found = review(random_record(game, rng), solution)
        assert found.residual is not None
        assert found.residual < 1e-9
        assert [one.final for one in found.players if found.record.over] == [
            float(score) for score in found.record.scores if found.record.over
        ]


# Matches


def _in_double_precision(game: Game) -> SmallMatch:
    return SmallMatch(Position.start(game, 2))


def _searched(game: Game) -> MatchSearch:
    return MatchSearch(BestChances(game), "match:emp:99")


@pytest.mark.parametrize(
    ("judged", "game"),
    [*((_in_double_precision, game) for game in PAIRS), *((_searched, game) for game in (*PAIRS, *FOURS))],
    ids=lambda one: one.id if isinstance(one, Game) else one.__name__.strip("_"),
)
def test_the_payoff_of_a_match_of_two_adds_up(judged: Callable[[Game], SmallMatch | MatchSearch], game: Game) -> None:
    judge = judged(game)
    for number in range(12):
        record = played_record(RandomStrategy(game), 6, number, players=2)
        found = review(record, judge)
        first, second = found.players
        mine, theirs = record.scores
        assert first.final == (1.0 if mine > theirs else 0.5 if mine == theirs else 0.0)
        assert first.luck is not None
        assert second.luck is not None
        assert first.start is not None
        there = first.start + first.luck - first.error - second.luck + second.error
        assert there == pytest.approx(first.final, abs=1e-6)
        assert found.residual is not None
        assert found.residual < 1e-6
        assert first.others.total == pytest.approx(second.error - second.luck)
        for player in found.players:
            times = [point.at for point in player.course]
            assert times == sorted(set(times))
            assert times[-1] == len(game.categories)
            assert player.course[-1].value == pytest.approx(player.final, abs=1e-6)


@pytest.mark.parametrize("game", PAIRS, ids=lambda game: game.id)
def test_luck_and_error_in_a_match_are_those_of_the_judge_in_fractions(game: Game) -> None:
    judge, exact = _searched(game), ExactMatch(game)
    for number in range(4):
        found = review(played_record(RandomStrategy(game), 9, number, players=2), judge)
        for player in found.players:
            for turn in player.turns:
                for roll in turn.rolls:
                    assert roll.after == pytest.approx(float(exact.value(roll.position)), abs=1e-6)
            for one in player.decisions:
                best = max(exact.after(one.position, move) for move in one.position.legal_moves)
                assert one.loss == pytest.approx(float(best - exact.after(one.position, one.move)), abs=1e-6)


def test_a_judge_that_is_not_exact_corrects_itself(chances: Callable[[str], BestChances]) -> None:
    judge = MatchSearch(chances("two-yatzy"), "match:emp:1")
    found = review(played_record(RandomStrategy(judge.game), 1, 3, players=2), judge)
    first, second = found.players
    assert first.residual is not None
    assert second.residual is not None
    assert first.residual == pytest.approx(-second.residual, abs=1e-9)
    assert found.sides is Sides.BOTH


def test_of_three_only_the_mover_is_judged() -> None:
    game = next(game for game in FIXED if game.id == "no-upper")
    judge = MatchSearch(BestChances(game), "match:emp:1")
    record = played_record(RandomStrategy(game), 1, 0, players=3)
    found = review(record, judge)
    assert found.sides is Sides.MOVER
    for player in found.players:
        assert player.final == match_points(3).of_scores(record.scores)[player.number]
        for one in player.decisions:
            assert one.loss == advise(judge, one.position).of(one.move).loss
        assert player.residual == pytest.approx(0, abs=1e-6)
        assert player.course[-1].value == player.final  # which is known only at the end


def test_a_judge_of_another_game_is_refused(solved: Callable[[str], ExpectedScore]) -> None:
    record = played_record(RandomStrategy(load_game("two-yatzy")), 1)
    with pytest.raises(InputError, match="two-yatzy"):
        review(record, solved("yatzy"))


# What is shown


def test_fields_are_plain_and_whole(solved: Callable[[str], ExpectedScore]) -> None:
    record = played_record(parse_strategy("softened:1", solved("yatzy").game), 5, players=2)
    found = review(record, solved("yatzy"))
    told = plain(review_answer(found))
    assert [player["name"] for player in told["players"]] == ["Ann", "Bo"]
    first = told["players"][0]
    assert first["start"] + first["luck"] - first["error"] == pytest.approx(record.scores[0])
    assert len(first["turns"]) == 15
    assert sum(first["grades"].values()) == first["decisions"]
    assert len(review_answer(found, "bo").players) == 1


def test_the_course_ends_with_what_came_out(solved: Callable[[str], ExpectedScore]) -> None:
    found = review(played_record(RandomStrategy(solved("yatzy").game), 5), solved("yatzy"))
    (player,) = found.players
    assert player.course[0].value == player.start
    assert player.course[-1].value == pytest.approx(found.record.scores[0])
    assert player.course[-1].at == 15
    assert [m.at for m in player.course] == sorted({m.at for m in player.course})
    assert sum(m.decision is not None for m in player.course) == len(player.decisions)


def test_the_course_of_who_has_not_played_yet_is_where_the_game_begins() -> None:
    game = load_game("two-yatzy")
    record = Record(game, (Player("Ann"), Player("Bo")), (Turn(((1, 2),), ((1, 2),), Score("twos")),))
    first, second = review(record, solve(game)).players
    assert len(first.course) > 1
    assert [(point.at, point.value) for point in second.course] == [(0, second.start)]


def test_turns_of_a_record_are_those_played() -> None:
    game = load_game("two-yatzy")
    turns = replay(RandomStrategy(game), 1, 0)
    assert [turn_of(turn).score for turn in turns] == [turn.score for turn in turns]
    assert all(isinstance(step, Roll | Keep | Score) for _, step in record_of(game, [turns]).steps(0))


def test_the_example_of_the_documents(capsys: pytest.CaptureFixture[str]) -> None:
    text = (Path(__file__).parents[2] / "docs" / "review.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    exec(code, {})
    start, luck, error, final = map(float, re.findall(r"-?\d+\.?\d*", capsys.readouterr().out.splitlines()[0]))
    assert start + luck - error == pytest.approx(final, abs=0.02)
    assert final == 2


def test_a_player_is_found_by_name_in_any_case(solved: Callable[[str], ExpectedScore]) -> None:
    found = review(Record.parse("game: two-yatzy\nplayer: Ann\nplayer: Bo Ö.\n"), solved("two-yatzy"))
    assert found.of("ANN") is found.players[0]
    assert found.of("bo ö.") is found.players[1]
    assert found.of("Cy") is None
