"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from yatzy.cli import completion
from yatzy.cli.language import Language as Language
from yatzy.errors import InputError
from yatzy.names import Objective, PayoffName, forms, objective_forms
from yatzy.workers.places import CPU, FORMS, GPU, parse_place

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
Tables = Annotated[
    Path | None,
    typer.Option(
        "--tables",
        metavar="FOLDER",
        help="Folder of the tables (default: $YATZY_TABLES, or the user's cache folder).",
    ),
]
Plot = Annotated[Path | None, typer.Option("--plot", help="Write a figure: .svg, .png or .pdf.")]
Threads = Annotated[
    int | None, typer.Option("--threads", min=1, max=256, help="Number of cores to use (default: all).")
]


def _read_place(text: str | None) -> str | None:
    """Refuse a text that is no place, before anything is opened."""
    if text is not None:
        parse_place(text)
    return text


def _read_workers(text: str | None) -> str | None:
    """Like `_read_place`, for what no GPU computes."""
    if text is not None and parse_place(text).backend != CPU:
        raise InputError(
            "--on {text}: this is not computed on a GPU; use local, local:N, dask or dask:ADDRESS", text=text
        )
    return text


On = Annotated[
    str | None,
    typer.Option(
        "--on",
        metavar="WHERE",
        callback=_read_place,
        help=f"Where to compute: {', '.join(FORMS)} (default: local; docs/scale.md).",
    ),
]
OnWorkers = Annotated[
    str | None,
    typer.Option(
        "--on",
        metavar="WHERE",
        callback=_read_workers,
        help=f"Where to compute: {', '.join(form for form in FORMS if form != GPU)} (default: local; docs/scale.md).",
    ),
]


GameArgument = Annotated[
    str, typer.Argument(metavar="GAME", autocompletion=completion.games, help="A preset or a .toml file.")
]
ObjectiveOption = Annotated[
    str,
    typer.Option(
        "--objective",
        autocompletion=completion.objectives,
        help=f"What to play for: {', '.join(objective_forms())} (docs/objectives.md).",
    ),
]
AnyObjectiveOption = Annotated[
    str,
    typer.Option(
        "--objective",
        autocompletion=completion.objectives,
        help=f"What to play for: {', '.join(forms(Objective))} (docs/objectives.md, docs/match.md).",
    ),
]
PayoffOption = Annotated[
    str,
    typer.Option(
        "--payoff",
        metavar="PAYOFF",
        autocompletion=completion.payoffs,
        help=f"What a match pays: {', '.join(forms(PayoffName))}.",
    ),
]
TableNames = Annotated[
    list[str] | None, typer.Argument(metavar="[NAME]...", help="Names of tables, as listed (default: all).")
]
