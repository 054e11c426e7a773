"""Plain turns of the states of a table, in double precision: no kernel, only sheets, the rules and NumPy."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from yatzy.games import Position, Sheet
from yatzy.model import CompiledGame, kept_with_game
from yatzy.model.states import BOX_PAYS
from yatzy.values.turn import FloatArray, TurnValues

LANES = 512
"""Numbers that a turn computes at once: more no longer fit into the cache."""
IntArray = npt.NDArray[np.int64]


@kept_with_game
def _upper_sums(compiled: CompiledGame) -> list[int]:
    """[class]: the least of its upper sums; all of them have the same future."""
    sums = [-1] * len(compiled.upper)
    for (_, upper), which in sorted(compiled.upper.index.items(), reverse=True):
        sums[which] = upper
    return sums


def sheets_of(compiled: CompiledGame, states: IntArray) -> list[Sheet]:
    """A sheet in each of some states, with 0 points so far."""
    index, sums = compiled.states, _upper_sums(compiled)
    block = np.searchsorted(index.block_start, states, side="right") - 1
    found = zip(index.filled(states).tolist(), index.block[block].tolist(), strict=True)
    start = Sheet.start(compiled.game)
    return [
        Sheet(compiled.game, filled, sums[upper], 0, box == BOX_PAYS, None, points_known=False) if filled else start
        for filled, (upper, box, _) in found
    ]


def by_filled(compiled: CompiledGame, states: IntArray) -> IntArray:
    """The order of some states in which those that share a turn come together: equal but for the upper sum."""
    index = compiled.states
    block = np.searchsorted(index.block_start, states, side="right") - 1
    return np.lexsort((index.block[block, 1], index.filled(states)))


def alike(sheets: Sequence[Sheet], lanes: Sequence[int]) -> Iterator[slice]:
    """Runs of sheets that are equal but for the upper sum, with at most LANES numbers in all; lanes: [sheet]."""
    begin, held = 0, 0
    for at, (sheet, width) in enumerate(zip(sheets, lanes, strict=True)):
        first = sheets[begin]
        other = (sheet.filled, sheet.box_pays) != (first.filled, first.box_pays)
        if at > begin and (other or held + width > LANES):
            yield slice(begin, at)
            begin, held = at, 0
        held += width
    if sheets:
        yield slice(begin, len(sheets))


class SheetsTurn(TurnValues):
    """The turns from sheets that are equal but for the upper sum, side by side in the last axis.

    The Joker rules and the points of a roll do not depend on the upper sum, so the placements are the same.
    """

    def __init__(
        self, compiled: CompiledGame, sheets: Sequence[Sheet], worth_of: Callable[[Sheet, int], FloatArray]
    ) -> None:
        """worth_of: the worths of a sheet after the turn, given also the place of the sheet before it in `sheets`."""
        super().__init__(compiled, sheets[0], lambda after: None)
        self._sheets, self._worths = sheets, worth_of

    def _ending(self, category: int, points: int, joker_bonus: int = 0) -> FloatArray:
        key = (category, points, joker_bonus)
        if key not in self._endings:
            after = enumerate(sheet.fill(*key) for sheet in self._sheets)
            self._endings[key] = np.concatenate([self._worths(sheet, place) for place, sheet in after])
        found: FloatArray = self._endings[key]
        return found

    def before(self) -> FloatArray:
        """The worths before the turn."""
        found: FloatArray = self.keep(self.compiled.game.rolls)[0]
        return found


def state_text(*sheets: Sheet) -> str:
    """Sheets in the notation of positions."""
    return " ".join(str(Position((sheet,))) for sheet in sheets)
