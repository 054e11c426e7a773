"""Standard streams that are closed, full, broken, endless, or of an encoding that has few signs."""

from __future__ import annotations

import ast
import errno
import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import yatzy
from yatzy.cli import streams, terminal
from yatzy.cli.app import run
from yatzy.cli.progress import ProgressBars
from yatzy.cli.terminal import note

SOURCE = Path(yatzy.__file__).parent
START = "from yatzy.cli import main; main()"
FULL = Path("/dev/full")
GAME = """
id = "heads"
dice = 2
faces = 2
rolls = 2
[name]
en = "Håll ± ★ … ▁▇ ┏━┓ Ж"
[[categories]]
id = "ones"
pattern = "face"
face = 1
"""


@pytest.fixture
def heads(tmp_path: Path) -> Path:
    """A game with a name that few encodings hold."""
    (tmp_path / "heads.toml").write_text(GAME, encoding="utf-8")
    return tmp_path / "heads.toml"


@pytest.fixture
def streams_kept() -> Iterator[None]:
    """The streams and the widths as they were."""
    kept = sys.stdin, sys.stdout, sys.stderr
    widths = {name: os.environ.get(name) for name in streams._WIDTHS}
    yield
    sys.stdin, sys.stdout, sys.stderr = kept
    for name, value in widths.items():
        os.environ.pop(name, None)
        if value is not None:
            os.environ[name] = value


def shell(line: str, *arguments: str | Path, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Run the command line as a shell line has it, with `yatzy` for the command."""
    script = line.replace("yatzy", '"$PYTHON" -c "$START" "$@"')
    return subprocess.run(
        ["/bin/sh", "-c", script, "sh", *map(str, arguments)],
        env={**os.environ, "PYTHON": sys.executable, "START": START, **environment},
        capture_output=True,
        timeout=300,
        check=False,
    )


def told(done: subprocess.CompletedProcess[bytes]) -> str:
    """Standard error, which holds no traceback and no complaint of the interpreter."""
    text = done.stderr.decode(errors="replace")
    for bad in ("Traceback", "Exception ignored", "went wrong", "lost sys"):
        assert bad not in text, text
    return text


# ---------------------------------------------------------------- encodings


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252", "cp437", "shift_jis", "utf-16"])
def test_signs_that_an_encoding_lacks_become_ascii(heads: Path, encoding: str) -> None:
    done = shell("yatzy", "games", heads, PYTHONIOENCODING=encoding, PYTHONUTF8="0")
    assert (done.returncode, told(done)) == (0, "")
    text = done.stdout.decode(encoding)
    assert "ones" in text
    if encoding == "ascii":
        assert "Hall +- * ... _% +-+ ?" in text
    if encoding in ("latin-1", "cp1252"):
        assert "Håll ±" in text


def test_the_locale_c_is_no_obstacle(heads: Path) -> None:
    for utf8 in ("0", "1"):
        done = shell("yatzy", "games", heads, LC_ALL="C", PYTHONUTF8=utf8, PYTHONCOERCECLOCALE="0")
        assert (done.returncode, told(done)) == (0, "")


def test_json_is_json_in_every_encoding(heads: Path) -> None:
    for encoding in ("ascii", "latin-1", "utf-8"):
        done = shell("yatzy", "games", heads, "--json", PYTHONIOENCODING=encoding, PYTHONUTF8="0")
        assert (done.returncode, told(done)) == (0, "")
        assert "Håll ± ★ … ▁▇ ┏━┓ Ж" in json.dumps(json.loads(done.stdout), ensure_ascii=False)
        assert done.stdout.isascii() == (encoding != "utf-8")


def test_json_of_a_name_that_is_no_text(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="utf-8"))
    terminal.print_json({"file": "\udcff", "name": "é"})
    sys.stdout.flush()
    assert json.loads(raw.getvalue()) == {"file": "\udcff", "name": "é"}


def test_every_sign_that_is_shown_has_a_form_in_ascii() -> None:
    texts = list[str]()
    for folder in ("cli", "coach", "lab", "../yatzy_papers"):
        for path in (SOURCE / folder).rglob("*.py"):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            texts += [
                one.value for one in ast.walk(tree) if isinstance(one, ast.Constant) and isinstance(one.value, str)
            ]
    texts += [path.read_text(encoding="utf-8") for path in (SOURCE / "games" / "presets").iterdir()]
    signs = {sign for text in texts for sign in text if not sign.isascii() and not "\ud800" <= sign <= "\udfff"}
    assert len(signs) > 30
    for sign in signs - {"\ufeff"}:
        plain = streams.plain_sign(sign)
        assert plain.isascii(), sign
        assert plain not in ("", "?"), sign


@pytest.mark.parametrize(
    ("sign", "plain"),
    [("Å", "A"), ("ﬁ", "fi"), ("½", "1/2"), ("┼", "+"), ("⠋", "*"), ("\udcff", "\\xff"), ("漢", "?"), ("\u00a0", " ")],
)
def test_signs_in_ascii(sign: str, plain: str) -> None:
    assert streams.plain_sign(sign) == plain


# ---------------------------------------------------------------- closed, full and broken streams


@pytest.mark.parametrize(
    "arguments", [("--version",), ("--help",), ("games",), ("games", "--json"), ("play", "--saved")]
)
def test_output_that_cannot_be_written_is_one_line(arguments: tuple[str, ...], tmp_path: Path) -> None:
    lines = {"yatzy >&-": "Bad file descriptor"}
    if FULL.exists():
        lines["yatzy >/dev/full"] = "No space left on device"
    for line, reason in lines.items():
        done = shell(line, *arguments, YATZY_GAMES=str(tmp_path))
        assert done.returncode == 1
        assert told(done) == f"yatzy: the output could not be written: {reason}\n"


def test_the_other_closed_streams_do_not_matter(tmp_path: Path) -> None:
    for line in ("yatzy 2>&-", "yatzy <&-", "yatzy <&- 2>&-", "yatzy 2>/dev/full" if FULL.exists() else "yatzy"):
        done = shell(line, "games", YATZY_GAMES=str(tmp_path))
        assert (done.returncode, told(done)) == (0, ""), line
        assert b"maxi-yatzy" in done.stdout
    assert shell("yatzy <&- >&- 2>&-", "games").returncode == 1
    assert shell("yatzy 2>&-", "games", "nosuch").returncode == 2


def test_a_reader_that_leaves_is_no_error() -> None:
    done = shell("yatzy | head -c 1", "games")
    assert (told(done), len(done.stdout)) == ("", 1)


def test_a_game_without_standard_input_is_left(tmp_path: Path) -> None:
    done = shell("yatzy <&-", "play", "--game", "two-yatzy", YATZY_GAMES=str(tmp_path))
    assert (done.returncode, told(done)) == (0, "")
    assert b"Nothing has been played" in done.stdout


@pytest.mark.usefixtures("streams_kept")
def test_lost_output_and_lost_notes() -> None:
    class Full(io.BytesIO):
        full = True

        def flush(self) -> None:
            if self.full:
                raise OSError(errno.ENOSPC, "no room")

    output = streams.Output(Full(), encoding="ascii")
    output.write("x")
    with pytest.raises(streams.OutputLost, match="no room"):
        output.flush()
    notes = streams.Notes(Full(), encoding="ascii")
    notes.write("x" * 100_000)
    notes.flush()
    Full.full = False  # for what they still hold when they are collected


# ---------------------------------------------------------------- standard input


@pytest.mark.parametrize("text", ["x" * 20_000, "\0" * 20_000])
def test_an_endless_line_ends_a_game(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("YATZY_GAMES", str(tmp_path))
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n" + text))
    with pytest.raises(SystemExit) as left:
        run(["play", "--game", "two-yatzy", "--seed", "1"])
    shown = capsys.readouterr()
    assert left.value.code == 2
    assert "more than 10,000 letters" in shown.out
    assert "Saved in" in shown.out
    assert len(shown.out) < 5_000


def test_an_endless_line_ends_a_quiz(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("YATZY_GAMES", str(tmp_path))
    monkeypatch.setattr(sys, "stdin", io.StringIO("x" * 20_000))
    with pytest.raises(SystemExit) as left:
        run(["quiz", "--game", "two-yatzy", "--seed", "1"])
    assert left.value.code == 2
    assert capsys.readouterr().err.splitlines()[-1] == "yatzy: standard input: a line has more than 10,000 letters"


def test_lines_of_bytes_that_are_no_text(tmp_path: Path) -> None:
    line = r"printf '\n\377\200\nsave %s/\377\nq\n' " + str(tmp_path) + " | yatzy"
    done = shell(line, "play", "--game", "two-yatzy", "--seed", "1", YATZY_GAMES=str(tmp_path / "games"))
    assert (done.returncode, told(done)) == (0, "")
    assert rb"a copy is in" in done.stdout
    assert (tmp_path / "\udcff").exists()


# ---------------------------------------------------------------- widths


@pytest.mark.parametrize("width", ["", "0", "-5", "x", "²", "٣", "9" * 5000, "99999"])
@pytest.mark.usefixtures("streams_kept")
def test_widths_that_are_none_are_forgotten(width: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in streams._WIDTHS:
        monkeypatch.setenv(name, width)
    for name in ("stdin", "stdout", "stderr"):  # what pytest has there stays as it is
        monkeypatch.setattr(sys, name, io.StringIO())
    streams.prepare()
    assert not set(streams._WIDTHS) & set(os.environ)


def test_a_sound_width_stays() -> None:
    assert streams._is_width("80")


def test_a_line_on_standard_error_is_written_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C between a line and its end would put the next message behind it."""
    written = list[str]()

    class Stream(io.StringIO):
        def write(self, text: str, /) -> int:
            written.append(text)
            return len(text)

    monkeypatch.setattr(sys, "stderr", Stream())
    note("a note", "en")
    ProgressBars("en").add("Yatzy", "Solving")
    with pytest.raises(SystemExit):
        run(["advise", "--dice", "9"])
    assert len(written) == 3
    assert all(line.endswith("\n") for line in written)
