"""Places where work can run, by the text of `--on`; each opens an executor of `concurrent.futures`.

    local, local:N    threads of this process
    dask              Dask workers on this machine, one process for each core
    dask:ADDRESS      the workers of a Dask scheduler; ADDRESS is HOST:PORT, a URL or the scheduler's JSON file
    gpu               the GPU of this machine

Local work runs in threads, not in processes: the kernels release the GIL, threads share the compiled code and the
memory-mapped layers, and there is nothing to start and nothing to send.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from yatzy.errors import InputError
from yatzy.workers.cores import core_count

if TYPE_CHECKING:
    from yatzy.store import Report

CPU, GPU = "cpu", "gpu"
"""The kinds of processors that compute. The CPU is the threads of this process, or those of workers."""
FORMS = ("local", "local:N", "dask", "dask:ADDRESS", GPU)
"""The GPU is the last."""
MOST_WORKERS = 256


@dataclass(frozen=True, slots=True)
class Place(ABC):
    """Where work runs. `str` gives the text that people type."""

    @abstractmethod
    def open(self, folder: Path | None = None, report: Report | None = None) -> AbstractContextManager[Executor]:
        """An executor, after checking that it can be used.

        folder: where the workers read and write files; refused if a worker does not see the same folder.
        report: called with a sentence, in another thread, while there are tasks but no workers.
        """

    @property
    def threads(self) -> int | None:
        """The number of threads of this process; None if the work runs elsewhere."""
        return None

    @property
    def backend(self) -> str:
        """The kind of processor that computes: one of CPU and GPU."""
        return CPU


@dataclass(frozen=True, slots=True)
class Local(Place):
    """Threads of this process; as many as cores by default."""

    workers: int | None = None

    def __str__(self) -> str:
        return "local" if self.workers is None else f"local:{self.workers}"

    @property
    def threads(self) -> int:
        """The number of threads."""
        return self.workers or core_count()

    def open(self, folder: Path | None = None, report: Report | None = None) -> AbstractContextManager[Executor]:
        """A pool of threads."""
        return ThreadPoolExecutor(self.threads)


@dataclass(frozen=True, slots=True)
class Dask(Place):
    """The workers of a Dask scheduler; without an address, of a cluster on this machine."""

    address: str | None = None

    def __str__(self) -> str:
        return "dask" if self.address is None else f"dask:{self.address}"

    def open(self, folder: Path | None = None, report: Report | None = None) -> AbstractContextManager[Executor]:
        """The executor of a Dask client; a cluster on this machine is started, and stopped at the end."""
        from yatzy.workers.cluster import open_cluster  # imports Dask

        return open_cluster(self.address, folder, report)


@dataclass(frozen=True, slots=True)
class Gpu(Place):
    """The GPU of this machine."""

    def __str__(self) -> str:
        return GPU

    @property
    def backend(self) -> str:
        """The GPU."""
        return GPU

    @contextmanager
    def open(self, folder: Path | None = None, report: Report | None = None) -> Iterator[Executor]:
        """One thread, which gives work to the device."""
        self.check()
        with ThreadPoolExecutor(1) as executor:
            yield executor

    def check(self) -> None:
        """Refuse, in one line, if there is no GPU that can be used."""
        from yatzy.gpu.device import open_device  # imports more than the command line needs

        try:
            open_device()
        except InputError as error:
            raise InputError("--on gpu: {error}", error=error) from None


def parse_place(text: str) -> Place:
    """Read the text of `--on`. Nothing is opened."""
    name, colon, rest = text.partition(":")
    if name == "local" and not colon:
        return Local()
    if name == "local" and rest.isascii() and rest.isdigit() and len(rest) < 4 and 1 <= int(rest) <= MOST_WORKERS:
        return Local(int(rest))
    if name == "local":
        raise InputError(
            "--on {text}: local:N needs a number of threads from 1 to {most}",
            text=text[:80],
            most=MOST_WORKERS,
        )
    if name == "dask" and (rest.strip() or not colon):
        return Dask(rest.strip() or None)
    if text == GPU:
        return Gpu()
    raise InputError("--on {text}: must be one of {forms}", text=text[:80], forms=", ".join(FORMS))
