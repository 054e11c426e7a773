"""Redirects what user code prints to standard error: standard output is for answers, such as JSON."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO

_lock = threading.Lock()
_redirected = threading.local()
_installed: _ByThread | None = None
_users = 0


class _ByThread:
    """Standard output that redirected threads write to standard error; other threads are unaffected."""

    def __init__(self, stdout: TextIO) -> None:
        self.stdout = stdout

    def __getattr__(self, name: str) -> Any:
        away = getattr(_redirected, "depth", 0) and sys.stderr is not None
        return getattr(sys.stderr if away else self.stdout, name)


@contextmanager
def printing_to_stderr() -> Iterator[None]:
    """Redirect what this thread prints to standard error; other threads are unaffected."""
    _install()
    _redirected.depth = getattr(_redirected, "depth", 0) + 1
    try:
        yield
    finally:
        _redirected.depth -= 1
        _remove()


def _install() -> None:
    global _installed, _users
    with _lock:
        _users += 1
        if sys.stdout is not None and sys.stdout is not _installed:
            _installed = _ByThread(sys.stdout)
            sys.stdout = _installed


def _remove() -> None:
    """Restore standard output when no thread is redirected any more, unless other code has replaced it."""
    global _installed, _users
    with _lock:
        _users -= 1
        if _users == 0:
            if _installed is not None and sys.stdout is _installed:
                sys.stdout = _installed.stdout
            _installed = None
