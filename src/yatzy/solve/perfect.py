"""The chance of a perfect game: how often the highest final score there is can be made, as an exact fraction.

With the states of model/states.py, let M be the most points still to come and F the best chance to make them all:

    M(s) = 0 when all categories are filled, else the most of p + M(s after) over all rolls and placements
    F(s) = 1 when all categories are filled, else
    F(s) = mean over first rolls of the best of: keep and roll again, or score p in a category:
           F(s after) where p + M(s after) = M(s), nothing elsewhere

with bonuses counted in p. Placements of the first kind are *perfect*; only states that they lead to from the start
matter, 2^15 for Yatzy. A perfect game then has the chance F(start).

Nothing is ever divided: with n dice, F is an integer over faces^(n · rolls) for every turn to come. With sums for
means, one reroll is

    total[K] = sum over faces d of total[K + d]                         in units of 1 / faces^(n - |K|)
    best[K]  = max(faces^|K| · total[K], best[K - d] for d in K)        in units of 1 / faces^n

Integers of hundreds of digits are slow, so few of them are touched. What a turn is worth depends only on which of the
values F(s after) each roll ends in, and not on what the faces are called. States of a layer that agree in this up to
the names of the faces are worked out once, and in a state that does not tell some faces apart, only one of the keeps
that become each other by renaming those.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import groupby
from math import factorial, prod
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from yatzy.errors import InputError, SizeError
from yatzy.games import Dice, Game
from yatzy.games.rules import is_joker_roll
from yatzy.model import CompiledGame, Lattice, compile_game
from yatzy.model.placing import joker_context
from yatzy.model.states import BOX_EMPTY, BOX_OPEN, BOX_PAYS, NO_STATE

MAX_WORK = 2**31
"""Perfect states times keeps that are taken on: Maxi Yatzy has 2^30 and needs some minutes."""
CELLS = 2**20
"""Rolls times states that are looked at together."""
BATCH = 64
"""Turns worked out together: enough to forget the cost of a call, few enough for the cache."""

Progress: TypeAlias = Callable[[int, int], None]
"""Told the states done and the states there are."""
IntArray: TypeAlias = npt.NDArray[np.int64]
ExactArray: TypeAlias = npt.NDArray[np.object_]
"""An array of Python integers, which have no largest one."""
Most: TypeAlias = Callable[[IntArray], IntArray]
"""M of some states."""


@dataclass(frozen=True, slots=True)
class Perfect:
    """The highest final score of a game and the chance to make it when nothing else counts."""

    game: Game
    score: int
    probability: Fraction
    states: int
    """States that can occur in a perfect game, the end included."""

    def digits(self, n: int) -> str:
        """The probability with n digits after the point, rounded half up."""
        if n < 1:
            raise InputError(f"digits: {n} is not 1 or more")
        numerator, denominator = self.probability.as_integer_ratio()
        text = decimal_text((2 * numerator * 10**n + denominator) // (2 * denominator)).rjust(n + 1, "0")
        return f"{text[:-n]}.{text[-n:]}"


def decimal_text(number: int) -> str:
    """A whole number from 0 on in decimal, also where Python refuses to write so many digits."""
    piece = 10**4000
    pieces = []
    while number >= piece:
        number, low = divmod(number, piece)
        pieces.append(str(low).rjust(4000, "0"))
    return str(number) + "".join(reversed(pieces))


def maximum_score(game: Game) -> int:
    """The highest final score that can be made."""
    return int(_most_to_come(compile_game(game))(_start())[0])


def perfect_chance(game: Game, progress: Progress | None = None) -> Perfect:
    """The exact probability that the strategy best at it makes the highest final score."""
    compiled = compile_game(game)
    most = _most_to_come(compiled)
    layers = _perfect_layers(compiled, most)
    states, done = sum(map(len, layers)), 1
    values = np.array([1], object)
    for here, after in zip(layers[-2::-1], layers[:0:-1], strict=True):
        if progress is not None:
            progress(done, states)
        values = _layer_values(compiled, most, here, after, values)
        done += len(here)
    if progress is not None:
        progress(done, states)
    scale = game.faces ** (game.dice * game.rolls * len(game.categories))
    return Perfect(game, int(most(_start())[0]), Fraction(values[0], scale), states)


def _start() -> IntArray:
    """The state in which nothing is filled, the first of all."""
    return np.zeros(1, np.int64)


# --- What may follow a state -----------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Piece:
    """Some states of one layer and what their rows (model/placing.py) lead to."""

    to: IntArray
    """[row, state]: the state that follows, NO_STATE where the category is closed."""
    gain: IntArray
    """[row, state]: the points that the row pays by itself: those of upper categories, the bonus included."""
    context: IntArray
    """[face, state]: the Joker context of equal dice."""


def _pieces(compiled: CompiledGame, states: IntArray) -> Iterator[tuple[slice, _Piece]]:
    step = max(1, CELLS // len(compiled.lattice.rolls))
    for low in range(0, len(states), step):
        part = slice(low, low + step)
        yield part, _piece(compiled, states[part])


def _coordinates(compiled: CompiledGame, states: IntArray) -> tuple[IntArray, IntArray, IntArray, IntArray]:
    """Upper class, box, size of the rest and rank in the block."""
    index = compiled.states
    block = np.searchsorted(index.block_start, states, side="right") - 1
    u, box, size = index.block[block].astype(np.int64).T
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
    lower_open = (size < len(compiled.states.rest.categories)) | (box == BOX_OPEN)
    bits = [1 << game.upper_of_face[f] if f in game.upper_of_face else 0 for f in range(1, game.faces + 1)]
    upper_open = [(compiled.upper.filled[u] & bit == 0) & (bit > 0) for bit in bits]
    number = np.vectorize(joker_context, otypes=[np.int64])
    return np.stack([number(box, is_open, lower_open) for is_open in upper_open])


@cache
def _plain_moves(compiled: CompiledGame) -> tuple[tuple[IntArray, int, int], ...]:
    """(rolls, row, points beside those of the row) for all rolls that are no Joker."""
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
    """(rolls, states of the piece, row, points beside those of the row) for everything that may be filled."""
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
    """(rolls, states of the piece, the states that follow, the most that makes in all)."""
    for rolls, members, row, points in _moves(compiled, piece):
        members = members[piece.to[row, members] >= 0]
        if len(members):
            to = piece.to[row, members]
            yield rolls, members, to, points + piece.gain[row, members] + most(to)


# --- The most points to come, and the states of a perfect game --------------------------------------------------------


def _most_to_come(compiled: CompiledGame) -> Most:
    """M. Without a Joker nothing but the upper sum ties categories together, and M is a sum of two halves."""
    if compiled.game.joker is not None:
        return _most_with_joker(compiled).__getitem__
    upper, rest = compiled.upper, compiled.states.rest
    upper_most = np.zeros(len(upper), np.int64)
    for u in range(len(upper) - 1, -1, -1):  # classes with more filled categories stand behind
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


@cache
def _most_with_joker(compiled: CompiledGame) -> IntArray:
    """[state]: M, where the order of the categories decides which rolls are Jokers."""
    index = compiled.states
    table = np.zeros(len(index), np.int64)
    for layer in range(index.layers - 2, -1, -1):
        low, high = index.layer_start[layer : layer + 2]
        here = table[low:high]
        for part, piece in _pieces(compiled, np.arange(low, high)):
            best = here[part]
            for _, members, _, points in _open_moves(compiled, piece, table.__getitem__):
                best[members] = np.maximum(best[members], points)
    return table


def _perfect_moves(
    compiled: CompiledGame, most: Most, states: IntArray
) -> Iterator[tuple[slice, list[tuple[IntArray, IntArray, IntArray]]]]:
    """By parts of the states: (rolls, states of the part, the states that follow) of all perfect placements."""
    for part, piece in _pieces(compiled, states):
        wanted = most(states[part])
        moves = []
        for rolls, members, to, points in _open_moves(compiled, piece, most):
            perfect = points == wanted[members]
            if perfect.any():
                moves.append((rolls, members[perfect], to[perfect]))
        yield part, moves


def _perfect_layers(compiled: CompiledGame, most: Most) -> list[IntArray]:
    """[layer]: the states that perfect placements lead to from the start, ascending."""
    layers = [_start()]
    count, keeps = 1, len(compiled.lattice.keeps)
    for _ in compiled.game.categories:
        after = [to for _, moves in _perfect_moves(compiled, most, layers[-1]) for _, _, to in moves]
        layers.append(np.unique(np.concatenate(after)))
        count += len(layers[-1])
        if count * keeps > MAX_WORK:
            raise SizeError(
                f"{compiled.game.id} is too large for exact fractions: a perfect game of it can pass through"
                f" {count:,} states or more with {keeps:,} keeps each, the limit is {MAX_WORK // keeps:,} states"
            )
    return layers


# --- The chance to make them ------------------------------------------------------------------------------------------


def _layer_values(
    compiled: CompiledGame, most: Most, here: IntArray, after: IntArray, values: ExactArray
) -> ExactArray:
    """F of the states `here` in units of one turn more, from `values`, F of the states `after`."""
    known = [0, *sorted(set(values))]
    rank_of = {value: rank for rank, value in enumerate(known)}
    ranks = np.array([rank_of[value] for value in values], np.int32)
    columns: dict[bytes, int] = {}
    joined: list[bytes] = []
    column_of = np.empty(len(here), np.int64)
    for part, moves in _perfect_moves(compiled, most, here):
        ends = np.zeros((len(here[part]), len(compiled.lattice.rolls)), np.int32)  # [state, roll]: rank of F after
        for rolls, members, to in moves:
            cells = np.ix_(members, rolls)
            ends[cells] = np.maximum(ends[cells], ranks[np.searchsorted(after, to)][:, None])
        ends = _in_face_order(compiled.lattice, ends)
        alike = _alike_neighbours(compiled.lattice, ends)
        for i in range(len(ends)):
            column_of[part.start + i] = columns.setdefault(ends[i].tobytes(), len(columns))
            if len(joined) < len(columns):
                joined.append(alike[i].tobytes())
    solved = _turn_values(compiled, np.array(known, object), list(columns), joined)
    return np.asarray(solved[column_of])


def _turn_values(compiled: CompiledGame, known: ExactArray, columns: list[bytes], joined: list[bytes]) -> ExactArray:
    """[column]: the value before a turn that ends in `known` values as the column says for each roll."""
    solved = np.empty(len(columns), object)
    order = sorted(range(len(columns)), key=joined.__getitem__)
    for alike, group in groupby(order, key=joined.__getitem__):
        lattice = _quotient(compiled.lattice, alike)
        members = list(group)
        for low in range(0, len(members), BATCH):
            batch = members[low : low + BATCH]
            ends = np.stack([np.frombuffer(columns[c], np.int32)[lattice.rolls] for c in batch], axis=1)
            solved[batch] = _solve_turns(lattice, compiled.game, known[ends])
    return solved


def _solve_turns(lattice: _Quotient, game: Game, roll: ExactArray) -> ExactArray:
    """[turn]: the value before each turn from that of each roll [roll, turn] when no roll is left."""
    keep = np.empty((len(lattice.parent), roll.shape[1]), object)
    for _ in range(game.rolls - 1):
        keep[lattice.levels[-1]] = roll
        for level in reversed(lattice.levels[:-1]):
            keep[level] = sum(keep[child] for child in lattice.child[level].T)
        for size, level in enumerate(lattice.levels):
            best = keep[level] * game.faces**size
            for parent in lattice.parent[level, : min(size, game.faces)].T:
                best = np.maximum(best, keep[parent])
            keep[level] = best
        roll = keep[lattice.levels[-1]]
    return np.asarray((roll * lattice.ways[:, None]).sum(axis=0))


# --- Faces by other names ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Quotient:
    """The dice lattice where some faces are not told apart: one keep for all that renaming these makes of it."""

    rolls: IntArray
    """[roll]: its place among all rolls."""
    ways: ExactArray
    """[roll]: in how many ways it, or one that counts as it, can fall."""
    child: IntArray
    """[keep with fewer than n dice, face]: the keep with one die of that face more."""
    parent: IntArray
    """[keep, slot]: the keeps with one die less, padded with the keep itself."""
    levels: tuple[slice, ...]
    """The keeps of 0, 1, … n dice."""


@cache
def _quotient(lattice: Lattice, alike: bytes) -> _Quotient:
    """The lattice where face i + 1 and face i + 2 are not told apart if `alike[i]` is set."""
    runs = _runs(alike)
    leader = np.array([lattice.index[_leading(keep, runs)] for keep in lattice.keeps])
    chosen = np.unique(leader)
    place = np.searchsorted(chosen, leader)  # [keep of the lattice]: keep of the quotient
    ends = [int(np.searchsorted(chosen, level.stop)) for level in lattice.levels]
    first = ends[-2] if len(ends) > 1 else 0
    ways = np.zeros(len(chosen), object)
    np.add.at(ways, place[lattice.first_roll :], [_ways(roll) for roll in lattice.rolls])
    return _Quotient(
        rolls=chosen[first:] - lattice.first_roll,
        ways=ways[first:],
        child=place[lattice.child[chosen[:first]]],
        parent=place[lattice.padded_parent[chosen]],
        levels=tuple(slice(a, b) for a, b in zip([0, *ends], ends, strict=False)),
    )


def _runs(alike: bytes) -> list[list[int]]:
    runs = [[1]]
    for face, joined in enumerate(alike, start=2):
        if joined:
            runs[-1].append(face)
        else:
            runs.append([face])
    return runs


def _leading(keep: Dice, runs: list[list[int]]) -> Dice:
    """The keep that stands for all that become this one by renaming faces inside the runs."""
    counts = [sorted((keep.count(face) for face in run), reverse=True) for run in runs]
    return tuple(
        face for run, row in zip(runs, counts, strict=True) for face, n in zip(run, row, strict=True) for _ in range(n)
    )


def _ways(dice: Dice) -> int:
    """In how many orders the dice can fall."""
    return factorial(len(dice)) // prod(factorial(dice.count(face)) for face in set(dice))


def _in_face_order(lattice: Lattice, ends: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
    """`ends` [state, roll] with the faces of each state renamed so that what they are good for ascends."""
    count = _face_counts(lattice)
    noise = _scramble(ends.astype(np.uint64))
    worth = np.stack([noise @ _scramble(row + np.uint64(1)) for row in count], axis=1)
    order = np.argsort(worth, axis=1, kind="stable")
    result = np.empty_like(ends)
    orders, which = np.unique(order, axis=0, return_inverse=True)
    for i, faces in enumerate(orders):
        members = np.flatnonzero(which == i)
        result[members] = ends[np.ix_(members, _renamed(lattice, tuple(faces.tolist())))]
    return result


def _alike_neighbours(lattice: Lattice, ends: npt.NDArray[np.int32]) -> npt.NDArray[np.uint8]:
    """[state, i]: whether it makes no difference to the state when face i + 1 and face i + 2 change places."""
    alike = np.empty((len(ends), lattice.faces - 1), np.uint8)
    for i in range(lattice.faces - 1):
        faces = list(range(lattice.faces))
        faces[i], faces[i + 1] = i + 1, i
        alike[:, i] = (ends == ends[:, _renamed(lattice, tuple(faces))]).all(axis=1)
    return alike


@cache
def _face_counts(lattice: Lattice) -> npt.NDArray[np.uint64]:
    """[face, roll]: how many dice show it."""
    faces = range(1, lattice.faces + 1)
    return np.array([[roll.count(face) for roll in lattice.rolls] for face in faces], np.uint64)


@cache
def _renamed(lattice: Lattice, faces: tuple[int, ...]) -> IntArray:
    """[roll]: the roll in which faces[i] + 1 takes the place of i + 1."""
    rolls = (tuple(sorted(faces[die - 1] + 1 for die in roll)) for roll in lattice.rolls)
    return np.array([lattice.index[roll] - lattice.first_roll for roll in rolls])


def _scramble(numbers: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """Numbers without pattern, so that sums of them are equal where all terms are, and hardly ever else."""
    mixed = numbers * np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
    return np.asarray(mixed ^ (mixed >> np.uint64(32)))
