"""Games on paper, entered in the middle."""

from __future__ import annotations

import pytest

from yatzy.coach.paper import PaperGame
from yatzy.errors import PositionError
from yatzy.games import Player, load_preset

ANN, BO, CY = Player("Ann"), Player("Bo"), Player("Cy")


def filled(paper: PaperGame, seat: int, count: int) -> PaperGame:
    """The first boxes of a player struck."""
    for category in range(count):
        paper = paper.fill(seat, category, 0)
    return paper


def test_only_points_that_can_be_made_are_offered_and_taken() -> None:
    paper = PaperGame.start(load_preset("yatzy"), [ANN])
    index = paper.game.category_index
    assert paper.choices(index["sixes"]) == (0, 6, 12, 18, 24, 30)
    assert paper.choices(index["small-straight"]) == (0, 15)
    assert paper.choices(index["chance"]) == (0, *range(5, 31))
    with pytest.raises(PositionError, match="sixes: 23"):
        paper.fill(0, index["sixes"], 23)


def test_sums_and_the_bonus_follow() -> None:
    paper = PaperGame.start(load_preset("yatzy"), [ANN])
    for face in range(1, 7):
        paper = paper.fill(0, face - 1, 4 * face if face == 6 else 3 * face)
    sheet = paper.sheet(0)
    assert (sheet.upper, sheet.points, sheet.bonus_won) == (69, 119, True)
    assert paper.fill(0, 5, None).sheet(0).points == 45, "a box can be opened again"


def test_joker_bonuses_need_the_joker_box_and_boxes_that_equal_dice_can_fill() -> None:
    paper = PaperGame.start(load_preset("yahtzee"), [ANN])
    index = paper.game.category_index
    paper = paper.fill(0, index["sixes"], 30)
    assert paper.most_jokers(0) == 0
    paper = paper.fill(0, index["yahtzee"], 50).fill(0, index["ones"], 2)
    assert paper.most_jokers(0) == 1, "two ones were no Joker"
    paper = paper.with_jokers(0, 1)
    assert paper.sheet(0).points == 30 + 50 + 2 + 100
    assert paper.fill(0, index["yahtzee"], 0).jokers == (0,), "without its box the bonus goes"
    with pytest.raises(PositionError, match="from 0 to 1"):
        paper.with_jokers(0, 2)


@pytest.mark.parametrize(
    ("counts", "order"),
    [((2, 2, 2), "Ann Bo Cy"), ((3, 2, 2), "Ann Bo Cy"), ((2, 3, 3), "Bo Cy Ann"), ((3, 2, 3), "Cy Ann Bo"),
     ((2, 2, 3), "Cy Ann Bo"), ((3, 3, 2), "Ann Bo Cy"), ((2, 3, 2), "Bo Cy Ann")],
)  # fmt: skip
def test_who_began_is_seen_from_the_filled_boxes(counts: tuple[int, ...], order: str) -> None:
    paper = PaperGame.start(load_preset("yatzy"), [ANN, BO, CY])
    for seat, count in enumerate(counts):
        paper = filled(paper, seat, count)
    players, position = paper.position()
    assert " ".join(player.name for player in players) == order
    assert [sheet.filled.bit_count() for sheet in position.sheets] == sorted(counts, reverse=True)


def test_with_equally_many_boxes_the_next_player_is_chosen() -> None:
    paper = filled(filled(PaperGame.start(load_preset("yatzy"), [ANN, BO]), 0, 1), 1, 1)
    assert paper.is_even
    chosen = PaperGame(paper.game, paper.players, paper.boxes, paper.jokers, next_seat=1)
    assert chosen.position()[0] == (BO, ANN)


def test_sheets_that_nobody_could_have_are_refused() -> None:
    paper = filled(PaperGame.start(load_preset("yatzy"), [ANN, BO]), 0, 2)
    assert paper.first_seat is None
    with pytest.raises(PositionError, match="take turns"):
        paper.position()
    forced = PaperGame.start(load_preset("yatzy-forced-order"), [ANN]).fill(0, 3, 4)
    with pytest.raises(PositionError, match="order is forced"):
        forced.position()
