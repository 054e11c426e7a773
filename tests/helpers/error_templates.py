"""The templates of all errors and messages in the source, found by walking its syntax trees."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import yatzy

SOURCE = Path(yatzy.__file__).parent
KEYED = {"PageError", "Refused"}
"""Errors whose first argument is the key of a text in `report/texts`."""


@dataclass
class Templates:
    """What is given to errors and messages as their template."""

    literal: dict[str, set[str]] = field(default_factory=dict)
    """Each template with the named values that are given with it, in each place: `file:line a,b`."""
    other: list[str] = field(default_factory=list)
    """Calls whose template is not a literal, without their line numbers."""


@cache
def nodes_of(source: Path = SOURCE) -> dict[str, list[ast.AST]]:
    """The calls, assignments, raise statements and classes of each file. The walk takes seconds, so it is done once."""
    kinds = (ast.Call, ast.Assign, ast.Raise, ast.ClassDef)
    found = dict[str, list[ast.AST]]()
    for path in sorted(source.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        found[path.relative_to(source).as_posix()] = [node for node in ast.walk(tree) if isinstance(node, kinds)]
    return found


@cache
def error_templates(source: Path = SOURCE) -> Templates:
    files = nodes_of(source)
    errors = _error_classes([node for nodes in files.values() for node in nodes]) - KEYED
    found = Templates()
    for file, nodes in files.items():
        calls = _calls(nodes, errors)
        if file == "errors.py":  # without those inside of the base classes
            inside = {id(part) for one in nodes if isinstance(one, ast.ClassDef) for part in ast.walk(one)}
            calls = [call for call in calls if id(call) not in inside]
        for call in calls:
            _add(found, file, call)
    return found


def _error_classes(nodes: list[ast.AST]) -> set[str]:
    found = [node for node in nodes if isinstance(node, ast.ClassDef)]
    bases = [(node.name, {ast.unparse(base) for base in node.bases}) for node in found]
    classes, known = {"YatzyError"}, 0
    while known != len(classes):
        known = len(classes)
        classes |= {name for name, of in bases if of & classes}
    return classes


def _calls(nodes: list[ast.AST], errors: set[str]) -> list[ast.Call]:
    """Calls that make an error or a message: by name, by a variable (`raise kind(…)`), or of the base class."""
    found = dict[int, ast.Call]()
    for node in nodes:
        if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in errors | {"Message"}:
            found[id(node)] = node
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            made = node.exc.func
            if isinstance(made, ast.Call) or (isinstance(made, ast.Name) and made.id in {"error", "kind"}):
                found[id(node.exc)] = node.exc
        if isinstance(node, ast.ClassDef) and node.name in errors:
            for part in ast.walk(node):
                if isinstance(part, ast.Call) and ast.unparse(part.func) == "super().__init__":
                    found[id(part)] = part
    return list(found.values())


def _add(found: Templates, file: str, call: ast.Call) -> None:
    if not call.args:
        return
    first = call.args[0]
    if isinstance(first, ast.Constant) and isinstance(first.value, str):
        values = ",".join(sorted(value.arg or "**" for value in call.keywords))
        found.literal.setdefault(first.value, set()).add(f"{file}:{call.lineno} {values}")
    else:
        found.other.append(f"{file} {ast.unparse(call.func)}({ast.unparse(first)})")
