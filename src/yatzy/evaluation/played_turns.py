"""Played turns as arrays with one row per turn, and the conversion of whole games to such rows."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from yatzy.errors import InputError, Message
from yatzy.games import Game, keeps_of, show_dice
from yatzy.games.rules import is_joker_roll
from yatzy.model import CompiledGame, Lattice, compile_game
from yatzy.model.states import BOX_EMPTY, BOX_PAYS
from yatzy.strategies.outcomes import joker_contexts, joker_table, outcome_table, strike_outcomes

IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class PlayedTurns:
    """Turns of single players, one row each."""

    state: npt.NDArray[np.int64]
    """[row]: the state before the turn; see `StateIndex.find`."""
    made: npt.NDArray[np.int32]
    """[row]: the points scored before it, bonuses included."""
    rolls: npt.NDArray[np.int16]
    """[row, roll]: all dice after each roll, as indices into `Lattice.rolls`."""
    keeps: npt.NDArray[np.int16]
    """[row, roll but the last]: the keeps, as indices into `Lattice.keeps`; all dice once the turn was over."""
    category: npt.NDArray[np.int8]
    """[row]: the category filled."""
    struck: BoolArray
    """[row]: whether 0 was scored although the dice may pay."""

    def __len__(self) -> int:
        return len(self.state)


def outcomes(compiled: CompiledGame, turns: PlayedTurns) -> npt.NDArray[np.int16]:
    """[row]: the outcome (model/placing.py) of each turn; NO_OUTCOME where a Joker rule forbids it."""
    category, roll = turns.category.astype(np.intp), turns.rolls[:, -1]
    found = np.where(turns.struck, strike_outcomes(compiled)[category], outcome_table(compiled)[roll, category])
    equal = _joker_faces(compiled)[roll]
    rows = np.flatnonzero(equal > 0)
    if len(rows):
        face = equal[rows] - 1
        context = joker_contexts(compiled, turns.state[rows])[np.arange(len(rows)), face]
        found[rows] = joker_table(compiled)[context, face, category[rows]]
    return np.asarray(found, np.int16)


def category_outcomes(compiled: CompiledGame, turns: PlayedTurns) -> npt.NDArray[np.int16]:
    """[row, category]: the outcome of scoring the last dice in each category; NO_OUTCOME if not allowed."""
    return last_outcomes(compiled, turns.state, turns.rolls[:, -1])


def last_outcomes(compiled: CompiledGame, state: IntArray, roll: npt.NDArray[np.int16]) -> npt.NDArray[np.int16]:
    """[row, category]: the outcome of scoring these dice in each category; NO_OUTCOME if not allowed."""
    found = outcome_table(compiled)[roll]
    equal = _joker_faces(compiled)[roll]
    rows = np.flatnonzero(equal > 0)
    if len(rows):
        face = equal[rows] - 1
        context = joker_contexts(compiled, state[rows])[np.arange(len(rows)), face]
        found[rows] = joker_table(compiled)[context, face]
    return np.asarray(found, np.int16)


@lru_cache(maxsize=16)
def keeps_by_roll(lattice: Lattice) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int16]]:
    """The possible keeps of each roll, in the order of `legal_moves`: the start index of each roll, and all keeps."""
    found = [[lattice.index[keep] for keep in keeps_of(dice)] for dice in lattice.rolls]
    start = np.cumsum([0, *map(len, found)], dtype=np.int32)
    return start, np.array([place for places in found for place in places], np.int16)


def _joker_faces(compiled: CompiledGame) -> npt.NDArray[np.int64]:
    """[roll]: the face of equal dice under a Joker rule, 0 for other rolls."""
    return np.array([dice[0] if is_joker_roll(compiled.game, dice) else 0 for dice in compiled.lattice.rolls])


def check_turns(compiled: CompiledGame, turns: PlayedTurns) -> None:
    """Refuse arrays that are not legal turns of the game, naming the first wrong row."""
    game, lattice, states = compiled.game, compiled.lattice, compiled.states
    rows, top = len(turns), int(states.layer_start[-2])
    shapes = {"state": (rows,), "made": (rows,), "rolls": (rows, game.rolls), "keeps": (rows, game.rolls - 1),
              "category": (rows,), "struck": (rows,)}  # fmt: skip
    for name, shape in shapes.items():
        if getattr(turns, name).shape != shape:
            raise InputError(
                "{name}: the shape is {shape}, but should be {right} in {game}",
                name=name,
                shape=getattr(turns, name).shape,
                right=shape,
                game=game.id,
            )
    most = {"state": top - 1, "made": 2**31 - 1, "rolls": len(lattice.rolls) - 1, "keeps": len(lattice.keeps) - 1,
            "category": len(game.categories) - 1}  # fmt: skip
    for name, limit in most.items():
        array = getattr(turns, name)
        wrong: BoolArray = (array < 0) | (array > limit)
        if wrong.any():
            raise InputError(
                "{name}: {number} in row {row} is not from 0 to {limit:,}",
                name=name,
                number=array[wrong][0],
                row=_first(wrong),
                limit=limit,
            )
    _check_keeps(lattice, turns)
    _check_categories(compiled, turns)


def _check_keeps(lattice: Lattice, turns: PlayedTurns) -> None:
    counts = _face_counts(lattice)
    kept = counts[turns.keeps]
    for number, what in (
        (0, Message("cannot be kept from")),
        (1, Message("is not left in")),
    ):
        dice = turns.rolls[:, number : number + turns.keeps.shape[1]]
        wrong = np.any(kept > counts[lattice.first_roll + dice.astype(np.intp)], axis=2)
        if wrong.any():
            keep, roll = lattice.keeps[turns.keeps[wrong][0]], lattice.rolls[dice[wrong][0]]
            raise InputError(
                "keeps: {keep} {what} {roll} in row {row}",
                keep=show_dice(keep),
                what=what,
                roll=show_dice(roll),
                row=_first(wrong),
            )


def _check_categories(compiled: CompiledGame, turns: PlayedTurns) -> None:
    game = compiled.game
    filled = compiled.states.filled(turns.state)
    wrong = (filled >> turns.category & 1 > 0) | (outcomes(compiled, turns) < 0)
    if game.forced_order:
        wrong |= filled != (np.int64(1) << turns.category) - 1
    if wrong.any():
        id = game.categories[turns.category[wrong][0]].id
        raise InputError("category: {category} may not be filled in row {row}", category=id, row=_first(wrong))
    wrong = turns.struck & (_joker_faces(compiled)[turns.rolls[:, -1]] > 0)
    if wrong.any():
        raise InputError("struck: the Joker rule forbids it in row {row}", row=_first(wrong))


def _first(wrong: BoolArray) -> int:
    return int(np.argwhere(wrong)[0, 0])


@lru_cache(maxsize=16)
def _face_counts(lattice: Lattice) -> npt.NDArray[np.int8]:
    """[keep, face - 1]: the number of dice that show the face."""
    return np.array([[keep.count(face) for face in range(1, lattice.faces + 1)] for keep in lattice.keeps], np.int8)


def turns_of_games(
    game: Game, rolls: npt.NDArray[np.int16], keeps: npt.NDArray[np.int16], category: npt.NDArray[np.int8],
    points: npt.NDArray[np.int16], joker: npt.NDArray[np.int16], struck: BoolArray,
) -> PlayedTurns:  # fmt: skip
    """Whole games as rows, game by game and turn by turn, with the state and the points before each turn.

    All arrays start with the axes [game, turn]. points: those scored; joker: the Joker bonus in addition.
    """
    rows = category.size
    return PlayedTurns(
        states_before(compile_game(game), category, points).ravel(),
        points_before(game, category, points, joker).ravel(),
        rolls.reshape(rows, game.rolls),
        keeps.reshape(rows, game.rolls - 1),
        category.ravel(),
        struck.ravel(),
    )


def points_before(
    game: Game, category: npt.NDArray[np.int8], points: npt.NDArray[np.int16], joker: npt.NDArray[np.int16]
) -> npt.NDArray[np.int32]:
    """[game, turn]: the points scored before each turn, bonuses included."""
    upper = np.cumsum(points * np.isin(category, game.upper_categories), axis=1, dtype=np.int32)
    after = np.cumsum(points, axis=1, dtype=np.int32) + np.cumsum(joker, axis=1, dtype=np.int32)
    if game.bonus:
        after += np.int32(game.bonus.points) * (upper >= game.bonus.threshold)
    return np.hstack([np.zeros_like(after[:, :1]), after[:, :-1]])


def states_before(
    compiled: CompiledGame, category: npt.NDArray[np.int8], points: npt.NDArray[np.int16]
) -> npt.NDArray[np.int64]:
    """[game, turn]: the state before each turn."""
    game, index = compiled.game, compiled.states
    games, turns = category.shape
    slot, face, rest = _category_places(compiled)
    by_mask = np.argsort(index.rest.mask)
    masks, size_of = index.rest.mask[by_mask], np.bitwise_count(index.rest.mask[by_mask])
    rank_of = by_mask - index.rest.first[size_of]
    upper, box, mask = np.full(games, index.upper.find(0, 0)), np.zeros(games, np.intp), np.zeros(games, np.int64)
    state = np.empty((games, turns), np.int64)
    for turn in range(turns):
        at = np.searchsorted(masks, mask)
        state[:, turn] = index.start[upper, box, size_of[at]] + rank_of[at]
        filled, written = category[:, turn].astype(np.intp), points[:, turn]
        for_upper = slot[filled] >= 0
        count = written[for_upper] // face[filled[for_upper]]
        upper[for_upper] = index.upper.next[upper[for_upper], slot[filled[for_upper]], count]
        mask |= np.where(rest[filled] >= 0, np.int64(1) << np.maximum(rest[filled], 0), 0)
        if game.joker_box is not None:
            box = np.where(filled == game.joker_box, np.where(written > 0, BOX_PAYS, BOX_EMPTY), box)
    return state


def _category_places(compiled: CompiledGame) -> tuple[IntArray, IntArray, IntArray]:
    """By category: its index in the upper part, its face, and its index in the rest; -1 for none."""
    game, places = compiled.game, np.full((3, len(compiled.game.categories)), -1, np.int64)
    places[0, list(game.upper_categories)] = np.arange(len(game.upper_categories))
    for face, category in game.upper_of_face.items():
        places[1, category] = face
    places[2, list(compiled.states.rest.categories)] = np.arange(len(compiled.states.rest.categories))
    return places[0], places[1], places[2]
