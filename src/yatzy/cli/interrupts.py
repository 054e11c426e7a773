"""Ctrl-C, which Python loses or disguises in two places: both only delay it here.

- In a finaliser or the callback of a weak reference nothing can be raised: Python prints "Exception ignored in ..." and
  continues.
- Compiled modules clear errors while they are imported, or turn them into others ("numba... failed to import").
"""

from __future__ import annotations

import _thread
import contextlib
import signal
import sys
import threading
import time
from types import FrameType

WAIT = 0.01
"""Seconds after which an interrupt is tried again."""
_IMPORT = ("<frozen importlib._bootstrap>", "_find_and_load")
"""The file and the function of Python's import statement."""


def prepare_interrupts() -> None:
    """Let Ctrl-C raise KeyboardInterrupt in the main thread wherever that is not lost, and soon after elsewhere."""
    sys.unraisablehook = _interrupt_again
    in_main = threading.current_thread() is threading.main_thread()
    if in_main and signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # otherwise it is ignored, for one
        signal.signal(signal.SIGINT, _interrupt)


def _interrupt(number: int, frame: FrameType | None) -> None:
    if _imports(frame):
        with contextlib.suppress(RuntimeError):
            _thread.start_new_thread(_interrupt_soon, ())
            return
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
    with contextlib.suppress(RuntimeError):  # at exit no thread can be started
        _thread.start_new_thread(_interrupt_soon, ())


def _interrupt_soon() -> None:
    time.sleep(WAIT)
    main = threading.main_thread().ident
    if main is not None and hasattr(signal, "pthread_kill"):
        signal.pthread_kill(main, signal.SIGINT)  # also interrupts a sleep or a read
    else:
        _thread.interrupt_main()
