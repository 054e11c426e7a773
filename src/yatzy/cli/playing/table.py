"""A line-by-line game in the terminal, saved after every step."""

from __future__ import annotations

import os.path
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from textwrap import fill

from yatzy.cli.playing import screen
from yatzy.cli.playing.coaching import PlayCoach
from yatzy.cli.playing.refusals import Refused, check_dice, check_move, said
from yatzy.cli.playing.words import Command, Do, read_command, read_move
from yatzy.cli.streams import LineTooLong, read_line
from yatzy.coach.grades import Grade
from yatzy.coach.play.opponents import resume_command
from yatzy.coach.play.session import Played, Session
from yatzy.coach.play.tutor import parse_threshold
from yatzy.errors import InputError, YatzyError
from yatzy.games import Keep, Move, Position, Roll, Score, show_dice
from yatzy.names import parse_strategy
from yatzy.reading import named_path
from yatzy.report.numbers import plain_number
from yatzy.report.problems import message_text
from yatzy.report.terminal import STYLES, rich_table
from yatzy.report.texts import text
from yatzy.report.words import best_instead, grade_name, move_made, warning

TUTOR_CLASSES = [grade.value for grade in list(Grade)[1:]]
"""Classes that the tutor can warn of, as they are typed."""
NOT_SAVED, WRONG_INPUT, INTERRUPTED = 1, 2, 130


class Left(Exception):  # noqa: N818  (what happened, not an error)
    """A player has left the game."""


class TerminalGame:
    """One game that people play in a terminal."""

    def __init__(
        self,
        session: Session,
        coach: PlayCoach,
        *,
        typed: bool = False,
        hints: bool = False,
        tutor: Grade | float | None = None,
        language: str = "en",
    ) -> None:
        """typed: people roll real dice and type them in; hints: show the best moves at every decision."""
        self._session, self._coach, self._language = session, coach, language
        self._typed, self._hints, self._tutor = typed, hints, tutor
        self._console = screen.open_console()
        self._shown: object = None
        """The position that was shown last."""
        self._told: str | None = None
        """The save error that was reported last."""

    def run(self) -> int:
        """Play until the game is over or somebody leaves; return the exit code, not 0 if the game is not saved."""
        try:
            self._play()
        except (Left, EOFError):
            self._farewell()
        except LineTooLong as error:
            self._farewell()
            self._say(self._text("left", why=error))
            return WRONG_INPUT
        except KeyboardInterrupt:
            self._say("")
            self._farewell()
            return INTERRUPTED
        return NOT_SAVED if self._session.trouble is not None and self._played else 0

    def _play(self) -> None:
        session = self._session
        while not session.over:
            self._tell_trouble()
            if session.computer_moves:
                self._let_computer_play()
            elif session.awaits_roll and not self._typed and not session.position.between_turns:
                self._did(session.roll())
            else:
                self._ask()
        self._finish()

    def _ask(self) -> None:
        """Read a line from the person to move, and execute it."""
        self._show_position()
        try:
            command = read_command(self._read(self._prompt()), self._session.position)
            self._obey(command)
        except LineTooLong:
            raise
        except YatzyError as error:
            self._tell(said(error, self._language))

    def _prompt(self) -> str:
        session = self._session
        name = session.players[session.mover].name
        if not session.awaits_roll:
            key = "keep" if session.position.rolls_left else "category"
        elif self._typed:
            key = "dice_kept" if session.position.dice else "dice"
        else:
            key = "roll"
        return text(self._language, f"prompt.{key}", name=name, dice=show_dice(session.position.dice))

    def _text(self, key: str, **values: object) -> str:
        return text(self._language, f"play_said.{key}", **values)

    def _note(self, key: str, **values: object) -> None:
        """Print what was done, indented."""
        self._tell(self._text(key, **values))

    def _read(self, prompt: str) -> str:
        """Read a line. If it does not come from a terminal, echo it."""
        self._console.file.flush()
        if sys.stdin.isatty():
            with suppress(ImportError):  # line editing and history, if the system has it
                import readline  # noqa: F401
            return input(prompt)
        print(prompt, end="", flush=True)
        try:
            line = read_line()
        except EOFError:
            print()
            raise
        print(line, flush=True)
        return line

    def _obey(self, command: Command) -> None:
        session = self._session
        match command.do:
            case Do.ROLL:
                self._roll()
            case Do.ENTER:
                if not self._typed:
                    raise Refused("program_rolls", option="--dice typed")
                check_dice(session.position, command.dice)
                self._did(session.enter(command.dice))
            case Do.MOVE:
                assert command.move is not None
                self._consider(command.move)
            case Do.UNDO:
                with _refusing("undo"):
                    session.undo_decision(rolls=self._typed)
                self._note("taken_back", redo="'redo'")
            case Do.REDO:
                with _refusing("redo"):
                    session.redo_decision(rolls=self._typed)
                self._note("done_again")
            case Do.QUIT:
                raise Left
            case Do.SAVE:
                self._save(command.argument)
            case Do.TUTOR:
                self._set_tutor(command.argument)
            case Do.SHEET:
                self._show_sheets()
            case Do.HELP:
                self._console.print(screen.help_table(self._language))
            case Do.HINT:
                self._need_choice()
                self._show_hint(session.position)
            case Do.WHY:
                self._need_choice()
                move = read_move(command.argument, session.position) if command.argument else None
                for line in self._coach.why(session.position, move):
                    self._tell(line)

    def _roll(self) -> None:
        if not self._session.awaits_roll:
            raise Refused("keep_first", none="none")
        if self._typed:
            raise Refused("type_dice", option="--dice rolled")
        self._did(self._session.roll())

    def _need_choice(self) -> None:
        if self._session.awaits_roll:
            raise Refused("no_choice")

    def _consider(self, move: Move) -> None:
        """Make a move, unless the tutor warns and the player reconsiders."""
        position = self._session.position
        check_move(position, move)  # reject illegal moves before the tutor evaluates them
        given = None if self._tutor is None else self._coach.warn(position, move, self._tutor)
        while given is not None:
            self._console.print(f"  {warning(given, self._language)}", style=STYLES["bad"])
            answer = self._read(f"  {text(self._language, 'prompt.warned')}").strip().casefold()
            if answer in ("t", "think", "think again", "u", "undo"):
                return
            if answer in ("q", "quit", "exit"):
                raise Left
            if answer in ("s", "show"):
                self._say(f"  {best_instead(given, self._language)}")
                self._show_hint(given.where)
            elif answer in ("p", "play", "play anyway"):
                break
            else:
                self._note("warned_help")
        self._did(self._session.play(move))

    def _save(self, name: str) -> None:
        session = self._session
        if name:
            path = named_path(name)
            if os.path.lexists(path) and path != session.autosave:
                raise Refused("there_already", path=path)
            session.save(path)
            self._note("copy" if path != session.autosave else "saved_from_now", path=path)
        elif session.autosave is not None:
            session.save(session.autosave)
            self._note("saved_always", path=session.autosave)

    def _set_tutor(self, typed: str) -> None:
        if typed:
            with _refusing("tutor", typed=repr(typed), names=", ".join(["off", "on", *TUTOR_CLASSES])):
                self._tutor = parse_threshold(typed)
        if self._tutor is None:
            self._note("tutor_off")
        elif isinstance(self._tutor, float):
            self._note("tutor_loss", loss=plain_number(self._tutor, self._language))
        else:
            self._note("tutor_class", grade=grade_name(self._tutor, self._language))

    def _let_computer_play(self) -> None:
        session = self._session
        name = session.players[session.mover].strategy
        assert name is not None
        self._coach.open_opponent(name)
        while session.computer_moves and session.players[session.mover].strategy == name:
            searches = parse_strategy(name).several and not session.awaits_roll and self._console.is_terminal
            if searches:
                with self._console.status(self._text("thinking", name=session.players[session.mover].name)):
                    played = session.autoplay_step(self._coach.opponents)
            else:
                played = session.autoplay_step(self._coach.opponents)
            if played is not None:
                self._did(played)

    def _did(self, played: Played) -> None:
        """Report a step; for computer players every decision has a line."""
        player = self._session.players[played.player]
        if isinstance(played.step, Roll) or (isinstance(played.step, Keep) and player.strategy is None):
            return
        did = move_made(played.before.game, played.step, self._language)
        if isinstance(played.step, Score):
            before, after = (where.sheets[played.player].points for where in (played.before, played.after))
            did = text(self._language, "terminal.scored", move=did, points=after - before, total=after)
        self._say(f"  {player.name}: {show_dice(played.before.dice)}  {did}")

    def _show_position(self) -> None:
        """Show the dice, and the sheets at the start of a turn and when a category must be chosen."""
        position = self._session.position
        if position is self._shown:
            return
        self._shown = position
        if position.between_turns:
            self._show_sheets()
            return
        if position.awaits_roll:
            return
        if not position.rolls_left:
            self._show_sheets()
        last, drawn = self._session.last, screen.can_draw(self._console)
        kept = last.before.dice if last is not None and isinstance(last.step, Roll) else ()
        self._say(
            "\n".join(screen.dice_lines(position, self._language, drawn=drawn, kept=kept, width=self._console.width))
        )
        if position.rolls_left:
            self._say(screen.offers_line(position, self._language, self._console.width))
        if self._hints:
            self._show_hint(position)

    def _show_hint(self, position: Position) -> None:
        hint = self._coach.hint(position)
        self._say(hint.title)
        self._console.print(rich_table(hint, self._console))

    def _show_sheets(self) -> None:
        session = self._session
        self._say("")
        for table in screen.sheets(self._console, session.position, session.players, self._language):
            self._console.print(table)

    def _tell_trouble(self) -> None:
        """Report once that the game cannot be saved."""
        trouble = self._session.trouble
        if trouble is not None and trouble != self._told:
            self._note("save_elsewhere", why=message_text(trouble, self._language), command="'save FILE'")
        self._told = trouble

    @property
    def _played(self) -> bool:
        session = self._session
        return bool(session.can_undo or session.can_redo or session.record.turns)

    def _finish(self) -> None:
        session = self._session
        self._show_sheets()
        self._say(_result(session, self._language))
        self._tell_trouble()
        try:
            self._say("")
            for depth, line in self._coach.review(session.record):
                self._tell(line, depth)
        except YatzyError as error:
            self._say(self._text("no_review", why=error))
        if session.autosave is not None and session.trouble is None:
            self._say(f"\n{self._text('saved_in', path=session.autosave)}")
            command = f"yatzy review {shlex.quote(str(session.autosave))}"
            self._say(text(self._language, "review_said.all_of_it", command=command))

    def _farewell(self) -> None:
        """Print where the game is saved, and how to resume it."""
        session, path = self._session, self._session.autosave
        if not self._played:
            self._say(self._text("nothing_played"))
        elif path is not None and session.trouble is None:
            self._say(self._text("saved_in", path=path))
            self._say(self._text("resume", command=resume_command(str(path), session.players)))
        elif session.trouble is not None:
            self._say(self._text("not_saved", why=message_text(session.trouble, self._language)))

    def _tell(self, text: str, depth: int = 1) -> None:
        """Print a sentence, wrapped and indented."""
        room, indent = max(self._console.width - 1, 20), "  " * depth
        self._say(fill(text, room, initial_indent=indent, subsequent_indent=f"{indent}  ",
                       break_on_hyphens=False, break_long_words=False))  # fmt: skip

    def _say(self, text: str) -> None:
        """Print a line verbatim, without markup."""
        self._console.print(text, soft_wrap=True)


@contextmanager
def _refusing(key: str, **values: object) -> Iterator[None]:
    """Refuse with this reason if something cannot be done."""
    try:
        yield
    except InputError:
        raise Refused(key, **values) from None


def _result(session: Session, language: str) -> str:
    """The winner, or the score of a single player."""
    scores = session.record.scores
    if len(scores) == 1:
        return text(language, "terminal.final", score=scores[0])
    ranked = sorted(zip(scores, session.players, strict=True), key=lambda pair: -pair[0])
    table = ", ".join(f"{player.name} {score}" for score, player in ranked)
    winners = [player.name for score, player in ranked if score == ranked[0][0]]
    if len(winners) > 1:
        names = text(language, "explain.conjunction").join(winners)
        return text(language, "terminal.level", names=names, scores=table)
    return text(language, "terminal.wins", name=winners[0], scores=table)
