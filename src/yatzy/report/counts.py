"""How large a game is, as tables: its rolls, keeps and states, and the states of its two-player game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from yatzy.games import Game
from yatzy.report.document import Block, Paragraph, Table
from yatzy.report.numbers import count
from yatzy.report.texts import text, texts

if TYPE_CHECKING:
    from yatzy.matches import MatchCounts

DAY = 86400
"""Seconds."""


def count_table(game: Game, numbers: Mapping[str, int], language: str = "en") -> Table:
    """The numbers of a game, by the names of the fields of `model.Counts`."""
    rows = tuple((text(language, f"counts.{key}"), count(value, language)) for key, value in numbers.items())
    head = text(language, "counts.what"), text(language, "counts.how_many")
    return Table(head, rows, frozenset({0}), game.name(language))


def match_count_blocks(found: MatchCounts, rate: float | None, language: str = "en") -> list[Block]:
    """The states of the two-player game by depth, and the time to solve it at a rate in values per second."""

    def size(depth: int | None = None) -> str:
        needed = found.size(np.float32) if depth is None else found.size(np.float32, depth)
        return _grouped(needed / 2**30, 2, language)

    rows = []
    for row in found.rows:
        depth = found.depth(row)
        numbers = (count(row.pairs, language), count(row.values, language), size(depth))
        rows.append((str(depth), f"{row.mover}, {row.opponent}", *numbers))
    everything = (count(found.pairs, language), count(found.values, language), size())
    rows.append(("", text(language, "match_counts.all"), *everything))
    head = tuple(text(language, f"match_counts.{key}") for key in ("depth", "filled", "pairs", "values", "size"))
    title = text(language, "match_counts.title", game=found.game.name(language))
    blocks: list[Block] = [Table(head, tuple(rows), frozenset(), title)]
    if rate:
        days = _grouped(found.values / rate / DAY, 1, language)
        blocks.append(Paragraph(text(language, "match_counts.time", rate=count(round(rate), language), days=days)))
    return blocks


def _grouped(value: float, digits: int, language: str) -> str:
    """A number with a thousands separator."""
    whole, _, decimals = f"{value:.{digits}f}".partition(".")
    return f"{count(int(whole), language)}{texts(language)['number.decimal']}{decimals}"
