"""Outlooks: building their table, querying it, and estimating an outlook where the table would be too large.

Times are CPU times of all cores together, which depend less on what else is running.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks.report import Grid, Result, Settings, Value, seconds, size
from yatzy.coach.sampled_outlook import GAMES as SAMPLED_GAMES
from yatzy.coach.sampled_outlook import SampledOutlooks
from yatzy.evaluation.outlook import Outlooks, estimated_bytes
from yatzy.games import Position, load_game
from yatzy.values.expected import ExpectedScore
from yatzy.values.resources import Resources

GAMES = ("yatzy", "yahtzee")
QUICK_GAMES = ("yacht",)
TOO_LARGE = "maxi-yatzy"


def run(settings: Settings) -> Result:
    Outlooks(load_game("two-yatzy"), ExpectedScore(load_game("two-yatzy")))  # compiles or loads the kernels
    rows: list[list[str]] = []
    data: dict[str, Value] = {}
    for id in QUICK_GAMES if settings.quick else GAMES:
        with TemporaryDirectory() as folder:
            rows.append(_measure_table(id, folder, data))
    if not settings.quick:
        rows.append(_measure_sample(data))
    columns = ("game", "building", "on disk", "one outlook")
    caption = (
        "CPU times of all cores together. one outlook: of a position in the middle of a turn, median of 20."
        f" {TOO_LARGE}: the table would have this size and is not built; the outlook is estimated from"
        f" {SAMPLED_GAMES:,} simulated games."
    )
    return Result([Grid("Outlooks", columns, rows, caption)], data)


def _cpu_time(action: Callable[[], object]) -> float:
    begun = time.process_time()
    action()
    return time.process_time() - begun


def _measure_table(id: str, folder: str, data: dict[str, Value]) -> list[str]:
    game = load_game(id)
    expected = ExpectedScore(game, Resources(folder))
    building = _cpu_time(lambda: Outlooks(game, expected, Resources(folder)))
    outlooks, start = Outlooks(game, expected, Resources(folder)), Position.start(game)
    rolls = [sorted((low, low, 3, high, high)) for low in range(1, 5) for high in range(2, 7)]
    asking = median(_cpu_time(lambda roll=roll: outlooks.at(start.roll(roll))) for roll in rolls)  # type: ignore[misc]
    data[id] = {"cpu_seconds": building, "bytes": outlooks.table.size, "outlook_seconds": asking}
    return [id, seconds(building), size(outlooks.table.size), seconds(asking)]


def _measure_sample(data: dict[str, Value]) -> list[str]:
    game = load_game(TOO_LARGE)
    outlooks, position = SampledOutlooks(ExpectedScore(game)), Position.start(game).roll((1, 3, 3, 5, 6, 6))
    first, *later = (_cpu_time(lambda: outlooks.at(position)) for _ in range(4))  # the first loads the kernels
    bytes_ = estimated_bytes(game)
    data[TOO_LARGE] = {"estimated_bytes": bytes_, "first_seconds": first, "outlook_seconds": min(later)}
    return [TOO_LARGE, "", size(bytes_), seconds(min(later))]
