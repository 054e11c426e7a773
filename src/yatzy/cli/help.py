"""The help of commands, as plain text that fits any width.

Typer's own help has six columns, which do not fit 40 or 60 characters, and shows types and ranges that mean little to
people: `<bool>`, `x<=18446744073709551615`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from textwrap import wrap
from typing import Any

from yatzy.cli.streams import terminal_width

WIDEST = 100
SIDE_BY_SIDE = 72
"""From this width on, names and explanations stand side by side."""
LONGEST_NAME = 24
_VALUES = {"int": "N", "integer": "N", "float": "X", "Path": "FILE", "path": "FILE"}
"""What stands for a value, by the beginning of the name of its type."""

Example = tuple[str, str]
"""A command line, and what it does."""


def help_text(command: Any, ctx: Any, examples: Sequence[Example] = ()) -> str:
    """The help of a command or a group of commands."""
    width = min(max(terminal_width(), 20), WIDEST)
    parameters = [one for one in command.get_params(ctx) if not getattr(one, "hidden", False)]
    kinds = {"Arguments": "argument", "Options": "option"}
    lists = {title: [_row(one) for one in parameters if one.param_type_name == kind] for title, kind in kinds.items()}
    found = ((name, command.get_command(ctx, name)) for name in getattr(command, "commands", ()))
    lists["Commands"] = [(name, _first_paragraph(one.help or "")) for name, one in found]
    lists["Examples"] = [*examples]
    lines = [f"Usage: {' '.join([ctx.command_path, *command.collect_usage_pieces(ctx)])}"]
    for paragraph in (command.help or "").split("\n\n"):
        lines += ["", " ".join(paragraph.split())]
    text = [part for line in lines for part in wrap(line, width, break_on_hyphens=False) or [""]]
    for title, rows in lists.items():
        if rows:
            text += ["", f"{title}:", *_list_lines(rows, width)]
    return "\n".join(text)


def _row(parameter: Any) -> tuple[str, str]:
    """An option or argument with its value, and what it is for."""
    said = parameter.help or ""
    default = parameter.default
    if isinstance(default, Enum):
        default = default.value
    if default not in (None, False, True, "", (), []) and not callable(default) and "default:" not in said:
        said = f"{said.removesuffix('.')} (default: {default})."
    if parameter.param_type_name == "argument":
        return parameter.metavar or parameter.name.upper(), said
    opts = sorted(parameter.opts, key=len)  # the names of --help come from a set
    names = " / ".join(filter(None, (", ".join(opts), ", ".join(parameter.secondary_opts))))
    return (names if parameter.is_flag else f"{names} {parameter.metavar or _value(parameter)}"), said


def _value(parameter: Any) -> str:
    """What stands for the value of an option without a name for it."""
    descriptor = getattr(parameter, "type_descriptor", None)  # releases of Typer before 0.29 have `type` instead
    kind = getattr(descriptor, "annotation", None)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return "|".join(str(one.value) for one in kind)
    name = getattr(kind, "__name__", None) or getattr(getattr(parameter, "type", None), "name", None) or ""
    return next((value for start, value in _VALUES.items() if name.startswith(start)), "TEXT")


def _first_paragraph(text: str) -> str:
    return " ".join(text.split("\n\n")[0].split())


def _list_lines(rows: Iterable[tuple[str, str]], width: int) -> Iterator[str]:
    """Names with explanations: side by side, or on a narrow screen one below the other."""
    rows = list(rows)
    wide = width >= SIDE_BY_SIDE
    room = max((len(name) for name, _ in rows if len(name) <= LONGEST_NAME), default=0) + 4 if wide else 6
    for name, said in rows:
        said_lines = wrap(said, width - room, break_on_hyphens=False)
        if wide and said_lines and len(name) <= LONGEST_NAME:
            yield f"  {name:<{room - 2}}{said_lines.pop(0)}"
        else:
            yield from wrap(name, width, initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False)
        yield from (" " * room + line for line in said_lines)
