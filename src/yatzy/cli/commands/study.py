"""Run the simulations and comparisons described in a file, and write a report with tables and figures.

If it is interrupted, finished results are kept, and the same command resumes.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape
from rich.table import Table

from yatzy.cli import terminal
from yatzy.cli.options import Json, Tables, Threads
from yatzy.lab.studies.reading import Allowed, read_study
from yatzy.lab.studies.running import StudyResult, run_study
from yatzy.lab.studies.summary import cell_measures, seat_measures, study_fields, winner_measures
from yatzy.solver import Solver

COLUMNS = ("mean", "sd", "median", "bonus", "yatzy")


def command(
    file: Annotated[Path, typer.Argument(metavar="FILE.toml", help="The description of the study (docs/lab.md).")],
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", metavar="FOLDER", help="Folder of the report (default: FILE-report in the current folder)."
        ),
    ] = None,
    allow_code: Annotated[
        bool, typer.Option("--allow-code", help="Let the study run the Python files that it names (FILE.py:CLASS).")
    ] = False,
    allow_files: Annotated[
        bool,
        typer.Option("--allow-files", help="Let the study read other files that it names (utility:FILE, file:PATH)."),
    ] = False,
    threads: Threads = None,
    tables: Tables = None,
    json: Json = False,
) -> None:
    asked = read_study(file, Allowed(allow_files, allow_code))
    folder = out if out is not None else Path(f"{file.stem}-report")
    with terminal.watching() as watch:
        result = run_study(asked, folder, Solver(tables, threads, watch, terminal.note), threads, watch, terminal.note)
    if json:
        terminal.print_json(study_fields(result))
        return
    if result.cells:
        _print_cells(result)
    _print_players(result)
    print(f"report: {result.report}")


def _print_cells(result: StudyResult) -> None:
    table = Table("", title=escape(result.study.title))
    for heading in ("games", "mean", "sd", "median", "bonus [%]", "yatzy [%]"):
        table.add_column(heading, justify="right")
    for entry in result.cells:
        found = {measure.id: measure for measure in cell_measures(entry)}
        cells = [found[id].simulated_text if id in found else "" for id in COLUMNS]
        table.add_row(escape(entry.cell.name), f"{entry.cell.count:,}", *cells)
        if entry.exact is not None:
            table.add_row("", "exact", *(found[id].exact_text if id in found else "" for id in COLUMNS))
    terminal.print_table(table)


def _print_players(result: StudyResult) -> None:
    for entry in result.players:
        table = Table("player", "strategy", title=escape(entry.players.name))
        seats = seat_measures(entry)
        for measure in seats[0]:
            table.add_column(measure.label, justify="right")
        for number, (choice, measures) in enumerate(zip(entry.players.seats, seats, strict=True), start=1):
            table.add_row(str(number), escape(choice.label), *(measure.simulated_text for measure in measures))
            if entry.exact is not None:
                table.add_row("", "exact", *(measure.exact_text for measure in measures))
        terminal.print_table(table)
        said = [f"{one.label} {one.simulated_text} (exact {one.exact_text})" for one in winner_measures(entry)]
        print(f"The score that wins: {', '.join(said)}")
