"""The tables used by the server: which are ready, being made (with their progress), or queued.

Requests never wait for a table. A table on disk is opened; a missing one is queued and made in the background, and the
request is refused with its progress. Two threads make tables. One makes the quick ones (expected scores), which take
a second or two. The other makes the slow ones (expected scores of very large games, outlooks, distributions, then
endgames), and starts none while a quick one is pending. Slow tables are made in a child process, which can be killed at
any time; finished layers are kept.
"""

from __future__ import annotations

import contextlib
import logging
import os
import sys
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from yatzy.coach.sampled_outlook import open_outlooks
from yatzy.errors import YatzyError
from yatzy.games import PRESETS, Game, is_preset, load_preset
from yatzy.model import compile_game
from yatzy.names import Objective, Origin, base, parse_objective
from yatzy.report.answers.base import Answer
from yatzy.solver import Solver, Wanted, build_command
from yatzy.store import remove_tables, tables_folder
from yatzy.values.curve_layers import estimated_bytes
from yatzy.values.resources import Progress
from yatzy.web import limits
from yatzy.web.processes import Processes
from yatzy.web.refusals import Busy, NotReady, TooMuch
from yatzy.web.stored import StoredGame, folder_bytes

if TYPE_CHECKING:
    from yatzy.evaluation.outlook import OutlookSource
    from yatzy.matches.endgames import Endgames
    from yatzy.values.curves import BestChances
    from yatzy.values.evaluator import Solution
    from yatzy.values.expected import ExpectedScore

log = logging.getLogger("yatzy.web")

EXPECTED, OUTLOOK, DISTRIBUTIONS, ENDGAMES = base.EXPECTED, "outlook", base.CURVES, base.ENDGAMES
TABLES = (EXPECTED, OUTLOOK, DISTRIBUTIONS, ENDGAMES)
"""The tables of every game, in the order in which they are made. `exp:THETA` objectives have their own tables."""


class State(Enum):
    """The state of a table."""

    READY = "ready"
    MAKING = "making"
    WAITING = "waiting"
    MISSING = "missing"
    """Not on disk and not requested."""
    FAILED = "failed"


class TableState(Answer):
    """The state of a table."""

    game: str
    hash: str
    table: str
    """`expected`, `outlook`, `distributions`, `endgames` or `exp:THETA`."""
    state: State
    done: float
    """The share that has been built."""
    note: str
    """The reason if it failed."""


@dataclass(frozen=True, slots=True)
class TableStatus:
    """The status of one table."""

    game: Game
    table: str
    state: State
    done: float
    """The fraction completed."""
    note: str = ""
    """The error message, if it failed."""

    @property
    def answer(self) -> TableState:
        """The status as the API gives it."""
        return TableState(
            game=self.game.id,
            hash=self.game.hash,
            table=self.table,
            state=self.state,
            done=self.done,
            note=self.note,
        )

    def __str__(self) -> str:
        share = f" ({100 * self.done:.0f} %)" if self.state is State.MAKING else ""
        return f"{self.table} of {self.game.id} {_WORDS[self.state]}{share}{self.note and ': ' + self.note}"


_WORDS = {
    State.READY: "is ready",
    State.MAKING: "is being built",
    State.WAITING: "is waiting to be built",
    State.MISSING: "does not exist",
    State.FAILED: "could not be built",
}

_Key = tuple[Game, str]

MEASURED_SECONDS = 5.0
"""How long a measured size of the folder counts as current."""
STOPPING = 0.5
"""Seconds to wait for the threads on shutdown. A running kernel cannot be interrupted."""


class _Stopped(Exception):  # noqa: N818
    """Raised to stop making a table on shutdown. Finished layers are kept."""


class TableBuilder:
    """A cache of open tables, and the threads that make missing ones."""

    def __init__(self, folder: Path | None = None, threads: int | None = None) -> None:
        self.folder, self.threads = tables_folder(folder), threads
        self.solver: Solver = ReadySolver(self.folder, threads, tables=self)
        """Opens tables that are ready and refuses the others."""
        self._opened: dict[_Key, Any] = {}
        self._waiting: list[_Key] = []
        self._making: dict[_Key, float] = {}
        self._failed: dict[_Key, str] = {}
        self._extra: set[_Key] = set()
        self._change, self._stopping = threading.Condition(), False
        self._makers: list[threading.Thread] = []
        self._process = Processes(self.folder, threads, count=1, memory=None, niceness=10)
        self._used: OrderedDict[Game, None] = OrderedDict()
        self._measured: tuple[float, int] | None = None
        """When the size of the folder was last measured, and the size in bytes."""
        self.on_close: Callable[[Game], None] = lambda _: None
        """Called with a game when its tables are closed."""

    def start(self) -> None:
        """Start the threads that make tables."""
        for quick in (True, False):
            name = f"tables-{'quick' if quick else 'slow'}"
            maker = threading.Thread(target=self._work, args=(quick,), name=name, daemon=True)
            self._makers.append(maker)
            maker.start()

    def stop(self) -> None:
        """Stop. Finished layers are kept, and the next run continues from them."""
        with self._change:
            self._stopping = True
            self._change.notify_all()
        self._process.stop()
        for maker in self._makers:
            maker.join(timeout=STOPPING)

    # Ready tables

    def expected(self, game: Game) -> ExpectedScore:
        """The game solved for the expected score."""
        found: ExpectedScore = self._get(game, EXPECTED)
        return found

    def chances(self, game: Game) -> BestChances:
        """The best chance of every score, from every state."""
        found: BestChances = self._get(game, DISTRIBUTIONS)
        return found

    def endgames(self, game: Game) -> Endgames | None:
        """The exact two-player endgames, or None if the game is too large for them."""
        found: Endgames | None = self._get(game, ENDGAMES)
        return found

    def outlooks(self, game: Game) -> OutlookSource:
        """The outlook of every position, when maximising the expected score."""
        found: OutlookSource = self._get(game, OUTLOOK)
        return found

    def solution(self, game: Game, objective: Objective) -> Solution:
        """The solution for an objective that has its own table."""
        found: Solution = self._get(game, objective.own_table)
        return found

    def opened(self, game: Game, tables: Iterable[str]) -> bool:
        """Whether all of these tables are open."""
        with contextlib.suppress(KeyError):
            self._used.move_to_end(game)
        return all((game, table) in self._opened for table in tables)

    def if_open(self, game: Game, table: str) -> Any:
        """A table that is open, or None."""
        return self._opened.get((game, table))

    def need(self, game: Game, tables: Sequence[str]) -> None:
        """Open the tables on disk and queue the others. Raises `NotReady` with their progress if any is missing."""
        missing = [table for table in tables if not self._open_if_there(game, table)]
        if missing:
            failed = [one for one in (self.status_of(game, table) for table in missing) if one.state is State.FAILED]
            self.wish(game, missing)
            if failed:  # report the failure once; the table is queued again
                raise NotReady("{table}; it is being tried again", failed, table=failed[0])
            stand = [self.status_of(game, table) for table in missing]
            raise NotReady("{table}; try again in a moment", stand, table=stand[0])

    def wish(self, game: Game, tables: Sequence[str]) -> None:
        """Queue tables, expected scores first."""
        for table in tables:
            self._refuse_if_too_large(game, table)
        with self._change:
            for key in ((game, table) for table in tables):
                if key in self._opened or key in self._waiting or key in self._making:
                    continue
                if not is_preset(game) or key[1] not in TABLES:
                    self._extra.add(key)
                    if len(self._extra) > limits.EXTRA_TABLES:
                        self._extra.discard(key)
                        raise Busy(
                            "this server has built {count} tables for games and objectives of people's own,"
                            " which is all it makes in one run",
                            count=limits.EXTRA_TABLES,
                        )
                self._failed.pop(key, None)
                self._waiting.append(key)
            self._change.notify_all()

    # Status

    def status_of(self, game: Game, table: str) -> TableStatus:
        """The status of one table."""
        key = (game, table)
        with self._change:
            if key in self._opened:
                return TableStatus(game, table, State.READY, 1.0)
            if key in self._making:
                return TableStatus(game, table, State.MAKING, self._making[key])
            if key in self._waiting:
                return TableStatus(game, table, State.WAITING, 0.0)
            if key in self._failed:
                return TableStatus(game, table, State.FAILED, 0.0, self._failed[key])
        there = self._on_disk(game, table)
        return TableStatus(game, table, State.READY if there else State.MISSING, float(there))

    def status(self) -> list[TableStatus]:
        """The status of the tables of all presets and of any other requested table."""
        with self._change:
            known = dict.fromkeys([*self._opened, *self._making, *self._waiting, *self._failed])
        every = [(load_preset(id), table) for id in PRESETS for table in TABLES]
        return [self.status_of(game, table) for game, table in dict.fromkeys([*every, *known])]

    def busy(self) -> list[TableStatus]:
        """The tables that are being made, queued or failed."""
        with self._change:
            keys = dict.fromkeys([*self._making, *self._waiting, *self._failed])
        return [self.status_of(game, table) for game, table in keys]

    # On disk

    def bytes_on_disk(self) -> int:
        """The size of all tables on disk, at most a few seconds old."""
        now = time.monotonic()
        if self._measured is None or now - self._measured[0] > MEASURED_SECONDS:
            self._measured = (now, folder_bytes(self.folder))
        return self._measured[1]

    def remove(self, stored: StoredGame) -> None:
        """Close and remove the tables of a game, finished or not."""
        with self._change:
            games = {game for game, _ in [*self._opened, *self._making, *self._waiting] if game.hash == stored.rules}
            if any(key[0] in games for key in [*self._making, *self._waiting]):
                raise Busy("a table of {game} is being built; try again when it is ready", game=stored.game)
            self._opened = {key: value for key, value in self._opened.items() if key[0] not in games}
        for game in games:
            self.on_close(game)
        remove_tables(self.folder, stored.names)
        self._measured = None

    # Opening and making

    def _get(self, game: Game, table: str) -> Any:
        if (game, table) not in (opened := self._opened):
            self.need(game, [table])
            if (game, table) not in (opened := self._opened):  # closed again, because other games were requested
                raise Busy("many games are requested at the same time; try {game} again in a moment", game=game.id)
        return opened[game, table]

    def _open_if_there(self, game: Game, table: str) -> bool:
        key = (game, table)
        if key not in self._opened and key not in self._making and self._on_disk(game, table):
            self._keep(key, make_table(OpeningSolver(self.folder, self.threads, tables=self), game, table))
        return key in self._opened

    def _keep(self, key: _Key, found: Any) -> None:
        """Keep a table open. Over the limit, close the tables of the least recently used custom game."""
        game, closed = key[0], []
        with self._change:
            self._opened[key] = found
            if not is_preset(game):
                self._used[game] = None
                self._used.move_to_end(game)
            while len(self._used) > limits.OPEN_GAMES:
                last, _ = self._used.popitem(last=False)
                closed.append(last)
                self._opened = {key: value for key, value in self._opened.items() if key[0] != last}
        for game in closed:
            self.on_close(game)

    def _on_disk(self, game: Game, table: str) -> bool:
        return self.solver.on_disk(game, table)

    def _refuse_if_too_large(self, game: Game, table: str) -> None:
        states = len(compile_game(game).states)
        if table == OUTLOOK and self._on_disk(game, EXPECTED):
            return  # if the table would be too large, a sample of games replaces it
        if states > (limits.PRESET_STATES if is_preset(game) else limits.QUICK_STATES):
            command = build_command(game, table)
            raise TooMuch(
                "{game} has {states:,} states, too many to solve in the background; run '{command}' first",
                game=game.id,
                states=states,
                command=command,
            )
        if table == DISTRIBUTIONS and (size := estimated_bytes(game)) > limits.TABLE_BYTES:
            raise TooMuch(
                "the distributions of {game} would take about {size:.1f} GiB, too much to be built",
                game=game.id,
                size=size / 2**30,
            )

    def _work(self, quick: bool) -> None:
        if quick and sys.platform == "linux":
            # Thread pools started below inherit this priority: requests come first. Slow tables use another process.
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 5)
        while (key := self._next(quick)) is not None:
            problem, found = "", None
            try:
                if not quick and not self._on_disk(*key):
                    self._process.call("build", *key, progress=self._watch(key)())
                found = make_table(OpeningSolver(self.folder, self.threads, self._watch(key), tables=self), *key)
            except (_Stopped, Busy):
                return
            except (YatzyError, OSError, MemoryError) as error:
                problem = str(error) or type(error).__name__
            except Exception:
                log.exception("%s of %s could not be built", key[1], key[0].id)
                problem = "something went wrong; see the server's log"
            if not problem:
                self._keep(key, found)
            with self._change:
                if problem:
                    self._failed[key] = problem
                del self._making[key]
                self._change.notify_all()

    def _next(self, quick: bool) -> _Key | None:
        """Wait for the next table to make. None on shutdown."""
        with self._change:
            while not self._stopping:
                mine = [key for key in self._waiting if _is_quick(key) == quick]
                others = quick or not any(map(_is_quick, [*self._waiting, *self._making]))
                if mine and others:
                    key = min(mine, key=_rank)
                    self._waiting.remove(key)
                    self._making[key] = 0.0
                    return key
                self._change.wait()
            return None

    def _watch(self, key: _Key) -> Callable[..., Progress]:
        def advance(done: int, total: int) -> None:
            if self._stopping:
                raise _Stopped
            self._making[key] = done / total if total else 0.0

        return lambda *_: advance


def _is_quick(key: _Key) -> bool:
    game, table = key
    return table not in (OUTLOOK, DISTRIBUTIONS, ENDGAMES) and len(compile_game(game).states) <= limits.QUICK_STATES


def _rank(key: _Key) -> int:
    return TABLES.index(key[1]) if key[1] in TABLES else 0


def make_table(solver: Solver, game: Game, table: str) -> Any:
    """Open a table, making it first if it is missing."""
    if table == EXPECTED:
        return solver.expected(game)
    if table == OUTLOOK:
        return open_outlooks(solver, game)
    if table == DISTRIBUTIONS:
        return solver.chances(game)
    if table == ENDGAMES:
        return solver.endgames(game)
    return solver.build(game, table)


@dataclass(frozen=True)
class OpeningSolver(Solver):
    """The solver with which the builder opens and makes a table. What the table needs is not opened a second time."""

    tables: TableBuilder | None = None

    def expected(self, game: Game) -> ExpectedScore:
        """The game solved for the expected score."""
        assert self.tables is not None
        return self.tables.if_open(game, EXPECTED) or super().expected(game)

    def chances(self, game: Game) -> BestChances:
        """The best chance of every score, from every state."""
        assert self.tables is not None
        return self.tables.if_open(game, DISTRIBUTIONS) or super().chances(game)


@dataclass(frozen=True)
class ReadySolver(Solver):
    """A solver that opens tables that the builder has ready and raises `NotReady` for missing ones."""

    tables: TableBuilder | None = None

    def expected(self, game: Game) -> ExpectedScore:
        """The game solved for the expected score."""
        assert self.tables is not None
        return self.tables.expected(game)

    def chances(self, game: Game) -> BestChances:
        """The best chance of every score, from every state."""
        assert self.tables is not None
        return self.tables.chances(game)

    def endgames(self, game: Game) -> Endgames | None:
        """The exact two-player endgames, or None if the game is too large for them."""
        assert self.tables is not None
        return self.tables.endgames(game)

    def build(self, game: Game, objective: Wanted, origin: Origin = Origin.DATA) -> Solution:
        """The solution for an objective. Ignores `origin`: everything the server opens is untrusted data."""
        assert self.tables is not None
        if isinstance(objective, str):
            objective = parse_objective(objective)
        if isinstance(objective, Objective) and objective.own_table:
            return self.tables.solution(game, objective)
        return super().build(game, objective, Origin.DATA)


def tables_for(objective: str) -> tuple[str, ...]:
    """The tables that an objective reads."""
    return parse_objective(objective).tables
