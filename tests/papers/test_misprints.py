"""Slips in the works: each is proved by figures that differ, and its text shows them."""

from __future__ import annotations

from pathlib import Path

import pytest

from yatzy import InputError
from yatzy_papers.claims import Finding, Verdict
from yatzy_papers.inventory import read_inventory
from yatzy_papers.misprints import Slip, fill, misprint_blocks, read_slips
from yatzy_papers.publishing import whole_result
from yatzy_papers.results import read_numbers
from yatzy_papers.works import all_works

NUMBERS = read_numbers(Path(__file__).parents[2] / "docs" / "results.json")
RESULT = whole_result(NUMBERS, {})
FINDINGS = {finding.claim.key: finding for finding in RESULT.findings}


def wrong(finding: Finding) -> list[str]:
    return [one.printed.name for one in finding.figures if one.verdict is Verdict.DIFFERS]


@pytest.mark.parametrize("slip", read_slips(), ids=lambda slip: slip.title)
def test_every_slip_is_proved(slip: Slip) -> None:
    finding = FINDINGS[slip.claim]
    assert slip.claim in {claim.key for claim in all_works()[slip.work].claims}
    assert set(slip.figures) <= set(wrong(finding)), "a figure that does not differ is no slip"
    assert finding.settled
    text = fill(slip.text, FINDINGS)
    assert "{" not in text
    for name in slip.figures:
        assert f"{{={slip.claim}/{name}}}" in slip.text, "the text shows the right figure"


def test_a_slip_without_a_wrong_figure_is_between_two_places_in_print() -> None:
    without = {slip.title: slip for slip in read_slips() if not slip.figures}
    assert set(without) == {"A million games", "Six hours or eleven"}
    games = read_inventory(all_works()["pawlewicz"]).entries
    assert ("23,352,929",) in [entry.prints for entry in games]
    assert "23,352,929" in without["A million games"].text
    times = read_inventory(all_works()["henriksson-engstrom"]).entries
    assert ("just over six hours",) in [entry.prints for entry in times]
    assert "just over six hours" in without["Six hours or eleven"].text


def test_every_difference_is_on_the_page() -> None:
    """Either in the text of a slip, or in the table at the end."""
    *_, table = misprint_blocks(RESULT, read_slips())
    listed = {row[1] for row in table.rows}  # type: ignore[union-attr]
    explained = {(slip.claim, name) for slip in read_slips() for name in slip.figures}
    for finding in RESULT.findings:
        for name in wrong(finding):
            shown = f"{finding.claim.where}: {name}" in listed
            assert shown != ((finding.claim.key, name) in explained)


def test_a_figure_that_does_not_exist_is_refused() -> None:
    with pytest.raises(InputError, match=r"tillius\.winner has no figure 'mode'"):
        fill("{tillius.winner/mode}", FINDINGS)
