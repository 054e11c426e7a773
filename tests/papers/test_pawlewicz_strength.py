"""The measured errors of match strategies: means over depths, both sampling errors, and pairs in the same positions."""

from __future__ import annotations

import math
from typing import Any, cast

import numpy as np
import pytest

from yatzy.lab import StrengthResult
from yatzy_papers.claims import Computed, Printed
from yatzy_papers.pawlewicz.strength import SAMPLE, _after_rolls, _gap, _mean, _share, _with_exact_leaves, _worst_depth


class Measured:
    """As many depths as wanted, with chosen errors; half of the positions have a roll left."""

    def __init__(self, errors: dict[str, dict[int, list[float]]]) -> None:
        self._errors = errors
        self.depths = tuple(next(iter(errors.values())))

    def errors(self, strategy: str, depth: int, rolls_left: int | None = None) -> Any:
        found = np.array(self._errors[strategy][depth])
        return found if rolls_left is None else found[rolls_left::2]


def measured(**errors: dict[int, list[float]]) -> StrengthResult:
    return cast("StrengthResult", Measured(errors))


def test_every_depth_has_the_same_weight_and_both_samples_an_error() -> None:
    result = measured(a={1: [0.0, 0.2], 2: [0.3, 0.3, 0.3, 0.5]})
    found = _mean(result, "a")
    spreads = 0.1, math.sqrt(3) * 0.05
    assert found.value == pytest.approx((0.1 + 0.35) / 2)
    assert found.error == pytest.approx(math.hypot(spreads[0] / math.sqrt(2), spreads[1] / 2) / 2)
    assert found.sampling_error == pytest.approx(math.hypot(*spreads) / math.sqrt(SAMPLE) / 2)
    assert _share(result, "a", 0.25).value == 0.5


def test_strategies_are_compared_in_the_same_positions() -> None:
    """Both lose much in the second position; their difference is the same everywhere."""
    result = measured(a={1: [0.1, 0.9]}, b={1: [0.2, 1.0]})
    found = _gap(result, "b", "a")
    assert (found.value, found.error, found.sampling_error) == pytest.approx((0.1, 0.0, 0.0))


def test_the_worst_depth_has_a_range() -> None:
    result = measured(a={1: [0.0, 0.0], 2: [0.10, 0.11], 3: [0.09, 0.11]})
    assert _worst_depth(result, "a") == Computed(2, range=(2.0, 3.0))
    assert Printed("worst", "3").agrees(_worst_depth(result, "a"))
    assert not Printed("worst", "1").agrees(_worst_depth(result, "a"))


def test_readings_of_a_mean() -> None:
    result = measured(**{"match:emp:1": {1: [0.4, 0.2], 2: [0.0, 0.2], 3: [0.3, 0.5]}})
    assert _after_rolls(result, "match:emp:1", (1,), (1, 3)).value == pytest.approx(0.35)
    assert _with_exact_leaves(result, 1, 1).value == pytest.approx(0.4 / 3)  # EMP(1) is perfect up to depth 2


@pytest.mark.parametrize(
    ("text", "about", "computed", "apart"),
    [
        (".10", 0.0, Computed(0.135, 0.006, 0.008), 3.0),
        (".10", 0.03, Computed(0.15, 0.01), 2.0),
        (".10", 0.0, Computed(0.104, 0.01), 0.0),
        (".10", 0.0, Computed(0.5), 0.0),
        ("< .10", 0.0, Computed(0.12, 0.01), 2.0),
        ("> .10", 0.0, Computed(0.12, 0.01), 0.0),
        ("> .10", 0.0, Computed(0.07, 0.01), 3.0),
        ("sixes", 0.0, Computed("ones"), 0.0),
    ],
)
def test_how_many_standard_errors_a_figure_is_away(text: str, about: float, computed: Computed, apart: float) -> None:
    assert Printed("it", text, about=about).apart(computed) == pytest.approx(apart)
