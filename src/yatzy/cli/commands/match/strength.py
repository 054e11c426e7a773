"""Measure what strategies lose per move against perfect two-player play, in typical positions near the end.

If it is interrupted, finished results are kept, and the same command resumes.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from yatzy import lab, report
from yatzy.cli import lab_options, terminal
from yatzy.cli.opening import open_solver
from yatzy.cli.options import GameArgument, Json, Language, OnWorkers, Tables, Threads
from yatzy.errors import InputError
from yatzy.games import load_game
from yatzy.names import Origin, objective_examples
from yatzy.report.terminal import print_blocks
from yatzy.report.texts import text
from yatzy.store.files import write_atomic

if TYPE_CHECKING:
    from yatzy.lab import Strength, StrengthResult

DEPTHS = "1-8:256"
STRATEGIES = "expected,match:emp:0,match:emp:1,match:emp:2,match:emp:3,match:dyns:1,match:dyns:4"
MEASURED = tuple(name.form for name in objective_examples() if not name.seconds)
EXAMPLE = "1-6:4096,7-8:1024"


def command(
    game: GameArgument = "yatzy",
    strategies: Annotated[
        str,
        typer.Option("--strategies", metavar="A,B,…", help=f"Objectives: {', '.join(MEASURED)}."),
    ] = STRATEGIES,
    depths: Annotated[
        str,
        typer.Option(
            "--depths",
            metavar="D-E:N,…",
            help="Depths (open categories of both players together), with the number of positions at each.",
        ),
    ] = DEPTHS,
    seed: lab_options.Seed = 1,
    out: Annotated[
        Path, typer.Option("--out", metavar="FOLDER", help="Folder of the results; an interrupted run resumes there.")
    ] = Path("strength"),
    endgames: Annotated[
        int | None,
        typer.Option("--endgames", metavar="D", min=0, max=99, help="Depth of the endgame tables (default: 3)."),
    ] = None,
    on: OnWorkers = None,
    language: Language = "en",
    threads: Threads = None,
    tables: Tables = None,
    json: Json = False,
) -> None:
    chosen, wanted = load_game(game), read_depths(depths)
    names = [name.strip() for name in strategies.split(",") if name.strip()]
    with lab.print_style():  # fails here if Matplotlib is missing, instead of after the work
        pass
    with open_solver(tables, threads, on) as solver:
        result = lab.measure_strength(chosen, names, wanted, seed, out, solver, endgames, Origin.PERSON)
    for name, content in report.strength_files(result, language):
        write_atomic(out / name, content)
    if json:
        terminal.print_json(_fields(result))
        return
    print_blocks(report.strength_tables(result, language))
    print(text(language, "strength.written", folder=out))


def read_depths(text: str) -> dict[int, int]:
    """Parse depths with their numbers of positions: `1-6:4096,7-8:1024`."""
    found: dict[int, int] = {}
    for part in text.split(","):
        span, colon, count = part.strip().partition(":")
        if not colon or not (count.isascii() and count.isdigit() and len(count) < 9):
            raise InputError(
                "--depths {text}: {part!r} is not depths and a number; expected for example {example}",
                text=text,
                part=part.strip(),
                example=EXAMPLE,
            )
        low, high = lab_options.read_span(span, f"--depths {text}", EXAMPLE)
        for depth in range(low, high + 1):
            if depth in found:
                raise InputError("--depths {text}: depth {depth} is given twice", text=text, depth=depth)
            found[depth] = int(count)
    return found


def _fields(result: StrengthResult) -> dict[str, Any]:
    rows: dict[str, dict[str, Any]] = {name: {} for name in result.strategies}
    for span, found in lab.summaries(result):
        rows[found.strategy][span] = _strength_fields(found)
    return {"game": result.game.id, "seed": result.seed, "strategies": rows}


def _strength_fields(found: Strength) -> dict[str, Any]:
    return {
        "positions": found.positions,
        "mean": found.mean,
        "interval": found.interval,
        "erring": found.erring,
        "larger": {f"{limit:g}": share for limit, share in zip(lab.LIMITS, found.larger, strict=True)},
        "worst": found.worst,
    }
