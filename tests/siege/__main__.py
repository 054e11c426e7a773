"""`python -m siege`: see the package."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
from pathlib import Path

# Before NumPy is imported: threads of a library would make forking unsafe.
os.environ["OPENBLAS_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = "1"

from siege.campaign import Campaign, run_campaign
from siege.report import print_report, write_report

NAMES = ("kills", "damage", "arguments", "texts", "requests", "load", "visits", "bad-days", "data")


def open_campaign(name: str, folder: Path, seed: int, short: bool) -> Campaign:
    """A campaign by name; its modules are loaded now."""
    from importlib import import_module

    module, kind = {
        "kills": ("kills", "Kills"),
        "damage": ("damage", "Damage"),
        "arguments": ("arguments", "Arguments"),
        "texts": ("texts", "Texts"),
        "requests": ("requests", "Requests"),
        "load": ("load", "Load"),
        "visits": ("visits", "Visits"),
        "bad-days": ("bad_days", "BadDays"),
        "data": ("data", "Data"),
    }[name]
    made = getattr(import_module(f"siege.{module}"), kind)(folder, seed, short)
    assert isinstance(made, Campaign)
    return made


def main() -> int:
    """Run the campaigns that were named, or all of them."""
    parser = argparse.ArgumentParser(prog="python -m siege", description=(__import__("siege").__doc__))
    parser.add_argument("campaigns", nargs="*", metavar="CAMPAIGN", help=", ".join(NAMES))
    parser.add_argument("--out", type=Path, default=Path("siege-report"), help="progress and report")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--short", action="store_true", help="a share of every campaign, within minutes")
    parser.add_argument("--only", type=int, action="append", default=[], help="this try alone; may be repeated")
    parser.add_argument("--again", action="store_true", help="forget earlier progress")
    asked = parser.parse_args()
    asked.out = asked.out.absolute()  # some campaigns change the working directory
    names = asked.campaigns or list(NAMES)
    if wrong := sorted(set(names) - set(NAMES)):
        parser.error(f"there is no campaign {wrong[0]!r}; campaigns are {', '.join(NAMES)}")
    if asked.only and len(names) != 1:
        parser.error("--only goes with one campaign")
    if asked.again:
        for name in names:
            (asked.out / f"{name}.jsonl").unlink(missing_ok=True)
    # In memory where there is such a folder: kills do not need a real disk, and waiting for one takes most of the time.
    base = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    scratch = Path(tempfile.mkdtemp(prefix="siege-", dir=base))
    outcomes = []
    try:
        from siege.stock import warm

        print("loading and compiling everything …", file=sys.stderr, flush=True)
        warm(scratch / "warm")
        for name in names:
            print(f"{name} …", file=sys.stderr, flush=True)
            folder = scratch / name
            folder.mkdir()
            campaign = open_campaign(name, folder, asked.seed, asked.short)
            outcomes.append(run_campaign(campaign, asked.out, asked.only))
            shutil.rmtree(folder, ignore_errors=True)
    finally:
        if outcomes:
            write_report(outcomes, asked.out / "report.json")
        shutil.rmtree(scratch, ignore_errors=True)
    print_report(outcomes)
    print(f"report: {asked.out / 'report.json'}")
    return 1 if any(one.findings for one in outcomes) else 0


if __name__ == "__main__":
    sys.exit(main())
