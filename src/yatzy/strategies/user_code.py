"""Code that a user wrote: how many arguments it takes, what it raised, and whether it has changed."""

from __future__ import annotations

import hashlib
import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from yatzy.errors import InputError
from yatzy.names import parse_strategy
from yatzy.store.kept import digest

if TYPE_CHECKING:
    from yatzy.strategies.base import Strategy

_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
"""Part of the default `repr` of an object; it differs from run to run."""
_DEEPEST = 8
"""Nested values are described to this depth."""


def count_arguments(call: Callable[..., Any]) -> int:
    """The number of positional arguments that a callable takes."""
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    try:
        return sum(parameter.kind in kinds for parameter in inspect.signature(call).parameters.values())
    except (TypeError, ValueError):
        return 0


def error_text(error: BaseException) -> str:
    """An exception as one line."""
    return " ".join(f"{type(error).__name__}: {error}".split())


def code_digest(call: Callable[..., Any]) -> str:
    """A digest of a function: its bytecode, constants, defaults and closure, and the global values it names.

    Functions that it names are included if they are in the same module.
    """
    return digest(_describe(call, _python(call).__module__, [], 0), 8)


def strategy_code(strategy: Strategy) -> str:
    """A digest of the code of a strategy that is not part of this package: its own, or that of its source file."""
    if strategy.code:
        return strategy.code
    try:
        file = parse_strategy(strategy.name).file or ""
    except InputError:  # a strategy defined by a calling program may have any name
        file = ""
    if not file or not Path(file).is_file():
        if type(strategy).__module__.partition(".")[0] == "yatzy":
            return ""
        try:
            file = inspect.getfile(type(strategy))
        except (TypeError, OSError):  # no source file, for example in an interactive session
            return ""
    with Path(file).open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def _python(call: Any) -> Any:
    """The Python function of a function that Numba compiles; anything else as it is."""
    return getattr(call, "py_func", call)


def _describe(value: Any, module: str, seen: list[Any], depth: int) -> object:
    """A value that JSON can hold, the same in every run."""
    value = _python(value)
    if depth > _DEEPEST:
        return type(value).__qualname__
    if any(value is one for one in seen):
        return "again"

    def inner(part: Any) -> object:
        return _describe(part, module, seen, depth + 1)

    match value:
        case None | bool() | int() | float() | str():
            return [type(value).__name__, repr(value)]
        case FunctionType():
            name = f"{value.__module__}.{value.__qualname__}"
            if value.__module__ != module:
                return name
            seen.append(value)
            code = value.__code__
            cells = [cell.cell_contents for cell in value.__closure__ or ()]
            names = sorted({name for part in _codes(code) for name in part.co_names})
            known = {name: inner(value.__globals__[name]) for name in names if name in value.__globals__}
            return [[_code(part, inner) for part in _codes(code)], inner(value.__defaults__), inner(cells), known]
        case MethodType():
            return [inner(value.__func__), inner(value.__self__)]
        case ModuleType() | type():
            return value.__name__
        case tuple() | list():
            return [inner(part) for part in value]
        case set() | frozenset():
            return sorted(repr(inner(part)) for part in value)
        case Mapping():
            return sorted([repr(inner(key)), repr(inner(part))] for key, part in value.items())
        case np.ndarray():
            return [value.dtype.str, list(value.shape), digest(value.tobytes().hex())]
    kind = type(value)
    if kind.__module__ != module or not hasattr(value, "__dict__"):
        return [kind.__qualname__, _ADDRESS.sub("", repr(value))]
    seen.append(value)
    return [kind.__qualname__, inner(vars(value)), inner(vars(kind).get("__call__"))]


def _codes(code: CodeType) -> Iterator[CodeType]:
    """A code object, and those of the functions and comprehensions inside it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _code(code: CodeType, inner: Callable[[Any], object]) -> object:
    constants = [inner(one) for one in code.co_consts if not isinstance(one, CodeType)]
    return [code.co_code.hex(), constants, code.co_names, code.co_varnames]
