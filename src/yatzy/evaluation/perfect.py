"""The chance of a perfect game: the exact probability of the highest possible final score, as a fraction.

For the states of model/states.py, let M be the most points still to come and F the best chance of scoring all of them:

    M(s) = 0 when all categories are filled, else the maximum of p + M(s after) over all rolls and placements
    F(s) = 1 when all categories are filled, else
    F(s) = mean over first rolls of the best of: keep and roll again, or score p in a category:
           F(s after) if p + M(s after) = M(s), otherwise 0

with bonuses included in p. Placements of the first kind are *perfect*; only states that they reach from the start
matter, 2^15 for Yatzy. A perfect game then has the chance F(start).

No division is needed: with n dice, F is an integer divided by faces^(n · rolls) for every turn to come. With sums
instead of means, one reroll is

    total[K] = sum over faces d of total[K + d]                         in units of 1 / faces^(n - |K|)
    best[K]  = max(faces^|K| · total[K], best[K - d] for d in K)        in units of 1 / faces^n

Such integers are slow, so no turn is computed twice: its value depends only on which of the values F(s after) each roll
ends in, its *outcome*, and not on the labels of the faces.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import comb, factorial, prod
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from yatzy.errors import InputError, SizeError
from yatzy.games import Game
from yatzy.games.rules import is_joker_roll
from yatzy.model import CompiledGame, Lattice, compile_game
from yatzy.model.placing import joker_context
from yatzy.model.states import BOX_EMPTY, BOX_OPEN, BOX_PAYS, NO_STATE

MAX_STATES = 2**21
"""Limit on the states of a perfect game."""
MAX_STEPS = 2**35
"""Limit on these states times edges of the dice lattice times rolls: twice Maxi Yatzy, which takes 5 to 10 minutes."""
PIECE = 2**13
"""States processed together if rolls do not matter."""
CELLS = 2**20
"""Rolls times states processed together if they do."""
BATCH = 32
"""Turns computed together: enough to amortise the call overhead, few enough for the CPU cache."""

Progress: TypeAlias = Callable[[int, int], None]
"""Called with the number of states done and the total."""
IntArray: TypeAlias = npt.NDArray[np.int64]
Ranks: TypeAlias = npt.NDArray[np.int32]
ExactArray: TypeAlias = npt.NDArray[np.object_]
"""An array of Python integers, which are unbounded."""
Most: TypeAlias = Callable[[IntArray], IntArray]
"""M of some states."""


@dataclass(frozen=True, slots=True)
class Perfect:
    """The highest final score of a game and the best chance of reaching it."""

    game: Game
    score: int
    probability: Fraction
    states: int
    """States that can occur in a perfect game, including the end."""

    def digits(self, n: int) -> str:
        """The probability with n decimals, rounded half up."""
        if n < 1:
            raise InputError("digits: {digits} is not 1 or more", digits=n)
        numerator, denominator = self.probability.as_integer_ratio()
        text = decimal_text((2 * numerator * 10**n + denominator) // (2 * denominator)).rjust(n + 1, "0")
        return f"{text[:-n]}.{text[-n:]}"


def decimal_text(number: int) -> str:
    """A non-negative integer in decimal, without Python's limit on the number of digits."""
    piece = 10**4000
    pieces = []
    while number >= piece:
        number, low = divmod(number, piece)
        pieces.append(str(low).rjust(4000, "0"))
    return str(number) + "".join(reversed(pieces))


def maximum_score(game: Game) -> int:
    """The highest possible final score."""
    return int(_most_to_come(compile_game(game))(_start())[0])


def perfect_chance(game: Game, progress: Progress | None = None) -> Perfect:
    """The exact probability of the highest final score under the strategy that maximises it."""
    if game.joker is None and not game.forced_order:  # the order is free, so every set of categories occurs
        _refuse_if_more(game, 2 ** len(game.categories))
    compiled = compile_game(game)
    most = _most_to_come(compiled)
    layers = _perfect_layers(compiled, most)
    states, done = sum(map(len, layers)), len(layers[-1])
    rolls, values = len(compiled.lattice.rolls), np.full(done, 1, object)
    for here, after in zip(layers[-2::-1], layers[:0:-1], strict=True):
        known = np.array([0, *sorted(set(values))], object)
        outcomes, outcome_of = _outcomes(compiled, most, here, after, np.searchsorted(known, values))
        batches = []
        for low in range(0, len(outcomes), BATCH):
            if progress is not None:
                progress(done + len(here) * low // len(outcomes), states)
            ends = np.frombuffer(b"".join(outcomes[low : low + BATCH]), np.int32).reshape(-1, rolls)
            batches.append(_turn_values(compiled.lattice, game.rolls, known[ends.T]))
        values = np.concatenate(batches)[outcome_of]
        done += len(here)
    if progress is not None:
        progress(states, states)
    scale = game.faces ** (game.dice * game.rolls * len(game.categories))
    return Perfect(game, int(most(_start())[0]), Fraction(values[0], scale), states)


def _start() -> IntArray:
    """The state with nothing filled, which comes first."""
    return np.zeros(1, np.int64)


# --- Transitions of a state ------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Piece:
    """Some states of one layer and the states that their rows (model/placing.py) lead to."""

    to: IntArray
    """[row, state]: the following state, NO_STATE if the category is closed."""
    gain: IntArray
    """[row, state]: the points that belong to the row itself: those of upper categories, bonus included."""
    context: IntArray
    """[face, state]: the Joker context of equal dice."""


def _pieces(compiled: CompiledGame, states: IntArray, step: int) -> Iterator[tuple[slice, _Piece]]:
    for low in range(0, len(states), step):
        part = slice(low, low + step)
        yield part, _piece(compiled, states[part])


def _coordinates(compiled: CompiledGame, states: IntArray) -> tuple[IntArray, IntArray, IntArray, IntArray]:
    """Upper class, box, size of the rest and rank in the block."""
    index = compiled.states
    block = np.searchsorted(index.block_start, states, side="right") - 1
    u, box, size = np.moveaxis(index.block[block].astype(np.int64), -1, 0)
    return u, box, size, states - index.block_start[block]


def _piece(compiled: CompiledGame, states: IntArray) -> _Piece:
    index, upper, rows, game = compiled.states, compiled.upper, compiled.placing.rows, compiled.game
    u, box, size, rank = _coordinates(compiled, states)
    to = np.full((rows.zero, len(states)), NO_STATE, np.int64)
    gain = np.zeros((rows.zero, len(states)), np.int64)

    def lead(row: int, first: IntArray, offset: IntArray, able: npt.NDArray[np.bool_]) -> None:
        to[row] = np.where(able & (first >= 0), first + offset, NO_STATE)

    for row, (slot, count) in enumerate(np.ndindex(rows.slots, rows.per_slot)):
        class_after = upper.next[u, slot, count]
        lead(row, index.start[class_after, box, size], rank, class_after >= 0)
        gain[row] = upper.points[u, slot, count]
    larger = index.start[u, box, np.minimum(size + 1, len(index.rest.categories))]
    for q in range(len(index.rest.categories)):
        rank_after = index.rest.next[q, index.rest.first[size] + rank].astype(np.int64)
        lead(rows.rest + q, larger, rank_after, rank_after >= 0)
    if game.joker is not None:
        for row, status in ((rows.box_empty, BOX_EMPTY), (rows.box_pays, BOX_PAYS)):
            lead(row, index.start[u, status, size], rank, box == BOX_OPEN)
    return _Piece(to, gain, _joker_contexts(compiled, u, box, size))


def _joker_contexts(compiled: CompiledGame, u: IntArray, box: IntArray, size: IntArray) -> IntArray:
    game = compiled.game
    number = np.array(
        [[[joker_context(b, up, low) for low in (False, True)] for up in (False, True)] for b in range(3)]
    )
    lower_open = (size < len(compiled.states.rest.categories)) | (box == BOX_OPEN)
    bits = [1 << game.upper_of_face[f] if f in game.upper_of_face else 0 for f in range(1, game.faces + 1)]
    upper_open = [(compiled.upper.filled[u] & bit == 0) & (bit > 0) for bit in bits]
    return np.stack([number[box, is_open.astype(int), lower_open.astype(int)] for is_open in upper_open])


@lru_cache(maxsize=16)
def _plain_moves(compiled: CompiledGame) -> tuple[tuple[IntArray, int, int], ...]:
    """(rolls, row, points in addition to those of the row) for all rolls that are not Jokers."""
    game, rows, points = compiled.game, compiled.placing.rows, compiled.placing.points
    plain = np.array([not is_joker_roll(game, roll) for roll in compiled.lattice.rolls])
    sources = [
        *((rows.rest + q, i) for q, i in enumerate(compiled.states.rest.categories)),
        *([] if game.joker_box is None else [(rows.box_empty, game.joker_box)]),
    ]
    moves = [
        (np.flatnonzero(plain & (points[:, i] == p)), row, int(p))
        for row, i in sources
        for p in np.unique(points[:, i])
    ]
    face_of = {i: face for face, i in game.upper_of_face.items()}
    for row, (slot, count) in enumerate(np.ndindex(rows.slots, rows.per_slot)):
        i = game.upper_categories[slot]
        moves.append((np.flatnonzero(plain & (points[:, i] == face_of[i] * count)), row, 0))
    return tuple(move for move in moves if len(move[0]))


def _moves(compiled: CompiledGame, piece: _Piece) -> Iterator[tuple[IntArray, IntArray, int, int]]:
    """(rolls, states of the piece, row, points in addition to those of the row) for every possible placement."""
    everyone = np.arange(piece.to.shape[1])
    for rolls, row, points in _plain_moves(compiled):
        yield rolls, everyone, row, points
    if compiled.game.joker is None:
        return
    lattice, placing, faces = compiled.lattice, compiled.placing, compiled.game.faces
    for face in range(faces):
        roll = lattice.index[(face + 1,) * lattice.dice] - lattice.first_roll
        for context in np.unique(piece.context[face]):
            members = np.flatnonzero(piece.context[face] == context)
            entry = context * faces + face
            for term in range(placing.joker_start[entry], placing.joker_start[entry + 1]):
                yield np.array([roll]), members, int(placing.joker_row[term]), int(placing.joker_points[term])


def _open_moves(
    compiled: CompiledGame, piece: _Piece, most: Most
) -> Iterator[tuple[IntArray, IntArray, IntArray, IntArray]]:
    """(rolls, states of the piece, the following states, the maximum total of points this way)."""
    open_ = piece.to >= 0
    total = piece.gain + most(np.where(open_, piece.to, 0))
    for rolls, members, row, points in _moves(compiled, piece):
        members = members[open_[row, members]]
        if len(members):
            yield rolls, members, piece.to[row, members], points + total[row, members]


# --- Maximum points to come, and states of a perfect game -------------------------------------------------------------


def _most_to_come(compiled: CompiledGame) -> Most:
    """M. Without a Joker only the upper sum connects categories, and M is the sum of two halves."""
    if compiled.game.joker is not None:
        return _most_with_joker(compiled).__getitem__
    upper, rest = compiled.upper, compiled.states.rest
    upper_most = np.zeros(len(upper), np.int64)
    for u in range(len(upper) - 1, -1, -1):  # classes with more filled categories come later
        able = upper.next[u] >= 0
        if able.any():
            upper_most[u] = (upper.points[u] + upper_most[upper.next[u]])[able].max()
    rest_most = np.zeros(len(rest.mask), np.int64)
    for q, i in enumerate(rest.categories):
        rest_most[rest.mask >> q & 1 == 0] += compiled.placing.points[:, i].max()

    def most(states: IntArray) -> IntArray:
        u, _, size, rank = _coordinates(compiled, states)
        return np.asarray(upper_most[u] + rest_most[rest.first[size] + rank])

    return most


@lru_cache(maxsize=4)
def _most_with_joker(compiled: CompiledGame) -> IntArray:
    """[state]: M in a game where the order of the categories determines which rolls are Jokers."""
    index = compiled.states
    table = np.zeros(len(index), np.int64)
    for layer in range(index.layers - 2, -1, -1):
        low, high = index.layer_start[layer : layer + 2]
        here = table[low:high]
        for part, piece in _pieces(compiled, np.arange(low, high), PIECE):
            best = here[part]
            for _, members, _, points in _open_moves(compiled, piece, table.__getitem__):
                best[members] = np.maximum(best[members], points)
    return table


def _perfect_moves(
    compiled: CompiledGame, most: Most, states: IntArray
) -> Iterator[tuple[slice, list[tuple[IntArray, IntArray, IntArray]]]]:
    """By parts of the states: (rolls, states of the part, the following states) of all perfect placements."""
    for part, piece in _pieces(compiled, states, max(1, CELLS // len(compiled.lattice.rolls))):
        wanted = most(states[part])
        moves = []
        for rolls, members, to, points in _open_moves(compiled, piece, most):
            perfect = points == wanted[members]
            if perfect.any():
                moves.append((rolls, members[perfect], to[perfect]))
        yield part, moves


def _perfect_layers(compiled: CompiledGame, most: Most) -> list[IntArray]:
    """[layer]: the states that perfect placements reach from the start, ascending."""
    layers, count = [_start()], 1
    for _ in compiled.game.categories:
        after = [to for _, moves in _perfect_moves(compiled, most, layers[-1]) for _, _, to in moves]
        layers.append(np.unique(np.concatenate(after)))
        count += len(layers[-1])
        _refuse_if_more(compiled.game, count)
    return layers


def _refuse_if_more(game: Game, count: int) -> None:
    """Refuse a game with too many perfect states."""
    edges = comb(game.dice - 1 + game.faces, game.faces) * game.faces
    limit = min(MAX_STATES, MAX_STEPS // (edges * game.rolls))
    if count > limit:
        raise SizeError(
            "{game} is too large: perfect games of it pass through at least {count:,} states, the limit with"
            " {rolls} rolls of {dice} dice is {limit:,}",
            game=game.id,
            count=count,
            rolls=game.rolls,
            dice=game.dice,
            limit=limit,
        )


# --- The chance of a perfect game -------------------------------------------------------------------------------------


def _outcomes(
    compiled: CompiledGame, most: Most, here: IntArray, after: IntArray, rank: IntArray
) -> tuple[list[bytes], IntArray]:
    """The distinct outcomes of the states `here`, each an int32[roll], and [state]: the index of its outcome.

    An outcome gives, by `rank`, which of the values of the states `after` each roll ends in; 0 for none.
    """
    outcomes: dict[bytes, int] = {}
    outcome_of = np.empty(len(here), np.int64)
    for part, moves in _perfect_moves(compiled, most, here):
        ends = np.zeros((len(here[part]), len(compiled.lattice.rolls)), np.int32)  # [state, roll]
        for rolls, members, to in moves:
            cells = np.ix_(members, rolls)
            ends[cells] = np.maximum(ends[cells], rank[np.searchsorted(after, to)][:, None])
        for state, outcome in enumerate(_in_face_order(compiled.lattice, ends), start=part.start):
            outcome_of[state] = outcomes.setdefault(outcome.tobytes(), len(outcomes))
    return list(outcomes), outcome_of


def _turn_values(lattice: Lattice, rolls: int, roll: ExactArray) -> ExactArray:
    """[turn]: the value before each turn, from the value of each roll [roll, turn] with no rolls left."""
    keep = np.empty((len(lattice.keeps), roll.shape[1]), object)
    for _ in range(rolls - 1):
        keep[lattice.first_roll :] = roll
        for level in reversed(lattice.levels[:-1]):
            keep[level] = keep[lattice.child[level]].sum(axis=1)
        for size, level in enumerate(lattice.levels[1:], start=1):
            keep[level] *= lattice.faces**size
            for parent in lattice.padded_parent[level, :size].T:
                keep[level] = np.maximum(keep[level], keep[parent])
        roll = keep[lattice.first_roll :]
    return np.asarray((roll * _ways(lattice)[:, None]).sum(axis=0))


@lru_cache(maxsize=16)
def _ways(lattice: Lattice) -> ExactArray:
    """[roll]: the number of orders in which its dice can fall."""
    orders = factorial(lattice.dice)
    return np.array(
        [orders // prod(factorial(roll.count(face)) for face in set(roll)) for roll in lattice.rolls], object
    )


# --- Relabelling faces ------------------------------------------------------------------------------------------------


def _in_face_order(lattice: Lattice, ends: Ranks) -> Ranks:
    """`ends` [state, roll] with the faces of each state relabelled, so that states that differ only in labels agree.

    Faces are sorted by a sum over the rolls that does not depend on labels. If two different faces had the same sum,
    some equal states would be missed, but the result would still be correct.
    """
    noise = _scramble(ends)
    sums = np.stack([noise @ weight for weight in _face_weights(lattice)], axis=1)
    orders, which = np.unique(np.argsort(sums, axis=1, kind="stable"), axis=0, return_inverse=True)
    result = np.empty_like(ends)
    for i, faces in enumerate(orders):
        members = np.flatnonzero(which == i)
        result[members] = ends[np.ix_(members, _renamed(lattice, tuple(faces.tolist())))]
    return result


@lru_cache(maxsize=16)
def _face_weights(lattice: Lattice) -> npt.NDArray[np.uint64]:
    """[face, roll]: a hash of the number of dice that show the face."""
    faces = range(1, lattice.faces + 1)
    return _scramble(np.array([[roll.count(face) + 1 for roll in lattice.rolls] for face in faces]))


@lru_cache(maxsize=1024)
def _renamed(lattice: Lattice, faces: tuple[int, ...]) -> IntArray:
    """[roll]: the roll in which faces[i] + 1 replaces i + 1."""
    rolls = (tuple(sorted(faces[die - 1] + 1 for die in roll)) for roll in lattice.rolls)
    return np.array([lattice.index[roll] - lattice.first_roll for roll in rolls])


def _scramble(numbers: npt.NDArray[np.integer]) -> npt.NDArray[np.uint64]:
    """Hashes of 1, 2, …, whose sums hardly ever agree unless their terms do; 0 stays 0."""
    mixed = numbers.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
    return np.asarray(mixed ^ (mixed >> np.uint64(32)))
