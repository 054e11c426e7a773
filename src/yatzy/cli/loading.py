"""Commands, found by the names of their modules and imported only when called.

A package of commands has one module per command: `commands/match/play_off.py` is `yatzy match play-off`. The module's
docstring is the help of the command, and its function `command` runs it. A subpackage is a group of commands; with a
function `command` of its own, the group can also be called without a subcommand. The tuple `ORDER` of a package is the
order of the commands in help; commands that it does not name come last. `EXAMPLES` are shown below them.

Help and completion list all commands, so their help is read from the files instead of importing the modules.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

import typer
import typer.main
from typer.core import TyperCommand, TyperGroup

from yatzy.cli.help import help_text
from yatzy.cli.language import ENGLISH, GroupLanguage, without_language

HELP_NAMES = {"help_option_names": ["-h", "--help"]}


class Command(TyperCommand):
    """A command that does not import Pydantic unless a number or a path is given."""

    def get_params(self, ctx: Any) -> list[Any]:
        """The options and arguments, with `--help`."""
        return [_convert_only_if_needed(one) for one in super().get_params(ctx)]

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help of the command."""
        formatter.write(help_text(self, ctx))

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the arguments. Help is shown in any language, also that of a command without `--language`."""
        if "language" not in {one.name for one in self.params} and {"-h", "--help"} & {*args}:
            args = without_language(args)
        rest: list[str] = super().parse_args(ctx, args)
        return rest


class CommandGroup(TyperGroup):
    """The commands of a package. Until a command is called, only its name and its help are known."""

    package: ClassVar[ModuleType]

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        for name, path in _find_commands(self.package).items():
            self.add_command(TyperCommand(name=name, help=_read_docstring(path)))

    def get_params(self, ctx: Any) -> list[Any]:
        """The options and arguments, with `--help`."""
        return [_convert_only_if_needed(one) for one in super().get_params(ctx)]

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help of the group, with its examples."""
        formatter.write(help_text(self, ctx, getattr(self.package, "EXAMPLES", ())))

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the arguments; without any but the language, show the help."""
        if not without_language(args) and self.no_args_is_help and not ctx.resilient_parsing:
            typer.echo(ctx.get_help())
            ctx.exit()
        rest: list[str] = super().parse_args(ctx, args)
        return rest

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Import and return the command that the arguments call."""
        name, command, rest = super().resolve_command(ctx, args)
        return name, command if name is None else self.load(name), rest

    def load(self, name: str) -> Any:
        """Import a command with its options."""
        module = import_module(f"{self.package.__name__}.{name.replace('-', '_')}")
        if hasattr(module, "__path__"):
            return typer.main.get_command(open_group(module, name))
        app = typer.Typer(add_completion=False, context_settings=HELP_NAMES)
        app.command(name, cls=Command, help=module.__doc__)(module.command)
        return typer.main.get_command(app)


def open_group(package: ModuleType, name: str, **settings: Any) -> typer.Typer:
    """A package of commands as a Typer application."""
    group = type("Group", (CommandGroup,), {"package": package})
    alone = getattr(package, "command", None)
    app = typer.Typer(
        name=name,
        cls=group,
        help=package.__doc__,
        no_args_is_help=alone is None,
        invoke_without_command=alone is not None,
        add_completion=False,
        context_settings=HELP_NAMES,
        **settings,
    )
    app.callback()(alone or _nothing)
    return app


def walk(group: CommandGroup, words: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Import every command, and yield it with the words that call it."""
    if group.invoke_without_command:
        yield words, group
    for name in group.commands:
        command = group.load(name)
        if isinstance(command, CommandGroup):
            yield from walk(command, (*words, name))
        else:
            yield (*words, name), command


def _convert_only_if_needed(parameter: Any) -> Any:
    """Let an option or argument skip Typer's conversion if it is not given, or if it is text and stays text.

    Typer 0.29 converts every value with Pydantic, and importing that takes more time than advice does. Releases of
    Typer without `type_descriptor` convert text too, which does no harm.
    """
    if "process_value" in vars(parameter):  # already done
        return parameter
    convert = parameter.process_value
    is_text = getattr(getattr(parameter, "type_descriptor", None), "annotation", None) is str
    missing = () if parameter.multiple or parameter.nargs == -1 else None

    def process_value(ctx: Any, value: Any) -> Any:
        if value is None and not parameter.required:
            value = missing
        elif not (is_text and isinstance(value, str) and value.isascii()):
            return convert(ctx, value)
        return value if parameter.callback is None else parameter.callback(ctx, parameter, value)

    parameter.process_value = process_value
    return parameter


def _nothing(language: GroupLanguage = ENGLISH) -> None:
    pass


def _find_commands(package: ModuleType) -> dict[str, Path]:
    """The file of each command, in the order of help."""
    found: dict[str, Path] = {}
    for path in sorted(path for folder in package.__path__ for path in Path(folder).iterdir()):
        source = path if path.suffix == ".py" else path / "__init__.py"
        if path.name != "__init__.py" and source.exists():
            found[path.stem.replace("_", "-")] = source
    names = [*package.ORDER, *(name for name in found if name not in package.ORDER)]
    return {name: found[name] for name in names}


def _read_docstring(path: Path) -> str:
    return inspect.cleandoc(path.read_text(encoding="utf-8").split('"""', 2)[1])
