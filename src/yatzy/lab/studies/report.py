"""The report of a study: Markdown for people, CSV for programs. The same study gives the same bytes."""

from __future__ import annotations

import csv
import platform
from collections.abc import Iterable, Sequence
from io import StringIO
from typing import Any

import numpy as np

from yatzy.lab.studies.drawing import FOLDER, Picture, draw_study
from yatzy.lab.studies.running import CellResult, PlayersResult, StudyResult, beside, game_names
from yatzy.lab.studies.summary import (
    Measure,
    category_measures,
    cell_measures,
    pair_measures,
    seat_measures,
    winner_measures,
)
from yatzy.store.files import write_atomic
from yatzy.values.tables import Progress

BESIDE = 3
"""Cells shown side by side in a table."""

_NOTES = """\
± is one standard error. *Exact* numbers come from following all chances through the game and have none; their lowest
and highest scores are those that can occur at all, however rarely. Percentile p is the least score that at least p % of
the games do not exceed. Shares are of all games."""

_COMPARED = """\
The difference is the first score less the second. Total variation is half the sum of the differences between the two
distributions of scores, overlap what they have in common; sampled, the first comes out too large by up to the noise.
Exact numbers are for independent dice."""


def write_report(result: StudyResult, progress: Progress | None = None) -> None:
    """Write the figures, the tables and finally the report itself."""
    pictures = draw_study(result, progress)
    tables = {
        "summary": _summary_rows(result),
        "categories": _category_rows(result),
        "distributions": _distribution_rows(result),
        "comparisons": _comparison_rows(result),
        "players": _player_rows(result),
    }
    for name, rows in tables.items():
        if len(rows) > 1:
            write_atomic(result.folder / f"{name}.csv", _csv(rows))
    write_atomic(result.report, _markdown(result, pictures))


def _markdown(result: StudyResult, pictures: Sequence[Picture]) -> str:
    study = result.study
    sections = [f"# {_line(study.title)}", _how(result)]
    if result.cells:
        sections += ["## Summary", _overview(result), _NOTES]
        sections += ["## All numbers", *_details(result)]
        sections += ["## Distributions", *_shown(pictures, "together")]
        for entry in result.cells:
            sections += _shown(pictures, f"cell {entry.cell.name}")
        sections += ["## Categories", *_categories(result), *_shown(pictures, "categories")]
    if result.pairs:
        sections += ["## Comparisons", _comparisons(result), _COMPARED, *_shown(pictures, "pairs")]
    if result.players:
        sections.append("## Several players")
        for table in result.players:
            sections += [*_players(table), *_shown(pictures, f"players {table.players.name}")]
    sections += [f"## {study.path.name}", f"```toml\n{study.text.rstrip()}\n```"]
    return "\n\n".join(sections) + "\n"


def _how(result: StudyResult) -> str:
    from yatzy import __version__

    study, lines = result.study, []
    if result.cells:
        games = ", ".join(f"{count:,}" for count in sorted({cell.count for cell in study.cells}))
        dice = "the same dice for all" if study.same_dice else "independent dice"
        lines.append(f"{games} games of each strategy, seed {study.seed}, {dice}")
    for table in study.players:
        played = f"{table.count:,} games of {len(table.seats)} players, seed {table.seed}, independent dice"
        lines.append(f"{_line(table.name)}: {played}")
    versions = f"yatzy {__version__}, Python {platform.python_version()}, NumPy {np.__version__}"
    lines.append(f"made by `yatzy study {study.path.name}` (the file is at the end) with {versions}")
    lines.append("the same command gives the same numbers, on any number of threads")
    return "\n".join(f"- {line}" for line in lines)


def _overview(result: StudyResult) -> str:
    headings = {"mean": "mean", "sd": "sd", "median": "median", "bonus": "bonus [%]", "yatzy": "yatzy [%]"}
    found = [{measure.id: measure for measure in cell_measures(entry)} for entry in result.cells]
    wanted = [id for id in headings if any(id in measures for measures in found)]
    head = ["", "games", *(text for id in wanted for text in (headings[id], "exact"))]
    rows = []
    for entry, measures in zip(result.cells, found, strict=True):
        texts = [text for id in wanted for text in _beside(measures.get(id))]
        rows.append([_code(entry.cell.name), f"{entry.cell.count:,}", *texts])
    return _table(head, rows)


def _beside(measure: Measure | None) -> tuple[str, str]:
    return ("", "") if measure is None else (measure.simulated_text, measure.exact_text)


def _details(result: StudyResult) -> list[str]:
    tables = []
    for entries in beside(result.cells, BESIDE):
        found = [{measure.id: measure for measure in cell_measures(entry, result.study.at_least)} for entry in entries]
        labels = {id: measure.label for one in reversed(found) for id, measure in one.items()}
        order = sorted(labels, key=lambda id: min(list(one).index(id) for one in found if id in one))
        tables.append(_measure_table(entries, [(labels[id], [one.get(id) for one in found]) for id in order]))
    return tables


def _measure_table(entries: Sequence[CellResult], rows: Sequence[tuple[str, Sequence[Measure | None]]]) -> str:
    """Rows of measures, for each cell simulated and, if known, exact."""
    head = [""]
    for entry in entries:
        head += [_code(entry.cell.name)] + ["exact"] * (entry.exact is not None)
    lines = []
    for label, measures in rows:
        line = [label]
        for entry, measure in zip(entries, measures, strict=True):
            line += _beside(measure)[: 1 + (entry.exact is not None)]
        lines.append(line)
    return _table(head, lines)


def _categories(result: StudyResult) -> list[str]:
    texts = []
    for sheet in result.sheets:
        for which, what in enumerate(("mean points", "games with points [%]")):
            texts.append(f"### {game_names(sheet)}: {what}")
            for entries in beside(sheet, BESIDE):
                found = [category_measures(entry) for entry in entries]
                categories = sheet[0].games.game.categories
                rows = [(_line(one.name()), [cell[one.id][which] for cell in found]) for one in categories]
                texts.append(_measure_table(entries, rows))
    return texts


def _comparisons(result: StudyResult) -> str:
    head = ["first", "second", ""]
    rows = []
    for pair in result.pairs:
        measures = pair_measures(pair)
        head = [*head[:3], *(measure.label for measure in measures), "noise"]
        names = [_code(pair.first.cell.name), _code(pair.second.cell.name)]
        dice = "the same dice" if pair.comparison.paired else "independent dice"
        simulated = [measure.simulated_text for measure in measures]
        rows.append([*names, f"simulated, {dice}", *simulated, f"{pair.comparison.noise:.4f}"])
        if pair.exact is not None:
            rows.append([*names, "exact, independent dice", *(measure.exact_text for measure in measures), "0"])
    return _table(head, rows, words=3)


def _players(table: PlayersResult) -> list[str]:
    seats = seat_measures(table)
    exact = table.exact is not None
    head = ["player", "strategy"]
    for measure in seats[0]:
        head += [measure.label] + ["exact"] * exact
    rows = []
    for number, (choice, measures) in enumerate(zip(table.players.seats, seats, strict=True), start=1):
        texts = [text for measure in measures for text in _beside(measure)[: 1 + exact]]
        rows.append([str(number), _code(choice.label), *texts])
    winner = winner_measures(table)
    said = ", ".join(
        f"{measure.label} {measure.simulated_text}" + (f" (exact {measure.exact_text})" if exact else "")
        for measure in winner
    )
    return [
        f"### {_line(table.players.name)}",
        f"{table.players.game.name()}, {table.players.count:,} games. The score that wins: {said}.",
        _table(head, rows, words=2),
        "A win is shared between all who have the most points. Of the others, one beaten counts 1 and one level ½.",
    ]


def _shown(pictures: Iterable[Picture], section: str) -> list[str]:
    return [f"![{_line(one.title)}]({FOLDER}/{one.name}.svg)" for one in pictures if one.section == section]


def _line(text: str) -> str:
    """Text on one line, with Markdown characters escaped."""
    return "".join(f"\\{letter}" if letter in "\\`*_[]<>|" else letter for letter in " ".join(text.split()))


def _code(text: str) -> str:
    return f"`{' '.join(text.split()).replace('|', '¦').replace('`', '´')}`"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]], words: int = 1) -> str:
    """A table whose first columns hold words and the others numbers."""
    lines = [list(head), ["---" if column < words else "---:" for column in range(len(head))], *map(list, rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


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
