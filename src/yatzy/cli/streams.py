"""Standard input, output and error, including streams that are closed, full, broken, or not Unicode.

`prepare` is called before anything is shown. From then on
- a character that the encoding does not have is replaced by ASCII;
- output that cannot be written raises `OutputLost`, which ends the command with one line;
- text that cannot be written to standard error is dropped, because there is nowhere left to report it;
- a closed standard input is an empty one.
"""

from __future__ import annotations

import codecs
import errno
import io
import os
import sys
import unicodedata
from typing import TextIO

from yatzy.errors import InputError, Message, cause_of

HANDLER = "yatzy-ascii"
LONGEST_LINE = 10_000
"""Length limit of an input line, in characters."""
_WIDTHS = ("COLUMNS", "LINES", "TERMINAL_WIDTH")
_SIGNS = {
    "…": "...", "·": ".", "•": "*", "★": "*", "☆": "*", "✓": "v", "✗": "x", "▸": ">", "▶": ">", "←": "<-", "→": "->",
    "±": "+-", "−": "-", "–": "-", "—": "-", "‐": "-", "‑": "-", "×": "x", "÷": "/", "⁄": "/", "√": "sqrt ",
    "≤": "<=", "≥": ">=", "≠": "!=", "≈": "~", "∞": "inf", "Σ": "Sum",
    "µ": "u", "Δ": "D", "⌊": "[", "⌋": "]", "¦": "|", "´": "'", "‘": "'", "’": "'", "“": '"', "”": '"', "„": '"',
    "«": '"', "»": '"', "°": " deg", "ß": "ss", "ẞ": "SS", "æ": "ae", "Æ": "AE", "ø": "o", "Ø": "O", "œ": "oe",
    "Œ": "OE", "đ": "d", "ð": "d", "þ": "th", "ł": "l", "Ł": "L", "ı": "i", "²": "^2", "³": "^3",
    "░": ".", "▒": ":", "▓": "%", "█": "#", "▁": "_", "▂": ".", "▃": "-", "▄": "=", "▅": "+", "▆": "*", "▇": "%",
    "▏": "|", "▎": "|", "▍": "|", "▌": "#", "▋": "#", "▊": "#", "▉": "#", "▐": "#",
    "─": "-", "━": "-", "═": "=", "╌": "-", "╸": "-", "╺": "-", "╴": "-", "╶": "-", "│": "|", "┃": "|", "║": "|",
}  # fmt: skip
_BOXES = range(0x2500, 0x2580)
_SPINNERS = range(0x2800, 0x2900)


class LineTooLong(InputError):  # noqa: N818
    """An input line is too long to be typed; no more input is read."""


class OutputLost(Exception):  # noqa: N818  (what happened)
    """Standard output cannot be written. Not a YatzyError, so that the message is not printed to standard output."""

    def __init__(self, cause: OSError) -> None:
        super().__init__(Message("the output could not be written: {reason}", reason=cause_of(cause)))
        self.broken_pipe = cause.errno == errno.EPIPE
        """Whether the reader has exited, as `head` does. This is not reported as an error."""


def plain_sign(letter: str) -> str:
    """One character in ASCII."""
    if letter in _SIGNS:
        return _SIGNS[letter]
    if ord(letter) in _BOXES:
        return "+"
    if ord(letter) in _SPINNERS:
        return "*"
    if 0xDC80 <= ord(letter) <= 0xDCFF:  # a byte of a name that is not valid UTF-8
        return f"\\x{ord(letter) - 0xDC00:02x}"
    if (name := unicodedata.name(letter, "")).startswith("GREEK SMALL LETTER "):
        return name.split()[3].lower()
    apart = unicodedata.normalize("NFKD", letter)
    return "".join(_SIGNS.get(one, one if one.isascii() else "") for one in apart) or "?"


def _encode_plainly(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(plain_sign(letter) for letter in error.object[error.start : error.end]), error.end


class Output(io.TextIOWrapper):
    """Standard output."""

    def write(self, text: str, /) -> int:
        """Write, or raise OutputLost."""
        try:
            return super().write(text)
        except OSError as error:
            raise OutputLost(error) from None

    def flush(self) -> None:
        """Flush, or raise OutputLost."""
        try:
            super().flush()
        except OSError as error:
            raise OutputLost(error) from None


class Notes(io.TextIOWrapper):
    """Standard error."""

    def write(self, text: str, /) -> int:
        """Write; ignore errors."""
        try:
            return super().write(text)
        except OSError:
            return len(text)

    def flush(self) -> None:
        """Flush; ignore errors."""
        try:
            super().flush()
        except OSError:
            discard(self)


def tell_line(line: str) -> None:
    """Print a line on standard error. Ctrl-C cannot come between the line and its end, as it can in `print`."""
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()


def prepare() -> None:
    """Wrap the standard streams and clean up the environment."""
    _fill_closed_descriptors()
    codecs.register_error(HANDLER, _encode_plainly)
    sys.stdout, sys.stderr = _wrapped(sys.stdout, Output, 1), _wrapped(sys.stderr, Notes, 2)
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="surrogateescape")  # file names may contain any bytes
    elif sys.stdin is None:
        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115  (open until the end)
    for name in _WIDTHS:
        if not _is_width(os.environ.get(name, "80")):
            del os.environ[name]


def _fill_closed_descriptors() -> None:
    """Open those of the descriptors 0, 1 and 2 that are closed.

    Otherwise the next file to be opened would get the number, and with it the output of the program. A closed standard
    output becomes one that cannot be written, so that a command fails as soon as it prints something.
    """
    for descriptor, flags in ((0, os.O_RDONLY), (1, os.O_RDONLY), (2, os.O_WRONLY)):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, flags)  # uses the lowest free number


def _wrapped(stream: TextIO | None, kind: type[Output] | type[Notes], descriptor: int) -> TextIO:
    if stream is None:
        return kind(open(descriptor, "wb", closefd=False), encoding="utf-8", errors=HANDLER)
    if not isinstance(stream, io.TextIOWrapper):
        return stream
    encoding, line_buffering, write_through = stream.encoding, stream.line_buffering, stream.write_through
    return kind(
        stream.detach(), encoding=encoding, errors=HANDLER, line_buffering=line_buffering, write_through=write_through
    )


def _is_width(text: str) -> bool:
    """Whether libraries can use it as a width. They accept any Unicode digit and any size, so this is stricter."""
    return text.isascii() and text.isdigit() and len(text) <= 4 and int(text) >= 1


def discard(stream: TextIO) -> None:
    """Discard what is left in a stream, so that the interpreter does not fail on it at exit."""
    try:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, stream.fileno())
        os.close(null)
    except (OSError, ValueError):
        pass


def read_line() -> str:
    """Read a line of standard input, without its newline; EOFError at the end."""
    try:
        line = sys.stdin.readline(LONGEST_LINE + 1)
    except (OSError, ValueError):  # closed, or open for writing only
        raise EOFError from None
    if not line:
        raise EOFError
    if len(line) > LONGEST_LINE:
        raise LineTooLong("standard input: a line has more than {most:,} letters", most=LONGEST_LINE)
    return line.removesuffix("\n")


def ask(prompt: str) -> str:
    """Ask for a line with a prompt; EOFError at the end of the input."""
    if sys.stdin.isatty():
        return input(prompt)
    print(prompt, end="", flush=True)
    return read_line()


def terminal_width() -> int:
    """The columns of the terminal, 80 if there is none. `shutil` asks a stream that `prepare` has replaced."""
    columns = os.environ.get("COLUMNS", "")
    if _is_width(columns):
        return int(columns)
    for descriptor in (1, 2, 0):
        try:
            return os.get_terminal_size(descriptor).columns or 80
        except (OSError, ValueError, AttributeError):
            continue
    return 80


def speaks_utf8(stream: TextIO) -> bool:
    """Whether the encoding of a stream is UTF-8."""
    try:
        return codecs.lookup(stream.encoding or "ascii").name == "utf-8"
    except LookupError:
        return False
