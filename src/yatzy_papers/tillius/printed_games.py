"""The two printed games of 15 turns, as game records."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial
from importlib.resources import files
from itertools import zip_longest

from yatzy import Record, Score, review
from yatzy.coach import Decision
from yatzy.games import show_dice
from yatzy_papers.claims import Claim, Computed, Figures, Table, Value
from yatzy_papers.passages import read_passages
from yatzy_papers.run import PaperRun

PRINTED = read_passages("tillius")
TABLES = (6, 7)


def points(table: int) -> str:
    """The printed score of a game."""
    return PRINTED["tillius.games"].figure(f"Table {table}: points").text


@cache
def printed_game(table: int) -> Record:
    """The game of a table."""
    return Record.parse(
        (files("yatzy_papers") / "data" / f"tillius-2026-table-{table}.txt").read_text(encoding="utf-8")
    )


def decisions(run: PaperRun, table: int) -> Sequence[Decision]:
    """Every move of a printed game, compared with the best one."""
    (player,) = review(printed_game(table), run.expected("yatzy")).players
    return player.decisions


def _games(run: PaperRun) -> Figures:
    found: dict[str, Computed] = {}
    for table in TABLES:
        record = printed_game(table)
        moves = decisions(run, table)
        found[f"Table {table}: points"] = Computed(record.scores[0])
        found[f"Table {table}: turns"] = Computed(len(record.turns))
        found[f"Table {table}: lost against the best moves"] = Computed(sum(one.loss for one in moves))
    return found


def _turns(run: PaperRun, table: int) -> list[list[Value | None]]:
    """A printed game turn by turn: dice rolled and kept, category, points, and the expected score afterwards."""
    record, moves, total = printed_game(table), decisions(run, table), 0
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
        f"Table {table}: a game of {points(table)} points",
        "For every turn: the dice (with the kept dice), the category, the points, the points so far without the"
        " bonus, the expected final score after the turn, and the loss of its moves.",
        ("turn", "dice", "category", "points", "so far", "expected", "lost"),
        ("d", "", "", "d", "d", ".4f", ".4f"),
        partial(_turns, table=table),
        ("yatzy",),
    )
    for table in TABLES
)

PRINTED_GAMES = (
    Claim(
        *PRINTED["tillius.games"],
        _games,
        ("yatzy",),
        how="replayed by the rules; every keep and every category compared with the best one",
    ),
)
