"""Any utility of the final score: the best expected worth, for every number of points so far.

    V(x) = u(x) when all categories are filled; else choices take the maximum, rolls the mean, and scoring p points
    uses V(x + p) of the following state.

u is arbitrary: it may fall, jump or reward an exact score. A file lists it as lines `points,worth`.
"""

from __future__ import annotations

import csv
import hashlib
import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from yatzy import kernels
from yatzy.errors import InputError, Message
from yatzy.games import Game, Position, Sheet
from yatzy.model import CompiledGame
from yatzy.names import Objective, Utility
from yatzy.reading import read_text_bounded
from yatzy.store import TableWriter
from yatzy.units import Unit
from yatzy.values.arrays import exact_turn_arrays
from yatzy.values.cost import most_by_category
from yatzy.values.curve_layers import Meter, refuse_if_too_large
from yatzy.values.evaluator import Solution
from yatzy.values.goals import utility_goal
from yatzy.values.resources import DEFAULTS, Progress, Resources
from yatzy.values.tables import Column, SolvedTable, block_of, missing_layers
from yatzy.values.threads import core_count, run_ranges

if TYPE_CHECKING:
    from yatzy.values.opening import Opening

HEADER = ["points", "worth"]
MOST_WORTH = float(np.finfo(np.float32).max)
"""The largest absolute worth, because tables use single precision."""
STEP = 256
MOST_BYTES = 2**23
"""The size limit of a file; a line for each of 100,000 points takes a third of it."""


@dataclass(frozen=True, slots=True)
class UtilityFunction:
    """u(points) from `first` on, constant below the first and above the last entry."""

    first: int
    worths: tuple[float, ...]

    def __call__(self, points: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
        """The worth of final scores."""
        return np.array(self.worths)[np.clip(points - self.first, 0, len(self.worths) - 1)]

    @property
    def digest(self) -> str:
        """Twelve digits that identify this function."""
        return hashlib.sha256(repr((self.first, self.worths)).encode()).hexdigest()[:12]


def read_utility(path: Path) -> UtilityFunction:
    """Read a CSV file with the header `points,worth` and one line for each score, without gaps."""
    text = read_text_bounded(path, MOST_BYTES, Message("a utility"))
    try:
        rows = list(csv.reader(text.splitlines()))
    except csv.Error as error:
        raise InputError("{path}: is not a CSV file: {error}", path=path, error=error) from None
    if not rows or [cell.strip() for cell in rows[0]] != HEADER:
        raise InputError("{path}: line 1: the header must be points,worth", path=path)
    entries = [_entry(path, line, row) for line, row in enumerate(rows[1:], 2) if row]
    if not entries:
        raise InputError("{path}: line 2: there must be a line for each score, such as 300,1", path=path)
    first = entries[0][1]
    for place, (line, points, _) in enumerate(entries):
        if points != first + place:
            raise InputError(
                "{path}: line {line}: {points} points, but {next} come next; leave no gap",
                path=path,
                line=line,
                points=points,
                next=first + place,
            )
    return UtilityFunction(first, tuple(worth for _, _, worth in entries))


def _entry(path: Path, line: int, row: list[str]) -> tuple[int, int, float]:
    if len(row) != 2:
        raise InputError(
            "{path}: line {line}: there must be two numbers, points and worth, not {count}",
            path=path,
            line=line,
            count=len(row),
        )
    try:
        points, worth = int(row[0]), float(row[1])
    except ValueError:
        raise InputError(
            "{path}: line {line}: {row!r} is not a whole number and a number", path=path, line=line, row=",".join(row)
        ) from None
    if not math.isfinite(worth) or abs(worth) > 1e30 or not 0 <= points <= 100_000:
        raise InputError("{path}: line {line}: {row!r} is out of range", path=path, line=line, row=",".join(row))
    return line, points, worth


class UtilityScore(Solution):
    """A game solved for a utility of the final score."""

    unit = Unit.WORTH
    tie = 1e-6
    by_points = True

    def __init__(
        self, game: Game, utility: UtilityFunction, resources: Resources = DEFAULTS, purpose: str = Message("a utility")
    ) -> None:
        """purpose: what the utility stands for, shown with the progress."""
        super().__init__(game)
        self.utility = utility
        self.name: Objective = Utility(utility.digest)

        def build(writer: TableWriter) -> None:
            refuse_if_too_large(game, writer.path.parent, writer.size)
            watch = resources.watch(Message("{game} for {purpose}", game=game, purpose=purpose))
            _build(self._compiled, utility, writer, resources.threads, watch)

        columns = utility_columns(self._compiled)
        self.table = SolvedTable(self._compiled, f"utility:{utility.digest}", build, resources, columns)

    def worth(self, after: Sheet, before: Sheet) -> float:
        """The expected worth of the final score."""
        layer, at = self._compiled.states.locate(after)
        begin, end = self.table.read(layer, "offset", at, at + 2).tolist()
        place = begin + min(after.points, end - begin - 1)
        return float(self.table.read(layer, "value", place, place + 1)[0])

    def goal(self, layer: int, *, break_ties: bool = True) -> kernels.TurnGoal:
        """The worths of the next layer."""
        return utility_goal(self._compiled, self.table, layer, self._points_worth)

    def results(self, position: Position) -> tuple[float, float]:
        """The lowest and the highest worth."""
        return min(self.utility.worths), max(self.utility.worths)


def _build(
    compiled: CompiledGame,
    utility: UtilityFunction,
    writer: TableWriter,
    threads: int | None,
    progress: Progress | None,
) -> None:
    """Build the layers that the table does not have yet."""
    meter = Meter(compiled, progress)
    arrays, starts, top = exact_turn_arrays(compiled), compiled.states.layer_start, compiled.states.layers - 1
    with ThreadPoolExecutor(threads or core_count()) as pool:
        for layer in missing_layers(writer):
            meter.begin(layer)
            first, end = int(starts[layer]), int(starts[layer + 1])
            width = widths(compiled, layer)
            offset = np.concatenate([[0], np.cumsum(width, dtype=np.int64)])
            value = np.empty(int(offset[-1]), np.float32)
            if layer == top:
                value[:] = utility(np.concatenate([np.arange(w) for w in width]))
            else:
                none = np.zeros(0, np.int32)
                after = kernels.Curves(end, none, writer.array(layer + 1, "offset"), writer.array(layer + 1, "value"))

                def fill(low: int, high: int, after: Any = after, offset: Any = offset, value: Any = value,
                         first: int = first) -> None:  # fmt: skip
                    block = block_of(arrays.block_start, low)
                    kernels.solve_utilities(
                        arrays, after, low, high, block, offset[low - first : high - first + 1], value
                    )
                    meter.add(high - low)

                run_ranges(pool, fill, first, end, STEP)
            writer.append(layer, {"offset": offset, "value": value})


def utility_columns(compiled: CompiledGame) -> Callable[[int], dict[str, Column]]:
    """The required arrays of each layer."""

    def columns(layer: int) -> dict[str, Column]:
        states = int(np.diff(compiled.states.layer_start)[layer])
        longest = int(widths(compiled, layer).max())
        return {
            "offset": Column("<i8", (states + 1,), 0, math.inf, (1, longest)),
            "value": Column("<f4", (None,), -MOST_WORTH, MOST_WORTH),
        }

    return columns


def widths(compiled: CompiledGame, layer: int) -> npt.NDArray[np.int64]:
    """[state of the layer]: one more than the most points that its filled categories can have scored."""
    game, states = compiled.game, compiled.states
    most = most_by_category(compiled)
    rest = np.zeros(len(states.rest.mask), np.int64)
    for bit, category in enumerate(states.rest.categories):
        rest += (states.rest.mask >> bit & 1) * most[category]
    upper = sum((states.upper.filled >> i & 1) * most[i] for i in game.upper_categories) + np.zeros(
        len(states.upper), int
    )
    extra = (game.bonus.points if game.bonus else 0) + (game.joker.points * layer if game.joker else 0)
    blocks = np.searchsorted(states.block_start, states.layer_start[layer : layer + 2])
    pieces = []
    for u, box, size in states.block[blocks[0] : blocks[1]]:
        held = most[game.joker_box] if game.joker_box is not None and box else 0
        pieces.append(rest[states.rest.first[size] : states.rest.first[size + 1]] + upper[u] + held + extra + 1)
    return np.concatenate(pieces)


def open_utility(solver: Opening, game: Game, name: Utility) -> UtilityScore:
    """`utility:FILE`."""
    return UtilityScore(game, read_utility(Path(name.path)), solver.plain)


def check_utility(name: Utility, game: Game) -> None:
    """Refuse a file that does not contain a utility."""
    read_utility(Path(name.path))
