"""The numbers of a study as CSV files, for programs. The same study gives the same bytes."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from io import StringIO
from typing import Any

import numpy as np

from yatzy.lab.studies.running import StudyResult
from yatzy.lab.studies.summary import (
    Measure,
    category_measures,
    cell_measures,
    pair_measures,
    seat_measures,
    split_measures,
    winner_measures,
)


def study_csv(result: StudyResult) -> dict[str, str]:
    """Every table that has rows, as CSV by the name of its file."""
    tables = {
        "summary": _summary_rows(result),
        "categories": _category_rows(result),
        "distributions": _distribution_rows(result),
        "splits": _split_rows(result),
        "comparisons": _comparison_rows(result),
        "players": _player_rows(result),
    }
    return {f"{name}.csv": _csv(rows) for name, rows in tables.items() if len(rows) > 1}


def _csv(rows: Iterable[Sequence[Any]]) -> str:
    """CSV with twelve digits: further ones depend on the order of summation, and so on the threads."""
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    for row in rows:
        writer.writerow([f"{value:.12g}" if isinstance(value, float) else value for value in row])
    return text.getvalue()


def _numbers(measure: Measure) -> list[float | None]:
    return [measure.simulated.value, measure.simulated.error, measure.exact]


def _named(measures: Sequence[Measure]) -> list[str]:
    return [name for measure in measures for name in (measure.id, f"{measure.id}_error", f"{measure.id}_exact")]


def _summary_rows(result: StudyResult) -> list[list[Any]]:
    rows: list[list[Any]] = [["cell", "game", "strategy", "games", "measure", "simulated", "error", "exact"]]
    for entry in result.cells:
        cell = [entry.cell.name, entry.games.game.id, entry.cell.choice.label, entry.cell.count]
        measures = cell_measures(entry, result.study.at_least)
        rows += [[*cell, measure.id, *_numbers(measure)] for measure in measures]
    return rows


def _category_rows(result: StudyResult) -> list[list[Any]]:
    rows: list[list[Any]] = []
    for entry in result.cells:
        for id, measures in category_measures(entry).items():
            rows = rows or [["cell", "category", *_named(measures)]]
            rows.append([entry.cell.name, id, *(number for one in measures for number in _numbers(one))])
    return rows


def _distribution_rows(result: StudyResult) -> list[list[Any]]:
    rows: list[list[Any]] = [["cell", "score", "games", "exact"]]
    for entry in result.cells:
        counts = np.bincount(entry.games.total)
        mass = np.zeros(0) if entry.exact is None else entry.exact.score.mass
        for score in range(max(len(counts), len(mass))):
            games = int(counts[score]) if score < len(counts) else 0
            exact = float(mass[score]) if score < len(mass) else 0.0
            if games or exact:
                rows.append([entry.cell.name, score, games, None if entry.exact is None else exact])
    return rows


def _split_rows(result: StudyResult) -> list[list[Any]]:
    rows: list[list[Any]] = [["cell", "events", "happened", "measure", "simulated", "error", "exact"]]
    if result.study.splits is None:
        return rows
    for entry in result.cells:
        for events in entry.splits:
            for one in split_measures(entry, events):
                part = [entry.cell.name, " ".join(events), " ".join(one.happened)]
                rows += [[*part, found.id, *_numbers(found)] for found in (one.share, one.mean) if found is not None]
    return rows


def _comparison_rows(result: StudyResult) -> list[list[Any]]:
    rows: list[list[Any]] = []
    for pair in result.pairs:
        measures, dice = pair_measures(pair), "same" if pair.comparison.paired else "independent"
        rows = rows or [["first", "second", "games", "dice", *_named(measures), "difference_sd", "noise"]]
        names = [pair.first.cell.name, pair.second.cell.name, pair.first.cell.count, dice]
        numbers = [number for one in measures for number in _numbers(one)]
        rows.append([*names, *numbers, pair.comparison.difference_sd, pair.comparison.noise])
    return rows


def _player_rows(result: StudyResult) -> list[list[Any]]:
    rows: list[list[Any]] = [["table", "player", "strategy", "measure", "simulated", "error", "exact"]]
    for table in result.players:
        name = table.players.name
        rows += [[name, "winner", "", measure.id, *_numbers(measure)] for measure in winner_measures(table)]
        for number, measures in enumerate(seat_measures(table)):
            label = table.players.seats[number].label
            rows += [[name, number + 1, label, measure.id, *_numbers(measure)] for measure in measures]
    return rows
