"""The command line as a whole: its commands, and what becomes of errors."""

from __future__ import annotations

import sys
from typing import Annotated, Any, NoReturn

import typer

from yatzy.cli import (
    advise,
    chance,
    compare,
    counts,
    distribution,
    explain,
    export,
    games,
    match,
    papers,
    perfect,
    play,
    players,
    quiz,
    review,
    serve,
    simulate,
    solve,
    study,
    tables,
    value,
)
from yatzy.errors import InputError, YatzyError

app = typer.Typer(
    name="yatzy",
    help="Yahtzee-like dice games solved exactly: the best move, its value, and how we know.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.command("games")(games.games)
app.command("solve")(solve.solve)
app.command("advise")(advise.advise)
app.command("explain")(explain.explain)
app.command("play")(play.play)
app.command("review")(review.review)
app.command("quiz")(quiz.quiz)
app.command("value")(value.value)
app.command("chance")(chance.chance)
app.command("distribution")(distribution.distribution)
app.command("simulate")(simulate.simulate)
app.command("replay")(simulate.replay)
app.command("compare")(compare.compare)
app.command("players")(players.players)
app.command("export")(export.export)
app.command("perfect")(perfect.perfect)
app.command("counts")(counts.counts)
app.command("study")(study.study)
app.command("papers")(papers.papers)
app.command("serve")(serve.serve)
app.add_typer(match.app, name="match")
app.add_typer(tables.app, name="tables")

WRONG_INPUT, FAILED, INTERRUPTED = 2, 1, 130

# Typer does not export the base of its usage errors; every release derives BadParameter from it.
_UsageError: Any = typer.BadParameter.__base__


def _show_version(wanted: bool) -> None:
    if wanted:
        from yatzy import __version__

        print(__version__)
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and leave.")
    ] = False,
) -> None:
    pass


def run(arguments: list[str] | None = None) -> NoReturn:
    """Run a command and exit: 0 done, 2 wrong input (one line says what), 1 failed, 130 interrupted."""
    try:
        code = app(arguments, standalone_mode=False)
    except _UsageError as error:
        _leave(WRONG_INPUT, _one_line(error))
    except InputError as error:
        _leave(WRONG_INPUT, str(error))
    except YatzyError as error:
        _leave(FAILED, str(error))
    except (KeyboardInterrupt, typer.Abort):
        code = INTERRUPTED
    except BrokenPipeError:  # the reader of our output has left, which is its right
        sys.stderr.close()
        sys.exit(FAILED)
    if code == INTERRUPTED:  # some releases of Typer turn Ctrl-C into this code
        _leave(code, "interrupted; what has been written is kept, and the same command goes on from there")
    sys.exit(code if isinstance(code, int) else 0)


def _one_line(error: Any) -> str:
    message = " ".join(str(error.format_message()).split())
    command = error.ctx.command_path if getattr(error, "ctx", None) else "yatzy"
    if not message:  # a group called without a command: its help has been shown
        return f"a command is missing; '{command} --help' lists them"
    return f"{message} ('{command} --help' tells more)"


def _leave(code: int, message: str) -> NoReturn:
    print(f"yatzy: {message}", file=sys.stderr)
    sys.exit(code)
