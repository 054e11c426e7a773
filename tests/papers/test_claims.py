"""Claims: how a verdict comes about, that every claim is one, and the quick ones of each work computed again."""

from __future__ import annotations

import importlib.util
import math
import re
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from yatzy import load_game
from yatzy.errors import InputError
from yatzy.evaluation.distribution import Distribution
from yatzy.solver import Solver
from yatzy_papers.claims import (
    Claim,
    Computed,
    Cost,
    Printed,
    Reason,
    Relation,
    Verdict,
    compare,
    figures,
)
from yatzy_papers.run import PaperRun
from yatzy_papers.sampling import (
    sampled_highest,
    sampled_lowest,
    sampled_mean,
    sampled_percentile,
    sampled_sd,
    sampled_share,
)
from yatzy_papers.works import all_works, find_works

WORKS = all_works()
CLAIMS = [claim for work in WORKS.values() for claim in work.claims]


# A figure in print


@pytest.mark.parametrize(
    ("text", "value", "tolerance"),
    [
        ("248.4400", 248.44, 0.00005),
        (".0754", 0.0754, 0.00005),
        ("9.973 %", 0.09973, 0.000005),
        ("1.4e-03", 0.0014, 0.00005),
        ("33,192,583,276", 33192583276.0, 0.5),
        ("5", 5.0, 0.5),
        ("< .03", 0.03, 0.005),
    ],
)
def test_a_number_in_print_has_the_tolerance_of_its_last_digit(text: str, value: float, tolerance: float) -> None:
    assert Printed("x", text).value == pytest.approx(value, rel=1e-12)
    assert Printed("x", text).tolerance == pytest.approx(tolerance, rel=1e-9)


def test_words_are_words() -> None:
    assert Printed("x", "sixes").relation is Relation.WORD
    assert Printed("x", "3 to 4").relation is Relation.WORD
    assert Printed("x", "< 0").relation is Relation.BELOW
    assert Printed("x", "666").agrees(Computed("666"))
    assert not Printed("x", "666").agrees(Computed("66"))
    assert not Printed("x", "sixes").agrees(Computed(6.0))


@pytest.mark.parametrize(
    ("text", "figure", "agrees"),
    [
        ("248.4400", Computed(248.43998), True),
        ("248.4400", Computed(248.4402), False),
        ("248.48", Computed(248.44, sampling_error=0.122), True),
        ("248.48", Computed(247.9, sampling_error=0.122), False),
        (".00011", Computed(0.0001, error=0.00001), True),
        ("144", Computed(143, range=(143.0, 144.0)), True),
        ("145", Computed(143, range=(143.0, 144.0)), False),
        ("143", Computed(143, range=(143.0, 143.0)), True),
        ("< .03", Computed(0.024), True),
        ("< .03", Computed(0.031), False),
        ("< .03", Computed(0.031, error=0.001), True),
        ("> .2", Computed(0.18), False),
        ("> .2", Computed(0.21), True),
        ("33,192,583,276", Computed(33192583277), False),
    ],
)
def test_agreement(text: str, figure: Computed, agrees: bool) -> None:
    assert Printed("x", text).agrees(figure) is agrees


# The verdict


def claim_of(text: str, value: float, *reasons: Reason, cost: Cost = Cost.QUICK) -> Claim:
    return Claim(
        "key", "where", "says", figures({"x": text}), lambda run: {"x": Computed(value)}, cost=cost, reasons=reasons
    )


def test_the_verdict_is_computed() -> None:
    claim = claim_of("5.0", 5.04)
    assert compare(claim, {"x": Computed(5.04)}, {}).verdict is Verdict.REPRODUCED
    assert compare(claim, {"x": Computed(5.06)}, {}).verdict is Verdict.DIFFERS
    assert compare(claim, None, {}).verdict is Verdict.WAITING


def test_what_differs_without_a_reason_is_not_settled() -> None:
    found = compare(claim_of("5.0", 6.0), {"x": Computed(6.0)}, {})
    assert not found.settled


def test_a_reason_settles_only_if_its_evidence_holds() -> None:
    reason = Reason("a slip", figures({"with the slip": "5.0"}))
    claim = claim_of("5.0", 6.0, reason)
    assert compare(claim, {"x": Computed(6.0)}, {"with the slip": Computed(5.01)}).settled
    found = compare(claim, {"x": Computed(6.0)}, {"with the slip": Computed(5.2)})
    assert found.verdict is Verdict.DIFFERS
    assert not found.settled


def test_a_reason_for_another_figure_does_not_count() -> None:
    claim = claim_of("5.0", 6.0, Reason("a slip", of=("y",)))
    assert not compare(claim, {"x": Computed(6.0)}, {}).settled


def test_a_figure_that_was_not_computed_is_refused() -> None:
    with pytest.raises(InputError, match="'x' was not computed"):
        compare(claim_of("5.0", 5.0), {}, {})


def test_a_claim_is_computed_or_says_why_not() -> None:
    with pytest.raises(InputError, match="says why it cannot be checked"):
        Claim("key", "where", "says", figures({"x": "1"}))
    with pytest.raises(InputError, match="has a place, a text and printed figures"):
        Claim("key", "", "says", figures({"x": "1"}), unchecked="people")


# What samples show


def dice_sum() -> Distribution:
    return Distribution(np.array([0, 0, 1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1]) / 36)


def test_sampled_numbers_have_the_spread_of_samples() -> None:
    """Against many samples drawn: the standard deviation of each number over them is the spread that is said."""
    score, games = dice_sum(), 2000
    drawn = np.random.default_rng(1).choice(len(score), size=(4000, games), p=score.mass)
    for figure, numbers in (
        (sampled_mean(score, games), drawn.mean(axis=1)),
        (sampled_sd(score, games), drawn.std(axis=1)),
        (sampled_share(score.at_least(10), games), (drawn >= 10).mean(axis=1)),
    ):
        assert figure.sampling_error == pytest.approx(float(numbers.std()), rel=0.05)
        assert isinstance(figure.value, float)
        assert abs(figure.value - float(numbers.mean())) < 4 * figure.sampling_error / math.sqrt(4000)


def test_percentiles_and_extremes_lie_in_their_room() -> None:
    """Four standard errors, and one in ten thousand: in a thousand samples nothing lies outside."""
    mass = np.exp(-0.5 * ((np.arange(400) - 250) / 40) ** 2)
    score, games = Distribution(mass / mass.sum()), 1000
    drawn = np.random.default_rng(2).choice(len(score), size=(1000, games), p=score.mass)
    for figure, numbers in (
        (sampled_percentile(score, 25, games), np.sort(drawn, axis=1)[:, games // 4 - 1]),
        (sampled_highest(score, games), drawn.max(axis=1)),
        (sampled_lowest(score, games), drawn.min(axis=1)),
    ):
        assert figure.range is not None
        low, high = figure.range
        assert low <= numbers.min()
        assert numbers.max() <= high
        # The room is no wider than it must be: nearly all of it is used.
        assert numbers.max() - numbers.min() > 0.5 * (high - low)
        assert abs(float(figure.value) - float(np.median(numbers))) <= 2


# All claims


def test_keys_are_told_apart() -> None:
    keys = [claim.key for claim in CLAIMS] + [table.key for work in WORKS.values() for table in work.tables]
    assert len(keys) == len(set(keys))
    assert all(re.fullmatch(r"[a-z0-9.-]+", key) for key in keys)


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.key)
def test_every_claim_is_one(claim: Claim) -> None:
    names = [entry.name for entry in claim.printed]
    assert len(names) == len(set(names))
    assert claim.says[-1] in ".?"
    assert claim.unchecked or claim.how
    for id in claim.games:
        load_game(id)
    for entry in claim.printed:
        if not claim.unchecked and entry.relation is not Relation.WORD:
            assert entry.tolerance > 0
    for reason in claim.reasons:
        assert set(reason.of) <= set(names)
        assert reason.evidence, f"{claim.key}: a reason is shown by something"
        assert reason.compute is not None


def test_places_are_told_apart() -> None:
    for work in WORKS.values():
        places = [claim.where for claim in work.claims]
        assert len(places) == len(set(places))


def test_drawings_stand_before_something() -> None:
    for work in WORKS.values():
        known = {claim.key for claim in work.claims} | {table.key for table in work.tables} | {""}
        assert {drawing.before for drawing in work.drawings} <= known


def test_an_unknown_work_is_refused() -> None:
    with pytest.raises(InputError, match="there is no work 'nobody'; works are tillius, pawlewicz"):
        find_works(["nobody"])


# The tests of the works have figures of their own; all of them are claims too.


def load_test(name: str) -> ModuleType:
    path = Path(__file__).parent / f"{name}.py"
    spec = importlib.util.spec_from_file_location(f"figures_of_{name}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def printed(work: str) -> set[float]:
    """All numbers that a work has in print."""
    prints = [entry for claim in WORKS[work].claims for entry in claim.printed]
    return {one.value for one in prints if one.relation is not Relation.WORD}


def test_figures_of_the_tests_are_claims() -> None:
    counts, molinder = load_test("test_pawlewicz_match_counts"), load_test("test_molinder_2025")
    wanted = {*counts._printed(counts.PAIRS).values(), *counts._printed(counts.VALUES).values()}
    assert wanted <= printed("pawlewicz")
    moves = load_test("test_pawlewicz_2008").FOUR_MOVES
    assert {chance for row in moves.values() for chance in row} <= printed("pawlewicz")
    tables = (molinder.MEAN, molinder.BONUS_RATE, molinder.YATZY_RATE)
    assert {value for table in tables for value in table.values()} <= printed("molinder")
    rows = (molinder.PERCENTILES, molinder.SHARES)
    assert {value for table in rows for row in table.values() for value in row} <= printed("molinder")
    assert set(load_test("test_tillius_2026").AFTER_5_6_6_6_6.values()) <= printed("tillius")
    reported = load_test("test_henriksson_engstrom_2013").REPORTED
    assert {value for row in reported.values() for value in row} <= printed("henriksson-engstrom")


# Parts on disk


def test_what_is_computed_is_kept_and_read_again(tmp_path: Path) -> None:
    calls = []

    def compute(run: PaperRun) -> dict[str, Computed]:
        calls.append(1)
        return {"x": Computed(5.0, 0.1, 0.2, (4.0, 6.0)), "word": Computed("sixes")}

    claim = Claim("test.kept", "where", "says.", figures({"x": "5", "word": "sixes"}), compute, ("two-yatzy",), how="x")
    first = PaperRun(tmp_path).figures(claim)
    assert PaperRun(tmp_path).figures(claim) == first
    assert len(calls) == 1
    (part,) = (tmp_path / "parts" / "claims").glob("test.kept-*.kept")
    part.write_text(part.read_text("utf-8").replace("5.0", "5.1"), encoding="utf-8")
    assert PaperRun(tmp_path).figures(claim) == first
    assert len(calls) == 2
    part.write_bytes(b"\xff")
    said: list[str] = []
    assert PaperRun(tmp_path, Solver(report=said.append)).figures(claim) == first
    assert len(calls) == 3
    assert [line.partition(": ")[2] for line in said] == ["is damaged; it is computed again"]


def test_a_claim_of_another_revision_is_computed_again_and_no_other(tmp_path: Path) -> None:
    calls = []

    def compute(run: PaperRun) -> dict[str, Computed]:
        calls.append(1)
        return {"x": Computed(5.0)}

    claim = Claim("test.one", "where", "says.", figures({"x": "5"}), compute, how="x")
    other = replace(claim, key="test.two")
    for one in (claim, other, replace(claim, revision=2), other, replace(claim, revision=2)):
        PaperRun(tmp_path).figures(one)
    assert len(calls) == 3


def test_a_quick_run_leaves_full_claims_and_reads_those_of_a_full_run(tmp_path: Path) -> None:
    claim = claim_of("5.0", 5.0, cost=Cost.FULL)
    assert PaperRun(tmp_path).figures(claim) is None
    assert PaperRun(tmp_path, full=True).figures(claim) is not None
    assert PaperRun(tmp_path).figures(claim) is not None


def test_a_full_run_measures_again_what_a_quick_one_measured_less_of(tmp_path: Path) -> None:
    calls = []

    def compute(run: PaperRun) -> dict[str, Computed]:
        calls.append(run.full)
        return {"x": Computed(5.0)}

    claim = Claim("test.varies", "where", "says.", figures({"x": "5"}), compute, varies=True, how="measured")
    for full in (False, False, True, True, False):
        PaperRun(tmp_path, full=full).figures(claim)
    assert calls == [False, True]


def test_parts_of_other_figures_do_not_serve(tmp_path: Path) -> None:
    one = Claim("test.asked", "where", "says.", figures({"x": "5"}), lambda run: {"x": Computed(5.0)}, how="x")
    other = Claim(
        "test.asked", "where", "says.", (*one.printed, Printed("y", "6")),
        lambda run: {"x": Computed(5.0), "y": Computed(6.0)}, how="x",
    )  # fmt: skip
    PaperRun(tmp_path).figures(one)
    found = PaperRun(tmp_path).figures(other)
    assert found is not None
    assert set(found[0]) == {"x", "y"}
