"""Dask clusters as executors. Everything that could be wrong with one is found before it gets any work."""

from __future__ import annotations

import contextlib
import json
import logging
import secrets
import shutil
import signal
import socket
from collections.abc import Iterator, Mapping
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from functools import partial
from importlib import import_module
from multiprocessing import resource_tracker
from pathlib import Path
from typing import Any

from yatzy import __version__
from yatzy.errors import InputError, Message, missing_extra
from yatzy.reading import read_bounded
from yatzy.store import Report
from yatzy.store.files import write_atomic
from yatzy.workers.cores import core_count
from yatzy.workers.dask_tasks import LOST, RUNNING, DaskTasks
from yatzy.workers.running import gone

CONNECT = 10.0
"""Seconds to wait for a scheduler."""
ANSWER = 30.0
"""Seconds to wait for its first worker, and then for every worker to look at the folder."""
MOST_FILE = 2**20
LOGGERS = ("distributed", "distributed.client", "tornado.application", "asyncio", "concurrent.futures")
"""Those that Dask gives a level of their own, and those of what it uses."""
START = Message("docs/scale.md says how to start one")


@contextmanager
def open_cluster(address: str | None, folder: Path | None, report: Report | None = None) -> Iterator[Executor]:
    """The executor of a cluster. Without an address, one is started on this machine and stopped at the end.

    report: called with a sentence, in another thread, while there are tasks but no workers.
    """
    on = "--on dask" if address is None else f"--on dask:{address}"
    try:
        distributed = import_module("distributed")
    except ImportError:
        raise missing_extra(Message("{on} needs Dask", on=on), "cluster") from None
    with ExitStack() as stack:
        stack.enter_context(_quiet())
        if address is None:
            # Dask stops a worker that uses more memory than its limit, and counts mapped files: so there is no limit.
            with _interrupts_blocked():
                cluster = distributed.LocalCluster(
                    n_workers=core_count(),
                    threads_per_worker=1,
                    memory_limit=0,
                    scheduler_kwargs={"dashboard": False},
                    dashboard_address="127.0.0.1:0",  # any port; None would be 8787, with a warning if it is taken
                    silence_logs=logging.CRITICAL,
                )
                stack.enter_context(cluster)
            client = distributed.Client(cluster, set_as_default=False)
        else:
            client = _connect(distributed, address, on)
        stack.enter_context(client)
        _check_workers(client, folder, on)
        nobody = Message("{on}: the scheduler has no workers now; waiting for one", on=on)
        waits = None if report is None else partial(report, nobody)
        yield stack.enter_context(DaskTasks(client, waits))


@contextmanager
def _quiet() -> Iterator[None]:
    """Without Dask's own messages: it prints many lines for a lost worker, whose work is simply done by another.

    When the scheduler is lost, the libraries below it print a traceback each.
    """
    loggers = [logging.getLogger(name) for name in LOGGERS]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)


@contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """Threads and processes that begin in here do not receive Ctrl-C, nor does what they begin later.

    A terminal sends Ctrl-C to the workers on this machine too, and each of them would print a traceback. This process
    receives it afterwards, and stops them.
    """
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    resource_tracker.ensure_running()  # starting it later would unblock signals
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _connect(distributed: Any, address: str, on: str) -> Any:
    try:
        if address.endswith(".json"):
            address = str(
                json.loads(read_bounded(Path(address), MOST_FILE, Message("the file of a scheduler")))["address"]
            )
        elif "://" not in address:
            address = f"tcp://{address}"
        _check_address(address)
    except (ValueError, TypeError, LookupError) as error:
        raise InputError(
            "{on}: is not the address of a scheduler, such as tcp://HOST:8786: {error}", on=on, error=error
        ) from None
    try:
        return distributed.Client(address, timeout=CONNECT, set_as_default=False)
    except OSError:  # refused, unknown host, or a timeout
        raise InputError(
            "{on}: no scheduler answers there within {seconds:.0f} seconds; {start}",
            on=on,
            seconds=CONNECT,
            start=START,
        ) from None


def _check_address(address: str) -> None:
    """Raise ValueError for what cannot be an address. A client that is given one hangs when the program ends."""
    addressing, registry = import_module("distributed.comm.addressing"), import_module("distributed.comm.registry")
    registry.get_backend(addressing.parse_address(address)[0])
    addressing.get_address_host_port(address, strict=True)


def _check_workers(client: Any, folder: Path | None, on: str) -> None:
    """Refuse a cluster without workers, workers of another version, and workers that do not share the folder."""
    try:
        client.wait_for_workers(1, timeout=ANSWER)
    except TimeoutError:
        raise InputError("{on}: the scheduler has no workers; {start}", on=on, start=START) from None
    except OSError:  # of a connection
        raise gone(LOST) from None
    if folder is None:
        _refuse_others(_ask_all(client, None, on), on)
        return
    marks, token = folder.absolute() / f".yatzy-shared-{secrets.token_hex(8)}", secrets.token_hex(8)
    write_atomic(marks / MARK, token)
    try:
        answers = _ask_all(client, str(marks), on)
        _refuse_others(answers, on)
        for worker, answer in answers.items():
            who = Message("worker {worker} on {host}", worker=worker, host=answer["host"])
            if answer["read"] != token:
                raise InputError(
                    "{on}: {who} does not see the folder {folder}; all workers must share it",
                    on=on,
                    who=who,
                    folder=folder,
                )
            if answer["wrote"] is None or not (marks / answer["wrote"]).exists():
                raise InputError(
                    "{on}: {who} cannot write to the folder {folder}; all workers must share it",
                    on=on,
                    who=who,
                    folder=folder,
                )
    finally:
        shutil.rmtree(marks, ignore_errors=True)


MARK = "client"


def look_at(marks: str | None) -> dict[str, str | None]:
    """Run by each worker: its version and host, what it reads in a folder, and the name of a file it wrote there."""
    answer: dict[str, str | None] = {"version": __version__, "host": socket.gethostname(), "read": None, "wrote": None}
    if marks is not None:
        name = f"worker-{secrets.token_hex(8)}"
        with contextlib.suppress(OSError, ValueError):
            answer["read"] = (Path(marks) / MARK).read_text(encoding="ascii")
            (Path(marks) / name).touch()
            answer["wrote"] = name
    return answer


def _ask_all(client: Any, marks: str | None, on: str) -> Mapping[str, Any]:
    """What every worker answers; refused if one does not answer in time."""
    asking = ThreadPoolExecutor(1)
    try:
        answers: Mapping[str, Any] = asking.submit(client.run, look_at, marks, on_error="return").result(ANSWER)
        return answers
    except TimeoutError:
        raise InputError("{on}: not all workers answer within {seconds:.0f} seconds", on=on, seconds=ANSWER) from None
    except Exception as error:  # a worker without this package cannot even read the question
        if client.status != RUNNING:
            raise gone(LOST) from None
        raise InputError(
            "{on}: the workers cannot run yatzy {version}: {error}", on=on, version=__version__, error=error
        ) from None
    finally:
        asking.shutdown(wait=False)


def _refuse_others(answers: Mapping[str, Any], on: str) -> None:
    for worker, answer in answers.items():
        if isinstance(answer, BaseException):
            raise InputError(
                "{on}: worker {worker} cannot run yatzy {version}: {error}",
                on=on,
                worker=worker,
                version=__version__,
                error=answer,
            )
        if answer["version"] != __version__:
            raise InputError(
                "{on}: worker {worker} has yatzy {version}, but this is {ours}",
                on=on,
                worker=worker,
                version=answer["version"],
                ours=__version__,
            )
