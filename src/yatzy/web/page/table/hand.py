"""The dice in front of a player: where they lie, which are held, and real dice that are being entered."""

from __future__ import annotations

from collections import Counter

from yatzy.coach.play.session import Played
from yatzy.games import Dice, Keep, Position, Roll
from yatzy.web.page.parts.dice import arranged, places_of


class Hand:
    """The dice of one tab. It follows the position; everything else is what this tab has selected or entered."""

    def __init__(self) -> None:
        self.slots: tuple[int, ...] = ()
        """The dice in display order. Before a roll, only those at held places lie on the table."""
        self.held: set[int] = set()
        """The places of the dice to keep."""
        self.entered: list[int] = []
        """Real dice entered so far, for the places that are not held."""
        self.changing: int | None = None
        """The place of the die that the next face replaces."""
        self._locked: frozenset[int] = frozenset()
        """The places of the dice that were kept before the last roll."""
        self._corrected: int | None = None
        self._again: list[int] = []

    def follow(self, position: Position, last: Played | None, choosing: bool) -> frozenset[int]:
        """Arrange the dice of a new position. Returns the places of the dice just rolled."""
        corrected, self._corrected = self._corrected, None
        self.entered, self._again, self.changing = self._again, [], None
        if last is not None and isinstance(last.step, Roll) and last.after is position:
            if corrected is not None and sorted(self.slots) == list(position.dice):
                return frozenset({corrected})
            return self._rolled(position, last.before.dice, choosing)
        self._locked = frozenset()
        if len(position.dice) == position.game.dice:
            self.slots = self.slots if sorted(self.slots) == list(position.dice) else position.dice
            self.held = set()
        elif position.dice:  # kept dice, before the others are rolled
            if len(self.slots) != position.game.dice or Counter(position.dice) - Counter(self.slots):
                self.slots = (*position.dice, *(0,) * (position.game.dice - len(position.dice)))
            self.held = set(places_of(self.slots, position.dice, self.held))
        else:
            self.slots, self.held = (), set()
        return frozenset()

    def _rolled(self, position: Position, kept: Dice, choosing: bool) -> frozenset[int]:
        held = sorted(self.held)
        if sorted(self.slots[place] for place in held if place < len(self.slots)) != list(kept):
            held = list(places_of(self.slots, kept))
        if sorted(self.slots) != list(position.dice):  # otherwise they lie as they were entered
            self.slots = arranged(self.slots, held, position.dice) if kept else position.dice
        self._locked = frozenset(held)
        self.held = set(held) if kept and position.rolls_left and choosing else set()
        return frozenset(range(len(self.slots))) - self._locked

    @property
    def keep(self) -> Keep:
        """The move that keeps the held dice."""
        return Keep(tuple(self.slots[place] for place in self.held))

    def hold(self, move: Keep) -> None:
        """Hold the dice of a move, unless they are held already."""
        if self.keep != move:
            self.held = set(places_of(self.slots, move.dice))

    def is_locked(self, place: int) -> bool:
        """Whether a die was kept before the last roll, so that it does not belong to that roll."""
        return place in self._locked

    def free(self, dice: int) -> list[int]:
        """The places of the dice to enter before a roll, of `dice` dice in all."""
        return [place for place in range(dice) if place not in self.held]

    def enter(self, face: int, dice: int) -> bool:
        """Enter a real die of `dice` dice in all, or replace the one selected. True if all are entered now."""
        free = self.free(dice)
        if self.changing in free and free.index(self.changing) < len(self.entered):
            self.entered[free.index(self.changing)] = face
        elif len(self.entered) < len(free):
            self.entered.append(face)
        self.changing = None
        return len(self.entered) == len(free)

    def lay_down(self, dice: int) -> Dice:
        """Lay the entered dice in their places. Returns them."""
        lying = dict(zip(self.free(dice), self.entered, strict=True))
        self.slots = tuple(lying[place] if place in lying else self.slots[place] for place in range(dice))
        return tuple(self.entered)

    def correct(self, place: int, face: int) -> tuple[int, ...]:
        """Change one die of the last roll. Returns all dice in display order, as they were before."""
        before = self.slots
        self.slots = (*before[:place], face, *before[place + 1 :])
        self.held.discard(place)
        self.changing, self._corrected = None, place
        return before

    def enter_again(self) -> None:
        """Prepare to enter the last roll again, without its last die."""
        self._again = [value for place, value in enumerate(self.slots) if place not in self._locked][:-1]
