"""The steps of a game, and a place among them: what lies before it has happened, what lies behind it was taken back.

Steps that are one decision go together: keeping all dice ends the rolls, and a category chosen with rolls left is
keeping all dice first. A history never changes; every change makes a new one.
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
    """All that has happened in a game and was taken back in it."""

    head: Record
    """The game without its steps, but with the turns before those that are known in full; they stay as they are."""
    past: Past
    turns: tuple[Turn, ...]
    """The finished ones, with those of the head."""
    starts: tuple[Position, ...]
    """Before each of them, and after the last."""
    position: Position
    undone: tuple[Step, ...]
    """What was taken back, the next to be done again first."""

    @classmethod
    def of(cls, record: Record) -> History:
        """That which a record tells."""
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
        """With steps made that are one roll or one decision.

        What was taken back stays if these were the next to be done again.
        """
        again = self._next_unit()
        rest = self.undone[again:] if self.undone[:again] == tuple(steps) else ()
        return replace(self._made(steps), undone=rest)

    def again(self) -> History:
        """With the roll or decision made again that was taken back last."""
        count = self._next_unit()
        return replace(self._made(self.undone[:count]), undone=self.undone[count:])

    def back(self) -> History:
        """With the last roll or decision taken back."""
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
        """The steps of the turn under way."""
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
        """The record of all steps, which were checked when they were made.

        To have the record play everything again would take longer with every turn, and it is saved at every step.
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
        """How many of the steps taken back are done again together."""
        position, undone, count = self.position, self.undone, 0
        while count < len(undone) and undone[count] == Keep(position.dice) and not position.awaits_roll:
            count += 1
        if not count or (count < len(undone) and isinstance(undone[count], Score)):
            count += 1
        return min(count, len(undone))


def decisions_of(position: Position, move: Move) -> tuple[tuple[Position, Move], ...]:
    """The decisions that a move of a person stands for, each with the position before it; refused if not allowed.

    That is the move, but for one that ends the rolls while some are left: then all dice are kept until none is.
    """
    if isinstance(move, Score) and move.strike and position.placement(Score(move.category)).points == 0:
        move = Score(move.category)  # to strike what pays nothing is to fill it
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
    """A turn from its steps."""
    rolls, keeps, score = list[Dice](), list[Dice](), None
    for before, step in steps:
        if isinstance(step, Roll):
            rolls.append(step.dice)
            continue
        if not rolls or (isinstance(step, Keep) and len(rolls) == len(keeps)):
            rolls.append(before.dice)  # they lay there: the game was taken up here, or all of them were kept
        if isinstance(step, Keep):
            keeps.append(step.dice)
        else:
            score = step
    return Turn(tuple(rolls), tuple(keeps), score)
