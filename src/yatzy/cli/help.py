"""The help of commands, as plain text that fits any width.

Typer's own help has six columns, which do not fit 40 or 60 characters, and shows types and ranges that mean little to
people: `<bool>`, `x<=18446744073709551615`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import Enum
from textwrap import wrap
from typing import Any

from yatzy.cli.language import ENGLISH, current_language
from yatzy.cli.streams import terminal_width

WIDEST = 100
SIDE_BY_SIDE = 72
"""From this width on, names and explanations stand side by side."""
LONGEST_NAME = 24
_VALUES = {"int": "N", "integer": "N", "float": "X", "Path": "FILE", "path": "FILE"}
"""What stands for a value, by the beginning of the name of its type."""

Example = tuple[str, str]
"""A command line, and what it does."""
Say = Callable[[str], str]
"""An English text in the language of the command."""


def help_text(command: Any, ctx: Any, examples: Sequence[Example] = ()) -> str:
    """The help of a command or a group of commands, in the language of the command line."""
    say = _translator(current_language())
    width = min(max(terminal_width(), 20), WIDEST)
    parameters = [one for one in command.get_params(ctx) if not getattr(one, "hidden", False)]
    kinds = {"Arguments": "argument", "Options": "option"}
    lists = {
        title: [_row(one, say) for one in parameters if one.param_type_name == kind] for title, kind in kinds.items()
    }
    found = ((name, command.get_command(ctx, name)) for name in getattr(command, "commands", ()))
    lists["Commands"] = [(name, say(paragraphs(one.help)[0])) for name, one in found]
    lists["Examples"] = [(line, say(what)) for line, what in examples]
    lines = [" ".join([f"{say('Usage')}:", ctx.command_path, *_usage(command, parameters, say)])]
    for paragraph in paragraphs(command.help):
        lines += ["", say(paragraph)]
    text = [part for line in lines for part in wrap(line, width, break_on_hyphens=False) or [""]]
    for title, rows in lists.items():
        if rows:
            text += ["", f"{say(title)}:", *_list_lines(rows, width)]
    return "\n".join(text)


def _usage(command: Any, parameters: Sequence[Any], say: Say) -> Iterator[str]:
    """What follows the command: arguments by their names, in brackets if they may be missing."""
    yield say(command.options_metavar)
    for one in parameters:
        if one.param_type_name == "argument":
            name = _argument(one)
            yield name if one.required or name.startswith("[") else f"[{name}]"
    if hasattr(command, "subcommand_metavar"):
        yield say(command.subcommand_metavar)


def _argument(parameter: Any) -> str:
    return str(parameter.metavar or parameter.name.upper())


def paragraphs(text: str | None) -> list[str]:
    """The paragraphs of the help of a command, each in one line."""
    return [" ".join(paragraph.split()) for paragraph in (text or "").split("\n\n")]


def _translator(language: str) -> Say:
    if language == ENGLISH:
        return str
    from yatzy.report.help import help_texts  # texts are read only where they are needed

    return help_texts(language).translate


def _row(parameter: Any, say: Say) -> tuple[str, str]:
    """An option or argument with its value, and what it is for."""
    english = parameter.help or ""
    said = say(english)
    default = parameter.default
    if isinstance(default, Enum):
        default = default.value
    shown = not (default is None or isinstance(default, bool) or default in ("", (), []) or callable(default))
    if shown and "default:" not in english:
        said = f"{said.removesuffix('.')} ({say('default')}: {default})."
    if parameter.param_type_name == "argument":
        return _argument(parameter), said
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
