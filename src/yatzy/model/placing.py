"""The placements of each roll at the end of a turn, as lists of rows to take the maximum of.

For a batch of states the kernel fills *rows*, one number per state:

    upper rows   (slot, dice that show the face): points there, bonus, and the value of the next state
    rest rows    (category): the value of the next state
    box rows     Joker box filled with 0, Joker box filled with its points: the value of the next state
    zero row     the best category to fill with 0
    option rows  (rest category, points > 0): rest row + points
    joker rows   (face): the best placement of n equal dice, in games with a Joker

The rows of a closed category are minus infinity. The value of a roll is the maximum of the zero row and of the upper
and option rows that pay for it. Filling a category with 0 when it would pay is never better (more points and a higher
upper sum never hurt), so one zero row can include all categories. Equal dice under a Joker rule have a joker row only,
which is a maximum over terms that depend on the block of the state.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np
import numpy.typing as npt

from yatzy.games import Game, Placement
from yatzy.games.rules import JokerContext, is_joker_roll, joker_placements
from yatzy.model.lattice import Lattice
from yatzy.model.states import BOX_OPEN, BOX_PAYS


@dataclass(frozen=True, slots=True)
class Rows:
    """The first row of each kind."""

    slots: int
    """Upper categories; each has one row per number of dice."""
    per_slot: int
    rest: int
    box_empty: int
    box_pays: int
    zero: int
    option: int
    joker: int
    total: int


@dataclass(frozen=True, eq=False)
class Placing:
    """The rows, and the rows that each roll uses."""

    rows: Rows
    points: npt.NDArray[np.int32]
    """[roll, category]: the points of the dice, without Joker rules."""
    option_source: npt.NDArray[np.int32]
    """[option]: the rest row it adds its points to."""
    option_points: npt.NDArray[np.int32]
    roll_row: npt.NDArray[np.int32]
    """[entry]: the rows of each roll; those of roll r are at `roll_start[r]` to `roll_start[r + 1]`."""
    roll_start: npt.NDArray[np.int32]
    exact_row: npt.NDArray[np.int32]
    """[entry]: the same without the zero row: one row per category, with exactly the points it pays for the roll."""
    exact_start: npt.NDArray[np.int32]
    joker_start: npt.NDArray[np.int32]
    """[context, face]: the first term of a joker row; one more entry at the end."""
    joker_row: npt.NDArray[np.int32]
    """[term]: the row that it reads."""
    joker_points: npt.NDArray[np.int32]
    """[term]: the points it adds to that row."""
    joker_outcome: npt.NDArray[np.int32]
    """[term]: its outcome."""
    outcome_category: npt.NDArray[np.int32]
    """[outcome]: the category that is filled, or -1. The outcomes are the rows, followed by two for each face and
    category: equal dice scored there normally, and as a Joker."""
    outcome_points: npt.NDArray[np.int32]
    """[outcome]: the points written in the category, without bonuses."""


def joker_context(box: int, upper_open: bool, lower_open: bool) -> int:
    """The index of a context in `Placing.joker_start`."""
    return box * 4 + upper_open * 2 + lower_open


def place_rolls(game: Game, lattice: Lattice, rest: tuple[int, ...]) -> Placing:
    """Compile the placements at the end of a turn."""
    points = np.array([[c.score(roll) for c in game.categories] for roll in lattice.rolls], np.int32)
    options = [(q, p) for q, i in enumerate(rest) for p in sorted(set(points[:, i].tolist())) if p > 0]
    rows = _rows(game, len(rest), len(options))
    option_row = {option: rows.option + n for n, option in enumerate(options)}
    paying = [_paying_rows(game, rows, roll, points[r], rest, option_row) for r, roll in enumerate(lattice.rolls)]
    exact = [_exact_rows(game, rows, roll, points[r], rest, option_row) for r, roll in enumerate(lattice.rolls)]
    terms = _joker_terms(game, rows, rest) if game.joker else []
    outcome_category, outcome_points = _outcomes(game, rows, rest, options)
    return Placing(
        rows=rows,
        points=points,
        option_source=np.array([rows.rest + q for q, _ in options], np.int32),
        option_points=np.array([p for _, p in options], np.int32),
        roll_row=np.array([row for row_list in paying for row in row_list], np.int32),
        roll_start=np.cumsum([0, *map(len, paying)], dtype=np.int32),
        exact_row=np.array([row for row_list in exact for row in row_list], np.int32),
        exact_start=np.cumsum([0, *map(len, exact)], dtype=np.int32),
        joker_start=np.cumsum([0, *map(len, terms)], dtype=np.int32),
        joker_row=np.array([term.row for term_list in terms for term in term_list], np.int32),
        joker_points=np.array([term.gain for term_list in terms for term in term_list], np.int32),
        joker_outcome=np.array([term.outcome for term_list in terms for term in term_list], np.int32),
        outcome_category=outcome_category,
        outcome_points=outcome_points,
    )


def _rows(game: Game, rest: int, options: int) -> Rows:
    slots, per_slot = len(game.upper_categories), game.dice + 1
    first_rest = slots * per_slot
    option = first_rest + rest + 3
    joker = option + options
    return Rows(
        slots=slots,
        per_slot=per_slot,
        rest=first_rest,
        box_empty=first_rest + rest,
        box_pays=first_rest + rest + 1,
        zero=first_rest + rest + 2,
        option=option,
        joker=joker,
        total=joker + (game.faces if game.joker else 0),
    )


def _upper_row(game: Game, rows: Rows, slot: int, count: int) -> int:
    return slot * rows.per_slot + count


def _paying_rows(
    game: Game,
    rows: Rows,
    roll: tuple[int, ...],
    points: npt.NDArray[np.int32],
    rest: tuple[int, ...],
    option_row: dict[tuple[int, int], int],
) -> list[int]:
    """The zero row and the rows that pay something for a roll."""
    if is_joker_roll(game, roll):
        return [rows.joker + roll[0] - 1]
    upper = [row for row in _upper_rows(game, rows, roll) if row % rows.per_slot]
    lower = [option_row[q, int(points[i])] for q, i in enumerate(rest) if points[i] > 0]
    return [rows.zero, *upper, *lower]


def _exact_rows(
    game: Game,
    rows: Rows,
    roll: tuple[int, ...],
    points: npt.NDArray[np.int32],
    rest: tuple[int, ...],
    option_row: dict[tuple[int, int], int],
) -> list[int]:
    """One row for each category, with exactly the points it pays for a roll."""
    if is_joker_roll(game, roll):
        return [rows.joker + roll[0] - 1]
    lower = [option_row.get((q, int(points[i])), rows.rest + q) for q, i in enumerate(rest)]
    box = [rows.box_empty] if game.joker else []
    return [*_upper_rows(game, rows, roll), *lower, *box]


def _upper_rows(game: Game, rows: Rows, roll: tuple[int, ...]) -> list[int]:
    face_of = {i: face for face, i in game.upper_of_face.items()}
    return [_upper_row(game, rows, slot, roll.count(face_of[i])) for slot, i in enumerate(game.upper_categories)]


def _outcomes(
    game: Game, rows: Rows, rest: tuple[int, ...], options: list[tuple[int, int]]
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """The category that each outcome fills and the points it writes there."""
    category = np.full(rows.total, -1, np.int32)
    points = np.zeros(rows.total, np.int32)
    for slot, i in enumerate(game.upper_categories):
        face = next(face for face, upper in game.upper_of_face.items() if upper == i)
        for count in range(rows.per_slot):
            row = _upper_row(game, rows, slot, count)
            category[row], points[row] = i, face * count
    for q, i in enumerate(rest):
        category[rows.rest + q] = i
    for n, (q, paid) in enumerate(options):
        category[rows.option + n], points[rows.option + n] = rest[q], paid
    if game.joker is None:
        return category, points
    category[[rows.box_empty, rows.box_pays]] = game.category_index[game.joker.category]
    equal = [
        (i, written)
        for face in range(1, game.faces + 1)
        for i, c in enumerate(game.categories)
        for written in (c.score((face,) * game.dice), c.fixed_points or 0)
    ]
    more = np.array(equal, np.int32)
    return np.append(category, more[:, 0]), np.append(points, more[:, 1])


@dataclass(frozen=True, slots=True)
class _JokerTerm:
    """One placement of equal dice: the row it reads, the points it adds, and its outcome."""

    row: int
    gain: int
    outcome: int


def _joker_terms(game: Game, rows: Rows, rest: tuple[int, ...]) -> list[list[_JokerTerm]]:
    """The terms of each joker row, by context (`joker_context`) and face."""
    terms = []
    for box, upper_open, lower_open in product((0, 1, 2), (False, True), (False, True)):
        context = JokerContext(box == BOX_OPEN, box == BOX_PAYS, upper_open, lower_open)
        for face in range(1, game.faces + 1):
            roll = (face,) * game.dice
            terms.append([_joker_term(game, rows, rest, face, p) for p in joker_placements(game, roll, context)])
    return terms


def _joker_term(game: Game, rows: Rows, rest: tuple[int, ...], face: int, place: Placement) -> _JokerTerm:
    gain = place.joker_bonus
    if place.category in game.upper_categories:
        # Upper rows already include their points.
        count = game.dice if place.category == game.upper_of_face.get(face) else 0
        row = _upper_row(game, rows, game.upper_categories.index(place.category), count)
    else:
        row = rows.box_pays if place.category == game.joker_box else rows.rest + rest.index(place.category)
        gain += place.points
    as_joker = place.points != game.categories[place.category].score((face,) * game.dice)
    outcome = rows.total + ((face - 1) * len(game.categories) + place.category) * 2 + as_joker
    return _JokerTerm(row, gain, outcome)
