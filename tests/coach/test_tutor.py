"""The tutor: warns by the same losses and classes as advice, review and quiz."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest

from yatzy import ExpectedScore, advise, load_game
from yatzy.coach.grades import LIMITS, Grade
from yatzy.coach.play.history import decisions_of
from yatzy.coach.play.session import Session
from yatzy.coach.play.tutor import Tutor, parse_threshold, warn_from
from yatzy.coach.reviews.review import review
from yatzy.errors import InputError, MoveError
from yatzy.games import Keep, Player, Position, Score, Sheet
from yatzy.report.words import best_instead, warning
from yatzy.solver import Solver
from yatzy.units import Unit

Solve = Callable[[str], ExpectedScore]
GRADES = list(Grade)
ROLLS = [(1, 1, 1, 5, 6), (1, 3, 3, 5, 6), (2, 3, 4, 5, 6), (4, 4, 4, 4, 4), (1, 2, 2, 6, 6), (3, 3, 3, 5, 5)]


def positions(game_id: str) -> list[Position]:
    """Early, middle and late, with and without rolls left."""
    game = load_game(game_id)
    ids = [category.id for category in game.categories]
    sheets = [
        Sheet.start(game),
        Sheet.of_sums(game, ids[:3], upper=12, points=12),
        Sheet.of_sums(game, ids[1:-1], upper=40, points=150),
    ]
    return [Position((sheet,), dice, left) for sheet, dice, left in product(sheets, ROLLS, (0, 1, 2))]


@pytest.mark.parametrize("game", ["yatzy", "yahtzee"])
def test_it_agrees_with_advice_on_every_move(solved: Solve, game: str) -> None:
    solution, warned = solved(game), dict.fromkeys(GRADES, 0)
    for position in positions(game):
        advice = advise(solution, position)
        for entry, mildest in product(advice.moves, GRADES[1:]):
            single = len(decisions_of(position, entry.move)) == 1
            given = Tutor(solution, mildest).warn(position, entry.move)
            if not single:  # keeping all dice with two rolls left is two decisions
                assert given is None or (given.loss >= entry.loss and given.grade.rank >= entry.grade.rank)
                continue
            assert (given is not None) == (entry.grade.rank >= mildest.rank)
            if given is not None:
                assert (given.loss, given.grade) == (entry.loss, entry.grade)
                assert given.best == advice.best
                assert given.move == entry.move
                warned[given.grade] += 1
    assert warned[Grade.BEST] == 0
    assert all(warned[grade] for grade in GRADES[1:])


def test_a_number_is_the_most_that_passes(solved: Solve) -> None:
    solution = solved("yatzy")
    for position in positions("yatzy"):
        for entry in advise(solution, position).moves:
            if len(decisions_of(position, entry.move)) == 1:
                given = Tutor(solution, 1.5).warn(position, entry.move)
                assert (given is not None) == (entry.loss > 1.5)


def test_stopping_early_adds_up_what_it_loses(solved: Solve) -> None:
    """All decisions that a move stands for, as the review of the game shows them afterwards."""
    solution = solved("yatzy")
    session = Session.new(solution.game, (Player("Ann"),), 1)
    session.enter((1, 3, 3, 5, 6))
    given = Tutor(solution).warn(session.position, Score("threes"))
    session.play(Score("threes"))
    decisions = review(session.record, solution).players[0].decisions
    assert len(decisions) == 3
    assert given is not None
    assert given.loss == pytest.approx(sum(one.loss for one in decisions), abs=1e-9)
    assert given.grade is max((one.grade for one in decisions), key=lambda grade: grade.rank)
    assert given.best.move == decisions[0].best[0]


def test_it_agrees_with_the_review_of_games_played_badly(solved: Solve) -> None:
    from yatzy.coach.play.opponents import Opponents

    solution, opponents, seen = solved("yatzy"), Opponents(), 0
    for seed in range(6):
        session = Session.new(solution.game, (Player("Bo", "softened:0.3"),), seed)
        for _ in session.autoplay(opponents):
            pass
        for one in review(session.record, solution).players[0].decisions:
            judged = Tutor(solution).judge(one.position, one.move)
            assert judged is not None
            assert (judged.loss, judged.grade) == (one.loss, one.grade)
            seen += one.grade.rank >= Grade.MISTAKE.rank
    assert seen > 10


def test_a_category_struck_although_it_pays(solved: Solve) -> None:
    solution = solved("yatzy")
    position = Position.start(solution.game).roll((6, 6, 6, 6, 6))
    position = Position(position.sheets, position.dice, 0)
    given = Tutor(solution).warn(position, Score("yatzy", strike=True))
    paid = next(entry.value for entry in advise(solution, position).moves if entry.move == Score("yatzy"))
    struck = solution.value(Sheet.of_boxes(solution.game, [None] * 14 + [0]))
    assert given is not None
    assert given.grade is Grade.BLUNDER
    assert given.loss == pytest.approx(paid - struck)
    nothing = Position(Position.start(solution.game).sheets, (1, 2, 3, 4, 6), 0)
    struck_for_nothing, filled = (Tutor(solution).warn(nothing, Score("yatzy", strike)) for strike in (True, False))
    assert struck_for_nothing is not None
    assert filled is not None
    assert (struck_for_nothing.loss, struck_for_nothing.grade) == (filled.loss, filled.grade)


def test_a_category_struck_although_it_pays_is_never_the_best(solved: Solve) -> None:
    position = Position(Position.start(load_game("yatzy")).sheets, (6, 6, 6, 6, 6), 0)
    tutor = Tutor(solved("yatzy"))
    struck, taken = (tutor.judge(position, Score("yatzy", strike)) for strike in (True, False))
    assert struck is not None
    assert taken is not None
    assert (struck.best, taken.best) == (False, True)


def test_advice_that_is_known_gives_the_warnings_of_the_tutor() -> None:
    game = load_game("two-yatzy")
    solution = Solver().expected(game)
    choosing, rolling = (Position(Position.start(game).sheets, (2, 2), left) for left in (0, 1))
    for position in (choosing, rolling):
        advice = advise(solution, position)
        given = [warn_from(advice, entry.move, Grade.GOOD) for entry in advice.moves]
        assert given == [Tutor(solution, Grade.GOOD).warn(position, entry.move) for entry in advice.moves]
        assert any(given)


def test_of_a_category_with_rolls_left_known_advice_judges_the_stopping() -> None:
    game = load_game("two-yatzy")
    position = Position(Position.start(game).sheets, (1, 2), 1)
    advice = advise(Solver().expected(game), position)
    stopping = advice.of(Keep((1, 2)))
    given = warn_from(advice, Score("twos"), Grade.GOOD)
    assert given is not None
    assert (given.move, given.loss, given.grade) == (Score("twos"), stopping.loss, stopping.grade)


def test_in_a_match_it_counts_match_points() -> None:
    game = load_game("two-yatzy")
    search = Solver().search(game, "match:emp:2")
    position = Position.start(game, 2).roll((2, 2))
    position = Position(position.sheets, position.dice, 0)
    given = Tutor(search, Grade.GOOD).warn(position, Score("ones"))
    assert given is not None
    assert given.unit is Unit.WORTH
    assert given.loss == advise(search, position).of(Score("ones")).loss > LIMITS[Unit.WORTH][0]
    assert warning(given).startswith("That loses ")


def test_words(solved: Solve) -> None:
    solution = solved("yatzy")
    position = Position.start(solution.game).roll((2, 3, 4, 5, 6))
    given = Tutor(solution).warn(position, Keep((2,)))
    assert given is not None
    assert warning(given) == f"That loses {given.loss:.2f} points (blunder)."
    assert best_instead(given) == "Best is keeping all dice."
    assert Tutor(solution).warn(position, Keep(position.dice)) is None
    with pytest.raises(MoveError):
        Tutor(solution).warn(position, Keep((1,)))


def test_no_forced_move_is_warned_of(solved: Solve) -> None:
    game = load_game("yatzy")
    sheet = Sheet.of_boxes(game, [0] * 14 + [None])
    position = Position((sheet,), (1, 2, 2, 3, 4), 0)
    assert position.legal_moves == (Score("yatzy"),)
    assert Tutor(solved("yatzy"), 0.0).warn(position, Score("yatzy")) is None


@pytest.mark.parametrize(
    ("text", "threshold"),
    [("off", None), ("on", Grade.MISTAKE), ("Blunders", Grade.BLUNDER), (" good ", Grade.GOOD), ("0.5", 0.5)],
)
def test_thresholds(text: str, threshold: Grade | float | None) -> None:
    assert parse_threshold(text) == threshold


@pytest.mark.parametrize("text", ["", "best", "-1", "inf", "nan", "loud"])
def test_no_thresholds(text: str) -> None:
    with pytest.raises(InputError, match="must be off, on, a class"):
        parse_threshold(text)


def test_what_is_no_threshold_is_refused_with_all_that_there_are() -> None:
    for text in ("", "best", "-1", "nan", "inf", "loud"):
        with pytest.raises(InputError) as refused:
            parse_threshold(text)
        told = "must be off, on, a class (good, inaccuracy, mistake, blunder) or a number from 0"
        assert str(refused.value) == f"tutor {text!r}: {told}"
    assert parse_threshold("0") == 0
    for grade in list(Grade)[1:]:
        assert parse_threshold(f" {grade.value.upper()}s ") is parse_threshold(grade.value) is grade
