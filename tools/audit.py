"""Check the pinned versions (constraints.txt) for published advisories with pip-audit.

Exit code 0 if every version was checked and none has an advisory, 1 if one has, and 3 if some or all could not be
checked because no advisory database can be reached. pip-audit alone says "No known vulnerabilities" of versions that it
had to skip.
"""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

PINNED = Path(__file__).parent.parent / "constraints.txt"
SERVICES = ("pypi", "osv")
UNCHECKED = 3


@dataclass(frozen=True)
class Answer:
    """What an advisory database says about the pinned versions."""

    checked: int
    skipped: int
    advisories: tuple[str, ...]

    @property
    def code(self) -> int:
        """The exit code."""
        return 1 if self.advisories else UNCHECKED if self.skipped or not self.checked else 0

    def __str__(self) -> str:
        if not self.checked:
            return "no advisory database can be reached from here, so nothing was checked"
        unknown = f"; {self.skipped} versions could not be checked" if self.skipped else ""
        return f"{self.checked} versions checked, {len(self.advisories)} advisories{unknown}"


def read_answer(text: str) -> Answer:
    """The JSON that pip-audit prints; anything else is no answer."""
    try:
        found = json.loads(text)["dependencies"]
        checked = [one for one in found if "skip_reason" not in one]
        advisories = tuple(
            f"{one['name']} {one['version']}: {vulnerability['id']}"
            for one in checked
            for vulnerability in one["vulns"]
        )
    except (ValueError, LookupError, TypeError):
        return Answer(0, 0, ())
    return Answer(len(checked), len(found) - len(checked), advisories)


def main() -> None:
    """Ask one database after the other until one answers."""
    command = [sys.executable, "-m", "pip_audit", "--requirement", str(PINNED), "--no-deps", "--disable-pip",
               "--format", "json", "--progress-spinner", "off", "--timeout", "15"]  # fmt: skip
    answer = Answer(0, 0, ())
    for service in SERVICES:
        done = subprocess.run(
            [*command, "--vulnerability-service", service], capture_output=True, text=True, check=False
        )
        answer = read_answer(done.stdout)
        print(f"{service}: {answer}", flush=True)
        if answer.checked:
            break
    for line in answer.advisories:
        print(line)
    sys.exit(answer.code)


if __name__ == "__main__":
    main()
