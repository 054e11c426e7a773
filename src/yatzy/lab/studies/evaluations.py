"""A cache of exact evaluations: each is computed once, however often a study is interrupted or rerun."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import numpy.typing as npt

from yatzy.errors import InputError, Message
from yatzy.evaluation.distribution import BONUS, CategoryResult, Distribution, Evaluation, FloatArray
from yatzy.evaluation.evaluating import EVALUATION, evaluate
from yatzy.games import Game
from yatzy.lab.results import result_key
from yatzy.store.kept import KeptResults, decode_arrays, encode_arrays
from yatzy.store.locking import tell
from yatzy.strategies.base import Strategy
from yatzy.values.resources import DEFAULTS, Progress, Resources

Split: TypeAlias = tuple[str, ...]
"""Events by which games are split: the upper bonus, or points in a category."""


@dataclass(frozen=True, eq=False)
class Exact:
    """The exact result of a strategy, with its games split by events."""

    evaluation: Evaluation
    parts: Mapping[Split, tuple[FloatArray, ...]]
    """The mass of the parts, as in `Evaluation.parts`, for each split."""

    @property
    def score(self) -> Distribution:
        """The distribution of the final score."""
        return self.evaluation.score

    @property
    def yatzy(self) -> float | None:
        """The chance of points for all dice equal; None in a game without such a category."""
        category = self.evaluation.game.yatzy_category
        return None if category is None else self.evaluation.categories[category].hit


def usual_splits(game: Game) -> list[Split]:
    """By the upper bonus, and by points for all dice equal, as far as the game has them."""
    splits: list[Split] = [] if game.bonus is None else [(BONUS,)]
    if game.yatzy_category is not None:
        splits.append((game.categories[game.yatzy_category].id,))
    return splits


def evaluate_whole(
    strategy: Strategy,
    folder: Path,
    resources: Resources = DEFAULTS,
    what: str = "",
    splits: Sequence[Split] | None = None,
) -> Exact:
    """Evaluate a strategy once for each split, by default the usual ones; `what` is the title of progress."""
    progress = _watch(resources, strategy, what)
    rounds = (usual_splits(strategy.game) if splits is None else splits) or [()]
    found: dict[Split, Evaluation] = {}
    for number, split in enumerate(rounds):
        watch = _round(progress, number, len(rounds))
        found[split] = _evaluate(strategy, folder, split, resources, watch)
    return Exact(found[rounds[0]], {split: one.parts for split, one in found.items() if split})


def _round(progress: Progress | None, number: int, rounds: int) -> Progress | None:
    if progress is None:
        return None
    tell = progress
    return lambda done, total: tell(number * total + done, rounds * total)


def evaluate_once(
    strategy: Strategy,
    folder: Path,
    split: Split = (),
    resources: Resources = DEFAULTS,
    what: str = "",
    checkpoints: Path | None = None,
) -> Evaluation:
    """The result of `evaluate`, read from the folder if it was computed before; `what` is the title of progress."""
    return _evaluate(strategy, folder, split, resources, _watch(resources, strategy, what), checkpoints)


def _watch(resources: Resources, strategy: Strategy, what: str) -> Progress | None:
    return resources.watch(
        what or Message("{game} by {strategy}, exactly", game=strategy.game, strategy=strategy.name), "Evaluating"
    )


def _evaluate(
    strategy: Strategy,
    folder: Path,
    split: Split,
    resources: Resources,
    progress: Progress | None,
    checkpoints: Path | None = None,
) -> Evaluation:
    kept = KeptResults(folder, EVALUATION, resources.report)
    key = {**result_key(strategy), "split": ",".join(split) or None}
    found = kept.read(key, lambda data: _decode(data, strategy, split))
    if found is None:
        found = evaluate(strategy, None, resources.threads, progress, split, checkpoints=checkpoints)
        try:
            kept.write(key, _encode(found))
        except InputError as error:  # the result is worth more than its copy, for example in a read-only folder
            tell(resources.report, Message("{error}; the evaluation is not kept", error=error))
    return found


def _encode(found: Evaluation) -> bytes:
    arrays: dict[str, npt.ArrayLike] = {"score": found.score.mass, "bonus": [found.bonus]}
    arrays |= {f"category_{i}": entry.points.mass for i, entry in enumerate(found.categories)}
    arrays |= {f"part_{i}": part for i, part in enumerate(found.parts)}
    return encode_arrays(arrays)


def _decode(data: bytes, strategy: Strategy, split: Split) -> Evaluation:
    arrays = decode_arrays(data)
    categories = tuple(
        CategoryResult(category, Distribution(arrays[f"category_{i}"]))
        for i, category in enumerate(strategy.game.categories)
    )
    parts = tuple(arrays[f"part_{i}"] for i in range(1 << len(split))) if split else ()
    score = Distribution(arrays["score"])
    return Evaluation(strategy.game, strategy.name, score, float(arrays["bonus"][0]), categories, split, parts)
