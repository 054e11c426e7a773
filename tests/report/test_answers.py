"""Answers are written as their fields say, and described with the docstrings of these fields."""

from __future__ import annotations

import dataclasses
import importlib
import json
import pkgutil
from dataclasses import dataclass
from enum import Enum
from typing import Any

import pytest
from pydantic import TypeAdapter

from yatzy.report import answers
from yatzy.report.answers.base import Answer, json_text, left_out


class Colour(Enum):
    RED = "red"


@dataclass(frozen=True, slots=True)
class Result:
    """A result of the library, used as it is."""

    value: float
    note: str | None = None


class Small(Answer):
    """A small answer."""

    name: str
    """What it is called."""
    size: int | None
    keep: tuple[int, ...] | None = left_out()
    """Only sometimes."""


class Large(Small):
    """A larger one."""

    colour: Colour
    parts: dict[str, Small]
    result: Result
    """What came out."""


def subclasses(kind: type) -> list[type]:
    children: list[type] = kind.__subclasses__()
    return [*children, *(one for child in children for one in subclasses(child))]


def test_json_has_the_fields_in_their_order() -> None:
    small = Small(name="å", size=None)
    assert json_text(small) == '{"name": "å", "size": null}'
    assert json_text(small, ascii_only=True) == '{"name": "\\u00e5", "size": null}'
    kept = Small(name="b", size=2, keep=(3, 3))
    assert json_text(kept, compact=True) == '{"name":"b","size":2,"keep":[3,3]}'
    large = Large(name="c", size=1, colour=Colour.RED, parts={"x": small}, result=Result(0.5))
    assert json.loads(json_text({"answers": [large]})) == {
        "answers": [
            {
                "name": "c",
                "size": 1,
                "colour": "red",
                "parts": {"x": {"name": "å", "size": None}},
                "result": {"value": 0.5, "note": None},
            }
        ]
    }
    assert small.keep is None  # writing changes nothing
    for wrong in (object(), float("nan")):
        with pytest.raises((TypeError, ValueError)):
            json_text({"wrong": wrong})


def test_a_field_that_is_missing_is_noticed() -> None:
    with pytest.raises(TypeError, match="size"):
        Small(name="a")  # type: ignore[call-arg]


def test_descriptions_come_from_docstrings_also_of_base_classes() -> None:
    found = TypeAdapter(Large).json_schema(mode="serialization")
    described = {name: part.get("description") for name, part in found["properties"].items()}
    assert described["name"] == "What it is called."
    assert described["keep"] == "Only sometimes."
    assert described["result"] == "What came out."
    assert described["size"] is None
    assert found["description"] == "A larger one."
    assert set(found["required"]) == {"name", "size", "colour", "parts", "result"}


def test_every_answer_has_a_schema_and_says_what_it_is() -> None:
    for module in pkgutil.iter_modules(answers.__path__):
        importlib.import_module(f"{answers.__name__}.{module.name}")
    kinds = [kind for kind in subclasses(Answer) if kind.__module__.startswith(answers.__name__)]
    assert len(kinds) > 25
    for kind in kinds:
        assert dataclasses.is_dataclass(kind)
        schema: dict[str, Any] = TypeAdapter(kind).json_schema(mode="serialization")
        assert schema["description"] == kind.__doc__
        assert list(schema["properties"]) == [one.name for one in dataclasses.fields(kind)]
        for name, part in schema["properties"].items():
            assert part.get("additionalProperties") is not True, f"{kind.__name__}.{name} says nothing of its values"
