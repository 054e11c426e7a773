"""Strategy files: the choices beside the best ones, or beside those of the strategy with the same name."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from yatzy.errors import InputError
from yatzy.games import Sheet
from yatzy.names import Best, Expected, Exponential, Greedy, parse_strategy
from yatzy.strategies.base import DependsOn, PlannedStrategy
from yatzy.strategies.choices import STRUCK, choice_code, filled_sets
from yatzy.strategies.exported import PREFIX, FileStrategy
from yatzy.values.bounds import ErrorBound, Measure, error_bound
from yatzy.values.evaluator import Solution
from yatzy.values.kinds import EXPECTED
from yatzy.values.turn import FloatArray, TurnValues
from yatzy.verification.results import Place
from yatzy.verification.rows import Batch, TableRows
from yatzy.verification.turns import IntArray, sheets_of, state_text


@dataclass(eq=False)
class StrategyRows(TableRows):
    """An exported strategy. Opening it checks that its choices are legal.

    If it plays for the most points, for an exponential utility or greedily, its choices must be as good as the best in
    a plain turn. Any other strategy is asked again for its choices.
    """

    usual = 600
    path: Path = Path()
    """The file; it may be anywhere."""

    def open(self) -> None:
        """Open the file, and the tables that its name stands for."""
        self.file = FileStrategy(self.path, self.game)
        name = parse_strategy(self.objective.removeprefix(PREFIX))
        self.solution: Solution | None = None
        self.other: PlannedStrategy | None = None
        plain = self.file.depends_on is DependsOn.STATE and self.file.aims == 1
        judged = isinstance(name, Best) and isinstance(name.objective, Expected | Exponential)
        if plain and judged:
            assert isinstance(name, Best)
            self.solution = self.sources.solver.build(self.game, name.objective)
        elif not (plain and isinstance(name, Greedy)):
            self.other = self.sources.solver.strategy(self.game, name).planned
            if self.other is None or self.other.depends_on is not self.file.depends_on:
                raise InputError("{name}: the choices of this strategy cannot be computed again", name=name)
        self.bound = self._bound(str(name) if self.solution else EXPECTED.name)
        choices = self.game.rolls * len(self.compiled.lattice.rolls) * self.file.aims
        self.values = choices * sum(map(self.rows, self.layers))

    def _bound(self, objective: str) -> ErrorBound:
        if self.other is not None:
            return ErrorBound(Measure.ABSOLUTE, 0.0, 0, 0.0, "the choices must be the same")
        base = error_bound(self.game, objective)
        assert base is not None
        # Two values that are equal but for roundings can be taken for each other.
        return ErrorBound(Measure.RELATIVE, 2 * base.turn, 1, 2 * base.plain, base.source)

    @property
    def layers(self) -> range:
        """A layer for every turn."""
        return range(self.compiled.states.layers - 2, -1, -1)

    def rows(self, layer: int) -> int:
        """The sheets of a layer, or the sets of filled categories."""
        return super().rows(layer) if self.file.depends_on is DependsOn.STATE else len(self._sets(layer))

    def order(self, layer: int, rows: IntArray) -> IntArray:
        """Any."""
        return np.sort(rows)

    def _sets(self, layer: int) -> IntArray:
        return filled_sets(self.compiled.states, layer)

    def again(self, layer: int, rows: IntArray) -> Iterator[Batch]:
        """The worth of every choice beside the best one, or the choice beside that of the strategy."""
        by_state = self.file.depends_on is DependsOn.STATE
        keys = rows if by_state else self._sets(layer)[rows]
        plans = self.file.plans(layer, keys)
        other = None if self.other is None else self.other.plans(layer, keys)
        first = int(self.compiled.states.layer_start[layer])
        sheets = sheets_of(self.compiled, rows + first) if by_state else [self._filled(int(key)) for key in keys]
        code = choice_code(self.game).categories(plans.place)
        for at, sheet in enumerate(sheets):

            def where(number: int, sheet: Sheet = sheet) -> Place:
                return Place(layer, state_text(sheet), "choice", number)

            if other is None:
                stored, again = self._worths(sheet, plans.keep[at, :, 0], code[at, 0])
            else:
                stored, again = (
                    np.concatenate([one.aim[at].ravel(), one.keep[at].ravel(), one.place[at].ravel()]).astype(float)
                    for one in (plans, other)
                )
            yield Batch(stored, again, where, plans.keep[at].size + plans.place[at].size)

    def _filled(self, filled: int) -> Sheet:
        return Sheet(self.game, filled, 0, 0, False, None, points_known=False) if filled else Sheet.start(self.game)

    def _worths(
        self, sheet: Sheet, keep: npt.NDArray[np.int16], code: npt.NDArray[np.uint8]
    ) -> tuple[FloatArray, FloatArray]:
        """The worths of the choices, the keeps by rolls left and then the categories, and those of the best ones.

        keep: [rolls left - 1, roll]; code: [roll].
        """
        turn = TurnValues(self.compiled, sheet, lambda after: self._worth(after, sheet))
        kept = [turn.keep(left + 1)[chosen] for left, chosen in enumerate(keep)]
        best = [turn.roll(left + 1) for left in range(len(keep))]
        placed = np.array([self._placed(turn, roll, int(one)) for roll, one in enumerate(code)])
        return np.concatenate([*kept, placed]), np.concatenate([*best, turn.roll(0)])

    def _placed(self, turn: TurnValues, roll: int, code: int) -> float:
        if code >= STRUCK:
            return float(self._worth(turn.sheet.fill(code - STRUCK, 0, 0), turn.sheet))
        return float(turn.place(roll, code))

    def _worth(self, after: Sheet, before: Sheet) -> float:
        return after.points - before.points if self.solution is None else self.solution.worth(after, before)
