"""Print the requirements of dependency groups (PEP 735) of pyproject.toml, one a line.

    python tools/group.py dev > dev.txt && pip install -e . -r dev.txt

pip knows `--group` from version 25.1 on; a fresh environment of Python 3.11 has an older one.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).parent.parent / "pyproject.toml"


def requirements(groups: dict[str, list[Any]], name: str, within: tuple[str, ...] = ()) -> Iterator[str]:
    """The requirements of a group, with those of the groups that it includes."""
    if name not in groups:
        sys.exit(f"there is no dependency group {name!r}; groups are {', '.join(sorted(groups))}")
    if name in within:
        sys.exit(f"the dependency group {name!r} includes itself")
    for entry in groups[name]:
        if isinstance(entry, str):
            yield entry
        else:
            yield from requirements(groups, entry["include-group"], (*within, name))


def main() -> None:
    """Print the groups named on the command line; nothing without a name."""
    groups = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["dependency-groups"]
    for line in dict.fromkeys(line for name in sys.argv[1:] for line in requirements(groups, name)):
        print(line)


if __name__ == "__main__":
    main()
