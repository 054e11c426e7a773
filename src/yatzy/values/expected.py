"""The best expected score of every state.

State: filled categories, class of the upper sum, Joker box (model/states.py). Backward over the layers,

    E(s) = 0 when all categories are filled, else
    E(s) = mean over first rolls of the best of: keep and roll again, or score p in category c: p + E(s after c)

with the upper bonus included in p when the threshold is crossed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from yatzy import kernels
from yatzy.errors import Message
from yatzy.games import Game, Position, Sheet
from yatzy.model import compile_game, most_points
from yatzy.names import Expected
from yatzy.store import TableWriter
from yatzy.values.backends import expected_filler
from yatzy.values.evaluator import Solution
from yatzy.values.goals import read_values, value_goal
from yatzy.values.layers import FloatArray, build_layers, solve_layers
from yatzy.values.resources import DEFAULTS, Resources
from yatzy.values.tables import SolvedTable, value_columns

if TYPE_CHECKING:
    from yatzy.values.opening import Opening

REMEMBERED = 16384
"""States whose value is cached."""


class ExpectedScore(Solution):
    """A game solved for the most points: the expected final score of any position."""

    name = Expected()
    reviews_in_bulk = True
    by_points = False

    def __init__(self, game: Game, resources: Resources = DEFAULTS) -> None:
        super().__init__(game)
        self._known: dict[tuple[int, int, bool], float] = {}
        self._layers: dict[int, FloatArray] = {}

        def build(writer: TableWriter) -> None:
            filler = expected_filler(resources.backend, self._compiled)
            watch = resources.watch(Message("{game}", game=game))
            build_layers(self._compiled, writer, None, resources.threads, watch, filler)

        self.table = SolvedTable(
            self._compiled,
            self.objective,
            build,
            resources,
            value_columns(self._compiled, 0, 2 * most_points(game)),
        )

    def worth(self, after: Sheet, before: Sheet) -> float:
        """The points of the turn and the expected points to come, added in the order of the kernels."""
        return self.to_come(after) + (after.points - before.points)

    def _value_of_worth(self, worth: float, before: Sheet) -> float:
        return before.points + worth

    def to_come(self, sheet: Sheet) -> float:
        """The expected points to come from a sheet between turns."""
        key = (sheet.filled, sheet.upper, sheet.box_pays)
        found = self._known.get(key)
        if found is None:
            # A turn reads the same state once for each number of points that leads to it.
            if len(self._known) >= REMEMBERED:
                self._known.clear()
            found = self._known[key] = self._read(sheet)
        return found

    def value_to(self, position: Position, player: int) -> float:
        """For a full sheet its points, without reading the table."""
        sheet = position.sheets[player]
        return float(sheet.points) if sheet.over else super().value_to(position, player)

    def goal(self, layer: int, *, break_ties: bool = True) -> kernels.TurnGoal:
        """The values of the next layer."""
        values = read_values(self._compiled, self.table, layer + 1)
        return value_goal(self._compiled, layer, self._points_worth, values)

    def _read(self, sheet: Sheet) -> float:
        states = self._compiled.states
        layer, row = states.locate(sheet)
        if layer not in self._layers:  # mapped and checked once, as a whole
            first, end = states.layer_start[layer : layer + 2].tolist()
            self._layers[layer] = self.table.read(layer, "value", 0, end - first)
        return float(self._layers[layer][row])


def solve_in_memory(game: Game, threads: int | None = None) -> FloatArray:
    """The expected points to come of all states, in the order of `model.StateIndex`, without using the disk."""
    return solve_layers(compile_game(game), lambda layer, values: None, threads=threads)


def open_expected(solver: Opening, game: Game, name: Expected) -> ExpectedScore:
    """`expected`."""
    return solver.expected(game)
