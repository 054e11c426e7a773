"""Games split by events: by the upper bonus, by points in a category, or by two of these."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from yatzy.evaluation.distribution import FloatArray
from yatzy.lab.figures import Group
from yatzy.lab.sample import SimulatedGames


def parts_of(events: Sequence[str]) -> list[tuple[str, ...]]:
    """The parts into which events split the games, in the order of `Evaluation.parts`: the events that happened."""
    return [
        tuple(event for number, event in enumerate(events) if part >> number & 1) for part in range(1 << len(events))
    ]


def part_of_games(games: SimulatedGames, events: Sequence[str]) -> npt.NDArray[np.int64]:
    """[game]: the number of its part, as in `Evaluation.parts`."""
    part = np.zeros(len(games), np.int64)
    for number, event in enumerate(events):
        part |= games.having(event).astype(np.int64) << number
    return part


def split_groups(
    games: SimulatedGames, events: Sequence[str], labels: Sequence[str], exact: Sequence[FloatArray] | None = None
) -> list[Group]:
    """The parts of simulated games for `draw_split`, with the exact ones (`Evaluation.parts`) if they are known."""
    part = part_of_games(games, events)
    return [
        Group(label, part == number, None if exact is None else exact[number]) for number, label in enumerate(labels)
    ]
