"""Who is at a table, and who holds which seat.

A held seat keeps others from moving for it by mistake. It is a courtesy among people who trust each other, not a lock:
it counts only while a tab of its holder is open, and anyone at the table may move for a seat that nobody holds.
"""

from __future__ import annotations

from collections.abc import Hashable


class Seats:
    """The browsers at a table, each with the seats it holds."""

    def __init__(self) -> None:
        self._tabs: dict[Hashable, str] = {}
        """The browser of every open tab."""
        self._held: dict[int, str] = {}
        """The browser that holds a seat, by seat."""

    def enter(self, tab: Hashable, browser: str) -> None:
        """Note that a tab shows this table."""
        self._tabs[tab] = browser

    def leave(self, tab: Hashable) -> None:
        """Note that a tab no longer shows this table. Its browser keeps its seats for when it comes back."""
        self._tabs.pop(tab, None)

    @property
    def browsers(self) -> tuple[str, ...]:
        """The browsers that show this table, in the order in which they came."""
        return tuple(dict.fromkeys(self._tabs.values()))

    def holder(self, seat: int) -> str | None:
        """The browser at the table that holds a seat."""
        found = self._held.get(seat)
        return found if found in self._tabs.values() else None

    def seats_of(self, browser: str) -> tuple[int, ...]:
        """The seats that a browser holds."""
        return tuple(sorted(seat for seat, one in self._held.items() if one == browser))

    def take(self, seat: int, browser: str) -> bool:
        """Let a browser hold a seat. False if another one at the table holds it."""
        if self.holder(seat) not in (None, browser):
            return False
        self._held[seat] = browser
        return True

    def take_over(self, before: Seats) -> None:
        """Give every browser the seats that it held at another table."""
        self._held = dict(before._held)

    def stand_up(self, seat: int, browser: str) -> None:
        """Free a seat that this browser holds."""
        if self._held.get(seat) == browser:
            del self._held[seat]

    def may_move(self, seat: int, browser: str) -> bool:
        """Whether a browser may move for a seat."""
        return self.holder(seat) in (None, browser)
