"""Strategies: position to move, by name: from tables, written by hand, exported, and the user's own."""

from yatzy.strategies.export import FileStrategy, export_size, export_strategy
from yatzy.strategies.molinder import MolinderBonus, MolinderLower
from yatzy.strategies.names import parse_strategy
from yatzy.strategies.own import load_own

__all__ = [
    "FileStrategy",
    "MolinderBonus",
    "MolinderLower",
    "export_size",
    "export_strategy",
    "load_own",
    "parse_strategy",
]
