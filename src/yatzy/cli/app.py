"""The command line application: calls a command, and turns errors into one line and an exit code."""

from __future__ import annotations

import os
import sys
from typing import Annotated, Any, NoReturn

import typer
from typer.completion import get_completion_inspect_parameters

from yatzy import __version__
from yatzy.cli import commands
from yatzy.cli.language import ENGLISH, GroupLanguage, asked_language, speaking
from yatzy.cli.loading import open_group
from yatzy.cli.streams import OutputLost, discard, tell_line
from yatzy.errors import InputError, Message, TableMissing, YatzyError, cause_of, one_line

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
    language: GroupLanguage = ENGLISH,
) -> None:
    pass


def run(arguments: list[str] | None = None) -> NoReturn:
    """Run a command and exit: 0 done, 2 wrong input or a missing table, 1 failed, 130 interrupted.

    Every error is reported in one line. With YATZY_DEBUG=1 unexpected errors show a traceback.
    """
    language = ENGLISH
    try:
        if COMPLETION not in os.environ:  # a shell shows no errors
            language = asked_language(sys.argv[1:] if arguments is None else arguments)
        code = _call(arguments, language)
        sys.stdout.flush()  # here, so that a full disk is still reported
    except InputError as error:  # there is no such language
        code = _tell(str(error), ENGLISH, WRONG_INPUT)
    except OutputLost as error:
        code = FAILED
        discard(sys.stdout)
        if not error.broken_pipe:
            _tell(error.args[0], language)
    sys.exit(code)


def _call(arguments: list[str] | None, language: str) -> int:
    if COMPLETION in os.environ:
        get_completion_inspect_parameters()  # registers the shells that Typer supports
    try:
        with speaking(language):
            code = app(arguments, standalone_mode=False)
    except SystemExit as left:
        code = left.code
    except _UsageError as error:
        return _tell(_usage(error, language), language, WRONG_INPUT)
    except (InputError, TableMissing) as error:  # the message about a table names the command that makes it
        return _tell(_problem(error, language), language, WRONG_INPUT)
    except YatzyError as error:
        return _tell(_problem(error, language), language)
    except (KeyboardInterrupt, typer.Abort):
        code = INTERRUPTED
    except OutputLost:
        raise
    except BrokenPipeError as error:
        raise OutputLost(error) from None
    except BaseException as error:  # the last resort: an error without a message of its own, or a panic of Polars
        if os.environ.get("YATZY_DEBUG"):
            raise
        return _tell(_unforeseen(error), language)
    if code == INTERRUPTED:  # some releases of Typer convert Ctrl-C to this code
        interrupted = Message("interrupted; finished results are kept, and the same command resumes")
        return _tell(interrupted, language, INTERRUPTED)
    return code if isinstance(code, int) else 0


def _usage(error: Any, language: str) -> str:
    said = one_line(" ".join(str(error.format_message()).split()))
    command = error.ctx.command_path if getattr(error, "ctx", None) else "yatzy"
    if not said:  # a group was called without a command, and its help has been shown
        return Message("a command is missing; '{command} --help' lists them", command=command)
    if language == ENGLISH:
        return f"{said} ('{command} --help' shows more)"
    from yatzy.report.problems import usage_text  # texts are read only where they are needed

    return usage_text(said, command, language)


def _problem(error: YatzyError, language: str) -> str:
    if language == ENGLISH:
        return str(error)
    from yatzy.report.problems import problem_text

    return problem_text(error, language)


def _unforeseen(error: BaseException) -> Message:
    if isinstance(error, MemoryError):
        return Message("there is not enough memory for this")
    if isinstance(error, OSError) and error.strerror:
        reason = cause_of(error)
        return (
            Message("{reason}", reason=reason)
            if error.filename is None
            else Message("{path}: {reason}", path=error.filename, reason=reason)
        )
    return Message(
        "something went wrong: {kind}: {error} (YATZY_DEBUG=1 shows where)", kind=type(error).__name__, error=error
    )


def _tell(message: str, language: str, code: int = FAILED) -> int:
    if isinstance(message, Message) and language != ENGLISH:
        from yatzy.report.problems import message_text

        message = message_text(message, language)
    tell_line(f"yatzy: {one_line(message)}")
    return code
