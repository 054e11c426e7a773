"""Compile a game to arrays, and count its rolls, keeps, classes and states."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from functools import wraps
from threading import Lock
from typing import Any, Concatenate, ParamSpec, TypeVar

from yatzy.errors import Message, SizeError
from yatzy.games import Game
from yatzy.model.lattice import Lattice, dice_lattice
from yatzy.model.placing import Placing, place_rolls
from yatzy.model.states import StateIndex, index_states
from yatzy.model.upper import UpperClasses, most_upper_pairs, upper_classes

T = TypeVar("T")
P = ParamSpec("P")

MAX_STATES = 2**29
"""A table of expected scores has 8 bytes a state: 4 GiB."""
MAX_UPPER_PAIRS = 2**20
"""Pairs of upper set and upper sum. Compiling takes a second per 30,000 pairs and 1 kB per pair. Yatzy has 2,794."""
MAX_INDEX_BYTES = 2 * 2**30
"""The most memory that the state index may take."""
CACHED_BYTES = 128 * 2**20
"""Memory limit of the cache of compiled games; the last LEAST_CACHED games are always kept."""
LEAST_CACHED = 4


@dataclass(frozen=True, eq=False)
class CompiledGame:
    """Everything about a game that solvers need, in arrays."""

    game: Game
    lattice: Lattice
    upper: UpperClasses
    states: StateIndex
    placing: Placing
    derived: dict[Hashable, Any] = field(default_factory=dict, repr=False)
    """Cache of results derived from this game; see `kept_with_game`."""

    @property
    def bytes(self) -> int:
        """Approximate memory use."""
        upper, states, placing = self.upper, self.states, self.placing
        arrays = (upper.filled, upper.next, upper.points, states.start, states.block, states.block_start,
                  placing.points, placing.roll_row, placing.exact_row)  # fmt: skip
        return sum(array.nbytes for array in arrays) + states.rest.bytes + 200 * len(upper.index)


def kept_with_game(
    make: Callable[Concatenate[CompiledGame, P], T],
) -> Callable[Concatenate[CompiledGame, P], T]:
    """Decorator: cache the results of a function of a compiled game on the game, so that both are freed together."""

    @wraps(make)
    def kept(compiled: CompiledGame, /, *args: P.args, **kwargs: P.kwargs) -> T:
        key = (make, args)
        if key not in compiled.derived:
            compiled.derived[key] = make(compiled, *args, **kwargs)
        found: T = compiled.derived[key]
        return found

    return kept


@dataclass(frozen=True, slots=True)
class GameCounts:
    """The numbers of rolls, keeps, classes and states of a game."""

    rolls: int
    """Different rolls of all dice."""
    keeps: int
    """Different sets of kept dice, from none to all."""
    keep_roll_pairs: int
    """Pairs (keep, roll that contains it)."""
    turn_states: int
    """States within a turn: the dice after each roll, and the keep before each reroll."""
    upper_pairs: int
    """Pairs (set of filled upper categories, upper sum capped at the threshold)."""
    upper_pairs_reachable: int
    """Those pairs whose sum the filled categories can make."""
    upper_classes_unsettled: int
    """Pairs merged when they have the same future; "bonus won" and "out of reach" are separate classes."""
    upper_classes: int
    """The same, with "bonus won" and "out of reach" merged into one class."""
    rest_sets: int
    """Sets of filled lower categories, times the number of Joker box statuses."""
    states_plain: int
    """States between turns without any merging."""
    states_unsettled: int
    """The same with pairs merged to the classes of `upper_classes_unsettled`."""
    states: int
    """The same as it is solved, without states that cannot occur; a table has one value for each."""
    layers: int
    """The layers of states by the number of filled categories, from none to all."""
    turns: int
    """The turns of a game, one for each category."""


_compiled: OrderedDict[Game, CompiledGame] = OrderedDict()
_lock = Lock()


def compile_game(game: Game) -> CompiledGame:
    """Compile a game, with a cache of the most recently used ones. Raises SizeError if the game is too large."""
    with _lock:
        found = _compiled.get(game)
        if found is not None:
            _compiled.move_to_end(game)
            return found
    made = _compile(game)
    with _lock:
        found = _compiled.setdefault(game, made)  # if two threads compiled it, use the first result
        _compiled.move_to_end(game)
        held = sum(one.bytes for one in _compiled.values())
        while held > CACHED_BYTES and len(_compiled) > LEAST_CACHED:
            held -= _compiled.popitem(last=False)[1].bytes
    return found


def forget_compiled() -> None:
    """Clear the cache of compiled games, for benchmarks."""
    with _lock:
        _compiled.clear()


def _compile(game: Game) -> CompiledGame:
    refuse_to_compile(game, MAX_UPPER_PAIRS)
    upper = upper_classes(game)
    states = index_states(game, upper)
    if len(states) > MAX_STATES:
        raise SizeError(too_large(game, len(states), exactly=True))
    lattice = dice_lattice(game.dice, game.faces)
    return CompiledGame(game, lattice, upper, states, place_rolls(game, lattice, states.rest.categories))


def most_points(game: Game) -> int:
    """An upper bound for the final score of a game."""
    most = int(compile_game(game).placing.points.max(axis=0).sum()) + (game.bonus.points if game.bonus else 0)
    return most + (game.joker.points * (len(game.categories) - 1) if game.joker else 0)


def too_large(game: Game, states: int, *, exactly: bool) -> Message:
    """The error message for a game whose table would be too large."""
    return Message(
        "{game} is too large: its table would have {how} {states:,} states ({size:,.1f} GiB), the limit is {most:,}"
        " ({limit:,.0f} GiB)",
        game=game.id,
        how=Message("exactly") if exactly else Message("at least"),
        states=states,
        size=8 * states / 2**30,
        most=MAX_STATES,
        limit=8 * MAX_STATES / 2**30,
    )


def refuse_to_compile(game: Game, most_pairs: int) -> None:
    """Raise SizeError if compiling a game would take too much time or memory. The check itself is cheap."""
    least = len(game.categories) + 1 if game.forced_order else 2 ** len(game.categories)
    if least > MAX_STATES:  # every set of filled categories is at least one state
        raise SizeError(too_large(game, least, exactly=False))
    pairs = most_upper_pairs(game)
    if pairs > most_pairs:
        raise SizeError(
            "categories: {game} has {count} upper categories with up to {pairs:,} upper sums in all, and the"
            " most here is {most:,}; take fewer of them or a lower bonus threshold",
            game=game.id,
            count=len(game.upper_categories),
            pairs=pairs,
            most=most_pairs,
        )
    rest = len(game.lower_categories) - (game.joker is not None)
    sets = rest + 1 if game.forced_order else 2**rest
    # Per set: its mask, ranks and successors. Per upper class and set size: some columns.
    index = sets * (40 + 4 * rest) + pairs * (3 if game.joker else 1) * (rest + 1) * 60
    if index > MAX_INDEX_BYTES:
        raise SizeError(
            "categories: the index of the states of {game} would take {size:,.1f} GiB of memory, and"
            " {most:,.0f} GiB is the most; take fewer categories",
            game=game.id,
            size=index / 2**30,
            most=MAX_INDEX_BYTES / 2**30,
        )


def count_game(game: Game) -> GameCounts:
    """Count rolls, keeps, classes and states."""
    compiled = compile_game(game)
    lattice, upper, states = compiled.lattice, compiled.upper, compiled.states
    boxes = states.start.shape[1]
    rest_sets = len(states.rest.mask) * boxes
    return GameCounts(
        rolls=len(lattice.rolls),
        keeps=len(lattice.keeps),
        keep_roll_pairs=lattice.keep_roll_pairs(),
        turn_states=game.rolls * len(lattice.rolls) + (game.rolls - 1) * len(lattice.keeps),
        upper_pairs=upper.pairs,
        upper_pairs_reachable=upper.reachable_pairs,
        upper_classes_unsettled=upper.classes_unsettled,
        upper_classes=len(upper),
        rest_sets=rest_sets,
        states_plain=upper.pairs * rest_sets,
        states_unsettled=upper.classes_unsettled * rest_sets,
        states=len(states),
        layers=states.layers,
        turns=len(game.categories),
    )
