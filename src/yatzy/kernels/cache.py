"""Numba's compiler for the kernels; its on-disk cache is cleared when any kernel source has changed.

Numba checks only the file that defines a kernel. If a helper in another file changes, Numba would load outdated code,
and a cache index that refers to a removed class cannot be read at all. So everything compiled from other sources is
deleted before the first kernel is loaded.
"""

from __future__ import annotations

from hashlib import blake2b
from pathlib import Path

from numba import njit as njit
from numba.core.caching import FunctionCache

STAMP = "yatzy-kernels.stamp"


def _probe() -> None:
    """A function in this folder, used to find out where Numba caches the folder's compiled code."""


def drop_outdated() -> None:
    """Delete kernels that were compiled from other sources. Does nothing if the cache cannot be written."""
    try:
        folder = Path(FunctionCache(_probe).cache_path)
        stamp, now = folder / STAMP, _fingerprint()
        if stamp.exists() and stamp.read_text(encoding="ascii") == now:
            return
        for pattern in ("*.nbi", "*.nbc"):
            for path in folder.glob(pattern):
                path.unlink(missing_ok=True)
        folder.mkdir(parents=True, exist_ok=True)
        stamp.write_text(now, encoding="ascii")
    except (OSError, RuntimeError, UnicodeDecodeError):  # no cache folder, or no permission
        return


def _fingerprint() -> str:
    found = blake2b(digest_size=16)
    for path in sorted(Path(__file__).parent.glob("*.py")):
        found.update(path.name.encode() + b"\0" + path.read_bytes())
    return found.hexdigest()


drop_outdated()
