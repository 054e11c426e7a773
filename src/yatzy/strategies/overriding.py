"""A strategy except where a rule says otherwise: `override(base, rule)`.

The number of arguments of the rule says what it depends on, and so how often it is called for a whole game:

    rule(dice, rolls_left)                            once for every roll
    rule(dice, rolls_left, open)                      for every set of open categories
    rule(dice, rolls_left, open, missing)             for every state
    rule(dice, rolls_left, open, missing, box)        for every state
    rule(position)                                    in every position: near the end of a game, or in simulations

It returns a move, or None for the move of the base. A rule that Numba compiles takes and returns small integers
(`_CompiledRule`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from yatzy.errors import InputError, Message, NotationError, StrategyError
from yatzy.games import Dice, Game, Keep, Move, Position, Score, show_dice
from yatzy.games.dice import is_part
from yatzy.model import compile_game
from yatzy.model.states import BOX_EMPTY, BOX_OPEN, BOX_PAYS
from yatzy.store.kept import digest
from yatzy.strategies.base import DependsOn, Earlier, PlannedStrategy, Plans, Strategy
from yatzy.strategies.best import as_strategy
from yatzy.strategies.choices import STRUCK, Sheets, choice_code, not_allowed, sheets_of_filled, sheets_of_states
from yatzy.strategies.outcomes import NO_OUTCOME
from yatzy.strategies.output import printing_to_stderr
from yatzy.strategies.user_code import code_digest, count_arguments, error_text
from yatzy.values.evaluator import Solution

BASE = -1
"""The answer of a rule that leaves the move to the base."""
_SCORE = 0x4000
"""Added to the code of a category, to tell it from the keeps of the lattice."""
_DICE, _FILLED = 2, 3
"""Up to this number of arguments, a rule depends on the dice only, or on the dice and the filled categories."""
_MOST_ARGUMENTS = 5
_CACHED = 2**14
"""Sets of filled categories whose answers are cached: some 25 MB in Yatzy."""

Answers = npt.NDArray[np.int16]
"""[..., rolls left, roll]: BASE, a keep of the lattice, or _SCORE + the code of a category."""


def override(base: Strategy | Solution, rule: Callable[..., Any], *, name: str | None = None) -> Strategy:
    """The base strategy except where a rule returns a move.

    rule: a function of (dice, rolls_left), or of more, or of a position (docs/strategies.md). It returns a move: a
    `Keep` or the dice to keep, a `Score`, or text; or None to leave the move to the base. If the base plans whole turns
    and the rule does not take a position, the result is played and evaluated exactly over whole games. A solution
    stands for the best strategy for its objective.
    """
    strategy = as_strategy(base)
    arguments = count_arguments(rule)
    if not callable(rule) or not 1 <= arguments <= _MOST_ARGUMENTS:
        raise InputError("a rule is a function of a position, or of (dice, rolls_left), open, missing and box")
    compiled = hasattr(rule, "py_func")
    if compiled and arguments < _DICE:
        raise InputError("a compiled rule is a function of (dice, rolls_left), filled, missing and box")
    name = name or f"{strategy.name}+{getattr(rule, '__name__', type(rule).__name__)}"
    told = (_CompiledRule if compiled else _Rule)(strategy.game, name, rule, arguments)
    if strategy.planned is None or arguments < _DICE:
        return OverriddenMoves(strategy, told)
    return OverriddenPlans(strategy.planned, told)


class _Rule:
    """A rule of the user, called with its errors and answers checked."""

    def __init__(self, game: Game, name: str, function: Callable[..., Any], arguments: int) -> None:
        self.game, self.name, self.function, self.arguments = game, name, function, arguments
        self.compiled, self.code = compile_game(game), choice_code(game)
        self.digest = code_digest(function)

    def at(self, position: Position) -> Move | None:
        """The move in a position; None for that of the base."""
        if self.arguments == 1:
            with self._checked(position.dice, position.rolls_left):
                return self._move(self.function(position), position.dice, position.rolls_left)
        sheet, states = position.sheet, self.compiled.states
        box = BOX_OPEN
        if self.game.joker_box is not None and sheet.filled >> self.game.joker_box & 1:
            box = BOX_PAYS if sheet.box_pays else BOX_EMPTY
        layer, state = states.locate(sheet)
        missing = int(sheets_of_states(self.game, layer, np.array([state])).missing[0])
        return self._ask(position.dice, position.rolls_left, sheet.filled, missing, box)

    def _ask(self, dice: Dice, rolls_left: int, filled: int, missing: int, box: int) -> Move | None:
        given = (dice, rolls_left, self._open(filled), missing, box)[: self.arguments]
        with self._checked(dice, rolls_left):
            return self._move(self.function(*given), dice, rolls_left)

    def seconds(self, states: int, sets: int) -> float:
        """The time it takes to answer for a number of states and of sets of filled categories; calls the rule once."""
        begin = time.perf_counter()
        self._table(0, 0, 0)
        tables = 1 if self.arguments == _DICE else sets if self.arguments == _FILLED else states
        return tables * (time.perf_counter() - begin)

    def answers(self, sheets: Sheets) -> Answers:
        """[row, rolls left, roll]: the answers for some sheets; one row if they depend on the dice only."""
        if self.arguments == _DICE:
            return self._for_dice
        if self.arguments == _FILLED:
            tables = [self._for_filled(filled) for filled in sheets.filled.tolist()]
        else:
            rows = zip(sheets.filled.tolist(), sheets.missing.tolist(), sheets.box.tolist(), strict=True)
            tables = [self._table(*row) for row in rows]
        shape = len(sheets), self.game.rolls, len(self.compiled.lattice.rolls)  # there may be no sheets
        return np.array(tables, np.int16).reshape(shape)

    @cached_property
    def _for_dice(self) -> Answers:
        return self._table(0, 0, 0)[None]

    @cached_property
    def _for_filled(self) -> Callable[[int], Answers]:
        return lru_cache(maxsize=_CACHED)(lambda filled: self._table(filled, 0, 0))

    @cached_property
    def _open(self) -> Callable[[int], frozenset[str]]:
        categories = self.game.categories
        return lru_cache(maxsize=_CACHED)(
            lambda filled: frozenset(c.id for i, c in enumerate(categories) if not filled >> i & 1)
        )

    def _table(self, filled: int, missing: int, box: int) -> Answers:
        """[rolls left, roll]: the answers for one sheet."""
        rolls, function = self.compiled.lattice.rolls, self.function
        found = np.full((self.game.rolls, len(rolls)), BASE, np.int16)
        more = (self._open(filled), missing, box)[: self.arguments - _DICE]
        dice: Dice = ()
        left = 0
        with printing_to_stderr():
            try:
                for left in range(self.game.rolls):
                    for roll, dice in enumerate(rolls):
                        answer = function(dice, left, *more)
                        if answer is not None:
                            found[left, roll] = self._encode(answer, dice, left)
            except InputError:
                raise
            except Exception as error:
                raise self._wrong(error_text(error), dice, left) from None
        return found

    @contextmanager
    def _checked(self, dice: Dice, rolls_left: int) -> Iterator[None]:
        """Sends what the user's code prints to standard error, and names the dice when it fails."""
        try:
            with printing_to_stderr():
                yield
        except InputError:
            raise
        except Exception as error:
            raise self._wrong(error_text(error), dice, rolls_left) from None

    def _wrong(self, what: str, dice: Dice, rolls_left: int) -> StrategyError:
        return StrategyError(
            "{name}: {what}, with the dice {dice} and {rolls_left} rolls left",
            name=self.name,
            what=what,
            dice=show_dice(dice),
            rolls_left=rolls_left,
        )

    def _move(self, answer: Any, dice: Dice, rolls_left: int) -> Move | None:
        """The move that an answer stands for."""
        if answer is None or isinstance(answer, Keep | Score):
            return answer
        if isinstance(answer, list | tuple):
            return Keep(tuple(answer))
        try:
            return self.game.parse_move(answer if isinstance(answer, str) else "")
        except NotationError:
            raise self._wrong(Message("{answer!r} is not a move", answer=answer), dice, rolls_left) from None

    def _encode(self, answer: Any, dice: Dice, rolls_left: int) -> int:
        move = self._move(answer, dice, rolls_left)
        if isinstance(move, Keep):
            if not rolls_left or not is_part(move.dice, dice):
                raise self._wrong(Message("illegal move {move}", move=move), dice, rolls_left)
            return self.compiled.lattice.index[move.dice]
        if isinstance(move, Score):
            if move.category not in self.game.category_index:
                raise self._wrong(
                    Message("{game} has no category {category!r}", game=self.game.id, category=move.category),
                    dice,
                    rolls_left,
                )
            return _SCORE + self.game.category_index[move.category] + STRUCK * move.strike
        return BASE


class _CompiledRule(_Rule):
    """A rule that Numba compiles, of small integers: dice (int64[die], ascending), rolls left, filled, missing, box.

    filled has bit i set if category i is filled. The answer is BASE, with rolls left a mask of the dice kept (bit i for
    the i-th die), without rolls left the number of a category, plus STRUCK to score 0 there.
    """

    def _ask(self, dice: Dice, rolls_left: int, filled: int, missing: int, box: int) -> Move | None:
        table = self._tables(sheets_of_filled(self.game, np.array([filled])), [missing], [box])[0]
        lattice, categories = self.compiled.lattice, self.game.categories
        answer = int(table[rolls_left, lattice.index[dice] - lattice.first_roll])
        if answer == BASE:
            return None
        if answer < _SCORE:
            return Keep(lattice.keeps[answer])
        code = answer - _SCORE
        return Score(categories[code & ~STRUCK].id, code >= STRUCK)

    def seconds(self, states: int, sets: int) -> float:
        """The time it takes to answer; the first call compiles the rule and does not count."""
        self._table(0, 0, 0)
        return super().seconds(states, states if self.arguments == _FILLED else sets)

    def answers(self, sheets: Sheets) -> Answers:
        """[row, rolls left, roll]: the answers for some sheets; one row if they depend on the dice only."""
        if self.arguments == _DICE:
            return self._for_dice
        return self._tables(sheets, sheets.missing, sheets.box)

    def _table(self, filled: int, missing: int, box: int) -> Answers:
        return np.asarray(self._tables(sheets_of_filled(self.game, np.array([filled])), [missing], [box])[0])

    def _tables(self, sheets: Sheets, missing: npt.ArrayLike, box: npt.ArrayLike) -> Answers:
        found = np.empty((len(sheets), self.game.rolls, len(sheets.rolls)), np.int64)
        columns = (np.asarray(column).astype(np.int64) for column in (sheets.filled, missing, box))
        try:
            self._fill(self._dice, *columns, found)
        except Exception as error:
            raise StrategyError("{name}: {error}", name=self.name, error=error_text(error)) from None
        most = np.full((self.game.rolls, 1), 2**self.game.dice)
        most[0] = 2 * STRUCK
        wrong = (found < BASE) | (found >= most)
        wrong[:, 0] |= (found[:, 0] >= 0) & ((found[:, 0] & ~STRUCK) >= len(self.game.categories))
        if wrong.any():
            row, left, roll = np.argwhere(wrong)[0].tolist()
            what = Message("the mask of some dice") if left else Message("the number of a category")
            dice = self.compiled.lattice.rolls[roll]
            raise self._wrong(
                Message("{found} is neither {base} nor {what}", found=found[row, left, roll], base=BASE, what=what),
                dice,
                left,
            )
        answers = np.full(found.shape, BASE, np.int16)
        given = found != BASE
        masks = np.where(given, found, 0)
        np.copyto(answers[:, 1:], self.code.keeps(masks[:, 1:]), where=given[:, 1:])
        np.copyto(answers[:, 0], (_SCORE + masks[:, 0]).astype(np.int16), where=given[:, 0])
        return answers

    @cached_property
    def _dice(self) -> npt.NDArray[np.int64]:
        dice = np.array(self.compiled.lattice.rolls, np.int64)
        dice.flags.writeable = False
        return dice

    @cached_property
    def _fill(self) -> Callable[..., None]:
        """A compiled loop over sheets, rolls left and rolls. It is compiled for this rule, which takes a second."""
        from numba import njit  # slow to import

        rule = self.function
        shorter: dict[int, Callable[..., Any]] = {
            2: lambda dice, left, filled, missing, box: rule(dice, left),
            3: lambda dice, left, filled, missing, box: rule(dice, left, filled),
            4: lambda dice, left, filled, missing, box: rule(dice, left, filled, missing),
        }
        ask = njit(shorter[self.arguments]) if self.arguments in shorter else rule

        def fill(dice: Any, filled: Any, missing: Any, box: Any, out: Any) -> None:
            for row in range(len(filled)):
                for left in range(out.shape[1]):
                    for roll in range(len(dice)):
                        out[row, left, roll] = ask(dice[roll], left, filled[row], missing[row], box[row])

        compiled: Callable[..., None] = njit(nogil=True)(fill)
        return compiled


class _Overridden(Strategy):
    """The part of both forms that plays single moves."""

    def __init__(self, base: Strategy, rule: _Rule) -> None:
        self.game, self.name, self.base, self.rule = base.game, rule.name, base, rule
        self.remembers, self.mixed = base.remembers, base.mixed
        self.code = digest([base.name, base.code, rule.digest], 8)

    def move(self, position: Position, earlier: Earlier = ()) -> Move:
        """The move of the rule, or of the base."""
        return self.rule.at(position) or self.base.move(position, earlier)

    def weights(self, position: Position, earlier: Earlier = ()) -> Sequence[tuple[Move, float]]:
        """The move of the rule, or those of the base."""
        move = self.rule.at(position)
        return self.base.weights(position, earlier) if move is None else [(move, 1.0)]


class OverriddenMoves(_Overridden):
    """A rule that depends on the whole position, or whose base does not plan whole turns; played move by move."""


class OverriddenPlans(_Overridden, PlannedStrategy):
    """A base that plans whole turns, with the answers of the rule written into its plans."""

    base: PlannedStrategy

    def __init__(self, base: PlannedStrategy, rule: _Rule) -> None:
        super().__init__(base, rule)
        self.aims = base.aims
        narrow = base.depends_on is DependsOn.FILLED and rule.arguments <= _FILLED and self.game.joker is None
        self.depends_on = DependsOn.FILLED if narrow else DependsOn.STATE

    def plans(self, layer: int, keys: npt.NDArray[np.int64]) -> Plans:
        """The turns of the base, with the answers of the rule."""
        by_filled = self.depends_on is DependsOn.FILLED
        sheets = sheets_of_filled(self.game, keys) if by_filled else sheets_of_states(self.game, layer, keys)
        plans, answers = self._base_plans(layer, keys, sheets), self.rule.answers(sheets)
        for left in range(self.game.rolls):
            answer = answers[:, left]
            scored = answer >= _SCORE
            choice = plans.keep[:, left - 1] if left else plans.place
            np.copyto(choice, answer[:, None], where=((answer >= 0) & ~scored)[:, None])
            if scored.any():
                place = self._places(layer, keys, sheets, left, answer)
                np.copyto(choice, (~place if left else place)[:, None], where=scored[:, None])
        return plans

    def user_seconds(self, states: int, sets: int) -> float:
        """The time of the rule, and of the base."""
        return self.rule.seconds(states, sets) + self.base.user_seconds(states, sets)

    def _base_plans(self, layer: int, keys: npt.NDArray[np.int64], sheets: Sheets) -> Plans:
        if self.base.depends_on is self.depends_on:
            return self.base.plans(layer, keys)
        sets, where = np.unique(sheets.filled.astype(np.int64), return_inverse=True)
        plans = self.base.plans(layer, sets)
        return Plans(plans.aim[where], plans.keep[where], plans.place[where])

    def _places(
        self, layer: int, keys: npt.NDArray[np.int64], sheets: Sheets, left: int, answer: Answers
    ) -> npt.NDArray[np.int16]:
        """[row, roll]: the outcomes of the categories that the rule fills; any outcome where it does not."""
        answer = np.broadcast_to(answer, (len(sheets), answer.shape[1]))
        scored = answer >= _SCORE
        code = np.where(scored, answer - _SCORE, 0).astype(np.uint8)
        place = choice_code(self.game).places(layer, keys, code[:, None])[:, 0]
        allowed = np.take_along_axis(sheets.available, (code & ~np.uint8(STRUCK)).astype(np.intp), axis=1)
        wrong = scored & (~allowed | (place == NO_OUTCOME))
        if wrong.any():
            row, roll = np.argwhere(wrong)[0].tolist()
            category = self.game.categories[int(code[row, roll]) & ~STRUCK].id
            raise not_allowed(self.name, sheets, row, roll, left, Score(category, bool(code[row, roll] >= STRUCK)))
        return place
