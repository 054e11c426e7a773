"""Functions of ours that every request passes through."""

from __future__ import annotations

from collections.abc import Callable
from types import CodeType
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])
_codes = set[CodeType]()


def passes_requests_on(function: Function) -> Function:
    """Mark a function that calls whatever answers a request: an error that comes through it need not be its own."""
    _codes.add(function.__code__)
    return function


def is_passing(code: CodeType) -> bool:
    """Whether this is the code of such a function."""
    return code in _codes
