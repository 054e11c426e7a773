"""The inventory: every claim and every drawing of a printed figure has an entry, and entries name only what exists."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import yatzy_papers
from yatzy import InputError
from yatzy.report.document import to_markdown
from yatzy_papers.inventory import Entry, Inventory, Status, _entry, read_inventories, read_inventory
from yatzy_papers.report import inventory_blocks, inventory_table
from yatzy_papers.works import all_works

WORKS = all_works()
INVENTORIES = read_inventories(list(WORKS.values()))


def problems(inventory: Inventory) -> list[str]:
    """What is wrong with an inventory."""
    work, found = inventory.work, list[str]()
    claims, drawings = {one.key: one for one in work.claims}, {one.key: one for one in work.drawings}
    listed = [entry.claim for entry in inventory.entries if entry.claim]
    drawn = [entry.drawing for entry in inventory.entries if entry.drawing]
    found += [f"no entry for claim {key}" for key in claims if key not in listed]
    found += [f"no entry for drawing {key}" for key, one in drawings.items() if one.where and key not in drawn]
    found += [f"{key} has two entries" for key in {*listed, *drawn} if (listed + drawn).count(key) > 1]
    found += [f"there is no claim {key}" for key in listed if key not in claims]
    found += [f"there is no drawing {key}" for key in drawn if key not in drawings]
    for entry in inventory.entries:
        claim = claims.get(entry.claim)
        if claim is not None and bool(claim.unchecked) == (entry.status is Status.CLAIM):
            found.append(f"{claim.key} is {entry.status.value}")
    whats = [(entry.what, entry.where) for entry in inventory.entries]
    return found + [f"{what} is listed twice" for what in set(whats) if whats.count(what) > 1]


def test_every_publication_has_an_inventory() -> None:
    assert [one.work.id for one in INVENTORIES if one.entries] == [id for id, work in WORKS.items() if work.claims]


@pytest.mark.parametrize("inventory", INVENTORIES, ids=lambda one: one.work.id)
def test_everything_has_an_entry(inventory: Inventory) -> None:
    assert problems(inventory) == []


def test_files_are_those_of_the_works() -> None:
    files = (Path(yatzy_papers.__file__).parent / "inventories").glob("*.toml")
    assert {path.stem for path in files} == {one.work.id for one in INVENTORIES}


def test_a_claim_without_an_entry_is_found() -> None:
    inventory = read_inventory(WORKS["molinder"])
    less = replace(inventory, entries=tuple(one for one in inventory.entries if one.claim != "molinder.wins"))
    assert problems(less) == ["no entry for claim molinder.wins"]
    twice = replace(inventory, entries=(*inventory.entries, Entry("it", "figures", Status.CLAIM, claim="nothing")))
    assert problems(twice) == ["there is no claim nothing"]
    time = replace(inventory, entries=tuple(
        replace(one, status=Status.TIME) if one.claim == "molinder.wins" else one for one in inventory.entries
    ))  # fmt: skip
    assert problems(time) == ["molinder.wins is machine's time"]


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({}, "'status'"),
        ({"status": "maybe"}, "'maybe' is not a valid Status"),
        ({"status": "claim"}, "a claim has a key"),
        ({"status": "drawn"}, "name the drawing, if and only if it is drawn"),
        ({"status": "not at hand"}, "say why, if and only if"),
        ({"status": "machine's time", "why": "slow"}, "say why, if and only if"),
        ({"status": "claim", "claim": "x", "prints": ["1"]}, "its figures are those of the claim"),
        ({"status": "rule or constant", "kind": "song"}, "the kind is one of figures, drawing"),
        ({"status": "rule or constant", "colour": "red"}, "colour"),
    ],
)
def test_an_entry_with_a_slip_is_refused(fields: dict[str, object], said: str) -> None:
    with pytest.raises(InputError, match=f"it: .*{said}"):
        _entry({"what": "it", "kind": "figures", **fields})


def test_counts_are_those_of_the_figures() -> None:
    """Of every work: all claims have a status that fits, and the columns of the table add up."""
    for one in INVENTORIES:
        unchecked = sum(len(claim.printed) for claim in one.work.claims if claim.unchecked)
        printed = sum(len(claim.printed) for claim in one.work.claims)
        assert one.count(Status.CLAIM) == printed - unchecked
        assert sum(one.count(status) for status in Status) == one.total
    *rows, total = inventory_table(INVENTORIES).rows
    for column in range(1, len(total)):
        assert sum(int(row[column]) for row in rows) == int(total[column])


def test_a_page_that_is_not_known_is_said_to() -> None:
    assert Entry("it", "rule", Status.RULE).place == "page not at hand"
    assert Entry("it", "rule", Status.RULE, where="table 4").place == "table 4, page not at hand"
    assert Entry("it", "rule", Status.RULE, where="table 4", page="7").place == "table 4, page 7"


def test_the_list_shows_every_entry() -> None:
    text = to_markdown(inventory_blocks(INVENTORIES))
    for one in INVENTORIES:
        assert f"## {one.work.title}" in text
        for entry in one.entries:
            assert entry.what in text
            assert (entry.claim or entry.drawing or entry.why) in text


def test_the_factor_of_the_paper_fits_the_number_of_values() -> None:
    """What the entry of 3·10^14 says: a 24th of it is about the number of two-player values."""
    (entry,) = (one for one in read_inventory(WORKS["pawlewicz"]).entries if "24 times" in one.prints)
    claim = next(claim for claim in WORKS["pawlewicz"].claims if claim.key == "pawlewicz.values")
    assert "a 24th of about 3·10^14" in entry.why
    assert f"{24 * next(one.value for one in claim.printed if one.name == 'sum'):.0e}" == "3e+14"
