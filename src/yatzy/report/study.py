"""The report of a study: a document with tables and figures, and the main tables for the terminal.

The same study gives the same bytes.
"""

from __future__ import annotations

import platform
from collections.abc import Iterable, Iterator, Sequence
from math import floor, log10
from pathlib import Path

import numpy as np

from yatzy import __version__
from yatzy.lab.plots import figure_bytes
from yatzy.lab.studies.running import CellResult, PlayersResult, StudyResult, beside
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
from yatzy.lab.studies.tables import study_csv
from yatzy.report.document import Block, Code, Figure, Heading, Items, Marked, Paragraph, Table, code_text, to_markdown
from yatzy.report.latex import to_latex
from yatzy.report.numbers import count
from yatzy.report.splits import event_label, part_labels
from yatzy.report.study_figures import FOLDER, Picture, game_names, study_pictures
from yatzy.report.texts import text, texts
from yatzy.values.resources import Progress

BESIDE = 3
"""Cells shown side by side in a table."""
MOST_DECIMALS = 4
LATEX = "tables.tex"

OVERVIEW = ("mean", "sd", "median", "bonus", "yatzy")
"""The measures of the summary."""


def study_files(
    result: StudyResult, language: str = "en", progress: Progress | None = None
) -> Iterator[tuple[Path, str | bytes]]:
    """The files of a report with their content: the figures, the tables as CSV and LaTeX, and finally report.md."""
    pictures = study_pictures(result, language)
    for done, picture in enumerate(pictures):
        if progress is not None:
            progress(done, len(pictures))
        figure = picture.draw()
        for kind in (".svg", ".png"):
            yield result.folder / FOLDER / f"{picture.name}{kind}", figure_bytes(figure, kind)
    for name, content in study_csv(result).items():
        yield result.folder / name, content
    blocks = study_blocks(result, pictures, language)
    yield result.folder / LATEX, to_latex(blocks)
    yield result.report, to_markdown(blocks, result.folder)


def simulated_text(measure: Measure, language: str = "en") -> str:
    """The simulated number with its error, to two digits of the error; without an error, the number only."""
    scale = 100 if measure.kind is Kind.SHARE else 1
    value, error = scale * measure.simulated.value, scale * measure.simulated.error
    if measure.kind is Kind.SCORE:
        return _local(f"{value:.0f} ± {error:g}" if error else f"{value:.0f}", language)
    if error == 0:
        return _local(f"{value:.{2 if measure.kind is Kind.SHARE else MOST_DECIMALS}f}", language)
    decimals = min(max(1 - floor(log10(error)), 0), MOST_DECIMALS)
    return _local(f"{value:.{decimals}f} ± {error:.{decimals}f}", language)


def exact_text(measure: Measure, language: str = "en") -> str:
    """The exact number, or a dash if unknown."""
    if measure.exact is None:
        return "–"
    if measure.kind is Kind.SCORE:
        return f"{measure.exact:.0f}"
    value = 100 * measure.exact if measure.kind is Kind.SHARE else measure.exact
    shown = f"{value:.{MOST_DECIMALS}f}" if value == 0 or abs(value) >= 1e-3 else f"{value:.3g}"
    return _local(shown, language)


def _local(shown: str, language: str) -> str:
    return shown.replace(".", texts(language)["number.decimal"])


# For the terminal


def study_tables(result: StudyResult, language: str = "en") -> list[Block]:
    """The main numbers: a table of the strategies, and one of each group of players."""
    blocks: list[Block] = []
    if result.cells:
        rows: list[tuple[str, ...]] = []
        for entry in result.cells:
            found = {measure.id: measure for measure in cell_measures(entry)}
            shown = [_both(found.get(id), language) for id in OVERVIEW]
            rows.append((entry.cell.name, count(entry.cell.count, language), *(one[0] for one in shown)))
            if entry.exact is not None:
                rows.append(("", text(language, "study.exact"), *(one[1] for one in shown)))
        head = ("", text(language, "study.games"), *_headings("overview", OVERVIEW, language))
        blocks.append(Table(head, tuple(rows), frozenset({0}), result.study.title))
    for table in result.players:
        winner = text(language, "study.winning_score", score=_winner(table, language))
        blocks += [_player_lines(table, language), Paragraph(winner)]
    return blocks


def _player_lines(table: PlayersResult, language: str) -> Table:
    rows: list[tuple[str, ...]] = []
    found = seat_measures(table)
    for number, (choice, measures) in enumerate(zip(table.players.seats, found, strict=True), start=1):
        rows.append((str(number), choice.label, *(simulated_text(one, language) for one in measures)))
        if table.exact is not None:
            rows.append(("", text(language, "study.exact"), *(exact_text(one, language) for one in measures)))
    head = (*_headings("", ("player", "strategy"), language), *_measures("seat", found[0], language))
    return Table(head, tuple(rows), frozenset({0, 1}), table.players.name)


# The whole report


def study_blocks(result: StudyResult, pictures: Sequence[Picture], language: str = "en") -> list[Block]:
    """The whole report; `pictures` are the figures that are beside it."""

    def figures(section: str) -> list[Figure]:
        folder = result.folder / FOLDER
        return [Figure(folder / f"{one.name}.svg", one.title) for one in pictures if one.section == section]

    def heading(key: str) -> Heading:
        return Heading(text(language, f"study.{key}"))

    study = result.study
    blocks: list[Block] = [Heading(study.title, 1), Items(tuple(_how(result, language)))]
    if result.cells:
        notes = Paragraph(Marked(text(language, "study.notes")))
        blocks += [heading("summary"), _overview(result, language), notes]
        blocks += [heading("all_numbers"), *_details(result, language)]
        blocks += [heading("distributions"), *figures("together")]
        for entry in result.cells:
            blocks += figures(f"cell {entry.cell.name}")
        if study.splits is not None:
            blocks += [heading("parts"), *_splits(result, language)]
        blocks += [heading("categories"), *_categories(result, language), *figures("categories")]
    if result.pairs:
        compared = Paragraph(text(language, "study.compared"))
        blocks += [heading("comparisons"), _comparisons(result, language), compared, *figures("pairs")]
    if result.players:
        blocks.append(heading("several_players"))
        for table in result.players:
            blocks += [*_players(table, language), *figures(f"players {table.players.name}")]
    return [*blocks, Heading(study.path.name), Code(study.text, "toml")]


def _how(result: StudyResult, language: str) -> Iterator[str]:
    study = result.study
    if result.cells:
        games = ", ".join(count(one, language) for one in sorted({cell.count for cell in study.cells}))
        dice = "each_same" if study.same_dice else "each_independent"
        yield text(language, f"study.{dice}", games=games, seed=study.seed)
    for table in study.players:
        yield text(
            language,
            "study.table",
            name=table.name,
            games=count(table.count, language),
            players=len(table.seats),
            seed=table.seed,
        )
    versions = f"yatzy {__version__}, Python {platform.python_version()}, NumPy {np.__version__}"
    command = code_text(f"yatzy study {study.path.name}")
    yield Marked(text(language, "study.made_by", command=command, versions=versions))
    yield text(language, "study.same_numbers")


def _headings(section: str, keys: Iterable[str], language: str) -> tuple[str, ...]:
    return tuple(text(language, f"study.{section}.{key}" if section else f"study.{key}") for key in keys)


def _measures(section: str, measures: Iterable[Measure], language: str) -> tuple[str, ...]:
    return _headings(section, (measure.id for measure in measures), language)


def _overview(result: StudyResult, language: str) -> Table:
    found = [{measure.id: measure for measure in cell_measures(entry)} for entry in result.cells]
    wanted = [id for id in OVERVIEW if any(id in measures for measures in found)]
    exact = text(language, "study.exact")
    head = ["", text(language, "study.games")]
    head += [cell for heading in _headings("overview", wanted, language) for cell in (heading, exact)]
    rows = []
    for entry, measures in zip(result.cells, found, strict=True):
        cells = [cell for id in wanted for cell in _both(measures.get(id), language)]
        rows.append([code_text(entry.cell.name), count(entry.cell.count, language), *cells])
    return _table(head, rows)


def _both(measure: Measure | None, language: str) -> tuple[str, str]:
    """The simulated and the exact number."""
    return ("", "") if measure is None else (simulated_text(measure, language), exact_text(measure, language))


def _details(result: StudyResult, language: str) -> Iterator[Table]:
    for entries in beside(result.cells, BESIDE):
        found = [{measure.id: measure for measure in cell_measures(entry, result.study.at_least)} for entry in entries]
        labels = {
            id: _cell_label(id, entry, language)
            for entry, one in reversed([*zip(entries, found, strict=True)])
            for id in one
        }
        order = sorted(labels, key=lambda id: min(list(one).index(id) for one in found if id in one))
        yield _measure_table(entries, [(labels[id], [one.get(id) for one in found]) for id in order], language)


def _cell_label(id: str, entry: CellResult, language: str) -> str:
    name, game = id.rstrip("0123456789"), entry.games.game
    category = "" if game.yatzy_category is None else game.categories[game.yatzy_category].name(language)
    return text(language, f"study.cell.{name.rstrip('_')}", number=id.removeprefix(name), category=category)


def _measure_table(
    entries: Sequence[CellResult], rows: Iterable[tuple[str, Sequence[Measure | None]]], language: str
) -> Table:
    """Rows of measures, for each cell simulated and, if known, exact."""
    head = [""]
    for entry in entries:
        head += [code_text(entry.cell.name)] + [text(language, "study.exact")] * (entry.exact is not None)
    lines = []
    for label, measures in rows:
        line = [label]
        for entry, measure in zip(entries, measures, strict=True):
            line += _both(measure, language)[: 1 + (entry.exact is not None)]
        lines.append(line)
    return _table(head, lines)


def _categories(result: StudyResult, language: str) -> Iterator[Block]:
    for sheet in result.sheets:
        for which, what in enumerate(("mean", "share")):
            games = game_names(sheet, language)
            yield Heading(f"{games}: {text(language, f'study.category.{what}')}", 3)
            for entries in beside(sheet, BESIDE):
                found = [category_measures(entry) for entry in entries]
                categories = sheet[0].games.game.categories
                rows = [(one.name(language), [cell[one.id][which] for cell in found]) for one in categories]
                yield _measure_table(entries, rows, language)


def _splits(result: StudyResult, language: str) -> Iterator[Block]:
    """For each split the share of every part and its mean score."""
    for events in result.study.splits or ():
        cells = [entry for entry in result.cells if events in entry.splits]
        for names, entries in _by_part_labels(cells, events, language).items():
            game = entries[0].games.game
            by = text(language, "study_figure.and").join(event_label(game, event, language) for event in events)
            yield Heading(f"{game_names(entries, language)}: {by}", 3)
            for some in beside(entries, BESIDE):
                found = [split_measures(entry, events) for entry in some]
                rows: list[tuple[str, list[Measure | None]]] = []
                for part, name in enumerate(names):
                    rows.append((f"{name} [%]", [cell[part].share for cell in found]))
                    rows.append((text(language, "study.cell.mean"), [cell[part].mean for cell in found]))
                yield _measure_table(some, rows, language)


def _by_part_labels(
    cells: Sequence[CellResult], events: Sequence[str], language: str
) -> dict[tuple[str, ...], list[CellResult]]:
    """The cells, grouped by how their games name the parts."""
    groups: dict[tuple[str, ...], list[CellResult]] = {}
    for entry in cells:
        groups.setdefault(tuple(part_labels(entry.games.game, events, language)), []).append(entry)
    return groups


def _comparisons(result: StudyResult, language: str) -> Table:
    rows: list[list[str]] = []
    for pair in result.pairs:
        measures = pair_measures(pair)
        names = [code_text(pair.first.cell.name), code_text(pair.second.cell.name)]
        dice = "simulated_same" if pair.comparison.paired else "simulated_independent"
        noise = _local(f"{pair.comparison.noise:.4f}", language)
        simulated = [simulated_text(one, language) for one in measures]
        rows.append([*names, text(language, f"study.{dice}"), *simulated, noise])
        if pair.exact is not None:
            exact = [exact_text(one, language) for one in measures]
            rows.append([*names, text(language, "study.exact_independent"), *exact, "0"])
    headings = _measures("pair", pair_measures(result.pairs[0]), language)
    first, second, noise = _headings("", ("first", "second", "noise"), language)
    return _table([first, second, "", *headings, noise], rows, words=3)


def _players(table: PlayersResult, language: str) -> list[Block]:
    exact, found = table.exact is not None, seat_measures(table)
    head = list(_headings("", ("player", "strategy"), language))
    for heading in _measures("seat", found[0], language):
        head += (heading, text(language, "study.exact"))[: 1 + exact]
    rows = []
    for number, (choice, measures) in enumerate(zip(table.players.seats, found, strict=True), start=1):
        cells = [cell for measure in measures for cell in _both(measure, language)[: 1 + exact]]
        rows.append([str(number), code_text(choice.label), *cells])
    about = text(
        language,
        "study.about_table",
        game=table.players.game.name(language),
        games=count(table.players.count, language),
        score=_winner(table, language),
    )
    shared = Paragraph(text(language, "study.shared"))
    return [Heading(table.players.name, 3), Paragraph(about), _table(head, rows, words=2), shared]


def _winner(table: PlayersResult, language: str) -> str:
    return ", ".join(
        f"{text(language, f'study.cell.{one.id}')} {simulated_text(one, language)}"
        + (f" ({text(language, 'study.exact')} {exact_text(one, language)})" if table.exact is not None else "")
        for one in winner_measures(table)
    )


def _table(head: Sequence[str], rows: Iterable[Sequence[str]], words: int = 1) -> Table:
    """A table whose first columns are words and the others numbers."""
    return Table(tuple(head), tuple(map(tuple, rows)), frozenset(range(words)))
