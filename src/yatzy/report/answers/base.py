"""The base class of answers, and how an answer is written as JSON."""

from __future__ import annotations

import ast
import inspect
import json
import textwrap
from dataclasses import dataclass, field, fields
from enum import Enum
from functools import cache
from typing import Any, ClassVar, dataclass_transform

LEFT_OUT = "left out"


def left_out() -> Any:
    """The default of a field that is absent from the JSON object when it is None. Other fields are written as null."""
    return field(default=None, metadata={LEFT_OUT: True})


def describe(schema: dict[str, Any], kind: type) -> None:
    """Add the docstrings of the fields to the JSON schema of an answer, those of its base classes as well."""
    for one in kind.__mro__:
        for name, text in _docstrings(one).items():
            if name in schema.get("properties", {}):
                schema["properties"][name].setdefault("description", text)


@dataclass_transform(frozen_default=True, kw_only_default=True)
class Answer:
    """Base class of all answers. Every subclass becomes a dataclass whose fields are given by name.

    Type checkers treat its fields as read-only. They are not frozen at run time, which would make advice 20 % slower.
    """

    __pydantic_config__: ClassVar[dict[str, Any]] = {"json_schema_extra": describe}

    def __init_subclass__(cls) -> None:
        dataclass(kw_only=True)(cls)


def json_text(answer: object, *, ascii_only: bool = False, compact: bool = False) -> str:
    """An answer as JSON, or any mapping or list with answers and results in it."""
    return json.dumps(
        answer,
        ensure_ascii=ascii_only,
        allow_nan=False,
        check_circular=False,  # answers are trees
        separators=(",", ":") if compact else None,
        default=_plain,
    )


def _plain(value: Any) -> object:
    """What `json` can write in place of an enumeration or a dataclass."""
    if isinstance(value, Enum):
        return value.value
    kind: Any = type(value)
    names, optional = _names(kind)
    if not isinstance(value, Answer):
        return {name: getattr(value, name) for name in names}
    found = value.__dict__  # in the order of the fields
    for name in optional:
        if found[name] is None:
            found = {**found}
            del found[name]
    return found


@cache
def _names(kind: type[Any]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The fields of a dataclass, and those that may be left out."""
    known = fields(kind)
    return tuple(one.name for one in known), tuple(one.name for one in known if LEFT_OUT in one.metadata)


def _docstrings(kind: type) -> dict[str, str]:
    """The docstrings below the fields of a class."""
    if not issubclass(kind, Answer) or kind is Answer:
        return {}
    body = ast.parse(textwrap.dedent(inspect.getsource(kind))).body[0]
    assert isinstance(body, ast.ClassDef)
    return {
        one.target.id: inspect.cleandoc(below.value.value)
        for one, below in zip(body.body, body.body[1:], strict=False)
        if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name)
        if isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant) and isinstance(below.value.value, str)
    }
