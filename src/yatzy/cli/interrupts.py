"""Ctrl-C, which Python loses or disguises in two places: both only delay it here.

- In a finaliser or the callback of a weak reference nothing can be raised: Python prints "Exception ignored in ..." and
  continues.
- Compiled modules clear errors while they are imported, or turn them into others ("numba... failed to import").

Pressed again before it is raised, it is raised once.
"""

from __future__ import annotations

import _thread
import signal
import sys
import threading
import time
from types import FrameType

WAIT = 0.01
"""Seconds after which an interrupt is tried again."""
PATIENCE = 5.0
"""Seconds after which an import is interrupted all the same; it may never end."""
_IMPORT = ("<frozen importlib._bootstrap>", "_find_and_load")
"""The file and the function of Python's import statement."""
_since: float | None = None
"""When the interrupt came that is still to be raised; None if there is none."""
_trying = False
"""Whether a thread is waiting to try again."""


def prepare_interrupts() -> None:
    """Let Ctrl-C raise KeyboardInterrupt in the main thread wherever that is not lost, and soon after elsewhere."""
    sys.unraisablehook = _interrupt_again
    in_main = threading.current_thread() is threading.main_thread()
    if in_main and signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # a shell may have it ignored
        signal.signal(signal.SIGINT, _interrupt)


def _interrupt(number: int, frame: FrameType | None) -> None:
    global _since
    if _imports(frame) and _try_soon():
        return
    _since = None
    raise KeyboardInterrupt


def _imports(frame: FrameType | None) -> bool:
    while frame is not None:
        if (frame.f_code.co_filename, frame.f_code.co_name) == _IMPORT:
            return True
        frame = frame.f_back
    return False


def _interrupt_again(problem: sys.UnraisableHookArgs) -> None:
    if not issubclass(problem.exc_type, KeyboardInterrupt):
        sys.__unraisablehook__(problem)
        return
    _try_soon()


def _try_soon() -> bool:
    """Interrupt again in a moment; False if that has gone on for too long, or no thread can be started, as at exit."""
    global _since, _trying
    now = time.monotonic()
    _since = now if _since is None else _since
    if now - _since > PATIENCE:
        return False
    if not _trying:
        _trying = True
        try:
            _thread.start_new_thread(_interrupt_soon, ())
        except RuntimeError:
            _trying = False
            return False
    return True


def _interrupt_soon() -> None:
    global _trying
    time.sleep(WAIT)
    _trying = False
    if _since is None:  # it was raised meanwhile
        return
    main = threading.main_thread().ident
    if main is not None and hasattr(signal, "pthread_kill"):
        signal.pthread_kill(main, signal.SIGINT)  # also interrupts a sleep or a read
    else:
        _thread.interrupt_main()
