"""Compute every number that is in print again, say what is reproduced and why others differ, and write a report.

Interrupted, it keeps what is finished, and the same command goes on from there.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table

from yatzy.cli import terminal
from yatzy.cli.opening import open_solver
from yatzy.cli.options import Json, Tables, Threads
from yatzy.errors import InputError
from yatzy_papers.claims import Verdict
from yatzy_papers.report import PAGE, computed_text, verdict_table
from yatzy_papers.results import PapersResult, to_json
from yatzy_papers.run import run_papers
from yatzy_papers.works import find_works


def command(
    works: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="NAME ...",
            help="tillius, pawlewicz, henriksson-engstrom, molinder, cited, new; all without any.",
        ),
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="What takes minutes; this is the default.")] = False,
    full: Annotated[bool, typer.Option("--full", help="Everything, within an hour and a half.")] = False,
    out: Annotated[
        Path, typer.Option("--out", metavar="DIR", help="Where the report and its parts go; a run goes on there.")
    ] = Path("papers"),
    threads: Threads = None,
    tables: Tables = None,
    json: Json = False,
) -> None:
    if quick and full:
        raise InputError("--quick and --full: one of them, not both")
    chosen = find_works(works or [])
    with open_solver(tables, threads) as solver:
        result = run_papers(chosen, out, solver, full=full)
    if json:
        terminal.print_json(_fields(result, out))
        return
    _print(result)
    print(f"report: {out / PAGE}")


def _fields(result: PapersResult, out: Path) -> dict[str, Any]:
    verdicts = {
        finding.claim.key: {
            "verdict": finding.verdict.value,
            "settled": finding.settled,
            "figures": {one.printed.name: one.verdict.value for one in finding.figures},
        }
        for finding in result.findings
    }
    return {"report": str(out / PAGE), "verdicts": verdicts, **to_json(result)}


def _print(result: PapersResult) -> None:
    if not result.findings:
        return
    grid = verdict_table(result)
    table = Table(grid.head[0])
    for heading in grid.head[1:]:
        table.add_column(heading, justify="right")
    for row in grid.rows:
        table.add_row(*map(escape, row))
    terminal.print_table(table)
    differing = Table("differs", "figure", title="What differs; the report says why")
    differing.add_column("in print", justify="right")
    differing.add_column("ours", justify="right")
    for finding in result.findings:
        for one in finding.figures:
            if one.verdict is Verdict.DIFFERS:
                cells = (
                    finding.claim.key,
                    one.printed.name,
                    one.printed.text,
                    computed_text(one.printed, one.computed),
                )
                differing.add_row(*map(escape, cells))
    if differing.row_count:
        terminal.print_table(differing)
    for finding in result.findings:
        if not finding.settled:
            terminal.note(f"{finding.claim.key}: differs, and no reason that holds is known")
