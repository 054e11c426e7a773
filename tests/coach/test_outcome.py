"""The end of a game: who won, how much of it was luck, and the sentence that says so."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from helpers.played_records import played_record

from yatzy import ExpectedScore
from yatzy.coach.reviews.outcome import Outcome, PlayerOutcome, outcome
from yatzy.coach.reviews.review import review
from yatzy.errors import InputError
from yatzy.games import Detail, Record, load_preset
from yatzy.report.outcome import is_you, outcome_sentence, result_line
from yatzy.report.texts import LANGUAGES, text
from yatzy.strategies.softened import RandomStrategy


@pytest.mark.parametrize("seed", range(4))
def test_luck_and_errors_add_up_to_the_margin(solved: Callable[[str], ExpectedScore], seed: int) -> None:
    record = played_record(RandomStrategy(load_preset("two-yatzy")), seed, players=3)
    one = outcome(review(record, solved("two-yatzy")))
    assert one.second is not None
    assert one.luck is not None
    assert [player.score for player in one.players] == list(record.scores)
    assert one.margin == max(record.scores) - sorted(record.scores)[-2]
    winner, second = one.players[one.winner], one.players[one.second]
    assert winner.error is not None
    assert second.error is not None
    assert one.margin == pytest.approx(one.luck + second.error - winner.error)
    assert winner.place == 1
    assert all(player.place == 1 + sum(score > player.score for score in record.scores) for player in one.players)


def test_without_every_roll_luck_is_not_told(solved: Callable[[str], ExpectedScore]) -> None:
    whole = played_record(RandomStrategy(load_preset("two-yatzy")), 1, players=2)
    points = tuple(replace(turn, rolls=turn.rolls[-1:], keeps=()) for turn in whole.turns)
    record = Record(whole.game, whole.players, points)
    assert any(turn.detail is Detail.DICE for turn in record.turns)
    one = outcome(review(record, solved("two-yatzy")))
    assert one.luck is None
    assert outcome_sentence(one) == ""


def test_only_a_finished_game_has_an_outcome(solved: Callable[[str], ExpectedScore]) -> None:
    record = played_record(RandomStrategy(load_preset("two-yatzy")), 1, players=2)
    with pytest.raises(InputError, match="not over"):
        outcome(review(Record(record.game, record.players, record.turns[:-1]), solved("two-yatzy")))


def _two(first: int, second: int, luck: float, names: tuple[str, str] = ("A", "B")) -> Outcome:
    """An outcome of two players of whom the first had so much more luck."""
    best = max(first, second)
    players = (
        PlayerOutcome(0, names[0], 1 + (first < best), first, luck, 0.0),
        PlayerOutcome(1, names[1], 1 + (second < best), second, 0.0, first - second - luck),
    )
    return Outcome(players, 248.4, 0 if first >= second else 1, 1 if first >= second else 0)


@pytest.mark.parametrize(
    ("one", "said"),
    [
        (_two(251, 220, 30.2), "A won by 31 points; 30 of them were luck."),
        (_two(251, 220, 1.2), "A won by 31 points; 1 of them was luck."),
        (_two(251, 250, 1.0), "A won by 1 point, all of it luck."),
        (_two(251, 220, 40.0), "A won by 31 points thanks to luck: B played 9 points better."),
        (_two(251, 220, 0.3), "A won by 31 points by playing better than B; luck was even."),
        (_two(251, 220, -12.0), "A won by 31 points, although B had 12 points more luck."),
        (_two(251, 220, -12.0, ("A", "You")), "A won by 31 points, although you had 12 points more luck."),
        (_two(220, 251, -30.0), "B won by 31 points; 30 of them were luck."),
        (_two(251, 251, 0.0), "A tie, in play and in luck."),
        (_two(251, 251, 7.0), "A tie: A had 7 points more luck, B played as much better."),
        (_two(251, 251, -7.0), "A tie: B had 7 points more luck, A played as much better."),
    ],
)
def test_the_sentence(one: Outcome, said: str) -> None:
    assert outcome_sentence(one) == said
    for language in LANGUAGES:
        assert outcome_sentence(one, language)


def test_the_sentence_of_one_player() -> None:
    alone = Outcome((PlayerOutcome(0, "A", 1, 251, 12.4, 9.8),), 248.44, 0, None)
    assert outcome_sentence(alone) == "Luck brought 12 points, errors cost 10 points; best play averages 248."
    assert alone.margin == 0
    unlucky = replace(alone, players=(replace(alone.players[0], luck=-3.0, error=1.0),))
    assert outcome_sentence(unlucky) == "Bad luck cost 3 points, errors 1 point; best play averages 248."


def test_the_result_names_the_winner() -> None:
    assert result_line(["Ann", "Bo"], [251, 220]) == "Ann wins with 251"
    assert result_line(["You", "Bo"], [251, 220]) == "You win with 251"
    assert result_line(["Du", "Bo"], [251, 220], "de") == "Du gewinnst mit 251"
    assert result_line(["Ann", "Bo", "Cy"], [251] * 3) == "Ann, Bo and Cy are tied at 251"
    assert result_line(["You"], [251]) == "Game over: 251 points"
    for language in LANGUAGES:
        assert is_you(text(language, "player.you"))
