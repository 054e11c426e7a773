"""Why: the terms of the difference sum to it, and the sentences say what the numbers say."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from helpers.plain import plain
from helpers.played_records import played_record
from helpers.small_games import FIXED

from yatzy import ExpectedScore, Position, load_game
from yatzy.coach.advice import advise
from yatzy.coach.explain import MOST_REASONS, SEEN, SHARE, Explanation, ReasonKind, explain
from yatzy.coach.grades import Grade
from yatzy.coach.sampled_outlook import SampledOutlooks
from yatzy.errors import InputError, MoveError, PositionError
from yatzy.evaluation.outlook import Outlooks
from yatzy.games import Game, Keep, Move, Roll, Score, Sheet, keeps_of, rolls
from yatzy.report.answers.explanations import explanation_answer
from yatzy.report.explanation import notes, reason_sentence, sentences
from yatzy.report.numbers import loss_text, percent
from yatzy.report.words import move_phrase
from yatzy.solver import Solver
from yatzy.strategies.softened import SoftenedStrategy
from yatzy.units import Unit

ROUNDING = 2e-5
"""Outlooks are stored in single precision."""
FIVES = "yatzy~s..............~d55566~r0"


def positions_of(game: Game, seed: int) -> Iterator[Position]:
    """Positions with a choice, all through a game of anyhow filled sheets."""
    dice, position = random.Random(seed), Position.start(game)
    while not position.over:
        roll = dice.choice(rolls(game))
        for left in range(game.rolls):
            if len((here := Position(position.sheets, roll, left)).legal_moves) > 1:
                yield here
        move = dice.choice(Position(position.sheets, roll, 0).legal_moves)
        position = Position(position.sheets, roll, 0).play(move)


def assert_sums(found: Explanation) -> None:
    """Categories, bonus and Jokers make up the difference of the values."""
    total = sum(reason.points for reason in found.reasons)
    assert total == pytest.approx(found.difference, abs=ROUNDING)
    for side in (found.preferred, found.other):
        outlook, sheet, bonus = side.outlook, found.position.sheet, found.position.game.bonus
        to_come = sum(entry.points for entry in outlook.categories) + outlook.jokers
        if bonus is not None and outlook.bonus is not None:
            to_come += bonus.points * (outlook.bonus - sheet.bonus_won)
        assert sheet.points + to_come == pytest.approx(side.ranked.value, abs=ROUNDING)
        assert outlook.mean == pytest.approx(side.ranked.value, abs=ROUNDING)


@pytest.mark.parametrize("game", FIXED, ids=lambda game: game.id)
def test_the_terms_sum_to_the_difference_of_all_moves_of_small_games(game: Game) -> None:
    solution = ExpectedScore(game)
    source, seen = Outlooks(game, solution), 0
    for position in positions_of(game, 1):
        advice = advise(solution, position)
        for entry in advice.moves[1:]:
            assert_sums(explain(solution, source, position, entry.move))
            seen += 1
    assert seen


@pytest.mark.parametrize("id", ["yatzy", pytest.param("yahtzee", marks=pytest.mark.slow)])
def test_the_terms_sum_to_the_difference_in_games_that_were_played(
    id: str, solved: Callable[[str], ExpectedScore], outlooks: Callable[[str], Outlooks]
) -> None:
    solution, source, dice = solved(id), outlooks(id), random.Random(5)
    record, seen = played_record(SoftenedStrategy(solution, 0.3), 11), 0
    for turn in range(len(record.turns)):
        for position, step in record.steps(turn):
            if isinstance(step, Roll) or len(position.legal_moves) < 2:
                continue
            for move in (None, dice.choice(advise(solution, position).moves[1:]).move):
                found = explain(solution, source, position, move)
                assert_sums(found)
                assert_sentences(found)
                seen += 1
    assert seen > 50


NUMBER = r"([\d.,]+)"
ENGLISH = (rf"{NUMBER} points (more|less) in ([^,.]+?)(?= and |, but |\.$)", "better", "more")
SWEDISH = (rf"{NUMBER} poäng (mer|mindre) i ([^,.]+?)(?= och |, men |\.$)", "större", "mer")


def assert_sentences(found: Explanation) -> None:
    """What is said are the greatest differences between the two outlooks, in the right direction."""
    game, a, b = found.position.game, found.preferred.outlook, found.other.outlook
    for language, (pattern, better, more) in {"en": ENGLISH, "sv": SWEDISH}.items():
        told = reason_sentence(found, language)
        differences = {
            one.category.name(language): one.points - other.points
            for one, other in zip(a.categories, b.categories, strict=True)
        }
        jokers = {"en": "Joker bonuses", "sv": "jokerbonus"}[language]
        differences[jokers] = a.jokers - b.jokers
        without_bonus = re.sub(r"\([^)]*\)", "", told)
        said = {
            name: float(number.replace(",", ".")) * (1 if word == more else -1)
            for number, word, name in re.findall(pattern, without_bonus)
        }
        for name, number in said.items():
            assert number == pytest.approx(differences[name], abs=0.051), (told, name)
            assert number * differences[name] > 0
        all_of_them = dict(differences)
        if game.bonus is not None and a.bonus is not None and b.bonus is not None:
            all_of_them["bonus"] = game.bonus.points * (a.bonus - b.bonus)
            if "bonus (" in told:
                assert (better in told.split("bonus (")[0].split(", ")[-1]) == (a.bonus > b.bonus)
                first, other = re.search(r"bonus \([<>]? ?(\S+) % \w+ [<>]? ?(\S+) %", told).groups()  # type: ignore[union-attr]
                assert float(first.replace(",", ".")) == pytest.approx(100 * a.bonus, abs=1.01)
                assert float(other.replace(",", ".")) == pytest.approx(100 * b.bonus, abs=1.01)
                said["bonus"] = all_of_them["bonus"]
        greatest = max(all_of_them, key=lambda name: abs(all_of_them[name]))
        if abs(all_of_them[greatest]) >= SEEN:
            assert greatest in said, told
        assert sum(number > 0 for number in said.values()) <= MOST_REASONS
        assert sum(number < 0 for number in said.values()) <= MOST_REASONS


def test_the_sentences_of_one_position_read_well(solved: Any, outlooks: Any) -> None:
    position = Position.parse(FIVES)
    found = explain(solved("yatzy"), outlooks("yatzy"), position, Score("chance"))
    first, second = sentences(found)
    ours, theirs = found.preferred.ranked, found.other.ranked
    assert (ours.move, theirs.move) == (Score("full-house"), Score("chance"))
    assert first == (
        f"Taking Full house is worth {ours.value - theirs.value:.2f} points more than taking Chance:"
        f" {ours.value:.2f} against {theirs.value:.2f}."
    )
    assert second.startswith("It gives ")
    assert ", but " in second
    swedish = " ".join(sentences(found, "sv"))
    assert swedish.startswith("Att ta Kåk är värt ")
    assert f"{ours.value:.2f}".replace(".", ",") in swedish
    assert not re.search(r"[_{}]|full-house", " ".join(sentences(found)) + swedish)


def test_the_defaults_are_the_second_against_the_best(solved: Any, outlooks: Any) -> None:
    solution, source, position = solved("yatzy"), outlooks("yatzy"), Position.parse(FIVES)
    moves = [entry.move for entry in advise(solution, position).moves]

    def pair(*given: Move | None) -> tuple[Move, Move]:
        found = explain(solution, source, position, *given)
        return found.preferred.move, found.other.move

    assert pair() == (moves[0], moves[1])
    assert pair(moves[4]) == (moves[0], moves[4])
    assert pair(moves[0]) == (moves[0], moves[1])
    assert pair(moves[4], moves[2]) == pair(moves[2], moves[4]) == (moves[2], moves[4])
    with pytest.raises(MoveError, match="given twice"):
        pair(moves[2], moves[2])
    struck = explain(solution, source, position, Score("full-house", strike=True))
    assert struck.other.ranked.grade is Grade.BLUNDER
    assert_sums(struck)
    assert "striking Full house" in sentences(struck)[0]


def test_a_position_with_one_move_has_nothing_to_compare(solved: Any, outlooks: Any) -> None:
    position = Position.parse("yatzy~s3.6.9.12.15.18.10.16.18.20.15.20.19.22.~d13356~r0")
    with pytest.raises(PositionError, match="yatzy is the only move here"):
        explain(solved("yatzy"), outlooks("yatzy"), position)


def test_equal_moves_are_said_to_be_equal(solved: Any, outlooks: Any) -> None:
    position = Position.parse("yatzy~s3.6.9.12.15.18.10.16.18.20..20.19.22.~d13356~r0")
    found = explain(solved("yatzy"), outlooks("yatzy"), position)
    assert not found.tied  # a straight is worth 15 and the chance of it differs
    last = Position.parse("yatzy~s3.6.9.12.15.18.10.16.18.20...19.22.50~d11666~r1")
    entries = advise(solved("yatzy"), last).moves
    pairs = [(a, b) for a in entries for b in entries if a.move != b.move and abs(a.value - b.value) < 1e-12]
    assert pairs
    tied = explain(solved("yatzy"), outlooks("yatzy"), last, pairs[0][0].move, pairs[0][1].move)
    assert tied.tied
    assert "equally good" in sentences(tied)[0]


def test_two_blunders_need_not_be_equally_good() -> None:
    game = next(game for game in FIXED if game.id == "two-rolls")
    solution, position = ExpectedScore(game), Position(Position.start(game).sheets, (3, 3), 0)
    *_, bad, worse = advise(solution, position).moves
    assert bad.grade is worse.grade is Grade.BLUNDER
    found = explain(solution, Outlooks(game, solution), position, worse.move, bad.move)
    assert found.difference > 1
    assert not found.tied
    assert "equally good" not in sentences(found)[0]


def test_other_objectives_keep_their_values_and_say_so(solved: Any, outlooks: Any, tables: Any) -> None:
    game, position = load_game("yacht"), Position.parse("yacht~s...........~d55566~r0")
    target = Solver().evaluator(game, "target:180")
    found = explain(target, outlooks("yacht"), position)
    assert found.preferred.ranked.value == advise(target, position).value
    assert found.preferred.outlook.mean == pytest.approx(
        advise(solved("yacht"), position).of(found.preferred.move).value, abs=ROUNDING
    )
    assert "chance" in sentences(found)[0]
    assert "If you then play for points" in sentences(found)[1] or "differ by less" in sentences(found)[1]
    (note,) = notes(found)
    assert "at least 180 points" in note
    assert "assume play for points" in note
    assert notes(explain(solved("yacht"), outlooks("yacht"), position)) == ()
    told = plain(explanation_answer(found))
    assert told["notes"] == [note]
    assert told["preferred"]["grade"] == "best"


def test_sampled_outlooks_say_so(solved: Any) -> None:
    source = SampledOutlooks(solved("yacht"), 500)
    found = explain(solved("yacht"), source, Position.parse("yacht~s...........~d55566~r0"))
    assert not found.exact
    assert any("500 simulated games" in line for line in notes(found))
    assert any("500" in line for line in notes(found, "sv"))


def test_an_outlook_is_sampled_from_one_game_to_ten_million(solved: Any) -> None:
    for games in (1, 10**7):
        assert SampledOutlooks(solved("yacht"), games).games == games
    for games in (0, 10**7 + 1):
        with pytest.raises(InputError, match="is not from 1 to 10,000,000"):
            SampledOutlooks(solved("yacht"), games)


def test_a_sampled_bonus_that_this_turn_wins_exactly_is_paid_once() -> None:
    game = next(game for game in FIXED if game.id == "two-rolls")
    solution = ExpectedScore(game)
    assert game.bonus is not None
    sheet = Sheet.of_boxes(game, [0, None, 3, None, None])
    assert sheet.upper + 4 == game.bonus.threshold
    found = SampledOutlooks(solution, 500).after(Position((sheet,), (2, 2), 0), Score("face-2"))
    assert not found.exact
    assert found.bonus == 1
    exact = Outlooks(game, solution).after(Position((sheet,), (2, 2), 0), Score("face-2"))
    assert found.mean == pytest.approx(exact.mean, abs=1)


def test_moves_in_words() -> None:
    keeping, choosing = Position.parse("yatzy~s..............~d55566~r1"), Position.parse(FIVES)
    for keep in keeps_of((5, 5, 5, 6, 6)):
        told = move_phrase(keeping, Keep(keep))
        assert told == {0: "rolling all dice again", 5: "keeping all dice"}.get(
            len(keep), "keeping " + "".join(map(str, keep))
        )
    assert move_phrase(choosing, Score("full-house")) == "taking Full house"
    assert move_phrase(choosing, Score("yatzy")) == "striking Yatzy"
    assert move_phrase(choosing, Score("yatzy"), "sv") == "att stryka Yatzy"


def test_what_is_not_certain_never_reads_as_certain() -> None:
    assert [percent(p, 1) for p in (0, 1e-9, 0.5, 1 - 1e-6, 1)] == ["0.0 %", "< 0.1 %", "50.0 %", "> 99.9 %", "100.0 %"]
    assert percent(0.123, 0) == "12 %"
    assert percent(0.1234, 1, "sv") == "12,3 %"
    assert loss_text(0.034, Unit.CHANCE) == "3.40 percentage points"
    assert loss_text(1.5, Unit.POINTS, "sv") == "1,50 poäng"


def test_a_game_without_bonus_or_joker_has_no_such_reason(solved: Any, outlooks: Any) -> None:
    found = explain(solved("yacht"), outlooks("yacht"), Position.parse("yacht~s...........~d55566~r0"))
    assert {reason.kind for reason in found.reasons} == {ReasonKind.CATEGORY}
    assert replace(found).categories == found.categories


def test_the_sentences_of_the_document_are_said(solved: Any, outlooks: Any) -> None:
    document = (Path(__file__).parents[2] / "docs" / "coach.md").read_text(encoding="utf-8")
    found = explain(solved("yatzy"), outlooks("yatzy"), Position.start(load_game("yatzy")).roll((1, 3, 3, 5, 6)))
    assert tuple(re.findall(r"^> (.*)$", document, re.MULTILINE)) == sentences(found)


def test_the_same_move_written_in_two_ways_is_not_compared(solved: Any, outlooks: Any) -> None:
    last = Position.parse("yatzy~s..............~d11234~r0")
    with pytest.raises(MoveError, match="is given twice; two different moves are compared"):
        explain(solved("yatzy"), outlooks("yatzy"), last, Score("yatzy"), Score("yatzy", strike=True))


def test_reasons_for_and_against_are_told_by_the_same_measure(solved: Any, outlooks: Any) -> None:
    found, told = random.Random(2), 0
    for position in list(positions_of(load_game("yatzy"), 3))[:12]:
        moves = advise(solved("yatzy"), position).moves
        for entry in found.sample(moves[1:], min(len(moves) - 1, 4)):
            explained = explain(solved("yatzy"), outlooks("yatzy"), position, entry.move)
            largest = max(abs(reason.points) for reason in explained.reasons)
            for side, said in ((1, explained.gains), (-1, explained.losses)):
                sizes = sorted((side * reason.points for reason in explained.reasons), reverse=True)
                enough = [size for size in sizes if size >= max(SEEN, SHARE * largest)]
                assert [side * reason.points for reason in said] == enough[:MOST_REASONS]
                told += len(said)
    assert told > 20


def test_a_sample_of_the_last_turn_is_exact_because_nothing_is_left_to_play() -> None:
    game = next(game for game in FIXED if game.id == "three-dice")
    solution = ExpectedScore(game)
    boxes: list[int | None] = [0] * (len(game.categories) - 1)
    for dice in ((1, 1, 2), (2, 2, 2)):
        position = Position((Sheet.of_boxes(game, [*boxes, None]),), dice, 1)
        for move in position.legal_moves:
            sampled, exact = (
                source.after(position, move) for source in (SampledOutlooks(solution, 50), Outlooks(game, solution))
            )
            assert sampled.mean == pytest.approx(exact.mean, abs=1e-5)
            assert sampled.categories[0].points == pytest.approx(exact.categories[0].points, abs=1e-5)
