"""Marks the functions of this package that forward every request."""

from __future__ import annotations

from collections.abc import Callable
from types import CodeType
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])
_codes = set[CodeType]()


def passes_requests_on(function: Function) -> Function:
    """Mark a function that forwards requests: an error in its traceback may come from the code it calls."""
    _codes.add(function.__code__)
    return function


def is_passing(code: CodeType) -> bool:
    """Whether this is the code of a marked function."""
    return code in _codes
