"""Run the simulations and comparisons described in a file, and write a report with tables and figures.

If it is interrupted, finished results are kept, and the same command resumes.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from yatzy.cli import terminal
from yatzy.cli.opening import open_solver
from yatzy.cli.options import Json, Language, OnWorkers, Tables, Threads
from yatzy.errors import Message
from yatzy.lab.plots import print_style
from yatzy.lab.studies.reading import Allowed, read_study
from yatzy.lab.studies.running import PARTS, StudyResult, run_study
from yatzy.lab.studies.summary import study_fields
from yatzy.report.study import study_files, study_tables
from yatzy.report.terminal import print_blocks
from yatzy.report.texts import text
from yatzy.store import Report
from yatzy.store.files import locked, write_atomic
from yatzy.values.resources import Progress


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
    on: OnWorkers = None,
    language: Language = "en",
    threads: Threads = None,
    tables: Tables = None,
    json: Json = False,
) -> None:
    asked = read_study(file, Allowed(allow_files, allow_code))
    folder = out if out is not None else Path(f"{file.stem}-report")
    with print_style():  # fails here if Matplotlib is missing, instead of after the work
        pass
    with open_solver(tables, threads, on) as solver:
        result = run_study(asked, folder, solver)
        write_study(result, language, solver.watch(Message("the figures"), "Drawing"), solver.report)
    if json:
        terminal.print_json(study_fields(result))
        return
    print_blocks(study_tables(result, language))
    print(text(language, "study.written", path=result.report))


def write_study(
    result: StudyResult, language: str = "en", progress: Progress | None = None, report: Report | None = None
) -> None:
    """Write the figures, the tables as CSV and finally report.md into the folder of a study."""
    with locked(result.folder / PARTS, "study", report):
        for path, content in study_files(result, language, progress):
            write_atomic(path, content)
