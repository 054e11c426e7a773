"""Strategies, which give a move for every position: from tables, handwritten, exported, and the user's own."""

from typing import TYPE_CHECKING

from yatzy.lazy import lazy_names

if TYPE_CHECKING:
    from yatzy.strategies.assumed import AssumedDice as AssumedDice
    from yatzy.strategies.assumed import fair_chances as fair_chances
    from yatzy.strategies.ordered import OrderedGreedy as OrderedGreedy
else:
    __getattr__, __dir__ = lazy_names(__name__, __file__)
