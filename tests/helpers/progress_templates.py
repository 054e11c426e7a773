"""What is given to progress displays and notes in the source, found by walking its syntax trees."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from helpers.error_templates import SOURCE, nodes_of


def progress_texts(source: Path = SOURCE) -> Iterator[tuple[str, ast.expr]]:
    """Each text for a reader, with its file; also what is assigned to `what`, the usual name of a title of progress."""
    for file, call in _calls(source):
        name, arguments = _name(call), call.args
        if _opens(call) or (name == "terminal.note" and arguments):
            yield file, arguments[0]
        elif name == "tell" and len(arguments) == 2 and ast.unparse(arguments[0]).endswith("report"):
            yield file, arguments[1]
        elif name.rpartition(".")[2] in {"report", "_report"} and len(arguments) == 1:
            yield file, arguments[0]
    for file, node in _nodes(source):
        if isinstance(node, ast.Assign) and _is_what(node.targets[0]) and _is_text(node.value):
            yield file, node.value


def verbs(source: Path = SOURCE) -> set[str]:
    """The verbs of all progress displays."""
    given = (call.args[1] for _, call in _calls(source) if _opens(call) and len(call.args) == 2)
    return {str(one.value) for one in given if isinstance(one, ast.Constant)}


def _nodes(source: Path) -> Iterator[tuple[str, ast.AST]]:
    return ((file, node) for file, nodes in nodes_of(source).items() for node in nodes)


def _calls(source: Path) -> Iterator[tuple[str, ast.Call]]:
    return ((file, node) for file, node in _nodes(source) if isinstance(node, ast.Call))


def _is_what(target: ast.expr) -> bool:
    return isinstance(target, ast.Name) and target.id == "what"


def _is_text(said: ast.expr) -> bool:
    return isinstance(said, ast.JoinedStr | ast.Constant)


def _name(call: ast.Call) -> str:
    """The name of the function; that of what a method belongs to only if it is a name too."""
    function = call.func
    if isinstance(function, ast.Attribute):
        return f"{function.value.id if isinstance(function.value, ast.Name) else '…'}.{function.attr}"
    return function.id if isinstance(function, ast.Name) else ""


def _opens(call: ast.Call) -> bool:
    """Whether a call opens a progress display, and does not update one with two numbers."""
    place, _, name = _name(call).rpartition(".")
    if not call.args or name not in {"watch", "progress", "_watcher"}:
        return False
    verb = call.args[1] if len(call.args) == 2 else None
    said = isinstance(verb, ast.Constant) and isinstance(verb.value, str)
    return said or (name == "watch" and (bool(place) or len(call.args) == 1))
