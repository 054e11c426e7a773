"""The decisions of a strategy as data: the move for every state, number of rolls left and roll of the dice."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from yatzy.errors import InputError, Message
from yatzy.games import Game, show_dice
from yatzy.model import compile_game
from yatzy.sharing.output import (
    MOST_ROWS,
    NUMPY,
    about,
    check_output,
    check_rows,
    move_texts,
    text_column,
    write_numpy,
    write_parquet,
)
from yatzy.sharing.values import count_rows, sheet_columns, state_rows
from yatzy.strategies.base import DependsOn, PlannedStrategy, Strategy
from yatzy.strategies.choices import STRUCK, choice_code, filled_sets
from yatzy.values.resources import Progress

STEP = 4096
"""States planned at a time."""


@dataclass(frozen=True, eq=False)
class Decisions:
    """The moves of a strategy, by the number of filled categories, the categories, the upper sum and the Joker box."""

    game: Game
    """The rules."""
    strategy: str
    """The name of the strategy."""
    filled: npt.NDArray[np.int64]
    """[sheet]: the filled categories, as bits in the order of the sheet."""
    upper: npt.NDArray[np.int16] | None
    """[sheet]: the upper sum, all sums from the bonus threshold on being one; None if the moves do not depend on it."""
    box: npt.NDArray[np.int8] | None
    """[sheet]: the Joker box, an index into `BOXES`; None if the moves do not depend on it."""
    move: npt.NDArray[np.int16]
    """[sheet, rolls left, roll]: an index into `moves`."""

    @property
    def moves(self) -> list[str]:
        """All moves as text: keeps, categories, and categories scored as 0 although the dice would pay."""
        return move_texts(self.game)

    @property
    def dice(self) -> list[str]:
        """[roll]: the dice as text."""
        return [show_dice(dice) for dice in compile_game(self.game).lattice.rolls]

    def __len__(self) -> int:
        return self.move.size


def strategy_decisions(
    strategy: Strategy, open: tuple[int, int] | None = None, progress: Progress | None = None
) -> Decisions:
    """The decisions of a strategy on all sheets with some numbers of open categories, by default all.

    open: the least and the most. Progress counts sheets.
    """
    planned, layers = _checked(strategy, open)
    game, compiled = strategy.game, compile_game(strategy.game)
    if planned.depends_on is DependsOn.FILLED:
        filled = np.concatenate([filled_sets(compiled.states, layer) for layer in layers])
        return Decisions(game, strategy.name, filled, None, None, _moves(planned, filled, filled, progress))
    state, upper, box = state_rows(compiled, layers)
    filled, joker_box = compiled.states.filled(state), None if game.joker is None else box
    return Decisions(game, strategy.name, filled, upper, joker_box, _moves(planned, state, filled, progress))


def check_decisions(strategy: Strategy, open: tuple[int, int] | None = None) -> int:
    """The number of decisions; refuses a strategy that cannot be written, and too many decisions."""
    planned, layers = _checked(strategy, open)
    return sum(_per_layer(planned)[layer] for layer in layers)


def _checked(strategy: Strategy, open: tuple[int, int] | None) -> tuple[PlannedStrategy, range]:
    game, most, planned = strategy.game, len(strategy.game.categories), strategy.planned
    low, high = open or (1, most)
    if not 1 <= low <= high <= most:
        raise InputError(
            "{game}: {low}-{high} is not a range of open categories; there are 1 to {most}",
            game=game.id,
            low=low,
            high=high,
            most=most,
        )
    if planned is None or planned.aims > 1:
        raise InputError(
            "{strategy}: its moves depend on more than the sheet, the dice and the rolls left; the decisions"
            " of expected, exp and greedy can be written, for example",
            strategy=strategy.name,
        )
    rows, layers = _per_layer(planned), range(most - high, most - low + 1)
    fits = next((n for n in range(most, 0, -1) if sum(rows[most - n :]) <= MOST_ROWS), 0)
    hint = Message("; choose open categories, such as 1-{most}", most=fits) if fits else ""
    check_rows(game, sum(rows[layer] for layer in layers), hint)
    return planned, layers


def _per_layer(strategy: PlannedStrategy) -> list[int]:
    """[filled categories]: the number of decisions."""
    game, compiled = strategy.game, compile_game(strategy.game)
    layers = [range(layer, layer + 1) for layer in range(len(game.categories))]
    if strategy.depends_on is DependsOn.FILLED:
        sheets = [len(filled_sets(compiled.states, layer.start)) for layer in layers]
    else:
        sheets = [count_rows(compiled, layer) for layer in layers]
    return [count * game.rolls * len(compiled.lattice.rolls) for count in sheets]


def _moves(
    strategy: PlannedStrategy, key: npt.NDArray[np.int64], filled: npt.NDArray[np.int64], progress: Progress | None
) -> npt.NDArray[np.int16]:
    """[sheet, rolls left, roll]; key: the filled categories or the state, whatever the strategy depends on."""
    game, compiled = strategy.game, compile_game(strategy.game)
    wanted, which = np.unique(key, return_inverse=True)
    layer = np.empty(len(wanted), np.int64)
    layer[which] = np.bitwise_count(filled)
    found = np.empty((len(wanted), game.rolls, len(compiled.lattice.rolls)), np.int16)
    for number in np.unique(layer).tolist():
        rows = np.flatnonzero(layer == number)
        first = 0 if strategy.depends_on is DependsOn.FILLED else int(compiled.states.layer_start[number])
        for begin in range(0, len(rows), STEP):
            piece = rows[begin : begin + STEP]
            plans = strategy.plans(number, wanted[piece] - first)
            keep, place = plans.keep[:, :, 0], plans.place[:, 0]
            found[piece, 0] = _scored(game, place)
            found[piece, 1:] = np.where(keep >= 0, keep, _scored(game, np.where(keep < 0, ~keep, place[:, None])))
            if progress is not None:
                progress(int(piece[-1]) + 1, len(wanted))
    return found[which]


def _scored(game: Game, place: npt.NDArray[np.int16]) -> npt.NDArray[np.int16]:
    """Outcomes as indices into `move_texts`."""
    code = choice_code(game).categories(place).astype(np.int16)
    keeps, categories = len(compile_game(game).lattice.keeps), len(game.categories)
    return np.asarray(keeps + code % STRUCK + categories * (code >= STRUCK), np.int16)


def check_decisions_file(path: str | Path) -> str:
    """The format of a file of decisions; refuses one that cannot be written."""
    return check_output(path, Message("decisions are"))


def write_decisions(found: Decisions, path: str | Path) -> None:
    """Write a Parquet file with one row per decision, or a NumPy file with the arrays of `Decisions`."""
    game, suffix = found.game, check_decisions_file(path)
    said = about("decisions", game, len(found), strategy=found.strategy, categories=list(game.category_index))
    if suffix == NUMPY:
        sheet = {"filled": found.filled, "upper": found.upper, "box": found.box}
        arrays = {name: array for name, array in sheet.items() if array is not None}
        texts = {"dice": np.array(found.dice), "moves": np.array(found.moves)}
        write_numpy(path, {**arrays, "move": found.move, **texts}, said)
        return
    import polars as pl  # optional, and slow to import

    sheets, rolls_left, rolls = found.move.shape
    row = np.repeat(np.arange(sheets, dtype=np.uint32), rolls_left * rolls)
    columns = pl.DataFrame(sheet_columns(game, found.filled, found.upper, found.box))[row].to_dict()
    columns["rolls_left"] = pl.Series(np.tile(np.repeat(np.arange(rolls_left, dtype=np.int8), rolls), sheets))
    columns["dice"] = text_column(found.dice, np.tile(np.arange(rolls), sheets * rolls_left))
    columns["move"] = text_column(found.moves, found.move.ravel())
    write_parquet(path, columns, said)
