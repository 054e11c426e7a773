"""`yatzy play` from outside: through a pseudo-terminal, and through a pipe."""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from helpers.command import yatzy, yatzy_process

from yatzy import load_game
from yatzy.cli.app import run
from yatzy.cli.playing.refusals import Refused, check_dice
from yatzy.cli.playing.screen import dice_lines, offers_line, open_console, sheets
from yatzy.cli.playing.words import COMMANDS, HELP, Do, find_open, read_command, read_move
from yatzy.coach.play.dice import DiceSource
from yatzy.coach.play.saved import read_game
from yatzy.errors import InputError
from yatzy.games import Category, Chance, Game, Keep, Move, Player, Position, Roll, Score, Sheet, Turn
from yatzy.report.texts import LANGUAGES, texts

pty = pytest.importorskip("pty", reason="pseudo-terminals are not on this system")

YATZY = load_game("yatzy")
TWO = load_game("two-yatzy")
# The terminal becomes the one that Ctrl-C comes from.
START = "import fcntl, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); from yatzy.cli import main; main()"
SECONDS = 180
_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]|\r")


class Terminal:
    """A person at a terminal."""

    def __init__(self, *arguments: str | Path, width: int = 80) -> None:
        self._own, other = pty.openpty()
        environment = {**os.environ, "TERM": "dumb", "COLUMNS": str(width), "LINES": "40", "PYTHONUTF8": "1"}
        command = [sys.executable, "-c", START, "play", *map(str, arguments)]
        self.process = subprocess.Popen(
            command, stdin=other, stdout=other, stderr=other, env=environment, start_new_session=True
        )
        os.close(other)
        self.screen = ""
        self._read = 0

    def _more(self, until: float) -> bool:
        if not select.select([self._own], [], [], max(until - time.monotonic(), 0))[0]:
            raise AssertionError(f"nothing more after:\n{self.screen}")
        try:
            data = os.read(self._own, 4096)
        except OSError:  # the other side has left
            data = b""
        self.screen += _ESCAPES.sub("", data.decode(errors="replace"))
        return bool(data)

    def see(self, text: str) -> str:
        """Wait for a text after all that was seen before; what came up to it."""
        until = time.monotonic() + SECONDS
        while (found := self.screen.find(text, self._read)) < 0:
            if not self._more(until):
                raise AssertionError(f"{text!r} never came:\n{self.screen}")
        seen = self.screen[self._read : found + len(text)]
        self._read = found + len(text)
        return seen

    def say(self, prompt: str, line: str) -> None:
        """Answer a prompt."""
        self.see(prompt)
        os.write(self._own, f"{line}\n".encode())

    def interrupt(self, prompt: str) -> None:
        """Press Ctrl-C at a prompt; again if nothing comes of it, for it may come before anybody listens."""
        self.see(prompt)
        self._wait_until_it_waits()
        while True:
            os.write(self._own, b"\x03")
            if select.select([self._own], [], [], 10)[0]:
                break

    def _wait_until_it_waits(self) -> None:
        """Until the process sleeps: it reads the line after the prompt. A Ctrl-C just before that has no effect."""
        stat, asleep = Path(f"/proc/{self.process.pid}/stat"), 0
        while asleep < 3 and self.process.poll() is None and stat.exists():  # which only Linux has
            time.sleep(0.02)
            asleep = asleep + 1 if stat.read_text().rpartition(") ")[2].startswith("S") else 0

    def end_of_input(self, prompt: str) -> None:
        """Press Ctrl-D at a prompt."""
        self.see(prompt)
        os.write(self._own, b"\x04")

    def end(self) -> int:
        """The exit code, once everything is on the screen."""
        until = time.monotonic() + SECONDS
        while self._more(until):
            pass
        return self.process.wait(timeout=SECONDS)

    def close(self) -> None:
        """Leave nothing behind."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self._own)


@pytest.fixture(autouse=True)
def _games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("YATZY_GAMES", str(tmp_path / "games"))


@pytest.fixture
def terminals() -> Iterator[list[Terminal]]:
    """Those of a test, closed after it."""
    opened: list[Terminal] = []
    yield opened
    for terminal in opened:
        terminal.close()


def test_a_whole_game(tmp_path: Path, terminals: list[Terminal]) -> None:
    """Typed dice, undo, the tutor, save, quit, resume, finish, review."""
    file = tmp_path / "game.yatzy"
    one = Terminal("--game", "two-yatzy", "--player", "Ann", "--dice", "typed", "--tutor", "mistake", "--save", file)
    terminals.append(one)
    one.say("Ann, dice (? help)> ", "12")
    one.say("Ann, keep (? help)> ", "undo")
    one.see("undone")
    one.say("Ann, dice (? help)> ", "23")
    one.see("3 is not from 1 to 2")
    one.say("Ann, dice (? help)> ", "22")
    one.say("Ann, keep (? help)> ", "all")
    one.say("Ann, category (? help)> ", "ones")
    one.see("That loses 2.50 points (mistake).")
    one.say("[p]lay anyway, [t]hink again, [s]how, [?] help> ", "?")
    one.see("p plays the move, t takes it back")
    one.say("[p]lay anyway, [t]hink again, [s]how, [?] help> ", "s")
    one.see("Best is taking Twos.")
    one.say("[s]how, [?] help> ", "t")
    assert read_game(file).turns == (Turn(((2, 2),), ((2, 2),)),)  # nothing was written down
    one.say("Ann, category (? help)> ", "1")
    one.say("[s]how, [?] help> ", "p")
    one.see("Ones 0, total 0")
    one.say("Ann, dice (? help)> ", "u")
    one.say("Ann, keep (? help)> ", "redo")
    one.see("redone")
    one.say("Ann, dice (? help)> ", "u")
    one.say("Ann, keep (? help)> ", "c 2")
    one.see("Twos 4, total 4")
    one.say("Ann, dice (? help)> ", "1 2")
    one.say("Ann, keep (? help)> ", "#1")
    one.say("Ann, dice (with 1 kept, ? help)> ", "save")
    one.see("saved in")  # a long path may be on lines of its own
    one.see(file.name)
    one.say("kept, ? help)> ", "q")
    one.see(f"yatzy play --resume {file}")
    assert one.end() == 0

    two = Terminal("--resume", file)
    terminals.append(two)
    two.say("Ann, dice (with 1 kept, ? help)> ", "1")
    two.say("Ann, category (? help)> ", "ones")
    two.see("Ones 2, total 6")
    two.see("Final score: 6")
    two.see("Ann: 5.00 at the start")
    two.see("= 6")
    two.see(f"yatzy review {file}")
    assert two.end() == 0
    record = read_game(file)
    assert record.scores == (6,)
    assert record.turns[0] == Turn(((2, 2),), ((2, 2),), Score("twos"), 4, 0)
    assert record.turns[1] == Turn(((1, 2), (1, 1)), ((1,),), Score("ones"), 2, 0)
    assert record.seed is None


def test_ctrl_c_loses_nothing(tmp_path: Path, terminals: list[Terminal]) -> None:
    file = tmp_path / "game.yatzy"
    one = Terminal("--player", "Ann", "--computer", "Bo=greedy", "--seed", "5", "--save", file)
    terminals.append(one)
    one.say("Ann, Enter to roll (? help)> ", "")
    one.interrupt("Ann, keep (? help)> ")
    one.see(f"Continue with: yatzy play --resume {file}")
    assert one.end() == 130
    assert "Traceback" not in one.screen
    record = read_game(file)
    first = DiceSource(5).roll(Position.start(YATZY, 2))
    assert record.turns == (Turn((first,)),)
    two = Terminal("--resume", file)
    terminals.append(two)
    two.interrupt("Ann, keep (? help)> ")
    assert two.end() == 130
    assert read_game(file) == record


def test_ctrl_c_before_anything_happened(tmp_path: Path, terminals: list[Terminal]) -> None:
    one = Terminal("--save", tmp_path / "game.yatzy")
    terminals.append(one)
    one.interrupt("You, Enter to roll (? help)> ")
    one.see("Nothing has been played")
    assert one.end() == 130
    assert not (tmp_path / "game.yatzy").exists()


def test_ctrl_c_at_a_question_of_the_tutor(tmp_path: Path, terminals: list[Terminal]) -> None:
    file = tmp_path / "game.yatzy"
    one = Terminal("--game", "two-yatzy", "--dice", "typed", "--tutor", "on", "--save", file)
    terminals.append(one)
    one.say("dice (? help)> ", "22")
    one.say("keep (? help)> ", "c ones")
    one.interrupt("[s]how, [?] help> ")
    assert one.end() == 130
    assert read_game(file).turns == (Turn(((2, 2),)),)


def test_killed_in_the_middle(tmp_path: Path, terminals: list[Terminal]) -> None:
    file = tmp_path / "game.yatzy"
    one = Terminal("--dice", "typed", "--save", file)
    terminals.append(one)
    one.say("You, dice (? help)> ", "13356")
    one.say("You, keep (? help)> ", "#2 #3")
    one.see("dice (with 33 kept, ? help)> ")
    one.process.send_signal(signal.SIGKILL)
    one.process.wait()
    assert read_game(file).turns == (Turn(((1, 3, 3, 5, 6),), ((3, 3),)),)
    assert {path.name for path in tmp_path.iterdir()} == {"game.yatzy", "game.yatzy.bak"}


@pytest.mark.parametrize("width", [60, 80, 120])
def test_nothing_is_wider_than_the_terminal(width: int, terminals: list[Terminal]) -> None:
    one = Terminal("--player", "Ann", "--player", "Maximiliana the Great", "--computer", "greedy", "--computer",
                   "greedy", "--computer", "random", "--seed", "1", width=width)  # fmt: skip
    terminals.append(one)
    for prompt, line in (
        ("to roll (? help)> ", ""),
        ("keep (? help)> ", "all"),
        ("category (? help)> ", "?"),
        ("category (? help)> ", "chance"),
    ):
        one.say(prompt, line)
    one.end_of_input("to roll (? help)> ")
    assert one.end() == 0
    assert max(map(len, one.screen.split("Saved in")[0].splitlines())) <= width
    assert "Maximiliana" in one.screen


def piped(*arguments: str | Path, lines: str) -> subprocess.CompletedProcess[str]:
    """The same without a terminal."""
    return yatzy("play", *arguments, input=lines)


def test_a_whole_game_of_yatzy_through_a_pipe(tmp_path: Path) -> None:
    """Against a computer, with the dice of a seed."""
    file = tmp_path / "game.yatzy"
    turns = "".join(f"\nall\n{number}\n" for number in range(1, 16))
    players = ("--player", "Ann", "--computer", "Bo=expected", "--seed", "7")
    done = piped(*players, "--save", file, lines=turns)
    assert done.returncode == 0, done.stderr
    record = read_game(file)
    assert record.over
    for number in range(len(record.turns)):
        for position, step in record.steps(number):
            if isinstance(step, Roll):
                assert step.dice == DiceSource(7).roll(position)
    ann, bo = record.scores
    assert f"{'Ann' if ann > bo else 'Bo'} wins: " in done.stdout
    assert re.search(rf"Ann: 248\.44 at the start .* error = {ann}\n", done.stdout)
    assert re.search(rf"Bo: 248\.44 at the start .* 0\.00 error = {bo}\n", done.stdout)
    assert f"yatzy review {file}" in done.stdout
    assert done.stdout.count("Bo: ") >= 30
    again = piped(
        "--player", "Ann", "--computer", "Bo=expected", "--seed", "7", "--save", tmp_path / "two", lines=turns
    )
    assert read_game(tmp_path / "two") == record
    assert again.returncode == 0


def test_the_end_of_input_saves_and_leaves(tmp_path: Path) -> None:
    done = piped("--game", "two-yatzy", "--seed", "1", lines="\n")
    assert done.returncode == 0
    (file,) = (tmp_path / "games").iterdir()
    assert f"yatzy play --resume {file}" in done.stdout
    shown = yatzy("play", "--saved")
    assert shown.returncode == 0
    assert "You" in shown.stdout
    assert "turn 1 of 2" in shown.stdout


def test_hints_why_and_the_sheet(tmp_path: Path) -> None:
    lines = "12\nhint\nwhy\nwhy 1\nsheet\nnonsense\ntutor blunder\ntutor\ntutor off\nsave {0}\nsave {0}\nr\nq\n"
    done = piped("--game", "two-yatzy", "--dice", "typed", lines=lines.format(tmp_path / "copy"))
    assert done.returncode == 0, done.stderr
    assert "★" in done.stdout
    assert "is worth" in done.stdout or "equally good" in done.stdout
    assert "has no category 'nonsense'" in done.stdout
    assert done.stdout.count("the tutor warns of moves of class blunder or worse") == 2
    assert "the tutor is off" in done.stdout
    assert f"a copy is in {tmp_path / 'copy'}" in done.stdout
    assert f"{tmp_path / 'copy'} exists already" in done.stdout
    assert "first say what to keep" in done.stdout
    assert read_game(tmp_path / "copy").turns == (Turn(((1, 2),)),)


def test_hints_may_be_always_on_and_count_another_objective() -> None:
    done = piped("--game", "two-yatzy", "--seed", "1", "--hints", "--objective", "target:6", lines="\nq\n")
    assert "≥ 6" in done.stdout
    both = ("--player", "Ann", "--player", "Bo", "--objective", "match:emp:1", "--hints")
    assert "EMP(1)" in piped("--game", "two-yatzy", "--seed", "1", *both, lines="\nq\n").stdout


def test_where_only_plain_letters_can_be_shown() -> None:
    plain = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    arguments = ("play", "--game", "two-yatzy", "--player", "Åsa", "--seed", "1", "--hints")
    done = yatzy_process(*arguments, input="\nall\nones\n\nall\ntwos\n", env=plain)
    assert done.returncode == 0, done.stderr
    assert "[1]" in done.stdout
    assert "Final score" in done.stdout
    assert done.stdout.isascii()


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    closed = {**os.environ, "YATZY_GAMES": str(tmp_path / "file")}
    done = yatzy("play", "--seed", "1", input="\nq\n", env=closed)
    assert done.returncode == 1
    assert done.stdout.count("cannot be written") == 2  # once when it happens, once at the end
    done = yatzy("play", "--seed", "1", input=f"\nsave {tmp_path / 'copy'}\nq\n", env=closed)
    assert done.returncode == 0
    assert f"saved in {tmp_path / 'copy'} from now on" in " ".join(done.stdout.split())
    assert read_game(tmp_path / "copy").turns
    done = yatzy("play", "--seed", "1", "--save", tmp_path / "file" / "game.yatzy", input="\nq\n")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)


def test_wrong_options(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One line that says what is wrong, and the exit code of wrong input."""

    def refusal(*arguments: str | Path) -> str:
        with pytest.raises(SystemExit) as left:
            run(["play", *map(str, arguments)])
        shown = capsys.readouterr()
        assert (left.value.code, shown.out, shown.err.count("\n")) == (2, "", 1)
        return shown.err

    there = tmp_path / "there.yatzy"
    there.write_text("no game")
    assert "must be rolled or typed" in refusal("--dice", "loaded")
    assert "must be off, on, a class" in refusal("--tutor", "loud")
    assert "cannot be read" in refusal("--resume", tmp_path / "nowhere")
    assert str(there) in refusal("--resume", there)
    assert "--seed cannot be combined with --resume" in refusal("--resume", there, "--seed", "1")
    assert "exists already" in refusal("--save", there)
    assert "there is no strategy 'nobody'" in refusal("--computer", "nobody")
    assert "at least two players" in refusal("--player", "Bo=match:auto")
    assert "at least two players" in refusal("--objective", "match:auto")
    assert "two players are called" in refusal("--player", "Ann", "--player", "ann")
    assert "is not a computer player" in refusal("--computer", "=expected")
    assert "contain any of : [ ]" in refusal("--player", "Ann: the first")


def test_the_document_tells_all_and_runs(capsys: pytest.CaptureFixture[str]) -> None:
    text = (Path(__file__).parents[2] / "docs" / "play.md").read_text(encoding="utf-8")
    typed = set(re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", text, flags=re.DOTALL)))
    for word in set(COMMANDS) - {"exit"}:
        assert word in {one.split()[0] for one in typed}, word
    for shown, _ in HELP:
        for one in shown.split(", "):
            assert one in ("Enter", "Ctrl-C", "off") or one in typed, one
    (code,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    exec(compile(code, "play.md", "exec"), {})
    assert capsys.readouterr().out.splitlines()[-1].startswith("(")


START_OF_GAME = Position.start(YATZY)
ROLLED = START_OF_GAME.roll((1, 3, 3, 5, 6))
LAST = Position(ROLLED.sheets, ROLLED.dice, 0)


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("33", Keep((3, 3))),
        ("3 3", Keep((3, 3))),
        ("keep 33", Keep((3, 3))),
        ("K 3,3", Keep((3, 3))),
        ("#2", Keep((3,))),
        ("#1 #4 #5", Keep((1, 5, 6))),
        ("#1,#4,#5", Keep((1, 5, 6))),
        ("keep #2#3", Keep((3, 3))),
        ("k all", Keep((1, 3, 3, 5, 6))),
        ("all", Keep((1, 3, 3, 5, 6))),
        ("none", Keep(())),
        ("-", Keep(())),
        ("Chance", Score("chance")),
        ("c ones", Score("ones")),
        ("c 14", Score("chance")),
        ("three of a kind", Score("three-of-a-kind")),
        ("toak", Score("three-of-a-kind")),
        ("tk", Score("three-of-a-kind")),
        ("fh", Score("full-house")),
        ("ful", Score("full-house")),
        ("ones=0", Score("ones", strike=True)),
        ("ettor", Score("ones")),
    ],
)
def test_moves_as_people_type_them(text: str, move: Move) -> None:
    assert read_move(text, ROLLED) == move
    command = read_command(text, ROLLED)
    assert (command.do, command.move) == (Do.MOVE, move)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "say what to keep"),
        ("k", "say what to keep"),
        ("#6", "places are #1 to #5"),
        ("#12", "places are #1 to #5"),
        ("#2 #2", "names a die twice"),
        ("# 2", "places are #1 to #5"),
        ("k 133356", "type values from 13356, or places from #1 to #5"),
        ("k xy", "type values from 13356, or places from #1 to #5"),
        ("bc", "has no category"),
        ("c 16", "numbered from 1 to 15"),
        ("t", "could be Twos, Threes, Two pairs, Three of a kind; which one"),
        ("abracadabra", "has no category"),
    ],
)
def test_what_means_nothing(text: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        read_command(text, ROLLED)


def test_keep_means_the_values_that_the_table_shows() -> None:
    """`keep 2` once kept the second die, whatever it showed."""
    ones = START_OF_GAME.roll((1, 1, 1, 2, 4))
    for typed in ("111", "keep 111", "k 1 1 1"):
        assert read_move(typed, ones) == Keep((1, 1, 1))
    assert read_move("keep 2", ones) == Keep((2,))
    assert read_move("#2", ones) == Keep((1,))
    done = piped("--dice", "typed", lines="13356\nkeep 2\n14\nq\n")
    assert done.stdout.count("cannot be kept from 13356; type #1 #2 for places, c 14 for the category") == 2


def test_dice_of_two_digits_that_could_be_two_dice_are_asked_about() -> None:
    game = Game("wide", 4, 12, 3, (Category("sum", Chance()),))
    start = Position.start(game)
    with pytest.raises(InputError, match="12 could be one die or two: type 12- for one, or 1 2 for two"):
        read_move("12", start.roll((1, 2, 5, 12)))
    assert read_move("12-", start.roll((1, 2, 5, 12))) == Keep((12,))
    assert read_move("1 2", start.roll((1, 2, 5, 12))) == Keep((1, 2))
    assert read_move("12", start.roll((1, 2, 5, 11))) == Keep((1, 2))
    assert read_move("12", start.roll((1, 3, 5, 12))) == Keep((12,))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_prompt_names_the_help(language: str) -> None:
    prompts = [said for key, said in texts(language).items() if key.startswith("prompt.") or key == "quiz_said.ask"]
    assert len(prompts) == 7
    for said in prompts:
        assert "?" in said


def test_words_depend_on_what_is_asked_for() -> None:
    assert read_command("", START_OF_GAME).do is Do.ROLL
    assert read_command("13356", START_OF_GAME).dice == (1, 3, 3, 5, 6)
    assert read_command("1,3 3-5 6", START_OF_GAME).dice == (1, 3, 3, 5, 6)
    with pytest.raises(InputError, match="roll first"):
        read_command("chance", START_OF_GAME)
    assert read_move("13", LAST) == Score("full-house")
    assert read_move("c", LAST) == Score("chance")
    with pytest.raises(InputError, match="no roll is left"):
        read_move("k 3 3", LAST)
    with pytest.raises(InputError, match="choose a category"):
        read_move("", LAST)
    assert (read_command("save my game.yatzy", LAST).do, read_command("save a b", LAST).argument) == (Do.SAVE, "a b")
    assert read_command("U", LAST).do is Do.UNDO


def test_only_open_categories_are_abbreviated() -> None:
    boxes: list[int | None] = [None] * 15
    boxes[1] = boxes[7] = 0
    position = Position((Sheet.of_boxes(YATZY, boxes),), (1, 3, 3, 5, 6), 0)
    with pytest.raises(InputError, match="could be Threes, Three of a kind"):
        find_open("t", position)


def test_dice_with_places_and_marks() -> None:
    lines = dice_lines(ROLLED, drawn=True, kept=(3, 6))
    assert len({len(line) for line in lines[:1] + lines[2:3]}) == 1
    assert "│ 3 │" in lines[1]
    assert lines[1].endswith("2 rolls left")
    assert [lines[2].index(f"#{k}") for k in range(1, 6)] == [lines[1].index("│ 1") + 1 + 6 * k for k in range(5)]
    assert lines[3].split() == ["kept", "kept"]
    assert lines[3].index("kept") // 6 == 1
    assert dice_lines(LAST, drawn=False) == ["  [1] [3] [3] [5] [6]   no roll left", "  #1  #2  #3  #4  #5"]
    assert offers_line(ROLLED, "en", 200).startswith("  now: Chance 18, Threes 6, Sixes 6, One pair 6, Fives 5")
    assert len(offers_line(ROLLED, "en", 40)) <= 40


def test_names_are_only_text() -> None:
    """Whatever a player is called is shown as it is."""
    name = "<b> {bold} \\x"
    console = open_console()
    with console.capture() as captured:
        for table in sheets(console, Position.start(TWO, 1), (Player(name),), "en"):
            console.print(table)
    assert name[:8] in captured.get()


@pytest.mark.parametrize(
    ("kept", "refusal"),
    [((), "2 dice given, but Yatzy is played with 5"), ((1, 1), "2 given; type the new dice (3), or all 5")],
)
def test_a_wrong_number_of_dice_is_refused(kept: tuple[int, ...], refusal: str) -> None:
    position = Position.start(load_game("yatzy"))
    if kept:
        position = position.roll((*kept, 3, 4, 5)).play(Keep(kept))
    with pytest.raises(Refused, match=re.escape(refusal)):
        check_dice(position, (6, 6))
