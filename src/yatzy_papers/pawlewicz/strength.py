"""The mean loss per move in typical positions, for match strategies and for people.

His figures and ours are means over samples of positions, with the same weight for every depth. So each of our figures
has two errors: its own, and that of a sample of his size.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from yatzy.lab import StrengthResult
from yatzy_papers.claims import SIGMAS, Cause, Claim, Computed, Cost, Figures, Reason, figures
from yatzy_papers.passages import read_passages
from yatzy_papers.run import DEEPER, STRENGTH_GAME, PaperRun

PRINTED = read_passages("pawlewicz")
SAMPLE = PRINTED["pawlewicz.mean-errors"].sample
"""Positions per depth behind the printed figures."""
LATE = (6, 7, 8)
"""Depths at which errors no longer rise."""
SMALL, LARGE = 1e-5, 1e-2
"""The sizes between which most errors lie."""
MEASURED = (
    f"measured in typical positions at depths 1 to 8, in a full run {SAMPLE:,} per depth as in print, where they go up"
    " to depth 10; both samples have an error"
)

Array = npt.NDArray[Any]


def _emp(depth: int) -> str:
    return f"match:emp:{depth}"


def _sampled(parts: Sequence[Array]) -> Computed:
    """The mean of samples of several depths, each with the same weight."""
    value = sum(float(part.mean()) for part in parts) / len(parts)
    error = math.hypot(*(float(part.std()) / math.sqrt(len(part)) for part in parts)) / len(parts)
    printed = math.hypot(*(float(part.std()) / math.sqrt(SAMPLE) for part in parts)) / len(parts)
    return Computed(value, error, printed)


def _mean(result: StrengthResult, strategy: str, depths: Iterable[int] | None = None) -> Computed:
    return _sampled([result.errors(strategy, depth) for depth in depths or result.depths])


def _share(result: StrengthResult, strategy: str, limit: float = 0.0) -> Computed:
    """The share of moves that lose more than a limit."""
    return _sampled([result.errors(strategy, depth) > limit for depth in result.depths])


def _difference(one: Computed, other: Computed) -> Computed:
    """Of two figures from different positions."""
    assert not isinstance(one.value, str)
    assert not isinstance(other.value, str)
    sampling = math.hypot(one.sampling_error, other.sampling_error)
    return Computed(one.value - other.value, math.hypot(one.error, other.error), sampling)


def _gap(result: StrengthResult, one: str, other: str, depths: Iterable[int] | None = None) -> Computed:
    """How much more a strategy loses than another in the same positions."""
    wanted = depths or result.depths
    return _sampled([result.errors(one, depth) - result.errors(other, depth) for depth in wanted])


def _worst_depth(result: StrengthResult, strategy: str) -> Computed:
    """The depth with the largest mean error. Its range covers all depths that may have the largest in his sample."""
    means = {depth: _mean(result, strategy, [depth]) for depth in result.depths}
    worst = max(means, key=lambda depth: means[depth].value)
    near = []
    for depth, mean in means.items():
        apart = _difference(means[worst], mean)
        if float(apart.value) <= SIGMAS * math.hypot(apart.error, apart.sampling_error):
            near.append(float(depth))
    return Computed(worst, range=(min(near), max(near)))


def _largest(result: StrengthResult, strategy: str) -> Computed:
    return max((_mean(result, strategy, [depth]) for depth in result.depths), key=lambda mean: mean.value)


def _by_depth(run: PaperRun) -> Figures:
    result = run.strength()
    found = {
        "EMP(0): the worst depth": _worst_depth(result, _emp(0)),
        "EMP(0) at depth 6": _mean(result, _emp(0), [6]),
        "EMP(0): depth 8 less depth 6": _difference(_mean(result, _emp(0), [8]), _mean(result, _emp(0), [6])),
    }
    for turns in (1, 2):
        low, high = (_mean(result, _emp(turns), [depth]) for depth in (4, 6))
        found[f"EMP({turns}): depth 6 less depth 4"] = _difference(high, low)
        found |= {f"EMP({turns}) at depth {depth}": _mean(result, _emp(turns), [depth]) for depth in LATE}
    return found | {"EMP(3), the largest": _largest(result, _emp(3))}


def _middling(result: StrengthResult, strategy: str) -> Computed:
    """The share of errors between SMALL and LARGE."""
    sizes = np.concatenate([result.errors(strategy, depth) for depth in result.depths])
    errors = sizes[sizes > 0]
    return _sampled([(errors > SMALL) & (errors <= LARGE)]) if len(errors) else Computed(1.0)


def _erring(run: PaperRun) -> Figures:
    result = run.strength()
    found = {f"EMP({turns})": _share(result, _emp(turns)) for turns in range(4)}
    return found | {f"EMP({turns}): errors from 1e-5 to 1e-2": _middling(result, _emp(turns)) for turns in range(4)}


def _overall(run: PaperRun) -> Figures:
    result = run.strength()
    dyns, expected = "match:dyns:4", "expected"
    return {
        "EMP(1)": _mean(result, _emp(1)),
        "E, the solitaire strategy": _mean(result, expected),
        "DynS(4) less E": _gap(result, dyns, expected),
        "DynS(4) less EMP(1)": _gap(result, dyns, _emp(1)),
        "DynS(4) less EMP(1), depths 6 to 8": _gap(result, dyns, _emp(1), LATE),
    }


def _deeper(run: PaperRun) -> Figures:
    result = run.strength(DEEPER)
    return {
        "largest mean error of a depth": _largest(result, DEEPER[0]),
        "moves that err": _share(result, DEEPER[0]),
        "errors above .001": _share(result, DEEPER[0], 1e-3),
        "errors above .01": _share(result, DEEPER[0], 1e-2),
    }


def _after_rolls(result: StrengthResult, strategy: str, rolls_left: Sequence[int], depths: Iterable[int]) -> Computed:
    """The mean error of decisions after certain rolls of a turn; at depths 1 and 2 the last roll leaves no choice."""
    parts = []
    for depth in depths:
        found = np.concatenate([result.errors(strategy, depth, left) for left in rolls_left])
        parts.append(found if len(found) else np.zeros(1))
    return _sampled(parts)


def _with_exact_leaves(result: StrengthResult, turns: int, known: int) -> Computed:
    """The mean error of EMP if it knows the exact values up to depth `known`, so that it is perfect `turns` above."""
    return _sampled(
        [np.zeros(1) if depth <= known + turns else result.errors(_emp(turns), depth) for depth in result.depths]
    )


def _other_means(run: PaperRun) -> Figures:
    result, printed = run.strength(), PRINTED["pawlewicz.mean-errors"].figure("EMP(1)").value
    early, last = (_after_rolls(result, _emp(1), rolls, result.depths) for rolls in ((2, 1), (0,)))
    late_early, late_last = (float(_after_rolls(result, _emp(1), rolls, LATE).value) for rolls in ((2, 1), (0,)))
    between = float(last.value) - float(early.value)
    share = (printed - float(early.value)) / between if between else 0.0
    return {
        "EMP(2) up to depth 8": _mean(result, _emp(2)),
        "EMP(1) after the first two rolls": early,
        "EMP(1) after the last roll": last,
        "share of last rolls with which EMP(1) has .000021": Computed(share),
        "EMP(1) at depths 6 to 8 with this share": Computed((1 - share) * late_early + share * late_last),
        "EMP(1) with exact values up to depth 3": _with_exact_leaves(result, 1, 3),
        "EMP(1) with exact values up to depth 4": _with_exact_leaves(result, 1, 4),
    }


OTHER_MEANS = Reason(
    "Three readings were tried, and none can be confirmed. The figure is the mean of EMP(2) to all its digits, so it"
    " may stand at EMP(1) by mistake. It is also near the mean of an EMP(1) that knows the exact values up to depth 4,"
    " for which he had tables; but then EMP(2) would be perfect up to depth 6, where he has an error. And which"
    " decisions of a match he took is not at hand. Ours are those after the first, the second and the last roll of a"
    " turn, in equal parts. EMP(1) loses most after the last roll, and with fewer of these the mean is his; but then"
    " it is too low at depths 6 to 8, where he has .00004 to .00006. The cause was not found.",
    figures(
        {
            "EMP(2) up to depth 8": ".000021",
            "EMP(1) with exact values up to depth 3": "> .000021",
            "EMP(1) with exact values up to depth 4": ".000021",
            "EMP(1) after the first two rolls": "< .000021",
            "EMP(1) after the last roll": "> .000021",
            "share of last rolls with which EMP(1) has .000021": "< .15",
            "EMP(1) at depths 6 to 8 with this share": "< .00004",
        }
    ),
    _other_means,
    of=("EMP(1)",),
    cause=Cause.NOT_FOUND,
)


STRENGTH = (
    Claim(
        *PRINTED["pawlewicz.errors-by-depth"],
        _by_depth,
        (STRENGTH_GAME,),
        # About one move in a hundred is an error, so the few positions of a quick run say nothing about a single depth.
        Cost.FULL,
        how=MEASURED,
        revision=2,
    ),
    Claim(
        *PRINTED["pawlewicz.erring"],
        _erring,
        (STRENGTH_GAME,),
        varies=True,
        how=MEASURED,
        revision=2,
    ),
    Claim(
        *PRINTED["pawlewicz.mean-errors"],
        _overall,
        (STRENGTH_GAME,),
        varies=True,
        reasons=(OTHER_MEANS,),
        how=f"{MEASURED}. Ours are decisions with a choice. With forced ones as well, which are a third at depths 1 and"
        " 2, E would lose .00122",
        revision=2,
    ),
    Claim(
        *PRINTED["pawlewicz.emp-4"],
        _deeper,
        (STRENGTH_GAME,),
        varies=True,
        how=f"measured at depths 5 to 8, in a full run {SAMPLE:,} positions per depth. At depths 1 to 4, EMP(4) is"
        f" exact. His shares are probably of all depths, because .000014 is less than one of {SAMPLE:,} positions; of"
        " depths 1 to 8 ours would be half of these",
        revision=2,
    ),
    Claim(
        *PRINTED["pawlewicz.emp-4-worst"],
        unchecked="It is the largest of one sample, up to depth 10. How large it is in another sample is chance.",
    ),
    Claim(
        *PRINTED["pawlewicz.people"],
        unchecked="The games were played on a server and are not published.",
    ),
)
