"""Recompute the published figures, say which are reproduced and why others differ, and write a report.

If it is interrupted, finished results are kept, and the same command resumes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from yatzy.cli import terminal
from yatzy.cli.opening import open_solver
from yatzy.cli.options import Json, OnWorkers, Tables, Threads
from yatzy.errors import InputError
from yatzy.report import Table
from yatzy.report.terminal import print_blocks
from yatzy_papers.claims import Verdict
from yatzy_papers.inventory import Entry, Inventory, Status, read_inventories
from yatzy_papers.report import PAGE, computed_text, inventory_blocks, verdict_table
from yatzy_papers.results import PapersResult, to_json
from yatzy_papers.run import run_papers
from yatzy_papers.works import find_works


def command(
    works: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="NAME ...",
            help="Works: tillius, pawlewicz, henriksson-engstrom, molinder, cited, glenn, beside, new (default: all).",
        ),
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Only what takes minutes; this is the default.")] = False,
    list_: Annotated[
        bool, typer.Option("--list", help="List what the works print and what was checked; compute nothing.")
    ] = False,
    full: Annotated[bool, typer.Option("--full", help="Everything; takes hours.")] = False,
    out: Annotated[
        Path, typer.Option("--out", metavar="DIR", help="Folder of the report; an interrupted run resumes there.")
    ] = Path("papers"),
    on: OnWorkers = None,
    threads: Threads = None,
    tables: Tables = None,
    json: Json = False,
) -> None:
    if quick and full:
        raise InputError("give only one of --quick and --full")
    chosen = find_works(works or [])
    if list_:
        _list(read_inventories(chosen), json)
        return
    with open_solver(tables, threads, on) as solver:
        result = run_papers(chosen, out, solver, full=full)
    if json:
        terminal.print_json(_fields(result, out))
        return
    _print(result)
    print(f"report: {out / PAGE}")


def _list(inventories: Sequence[Inventory], json: bool) -> None:
    if json:
        terminal.print_json(
            {
                one.work.id: {
                    "counts": {status.value: one.count(status) for status in Status},
                    "entries": [_entry_fields(one, entry) for entry in one.entries],
                }
                for one in inventories
            }
        )
        return
    print_blocks(inventory_blocks(inventories))


def _entry_fields(inventory: Inventory, entry: Entry) -> dict[str, Any]:
    return {
        **{name: value for name, value in asdict(entry).items() if value},
        "status": entry.status.value,
        "figures": inventory.figures(entry),
    }


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
    differing = tuple(
        (finding.claim.key, one.printed.name, one.printed.text, computed_text(one.printed, one.computed))
        for finding in result.findings
        for one in finding.figures
        if one.verdict is Verdict.DIFFERS
    )
    title = "What differs; the report says why"
    print_blocks([verdict_table(result)])
    if differing:
        print_blocks([Table(("differs", "figure", "in print", "ours"), differing, frozenset({0, 1}), title)])
    for finding in result.findings:
        if not finding.settled:
            terminal.note(f"{finding.claim.key}: differs, and no reason that holds is known")
