"""Calls a function again and again while work is done, to show how far it is."""

from __future__ import annotations

from collections.abc import Callable

from nicegui import ui


class Ticker:
    """Calls a function every `seconds` while it is on, and never after it was switched off.

    A timer of NiceGUI may call once more after that. It would replace the result by the progress, forever.
    """

    def __init__(self, seconds: float, call: Callable[[], None]) -> None:
        self._call = call
        self._timer = ui.timer(seconds, self._tick, active=False)

    def switch(self, on: bool) -> None:
        """Switch it on or off."""
        self._timer.active = on

    def _tick(self) -> None:
        if self._timer.active:
            self._call()
