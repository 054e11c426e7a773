"""Tables of solved games: opened if they exist, built if not, repaired when damage is found."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from yatzy.errors import InputError, Message, TableDamaged
from yatzy.model import CompiledGame
from yatzy.store import Table, TableWriter, open_or_build, repair, table_path, tables_folder
from yatzy.store.table import remedy
from yatzy.values.kinds import table_key
from yatzy.values.resources import Resources

FEW = 16
"""Fewer numbers than these are looked at one by one, which takes less time than two calls of NumPy."""


@dataclass(frozen=True, slots=True)
class Column:
    """The required form of an array. Kernels trust what they read, and a checksum does not tell who wrote a file."""

    dtype: str
    """As `numpy.dtype.str`."""
    shape: tuple[int | None, ...]
    """None if the game does not determine the length."""
    least: float
    """The lower bound of all numbers; NaN is refused."""
    most: float
    step: tuple[int, int] | None = None
    """For offsets: the smallest and the largest step from one to the next."""

    def misfit(self, dtype: str, shape: tuple[int, ...]) -> Message | None:
        """What is wrong with a type and shape; None if nothing."""
        fits = len(shape) == len(self.shape) and all(
            wanted in (None, length) for wanted, length in zip(self.shape, shape, strict=True)
        )
        if fits and dtype == self.dtype:
            return None
        wanted = ", ".join("any" if length is None else str(length) for length in self.shape)
        return Message(
            "is {dtype} ({shape}), but must be {right} ({lengths})",
            dtype=dtype,
            shape=", ".join(map(str, shape)),
            right=self.dtype,
            lengths=wanted,
        )

    def fault(self, numbers: npt.NDArray[Any]) -> Message | None:
        """What is wrong with some rows; None if nothing."""
        if not _all_between(numbers, self.least, self.most):
            return Message("holds numbers that are not from {least:g} to {most:g}", least=self.least, most=self.most)
        if self.step is not None and not _all_between(numbers[..., 1:] - numbers[..., :-1], *self.step):
            return Message("holds offsets that are not {least} to {most} apart", least=self.step[0], most=self.step[1])
        return None

    def accepts(self, numbers: npt.NDArray[Any]) -> bool:
        """Whether nothing is wrong with a whole array."""
        return self.misfit(numbers.dtype.str, numbers.shape) is None and self.fault(numbers) is None


def _all_between(numbers: npt.NDArray[Any], least: float, most: float) -> bool:
    """Whether all numbers are in a range; False if one is NaN."""
    if numbers.size < FEW:
        return all(least <= number <= most for number in numbers.ravel().tolist())
    return bool(numbers.min() >= least and numbers.max() <= most)


Columns = Mapping[str, Column]
"""The arrays of a layer by name."""


def value_columns(compiled: CompiledGame, least: float, most: float) -> Callable[[int], dict[str, Column]]:
    """The required arrays of each layer, for a table with one number per state."""
    sizes = np.diff(compiled.states.layer_start).tolist()
    return lambda layer: {"value": Column("<f8", (sizes[layer],), least, most)}


def curve_columns(
    states: int, values: str, most: int, *, shortest: int, least_low: int, range_: tuple[float, float]
) -> dict[str, Column]:
    """The arrays of curves: `low` (the first score), `offset` (the start of each curve) and the values themselves.

    No curve has a score above `most`; range_: the range of its values.
    """
    return {
        "low": Column("<i4", (states,), least_low, most + 1),
        # Offsets have no upper bound here, because the file determines its length; reading past the end is refused.
        "offset": Column("<i8", (states + 1,), 0, np.inf, (shortest, most + 2)),
        values: Column("<f4", (None,), *range_),
    }


class SolvedTable:
    """A table of a game for an objective, by layer."""

    def __init__(
        self,
        compiled: CompiledGame,
        objective: str,
        build: Callable[[TableWriter], None],
        resources: Resources,
        columns: Callable[[int], Columns],
        layers: int | None = None,
    ) -> None:
        """Open or build; only open if the resources are read only.

        `columns` gives the required arrays of a layer; `layers` if not the layers of the states.
        """
        begun = time.perf_counter()
        game = compiled.game
        self._folder, self._report, self._mending = tables_folder(resources.folder), resources.report, Lock()
        self._key = table_key(game, objective, compiled.states.layers if layers is None else layers)
        self.cached = True
        """Whether the table existed before."""

        def note_and_build(writer: TableWriter) -> None:
            self.cached = False
            self._check_done(writer)
            build(writer)

        self._columns, self._known, self._sound = columns, dict[int, Columns](), set[tuple[int, str]]()
        self._build, self._read_only = note_and_build, resources.read_only
        if self._read_only:
            self._table = Table(table_path(self._folder, self._key), self._key)
        else:
            self._table = open_or_build(self._folder, self._key, self._build, resources.report)
        self.seconds = time.perf_counter() - begun
        """The time it took to open or build the table."""

    @property
    def path(self) -> Path:
        """The path of the file."""
        return self._table.path

    @property
    def size(self) -> int:
        """Its size in bytes."""
        return self._table.size

    def read(self, layer: int, name: str, start: int, stop: int) -> npt.NDArray[Any]:
        """Part of an array, checked; a damaged table is rebuilt first, unless tables are read only.

        A table with correct checksums but invalid contents was not written by this program and is refused.
        """

        def rows() -> npt.NDArray[Any]:
            self._check_rows(layer, name, start, stop)
            return self._table.read(layer, name, start, stop)

        numbers = self._checked(layer, name, rows)
        if start == 0 and stop == self._table.describe(layer, name)[1][0]:
            self._sound.add((layer, name))  # like its checksums, its numbers are checked once
        return numbers

    def read_at(self, layer: int, name: str, rows: npt.NDArray[np.int64]) -> npt.NDArray[Any]:
        """Single rows of an array, checked like those of `read`; steps are checked along the last axis of `rows`."""

        def chosen() -> npt.NDArray[Any]:
            try:
                return self._table.read_at(layer, name, rows)
            except InputError:
                self._check_rows(layer, name, int(rows.min()), int(rows.max()) + 1)
                raise

        return self._checked(layer, name, chosen)

    def shape(self, layer: int, name: str) -> tuple[int, ...]:
        """The shape of an array; its data are not read."""
        self._check_shapes(layer)
        return self._table.describe(layer, name)[1]

    def check(self) -> None:
        """Read every array; `TableDamaged` if the form or a number of one is wrong."""
        for layer in range(self._key.layers):
            self._check_shapes(layer)
            sizes = {name: self._table.describe(layer, name)[1][0] for name in self._known[layer]}
            for name, column in self._known[layer].items():
                numbers = self.read(layer, name, 0, sizes[name])
                if column.step is not None and numbers[-1] > sizes[_values_of(self._known[layer])]:
                    raise self.wrong(layer, name, Message("points past the end of the values"))

    def wrong(self, layer: int, name: str, what: Message) -> TableDamaged:
        """The error for an array with invalid contents."""
        return _wrong(self.path, layer, name, what)

    def _checked(self, layer: int, name: str, rows: Callable[[], npt.NDArray[Any]]) -> npt.NDArray[Any]:
        """Some rows of an array, read again from a new table if this one is damaged."""
        self._check_shapes(layer)
        table = self._table
        try:
            numbers = rows()
        except TableDamaged:
            if self._read_only:
                raise
            with self._mending:
                if self._table is table:
                    table.close()
                    self._table = repair(self._folder, self._key, self._build, self._report)
                    self._known.clear()
                    self._sound.clear()
            self._check_shapes(layer)
            numbers = rows()
        if (layer, name) not in self._sound and (wrong := self._known[layer][name].fault(numbers)) is not None:
            raise self.wrong(layer, name, wrong)
        return numbers

    def _check_rows(self, layer: int, name: str, start: int, stop: int) -> None:
        rows = self._table.describe(layer, name)[1][0]
        if not 0 <= start <= stop <= rows:
            raise self.wrong(
                layer,
                name,
                Message("has {rows} rows, and {start} to {stop} were requested", rows=rows, start=start, stop=stop),
            )

    def _check_shapes(self, layer: int) -> None:
        """Check the form of the arrays of a layer on first use."""
        if layer not in self._known:
            columns, table = self._columns(layer), self._table
            _check_layer(self.path, layer, columns, {name: table.describe(layer, name) for name in table.names(layer)})
            self._known[layer] = columns

    def _check_done(self, writer: TableWriter) -> None:
        """Check the layers left by an earlier run, since the next ones are built from them."""
        for layer in sorted(writer.done):
            columns = self._columns(layer)
            arrays = {name: writer.array(layer, name) for name in writer.names(layer)}
            described = {name: (array.dtype.str, array.shape) for name, array in arrays.items()}
            _check_layer(writer.path, layer, columns, described)
            for name, column in columns.items():
                wrong = column.fault(arrays[name])
                if wrong is None and column.step is not None and arrays[name][-1] > len(arrays[_values_of(columns)]):
                    wrong = Message("points past the end of the values")
                if wrong is not None:
                    raise _wrong(writer.path, layer, name, wrong)


def _values_of(columns: Columns) -> str:
    """The array that offsets refer to: the one whose length is not fixed."""
    return next(name for name, column in columns.items() if None in column.shape)


def _check_layer(
    path: Path, layer: int, columns: Columns, described: Mapping[str, tuple[str, tuple[int, ...]]]
) -> None:
    if missing := sorted(set(columns) - set(described)):
        raise _wrong(path, layer, missing[0], Message("is missing"))
    for name, column in columns.items():
        if (wrong := column.misfit(*described[name])) is not None:
            raise _wrong(path, layer, name, wrong)


def _wrong(path: Path, layer: int, name: str, what: Message) -> TableDamaged:
    problem = Message("{path}: layer {layer}, array {name!r}, {what}", path=path, layer=layer, name=name, what=what)
    return TableDamaged("{problem}; {remedy}", problem=problem, remedy=remedy(path))


class LayerWriter(Protocol):
    """Receives the layers of a table, the last layer first; `TableWriter` writes them to disk."""

    @property
    def missing(self) -> tuple[int, ...]:
        """The layers still to be appended."""

    def array(self, layer: int, name: str) -> npt.NDArray[Any]:
        """An array of the layer that was appended last."""

    def append(self, layer: int, arrays: Mapping[str, npt.ArrayLike]) -> None:
        """Append the next layer."""


def missing_layers(writer: LayerWriter) -> list[int]:
    """The layers still to be built, from the last to the first."""
    return sorted(writer.missing, reverse=True)


def block_of(block_start: npt.NDArray[np.int64], state: int) -> int:
    """The block of a state."""
    return int(np.searchsorted(block_start, state, side="right")) - 1
