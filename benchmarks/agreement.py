"""Agreement of this package and yatzy-solver on the values of many random states."""

from __future__ import annotations

import numpy as np

from benchmarks import theirs
from benchmarks.report import Grid, Result, Settings, Value
from yatzy.games import Game, Sheet, reachable_sums
from yatzy.model import compile_game
from yatzy.values.expected import solve_in_memory

STATES = 20_000
SEED = 20_240_229
TOLERANCE = 1e-9

State = tuple[int, int, bool]
"""Filled categories as bits, upper sum, whether the Joker box pays."""


def random_states(game: Game, number: int, seed: int) -> list[State]:
    """`number` different states. Every number of filled categories is equally likely at each draw.

    States with all categories filled are excluded, because their value is 0 by definition.
    """
    rng = np.random.default_rng(seed)
    categories = len(game.categories)
    found: dict[State, None] = {}
    while len(found) < number:
        chosen = rng.permutation(categories)[: rng.integers(categories)]
        filled = sum(1 << int(i) for i in chosen)
        sums = reachable_sums(game, filled)
        upper = int(rng.choice([s for s in range(sums.bit_length()) if sums >> s & 1]))
        box_filled = game.joker_box is not None and filled >> game.joker_box & 1
        found[filled, upper, bool(box_filled and rng.integers(2))] = None
    return list(found)


def run(settings: Settings) -> Result:
    rows: list[list[str]] = []
    data: dict[str, Value] = {}
    failures = []
    for pair in theirs.MAIN:
        game = pair.game
        states, values = compile_game(game).states, solve_in_memory(game)
        sample = random_states(game, STATES, SEED)
        ids = [category.id for category in game.categories]
        found = [
            states.find(
                Sheet.of_sums(game, [id for i, id in enumerate(ids) if filled >> i & 1], upper=upper, box_pays=pays)
            )
            for filled, upper, pays in sample
        ]
        filled, upper, pays = zip(*sample, strict=True)
        other = theirs.built(pair.theirs).state_values(
            np.array(filled, np.uint32), np.array(upper, np.uint16), np.array(pays, np.bool_)
        )
        largest = float(np.abs(values[found] - other).max())
        rows.append([pair.name, pair.theirs, f"{len(sample):,}", f"{len(set(found)):,}", f"{largest:.1e}"])
        data[pair.name] = {
            "theirs": pair.theirs,
            "states": len(sample),
            "different_states_of_ours": len(set(found)),
            "seed": SEED,
            "largest_difference": largest,
            "tolerance": TOLERANCE,
        }
        if not largest < TOLERANCE:  # so that NaN fails too
            failures.append(f"agreement: {pair.name} differs from {pair.theirs} by {largest:.1e}")
    grid = Grid(
        f"Values of random states, this package and {theirs.PACKAGE}",
        ("game", "theirs", "states", "distinct in ours", "largest difference"),
        rows,
        f"Must be below {TOLERANCE:.0e}.",
    )
    return Result([grid], data, failures)
