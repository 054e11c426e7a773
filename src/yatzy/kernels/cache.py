"""Compiled kernels on disk belong to one state of the sources.

Numba looks only at the file in which a kernel stands: a kernel whose helper in another file has changed would be used
as it was, and an index that names a class that is gone cannot be read at all. So whatever was compiled from other
sources is removed before the first kernel is loaded.
"""

from __future__ import annotations

from hashlib import blake2b
from pathlib import Path

STAMP = "yatzy-kernels.stamp"


def _probe() -> None:
    """A function of this folder, to ask Numba where it keeps the compiled code of the folder."""


def drop_outdated() -> None:
    """Remove compiled kernels that were made from other sources; where that is impossible nothing happens."""
    from numba.core.caching import FunctionCache

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
    except (OSError, RuntimeError, UnicodeDecodeError):  # nowhere to keep compiled code, or not ours to change
        return


def _fingerprint() -> str:
    found = blake2b(digest_size=16)
    for path in sorted(Path(__file__).parent.glob("*.py")):
        found.update(path.name.encode() + b"\0" + path.read_bytes())
    return found.hexdigest()
