"""Games split by events: by the upper bonus, by points in a category, or by two of these."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from yatzy.evaluation.distribution import BONUS, FloatArray
from yatzy.games import Game
from yatzy.lab.figures import Group
from yatzy.lab.sample import SimulatedGames


def event_name(game: Game, event: str) -> str:
    """The name of an event: the upper bonus, or the name of a category."""
    return "the upper bonus" if event == BONUS else game.categories[game.category_index[event]].name()


def part_names(game: Game, events: Sequence[str]) -> list[str]:
    """The names of the parts into which events split the games, in the order of `Evaluation.parts`."""
    names = [event_name(game, event) for event in events]
    if len(names) == 1:
        return [f"without {names[0]}", f"with {names[0]}"]
    return [f"neither {names[0]} nor {names[1]}", f"{names[0]} only", f"{names[1]} only", "both"]


def part_of_games(games: SimulatedGames, events: Sequence[str]) -> npt.NDArray[np.int64]:
    """[game]: the number of its part, as in `Evaluation.parts`."""
    part = np.zeros(len(games), np.int64)
    for number, event in enumerate(events):
        part |= games.having(event).astype(np.int64) << number
    return part


def split_groups(
    games: SimulatedGames, events: Sequence[str], exact: Sequence[FloatArray] | None = None
) -> list[Group]:
    """The parts of simulated games for `draw_split`, with the exact ones (`Evaluation.parts`) if they are known."""
    part = part_of_games(games, events)
    return [
        Group(name, part == number, None if exact is None else exact[number])
        for number, name in enumerate(part_names(games.game, events))
    ]
