"""A bounded, thread-safe cache of opened objects: each is opened once, and the least recently used one is dropped."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock, RLock
from typing import Any, TypeVar

from yatzy.games import Game

T = TypeVar("T")


class _Slot:
    """An opened object, and the lock that other threads wait for while it is opened."""

    __slots__ = ("found", "opening", "ready")

    def __init__(self) -> None:
        self.opening, self.ready, self.found = RLock(), False, None


class Opened:
    """Opened objects by game and name."""

    def __init__(self, most: int) -> None:
        self._most, self._lock = most, Lock()
        self._slots: OrderedDict[tuple[Game, Hashable], _Slot] = OrderedDict()

    def get(self, game: Game, name: Hashable, make: Callable[[], T]) -> T:
        """The object with this name, opened now if necessary; other threads that need it wait."""
        key = (game, name)
        with self._lock:
            slot = self._slots.setdefault(key, _Slot())
            self._slots.move_to_end(key)
        with slot.opening:
            if not slot.ready:
                try:
                    made: Any = make()
                except BaseException:
                    with self._lock:
                        if self._slots.get(key) is slot:
                            del self._slots[key]
                    raise
                slot.found, slot.ready = made, True
            found: T = slot.found  # type: ignore[assignment]
        with self._lock:
            for old in [old for old, one in self._slots.items() if one.ready][: max(len(self._slots) - self._most, 0)]:
                del self._slots[old]
        return found

    def forget(self, game: Game) -> None:
        """Drop everything that is open for a game."""
        with self._lock:
            for key in [key for key in self._slots if key[0] == game]:
                del self._slots[key]
