"""Positions with the value of every move, as Parquet files, compared with yatzy-solver's export. Runs alternate."""

from __future__ import annotations

import tempfile
from pathlib import Path

from benchmarks import theirs
from benchmarks.report import Grid, Result, Settings, Value, seconds
from benchmarks.timing import Times
from yatzy.games import load_game
from yatzy.sharing import label_positions, played_positions, uniform_positions, write_dataset
from yatzy.sharing.output import PARQUET
from yatzy.solver import Solver, parse_strategy

AIM, AIM_RATIO, HOPE = 300_000, 5, 1_000_000
SOURCES = {"expected": "optimal", "uniform": "uniform"}
"""Where the positions come from, in the words of both."""


def run(settings: Settings) -> Result:
    rounds, ours, others = settings.repeats(3, 1), settings.repeats(1_000_000, 300_000), 50_000
    game, solver = load_game("yatzy"), Solver()
    best, solution = parse_strategy("expected", game, solver), solver.expected(game)
    rival = theirs.built("yatzy-scandinavian")

    def make(source: str, rows: int, path: Path) -> None:
        found = uniform_positions(game, rows, 7) if source == "uniform" else played_positions(best, rows, 7)
        write_dataset(found, label_positions(found, solution), solution.objective, path)

    rows, data = [], dict[str, Value]()
    with tempfile.TemporaryDirectory() as folder:
        mine, other = Path(folder) / f"ours{PARQUET}", Path(folder) / f"theirs{PARQUET}"
        for source, their_source in SOURCES.items():
            make(source, 1000, mine)  # compiles or loads the kernels
            time, their_time = Times(), Times()
            for _ in range(rounds):
                time.add(lambda source=source: make(source, ours, mine))  # type: ignore[misc]
                their_time.add(
                    lambda name=their_source: rival.export(str(other), others, source=name, seed=7, format="parquet")  # type: ignore[misc]
                )
            rate, their_rate = ours / time.best, others / their_time.best
            each, their_each = mine.stat().st_size / ours, other.stat().st_size / others
            rows.append(
                [source, f"{ours:,}", seconds(time.best), f"{rate:,.0f}", f"{each:.0f}", f"{their_rate:,.0f}",
                 f"{their_each:.0f}", f"{rate / their_rate:.1f}"]
            )  # fmt: skip
            data[source] = {
                "rows": ours, "time": time.data, "rows_per_second": rate, "bytes_per_row": each,
                "ratio": rate / their_rate,
                "yatzy_solver": {"rows": others, "time": their_time.data, "rows_per_second": their_rate,
                                 "bytes_per_row": their_each},
            }  # fmt: skip
    grid = Grid(
        f"Labelled positions of Yatzy in Parquet files, this package and {theirs.PACKAGE}"
        f" {theirs.package().SOLVER_VERSION} in turns",
        ("positions", "rows", "time", "rows/s", "bytes/row", "theirs, rows/s", "bytes/row", "ours / theirs"),
        rows,
        f"Best of {rounds}. The aims: {AIM:,} rows a second on 2 cores, better {HOPE:,}, and {AIM_RATIO} times theirs.",
    )
    return Result([grid], data)
