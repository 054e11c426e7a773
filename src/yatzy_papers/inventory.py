"""The inventory: what each publication prints, as far as we know, and what became of it here.

`inventories/NAME.toml` has a list `entry` for each work:

[[entry]]
what = "the score of the winner of four"   what is printed there
kind = "figures"                           figures, drawing, game, rule, formula or wish
where = "table 4"                          its table, figure or section; left out if that is not at hand
page = "17"                                left out if it is not at hand
status = "claim"                           see `Status`
claim = "tillius.winner"                   the key of the claim that checks or quotes it
drawing = "tillius-graph-points"           the key of the drawing that shows it again
prints = ["375"]                           the figures, if no claim has them
why = "…"                                  why it is not checked

A test compares the inventory with the claims and drawings: it fails if a claim has no entry, or if the claim or drawing
of an entry does not exist.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache
from importlib.resources import files
from typing import Any

from yatzy import InputError
from yatzy_papers.claims import Work

NOT_AT_HAND = "page not at hand"
KINDS = ("figures", "drawing", "game", "rule", "formula", "wish")


class Status(Enum):
    """What became of a printed thing."""

    CLAIM = "claim"
    """Computed here and compared."""
    DRAWN = "drawn"
    """Drawn again."""
    RULE = "rule or constant"
    """A definition, which there is nothing to compare with."""
    TIME = "machine's time"
    """The time of another program on another machine."""
    UNCHECKABLE = "not checkable"
    """It cannot be computed; the entry says why."""
    NOT_AT_HAND = "not at hand"
    """It is in print, but we do not know its content well enough; the entry says what is missing."""


REASONED = (Status.UNCHECKABLE, Status.NOT_AT_HAND)
"""An entry with one of these says why."""


@dataclass(frozen=True, slots=True)
class Entry:
    """Something that a publication prints."""

    what: str
    kind: str
    status: Status
    where: str = ""
    page: str = ""
    claim: str = ""
    drawing: str = ""
    prints: tuple[str, ...] = ()
    why: str = ""

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise InputError(f"{self.what}: the kind is one of {', '.join(KINDS)}, not {self.kind!r}")
        if (self.status in REASONED and not self.claim) != bool(self.why):
            raise InputError(f"{self.what}: say why, if and only if it is not checked and no claim says it")
        if self.status is Status.CLAIM and not self.claim:
            raise InputError(f"{self.what}: a claim has a key")
        if (self.status is Status.DRAWN) != bool(self.drawing):
            raise InputError(f"{self.what}: name the drawing, if and only if it is drawn")
        if self.claim and self.prints:
            raise InputError(f"{self.what}: its figures are those of the claim")

    @property
    def place(self) -> str:
        """Its place in the publication, as far as it is known."""
        page = f"page {self.page}" if self.page else NOT_AT_HAND
        return f"{self.where}, {page}" if self.where else page


@dataclass(frozen=True)
class Inventory:
    """What a work prints."""

    work: Work
    entries: tuple[Entry, ...]

    def figures(self, entry: Entry) -> int:
        """The number of its figures; a drawing, a game, a rule or a wish without figures counts as one."""
        if entry.claim:
            return len(next(claim for claim in self.work.claims if claim.key == entry.claim).printed)
        return len(entry.prints) or 1

    def count(self, status: Status) -> int:
        """The number of figures with this status."""
        return sum(self.figures(entry) for entry in self.entries if entry.status is status)

    @property
    def total(self) -> int:
        """The number of all figures."""
        return sum(map(self.figures, self.entries))


def read_inventory(work: Work) -> Inventory:
    """The inventory of a work; without entries if it has no file."""
    return Inventory(work, _read_entries(work.id))


def read_inventories(works: Sequence[Work]) -> list[Inventory]:
    """The inventories of all works that have claims."""
    return [read_inventory(work) for work in works if work.claims]


@cache
def _read_entries(work: str) -> tuple[Entry, ...]:
    file = files("yatzy_papers") / "inventories" / f"{work}.toml"
    if not file.is_file():
        return ()
    return tuple(_entry(fields) for fields in tomllib.loads(file.read_text(encoding="utf-8"))["entry"])


def _entry(fields: Mapping[str, Any]) -> Entry:
    known = dict(fields)
    try:
        status = Status(known.pop("status"))
        return Entry(status=status, prints=tuple(known.pop("prints", ())), **known)
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(f"{fields.get('what', 'an entry of the inventory')}: {error}") from None
