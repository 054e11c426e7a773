"""Solve a two-player game completely, from the last category back to the first roll; an interrupted run resumes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from yatzy import matches
from yatzy.cli import terminal
from yatzy.cli.opening import open_solver
from yatzy.cli.options import GameArgument, Json, Language, On, Tables
from yatzy.errors import InputError
from yatzy.games import load_game
from yatzy.report.match import solved_blocks
from yatzy.report.terminal import print_blocks
from yatzy.workers.places import parse_place

if TYPE_CHECKING:
    from yatzy.matches import SolvedMatch

KEEP = ("all", "sample", "none")


def command(
    game: GameArgument = "yacht",
    on: On = None,
    keep: Annotated[
        str,
        typer.Option(
            "--keep",
            metavar="|".join(KEEP),
            help="Keep all layers as endgame tables, a sample of positions of each layer, or only the summary.",
        ),
    ] = "sample",
    work: Annotated[
        Path | None,
        typer.Option(
            "--work",
            metavar="FOLDER",
            help="Folder for the two current layers (default: beside the tables). All workers must share it.",
        ),
    ] = None,
    language: Language = "en",
    tables: Tables = None,
    json: Json = False,
) -> None:
    chosen, place = load_game(game), parse_place(on or "local")
    if keep not in KEEP:
        raise InputError("--keep {keep}: must be one of {names}", keep=keep, names=", ".join(KEEP))
    with open_solver(tables, place.threads) as solver:
        shared = work if work is not None else matches.match_folder(chosen, solver)
        with place.open(shared, terminal.notes()) as executor:
            result = matches.solve_match(chosen, executor, matches.Keep(keep), solver, work=work, backend=place.backend)
    if json:
        terminal.print_json(_fields(result))
        return
    print_blocks(solved_blocks(result, language))


def _fields(result: SolvedMatch) -> dict[str, Any]:
    return {
        "game": result.game.id,
        "value": result.value,
        "error": result.error,
        "values": result.values,
        "seconds": result.seconds,
        "cached": result.cached,
        "layers": [
            {
                **{name: getattr(layer, name) for name in ("depth", "pairs", "values", "least", "most", "hash")},
                "sample": len(layer.sample) if layer.sample is not None else 0,
                "seconds": layer.seconds,
            }
            for layer in result.layers
        ],
    }
