"""The references that docs/make.py writes: every command with its options, and every public name with its members."""

from __future__ import annotations

import ast
import importlib
import inspect
import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass, is_dataclass
from enum import Enum
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any

import typer.main

from yatzy.cli.app import app
from yatzy.cli.loading import CommandGroup, walk

BLANK = "<!-- made by docs/make.py -->"


def commands() -> str:
    """Every command with its options, as the command line knows them."""
    root = typer.main.get_command(app)
    assert isinstance(root, CommandGroup)
    lines = [BLANK, "# Commands", "", str(root.help), ""]
    lines += [
        "With `--json`, a command prints one JSON object on standard output and nothing else there; progress goes to",
        "standard error. All commands take it except `play` and `serve`;",
        "`quiz` needs `--answers` or `--results` with it. Every error is one line on standard error.",
        "The exit code is 2 for wrong input and for a missing table (the error names the command that makes it),",
        "130 after Ctrl-C, and 1 for other errors, such as a damaged table.",
        "",
        "`--language sv` and `--language de` choose Swedish and German for output, errors and help. The option may",
        "stand before the command too: `yatzy --language sv`, `yatzy advise --help --language de`. Without it, the",
        "environment variable `YATZY_LANGUAGE` decides. What you type, and the answers of `--json`, are the same in",
        "every language.",
    ]
    for words, command in walk(root):
        lines += ["", f"## {' '.join(('yatzy', *words))}", "", " ".join(str(command.help).split()), ""]
        lines += ["| | |", "|---|---|", *(_parameter(parameter) for parameter in command.params)]
    return "\n".join(lines) + "\n"


def _parameter(parameter: Any) -> str:
    if parameter.param_type_name == "argument":
        name = parameter.metavar or parameter.name.upper()
    else:
        name = " ".join(parameter.opts)
    return f"| `{name}` | {parameter.help or ''} |"


MODULES = ("yatzy", "yatzy.plot", "yatzy.sharing")
"""The modules whose names are public."""


MADE = ("Keep", "Player", "Record", "Score", "Solver", "Turn")
"""Classes that people make by calling them; the other ones are results, or have methods that make them."""


@dataclass(frozen=True)
class Member:
    """A public field, property or method of a public class."""

    call: str
    """Its name, with the parameters of a method."""
    text: str


def public_names() -> Iterator[tuple[str, Any, ModuleType]]:
    """Every public name with its value and the module that offers it."""
    for module in map(importlib.import_module, MODULES):
        for name in module.__all__:
            yield f"{module.__name__}.{name}", getattr(module, name), module


def api() -> str:
    """Every public name with its signature and description, and the public members of classes."""
    lines = [BLANK, "# Python interface", ""]
    modules = " and ".join([", ".join(f"`{name}`" for name in MODULES[:-1]), f"`{MODULES[-1]}`"])
    lines += [
        f"Every public name of {modules}, with all members. Other",
        "modules have more names (`from yatzy.lab import play_table`); see [architecture.md](architecture.md).",
    ]
    for module in map(importlib.import_module, MODULES):
        lines += ["", f"## {module.__name__}", "", *_description(inspect.getdoc(module) or "")]
        for name, value, home in public_names():
            if home is module:
                lines += _entry(name, value, module)
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).rstrip() + "\n"


def _entry(name: str, value: Any, module: ModuleType) -> list[str]:
    lines = ["", f"### `{name}`", ""]
    short = name.rpartition(".")[2]
    if inspect.isclass(value):
        if short in MADE:
            lines += [f"    {short}{_signature(value.__init__)}", ""]
        lines += _description(inspect.getdoc(value) or "")
        bases = [f"[`yatzy.{base}`](#yatzy{base.lower()})" for base in _public_bases(value)]
        lines += ["", f"Has the members of {' and '.join(bases)} too."] if bases else []
        rows = [f"| `{one.call}` | {one.text} |" for one in members(value)]
        return [*lines, *(["", "| member | |", "|---|---|", *rows] if rows else [])]
    if inspect.isfunction(value):
        return [*lines, f"    {short}{_signature(value)}", "", *_description(inspect.getdoc(value) or "")]
    return [*lines, *_description(_comment_of(short, module))]


def members(value: type) -> list[Member]:
    """The public members of a class, those of bases that are not public themselves included."""
    found: dict[str, Member] = {}
    for base in _own_bases(value):
        for name, text in _fields(base).items():
            found.setdefault(name, Member(name, text))
        for name, one in vars(base).items():
            if not name.startswith("_") and _is_member(one) and not (is_dataclass(base) and name in _fields(base)):
                call = f"{name}{_signature(_function(one))}"
                text = _first_line(one) or _first_line(_overridden(value, name))
                found.setdefault(name, Member(call, text))
    return list(found.values())


def _own_bases(value: type) -> Iterator[type]:
    """The class and its bases in this project, up to those that are public names."""
    public = {id(one) for _, one, _ in public_names() if inspect.isclass(one)}
    for base in value.__mro__:
        if base is not value and id(base) in public:
            return
        if base.__module__.startswith("yatzy"):
            yield base


def _public_bases(value: type) -> list[str]:
    names = {id(one): name.rpartition(".")[2] for name, one, _ in public_names() if inspect.isclass(one)}
    return [names[id(base)] for base in value.__mro__[1:] if id(base) in names and members(base)]


def _overridden(value: type, name: str) -> Any:
    """The next definition of a member, whose description holds for one without any."""
    found = [vars(base)[name] for base in value.__mro__ if name in vars(base)]
    return next((one for one in found if inspect.getdoc(_function(one))), None)


def _fields(value: type) -> dict[str, str]:
    """The fields of a dataclass, or the members of an enumeration, with the text below each."""
    if not is_dataclass(value) and not issubclass(value, Enum):
        return {}
    (body,) = ast.parse(inspect.getsource(value)).body
    assert isinstance(body, ast.ClassDef)
    found = dict[str, str]()
    for statement, after in itertools.zip_longest(body.body, body.body[1:]):
        targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
        if isinstance(statement, ast.Assign | ast.AnnAssign) and isinstance(targets[0], ast.Name):
            text = ""
            if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
                text = " ".join(str(after.value.value).split()).replace("|", "\\|")
            if not targets[0].id.startswith("_"):
                found[targets[0].id] = text
    return found


def _function(member: Any) -> Any:
    return member.__func__ if isinstance(member, classmethod | staticmethod) else member


def _is_member(member: Any) -> bool:
    return inspect.isfunction(member) or isinstance(member, property | cached_property | classmethod | staticmethod)


def _first_line(member: Any) -> str:
    if member is None:
        return ""
    return (inspect.getdoc(_function(member)) or "").partition("\n\n")[0].replace("\n", " ").replace("|", "\\|")


def _signature(function: Any) -> str:
    """The names of the parameters, with their defaults but without types, which are in the source."""
    if not inspect.isfunction(function):
        return ""
    plain = [
        one.replace(annotation=inspect.Parameter.empty)
        for one in inspect.signature(function).parameters.values()
        if one.name not in ("self", "cls")
    ]
    text = re.sub(r"<(\w+\.\w+): [^>]*>", r"\1", str(inspect.Signature(plain)))
    return text.replace("<factory>", "…").replace("|", "\\|")


def _description(text: str) -> list[str]:
    """A docstring as Markdown: what is indented is code, as in Markdown itself."""
    lines = list[str]()
    for line in text.splitlines():
        code = line.startswith("    ")
        if lines and lines[-1] and code != lines[-1].startswith("    "):
            lines.append("")
        lines.append(line)
    return lines


def _comment_of(name: str, module: ModuleType) -> str:
    """The text below the assignment of a name, in the module that defines it."""
    found = re.search(rf"from (\S+) import {name} as {name}\n", Path(str(module.__file__)).read_text(encoding="utf-8"))
    assert found is not None, name
    home = importlib.import_module(found[1])
    source = Path(str(home.__file__)).read_text(encoding="utf-8")
    again = re.search(rf"from (\S+) import {name} as {name}\n", source)
    if again is not None:
        source = Path(str(importlib.import_module(again[1]).__file__)).read_text(encoding="utf-8")
    body = ast.parse(source).body
    for before, after in itertools.pairwise(body):
        targets = before.targets if isinstance(before, ast.Assign) else [getattr(before, "target", None)]
        named = any(isinstance(one, ast.Name) and one.id == name for one in targets)
        if named and isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
            return inspect.cleandoc(str(after.value.value))
    return ""
