"""Names that people type: every one reads back as itself, and only some of them may come from data."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yatzy.errors import InputError, LimitExceeded, NotFromData
from yatzy.names import (
    MOST_TURNS,
    Auto,
    Best,
    ByPlace,
    Custom,
    DynS,
    Emp,
    Expected,
    Exponential,
    Exported,
    Greedy,
    MatchPoints,
    MolinderBonus,
    MolinderLower,
    Objective,
    Origin,
    PayoffName,
    Random,
    ScoreAtChance,
    Softened,
    Target,
    Utility,
    Win,
    check_origin,
    parse_objective,
    parse_payoff,
    parse_strategy,
)

finite = st.floats(allow_nan=False, allow_infinity=False)
paths = st.text(st.characters(exclude_categories=["Cc", "Cs", "Z"]), min_size=1).filter(lambda text: ".py" not in text)
objectives = st.one_of(
    st.just(Expected()),
    st.builds(Target, st.integers(1, 10**9 - 1)),
    st.builds(ScoreAtChance, st.floats(0, 1, exclude_min=True, exclude_max=True)),
    st.builds(Exponential, finite.filter(bool)),
    st.builds(Utility, paths),
    st.builds(Emp, st.integers(0, MOST_TURNS)),
    st.builds(DynS, st.integers(0, MOST_TURNS)),
    st.builds(Auto, st.floats(0, 1e300, exclude_min=True)),
)
strategies = st.one_of(
    st.sampled_from([Greedy(), Random(), MolinderBonus(), MolinderLower()]),
    st.builds(Best, objectives),
    st.builds(Softened, objectives, st.floats(0, 1e300)),
    st.builds(Exported, paths),
    st.builds(Custom, paths.map(lambda path: f"{path}.py"), st.from_regex(r"[A-Za-z_]\w*", fullmatch=True)),
)

places = (
    st.lists(st.floats(-1e9, 1e9), min_size=2, max_size=8, unique=True)
    .map(lambda values: tuple(sorted((value + 0.0 for value in values), reverse=True)))
    .filter(lambda values: values[0] > values[-1])
)
payoffs = st.one_of(st.sampled_from([MatchPoints(), Win()]), st.builds(ByPlace, places))


@given(payoffs)
def test_a_payoff_reads_back_as_itself(payoff: PayoffName) -> None:
    assert parse_payoff(str(payoff)) == payoff


@given(payoffs, st.integers(2, 8))
def test_a_payoff_is_for_as_many_players_as_it_has_places(payoff: PayoffName, players: int) -> None:
    if isinstance(payoff, ByPlace) and len(payoff.values) != players:
        with pytest.raises(InputError, match=f"{len(payoff.values)} places, but there are {players} players"):
            payoff.for_players(players)
    else:
        found = payoff.for_players(players)
        assert found.players == players
        assert found.unit is payoff.unit


@pytest.mark.parametrize("text", ["", "wins", "match-points:", "1", "1,1", "0,1", "2,x", "1,nan", "1e10,0", ","])
def test_what_is_no_payoff_is_refused_in_a_line(text: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_payoff(text)
    assert "\n" not in str(caught.value)


def test_a_payoff_has_a_bounded_number_of_places() -> None:
    assert parse_payoff(",".join(["1"] * 999 + ["0"])).for_players(1000).players == 1000
    for places in (1001, 10**6):
        with pytest.raises(InputError) as caught:
            parse_payoff(",".join(["1"] * (places - 1) + ["0"]))
        assert len(str(caught.value)) < 300


@given(objectives)
def test_an_objective_reads_back_as_itself(objective: Objective) -> None:
    assert parse_objective(str(objective)) == objective


@given(strategies)
def test_a_strategy_reads_back_as_itself(strategy: Best) -> None:
    assert parse_strategy(str(strategy)) == strategy


@pytest.mark.parametrize(
    "text",
    ["", "most", "target:", "target:0", "target:-1", "target:1.5", "target:" + "9" * 5000, "chance:1", "chance:nan",
     "exp:0", "exp:inf", "match:", "match:emp", "match:emp:100", "match:emp:x", "match:auto:", "match:auto:nan",
     "match:auto:-1", "match:best:1", "utility:"],
)  # fmt: skip
def test_what_is_no_objective_is_refused_in_a_line(text: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_objective(text)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


FROM_PERSONS_ONLY = [
    "mine.py:Mine", "/tmp/mine.py:Mine", "file:strategy.yz", "file:/dev/zero", "utility:worth.csv", "utility:/dev/zero",
    "softened:1:utility:worth.csv", "softened:1:mine.py:Mine",
]  # fmt: skip
TOO_DEEP = [
    "match:emp:4", "match:emp:99", "match:dyns:99", "match:auto:6", "match:auto:1e9", "softened:1:match:emp:99",
    "softened:1:match:auto:1e300",
]  # fmt: skip
FREE = [
    "expected", "target:300", "chance:0.5", "exp:0.02", "greedy", "random", "molinder-bonus", "molinder-lower",
    "softened:1", "softened:0.3:target:300", "match:emp:3", "match:dyns:3", "match:auto", "match:auto:5",
]  # fmt: skip


@pytest.mark.parametrize("text", FROM_PERSONS_ONLY)
def test_data_never_reads_a_file_or_runs_code(text: str) -> None:
    name = parse_strategy(text)
    check_origin(name, Origin.PERSON)
    with pytest.raises(NotFromData, match="only a person at the command line"):
        check_origin(name, Origin.DATA)


@pytest.mark.parametrize("text", TOO_DEEP)
def test_data_never_searches_without_bound(text: str) -> None:
    name = parse_strategy(text)
    check_origin(name, Origin.PERSON)
    with pytest.raises(LimitExceeded, match="searched here"):
        check_origin(name, Origin.DATA)


def test_more_players_are_searched_less_deep() -> None:
    name = parse_strategy("match:emp:2")
    check_origin(name, Origin.DATA, players=4)
    with pytest.raises(LimitExceeded):
        check_origin(name, Origin.DATA, players=5)


@pytest.mark.parametrize("text", FREE)
def test_everything_else_may_come_from_data(text: str) -> None:
    check_origin(parse_strategy(text), Origin.DATA)


@given(strategies)
def test_whatever_reads_a_file_is_refused_from_data(strategy: Best) -> None:
    if strategy.reads_file or strategy.runs_code:
        with pytest.raises(NotFromData):
            check_origin(strategy, Origin.DATA)


def test_a_long_firmness_is_cut_short_in_the_error() -> None:
    with pytest.raises(InputError, match=f"^softened:{'x' * 40}: the firmness"):
        parse_strategy(f"softened:{'x' * 40}")
    with pytest.raises(InputError, match=f"^softened:{'x' * 40}…: the firmness"):
        parse_strategy(f"softened:{'x' * 41}")
