"""A game being played: the steps so far, the legal next steps, undo and redo.

The program's dice are a pure function of the seed, the player, the turn, the number of the roll and the dice kept (see
`coach/play/dice.py`): undoing a move and making it again gives the same roll.

All methods are thread-safe, and every change is atomic.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING

from yatzy.coach.play.dice import DiceSource, new_seed
from yatzy.coach.play.history import History, decisions_of
from yatzy.coach.play.saved import (
    fingerprint,
    new_path,
    parse_game,
    read_bytes,
    release,
    reserve,
    reserve_new_path,
    write_game,
)
from yatzy.errors import InputError, Message, MoveError
from yatzy.games import Dice, Game, Keep, Move, Player, Position, Record, Roll, Step
from yatzy.games.dice import sorted_dice

if TYPE_CHECKING:
    from yatzy.coach.play.opponents import Opponents


@dataclass(frozen=True, slots=True)
class Played:
    """A step of a player."""

    player: int
    before: Position
    step: Step
    after: Position


class Session:
    """A game being played. Create one with `new`, `of` or `load`."""

    def __init__(self, record: Record) -> None:
        self._lock = RLock()
        self._saving = RLock()  # taken after `_lock` or alone, so that the game can change while it is written
        self._postponed = False  # used with the lock alone
        self._history = History.of(record)
        self._seed = record.seed
        self._record: Record | None = record
        self.autosave: Path | None = None
        """The file in which every change is saved."""
        self.trouble: Message | None = None
        """Why the last autosave failed, or None. The game continues without it."""
        self._seen: bytes | None = None
        """The fingerprint of that file when it was last read or written here."""

    @classmethod
    def new(
        cls,
        game: Game,
        players: Sequence[Player],
        seed: int | None = None,
        start: Position | None = None,
        date: datetime.date | None = None,
    ) -> Session:
        """Start a new game. Without a seed, one is drawn at the program's first roll."""
        date = date or datetime.date.today()
        return cls(Record(game, tuple(players), date=date, seed=seed, start=start))

    @classmethod
    def of(cls, record: Record) -> Session:
        """Continue the game of a record, including its undo history.

        Turns of which only the last dice or the points are known cannot be undone.
        """
        return cls(record)

    @classmethod
    def load(cls, path: Path, own: Game | None = None) -> Session:
        """Load a saved game; `own` is a game that the user has named, for a record that describes it."""
        data = read_bytes(path)
        session = cls(parse_game(path, data, own))
        session._seen = fingerprint(data)
        return session

    @property
    def game(self) -> Game:
        """The rules of the game."""
        return self._history.head.game

    @property
    def players(self) -> tuple[Player, ...]:
        """All players, in the order of play."""
        return self._history.head.players

    @property
    def record(self) -> Record:
        """The record of the game so far, including its undo history."""
        with self._lock:
            if self._record is None:
                self._record = self._history.record(self._seed)
            return self._record

    @property
    def position(self) -> Position:
        """The current position."""
        return self._history.position

    @property
    def mover(self) -> int:
        """The seat of the player to move."""
        return self.position.mover

    @property
    def computer_moves(self) -> bool:
        """Whether a computer player is to roll or to move."""
        position = self.position
        return not position.over and self.players[position.mover].strategy is not None

    @property
    def awaits_roll(self) -> bool:
        """Whether dice must be rolled before the next move."""
        return self.position.awaits_roll

    @property
    def over(self) -> bool:
        """Whether the game is finished."""
        return self.position.over

    @property
    def can_undo(self) -> bool:
        """Whether a step can be undone."""
        return bool(self._history.past)

    @property
    def can_redo(self) -> bool:
        """Whether a step can be redone."""
        return bool(self._history.undone)

    @property
    def last(self) -> Played | None:
        """The last step; None at the beginning."""
        history = self._history
        if not history.past:
            return None
        before, step = history.past[-1]
        return Played(before.mover, before, step, history.position)

    @property
    def earlier(self) -> tuple[Dice, ...]:
        """All dice after each earlier roll of this turn."""
        return self._history.earlier

    @property
    def typed(self) -> bool:
        """Whether people use real dice: one of their rolls differs from the program's."""
        past, seed = self._history.past, self._seed
        rolls = [(at, step) for at, step in past if isinstance(step, Roll) and self._is_of(at.mover, None)]
        return any(seed is None or step.dice != DiceSource(seed).roll(at) for at, step in rolls)

    @property
    def program_rolled(self) -> bool:
        """Whether the dice on the table are a roll of the program, without a decision since."""
        last, seed = self.last, self._seed
        if last is None or not isinstance(last.step, Roll) or seed is None:
            return False
        return last.step.dice == DiceSource(seed).roll(last.before)

    def roll(self) -> Played:
        """Roll the program's dice."""
        with self._lock:
            position = self.position
            if not position.awaits_roll:
                raise MoveError("there is nothing to roll here")
            return self._do(Roll(self._dice().roll(position)))

    def enter(self, dice: Iterable[int]) -> Played:
        """Enter real dice: all of them, or only those that were rerolled."""
        with self._lock:
            position, dice = self.position, sorted_dice(dice)
            if position.dice and len(dice) == position.game.dice - len(position.dice):
                dice = sorted_dice((*position.dice, *dice))
            position.roll(dice)  # raises if the dice do not fit
            return self._do(Roll(dice))

    def correct(self, dice: Iterable[int]) -> None:
        """Replace the last roll, which was entered wrongly, by other dice: one change, saved once."""
        with self._lock:
            if not (self._history.past and isinstance(self._history.past[-1][1], Roll)):
                raise MoveError("there is no roll to correct")
            self._change(self._history.back().after([Roll(sorted_dice(dice))]))

    def play(self, move: Move) -> Played:
        """Make a move; an illegal one raises and changes nothing."""
        with self._lock:
            return self._do(move)

    def play_and_roll(self, move: Move) -> None:
        """Make a move, then roll the program's dice if the turn has a roll left: one change, saved once."""
        with self._lock:
            history = self._after(move)
            if isinstance(move, Keep) and history.position.awaits_roll:
                history = history.after([Roll(self._dice().roll(history.position))])
            self._change(history)

    def undo(self) -> None:
        """Undo the last roll or decision, of any player."""
        with self._lock:
            if not self.can_undo:
                if self._history.turns:
                    raise MoveError("there is nothing to undo: the earlier turns were only written down")
                raise MoveError("there is nothing to undo: nothing has happened")
            self._change(self._history.back())

    def redo(self) -> None:
        """Redo the last roll or decision that was undone."""
        with self._lock:
            self._need_undone()
            self._change(self._history.again())

    def undo_decision(self, player: int | None = None, *, rolls: bool = False) -> None:
        """Undo back to the last decision of a player, by default of any person, including all steps after it.

        rolls: also stop at the last roll of such a player, which may have been typed in wrongly.
        """
        with self._lock:
            history = self._history
            while history.past:
                history = history.back()
                if self._is_of(history.position.mover, player) and (rolls or not isinstance(history.undone[0], Roll)):
                    return self._change(history)
            raise MoveError("there is no decision to undo")

    def redo_decision(self, player: int | None = None, *, rolls: bool = False) -> None:
        """Redo up to the next decision of a player, or also up to the next roll if `rolls` is set."""
        with self._lock:
            self._need_undone()
            history = self._history.again()
            while history.undone:
                ready = rolls or not history.position.awaits_roll
                if ready and self._is_of(history.position.mover, player):
                    break
                history = history.again()
            self._change(history)

    def autoplay(self, opponents: Opponents) -> Iterator[Played]:
        """Play for the computer players, one step at a time, until a person is to roll or to move."""
        while (played := self.autoplay_step(opponents)) is not None:
            yield played

    def autoplay_step(self, opponents: Opponents) -> Played | None:
        """Make the next roll or move of a computer player; None if a person is to move or the game is over.

        The lock is released while the strategy computes its move. If the game has changed in the meantime, nothing
        happens. It is also released while the step is saved.
        """
        played = self._autoplay_step(opponents)
        if played is not None:
            self.autosave_now()
        return played

    def _autoplay_step(self, opponents: Opponents) -> Played | None:
        """The same without saving."""
        with self.unsaved():
            if not self.computer_moves:
                return None
            if self.awaits_roll:
                return self.roll()
            history, dice = self._history, self._dice()
        name = self.players[history.position.mover].strategy
        assert name is not None
        move = opponents.move(name, history.position, history.earlier, dice.draw)
        with self.unsaved():
            return self.play(move) if self._history is history else None

    def save(self, path: Path) -> None:
        """Write the record atomically.

        When saving to the autosave file, changes by another program are not overwritten, and the version before the
        change is kept as a backup. If autosaving has failed before, `path` becomes the autosave file.
        """
        with self._saving:
            record = self._history.record(self._seed)  # without the lock, which must not be taken after `_saving`
            if path != self.autosave:
                data = write_game(path, record)
                if self.trouble is not None:  # autosave works again, in this file
                    self.autosave, self.trouble, self._seen = path, None, fingerprint(data)
                return
            before = _bytes_at(path)
            new = before is None and self._seen is None
            if (new and not reserve(path)) or (before is not None and fingerprint(before) != self._seen):
                raise InputError("{path}: another program has changed this game; save it in another file", path=path)
            self._seen = fingerprint(write_game(path, record, before or b""))

    @contextmanager
    def unsaved(self) -> Iterator[None]:
        """Make changes without saving them; `autosave_now` must follow. For callers that must not wait for a disk."""
        with self._lock:
            self._postponed = True
            try:
                yield
            finally:
                self._postponed = False

    def autosave_now(self) -> None:
        """Save the game in the autosave file, if there is one; `trouble` tells whether that failed."""
        with self._saving:
            if self.autosave is None:
                return
            try:
                self.save(self.autosave)
                self.trouble = None
            except InputError as error:
                self.trouble = Message("{error}", error=error)

    def save_in_new_file(self, path: Path | None = None) -> None:
        """Save every change from now on in a new file, `path` or one in the folder of games.

        The name is reserved at once, so that no other program takes it; `close` removes the file if it was not used.
        """
        if path is not None and not reserve(path):
            raise InputError("{path}: exists already; name another file", path=path)
        try:
            self.autosave = (path or reserve_new_path(self.record)).absolute()
            self._seen = fingerprint(b"")
        except InputError as error:  # the game can be played without saving
            self.autosave, self.trouble = new_path(self.record).absolute(), Message("{error}", error=error)

    def close(self) -> None:
        """Remove the autosave file if nothing was saved in it."""
        with self._saving:
            if self.autosave is not None and self._seen == fingerprint(b""):
                release(self.autosave)

    def _dice(self) -> DiceSource:
        if self._seed is None:
            self._seed, self._record = new_seed(), None
        return DiceSource(self._seed)

    def _do(self, step: Step) -> Played:
        before = self.position
        self._change(self._after(step))
        return Played(before.mover, before, step, self.position)

    def _after(self, step: Step) -> History:
        steps = [step] if isinstance(step, Roll) else [one for _, one in decisions_of(self.position, step)]
        return self._history.after(steps)

    def _change(self, history: History) -> None:
        self._history, self._record = history, None
        if not self._postponed:
            self.autosave_now()

    def _need_undone(self) -> None:
        if not self.can_redo:
            raise MoveError("nothing was undone, so there is nothing to redo")

    def _is_of(self, mover: int, player: int | None) -> bool:
        """Whether the mover is `player`, or any person if `player` is None."""
        return self.players[mover].strategy is None if player is None else mover == player


def _bytes_at(path: Path) -> bytes | None:
    """The content of a file; None if it does not exist."""
    try:
        return read_bytes(path)
    except InputError as error:
        if isinstance(error.__cause__, FileNotFoundError | NotADirectoryError):
            return None
        raise
