"""Run the benchmarks: `python -m benchmarks [--quick] [--json] [name ...]`."""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from rich.console import Console

from benchmarks import (
    agreement,
    click_speed,
    curves,
    dataset_speed,
    exact_speed,
    first_minute,
    gpu_speed,
    large_game,
    machine,
    match_speed,
    opponents,
    outlooks,
    page_speed,
    serve_speed,
    simulate_speed,
    solve_speed,
    startup,
    variants,
    visits,
    walks,
)
from benchmarks.report import Grid, Result, Settings, Value, show
from yatzy.values.threads import core_count


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A benchmark with its options."""

    run: Callable[[Settings], Result]
    what: str
    slow: bool = False
    """Skipped with --quick, unless named."""


BENCHMARKS = {
    "solve": Benchmark(solve_speed.run, "solving two games, side by side with yatzy-solver"),
    "agreement": Benchmark(agreement.run, "values of random states, compared with yatzy-solver's"),
    "machine": Benchmark(machine.run, "operations per second, compared with the best this machine can do"),
    "curves": Benchmark(curves.run, "building, opening and querying the tables of chances"),
    "exact": Benchmark(exact_speed.run, "exact distributions and endgames, compared with the best this machine can do"),
    "gpu": Benchmark(gpu_speed.run, "a GPU beside the CPU: values per second, and the largest difference", slow=True),
    "outlooks": Benchmark(outlooks.run, "tables of outlooks: building and querying them", slow=True),
    "simulate": Benchmark(simulate_speed.run, "playing games, side by side with yatzy-solver's simulator"),
    "dataset": Benchmark(dataset_speed.run, "labelled positions in files, side by side with yatzy-solver's export"),
    "match": Benchmark(match_speed.run, "several players: searches, exact endgames, matches in bulk"),
    "serve": Benchmark(serve_speed.run, "the server under load: advice over HTTP for 50 clients"),
    "opponents": Benchmark(opponents.run, "advice in a match over HTTP, every question new"),
    "page": Benchmark(page_speed.run, "the page in a browser: from a click to the new advice"),
    "clicks": Benchmark(click_speed.run, "clicks on the page: the CPU time of the server by kind of click"),
    "visits": Benchmark(visits.run, "visits to the page: the cost of each, and memory after thousands", slow=True),
    "first": Benchmark(first_minute.run, "the first minute: from make run in a fresh clone to advice", slow=True),
    "startup": Benchmark(startup.run, "starting the command line"),
    "walks": Benchmark(walks.run, "the modules that three commands and a click on the page import and run"),
    "variants": Benchmark(variants.run, "values of whole games, compared with all of yatzy-solver's", slow=True),
    "large": Benchmark(large_game.run, "solving the largest preset, and its memory", slow=True),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the named benchmarks, by default all (without slow ones if quick); return 1 if any failed."""
    parser = _parser()
    options = parser.parse_args(arguments)
    for name in options.names:
        if name not in BENCHMARKS:
            parser.error(f"there is no benchmark {name!r}; there are {', '.join(BENCHMARKS)}")
    settings = Settings(quick=options.quick)
    names = options.names or [name for name, b in BENCHMARKS.items() if not (settings.quick and b.slow)]
    console, aside = Console(highlight=False), Console(stderr=True, highlight=False)
    if not console.is_terminal:
        console.width = 140
    where = _where()
    if not options.json:
        show(console, Grid("Where", ("", ""), [[key, str(value)] for key, value in where.items()]))
    data: dict[str, Value] = {}
    failures: list[str] = []
    for name in names:
        with aside.status(f"{name}: {BENCHMARKS[name].what}"):
            result = BENCHMARKS[name].run(settings)
        data[name] = result.data
        failures += result.failures
        if not options.json:
            for grid in result.grids:
                show(console, grid)
    if options.json:
        print(json.dumps({"where": where, "quick": settings.quick, "benchmarks": data, "failures": failures}, indent=2))
    for failure in failures:
        aside.print(f"FAILED {failure}", markup=False)
    return 1 if failures else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description="Measure this package.",
        epilog="benchmarks: " + "; ".join(f"{name} ({b.what})" for name, b in BENCHMARKS.items()),
    )
    parser.add_argument("names", nargs="*", metavar="name", help="benchmarks to run (default: all)")
    parser.add_argument("--quick", action="store_true", help="fewer repeats, and no slow benchmarks")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of tables")
    return parser


def _where() -> dict[str, Value]:
    return {
        "processor": _processor(),
        "cores": core_count(),
        "load before": round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None,
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        **{name: version(name) for name in ("numba", "numpy")},
    }


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or "unknown"


if __name__ == "__main__":
    sys.exit(main())
