"""The package yatzy-solver as the benchmarks use it, and its variants with the corresponding games of ours.

It describes a state by `filled`, a number with bit i for the i-th category of the sheet, `upper`, the upper sum, and
`armed`, whether the box for five equal dice holds its points.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from yatzy.games import Game, load_game

PACKAGE = "yatzy-solver"


@dataclass(frozen=True, slots=True)
class Pair:
    """A variant of yatzy-solver and our game with the same rules."""

    theirs: str
    ours: str
    forced_order: bool = False

    @property
    def game(self) -> Game:
        """Our game; some are a preset with a forced order."""
        game = load_game(self.ours)
        return replace(game, id=self.name, forced_order=True) if self.forced_order else game

    @property
    def name(self) -> str:
        return f"{self.ours}-forced-order" if self.forced_order else self.ours


MAIN = (
    Pair("american", "yahtzee-free-joker"),
    Pair("yatzy-scandinavian", "yatzy"),
)
OTHERS = (
    Pair("american+forced-joker", "yahtzee"),
    Pair("american+no-joker", "yahtzee-no-joker"),
    Pair("american+no-bonus", "yahtzee-plain"),
    Pair("yatzy-scandinavian+fh5", "yatzy-five-as-full-house"),
    Pair("yatzy-scandinavian+tp4", "yatzy-four-as-two-pairs"),
    Pair("yatzy-scandinavian+fh5+tp4", "yatzy-lenient-kinds"),
    Pair("yatzy-scandinavian+forced", "yatzy-forced-order"),
    Pair("yatzy-scandinavian+fh5+forced", "yatzy-five-as-full-house", forced_order=True),
    Pair("yatzy-scandinavian+tp4+forced", "yatzy-four-as-two-pairs", forced_order=True),
    Pair("yatzy-scandinavian+fh5+tp4+forced", "yatzy-lenient-kinds", forced_order=True),
)

_kept: dict[str, Any] = {}


def package() -> Any:
    """Import yatzy-solver, or exit with an installation hint."""
    try:
        import yatzy_solver
    except ImportError:
        raise SystemExit(f"this benchmark needs {PACKAGE}: make bench installs it") from None
    return yatzy_solver


def build(variant: str) -> Any:
    """Build a solver from scratch."""
    solver = _kept[variant] = package().Solver.build(package().Variant(variant))
    return solver


def built(variant: str) -> Any:
    """A solver, reused if an earlier benchmark has built it."""
    return _kept.get(variant) or build(variant)
