"""Positions with the value of every legal move, as data for learning and statistics.

Positions come from games that a strategy plays, with every roll of every turn, or are drawn uniformly over the states:
a state, the rolls left, and a roll of all dice. Both depend on the seed alone, and `VERSION` is raised if the same seed
would give other rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from yatzy import kernels
from yatzy.errors import InputError, Message
from yatzy.evaluation.played_turns import keeps_by_roll
from yatzy.evaluation.reviewed_turns import LabelledPositions, TurnReviews
from yatzy.games import Game, show_dice
from yatzy.lab.batch_player import key_of
from yatzy.lab.simulation import MOST_SEED
from yatzy.lab.traces import trace
from yatzy.model import compile_game
from yatzy.sharing.output import BOXES, PARQUET, about, check_output, move_texts, text_column, write_parquet
from yatzy.strategies.base import Strategy
from yatzy.values.arrays import exact_turn_arrays
from yatzy.values.evaluator import Solution
from yatzy.values.resources import Progress

VERSION = 1
"""Of the rows that a seed gives."""
UNIFORM = "uniform"
MOST_ROWS = 20_000_000
"""The most rows of a file: they are put together in memory, about 400 bytes each."""


@dataclass(frozen=True, eq=False)
class Positions:
    """Positions of one player after a roll."""

    game: Game
    """The rules."""
    source: str
    """The strategy that played, or `uniform`."""
    seed: int
    """The same seed gives the same positions in the same version of the dice."""
    state: npt.NDArray[np.int64]
    """[row]: before the turn; see `StateIndex.find`."""
    made: npt.NDArray[np.int32]
    """[row]: points before the turn; 0 if the positions are drawn."""
    roll: npt.NDArray[np.int16]
    """[row]: the dice, as an index into `Lattice.rolls`."""
    left: npt.NDArray[np.int8]
    """[row]: rolls left."""

    def __len__(self) -> int:
        return len(self.state)


def played_positions(strategy: Strategy, rows: int, seed: int, threads: int | None = None) -> Positions:
    """The positions after every roll of the games that a strategy plays, in the order of play.

    After all dice are kept, the remaining rolls of the turn change nothing; they are rows too.
    """
    game = strategy.game
    per_game = len(game.categories) * game.rolls
    turns = trace(strategy, -(-_checked(rows, seed) // per_game), seed, threads).turns()
    return Positions(
        game,
        strategy.name,
        seed,
        np.repeat(turns.state, game.rolls)[:rows],
        np.repeat(turns.made, game.rolls)[:rows],
        turns.rolls.ravel()[:rows],
        np.tile(np.arange(game.rolls - 1, -1, -1, dtype=np.int8), len(turns))[:rows],
    )


def uniform_positions(game: Game, rows: int, seed: int) -> Positions:
    """Positions in which every state between turns, but the end, is equally likely, and every number of rolls left."""
    compiled, rows = compile_game(game), _checked(rows, seed)
    state, roll, left = np.empty(rows, np.int64), np.empty(rows, np.int16), np.empty(rows, np.int8)
    states = int(compiled.states.layer_start[-2])
    kernels.draw_positions(exact_turn_arrays(compiled), states, *key_of(seed), state, roll, left)
    return Positions(game, UNIFORM, seed, state, np.zeros(rows, np.int32), roll, left)


def _checked(rows: int, seed: int) -> int:
    if not 1 <= rows <= MOST_ROWS:
        raise InputError("rows: {rows:,} is not from 1 to {most:,}", rows=rows, most=MOST_ROWS)
    if not 0 <= seed <= MOST_SEED:
        raise InputError("seed: {seed} is not from 0 to {most}", seed=seed, most=MOST_SEED)
    return rows


def label_positions(
    positions: Positions, solution: Solution, threads: int | None = None, progress: Progress | None = None
) -> LabelledPositions:
    """The value of every legal move, by a solved objective: the expected score or a target."""
    if solution.game != positions.game:
        raise InputError(
            "the positions are of {game}, but the solution is of {other}",
            game=positions.game.id,
            other=solution.game.id,
        )
    return TurnReviews(solution, threads).label(
        positions.state, positions.made, positions.roll, positions.left, progress
    )


def check_file(path: str | Path) -> None:
    """Refuse a file that cannot be written."""
    check_output(path, Message("a dataset is"), (PARQUET,))


def write_dataset(positions: Positions, labels: LabelledPositions, objective: str, path: str | Path) -> None:
    """Write positions with the values of their moves; docs/data.md lists the columns."""
    check_file(path)
    game, compiled = positions.game, compile_game(positions.game)
    columns: dict[str, Any] = {"filled": compiled.states.filled(positions.state)}
    upper, box = _upper_and_box(positions)
    columns["upper"] = upper
    if game.joker is not None:
        columns["joker_box"] = text_column(BOXES, box)
    columns |= {
        "points": positions.made,
        "dice": text_column([show_dice(dice) for dice in compiled.lattice.rolls], positions.roll),
        "rolls_left": positions.left,
        "keeps": labels.keeps,
        "categories": labels.categories,
        "value": labels.value,
        "best": text_column(move_texts(game), _best(positions, labels)),
    }
    said = about(
        "positions", game, len(positions), version=VERSION, objective=objective, positions=positions.source,
        seed=positions.seed, category_ids=list(game.category_index),
    )  # fmt: skip
    write_parquet(path, columns, said, compression="lz4")


def _best(positions: Positions, labels: LabelledPositions) -> npt.NDArray[np.int64]:
    """[row]: the best move, as an index into `move_texts`."""
    lattice = compile_game(positions.game).lattice
    start, keep_of = keeps_by_roll(lattice)
    best = labels.best.astype(np.int64)
    keeping = positions.left > 0
    place = np.where(keeping, start[positions.roll] + best, 0)
    return np.where(keeping, keep_of[place], len(lattice.keeps) + best)


def _upper_and_box(positions: Positions) -> tuple[npt.NDArray[np.int16], npt.NDArray[np.int8]]:
    """[row]: an upper sum of the state's class, the lowest, and the status of the Joker box."""
    compiled = compile_game(positions.game)
    states, lowest = compiled.states, np.full(len(compiled.upper), -1, np.int16)
    for (_, total), number in compiled.upper.index.items():
        if lowest[number] < 0 or total < lowest[number]:
            lowest[number] = total
    block = np.searchsorted(states.block_start, positions.state, side="right") - 1
    return lowest[states.block[block, 0]], states.block[block, 1].astype(np.int8)
