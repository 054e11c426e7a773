"""Review thousands of records at once, for player statistics.

For the expected score and for a target, turns are passed as arrays to `evaluation.reviewed_turns`, some hundred
thousand per second. Records that begin or end inside a turn, have an unknown order of turns, or are reviewed for
another objective go through `review` one by one. Both ways give the same rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from yatzy.coach.reviews.decisions import GRADES, Decisions, GameSummary, ReviewedGames, grades_of, phase_of
from yatzy.coach.reviews.files import Sourced
from yatzy.coach.reviews.review import Decision, PlayerReview, review
from yatzy.errors import InputError
from yatzy.evaluation.played_turns import PlayedTurns, category_outcomes
from yatzy.evaluation.reviewed_turns import TurnReviews, reviewable
from yatzy.games import Detail, Game, Keep, Move, Position, Record, Sheet, show_dice
from yatzy.model import CompiledGame, compile_game
from yatzy.values.evaluator import Evaluator, Solution
from yatzy.values.resources import Progress

_Numbered = tuple[int, str, Record]
"""A record with its number and source."""
BATCH = 1000
"""Records per batch; a batch takes some tens of megabytes."""


def review_many(
    records: Iterable[Sourced],
    judge: Evaluator | Callable[[Game], Evaluator],
    threads: int | None = None,
    progress: Progress | None = None,
    total: int = 0,
    *,
    positions: bool = False,
) -> ReviewedGames:
    """Review records with one evaluator, or with a function that returns the evaluator of each game.

    Records are consumed one batch at a time and not kept. Progress counts records, out of `total` if that is known.
    positions: keep the position of every turn as text, which takes more time and memory.
    """
    parts, waiting, judges = list[ReviewedGames](), dict[Game, list[_Numbered]](), dict[Game, Evaluator]()
    for number, (source, record) in enumerate(records):
        game = record.game
        if game not in judges:
            judges[game] = judge(game) if callable(judge) else judge
            if judges[game].game != game:
                raise InputError(
                    "{source}: is of {game}, but {objective} is for {other}",
                    source=source,
                    game=game.id,
                    objective=judges[game].objective,
                    other=judges[game].game.id,
                )
        batch = waiting.setdefault(game, [])
        batch.append((number, source, record))
        if len(batch) == BATCH:
            parts.append(_review_batch(waiting.pop(game), judges[game], threads, positions))
        if progress is not None:
            progress(number + 1, max(total, number + 1))
    parts += [_review_batch(batch, judges[game], threads, positions) for game, batch in waiting.items()]
    return ReviewedGames.join(parts)


def _review_batch(batch: Sequence[_Numbered], judge: Evaluator, threads: int | None, positions: bool) -> ReviewedGames:
    words, parts, whole = _Words(judge.game, positions), list[ReviewedGames](), list[_Numbered]()
    fast = judge.reviews_in_bulk
    for number, source, record in batch:
        if fast and _is_whole(record):
            whole.append((number, source, record))
        else:
            parts.append(_one_by_one(number, source, record, judge, words))
    if whole:
        assert reviewable(judge)
        parts.append(_together(whole, judge, words, threads))
    return ReviewedGames.join(parts)


def _is_whole(record: Record) -> bool:
    """Whether a record consists of complete turns in a known order."""
    begun = record.start is None or record.start.between_turns
    ended = not record.turns or record.turns[-1].score is not None
    return begun and ended and record.order_known


class _Words:
    """Texts as codes: the keeps of a game, its categories, struck categories, then whatever else is asked for."""

    def __init__(self, game: Game, positions: bool) -> None:
        self._positions, self._ids = positions, tuple(game.category_index)
        self.lattice = compile_game(game).lattice
        ids = tuple(game.category_index)
        self.first_category = len(self.lattice.keeps)
        self.first_struck = self.first_category + len(ids)
        self._texts = [*map(show_dice, self.lattice.keeps), *ids, *(f"{id}=0" for id in ids)]
        self._code = {
            word: number for number, word in enumerate(self._texts[self.first_category :], self.first_category)
        }

    @property
    def words(self) -> tuple[str, ...]:
        """All texts, by code."""
        return tuple(self._texts)

    def code(self, move: Move) -> int:
        """The code of a move."""
        return self.lattice.index[move.dice] if isinstance(move, Keep) else self._code[str(move)]

    def open_categories(self, filled: int) -> int:
        """The code of the open categories of a sheet."""
        return self._text(",".join(id for i, id in enumerate(self._ids) if not filled >> i & 1))

    def before(self, position: Position) -> int:
        """The code of a position between turns; of "" if positions were not asked for."""
        return self._text(str(position) if self._positions else "")

    def _text(self, text: str) -> int:
        if text not in self._code:
            self._code[text] = len(self._texts)
            self._texts.append(text)
        return self._code[text]


def _one_by_one(number: int, source: str, record: Record, judge: Evaluator, words: _Words) -> ReviewedGames:
    """Review one record with `review` and return its rows."""
    found, rows, games = review(record, judge), list[tuple[Any, ...]](), list[GameSummary]()
    for player in found.players:
        rows += [_row(len(games), decision, player, words) for decision in player.decisions]
        games.append(_summary(number, source, record, player))
    columns = zip(*rows, strict=True) if rows else [()] * len(_DTYPES)
    arrays: list[Any] = [np.array(column, dtype) for column, dtype in zip(columns, _DTYPES, strict=True)]
    return ReviewedGames(judge.objective, judge.unit, words.words, Decisions(*arrays), tuple(games))


_DTYPES = (np.int32, np.int16, np.int8, np.int8, np.int8, np.int8, np.int32, np.int32,
           np.float64, np.float64, np.float64, np.int8, np.bool_, np.float64, np.int32, np.int8, np.int32,
           np.int32, np.int32)  # fmt: skip
"""The dtypes of the columns of `Decisions`, in order."""


def _row(summary: int, one: Decision, player: PlayerReview, words: _Words) -> tuple[Any, ...]:
    game, sheet = one.position.game, one.position.sheet
    best = one.move if one.grade is GRADES[0] else one.best[0]
    luck = next((roll.luck for turn in player.turns if turn.turn == one.turn
                 for roll in turn.rolls if roll.roll == one.roll), np.nan)  # fmt: skip
    return (
        summary, one.turn, one.roll, not isinstance(one.move, Keep), len(sheet.open),
        phase_of(game, sheet.filled.bit_count()), words.code(one.move), words.code(best),
        one.value, one.made, one.loss, one.grade.rank, one.forced, luck, words.lattice.index[one.position.dice],
        one.position.rolls_left, words.open_categories(sheet.filled), sheet.upper,
        words.before(Position(one.position.sheets)),
    )  # fmt: skip


def _summary(number: int, source: str, record: Record, player: PlayerReview) -> GameSummary:
    # In a match, the opponents' part counts as mixed: it is neither luck nor error of this player.
    start, final = (np.nan if value is None else value for value in (player.start, player.final))
    return GameSummary(
        number, source, record.game.id, player.number, player.player.name, record.over, start, final,
        player.luck, player.error, player.mixed + player.others.total, len(player.chosen),
    )  # fmt: skip


@dataclass(eq=False)
class _Table:
    """Turns of many records, one row each, while they are collected."""

    summary: list[int] = field(default_factory=list)
    turn: list[int] = field(default_factory=list)
    hidden: list[bool] = field(default_factory=list)
    """Whether only the last dice are known."""
    state: list[int] = field(default_factory=list)
    made: list[int] = field(default_factory=list)
    rolls: list[list[int]] = field(default_factory=list)
    keeps: list[list[int]] = field(default_factory=list)
    category: list[int] = field(default_factory=list)
    struck: list[bool] = field(default_factory=list)
    upper: list[int] = field(default_factory=list)
    before: list[int] = field(default_factory=list)
    """The position before the turn, as a code of `_Words`."""


def _together(records: Sequence[_Numbered], solution: Solution, words: _Words, threads: int | None) -> ReviewedGames:
    """Review records of complete turns as arrays and return their rows."""
    table, mixed = _Table(), list[float]()
    for _, _, record in records:
        _add_record(table, mixed, record, solution, compile_game(record.game), words)
    game = solution.game
    turns = PlayedTurns(
        np.array(table.state, np.int64), np.array(table.made, np.int32),
        np.array(table.rolls, np.int16).reshape(len(table.state), game.rolls),
        np.array(table.keeps, np.int16).reshape(len(table.state), game.rolls - 1),
        np.array(table.category, np.int8), np.array(table.struck, np.bool_),
    )  # fmt: skip
    decisions, gains = _decide(table, turns, len(mixed), solution, words, threads)
    games = tuple(_summaries(records, solution, decisions, np.array(mixed) + gains))
    return ReviewedGames(solution.objective, solution.unit, words.words, decisions, games)


def _add_record(
    table: _Table, mixed: list[float], record: Record, solution: Solution, compiled: CompiledGame, words: _Words
) -> None:
    """Add the turns of a record. Turns known only by their points are added to `mixed` instead."""
    first, players = len(mixed), len(record.players)
    mixed += [0.0] * players
    index, first_roll, rolls = compiled.lattice.index, compiled.lattice.first_roll, record.game.rolls
    for number, turn in enumerate(record.turns):
        position = record.positions[number]
        player, sheet = position.mover, position.sheet
        assert turn.score is not None
        if turn.detail is Detail.POINTS:
            after = record.positions[number + 1].sheets[player]
            mixed[first + player] += solution.value(after) - solution.mean(Position((sheet,)))
            continue
        dice = [index[one] - first_roll for one in turn.rolls]
        keeps = [index[one] for one in turn.keeps[: rolls - 1]]
        last = dice[-1]
        # Missing rolls and keeps are padded as if all dice were kept: after stopping early, and if only the last
        # dice are known.
        table.rolls.append(dice + [last] * (rolls - len(dice)))
        table.keeps.append(keeps + [last + first_roll] * (rolls - 1 - len(keeps)))
        category = record.game.category_index[turn.score.category]
        table.summary.append(first + player)
        table.turn.append(sheet.filled.bit_count() + 1)
        table.hidden.append(turn.detail is Detail.DICE and rolls > 1)
        table.state.append(compiled.states.find(sheet))
        table.made.append(sheet.points)
        table.upper.append(sheet.upper)
        table.before.append(words.before(position))
        table.category.append(category)
        table.struck.append(turn.score.strike and compiled.placing.points[last, category] > 0)


def _decide(
    table: _Table, turns: PlayedTurns, games: int, solution: Solution, words: _Words, threads: int | None
) -> tuple[Decisions, npt.NDArray[np.float64]]:
    """The decisions of some turns, and the mixed value of turns known only by their last dice: float64[summary]."""
    found = TurnReviews(solution, threads).review(turns)
    compiled, game = compile_game(solution.game), solution.game
    summary, hidden = np.array(table.summary, np.int32), np.array(table.hidden, np.bool_)
    shape = found.rolled.shape
    last = np.broadcast_to(np.arange(shape[1]) == shape[1] - 1, shape)
    keep = last | ~hidden[:, None]

    filled = compiled.states.filled(turns.state)
    count = np.bitwise_count(filled).astype(np.int64)
    masks, which = np.unique(filled, return_inverse=True)
    bit = np.arange(len(game.categories))
    allowed = (category_outcomes(compiled, turns) >= 0) & (filled[:, None] >> bit & 1 == 0)
    alone = allowed.sum(axis=1) == 1 if not game.forced_order else np.ones(len(turns), np.bool_)

    category = turns.category.astype(np.int32)
    move = np.column_stack(
        [turns.keeps, np.where(turns.struck, words.first_struck, words.first_category) + category]
    ).astype(np.int32)
    best = found.best.astype(np.int32)
    best[:, -1] += words.first_category
    top, value = found.rolled, found.chosen
    tied = top - value <= np.maximum(solution.tie, solution.relative_tie * np.abs(top))
    loss = np.maximum(top - value, 0.0)
    # If all dice were kept, there was no further roll.
    rolled = np.column_stack([np.ones(len(turns), np.bool_), turns.keeps < compiled.lattice.first_roll])
    luck = np.where(rolled & ~hidden[:, None], found.luck, np.nan)

    def each_turn(column: npt.ArrayLike) -> npt.NDArray[Any]:
        return np.broadcast_to(np.asarray(column)[:, None], shape)[keep]

    decisions = Decisions(
        summary=each_turn(summary),
        turn=each_turn(np.array(table.turn, np.int16)),
        roll=np.broadcast_to(np.arange(1, shape[1] + 1, dtype=np.int8), shape)[keep],
        kind=last.astype(np.int8)[keep],
        open=each_turn((len(game.categories) - count).astype(np.int8)),
        phase=each_turn(phase_of(game, count).astype(np.int8)),
        move=move[keep],
        best=np.where(tied, move, best)[keep],
        value=top[keep],
        made=value[keep],
        loss=loss[keep],
        grade=grades_of(loss, solution.unit, tied)[keep],
        forced=(last & (alone & ~turns.struck)[:, None])[keep],
        luck=luck[keep],
        dice=(turns.rolls.astype(np.int32) + compiled.lattice.first_roll)[keep],
        rolls_left=np.broadcast_to(np.arange(shape[1] - 1, -1, -1, dtype=np.int8), shape)[keep],
        open_categories=each_turn(np.array([words.open_categories(int(one)) for one in masks], np.int32)[which]),
        upper=each_turn(np.array(table.upper, np.int32)),
        before=each_turn(np.array(table.before, np.int32)),
    )
    gains = np.bincount(summary[hidden], (found.rolled[:, -1] - found.start)[hidden], minlength=games)
    return decisions, gains.astype(np.float64)


def _summaries(
    records: Sequence[_Numbered], solution: Solution, decisions: Decisions,
    mixed: npt.NDArray[np.float64],
) -> Iterator[GameSummary]:  # fmt: skip
    size = len(mixed)
    luck = np.bincount(decisions.summary, np.nan_to_num(decisions.luck), minlength=size)
    error = np.bincount(decisions.summary, decisions.loss, minlength=size)
    chosen = np.bincount(decisions.summary, ~decisions.forced, minlength=size)
    place = 0
    for number, source, record in records:
        for seat, player in enumerate(record.players):
            begin = record.start.sheets[seat] if record.start else Sheet.start(record.game)
            yield GameSummary(
                number, source, record.game.id, seat, player.name, record.over, solution.value(begin),
                solution.value_to(record.position, seat), float(luck[place]), float(error[place]), float(mixed[place]),
                int(chosen[place]),
            )  # fmt: skip
            place += 1
