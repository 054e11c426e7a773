"""Spread independent ranges over the cores: kernels let go of the interpreter, so plain threads will do.

No threading layer of Numba's is involved, so any number of callers may run kernels at the same time.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from pathlib import Path


def core_count() -> int:
    """The cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def physical_memory() -> int:
    """The bytes of memory of this machine."""
    if hasattr(os, "sysconf") and "SC_PHYS_PAGES" in os.sysconf_names:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return 8 * 2**30  # not told; a common size


def available_memory() -> int:
    """The bytes of memory that this process may still take: what is free, and not more than its control group has."""
    found = physical_memory()
    with contextlib.suppress(OSError, ValueError, IndexError):
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
        found = 1024 * int(next(line.split()[1] for line in lines if line.startswith("MemAvailable:")))
    with contextlib.suppress(OSError, ValueError):
        limit, used = (int(Path(f"/sys/fs/cgroup/memory.{name}").read_text(encoding="ascii")) for name in _GROUP)
        found = min(found, max(limit - used, 0))  # no number where there is no limit
    return found


_GROUP = ("max", "current")


def run_ranges(pool: ThreadPoolExecutor, work: Callable[[int, int], None], low: int, high: int, step: int) -> None:
    """Call `work(a, b)` for the pieces of [low, high), in any order, and wait for all of them.

    On an error or Ctrl-C the pieces not begun are dropped and those under way waited for.
    """
    futures = [pool.submit(work, a, min(a + step, high)) for a in range(low, high, step)]
    try:
        wait(futures, return_when=FIRST_EXCEPTION)
    finally:
        for future in futures:
            future.cancel()
        wait(futures)
    for future in futures:
        future.result()
