"""The numbers of some works in place of older ones, while those of the other works stay."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from yatzy import InputError
from yatzy_papers.claims import Claim, Computed, Printed, Work, compare
from yatzy_papers.results import PapersResult, WorkResult, merge, revisions, to_json

GAME = "two-yatzy"
ONE, TWO = (
    Work(id, id, "", (Claim(f"{id}.mean", "table 1", "The mean.", (Printed("mean", "5"),), lambda run: {}, (GAME,)),))
    for id in ("one", "two")
)
BOTH = (ONE, TWO)


def numbers(mean: float, *works: Work) -> dict[str, Any]:
    results = [
        WorkResult(work, tuple(compare(claim, {"mean": Computed(mean)}, {}) for claim in work.claims), {}, {})
        for work in works
    ]
    return to_json(PapersResult(tuple(results), full=True))


def means(found: dict[str, Any]) -> dict[str, float]:
    return {key: claim["figures"][0][1] for key, claim in found["claims"].items()}


def test_new_numbers_replace_those_of_their_work() -> None:
    found = merge(numbers(4.0, *BOTH), numbers(5.0, TWO), BOTH)
    assert means(found) == {"one.mean": 4.0, "two.mean": 5.0}
    assert found["revisions"] == revisions(BOTH)
    assert found["effort"] == "full"
    assert merge(numbers(4.0, ONE), numbers(5.0, TWO), BOTH) == found


def test_claims_that_are_gone_are_dropped() -> None:
    less = replace(ONE, claims=(replace(ONE.claims[0], key="one.other"),))
    assert means(merge(numbers(4.0, *BOTH), numbers(5.0, TWO), (less, TWO))) == {"two.mean": 5.0}


def test_older_numbers_of_other_code_are_refused() -> None:
    raised = replace(ONE, claims=(replace(ONE.claims[0], revision=2),))
    with pytest.raises(InputError, match="run one as well"):
        merge(numbers(4.0, *BOTH), numbers(5.0, TWO), (raised, TWO))
    assert means(merge(numbers(4.0, *BOTH), numbers(5.0, raised), (raised, TWO)))["one.mean"] == 5.0


@pytest.mark.parametrize("part", ["revisions", "games"])
def test_older_numbers_of_other_games_or_computations_are_refused(part: str) -> None:
    known = numbers(4.0, *BOTH)
    known[part][GAME if part == "games" else "evaluation"] = "another"
    with pytest.raises(InputError, match="run one as well"):
        merge(known, numbers(5.0, TWO), BOTH)
    assert means(merge(known, numbers(5.0, *BOTH), BOTH)) == {"one.mean": 5.0, "two.mean": 5.0}


def test_quick_numbers_are_refused() -> None:
    with pytest.raises(InputError, match="full run"):
        merge(numbers(4.0, *BOTH), {**numbers(5.0, TWO), "effort": "quick"}, BOTH)
