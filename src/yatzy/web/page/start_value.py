"""The value of a position in which the dice are about to be rolled, so that there is no move to advise on."""

from __future__ import annotations

from dataclasses import dataclass

from yatzy.units import Unit


@dataclass(frozen=True, slots=True)
class StartValue:
    """A value and the objective that it belongs to."""

    objective: str
    value: float
    unit: Unit
