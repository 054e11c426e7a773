"""The code of the recipes in docs/extending.md."""

from __future__ import annotations

import re
from pathlib import Path

TEXT = (Path(__file__).parents[2] / "docs" / "extending.md").read_text(encoding="utf-8")


def recipe(heading: str, language: str = "python") -> str:
    """The code block of a section."""
    section = re.search(rf"## {heading}\n(.*?)(?=\n## |\Z)", TEXT, re.DOTALL)
    assert section is not None, heading
    (code,) = re.findall(rf"```{language}\n(.*?)```", section[1], re.DOTALL)
    return str(code)
