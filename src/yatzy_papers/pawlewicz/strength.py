"""The mean loss per move in typical positions, for match strategies and for people."""

from __future__ import annotations

import math
from collections.abc import Iterable

from yatzy.lab import Estimate, StrengthResult
from yatzy_papers.claims import SIGMAS, Claim, Computed, Cost, Figures
from yatzy_papers.passages import read_passages
from yatzy_papers.run import DEEPER, STRENGTH_GAME, PaperRun

PRINTED = read_passages("pawlewicz")
LATE = (6, 7, 8)
"""Depths at which errors no longer rise."""
SHALLOW = "in a sample of positions at depths 1 to 8; he has 65,536 per depth, up to depth 10"


def _emp(depth: int) -> str:
    return f"match:emp:{depth}"


def _mean(result: StrengthResult, strategy: str, depths: Iterable[int] | None = None) -> Estimate:
    return result.strength(strategy, depths).mean


def _of(estimate: Estimate) -> Computed:
    return Computed(estimate.value, estimate.error)


def _less(one: Estimate, other: Estimate) -> Computed:
    return Computed(one.value - other.value, math.hypot(one.error, other.error))


def _worst_depth(result: StrengthResult, strategy: str) -> Computed:
    """The depth with the largest mean error. Its range covers all depths that may have the largest."""
    means = {depth: _mean(result, strategy, [depth]) for depth in result.depths}
    worst = max(means, key=lambda depth: means[depth].value)
    near = [
        depth
        for depth, mean in means.items()
        if means[worst].value - mean.value <= SIGMAS * math.hypot(means[worst].error, mean.error)
    ]
    return Computed(worst, range=(float(min(near)), float(max(near))))


def _largest(result: StrengthResult, strategy: str) -> Computed:
    return _of(max((_mean(result, strategy, [depth]) for depth in result.depths), key=lambda mean: mean.value))


def _by_depth(run: PaperRun) -> Figures:
    result = run.strength()
    last = result.depths[-1]
    found = {
        "EMP(0): the worst depth": _worst_depth(result, _emp(0)),
        "EMP(0) at depth 6": _of(_mean(result, _emp(0), [6])),
        "EMP(0): depth 8 less depth 6": _less(_mean(result, _emp(0), [last]), _mean(result, _emp(0), [6])),
    }
    for depth in (1, 2):
        low, high = (_mean(result, _emp(depth), [at]) for at in (4, 6))
        found[f"EMP({depth}): depth 6 less depth 4"] = _less(high, low)
        found |= {f"EMP({depth}) at depth {at}": _of(_mean(result, _emp(depth), [at])) for at in LATE}
    return found | {"EMP(3), the largest": _largest(result, _emp(3))}


def _erring(run: PaperRun) -> Figures:
    result = run.strength()
    found = {f"EMP({depth})": _of(result.strength(_emp(depth)).erring) for depth in range(4)}
    sizes: dict[str, Computed] = {}
    for depth in range(4):
        all_, larger = result.strength(_emp(depth)).erring, result.strength(_emp(depth)).larger
        share = (larger[0].value - larger[-1].value) / all_.value if all_.value else 1.0
        sizes[f"EMP({depth}): errors from 1e-5 to 1e-2"] = Computed(share)
    return found | sizes


def _overall(run: PaperRun) -> Figures:
    result = run.strength()
    near = [depth for depth in result.depths if depth > 5]
    dyns, expected = "match:dyns:4", "expected"
    return {
        "EMP(1)": _of(_mean(result, _emp(1))),
        "E, the solitaire strategy": _of(_mean(result, expected)),
        "DynS(4) less E": _less(_mean(result, dyns), _mean(result, expected)),
        "DynS(4) less EMP(1)": _less(_mean(result, dyns), _mean(result, _emp(1))),
        "DynS(4) less EMP(1), depths 6 to 8": _less(_mean(result, dyns, near), _mean(result, _emp(1), near)),
    }


def _deeper(run: PaperRun) -> Figures:
    result = run.strength(DEEPER)
    whole = result.strength(DEEPER[0])
    return {
        "largest mean error of a depth": _largest(result, DEEPER[0]),
        "moves that err": _of(whole.erring),
        "errors above .001": _of(whole.larger[2]),
    }


STRENGTH = (
    Claim(
        *PRINTED["pawlewicz.errors-by-depth"],
        _by_depth,
        (STRENGTH_GAME,),
        # About one move in a hundred is an error, so the few positions of a quick run say nothing about a single depth.
        Cost.FULL,
        how=f"measured: {SHALLOW}",
    ),
    Claim(
        *PRINTED["pawlewicz.erring"],
        _erring,
        (STRENGTH_GAME,),
        varies=True,
        how=f"measured: {SHALLOW}",
    ),
    Claim(
        *PRINTED["pawlewicz.mean-errors"],
        _overall,
        (STRENGTH_GAME,),
        varies=True,
        how=f"measured: {SHALLOW}",
    ),
    Claim(
        *PRINTED["pawlewicz.emp-4"],
        _deeper,
        (STRENGTH_GAME,),
        varies=True,
        how="measured at depths 5 to 8, below which EMP(4) is exact, in far fewer positions than his 65,536 per depth",
    ),
    Claim(
        *PRINTED["pawlewicz.emp-4-worst"],
        unchecked="This is one move in 70,000, so measuring it would take millions of positions, each searched four"
        " turns ahead. Our two thousand positions have no error above .01.",
    ),
    Claim(
        *PRINTED["pawlewicz.people"],
        unchecked="The games were played on a server and are not published.",
    ),
)
