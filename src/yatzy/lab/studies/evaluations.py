"""Exact evaluations on disk: each is done once, however often a study is interrupted or run again."""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any, TypeAlias
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt

from yatzy.errors import InputError
from yatzy.evaluation.distribution import CategoryResult, Distribution, Evaluation, FloatArray
from yatzy.evaluation.evaluate import evaluate
from yatzy.lab.results import key_digest, sample_key
from yatzy.reading import MOST_KEPT, read_bounded
from yatzy.store import Report
from yatzy.store.files import write_atomic
from yatzy.strategies.base import Strategy
from yatzy.values.tables import Progress

BONUS = "bonus"
"""The split that tells games with the upper bonus from the others."""

Parts: TypeAlias = tuple[FloatArray, FloatArray]
"""The mass of the games without and with something, [score] each."""


@dataclass(frozen=True, eq=False)
class Exact:
    """Exactly what a strategy does, and what its games with the bonus and with all dice equal make."""

    evaluation: Evaluation
    by_bonus: Parts | None
    by_yatzy: Parts | None

    @property
    def score(self) -> Distribution:
        """The distribution of the final score."""
        return self.evaluation.score

    @property
    def yatzy(self) -> float | None:
        """The chance of points for all dice equal, None in a game without such a category."""
        category = self.evaluation.game.yatzy_category
        return None if category is None else self.evaluation.categories[category].hit


def evaluate_whole(
    strategy: Strategy,
    folder: Path,
    threads: int | None = None,
    progress: Progress | None = None,
    report: Report | None = None,
) -> Exact:
    """A strategy with its games split by bonus and by all dice equal: an evaluation for each split."""
    game = strategy.game
    splits = [] if game.bonus is None else [BONUS]
    if game.yatzy_category is not None:
        splits.append(game.categories[game.yatzy_category].id)
    rounds: list[str | None] = [*splits] or [None]
    found: dict[str | None, Evaluation] = {}
    for number, split in enumerate(rounds):
        watch = _round(progress, number, len(rounds))
        found[split] = evaluate_once(strategy, folder, split, threads, watch, report)
    by_yatzy = found[splits[-1]].parts if game.yatzy_category is not None else None
    return Exact(found[rounds[0]], found[BONUS].parts if BONUS in found else None, by_yatzy)


def _round(progress: Progress | None, number: int, rounds: int) -> Progress | None:
    if progress is None:
        return None
    tell = progress
    return lambda done, total: tell(number * total + done, rounds * total)


def evaluate_once(
    strategy: Strategy,
    folder: Path,
    split: str | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    report: Report | None = None,
) -> Evaluation:
    """What `evaluate` finds, or found before."""
    key = {**sample_key(strategy), "split": split}
    path = folder / f"exact-{key_digest(key)}.npz"
    if path.exists():
        found = _read(path, strategy, key)
        if found is not None:
            return found
        if report is not None:
            report(f"{path}: is damaged; {strategy.name} is evaluated again")
    found = evaluate(strategy, None, threads, progress, split)
    _write(path, found, key)
    return found


def _write(path: Path, found: Evaluation, key: Mapping[str, Any]) -> None:
    arrays: dict[str, npt.NDArray[Any]] = {"score": found.score.mass, "bonus": np.array(found.bonus)}
    arrays |= {f"category_{i}": entry.points.mass for i, entry in enumerate(found.categories)}
    arrays |= {f"part_{i}": part for i, part in enumerate(found.parts or ())}
    about = {"key": dict(key), "checksum": _checksum(arrays)}
    buffer = BytesIO()
    np.savez_compressed(buffer, about=np.array(json.dumps(about)), **arrays)  # type: ignore[arg-type]
    write_atomic(path, buffer.getvalue())


def _read(path: Path, strategy: Strategy, key: Mapping[str, Any]) -> Evaluation | None:
    try:
        # From bytes: NumPy leaves a damaged file open.
        with np.load(BytesIO(read_bounded(path, MOST_KEPT, "an evaluation")), allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
        about = json.loads(str(arrays.pop("about")))
        if about != {"key": dict(key), "checksum": _checksum(arrays)}:
            return None
    except (InputError, MemoryError, ValueError, KeyError, EOFError, BadZipFile, zlib.error, NotImplementedError):
        return None
    categories = tuple(
        CategoryResult(category, Distribution(arrays[f"category_{i}"]))
        for i, category in enumerate(strategy.game.categories)
    )
    parts = (arrays["part_0"], arrays["part_1"]) if "part_0" in arrays else None
    score = Distribution(arrays["score"])
    return Evaluation(strategy.game, strategy.name, score, float(arrays["bonus"]), categories, parts)


def _checksum(arrays: Mapping[str, npt.NDArray[Any]]) -> str:
    digest = hashlib.blake2b(digest_size=16)
    for name in sorted(arrays):
        digest.update(f"{name} {arrays[name].dtype} {arrays[name].shape}".encode())
        digest.update(arrays[name].tobytes())
    return digest.hexdigest()
