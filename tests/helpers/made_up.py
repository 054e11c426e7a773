"""Results that no computation made, for tests of how they are added up and shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from yatzy.games import Position, load_game
from yatzy.lab.regret import RegretResult, SeatRegret, StrategyRegret
from yatzy.lab.sample import Estimate
from yatzy.lab.strength import JudgedPositions, StrengthResult


def made_up_strength(position: Position, errors: Mapping[int, Sequence[float]]) -> StrengthResult:
    """A measurement of one strategy that chose the second move with these errors, by depth, always in one position."""
    others = [-1.0] * (len(position.legal_moves) - 2)
    judged = {
        depth: JudgedPositions(
            position.game,
            (str(position),) * len(part),
            tuple(np.array([error, 0.0, *others]) for error in part),
            np.ones((len(part), 1), np.int16),
        )
        for depth, part in errors.items()
    }
    return StrengthResult(position.game, ("expected",), 1, judged)


def made_up_regret() -> RegretResult:
    """A measurement of one strategy in two-yatzy that loses the same in both seats."""
    one = Estimate(0.5, 0.125)
    seat = SeatRegret(2, 0.5, one, (one, Estimate(0.0, 0.0)), (one, one), one, one, one)
    return RegretResult(load_game("two-yatzy"), 4, 1, 0.5, 2e-6, (StrategyRegret("expected", 2, seat, seat),))
