"""The outcomes of model/placing.py by roll and category, for strategies that choose a category themselves."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from yatzy.model import CompiledGame, kept_with_game
from yatzy.model.states import BOX_OPEN

NO_OUTCOME = -1


@kept_with_game
def outcome_table(compiled: CompiledGame) -> npt.NDArray[np.int16]:
    """[roll, category]: the outcome of scoring the dice there; NO_OUTCOME for equal dice under a Joker rule.

    Under such a rule, the allowed categories and their points depend on the sheet.
    """
    placing = compiled.placing
    table = np.full(placing.points.shape, NO_OUTCOME, np.int16)
    roll = np.repeat(np.arange(len(table)), np.diff(placing.exact_start))
    category = placing.outcome_category[placing.exact_row]
    known = category >= 0
    table[roll[known], category[known]] = placing.exact_row[known]
    return table


def strike_outcomes(compiled: CompiledGame) -> npt.NDArray[np.int16]:
    """[category]: the outcome of scoring 0, for any dice."""
    game, rows = compiled.game, compiled.placing.rows
    outcomes = np.empty(len(game.categories), np.int16)
    for slot, category in enumerate(game.upper_categories):
        outcomes[category] = slot * rows.per_slot
    for place, category in enumerate(compiled.states.rest.categories):
        outcomes[category] = rows.rest + place
    if game.joker_box is not None:
        outcomes[game.joker_box] = rows.box_empty
    return outcomes


@kept_with_game
def joker_table(compiled: CompiledGame) -> npt.NDArray[np.int16]:
    """[context, face - 1, category]: the outcome of equal dice under a Joker rule; NO_OUTCOME where not allowed.

    Contexts are those of `model.placing.joker_context`.
    """
    game, placing = compiled.game, compiled.placing
    table = np.full((12, game.faces, len(game.categories)), NO_OUTCOME, np.int16)
    where = np.repeat(np.arange(12 * game.faces), np.diff(placing.joker_start))
    category = placing.outcome_category[placing.joker_outcome]
    table.reshape(-1, len(game.categories))[where, category] = placing.joker_outcome
    return table


def joker_contexts(compiled: CompiledGame, states: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """[state, face - 1]: the Joker context."""
    game, index = compiled.game, compiled.states
    block = np.searchsorted(index.block_start, states, side="right") - 1
    u, box, size = index.block[block].T.astype(np.int64)
    lower = (size < len(index.rest.categories)) | (box == BOX_OPEN)
    bits = np.array([1 << game.upper_of_face[f] if f in game.upper_of_face else 0 for f in range(1, game.faces + 1)])
    upper = (bits > 0) & (index.upper.filled[u][:, None] & bits == 0)
    return np.asarray(box[:, None] * 4 + upper * 2 + lower[:, None], np.int64)
