"""The printed figures of a publication as data: `printed/NAME.toml`, with a table for each claim.

["tillius.winner"]                   the key of the claim
where = "four players"               its place in the publication, or its subject
says = "The winner's score when four play by …, in 100,000 games."
sample = 100_000                     the number of games in which the figures were measured; left out if they were not
["tillius.winner".figures]
median = "289"                       a figure as it is printed
mean = { text = "287", about = 2 }   the same where the publication says "about"
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from yatzy import InputError
from yatzy_papers.claims import Printed


class Passage(NamedTuple):
    """A table, a figure or a sentence of a publication: the first four fields of a `Claim`."""

    key: str
    where: str
    says: str
    figures: tuple[Printed, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the figures."""
        return tuple(one.name for one in self.figures)

    @property
    def sample(self) -> int:
        """The number of games in which the figures were measured."""
        return self.figures[0].sample

    def figure(self, name: str) -> Printed:
        """A figure by name."""
        return next(one for one in self.figures if one.name == name)


@cache
def read_passages(work: str) -> Mapping[str, Passage]:
    """The passages of a publication, by the key of the claim."""
    text = (files("yatzy_papers") / "printed" / f"{work}.toml").read_text(encoding="utf-8")
    return {key: _passage(key, dict(fields)) for key, fields in tomllib.loads(text).items()}


def _passage(key: str, fields: dict[str, Any]) -> Passage:
    where, says, sample = fields.pop("where"), fields.pop("says"), fields.pop("sample", 0)
    figures = tuple(_printed(name, entry, sample) for name, entry in fields.pop("figures").items())
    if fields:
        raise InputError(f"{key}: unknown keys {', '.join(fields)}")
    return Passage(key, where, says, figures)


def _printed(name: str, entry: str | dict[str, Any], sample: int) -> Printed:
    if isinstance(entry, str):
        return Printed(name, entry, sample)
    return Printed(name, entry["text"], sample, entry["about"])
