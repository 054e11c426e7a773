"""Text to names: the one place that takes what people type apart."""

from __future__ import annotations

import math
from collections.abc import Callable

from yatzy.errors import InputError
from yatzy.names.objectives import (
    DynS,
    Emp,
    Expected,
    Exponential,
    MatchObjective,
    Objective,
    ScoreAtChance,
    Target,
    Utility,
    read_search,
)
from yatzy.names.strategies import (
    Best,
    Custom,
    Exported,
    Greedy,
    MolinderBonus,
    MolinderLower,
    Random,
    Softened,
    StrategyName,
)

_WITH_NUMBER: dict[str, Callable[[str], Objective]] = {
    "target": Target.read,
    "chance": ScoreAtChance.read,
    "exp": Exponential.read,
    "utility": Utility.read,
}
_PLAIN: dict[str, StrategyName] = {str(name): name for name in (Greedy(), Random(), MolinderBonus(), MolinderLower())}
MATCH = "match:"

OBJECTIVE_FORMS = (Expected.form, Target.form, ScoreAtChance.form, Exponential.form, Utility.form)
"""Objectives of one player."""
MATCH_FORMS = (Emp.form, DynS.form, "match:auto", "match:auto:SECONDS")
"""Objectives of several."""
STRATEGY_FORMS = (*OBJECTIVE_FORMS, *_PLAIN, Softened.form, Exported.form, Custom.form)
"""Strategies that play alone."""


def is_match_objective(text: str) -> bool:
    """Whether a text names an objective of several players."""
    return text.strip().startswith(MATCH)


def parse_objective(text: str) -> Objective:
    """Read an objective, of one player or of several."""
    text = text.strip()
    if text == "expected":
        return Expected()
    if is_match_objective(text):
        return parse_match_objective(text)
    kind, _, rest = text.partition(":")
    if kind not in _WITH_NUMBER or not rest:
        raise InputError(
            f"there is no objective {_shown(text)}; objectives are {', '.join((*OBJECTIVE_FORMS, *MATCH_FORMS))}"
        )
    return _WITH_NUMBER[kind](rest)


def parse_match_objective(text: str) -> MatchObjective:
    """Read an objective of several players."""
    text = text.strip()
    found = read_search(text.removeprefix(MATCH)) if is_match_objective(text) else None
    if found is None:
        raise InputError(f"there is no match objective {_shown(text)}; match objectives are {', '.join(MATCH_FORMS)}")
    return found


def parse_strategy(text: str) -> StrategyName:
    """Read a strategy."""
    text = text.strip()
    if text in _PLAIN:
        return _PLAIN[text]
    path, _, class_name = text.rpartition(":")
    if path.endswith(".py"):
        return Custom(path, class_name)
    kind, _, rest = text.partition(":")
    if kind == "file" and rest:
        return Exported(rest)
    if kind == "softened" and rest:
        return _softened(text, rest)
    if kind in ("expected", "match", *_WITH_NUMBER):
        return Best(parse_objective(text))
    raise InputError(
        f"there is no strategy {_shown(text)}; strategies are {', '.join((*STRATEGY_FORMS, *MATCH_FORMS))}"
    )


def _softened(text: str, rest: str) -> Softened:
    number, _, objective = rest.partition(":")
    try:
        firmness = float(number)
    except ValueError:
        firmness = math.nan
    if not 0 <= firmness < math.inf:
        raise InputError(f"{_shown(text)[1:-1]}: the firmness must be a number from 0 on, such as softened:1")
    return Softened(parse_objective(objective) if objective else Expected(), firmness)


def _shown(text: str) -> str:
    return repr(text if len(text) <= 60 else f"{text[:60]}…")
