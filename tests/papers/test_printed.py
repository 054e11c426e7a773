"""The printed figures as data: every one is read, is used by a claim, and is a number, a bound or a word."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

import yatzy_papers
from yatzy import InputError
from yatzy_papers.claims import Relation
from yatzy_papers.passages import Passage, _passage, read_passages
from yatzy_papers.works import all_works

FILES = sorted((Path(yatzy_papers.__file__).parent / "printed").glob("*.toml"))
WORKS = all_works()
PASSAGES = [passage for path in FILES for passage in read_passages(path.stem).values()]


def test_every_publication_has_a_file() -> None:
    assert {path.stem for path in FILES} == {id for id, work in WORKS.items() if work.claims}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_figure_is_used_by_the_claim_of_its_key(path: Path) -> None:
    typed = tomllib.loads(path.read_text(encoding="utf-8"))
    claims = {claim.key: claim for claim in WORKS[path.stem].claims}
    assert set(typed) == set(claims)
    for key, fields in typed.items():
        claim = claims[key]
        assert [one.name for one in claim.printed] == list(fields["figures"])
        assert (claim.where, claim.says) == (fields["where"], fields["says"])


@pytest.mark.parametrize("passage", PASSAGES, ids=lambda passage: passage.key)
def test_every_figure_is_a_number_a_bound_or_a_word(passage: Passage) -> None:
    claim = next(claim for work in WORKS.values() for claim in work.claims if claim.key == passage.key)
    for one in passage.figures:
        assert one.text
        assert one.text == one.text.strip()
        if one.relation is not Relation.WORD:
            assert one.tolerance > 0
            assert one.value == one.value  # a number that parses
        elif not claim.unchecked:  # a category, dice or a sign; a number with a slip in it would come here
            assert one.text == "−" or one.text.replace("-", "").isalpha(), one
        if one.sample:
            assert one.sample == 100_000 or f"{one.sample:,}" in claim.says


def test_a_figure_with_a_slip_is_refused() -> None:
    fields = {"where": "here", "says": "It.", "figures": {"mean": "1"}}
    assert _passage("key", dict(fields)).figure("mean").value == 1
    with pytest.raises(InputError, match="key: unknown keys figure"):
        _passage("key", {**fields, "figure": {}})
    with pytest.raises(KeyError, match="where"):
        _passage("key", {"says": "It.", "figures": {}})
    with pytest.raises(InputError, match=r"mean: '24\.8\.4' is not a number"):
        _ = _passage("key", {**fields, "figures": {"mean": "24.8.4"}}).figure("mean").value
