"""Child processes for long work, which can be killed: on timeout, out of memory, or when no caller is left.

A task is the name of a function in `web.tasks` (or another module), called as `task(tools, *arguments, progress)` in
a child process. The server does not import that module, because it loads all kernels. Arguments and results are
pickled. The games in them are sent only once to each child, because a game takes longer to pickle than most answers
take to find. To stop a task, its child is killed and replaced.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
import pickle
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import IO, Any, BinaryIO

from yatzy.errors import Message, YatzyError
from yatzy.games import Game
from yatzy.web import limits
from yatzy.web.refusals import Busy, TooMuch

Progress = Callable[[int, int], None]

LOOK = 0.05
"""Polling interval in seconds, and the minimum time between two progress messages."""
LEAVING = Message("the server is stopping; try again when it is back")
TOO_MANY = Message("too many long requests at the same time; try again in a moment")


class _Left(Exception):  # noqa: N818  (what happened)
    """Raised in the driver thread when the caller was cancelled. The caller never sees it."""


class Processes:
    """A small pool of child processes, started on demand and reused."""

    def __init__(
        self,
        folder: Path,
        threads: int | None = None,
        *,
        count: int = limits.WORKERS,
        waiting: int = limits.WAITING,
        memory: int | None = limits.WORKER_BYTES,
        niceness: int = 0,
        module: str = "yatzy.web.tasks",
    ) -> None:
        """`memory` limits the bytes that a child may allocate. The tables it reads do not count."""
        self._setup = (module, folder, threads, memory, niceness)
        self._most, self._asked, self._stopped = count + waiting, 0, False
        self._drivers = ThreadPoolExecutor(count, thread_name_prefix="processes")
        self._idle: list[_Child] = []
        self._children: set[_Child] = set()
        self._lock = threading.Lock()

    def warm(self) -> None:
        """Start a child in the background, so that the first task does not wait for one to start."""
        with contextlib.suppress(RuntimeError):  # stopped already
            self._drivers.submit(self._warm)

    async def run(
        self, task: str, *arguments: object, progress: Progress | None = None, seconds: float | None = None
    ) -> Any:
        """Run a task and return its result. Raises `Busy` if the queue is full. Cancelling the call stops the task."""
        if self._stopped or self._asked >= self._most:
            raise Busy(LEAVING if self._stopped else TOO_MANY)
        self._asked += 1
        left, loop = threading.Event(), asyncio.get_running_loop()
        limit = limits.SECONDS if seconds is None else seconds
        future = self._drivers.submit(self._call, task, arguments, progress, limit, left)
        future.add_done_callback(lambda _: self._done(loop))
        try:
            return await asyncio.wrap_future(future)
        except asyncio.CancelledError:
            left.set()
            if self._stopped and not is_cancelled():
                raise Busy(LEAVING) from None
            raise

    def call(self, task: str, *arguments: object, progress: Progress | None = None) -> Any:
        """Run a task from a thread and wait for it, without a timeout. The child is not reused."""
        return self._call(task, arguments, progress, None, threading.Event(), keep=False)

    def stop(self) -> None:
        """Kill all children and accept no more tasks."""
        with self._lock:
            self._stopped = True
            children = list(self._children)
        for child in children:
            child.kill()
        self._drivers.shutdown(wait=False, cancel_futures=True)

    def _done(self, loop: asyncio.AbstractEventLoop) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed
            loop.call_soon_threadsafe(self._leave)

    def _leave(self) -> None:
        self._asked -= 1

    def _warm(self) -> None:
        with contextlib.suppress(OSError, EOFError, Busy):
            child = self._take()
            child.wait_until_ready()
            self._put(child)

    def _take(self) -> _Child:
        with self._lock:
            if self._stopped:
                raise Busy(LEAVING)
            while self._idle:
                child = self._idle.pop()  # the last one used: it probably has the right tables open
                if child.alive:
                    return child
                self._children.discard(child)
        made = _Child(*self._setup)
        with self._lock:
            self._children.add(made)
            stopped = self._stopped
        if stopped:
            self._drop(made)
            raise Busy(LEAVING)
        return made

    def _put(self, child: _Child) -> None:
        with self._lock:
            self._idle.append(child)

    def _drop(self, child: _Child) -> None:
        child.kill()
        with self._lock:
            self._children.discard(child)

    def _call(
        self,
        task: str,
        arguments: tuple[object, ...],
        progress: Progress | None,
        seconds: float | None,
        left: threading.Event,
        keep: bool = True,
    ) -> Any:
        if left.is_set():
            raise _Left
        child, kept = self._take(), False
        try:
            child.wait_until_ready()
            child.send((task, arguments))
            end = None if seconds is None else time.monotonic() + seconds
            while True:
                if left.is_set():
                    raise _Left
                if end is not None and time.monotonic() > end:
                    raise TooMuch("that takes longer than the {seconds:g} seconds allowed here", seconds=seconds)
                try:
                    message = child.said.get(timeout=LOOK)
                except Empty:
                    continue
                if message is None:
                    raise EOFError
                kind, value = message
                if kind == "progress":
                    if progress is not None:
                        progress(*value)
                    continue
                good, found, held = value
                kept = keep and held <= limits.KEPT_BYTES
                if good:
                    return found
                raise found
        except (EOFError, BrokenPipeError):
            if self._stopped:
                raise Busy(LEAVING) from None
            raise TooMuch("the work ended early, probably because memory ran out; ask for less") from None
        finally:
            if kept:
                self._put(child)
            else:
                self._drop(child)


def is_cancelled() -> bool:
    """Whether cancellation of the current asyncio task was requested."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


class _Pickler(pickle.Pickler):
    """Replaces a game that both sides know by its number."""

    def __init__(self, target: IO[Any], games: list[Game], *, teaches: bool = False) -> None:
        """`teaches`: whether to number a game that is not known yet, and to send it with its number."""
        super().__init__(target)
        self._games, self._teaches = games, teaches

    def persistent_id(self, value: object) -> tuple[int, bytes | None] | None:
        """The number of a game, with the game itself the first time; None for anything else."""
        if not isinstance(value, Game):
            return None
        for number, game in enumerate(self._games):
            if game is value or game == value:
                return number, None
        if not self._teaches or len(self._games) >= limits.OPENED:
            return None
        self._games.append(value)
        return len(self._games) - 1, pickle.dumps(value)


class _Unpickler(pickle.Unpickler):
    """The inverse of `_Pickler`."""

    def __init__(self, source: IO[Any], games: list[Game]) -> None:
        super().__init__(source)
        self._games = games

    def persistent_load(self, identity: tuple[int, bytes | None]) -> Game:
        """The game with this number."""
        number, data = identity
        if data is not None:
            self._games.append(pickle.loads(data))
        return self._games[number]


class _Child:
    """One child process. Messages are pickles sent over its standard input and output."""

    def __init__(self, module: str, folder: Path, threads: int | None, memory: int | None, niceness: int) -> None:
        # Not multiprocessing, which would run the main module of this program again. The child has its own process
        # group, because Ctrl-C goes to the whole group of the server: the server ends its children itself.
        own_group: dict[str, Any] = {"creationflags": 0x200} if sys.platform == "win32" else {"process_group": 0}
        self._process = subprocess.Popen(
            [sys.executable, "-c", _BOOT, *sys.path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, **own_group
        )
        self.said: SimpleQueue[Any] = SimpleQueue()
        """Messages from the child; None when it has ended."""
        self._games = list[Game]()
        """The games that the child knows."""
        threading.Thread(target=self._listen, daemon=True).start()
        self._ready = False
        self.send((module, folder, threads, memory, niceness))

    @property
    def alive(self) -> bool:
        """Whether the process is running."""
        return self._process.poll() is None

    def send(self, message: object) -> None:
        """Send a message to the child."""
        assert self._process.stdin is not None
        _Pickler(self._process.stdin, self._games, teaches=True).dump(message)
        self._process.stdin.flush()

    def wait_until_ready(self) -> None:
        """Wait until the child has finished its imports."""
        if not self._ready:
            if self.said.get() is None:
                raise EOFError
            self._ready = True

    def kill(self) -> None:
        """Kill the child, even in the middle of a task."""
        with contextlib.suppress(OSError):
            self._process.kill()

    def _listen(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as stream, contextlib.suppress(EOFError, OSError, pickle.UnpicklingError):
            while True:
                self.said.put(_Unpickler(stream, self._games).load())
        self.said.put(None)
        self._process.wait()
        with contextlib.suppress(OSError):
            self._process.stdin.close()  # type: ignore[union-attr]


# In the child

_BOOT = "import sys; sys.path[:] = sys.argv[1:]; from yatzy.web.processes import serve_tasks; serve_tasks()"


def serve_tasks() -> None:
    """Run tasks until the server closes the pipe."""
    source, target = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    try:
        os.dup2(2, 1)  # send stray prints to stderr, not into the messages
    except OSError:  # there is no stderr
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    try:
        games = list[Game]()
        module, folder, threads, memory, niceness = _Unpickler(source, games).load()
    except EOFError:  # the server has ended
        return
    if sys.platform != "win32":
        import resource  # not on Windows

        os.nice(niceness)
        if memory is not None:
            resource.setrlimit(resource.RLIMIT_DATA, (memory, resource.getrlimit(resource.RLIMIT_DATA)[1]))
    orders: SimpleQueue[tuple[str, tuple[object, ...]]] = SimpleQueue()
    threading.Thread(target=_take_orders, args=(source, orders, games), daemon=True).start()
    tasks = import_module(module)
    tools = tasks.TaskTools(folder, threads)

    def say(message: object) -> None:
        try:
            _Pickler(target, games).dump(message)
            target.flush()
        except OSError:  # the server has ended
            os._exit(1)

    gc.freeze()  # exclude what is loaded now from the collections that run during a task
    say("ready")
    while True:
        task, arguments = orders.get()
        good, found = _do(getattr(tasks, task), tools, arguments, _teller(say))
        say(("result", (good, found, _held())))
        del task, arguments, found


def _take_orders(source: BinaryIO, orders: SimpleQueue[tuple[str, tuple[object, ...]]], games: list[Game]) -> None:
    """Queue tasks from the server. Exit as soon as the server ends, even in the middle of a task."""
    with contextlib.suppress(EOFError, OSError, pickle.UnpicklingError):
        while True:
            orders.put(_Unpickler(source, games).load())
    os._exit(0)


def _do(task: Callable[..., object], tools: object, arguments: tuple[object, ...], tell: Progress) -> tuple[bool, Any]:
    try:
        return True, task(tools, *arguments, tell)
    except MemoryError:
        return False, TooMuch("that takes more memory than is allowed here; ask for less")
    except Exception as error:
        if not isinstance(error, YatzyError):
            error.add_note(traceback.format_exc())  # for the server's log
        try:
            pickle.loads(pickle.dumps(error))
        except Exception:
            return False, RuntimeError(f"{type(error).__name__}: {error}")
        return False, error


def _teller(say: Callable[[object], None]) -> Progress:
    last = 0.0

    def tell(done: int, total: int) -> None:
        nonlocal last
        if time.monotonic() - last > LOOK:
            last = time.monotonic()
            say(("progress", (done, total)))

    return tell


def _held() -> int:
    """The private memory of this process in bytes (0 where /proc is missing)."""
    with contextlib.suppress(OSError, StopIteration):
        lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
        return 1024 * int(next(line.split()[1] for line in lines if line.startswith("RssAnon:")))
    return 0
