"""Selected moves as documents: the scores that are reached after each of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yatzy.report.document import Block, Paragraph, Table
from yatzy.report.numbers import count, number
from yatzy.report.texts import text
from yatzy.report.words import move_words

if TYPE_CHECKING:
    from yatzy.coach.selected_moves import ScoreChances, SelectedMoves

PERCENTS = (90, 50, 10)
"""The chances in percent for which the score is shown that they reach."""


def label_of(found: SelectedMoves, one: ScoreChances, language: str) -> str:
    """A selected move in words, or the words for the present position."""
    if one.move is None:
        return text(language, "selected_moves.now")
    return move_words(found.position, one.move, language)


def sampled_text(found: SelectedMoves, language: str) -> str | None:
    """The number of simulated games behind the chances of playing on; None if they are exact."""
    games = max(one.outlook.games for one in (found.present, *found.moves))
    return text(language, "selected_moves.sampled", games=count(games, language)) if games else None


def selected_moves_blocks(found: SelectedMoves, language: str = "en") -> list[Block]:
    """A row for the present position and for each move: mean, and the scores reached with several chances."""
    rows = []
    for one in (found.present, *found.moves):
        score = one.outlook.score
        cells = [number(score.mean, 2, language), number(score.sd, 2, language)]
        cells += [str(one.played_on_score(percent / 100)) for percent in PERCENTS]
        cells += [str(one.best_score(percent / 100)) for percent in PERCENTS]
        rows.append((label_of(found, one, language), *cells))
    head = (
        text(language, "advice_table.move"),
        text(language, "selected_moves.mean"),
        text(language, "selected_moves.sd"),
        *(text(language, "selected_moves.points_at", percent=percent) for percent in PERCENTS),
        *(text(language, "selected_moves.best_at", percent=percent) for percent in PERCENTS),
    )
    blocks: list[Block] = [Table(head, tuple(rows), frozenset({0})), Paragraph(text(language, "selected_moves.note"))]
    sampled = sampled_text(found, language)
    return blocks if sampled is None else [*blocks, Paragraph(sampled)]
