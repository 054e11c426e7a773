"""Units of values. A separate module, so that displaying a value does not import the solver."""

from enum import Enum


class Unit(Enum):
    """The unit of an objective's values."""

    POINTS = "points"
    CHANCE = "chance"
    WORTH = "worth"
