"""The numbers of a report on the literature."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def read_numbers(path: Path) -> dict[str, Any]:
    """The numbers of a report from its `results.json`."""
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found
