"""A game being played: what has happened, what may happen next, and everything taken back.

The program's dice are a pure function of the seed, the player, the turn, the number of the roll and the dice kept (see
`coach/play/dice.py`): whoever takes a move back and makes it again rolls the same.

Every method may be called from any thread; a change is seen whole or not at all.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING

from yatzy.coach.play.dice import DiceSource, new_seed
from yatzy.coach.play.history import History, decisions_of
from yatzy.errors import InputError, MoveError
from yatzy.games import Dice, Game, Keep, Move, Player, Position, Record, Roll, Step
from yatzy.games.dice import sorted_dice

if TYPE_CHECKING:
    from yatzy.coach.play.opponents import Opponents


@dataclass(frozen=True, slots=True)
class Played:
    """Something a player did."""

    player: int
    before: Position
    step: Step
    after: Position


class Session:
    """A game being played; make one with `new`, `of` or `load`."""

    def __init__(self, record: Record) -> None:
        self._lock = RLock()
        self._history = History.of(record)
        self._seed = record.seed
        self._record: Record | None = record
        self.autosave: Path | None = None
        """Where every change is saved at once."""
        self.trouble: str | None = None
        """Why that failed the last time, if it did; the game goes on meanwhile."""
        self._seen: bytes | None = None
        """The fingerprint of that file as it was last read or written here."""

    @classmethod
    def new(
        cls,
        game: Game,
        players: Sequence[Player],
        seed: int | None = None,
        start: Position | None = None,
        date: datetime.date | None = None,
    ) -> Session:
        """A game that begins now; without a seed one is drawn when the program first rolls."""
        date = date or datetime.date.today()
        return cls(Record(game, tuple(players), date=date, seed=seed, start=start))

    @classmethod
    def of(cls, record: Record) -> Session:
        """A game taken up where a record leaves it, with what was taken back there.

        Turns of which only the last dice or the points are known stay as they are; they cannot be taken back.
        """
        return cls(record)

    @classmethod
    def load(cls, path: Path, own: Game | None = None) -> Session:
        """A saved game; `own` is a game that this person has named, for a record that describes it."""
        from yatzy.coach.play.saved import fingerprint, parse_game, read_bytes

        data = read_bytes(path)
        session = cls(parse_game(path, data, own))
        session._seen = fingerprint(data)
        return session

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self._history.head.game

    @property
    def players(self) -> tuple[Player, ...]:
        """Everyone at the table, in the order of play."""
        return self._history.head.players

    @property
    def record(self) -> Record:
        """The game so far, with what was taken back."""
        with self._lock:
            if self._record is None:
                self._record = self._history.record(self._seed)
            return self._record

    @property
    def position(self) -> Position:
        """Where the game stands."""
        return self._history.position

    @property
    def mover(self) -> int:
        """Whose turn it is."""
        return self.position.mover

    @property
    def computer_moves(self) -> bool:
        """Whether a computer player is to roll or to move."""
        position = self.position
        return not position.over and self.players[position.mover].strategy is not None

    @property
    def awaits_roll(self) -> bool:
        """Whether dice have to be rolled before the next move."""
        return self.position.awaits_roll

    @property
    def over(self) -> bool:
        """Whether the game is finished."""
        return self.position.over

    @property
    def can_undo(self) -> bool:
        """Whether something can be taken back."""
        return bool(self._history.past)

    @property
    def can_redo(self) -> bool:
        """Whether something was taken back and can be done again."""
        return bool(self._history.undone)

    @property
    def last(self) -> Played | None:
        """The last step, None at the beginning."""
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
        """Whether people have rolled real dice: some roll of theirs is not the one that the program would make."""
        past, seed = self._history.past, self._seed
        rolls = [(at, step) for at, step in past if isinstance(step, Roll) and self._is_of(at.mover, None)]
        return any(seed is None or step.dice != DiceSource(seed).roll(at) for at, step in rolls)

    def roll(self) -> Played:
        """Roll the program's dice."""
        with self._lock:
            position = self.position
            if not position.awaits_roll:
                raise MoveError("there is nothing to roll here")
            return self._do(Roll(self._dice().roll(position)))

    def enter(self, dice: Iterable[int]) -> Played:
        """Real dice that were rolled: all of them, or only those that were not kept."""
        with self._lock:
            position, dice = self.position, sorted_dice(dice)
            if position.dice and len(dice) == position.game.dice - len(position.dice):
                dice = sorted_dice((*position.dice, *dice))
            position.roll(dice)  # refuses what does not fit
            return self._do(Roll(dice))

    def play(self, move: Move) -> Played:
        """Make a move; one that is not allowed is refused, and nothing has changed."""
        with self._lock:
            return self._do(move)

    def play_and_roll(self, move: Move) -> None:
        """Make a move, and roll the program's dice if dice are left to roll in the turn: one change, saved once."""
        with self._lock:
            history = self._after(move)
            if isinstance(move, Keep) and history.position.awaits_roll:
                history = history.after([Roll(self._dice().roll(history.position))])
            self._change(history)

    def undo(self) -> None:
        """Take back the last roll or decision, whoever made it."""
        with self._lock:
            if not self.can_undo:
                why = "what came before was only written down" if self._history.turns else "nothing has happened"
                raise MoveError(f"there is nothing to take back: {why}")
            self._change(self._history.back())

    def redo(self) -> None:
        """Do again what was taken back last."""
        with self._lock:
            self._need_undone()
            self._change(self._history.again())

    def undo_decision(self, player: int | None = None, *, rolls: bool = False) -> None:
        """Back to the last decision of a player, of any person by default; the others' steps go with it.

        rolls: also to the last roll of such a player, where dice are typed in and may be wrong.
        """
        with self._lock:
            history = self._history
            while history.past:
                history = history.back()
                if self._is_of(history.position.mover, player) and (rolls or not isinstance(history.undone[0], Roll)):
                    return self._change(history)
            raise MoveError("there is no decision to take back")

    def redo_decision(self, player: int | None = None, *, rolls: bool = False) -> None:
        """Do again what was taken back, up to the next decision (and roll, if asked for) of a player."""
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
        """Let computer players go on until a person is to roll or to move, one step at a time."""
        while (played := self.autoplay_step(opponents)) is not None:
            yield played

    def autoplay_step(self, opponents: Opponents) -> Played | None:
        """The next roll or move of a computer player; None where a person is to move or the game is over.

        Whoever thinks does not hold the others up. If the game has changed meanwhile, nothing happens.
        """
        with self._lock:
            if not self.computer_moves:
                return None
            if self.awaits_roll:
                return self.roll()
            history, dice = self._history, self._dice()
        name = self.players[history.position.mover].strategy
        assert name is not None
        move = opponents.move(name, history.position, history.earlier, dice.draw)
        with self._lock:
            return self.play(move) if self._history is history else None

    def save(self, path: Path) -> None:
        """Write the record aside and rename it, so that there is always a whole one.

        Where every change is saved, what another program has written meanwhile is not overwritten, and the version
        before the change is kept beside it. A game that could not be saved there is saved in `path` from now on.
        """
        from yatzy.coach.play.saved import fingerprint, reserve, write_game

        with self._lock:
            if path != self.autosave:
                data = write_game(path, self.record)
                if self.trouble is not None:  # from now on where it can be saved
                    self.autosave, self.trouble, self._seen = path, None, fingerprint(data)
                return
            before = _bytes_at(path)
            new = before is None and self._seen is None
            if (new and not reserve(path)) or (before is not None and fingerprint(before) != self._seen):
                raise InputError(f"{path}: another program has changed this game meanwhile; save it in another file")
            self._seen = fingerprint(write_game(path, self.record, before or b""))

    def save_in_new_file(self, path: Path | None = None) -> None:
        """Save every change from now on in a new file, `path` or one in the folder of games.

        Its name is taken at once, so that no other program gets it; `close` gives back a name that was not used.
        """
        from yatzy.coach.play.saved import fingerprint, new_path, reserve, reserve_new_path

        if path is not None and not reserve(path):
            raise InputError(f"{path}: is there already; name another file")
        try:
            self.autosave = (path or reserve_new_path(self.record)).absolute()
            self._seen = fingerprint(b"")
        except InputError as error:  # the game can be played all the same
            self.autosave, self.trouble = new_path(self.record).absolute(), str(error)

    def close(self) -> None:
        """Give back the name of a file in which nothing was saved."""
        from yatzy.coach.play.saved import fingerprint, release

        with self._lock:
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
        if self.autosave is None:
            return
        try:
            self.save(self.autosave)
            self.trouble = None
        except InputError as error:
            self.trouble = str(error)

    def _need_undone(self) -> None:
        if not self.can_redo:
            raise MoveError("nothing was taken back, so there is nothing to do again")

    def _is_of(self, mover: int, player: int | None) -> bool:
        """Whether a mover is the player in question, or a person if none is."""
        return self.players[mover].strategy is None if player is None else mover == player


def _bytes_at(path: Path) -> bytes | None:
    """What a file holds; None where there is none."""
    from yatzy.coach.play.saved import read_bytes

    try:
        return read_bytes(path)
    except InputError as error:
        if isinstance(error.__cause__, FileNotFoundError | NotADirectoryError):
            return None
        raise
