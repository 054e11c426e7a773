"""What a verification found: per table the numbers compared, the largest difference, and the identities."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from yatzy.errors import Message
from yatzy.values.bounds import Measure


class Verdict(Enum):
    """What came of the check of a table."""

    SOUND = "sound"
    WRONG = "wrong"
    """A number differs by more than the bound, an identity does not hold, or the file is damaged."""
    UNCHECKED = "unchecked"
    """It cannot be checked, and `reason` says why."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a number is in a table."""

    layer: int
    state: str
    """The sheet between turns, in the notation of positions; for a pair, the mover's and then the opponent's."""
    what: str = ""
    """What the number belongs to: `score`, `points`, `difference`, `feature`, `choice`, or nothing."""
    number: int | None = None

    def __str__(self) -> str:
        return self.message

    @property
    def message(self) -> Message:
        """The place as a text that can be translated."""
        if not self.what:
            return Message("layer {layer}, state {state}", layer=self.layer, state=self.state)
        return Message(
            "layer {layer}, state {state}, {what} {number}",
            layer=self.layer,
            state=self.state,
            what=_WHAT.get(self.what, self.what),
            number=self.number,
        )


_WHAT = {
    "score": Message("score"),
    "points": Message("points"),
    "difference": Message("difference"),
    "feature": Message("feature"),
    "choice": Message("choice"),
}


@dataclass(frozen=True, slots=True)
class Fault:
    """A number that differs by more than the bound."""

    place: Place
    stored: float
    again: float
    """As computed again."""
    difference: float
    """In the measure of the bound."""


class Law(Enum):
    """An identity that the numbers of a table obey."""

    MONOTONE = "monotone"
    """A higher score is never more likely, and a larger deficit never better."""
    REVERSED = "reversed"
    """The value to the waiting player, who is minimised against, is 1 − the mover's."""
    MEAN = "mean"
    """The mean of the distribution is the expected score of the table `expected`, and its chances add up to 1."""
    SIMULATED = "simulated"
    """The best player, or two of them, make the value at the start in simulated games, within the sampling error."""


@dataclass(frozen=True, slots=True)
class Identity:
    """An identity, and how well it holds."""

    law: Law
    checked: int
    """Curves, pairs, states or games."""
    difference: float
    """The largest."""
    bound: float
    place: Place | None = None
    """The first place where it does not hold."""

    @property
    def sound(self) -> bool:
        """Whether it holds everywhere."""
        return self.difference <= self.bound


@dataclass(frozen=True, slots=True)
class TableCheck:
    """The check of one table."""

    name: str
    game: str
    objective: str
    verdict: Verdict
    values: int = 0
    """Numbers computed again."""
    of: int = 0
    """Numbers in the table."""
    measure: Measure | None = None
    difference: float = 0.0
    """The largest, in the measure."""
    bound: float = 0.0
    """The largest difference that the roundings of one turn explain."""
    table_bound: float | None = None
    """The error bound of the table as `yatzy tables` shows it."""
    faults: tuple[Fault, ...] = ()
    """The first ones."""
    wrong: int = 0
    """How many numbers differ by more than the bound."""
    identities: tuple[Identity, ...] = ()
    reason: Message | str = ""
    """Why it is damaged or cannot be checked, or what was left out."""
    seconds: float = 0.0

    @property
    def complaint(self) -> str:
        """One line on what is wrong; empty for a sound table."""
        if self.verdict is not Verdict.WRONG:
            return ""
        return Message("{name}: {problem}", name=self.name, problem=self.fault)

    @property
    def fault(self) -> Message:
        """What is wrong, without the name of the table; for a table that is not sound."""
        if self.faults:
            one = self.faults[0]
            found = Message(
                "{place}: holds {stored!r}, but {again!r} follows from the next layer;"
                " the difference {difference:.2g} is above {bound:.2g}",
                place=one.place.message,
                stored=one.stored,
                again=one.again,
                difference=one.difference,
                bound=self.bound,
            )
            return (
                found if self.wrong <= 1 else Message("{problem}, and {more} more", problem=found, more=self.wrong - 1)
            )
        for law in self.identities:
            if not law.sound:
                found = Message(
                    "not {law}: {difference:.2g} is above {bound:.2g}",
                    law=_LAWS[law.law],
                    difference=law.difference,
                    bound=law.bound,
                )
                return Message("{place}: {problem}", place=law.place.message, problem=found) if law.place else found
        return self.reason if isinstance(self.reason, Message) else Message("{reason}", reason=self.reason)


_LAWS = {
    Law.MONOTONE: Message("monotone"),
    Law.REVERSED: Message("reversed"),
    Law.MEAN: Message("mean"),
    Law.SIMULATED: Message("simulated"),
}
