"""Tables of solved games: opened where they are, made where they are not, mended when damage shows."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
import numpy.typing as npt

from yatzy.errors import TableDamaged
from yatzy.model import CompiledGame
from yatzy.store import Report, TableKey, TableWriter, open_or_build, repair, tables_folder

Progress = Callable[[int, int], None]
"""Told how much is done and how much there is."""


class SolvedTable:
    """A table of a game for an objective, one layer after the other."""

    def __init__(
        self,
        compiled: CompiledGame,
        objective: str,
        build: Callable[[TableWriter], None],
        folder: str | Path | None,
        report: Report | None,
        layers: int | None = None,
    ) -> None:
        """Open or build; `layers` if they are not those of the states."""
        begun = time.perf_counter()
        game = compiled.game
        self._folder, self._report, self._mending = tables_folder(folder), report, Lock()
        self._key = TableKey(game.id, game.hash, objective, compiled.states.layers if layers is None else layers)
        self.cached = True
        """Whether the table was there before."""

        def note_and_build(writer: TableWriter) -> None:
            self.cached = False
            build(writer)

        self._build = note_and_build
        self._table = open_or_build(self._folder, self._key, self._build, report)
        self.seconds = time.perf_counter() - begun
        """How long it took to have it: to open it, or to make it."""

    @property
    def path(self) -> Path:
        """Where it lies."""
        return self._table.path

    @property
    def size(self) -> int:
        """Its size in bytes."""
        return self._table.size

    def read(self, layer: int, name: str, start: int, stop: int) -> npt.NDArray[Any]:
        """Part of an array, checked; a damaged table is rebuilt first."""
        table = self._table
        try:
            return table.read(layer, name, start, stop)
        except TableDamaged:
            with self._mending:
                if self._table is table:
                    table.close()
                    self._table = repair(self._folder, self._key, self._build, self._report)
            return self._table.read(layer, name, start, stop)


def missing_layers(writer: TableWriter) -> list[int]:
    """The layers still to be made, from the last to the first."""
    return sorted(writer.missing, reverse=True)


def block_of(block_start: npt.NDArray[np.int64], state: int) -> int:
    """The block of a state."""
    return int(np.searchsorted(block_start, state, side="right")) - 1
