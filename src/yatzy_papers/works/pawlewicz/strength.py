"""What strategies of a match lose a move, in typical positions; and what people lose."""

from __future__ import annotations

import math
from collections.abc import Iterable

from yatzy.lab.sample import Estimate
from yatzy.lab.strength import StrengthResult
from yatzy_papers.claims import SIGMAS, Claim, Cost, Entry, Figure, Figures, Print, entries
from yatzy_papers.desk import DEEPER, STRENGTH_GAME, Desk

LATE = (6, 7, 8)
"""Depths from which on errors no longer rise."""
SHALLOW = "so many positions a depth as the run takes, depths 1 to 8; his are 65,536 a depth, to depth 10"


def _emp(depth: int) -> str:
    return f"match:emp:{depth}"


def _mean(result: StrengthResult, strategy: str, depths: Iterable[int] | None = None) -> Estimate:
    return result.strength(strategy, depths).mean


def _of(estimate: Estimate) -> Figure:
    return Figure(estimate.value, estimate.error)


def _less(one: Estimate, other: Estimate) -> Figure:
    return Figure(one.value - other.value, math.hypot(one.error, other.error))


def _worst_depth(result: StrengthResult, strategy: str) -> Figure:
    """The depth of the largest mean error, with room for all that are not surely less."""
    means = {depth: _mean(result, strategy, [depth]) for depth in result.depths}
    worst = max(means, key=lambda depth: means[depth].value)
    near = [
        depth
        for depth, mean in means.items()
        if means[worst].value - mean.value <= SIGMAS * math.hypot(means[worst].error, mean.error)
    ]
    return Figure(worst, room=(float(min(near)), float(max(near))))


def _largest(result: StrengthResult, strategy: str) -> Figure:
    return _of(max((_mean(result, strategy, [depth]) for depth in result.depths), key=lambda mean: mean.value))


def _by_depth(desk: Desk) -> Figures:
    result = desk.strength()
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


def _erring(desk: Desk) -> Figures:
    result = desk.strength()
    found = {f"EMP({depth})": _of(result.strength(_emp(depth)).erring) for depth in range(4)}
    sizes: dict[str, Figure] = {}
    for depth in range(4):
        all_, larger = result.strength(_emp(depth)).erring, result.strength(_emp(depth)).larger
        share = (larger[0].value - larger[-1].value) / all_.value if all_.value else 1.0
        sizes[f"EMP({depth}): errors from 1e-5 to 1e-2"] = Figure(share)
    return found | sizes


def _overall(desk: Desk) -> Figures:
    result = desk.strength()
    near = [depth for depth in result.depths if depth > 5]
    dyns, expected = "match:dyns:4", "expected"
    return {
        "EMP(1)": _of(_mean(result, _emp(1))),
        "E, the solitaire strategy": _of(_mean(result, expected)),
        "DynS(4) less E": _less(_mean(result, dyns), _mean(result, expected)),
        "DynS(4) less EMP(1)": _less(_mean(result, dyns), _mean(result, _emp(1))),
        "DynS(4) less EMP(1), depths 6 to 8": _less(_mean(result, dyns, near), _mean(result, _emp(1), near)),
    }


def _deeper(desk: Desk) -> Figures:
    result = desk.strength(DEEPER)
    whole = result.strength(DEEPER[0])
    return {
        "largest mean error of a depth": _largest(result, DEEPER[0]),
        "moves that err": _of(whole.erring),
        "errors above .001": _of(whole.larger[2]),
    }


STRENGTH = (
    Claim(
        "pawlewicz.errors-by-depth",
        "the mean error of a move by depth",
        "EMP(0) is worst at depth 6 and falls then; EMP(1) and EMP(2) rise to depth 6 and from then on lie within"
        " .00004 and .00006; EMP(3) rises slowly and stays below .00003.",
        (
            *entries(
                {
                    "EMP(0): the worst depth": "6",
                    "EMP(0) at depth 6": ".00011",
                    "EMP(0): depth 8 less depth 6": "< 0",
                    "EMP(1): depth 6 less depth 4": "> 0",
                    "EMP(2): depth 6 less depth 4": "> 0",
                }
            ),
            *(Entry(f"EMP({depth}) at depth {at}", Print(".00005", about=0.00001)) for depth in (1, 2) for at in LATE),
            Entry("EMP(3), the largest", Print("< .00003")),
        ),
        _by_depth,
        (STRENGTH_GAME,),
        # One move in a hundred errs: the few positions of a quick run say nothing about a single depth.
        Cost.FULL,
        how=f"measured: {SHALLOW}",
    ),
    Claim(
        "pawlewicz.erring",
        "the chance of an error",
        "The share of moves that err at all; and most errors lie between 1e-5 and 1e-2.",
        entries(
            {
                "EMP(0)": "< .03",
                "EMP(1)": "< .02",
                "EMP(2)": "< .02",
                "EMP(3)": "< .01",
                **{f"EMP({depth}): errors from 1e-5 to 1e-2": "> .5" for depth in range(4)},
            }
        ),
        _erring,
        (STRENGTH_GAME,),
        varies=True,
        how=f"measured: {SHALLOW}",
    ),
    Claim(
        "pawlewicz.mean-errors",
        "the mean error of a move to depth 8",
        "EMP(1) and the solitaire strategy E; DynS(4) is better than E and much worse than EMP(1).",
        entries(
            {
                "EMP(1)": ".000021",
                "E, the solitaire strategy": ".00124",
                "DynS(4) less E": "< 0",
                "DynS(4) less EMP(1)": "> 0",
                "DynS(4) less EMP(1), depths 6 to 8": "> 0",
            }
        ),
        _overall,
        (STRENGTH_GAME,),
        varies=True,
        how=f"measured: {SHALLOW}",
    ),
    Claim(
        "pawlewicz.emp-4",
        "the errors of EMP(4)",
        "Its mean error stays below .00003, it errs in less than .01 of the moves, by more than .001 in .0016 of them.",
        entries(
            {
                "largest mean error of a depth": "< .00003",
                "moves that err": "< .01",
                "errors above .001": "< .0016",
            }
        ),
        _deeper,
        (STRENGTH_GAME,),
        varies=True,
        how="measured at depths 5 to 8, below which EMP(4) is exact; far fewer positions than his 65,536 a depth",
    ),
    Claim(
        "pawlewicz.emp-4-worst",
        "the largest errors of EMP(4)",
        "It errs by more than .01 in .000014 of the moves at most, and the worst error found was .014.",
        entries({"errors above .01": "< .000014", "the worst": ".014"}),
        unchecked="One move in 70,000: it takes millions of positions to tell, each searched four turns ahead. In ours,"
        " two thousand, there was none above .01.",
    ),
    Claim(
        "pawlewicz.people",
        "people",
        "24,352,929 games of 209,207 people: what they lose a move and a game against the optimum.",
        entries(
            {
                "games": "24,352,929",
                "people": "209,207",
                "mean error a move": "about .003",
                "the middle player": ".0025",
                "the middle player, a game": ".093",
                "the best ten": "under .00135",
                "the best three": "under .00123",
                "the best one": ".00095",
                "the best one, a game": ".0347",
                "perfect play gains on the best": "4 in 100",
                "on the average": "9 in 100",
                "by phase": "more near the end, less with one box left",
            }
        ),
        unchecked="The games were played on a server and are not published.",
    ),
)
