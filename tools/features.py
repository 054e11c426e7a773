"""List what an older checkout offers that this one does not: commands, options, games, the HTTP API and the page.

    python tools/features.py OLD [NEW]

OLD and NEW are checkouts with a `.venv`; NEW is this one unless given. Exit code 1 if something is gone that
CHANGELOG.md of the new one does not name in backquotes.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent.parent
OPEN_API = (
    "import json; from yatzy.web.server import create_app; from yatzy.web.service import Settings;"
    "print(json.dumps(create_app(Settings(page=False)).openapi()))"
)
TEST_ID = r"test_?id=\\?f?[\"']([^\"'\\]+)"
NUMBERED = r"f\"([a-z]+-\{\w+\})\""
"""Test ids of rows, which are put into a template."""
HELPER = r"(?:paste_field|paste_button|titled_dialog|_tool|_button)\(.*"
"""Calls of functions that make an element with a test id."""
Feature = tuple[str, str]
"""Its kind, and what people call it."""


def features(checkout: Path) -> set[Feature]:
    """Everything that can be typed, requested, clicked or read in a checkout."""
    source = checkout / "src" / "yatzy"
    page = source / "web" / "page"
    found = set(commands((checkout / "docs" / "commands.md").read_text(encoding="utf-8")))
    found |= {("preset", path.stem) for path in (source / "games" / "presets").glob("*.toml")}
    found |= {("make target", name) for name in targets((checkout / "Makefile").read_text(encoding="utf-8"))}
    found |= {("variable", name) for name in _all(source, r"\bYATZY_[A-Z_]+\b")}
    found |= {("path of the page", path) for path in _all(page, r"[\"'](/[a-z]*)[\"']")}
    found |= {
        ("test id", re.sub(r"\{.*?\}", "{}", id)) for pattern in (TEST_ID, NUMBERED) for id in _all(page, pattern)
    }
    found |= {("test id", id) for call in _all(page, HELPER) for id in re.findall(r"\"(?!yz-)([a-z-]+)\"", call)}
    found |= {("key", key) for key in keys((source / "web" / "assets" / "page.js").read_text(encoding="utf-8"))}
    return found | set(open_api(checkout))


def commands(reference: str) -> Iterator[Feature]:
    """The commands of docs/commands.md with their arguments and options."""
    name = ""
    for line in reference.splitlines():
        if line.startswith("## "):
            name = line.removeprefix("## ")
            yield "command", name
        elif option := re.match(r"\| `([^`]+)`(?:, `([^`]+)`)* \|", line):
            yield from (("option", f"{name} {one.strip('[]. ')}") for one in option.groups() if one)


def targets(makefile: str) -> list[str]:
    """The targets that people type."""
    return [name for line in re.findall(r"^\.PHONY: (.+)$", makefile, re.MULTILINE) for name in line.split()]


def keys(script: str) -> set[str]:
    """The keys of the keyboard that the script of the page reads."""
    table = re.search(r"const KEYS = \{(.*?)\};", script, re.DOTALL)
    assert table is not None
    return {*re.findall(r"\bkey === \"([^\"]+)\"", script), *re.findall(r"\"?([\w?]+)\"?: \"", table[1])}


def open_api(checkout: Path) -> Iterator[Feature]:
    """The routes of the HTTP API, with the fields of questions and answers."""
    python = checkout / ".venv" / "bin" / "python"
    said = json.loads(subprocess.run([python, "-c", OPEN_API], check=True, capture_output=True, text=True).stdout)
    schemas = said["components"]["schemas"]
    for path, methods in said["paths"].items():
        for method, route in methods.items():
            name = f"{method.upper()} {path}"
            yield "route", name
            yield from (("field", f"{name} ?{one['name']}") for one in route.get("parameters", ()))
            for part, holder in (("question", route.get("requestBody")), ("answer", route["responses"].get("200"))):
                for content in (holder or {}).get("content", {}).values():
                    yield from (("field", f"{name} {part} {one}") for one in _fields(content["schema"], schemas))


def _fields(
    schema: dict[str, Any], schemas: dict[str, Any], before: str = "", within: tuple[str, ...] = ()
) -> set[str]:
    """The fields of a schema, and those of its fields."""
    found = set()
    if (name := schema.get("$ref", "").rpartition("/")[2]) and name not in within:
        found |= _fields(schemas[name], schemas, before, (*within, name))
    for field, inner in schema.get("properties", {}).items():
        found |= {before + field} | _fields(inner, schemas, f"{before}{field}.", within)
    inside = [schema.get("items"), schema.get("additionalProperties"), *schema.get("prefixItems", ())]
    for inner in (*inside, *schema.get("anyOf", ()), *schema.get("oneOf", ())):
        if isinstance(inner, dict):
            found |= _fields(inner, schemas, before, within)
    return found


def _all(folder: Path, pattern: str) -> set[str]:
    return {one for path in folder.rglob("*.py") for one in re.findall(pattern, path.read_text(encoding="utf-8"))}


def main() -> int:
    """Print what is gone, and how much there is of each kind."""
    if len(sys.argv) not in (2, 3):
        print(__doc__, file=sys.stderr)
        return 2
    old, new = Path(sys.argv[1]), Path(sys.argv[2]) if len(sys.argv) == 3 else HERE
    before, now = features(old), features(new)
    changes = (new / "CHANGELOG.md").read_text(encoding="utf-8")
    kinds = (Counter(kind for kind, _ in one) for one in (before, now, before - now))
    for kind, *counts in zip(*_columns(*kinds), strict=True):
        print("{:<18}{:>6} before {:>6} now {:>5} gone".format(kind, *counts))
    unnamed = 0
    for kind, name in sorted(before - now):
        named = f"`{name}`" in changes
        unnamed += not named
        print(f"gone: {kind} {name}" + (" (in the CHANGELOG)" if named else ""))
    return 1 if unnamed else 0


def _columns(*counts: Counter[str]) -> list[list[Any]]:
    kinds = sorted(counts[0] | counts[1])
    return [kinds, *([one[kind] for kind in kinds] for one in counts)]


if __name__ == "__main__":
    sys.exit(main())
