"""The compiled game in the form used by the kernels."""

from __future__ import annotations

import numpy as np

from yatzy import kernels
from yatzy.model import CompiledGame, kept_with_game


def turn_arrays(compiled: CompiledGame, lanes: int | None = None) -> kernels.TurnArrays:
    """Place the rows of `model.placing` after the rows of the lattice, and refer to rows by their offset.

    lanes: numbers in a vector; by default those of doubles.
    """
    lanes = kernels.LANES if lanes is None else lanes
    game, lattice, placing = compiled.game, compiled.lattice, compiled.placing
    states, rows, keeps = compiled.states, compiled.placing.rows, len(compiled.lattice.keeps)
    bit = {face: 1 << i for face, i in game.upper_of_face.items()}
    return kernels.TurnArrays(
        lanes=lanes,
        rerolls=game.rolls - 1,
        faces=game.faces,
        keeps=keeps,
        first_roll=lattice.first_roll,
        child=(lattice.child.ravel() * lanes).astype(np.uint32),
        parent=(lattice.parent * lanes).astype(np.uint32),
        parent_start=lattice.parent_start,
        share=np.array([float(game.faces) ** (len(k) - game.dice) for k in lattice.keeps[: lattice.first_roll]]),
        weight=lattice.weight,
        roll_row=((placing.roll_row + keeps) * lanes).astype(np.uint32),
        roll_start=placing.roll_start,
        slots=rows.slots,
        counts=rows.per_slot,
        rest=len(states.rest.categories),
        upper_row=keeps,
        rest_row=keeps + rows.rest,
        box_row=keeps + rows.box_empty,
        zero_row=keeps + rows.zero,
        option_row=keeps + rows.option,
        joker_row=keeps + rows.joker,
        rows=keeps + rows.total,
        option_source=placing.option_source + np.int32(keeps),
        option_shift=placing.option_points,
        jokers=game.faces if game.joker else 0,
        joker_start=placing.joker_start,
        joker_term_row=placing.joker_row + np.int32(keeps),
        joker_shift=placing.joker_points,
        joker_outcome=placing.joker_outcome,
        outcomes=len(placing.outcome_category),
        outcome_points=placing.outcome_points,
        joker_upper=np.array([bit.get(face, 0) for face in range(1, game.faces + 1)], np.int64),
        upper_filled=compiled.upper.filled,
        upper_next=compiled.upper.next,
        upper_shift=compiled.upper.points,
        rest_next=states.rest.next,
        rest_first=states.rest.first,
        start=states.start,
        block=states.block,
        block_start=states.block_start,
    )


def points_worth(compiled: CompiledGame, theta: float | None = None) -> kernels.Worth:
    """The worth of points: the points themselves, or a factor e^(theta · points)."""
    shifts = (compiled.upper.points, compiled.placing.option_points, compiled.placing.joker_points)
    if theta is None:
        pairs = [(shift.astype(np.float64), np.ones(shift.shape)) for shift in shifts]
    else:
        pairs = [(np.zeros(shift.shape), np.exp(theta * shift)) for shift in shifts]
    return kernels.Worth(*(array for pair in pairs for array in pair))


@kept_with_game
def exact_turn_arrays(compiled: CompiledGame) -> kernels.TurnArrays:
    """For objectives where more points may be worse: every roll lists each category with exactly its points."""
    placing = compiled.placing
    offsets = (placing.exact_row + len(compiled.lattice.keeps)) * kernels.LANES
    return turn_arrays(compiled)._replace(roll_row=offsets.astype(np.uint32), roll_start=placing.exact_start)
