"""What values are measured in. By itself, so that showing a value needs no solver."""

from enum import Enum


class Unit(Enum):
    """What values of an objective are measured in."""

    POINTS = "points"
    CHANCE = "chance"
    WORTH = "worth"
