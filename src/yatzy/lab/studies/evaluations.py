"""A cache of exact evaluations: each is computed once, however often a study is interrupted or rerun."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import numpy.typing as npt

from yatzy.evaluation.distribution import CategoryResult, Distribution, Evaluation, FloatArray
from yatzy.evaluation.evaluating import EVALUATION, evaluate
from yatzy.lab.results import result_key
from yatzy.store.kept import KeptResults, decode_arrays, encode_arrays
from yatzy.strategies.base import Strategy
from yatzy.values.resources import DEFAULTS, Progress, Resources

BONUS = "bonus"
"""The split into games with the upper bonus and the others."""

Parts: TypeAlias = tuple[FloatArray, FloatArray]
"""The mass of the games without and with something, [score] each."""


@dataclass(frozen=True, eq=False)
class Exact:
    """The exact result of a strategy, with its games split by the bonus and by all dice equal."""

    evaluation: Evaluation
    by_bonus: Parts | None
    by_yatzy: Parts | None

    @property
    def score(self) -> Distribution:
        """The distribution of the final score."""
        return self.evaluation.score

    @property
    def yatzy(self) -> float | None:
        """The chance of points for all dice equal; None in a game without such a category."""
        category = self.evaluation.game.yatzy_category
        return None if category is None else self.evaluation.categories[category].hit


def evaluate_whole(strategy: Strategy, folder: Path, resources: Resources = DEFAULTS, what: str = "") -> Exact:
    """Evaluate a strategy once for each split: by the bonus and by all dice equal; `what` is the title of progress."""
    game, progress = strategy.game, _watch(resources, strategy, what)
    splits = [] if game.bonus is None else [BONUS]
    if game.yatzy_category is not None:
        splits.append(game.categories[game.yatzy_category].id)
    rounds: list[str | None] = [*splits] or [None]
    found: dict[str | None, Evaluation] = {}
    for number, split in enumerate(rounds):
        watch = _round(progress, number, len(rounds))
        found[split] = _evaluate(strategy, folder, split, resources, watch)
    by_yatzy = found[splits[-1]].parts if game.yatzy_category is not None else None
    return Exact(found[rounds[0]], found[BONUS].parts if BONUS in found else None, by_yatzy)


def _round(progress: Progress | None, number: int, rounds: int) -> Progress | None:
    if progress is None:
        return None
    tell = progress
    return lambda done, total: tell(number * total + done, rounds * total)


def evaluate_once(
    strategy: Strategy, folder: Path, split: str | None = None, resources: Resources = DEFAULTS, what: str = ""
) -> Evaluation:
    """The result of `evaluate`, read from the folder if it was computed before; `what` is the title of progress."""
    return _evaluate(strategy, folder, split, resources, _watch(resources, strategy, what))


def _watch(resources: Resources, strategy: Strategy, what: str) -> Progress | None:
    return resources.watch(what or f"{strategy.game.name()} by {strategy.name}, exactly", "Evaluating")


def _evaluate(
    strategy: Strategy, folder: Path, split: str | None, resources: Resources, progress: Progress | None
) -> Evaluation:
    kept, key = KeptResults(folder, EVALUATION, resources.report), {**result_key(strategy), "split": split}
    found = kept.read(key, lambda data: _decode(data, strategy))
    if found is None:
        found = evaluate(strategy, None, resources.threads, progress, split)
        kept.write(key, _encode(found))
    return found


def _encode(found: Evaluation) -> bytes:
    arrays: dict[str, npt.ArrayLike] = {"score": found.score.mass, "bonus": [found.bonus]}
    arrays |= {f"category_{i}": entry.points.mass for i, entry in enumerate(found.categories)}
    arrays |= {f"part_{i}": part for i, part in enumerate(found.parts or ())}
    return encode_arrays(arrays)


def _decode(data: bytes, strategy: Strategy) -> Evaluation:
    arrays = decode_arrays(data)
    categories = tuple(
        CategoryResult(category, Distribution(arrays[f"category_{i}"]))
        for i, category in enumerate(strategy.game.categories)
    )
    parts = (arrays["part_0"], arrays["part_1"]) if "part_0" in arrays else None
    score = Distribution(arrays["score"])
    return Evaluation(strategy.game, strategy.name, score, float(arrays["bonus"][0]), categories, parts)
