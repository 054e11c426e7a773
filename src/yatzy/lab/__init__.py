"""Experiments with strategies: playing millions of games, comparing, and what it all shows."""

from yatzy.lab.compare import Comparison, ExactComparison, compare, compare_exactly
from yatzy.lab.players import ExactTable, TableResult, play_table, table_exactly, table_of
from yatzy.lab.sample import Estimate, SimulatedGames
from yatzy.lab.simulate import PlayedTurn, replay, simulate

__all__ = [
    "Comparison",
    "Estimate",
    "ExactComparison",
    "ExactTable",
    "PlayedTurn",
    "SimulatedGames",
    "TableResult",
    "compare",
    "compare_exactly",
    "play_table",
    "replay",
    "simulate",
    "table_exactly",
    "table_of",
]
