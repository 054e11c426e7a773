"""The steps of a game with undo and redo: the steps that were made, and those that were taken back.

Steps that form one decision are undone and redone together: keeping all dice ends the rolls, and choosing a category
with rolls left means keeping all dice first. A history is immutable; every change returns a new one.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import TypeAlias

from yatzy.games import Detail, Dice, Keep, Move, Position, Record, Roll, Score, Step, Turn

Past: TypeAlias = tuple[tuple[Position, Step], ...]
"""Steps, each with the position before it."""


@dataclass(frozen=True, slots=True)
class History:
    """All steps made in a game, and all steps taken back."""

    head: Record
    """The record without its steps, but with all turns up to the last incomplete one. These turns cannot be undone."""
    past: Past
    turns: tuple[Turn, ...]
    """The finished turns, including those of the head."""
    starts: tuple[Position, ...]
    """The position before each turn, and after the last."""
    position: Position
    undone: tuple[Step, ...]
    """The steps that were taken back, the next to redo first."""

    @classmethod
    def of(cls, record: Record) -> History:
        """The history of a record."""
        told = 0
        for number, turn in enumerate(record.turns):
            before = record.positions[number]
            guessed = turn.detail is Detail.DICE and before.awaits_roll and before.rolls_left > 1
            if turn.detail is Detail.POINTS or guessed or not record.order_known:
                told = number + 1
        past = tuple(step for number in range(told, len(record.turns)) for step in record.steps(number))
        finished = tuple(turn for turn in record.turns if turn.score is not None)
        head = replace(record, turns=record.turns[:told], undone=())
        return cls(head, past, finished, record.positions[: len(finished) + 1], record.position, record.undone)

    def after(self, steps: Sequence[Step]) -> History:
        """Make the steps of one roll or one decision.

        The steps that were taken back are kept if these are the next of them; otherwise they are dropped.
        """
        again = self._next_unit()
        rest = self.undone[again:] if self.undone[:again] == tuple(steps) else ()
        return replace(self._made(steps), undone=rest)

    def again(self) -> History:
        """Redo the roll or decision that was taken back last."""
        count = self._next_unit()
        return replace(self._made(self.undone[:count]), undone=self.undone[count:])

    def back(self) -> History:
        """Undo the last roll or decision."""
        past, turns, starts, undone = self.past, self.turns, self.starts, self.undone
        while True:
            before, step = past[-1]
            past, undone = past[:-1], (step, *undone)
            if isinstance(step, Score):
                turns, starts = turns[:-1], starts[:-1]
            if isinstance(step, Roll) or not past or not _keeps_all(*past[-1]):
                break
            if isinstance(step, Keep) and not _keeps_all(before, step):
                break
        return History(self.head, past, turns, starts, before, undone)

    @property
    def this_turn(self) -> Past:
        """The steps of the current turn."""
        begun = len(self.past)
        while begun and not isinstance(self.past[begun - 1][1], Score):
            begun -= 1
        return self.past[begun:]

    @property
    def earlier(self) -> tuple[Dice, ...]:
        """All dice after each earlier roll of this turn."""
        rolls = _turn(self.this_turn).rolls
        return rolls if self.position.awaits_roll else rolls[:-1]

    def record(self, seed: int | None) -> Record:
        """The record of all steps.

        The steps were checked when they were made. The record is saved at every step, so it is not replayed here: that
        would take longer with every turn.
        """
        under_way = self.this_turn
        record = copy(self.head)
        for name, value in {
            "turns": (*self.turns, _turn(under_way)) if under_way else self.turns,
            "positions": self.starts,
            "position": self.position,
            "seed": seed,
            "undone": self.undone,
        }.items():
            object.__setattr__(record, name, value)
        return record

    def _made(self, steps: Sequence[Step]) -> History:
        here = self
        for step in steps:
            here = here._step(step)
        return here

    def _step(self, step: Step) -> History:
        before = self.position
        after = before.roll(step.dice) if isinstance(step, Roll) else before.play(step)
        turns, starts = self.turns, self.starts
        if isinstance(step, Score):
            place = before.placement(step)
            turn = _turn((*self.this_turn, (before, step)))
            turns = (*turns, replace(turn, points=place.points, joker_bonus=place.joker_bonus))
            starts = (*starts, after)
        return replace(self, past=(*self.past, (before, step)), turns=turns, starts=starts, position=after)

    def _next_unit(self) -> int:
        """The number of steps to redo together."""
        position, undone, count = self.position, self.undone, 0
        while count < len(undone) and undone[count] == Keep(position.dice) and not position.awaits_roll:
            count += 1
        if not count or (count < len(undone) and isinstance(undone[count], Score)):
            count += 1
        return min(count, len(undone))


def decisions_of(position: Position, move: Move) -> tuple[tuple[Position, Move], ...]:
    """Split a person's move into decisions, each with the position before it; an illegal move raises.

    Usually this is the move itself. A move that ends the turn's rolls early is preceded by keeping all dice until no
    roll is left.
    """
    if isinstance(move, Score) and move.strike and position.placement(Score(move.category)).points == 0:
        move = Score(move.category)  # striking a category that pays nothing counts as filling it
    after = position.play(move)
    found = list[tuple[Position, Move]]()
    if isinstance(move, Score) or not after.awaits_roll:
        keep = Keep(position.dice)
        while position.rolls_left:
            found.append((position, keep))
            position = position.play(keep)
    if isinstance(move, Score) or not found:
        found.append((position, move))
    return tuple(found)


def _keeps_all(before: Position, step: Step) -> bool:
    return isinstance(step, Keep) and step.dice == before.dice and not before.awaits_roll


def _turn(steps: Past) -> Turn:
    """Build a turn from its steps."""
    rolls, keeps, score = list[Dice](), list[Dice](), None
    for before, step in steps:
        if isinstance(step, Roll):
            rolls.append(step.dice)
            continue
        if not rolls or (isinstance(step, Keep) and len(rolls) == len(keeps)):
            rolls.append(before.dice)  # no roll of its own: the game started with these dice, or all were kept
        if isinstance(step, Keep):
            keeps.append(step.dice)
        else:
            score = step
    return Turn(tuple(rolls), tuple(keeps), score)
