"""A game as arrays, and how many of everything there is."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from yatzy.errors import SizeError
from yatzy.games import Game
from yatzy.model.lattice import Lattice, dice_lattice
from yatzy.model.placing import Placing, place_rolls
from yatzy.model.states import StateIndex, index_states
from yatzy.model.upper import UpperClasses, upper_classes

MAX_STATES = 2**29
"""A table of expected scores has 8 bytes a state: 4 GiB."""


@dataclass(frozen=True, eq=False)
class CompiledGame:
    """Everything about a game that solvers need, in arrays."""

    game: Game
    lattice: Lattice
    upper: UpperClasses
    states: StateIndex
    placing: Placing


@dataclass(frozen=True, slots=True)
class GameCounts:
    """How many of everything a game has."""

    rolls: int
    keeps: int
    keep_roll_pairs: int
    turn_states: int
    """States inside a turn: a roll after each roll, a keep before each later one."""
    upper_pairs: int
    """(set of filled upper categories, upper sum capped at the threshold)."""
    upper_pairs_reachable: int
    upper_classes_unsettled: int
    """Pairs merged by their future, "bonus won" and "out of reach" told apart."""
    upper_classes: int
    """The same with these two as one class."""
    rest_sets: int
    """Sets of the filled lower categories; each Joker box status counts."""
    states_plain: int
    """States between turns without any merging."""
    states_unsettled: int
    states: int
    layers: int
    turns: int


@lru_cache(maxsize=16)
def compile_game(game: Game) -> CompiledGame:
    """Compile a game, or refuse it with its size."""
    _refuse_if_huge(game)
    upper = upper_classes(game)
    states = index_states(game, upper)
    if len(states) > MAX_STATES:
        raise SizeError(too_large(game, len(states), "exactly"))
    lattice = dice_lattice(game.dice, game.faces)
    return CompiledGame(game, lattice, upper, states, place_rolls(game, lattice, states.rest.categories))


def too_large(game: Game, states: int, how: str) -> str:
    """What to say about a game whose table does not fit."""
    return (
        f"{game.id} is too large: its table would have {how} {states:,} states"
        f" ({8 * states / 2**30:,.1f} GiB), the limit is {MAX_STATES:,} ({8 * MAX_STATES / 2**30:,.0f} GiB)"
    )


def _refuse_if_huge(game: Game) -> None:
    """Before anything is enumerated: every set of filled categories is at least one state."""
    least = len(game.categories) + 1 if game.forced_order else 2 ** len(game.categories)
    if least > MAX_STATES:
        raise SizeError(too_large(game, least, "at least"))


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
