"""The report of a study, in English: a document with tables and figures, and the main tables for the terminal.

The same study gives the same bytes.
"""

from __future__ import annotations

import platform
from collections.abc import Iterable, Iterator, Sequence
from math import floor, log10

import numpy as np

from yatzy import __version__
from yatzy.lab.splits import part_names
from yatzy.lab.studies.drawing import FOLDER, Picture, draw_study
from yatzy.lab.studies.running import PARTS, CellResult, PlayersResult, StudyResult, beside, game_names
from yatzy.lab.studies.summary import (
    Kind,
    Measure,
    category_measures,
    cell_measures,
    pair_measures,
    seat_measures,
    split_measures,
    winner_measures,
)
from yatzy.lab.studies.tables import write_tables
from yatzy.report.document import Block, Code, Figure, Heading, Items, Marked, Paragraph, Table, code_text, to_markdown
from yatzy.store import Report
from yatzy.store.files import locked, write_atomic
from yatzy.values.resources import Progress

BESIDE = 3
"""Cells shown side by side in a table."""
MOST_DECIMALS = 4

OVERVIEW = {"mean": "mean", "sd": "sd", "median": "median", "bonus": "bonus [%]", "yatzy": "yatzy [%]"}
"""The measures of the summary, with their headings."""
CELL = {
    "mean": "mean",
    "sd": "standard deviation",
    "variance": "variance",
    "median": "median",
    "mode": "most frequent score",
    "min": "lowest score",
    "max": "highest score",
    "p": "percentile {number}",
    "at_least_": "{number} points or more [%]",
    "bonus": "upper bonus [%]",
    "yatzy": "{category} [%]",
    "jokers": "Joker bonuses [points]",
}
CATEGORY = {"mean": "mean points", "share": "games with points [%]"}
PAIR = {
    "wins": "first wins [%]",
    "draws": "draws [%]",
    "losses": "second wins [%]",
    "difference": "difference [points]",
    "total_variation": "total variation",
    "overlap": "overlap",
}
SEAT = {
    "wins": "share of wins [%]",
    "outright": "wins alone [%]",
    "beaten": "opponents beaten",
    "rank": "mean rank",
    "mean": "mean score",
}

_NOTES = (
    "± is one standard error. *Exact* numbers are computed from the probabilities of all games and have no standard"
    " error; their lowest and highest scores are the extremes that are possible at all. Percentile p is the lowest"
    " score that at least p % of the games do not exceed. Shares refer to all games."
)
_COMPARED = (
    "The difference is the first score minus the second. Total variation is half the sum of the absolute differences"
    " between the two distributions of scores, and overlap is what they have in common. In a sample, sampling noise"
    " makes the total variation too large, by up to the amount shown as noise. Exact numbers are for independent"
    " dice."
)
_SHARED = "Tied winners share the win. Every opponent beaten counts 1, and every opponent with the same score ½."


def write_study(result: StudyResult, progress: Progress | None = None, report: Report | None = None) -> None:
    """Write the figures, the tables as CSV and finally report.md into the folder of a study."""
    with locked(result.folder / PARTS, "study", report):
        pictures = draw_study(result, progress)
        write_tables(result)
        write_atomic(result.report, to_markdown(study_blocks(result, pictures), result.folder))


def simulated_text(measure: Measure) -> str:
    """The simulated number with its error, to two digits of the error; without an error, the number only."""
    scale = 100 if measure.kind is Kind.SHARE else 1
    value, error = scale * measure.simulated.value, scale * measure.simulated.error
    if measure.kind is Kind.SCORE:
        return f"{value:.0f} ± {error:g}" if error else f"{value:.0f}"
    if error == 0:
        return f"{value:.{2 if measure.kind is Kind.SHARE else MOST_DECIMALS}f}"
    decimals = min(max(1 - floor(log10(error)), 0), MOST_DECIMALS)
    return f"{value:.{decimals}f} ± {error:.{decimals}f}"


def exact_text(measure: Measure) -> str:
    """The exact number, or a dash if unknown."""
    if measure.exact is None:
        return "–"
    if measure.kind is Kind.SCORE:
        return f"{measure.exact:.0f}"
    value = 100 * measure.exact if measure.kind is Kind.SHARE else measure.exact
    return f"{value:.{MOST_DECIMALS}f}" if value == 0 or abs(value) >= 1e-3 else f"{value:.3g}"


# For the terminal


def study_tables(result: StudyResult) -> list[Block]:
    """The main numbers: a table of the strategies, and one of each group of players."""
    blocks: list[Block] = []
    if result.cells:
        rows: list[tuple[str, ...]] = []
        for entry in result.cells:
            found = {measure.id: measure for measure in cell_measures(entry)}
            shown = [found.get(id) for id in OVERVIEW]
            rows.append((entry.cell.name, f"{entry.cell.count:,}", *(_both(one)[0] for one in shown)))
            if entry.exact is not None:
                rows.append(("", "exact", *(_both(one)[1] for one in shown)))
        head = ("", "games", *OVERVIEW.values())
        blocks.append(Table(head, tuple(rows), frozenset({0}), result.study.title))
    for table in result.players:
        blocks += [_seat_lines(table), Paragraph(f"The score that wins: {_winner(table)}")]
    return blocks


def _seat_lines(table: PlayersResult) -> Table:
    rows: list[tuple[str, ...]] = []
    for number, (choice, measures) in enumerate(zip(table.players.seats, seat_measures(table), strict=True), start=1):
        rows.append((str(number), choice.label, *map(simulated_text, measures)))
        if table.exact is not None:
            rows.append(("", "exact", *map(exact_text, measures)))
    return Table(("player", "strategy", *SEAT.values()), tuple(rows), frozenset({0, 1}), table.players.name)


# The whole report


def study_blocks(result: StudyResult, pictures: Sequence[Picture]) -> list[Block]:
    """The whole report; `pictures` are the figures that have been written."""

    def figures(section: str) -> list[Figure]:
        folder = result.folder / FOLDER
        return [Figure(folder / f"{one.name}.svg", one.title) for one in pictures if one.section == section]

    study = result.study
    blocks: list[Block] = [Heading(study.title, 1), Items(tuple(_how(result)))]
    if result.cells:
        blocks += [Heading("Summary"), _overview(result), Paragraph(Marked(_NOTES))]
        blocks += [Heading("All numbers"), *_details(result)]
        blocks += [Heading("Distributions"), *figures("together")]
        for entry in result.cells:
            blocks += figures(f"cell {entry.cell.name}")
        if study.splits is not None:
            blocks += [Heading("Parts of the games"), *_splits(result)]
        blocks += [Heading("Categories"), *_categories(result), *figures("categories")]
    if result.pairs:
        blocks += [Heading("Comparisons"), _comparisons(result), Paragraph(_COMPARED), *figures("pairs")]
    if result.players:
        blocks.append(Heading("Several players"))
        for table in result.players:
            blocks += [*_players(table), *figures(f"players {table.players.name}")]
    return [*blocks, Heading(study.path.name), Code(study.text, "toml")]


def _how(result: StudyResult) -> Iterator[str]:
    study = result.study
    if result.cells:
        games = ", ".join(f"{count:,}" for count in sorted({cell.count for cell in study.cells}))
        dice = "the same dice for all" if study.same_dice else "independent dice"
        yield f"{games} games of each strategy, seed {study.seed}, {dice}"
    for table in study.players:
        played = f"{table.count:,} games of {len(table.seats)} players, seed {table.seed}, independent dice"
        yield f"{table.name}: {played}"
    versions = f"yatzy {__version__}, Python {platform.python_version()}, NumPy {np.__version__}"
    command = code_text(f"yatzy study {study.path.name}")
    yield Marked(f"made by {command} (the file is at the end) with {versions}")
    yield "the same command gives the same numbers with any number of threads"


def _overview(result: StudyResult) -> Table:
    found = [{measure.id: measure for measure in cell_measures(entry)} for entry in result.cells]
    wanted = [id for id in OVERVIEW if any(id in measures for measures in found)]
    head = ["", "games", *(text for id in wanted for text in (OVERVIEW[id], "exact"))]
    rows = []
    for entry, measures in zip(result.cells, found, strict=True):
        texts = [text for id in wanted for text in _both(measures.get(id))]
        rows.append([code_text(entry.cell.name), f"{entry.cell.count:,}", *texts])
    return _table(head, rows)


def _both(measure: Measure | None) -> tuple[str, str]:
    """The simulated and the exact number."""
    return ("", "") if measure is None else (simulated_text(measure), exact_text(measure))


def _details(result: StudyResult) -> Iterator[Table]:
    for entries in beside(result.cells, BESIDE):
        found = [{measure.id: measure for measure in cell_measures(entry, result.study.at_least)} for entry in entries]
        labels = {
            id: _cell_label(id, entry) for entry, one in reversed([*zip(entries, found, strict=True)]) for id in one
        }
        order = sorted(labels, key=lambda id: min(list(one).index(id) for one in found if id in one))
        yield _measure_table(entries, [(labels[id], [one.get(id) for one in found]) for id in order])


def _cell_label(id: str, entry: CellResult) -> str:
    name, game = id.rstrip("0123456789"), entry.games.game
    category = "" if game.yatzy_category is None else game.categories[game.yatzy_category].name()
    return CELL[name].format(number=id.removeprefix(name), category=category)


def _measure_table(entries: Sequence[CellResult], rows: Iterable[tuple[str, Sequence[Measure | None]]]) -> Table:
    """Rows of measures, for each cell simulated and, if known, exact."""
    head = [""]
    for entry in entries:
        head += [code_text(entry.cell.name)] + ["exact"] * (entry.exact is not None)
    lines = []
    for label, measures in rows:
        line = [label]
        for entry, measure in zip(entries, measures, strict=True):
            line += _both(measure)[: 1 + (entry.exact is not None)]
        lines.append(line)
    return _table(head, lines)


def _categories(result: StudyResult) -> Iterator[Block]:
    for sheet in result.sheets:
        for which, what in enumerate(CATEGORY.values()):
            yield Heading(f"{game_names(sheet)}: {what}", 3)
            for entries in beside(sheet, BESIDE):
                found = [category_measures(entry) for entry in entries]
                categories = sheet[0].games.game.categories
                yield _measure_table(
                    entries, [(one.name(), [cell[one.id][which] for cell in found]) for one in categories]
                )


def _splits(result: StudyResult) -> Iterator[Block]:
    """For each split the share of every part and its mean score."""
    for events in result.study.splits or ():
        cells = [entry for entry in result.cells if events in entry.splits]
        for names, entries in _by_part_names(cells, events).items():
            yield Heading(f"{game_names(entries)}: {' and '.join(events)}", 3)
            for some in beside(entries, BESIDE):
                found = [split_measures(entry, events) for entry in some]
                rows: list[tuple[str, list[Measure | None]]] = []
                for part, name in enumerate(names):
                    rows.append((f"{name} [%]", [cell[part].share for cell in found]))
                    rows.append(("mean", [cell[part].mean for cell in found]))
                yield _measure_table(some, rows)


def _by_part_names(cells: Sequence[CellResult], events: Sequence[str]) -> dict[tuple[str, ...], list[CellResult]]:
    """The cells, grouped by how their games name the parts."""
    groups: dict[tuple[str, ...], list[CellResult]] = {}
    for entry in cells:
        groups.setdefault(tuple(part_names(entry.games.game, events)), []).append(entry)
    return groups


def _comparisons(result: StudyResult) -> Table:
    rows: list[list[str]] = []
    for pair in result.pairs:
        measures = pair_measures(pair)
        names = [code_text(pair.first.cell.name), code_text(pair.second.cell.name)]
        dice = "the same dice" if pair.comparison.paired else "independent dice"
        noise = f"{pair.comparison.noise:.4f}"
        rows.append([*names, f"simulated, {dice}", *map(simulated_text, measures), noise])
        if pair.exact is not None:
            rows.append([*names, "exact, independent dice", *map(exact_text, measures), "0"])
    return _table(["first", "second", "", *PAIR.values(), "noise"], rows, words=3)


def _players(table: PlayersResult) -> list[Block]:
    exact = table.exact is not None
    head = ["player", "strategy", *(text for label in SEAT.values() for text in (label, "exact")[: 1 + exact])]
    rows = []
    for number, (choice, measures) in enumerate(zip(table.players.seats, seat_measures(table), strict=True), start=1):
        texts = [text for measure in measures for text in _both(measure)[: 1 + exact]]
        rows.append([str(number), code_text(choice.label), *texts])
    about = f"{table.players.game.name()}, {table.players.count:,} games. The score that wins: {_winner(table)}."
    return [Heading(table.players.name, 3), Paragraph(about), _table(head, rows, words=2), Paragraph(_SHARED)]


def _winner(table: PlayersResult) -> str:
    return ", ".join(
        f"{CELL[one.id]} {simulated_text(one)}" + (f" (exact {exact_text(one)})" if table.exact is not None else "")
        for one in winner_measures(table)
    )


def _table(head: Sequence[str], rows: Iterable[Sequence[str]], words: int = 1) -> Table:
    """A table whose first columns are words and the others numbers."""
    return Table(tuple(head), tuple(map(tuple, rows)), frozenset(range(words)))
