"""Goals of the kernels in the turns of a layer (`kernels.plan.TurnGoal`), from the values of the next layer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from yatzy import kernels
from yatzy.model import CompiledGame
from yatzy.values.tables import SolvedTable

if TYPE_CHECKING:
    from yatzy.values.curves import BestChances

FloatArray = npt.NDArray[np.float64]


def read_only(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The array as tables give theirs. Numba compiles a kernel again for arrays that may be written."""
    view = array.view()
    view.flags.writeable = False
    return view


NO_VALUES = read_only(np.zeros(0))
NO_LOWS, NO_OFFSETS, NO_CHANCES = (read_only(np.zeros(0, kind)) for kind in (np.int32, np.int64, np.float32))


def no_curves(first: int) -> kernels.Curves:
    """An empty set of curves, for states from `first` on."""
    return kernels.Curves(first, NO_LOWS, NO_OFFSETS, NO_CHANCES)


def read_values(compiled: CompiledGame, table: SolvedTable, layer: int) -> FloatArray:
    """[state of the layer]: its value, from a table with one number for each state."""
    first, end = compiled.states.layer_start[layer : layer + 2].tolist()
    return table.read(layer, "value", 0, end - first)


def value_goal(
    compiled: CompiledGame, layer: int, worth: kernels.Worth, values: FloatArray | None = None
) -> kernels.TurnGoal:
    """Maximise one number per state of the next layer; without values, only the points of the turn."""
    first, end = compiled.states.layer_start[layer + 1 : layer + 3].tolist()
    values = np.zeros(end - first) if values is None else values
    return kernels.TurnGoal(kernels.BY_VALUE, worth, read_only(values), 0, no_curves(0), no_curves(first))


def target_goal(
    chances: BestChances, layer: int, worth: kernels.Worth, target: int, values: FloatArray | None = None
) -> kernels.TurnGoal:
    """Maximise the chance of a target; `values` of the next layer, if given, break ties."""
    after = chances.curves(layer + 1)
    if values is None:
        return kernels.TurnGoal(kernels.BY_TARGET, worth, NO_VALUES, target, no_curves(after.first), after)
    return kernels.TurnGoal(kernels.BY_TARGET, worth, values, target, chances.curves(layer), after)


def utility_goal(compiled: CompiledGame, table: SolvedTable, layer: int, worth: kernels.Worth) -> kernels.TurnGoal:
    """Maximise the expected worth of the final score."""
    first, end = compiled.states.layer_start[layer + 1 : layer + 3].tolist()
    offset = table.read(layer + 1, "offset", 0, end - first + 1)
    value = table.read(layer + 1, "value", 0, int(offset[-1]))
    after = kernels.Curves(first, NO_LOWS, offset, value)
    return kernels.TurnGoal(kernels.BY_UTILITY, worth, NO_VALUES, 0, no_curves(0), after)
