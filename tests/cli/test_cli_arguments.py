"""Odd arguments and surroundings: one line each, exit code 2 or 1, nothing else."""

from __future__ import annotations

import io
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from helpers.command import yatzy

from yatzy import load_game
from yatzy.cli import app
from yatzy.cli.playing.words import find_open, read_command
from yatzy.errors import InputError, one_line
from yatzy.games import Position
from yatzy.reading import named_path, read_bounded, read_text_bounded

LONG = "x" * 300
DIGITS = "9" * 5000
ODD = ("", "a\0b", "a\nb", LONG, "x" * 70_000, "~nosuchuser/x", "\udcff\udcfe", DIGITS, "-1", "nan", "[/bold]", "²")
OF_A_FILE = [
    ("games",),
    ("advise", "--dice", "12", "--game"),
    ("play", "--resume"),
    ("play", "--game"),
    ("review",),
    ("review", "nosuch.yatzy", "--game"),
    ("quiz", "--from"),
    ("quiz", "--mistakes"),
    ("study",),
    ("simulate", "--games", "1", "--game"),
    ("counts",),
    ("graph",),
    ("tables", "add"),
    ("tables", "pack", "--out", "pack"),
    ("export-values", "--out", "v.npz"),
    ("export-values", "two-yatzy", "--out"),
    ("dataset", "--rows", "5", "--out", "d.parquet"),
    ("dataset", "two-yatzy", "--rows", "5", "--out"),
    ("dataset", "two-yatzy", "--rows", "5", "--out", "d.parquet", "--positions"),
    ("value", "--objective", "greedy", "--game"),
    ("value", "--game", "two-yatzy", "--objective"),
    ("simulate", "--games", "1", "--strategy"),
]
OF_A_NUMBER = [
    ("advise", "--dice"),
    ("advise", "--dice", "13356", "--rolls-left"),
    ("advise", "--upper"),
    ("advise", "--points"),
    ("advise", "--yahtzee-box"),
    ("advise",),
    ("advise", "--dice", "13356", "--top"),
    ("chance", "--at-least"),
    ("simulate", "--games"),
    ("simulate", "--at-least"),
    ("simulate", "--games", "1", "--threads"),
    ("simulate", "--games", "1", "--seed"),
    ("replay",),
    ("perfect", "yatzy", "--digits"),
    ("graph", "two-yatzy", "--target"),
    ("dataset", "two-yatzy", "--out", "d.parquet", "--rows"),
    ("review", "nosuch.yatzy", "--min-games"),
    ("review", "nosuch.yatzy", "--solid"),
    ("play", "--tutor"),
    ("play", "--seed"),
    ("serve", "--port"),
    ("serve", "--threads"),
    ("match", "tables", "yatzy", "--depth"),
    ("match", "advise"),
    ("match", "advise", "two-yatzy~s~s~d11~r1", "--payoff"),
]


def refusal(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The one line that a command says and the exit code 2."""
    with pytest.raises(SystemExit) as left:
        app.run(list(arguments))
    shown = capsys.readouterr()
    assert left.value.code == 2, (arguments, shown.err)
    assert shown.out == ""
    assert shown.err.startswith("yatzy: ")
    assert (shown.err.count("\n"), shown.err[:-1].isprintable()) == (1, True)
    assert len(shown.err) < 2_000
    return shown.err


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to be in."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("YATZY_GAMES", str(tmp_path / "games"))
    monkeypatch.delenv("YATZY_DEBUG", raising=False)
    return tmp_path


@pytest.mark.parametrize("command", OF_A_FILE, ids=" ".join)
def test_odd_names_of_files(command: tuple[str, ...], folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    inner = folder / "inner"
    inner.mkdir()
    for odd in (
        *ODD,
        "x" * 300 + ".toml",
        f"{inner}",
        f"{inner}/x.toml/y",
        "utility:",
        "utility:a\0b",
        f"utility:{inner}",
    ):
        if odd or command not in (("advise", "--dice", "12", "--game"), ("play", "--game"), ("quiz", "--from")):
            refusal(capsys, *command, odd)
    assert [path.name for path in folder.iterdir()] == ["inner"]


@pytest.mark.parametrize("command", OF_A_NUMBER, ids=" ".join)
def test_odd_numbers(command: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    for odd in ("", " ", "a\0b", DIGITS, "-" + DIGITS, "nan", "1e999", "²", "x" * 300, "\udcff"):
        refusal(capsys, *command, odd)


@pytest.mark.parametrize("command", [("solve", "two-yatzy"), ("tables", "list"), ("quiz",)], ids=" ".join)
def test_folders_of_tables_that_cannot_be(command: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    for odd in ("a\0b", "~nosuchuser/x"):
        refusal(capsys, *command, "--tables", odd)


def test_hosts_that_cannot_be(capsys: pytest.CaptureFixture[str]) -> None:
    for odd in ("", " ", "a\0b", "x" * 300, "a..b", "\udcff"):
        refusal(capsys, "serve", "--no-open", "--prepare", "none", "--port", "0", "--host", odd)


def test_variables_that_name_no_folder(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("YATZY_GAMES", "~nosuchuser/x")
    refusal(capsys, "play", "--saved")
    refusal(capsys, "quiz", "--results")
    monkeypatch.setenv("YATZY_TABLES", "~nosuchuser/x")
    refusal(capsys, "tables", "list")


@pytest.mark.parametrize("odd", [odd for odd in ODD if (odd and odd.isprintable()) or "\0" in odd])
def test_odd_names_typed_in_a_game(
    odd: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"\nsave {odd[:5000]}\n{odd[:5000]}\nwhy {odd[:5000]}\nq\n"))
    with pytest.raises(SystemExit) as left:
        app.run(["play", "--game", "two-yatzy", "--seed", "1"])
    assert (left.value.code, "yatzy: " in capsys.readouterr().err) == (0, False)


def test_numbers_of_many_digits_in_a_game() -> None:
    position = Position.start(load_game("two-yatzy")).roll((1, 2))
    for text in ("00019", DIGITS, "0001" + DIGITS):
        with pytest.raises(InputError, match="there is no category"):
            find_open(text, position)
        with pytest.raises(InputError):
            read_command(f"keep {text},{text}", position)


# ---------------------------------------------------------------- the last net


def test_what_nobody_foresaw_is_one_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def outcome(error: BaseException) -> tuple[object, str]:
        def fail(*_: object, **__: object) -> None:
            raise error

        monkeypatch.setattr(app, "app", fail)
        with pytest.raises(SystemExit) as left:
            app.run(["games"])
        return left.value.code, capsys.readouterr().err

    code, line = outcome(ZeroDivisionError("a\nb"))
    assert (code, line) == (
        1, "yatzy: something went wrong: ZeroDivisionError: a\\nb (YATZY_DEBUG=1 shows where)\n",
    )  # fmt: skip
    panic = type("PanicException", (BaseException,), {})("unwrap")  # as Polars raises
    assert outcome(panic)[0] == 1
    assert outcome(MemoryError()) == (1, "yatzy: there is not enough memory for this\n")
    assert outcome(OSError(24, "Too many open files", "x")) == (1, "yatzy: x: Too many open files\n")
    monkeypatch.setenv("YATZY_DEBUG", "1")
    monkeypatch.setattr(app, "app", lambda *_, **__: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        app.run(["games"])


# ---------------------------------------------------------------- bounded reads


def test_a_file_is_read_up_to_a_bound(folder: Path) -> None:
    path = folder / "file"
    path.write_bytes(b"x" * 100)
    assert read_bounded(path, 100, "a thing") == b"x" * 100
    with pytest.raises(InputError, match="has more than 99 bytes, too many for a thing"):
        read_bounded(path, 99, "a thing")
    path.write_bytes(b"\xff")
    with pytest.raises(InputError, match="is not UTF-8 text"):
        read_text_bounded(path, 99, "a thing")
    path.write_bytes(b"\xef\xbb\xbfx")
    assert read_text_bounded(path, 99, "a thing") == "x"


def test_what_is_no_file_is_not_read(folder: Path) -> None:
    for name, says in ((folder, "it is a folder"), (folder / LONG, "too long"), (folder / "none", "No such file")):
        with pytest.raises(InputError, match=f"cannot be read: .*{says}"):
            read_bounded(name, 99, "a thing")
    with pytest.raises(InputError, match=r"cannot be read: .*embedded null"):
        read_bounded(Path("a\0b"), 99, "a thing")
    if os.path.exists("/dev/zero"):
        with pytest.raises(InputError, match="cannot be read: it is a device"):
            read_bounded(Path("/dev/zero"), 99, "a thing")


def test_a_pipe_that_nobody_writes_to_does_not_block(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    if not hasattr(os, "mkfifo"):
        pytest.skip("there are no named pipes on this system")
    os.mkfifo(folder / "pipe.yatzy")
    assert stat.S_ISFIFO((folder / "pipe.yatzy").stat().st_mode)
    assert read_bounded(folder / "pipe.yatzy", 99, "a thing") == b""
    assert "game: is missing" in refusal(capsys, "review", str(folder / "pipe.yatzy"))


def test_a_pipe_with_a_writer_is_read(folder: Path) -> None:
    if not hasattr(os, "mkfifo"):
        pytest.skip("there are no named pipes on this system")
    reading, writing = os.pipe()
    os.write(writing, b"abc")
    os.close(writing)
    assert read_bounded(Path(f"/dev/fd/{reading}"), 99, "a thing") == b"abc"
    os.close(reading)


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="there is no endless file on this system")
def test_endless_files_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    for command in (
        ("review", "/dev/zero"),
        ("quiz", "--from", "/dev/zero"),
        ("play", "--resume", "/dev/zero"),
        ("study", "/dev/zero"),
        ("value", "--game", "two-yatzy", "--objective", "utility:/dev/zero"),
    ):
        assert "is a device" in refusal(capsys, *command)


def test_names_that_people_type() -> None:
    assert named_path("~/x") == Path.home() / "x"
    for odd in ("", " ", "a\0b", "~nosuchuser/x"):
        with pytest.raises(InputError):
            named_path(odd)
    assert one_line("a\nb\0") == "a\\nb\\x00"


def test_a_folder_that_was_removed(folder: Path) -> None:
    (folder / "gone").mkdir()
    code = "import os; os.rmdir(os.getcwd()); from yatzy.cli import main; main()"
    for arguments in (["games"], ["play", "--saved"], ["play", "--game", "two-yatzy", "--save", "x"], ["review", "x"]):
        (folder / "gone").mkdir(exist_ok=True)
        done = subprocess.run(
            [sys.executable, "-P", "-c", code, *arguments],  # like the script, which does not import from the folder
            cwd=folder / "gone", input="q\n", capture_output=True, text=True, timeout=300, check=False,
        )  # fmt: skip
        assert "Traceback" not in done.stderr
        assert "went wrong" not in done.stderr
        assert done.returncode in (0, 2), done.stderr


@pytest.mark.parametrize(
    ("language", "said"), [("sv", "dice: 2 angivna, men yatzy spelas"), ("de", "dice: 2 angegeben, aber yatzy wird")]
)
def test_errors_are_in_the_language_of_the_command(language: str, said: str) -> None:
    done = yatzy("advise", "--dice", "13", "--language", language)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"yatzy: {said}")
    done = yatzy("advise", "--rolls-left", "x", "--language", language)
    assert done.returncode == 2
    assert not done.stderr.startswith("yatzy: Invalid")
    done = yatzy("advise", "--dise", "13356", f"--language={language}")
    assert not done.stderr.startswith("yatzy: No such option")
    assert "--dise" in done.stderr
