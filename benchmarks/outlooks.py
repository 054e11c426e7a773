"""Outlooks: building their table, querying it, and estimating an outlook where the table would be too large."""

from __future__ import annotations

import time
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks.report import Grid, Result, Settings, Value, seconds, size
from benchmarks.timing import Times
from yatzy.coach.sampled_outlook import GAMES as SAMPLED_GAMES
from yatzy.coach.sampled_outlook import SampledOutlooks
from yatzy.evaluation.outlook import Outlooks, estimated_bytes
from yatzy.games import Position, load_game
from yatzy.values.expected import ExpectedScore

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
    columns = ("game", "CPU time", "time", "on disk", "one outlook")
    caption = (
        "CPU time: of all cores together. one outlook: of a position in the middle of a turn, median of 20."
        f" {TOO_LARGE}: the table would have this size and is not built; the outlook is estimated from"
        f" {SAMPLED_GAMES:,} simulated games."
    )
    return Result([Grid("Outlooks", columns, rows, caption)], data)


def _measure_table(id: str, folder: str, data: dict[str, Value]) -> list[str]:
    game = load_game(id)
    expected = ExpectedScore(game, folder)
    before, begun = time.process_time(), time.perf_counter()
    outlooks = Outlooks(game, expected, folder)
    cpu, clock = time.process_time() - before, time.perf_counter() - begun
    asking = Times()
    for low in range(1, 5):
        for high in range(2, 7):
            position = Position.start(game).roll(sorted((low, low, 3, high, high)))
            asking.add(lambda position=position: outlooks.at(position))  # type: ignore[misc]
    bytes_ = outlooks.table.size
    data[id] = {"cpu_seconds": cpu, "seconds": clock, "bytes": bytes_, "outlook_seconds": median(asking.all)}
    return [id, seconds(cpu), seconds(clock), size(bytes_), seconds(median(asking.all))]


def _measure_sample(data: dict[str, Value]) -> list[str]:
    game = load_game(TOO_LARGE)
    outlooks, asking = SampledOutlooks(ExpectedScore(game)), Times()
    position = Position.start(game).roll((1, 3, 3, 5, 6, 6))
    for _ in range(4):  # the first run compiles or loads the kernels
        asking.add(lambda: outlooks.at(position))
    bytes_, once = estimated_bytes(game), min(asking.all[1:])
    data[TOO_LARGE] = {"estimated_bytes": bytes_, "outlook_seconds": once}
    return [TOO_LARGE, "", "", size(bytes_), seconds(once)]
