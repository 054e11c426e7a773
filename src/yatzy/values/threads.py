"""Distributes independent ranges over the cores. Kernels release the GIL, so ordinary threads are enough.

Numba's threading layers are not used, so any number of callers may run kernels at the same time.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from pathlib import Path

from yatzy.workers.cores import core_count as core_count


def physical_memory() -> int:
    """The physical memory of this machine in bytes."""
    if hasattr(os, "sysconf") and "SC_PHYS_PAGES" in os.sysconf_names:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return 8 * 2**30  # unknown; a common size


def available_memory() -> int:
    """The memory in bytes that this process may still allocate: the free memory, limited by its control group."""
    found = physical_memory()
    with contextlib.suppress(OSError, ValueError, IndexError):
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
        found = 1024 * int(next(line.split()[1] for line in lines if line.startswith("MemAvailable:")))
    with contextlib.suppress(OSError, ValueError):
        limit, used = (int(Path(f"/sys/fs/cgroup/memory.{name}").read_text(encoding="ascii")) for name in _GROUP)
        found = min(found, max(limit - used, 0))  # without a limit the file holds no number
    return found


_GROUP = ("max", "current")


def worker_pool(threads: int) -> contextlib.AbstractContextManager[ThreadPoolExecutor | None]:
    """A pool of threads; None for one thread, which is the caller's. Handing small work to another takes longer."""
    return ThreadPoolExecutor(threads) if threads > 1 else contextlib.nullcontext()


def run_ranges(
    pool: ThreadPoolExecutor | None, work: Callable[[int, int], None], low: int, high: int, step: int
) -> None:
    """Call `work(a, b)` for consecutive pieces of [low, high), in any order, and wait for all of them.

    On an error or Ctrl-C, pieces not yet started are dropped and running ones are waited for. Without a pool, the
    caller's thread does all of them; it also does a single piece, which would only wait for another thread to start.
    """
    if pool is None or high - low <= step:
        for a in range(low, high, step):
            work(a, min(a + step, high))
        return
    futures = [pool.submit(work, a, min(a + step, high)) for a in range(low, high, step)]
    try:
        wait(futures, return_when=FIRST_EXCEPTION)
    finally:
        for future in futures:
            future.cancel()
        wait(futures)
    for future in futures:
        future.result()
