"""Long work in processes of its own, which can be ended: over its time, out of memory, or when nobody waits for it.

A task is the name of a function of `web.tasks` (or another module), called as `task(desk, *arguments, progress)` in a
child process; the server itself does not import that module, which brings all kernels. Arguments and results travel as
pickles. The child is killed where the work must end, and another takes its place.
"""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import os
import pickle
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

from yatzy.errors import YatzyError
from yatzy.web import limits
from yatzy.web.refusals import Busy, TooMuch

Progress = Callable[[int, int], None]

LOOK = 0.05
"""Seconds between looks at whether the work shall go on, and between two words of progress."""
LEAVING = "the server is leaving; ask again when it is back"


class Left(Busy):
    """The one who asked has left."""


class Processes:
    """A few child processes; they are started when they are first needed, and kept."""

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
        """`memory` bounds the bytes that a child may take for itself; the tables that it reads do not count."""
        self._setup = (module, folder, threads, memory, niceness)
        self._most, self._asked, self._stopped = count + waiting, 0, False
        self._drivers = ThreadPoolExecutor(count, thread_name_prefix="processes")
        self._idle: list[_Child] = []
        self._children: set[_Child] = set()
        self._lock = threading.Lock()

    def warm(self) -> None:
        """Start a child in the background, so that the first who asks does not wait for it."""
        with contextlib.suppress(RuntimeError):  # stopped already
            self._drivers.submit(self._warm)

    async def run(
        self, task: str, *arguments: object, progress: Progress | None = None, seconds: float | None = None
    ) -> Any:
        """What a task gives; `Busy` when too much is waiting already. Whoever is cancelled ends the work."""
        if self._stopped or self._asked >= self._most:
            raise Busy(LEAVING if self._stopped else "too many long questions at the same time; ask again in a moment")
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
        """The same for a thread that waits, without a limit of time; the child is not kept."""
        return self._call(task, arguments, progress, None, threading.Event(), keep=False)

    def stop(self) -> None:
        """End all work at once, and take no more."""
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
        with contextlib.suppress(OSError, EOFError):
            child = self._take()
            child.wait_until_ready()
            self._put(child)

    def _take(self) -> _Child:
        with self._lock:
            if self._stopped:
                raise Busy(LEAVING)
            while self._idle:
                child = self._idle.pop()  # the last one used: what it has opened is likely to be wanted again
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
            raise Left("nobody waits for it any more")
        child, kept = self._take(), False
        try:
            child.wait_until_ready()
            child.connection.send((task, arguments))
            end = None if seconds is None else time.monotonic() + seconds
            while True:
                if left.is_set():
                    raise Left("nobody waits for it any more")
                if end is not None and time.monotonic() > end:
                    raise TooMuch(f"that takes longer than the {seconds:g} seconds a question may take here")
                if child.connection.poll(LOOK):
                    kind, value = child.connection.recv()
                    if kind == "progress":
                        if progress is not None:
                            progress(*value)
                        continue
                    good, found, held = value
                    kept = keep and held <= limits.KEPT_BYTES
                    if good:
                        return found
                    raise found
        except (EOFError, OSError):
            if self._stopped:
                raise Busy(LEAVING) from None
            raise TooMuch("the work ended early, probably for want of memory; ask for less") from None
        finally:
            if kept:
                self._put(child)
            else:
                self._drop(child)


def is_cancelled() -> bool:
    """Whether the present asyncio task is to be cancelled."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


class _Child:
    """One process, and the pipe to it."""

    def __init__(self, module: str, folder: Path, threads: int | None, memory: int | None, niceness: int) -> None:
        context: Any = multiprocessing.get_context("forkserver" if sys.platform != "win32" else "spawn")
        if sys.platform != "win32":
            context.set_forkserver_preload([module])  # imported once: each child is a copy of that
        self.connection: Connection
        self.connection, theirs = context.Pipe()
        self._process = context.Process(
            target=_serve, args=(theirs, module, folder, threads, memory, niceness), name="yatzy-work", daemon=True
        )
        with _no_interrupts():
            self._process.start()
        theirs.close()
        self._ready = False

    @property
    def alive(self) -> bool:
        """Whether it can be given work."""
        return bool(self._process.is_alive())

    def wait_until_ready(self) -> None:
        """Wait until it has imported what it needs."""
        if not self._ready:
            self.connection.recv()
            self._ready = True

    def kill(self) -> None:
        """End it, whatever it is doing."""
        with contextlib.suppress(ValueError, OSError):
            self._process.kill()


@contextlib.contextmanager
def _no_interrupts() -> Iterator[None]:
    """What is started meanwhile does not see Ctrl-C, which a terminal sends to everyone: it is the server's."""
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


# In the child


def _serve(
    connection: Connection, module: str, folder: Path, threads: int | None, memory: int | None, niceness: int
) -> None:
    """Do one task after the other, until the other end of the pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the server's; it ends this process
    threading.Thread(target=_end_with_parent, daemon=True).start()
    if sys.platform != "win32":
        if niceness:
            os.nice(niceness)
        if memory is not None:
            import resource

            resource.setrlimit(resource.RLIMIT_DATA, (memory, resource.getrlimit(resource.RLIMIT_DATA)[1]))
    tasks = import_module(module)
    desk = tasks.Desk(folder, threads)
    with contextlib.suppress(EOFError, OSError):  # the server has gone
        connection.send("ready")
        while True:
            task, arguments = connection.recv()
            good, found = _do(getattr(tasks, task), desk, arguments, _teller(connection))
            connection.send(("result", (good, found, _held())))
            del task, arguments, found


def _do(task: Callable[..., object], desk: object, arguments: tuple[object, ...], tell: Progress) -> tuple[bool, Any]:
    try:
        return True, task(desk, *arguments, tell)
    except MemoryError:
        return False, TooMuch("that takes more memory than a question may take here; ask for less")
    except Exception as error:
        if not isinstance(error, YatzyError):
            error.add_note(traceback.format_exc())  # for the server's log
        try:
            pickle.loads(pickle.dumps(error))
        except Exception:
            return False, RuntimeError(f"{type(error).__name__}: {error}")
        return False, error


def _teller(connection: Connection) -> Progress:
    last = 0.0

    def tell(done: int, total: int) -> None:
        nonlocal last
        if time.monotonic() - last > LOOK:
            last = time.monotonic()
            connection.send(("progress", (done, total)))

    return tell


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def _held() -> int:
    """The bytes of memory that this process has for itself."""
    with contextlib.suppress(OSError, StopIteration):
        lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
        return 1024 * int(next(line.split()[1] for line in lines if line.startswith("RssAnon:")))
    return 0
