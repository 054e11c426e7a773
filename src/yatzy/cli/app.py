"""The command line application: calls a command, and turns errors into one line and an exit code."""

from __future__ import annotations

import os
import sys
from typing import Annotated, Any, NoReturn

import typer
from typer.completion import get_completion_inspect_parameters

from yatzy import __version__
from yatzy.cli import commands
from yatzy.cli.loading import open_group
from yatzy.cli.streams import OutputLost, discard
from yatzy.errors import InputError, YatzyError, one_line

app = open_group(commands, "yatzy", pretty_exceptions_enable=False)

WRONG_INPUT, FAILED, INTERRUPTED = 2, 1, 130
COMPLETION = "_YATZY_COMPLETE"
"""The environment variable by which a shell requests completions; `source_bash` prints the script to evaluate."""

# Typer does not export the base class of its usage errors, but BadParameter is derived from it in every release.
_UsageError: Any = typer.BadParameter.__base__


def _show_version(wanted: bool) -> None:
    if wanted:
        print(__version__)
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    pass


def run(arguments: list[str] | None = None) -> NoReturn:
    """Run a command and exit: 0 done, 2 wrong input (one line says what), 1 failed, 130 interrupted.

    Every error is reported in one line. With YATZY_DEBUG=1 unexpected errors show a traceback.
    """
    try:
        code = _call(arguments)
        sys.stdout.flush()  # here, so that a full disk is still reported
    except OutputLost as error:
        code = FAILED
        discard(sys.stdout)
        if not error.broken_pipe:
            _tell(str(error))
    sys.exit(code)


def _call(arguments: list[str] | None) -> int:
    if COMPLETION in os.environ:
        get_completion_inspect_parameters()  # registers the shells that Typer supports
    try:
        code = app(arguments, standalone_mode=False)
    except SystemExit as left:
        code = left.code
    except _UsageError as error:
        return _tell(_usage(error), WRONG_INPUT)
    except InputError as error:
        return _tell(str(error), WRONG_INPUT)
    except YatzyError as error:
        return _tell(str(error))
    except (KeyboardInterrupt, typer.Abort):
        code = INTERRUPTED
    except OutputLost:
        raise
    except BrokenPipeError as error:
        raise OutputLost(error) from None
    except BaseException as error:  # the last resort: an error without a message of its own, or a panic of Polars
        if os.environ.get("YATZY_DEBUG"):
            raise
        return _tell(_unforeseen(error))
    if code == INTERRUPTED:  # some releases of Typer convert Ctrl-C to this code
        return _tell("interrupted; finished results are kept, and the same command resumes", INTERRUPTED)
    return code if isinstance(code, int) else 0


def _usage(error: Any) -> str:
    message = " ".join(str(error.format_message()).split())
    command = error.ctx.command_path if getattr(error, "ctx", None) else "yatzy"
    if not message:  # a group was called without a command, and its help has been shown
        return f"a command is missing; '{command} --help' lists them"
    return f"{one_line(message)} ('{command} --help' shows more)"


def _unforeseen(error: BaseException) -> str:
    if isinstance(error, MemoryError):
        return "there is not enough memory for this"
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename is not None else error.strerror
    return f"something went wrong: {type(error).__name__}: {error} (YATZY_DEBUG=1 shows where)"


def _tell(message: str, code: int = FAILED) -> int:
    print(f"yatzy: {one_line(message)}", file=sys.stderr)
    return code
