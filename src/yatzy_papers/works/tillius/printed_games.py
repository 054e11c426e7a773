"""The two games of 15 turns that he prints, as game records."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial
from importlib.resources import files
from itertools import zip_longest

from yatzy.coach.reviews.review import Decision, review
from yatzy.games import Record, Score, show_dice
from yatzy_papers.claims import Claim, Figure, Figures, Table, Value, entries
from yatzy_papers.desk import Desk

TABLES = {6: "255", 7: "257"}


@cache
def printed_game(table: int) -> Record:
    """The game of a table."""
    return Record.parse(
        (files("yatzy_papers") / "data" / f"tillius-2026-table-{table}.txt").read_text(encoding="utf-8")
    )


def decisions(desk: Desk, table: int) -> Sequence[Decision]:
    """Every move of a printed game against the best one."""
    (player,) = review(printed_game(table), desk.expected("yatzy")).players
    return player.decisions


def _games(desk: Desk) -> Figures:
    found: dict[str, Figure] = {}
    for table in TABLES:
        record = printed_game(table)
        moves = decisions(desk, table)
        found[f"Table {table}: points"] = Figure(record.scores[0])
        found[f"Table {table}: turns"] = Figure(len(record.turns))
        found[f"Table {table}: lost against the best moves"] = Figure(sum(one.loss for one in moves))
    return found


def _turns(desk: Desk, table: int) -> list[list[Value | None]]:
    """A printed game turn by turn: what was rolled and kept, where it went, and what the game is worth then."""
    record, moves, total = printed_game(table), decisions(desk, table), 0
    rows: list[list[Value | None]] = []
    for number, turn in enumerate(record.turns):
        own = [one for one in moves if one.turn == number + 1]
        rolled = [show_dice(dice) for dice in turn.rolls]
        kept = [f"({show_dice(dice)})" for dice in turn.keeps]
        words = [word for pair in zip_longest(rolled, kept) for word in pair if word]
        category = own[-1].move
        assert isinstance(category, Score)
        total += turn.points or 0
        lost = sum(one.loss for one in own)
        rows.append([number + 1, " ".join(words), category.category, turn.points, total, own[-1].made, lost])
    return rows


GAME_TABLES = tuple(
    Table(
        f"tillius.game-{table}",
        f"Table {table}: a game of {points} points",
        "Turn by turn: dice (and what is kept), category, points, points so far without the bonus, the expected final"
        " score then, and what the moves of the turn lose.",
        ("turn", "dice", "category", "points", "so far", "expected", "lost"),
        ("d", "", "", "d", "d", ".4f", ".4f"),
        partial(_turns, table=table),
        ("yatzy",),
    )
    for table, points in TABLES.items()
)

PRINTED_GAMES = (
    Claim(
        "tillius.games",
        "Tables 6 and 7",
        "Two games of 15 turns, played by the expected-score strategy.",
        entries(
            {
                name: text
                for table, points in TABLES.items()
                for name, text in (
                    (f"Table {table}: points", points),
                    (f"Table {table}: turns", "15"),
                    (f"Table {table}: lost against the best moves", "0.00"),
                )
            }
        ),
        _games,
        ("yatzy",),
        how="replayed by the rules; every keep and every category against the best one",
    ),
)
