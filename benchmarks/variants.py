"""The value of the start of the game, for all rules that both packages know."""

from __future__ import annotations

from benchmarks import theirs
from benchmarks.agreement import TOLERANCE
from benchmarks.ours import start_value
from benchmarks.report import Grid, Result, Settings, Value

START = "upper 0 | filled -"


def run(settings: Settings) -> Result:
    pairs = (*theirs.MAIN, *theirs.OTHERS)
    rows: list[list[str]] = []
    data: dict[str, Value] = {}
    failures = []
    for pair in pairs:
        ours, other = start_value(pair.game), float(theirs.built(pair.theirs).state_value(START))
        difference = abs(ours - other)
        rows.append([pair.name, pair.theirs, f"{ours:.10f}", f"{other:.10f}", f"{difference:.1e}"])
        data[pair.name] = {"theirs": pair.theirs, "value": ours, "their_value": other, "difference": difference}
        if not difference < TOLERANCE:
            failures.append(f"variants: {pair.name} differs from {pair.theirs} by {difference:.1e}")
    missing = sorted(set(theirs.package().builtin_variants()) - {pair.theirs for pair in pairs})
    data["without_counterpart"] = missing
    grid = Grid(
        f"Value of the whole game, this package and {theirs.PACKAGE}",
        ("game", "theirs", "our value", "their value", "difference"),
        rows,
        f"Variants of theirs without a counterpart: {', '.join(missing) or 'none'}.",
    )
    return Result([grid], data, failures)
