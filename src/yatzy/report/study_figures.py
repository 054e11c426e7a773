"""The figures of a study, as SVG for the report and as PNG for other uses."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from yatzy.evaluation.distribution import BONUS
from yatzy.lab.figures import (
    CategoryBars,
    Series,
    draw_categories,
    draw_curves,
    draw_outcomes,
    draw_scores,
    draw_split,
    draw_together,
    draw_winner,
)
from yatzy.lab.plots import COLOURS, FigureWords
from yatzy.lab.sample import Estimate
from yatzy.lab.splits import split_groups
from yatzy.lab.studies.evaluations import Split
from yatzy.lab.studies.running import CellResult, PairResult, PlayersResult, StudyResult, beside, file_names
from yatzy.report.figures import figure_words
from yatzy.report.numbers import count
from yatzy.report.splits import event_label, part_labels
from yatzy.report.texts import text
from yatzy.report.words import strategy_label

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FOLDER = "figures"


@dataclass(frozen=True, slots=True)
class Picture:
    """A figure of a study, which `draw` makes."""

    section: str
    """The section of the report: "cell NAME", "together", "categories", "pairs", "players NAME"."""
    name: str
    """Its file, without the extension."""
    title: str
    draw: Callable[[], Figure]


_Wanted = tuple[str, str, str, Callable[[str, FigureWords], "Figure"]]
"""Section, name, title, and the function that draws it with a title."""


def study_pictures(result: StudyResult, language: str = "en") -> list[Picture]:
    """Every figure of a study; nothing is drawn yet."""
    words = figure_words(language)
    parts = (_of_cells, _together, _categories, _outcomes, _winners)
    wanted = [entry for part in parts for entry in part(result, language)]
    names = file_names([entry[1] for entry in wanted])
    return [
        Picture(section, name, title, lambda title=title, draw=draw: draw(title, words))  # type: ignore[misc]
        for (section, _, title, draw), name in zip(wanted, names, strict=True)
    ]


def game_names(entries: Sequence[CellResult], language: str = "en") -> str:
    """The games of some cells, for a heading."""
    names = list(dict.fromkeys(entry.games.game.name(language) for entry in entries))
    if len(names) > 2:
        return text(language, "study_figure.more_games", game=names[0], number=len(names) - 1)
    return text(language, "study_figure.and").join(names)


def cell_labels(result: StudyResult, language: str = "en") -> dict[str, str]:
    """The cells in words, by name: what differs between them of the game, the strategy and the number of games."""
    cells = [entry.cell for entry in result.cells]
    games = len({cell.choice.game for cell in cells}) > 1
    strategies, counts = len({cell.choice.label for cell in cells}) > 1, len({cell.count for cell in cells}) > 1
    labels = {}
    for cell in cells:
        parts = [cell.choice.game.name(language)] if games else []
        parts += [strategy_label(cell.choice.label, language)] if strategies or not (games or counts) else []
        labels[cell.name] = ", ".join([*parts, count(cell.count, language)] if counts else parts)
    return labels


def _series(entry: CellResult, label: str) -> Series:
    return Series(label, entry.games.total, None if entry.exact is None else entry.exact.score.mass)


def _played(result: StudyResult, entries: Sequence[CellResult], language: str, shown: str = "areas") -> str:
    """How the games were played. `shown` says what stands for them: `areas`, `lines` or `bars`."""
    counts = sorted({entry.cell.count for entry in entries})
    games = text(language, "study_figure.and").join(count(one, language) for one in counts)
    dice = "one" if len(entries) == 1 else "same" if result.study.same_dice else "independent"
    said = text(language, f"study_figure.played_{dice}", games=games, seed=result.study.seed)
    said = f"{text(language, f'study_figure.{shown}')}: {said}"
    exact = shown != "bars" and any(entry.exact is not None for entry in entries)
    return f"{said} {text(language, 'study_figure.lines_exact')}" if exact else said


def _of_cells(result: StudyResult, language: str) -> Iterator[_Wanted]:
    for entry in result.cells:
        game, name, caption = entry.games.game, entry.cell.name, _played(result, [entry], language)
        label = strategy_label(entry.cell.choice.label, language)
        series = _series(entry, label)

        def scores(title: str, words: FigureWords, series: Series = series, caption: str = caption) -> Figure:
            return draw_scores(series, title, caption, words)

        title = text(language, "study_figure.scores", game=game.name(language), strategy=label)
        yield f"cell {name}", f"scores-{name}", title, scores
        for by in entry.splits:
            yield _split(entry, by, caption, language)


def _split(entry: CellResult, by: Split, caption: str, language: str) -> _Wanted:
    game, label = entry.games.game, strategy_label(entry.cell.choice.label, language)
    exact = None if entry.exact is None else entry.exact.parts[by]
    groups = split_groups(entry.games, by, part_labels(game, by, language), exact)
    caption = f"{caption} {text(language, 'study_figure.upright_means')}"

    def split(title: str, words: FigureWords) -> Figure:
        return draw_split(label, entry.games.total, groups, title, caption, words)

    kind = "by_two" if len(by) > 1 else "by_bonus" if by == (BONUS,) else "by_points"
    what = text(language, "study_figure.and").join(event_label(game, event, language) for event in by)
    title = text(language, f"study_figure.{kind}", game=game.name(language), strategy=label, what=what)
    equal = None if game.yatzy_category is None else game.categories[game.yatzy_category].id
    short = "-".join("yatzy" if event == equal else event for event in by)
    return f"cell {entry.cell.name}", f"{short}-{entry.cell.name}", title, split


def _together(result: StudyResult, language: str) -> Iterator[_Wanted]:
    if not result.cells:
        return
    labels = cell_labels(result, language)
    for entries in beside(result.cells, len(COLOURS)):
        series = [_series(entry, labels[entry.cell.name]) for entry in entries]
        games = game_names(entries, language)
        areas, lines = (_played(result, entries, language, shown) for shown in ("areas", "lines"))

        def together(title: str, words: FigureWords, series: list[Series] = series, caption: str = areas) -> Figure:
            return draw_together(series, title, caption, words)

        def curves(title: str, words: FigureWords, series: list[Series] = series, caption: str = lines) -> Figure:
            return draw_curves(series, title, caption, words)

        if len(result.cells) > 1:
            yield "together", "together", text(language, "study_figure.together", games=games), together
        yield "together", "curves", text(language, "study_figure.curves", games=games), curves


def _categories(result: StudyResult, language: str) -> Iterator[_Wanted]:
    labels = cell_labels(result, language)
    for sheet in result.sheets:
        names = [category.name(language) for category in sheet[0].games.game.categories]
        for entries in beside(sheet, len(COLOURS)):
            caption = _played(result, entries, language, "bars")
            for id, scale in (("points", 1), ("shares", 100)):
                rows = [_bars(entry, id, scale, labels[entry.cell.name]) for entry in entries]
                axis = text(language, f"study_figure.{id}_axis")

                def categories(
                    title: str,
                    words: FigureWords,
                    names: list[str] = names,
                    rows: list[CategoryBars] = rows,
                    axis: str = axis,
                    caption: str = caption,
                ) -> Figure:
                    return draw_categories(names, rows, axis, title, caption, words)

                title = text(language, f"study_figure.{id}", games=game_names(entries, language))
                yield "categories", f"{id}-{entries[0].games.game.id}", title, categories


def _bars(entry: CellResult, id: str, scale: int, label: str) -> CategoryBars:
    find = entry.games.category_mean if id == "points" else entry.games.category_hit
    found: list[Estimate] = [find(category) for category in entry.games.game.category_index]
    values, errors = (scale * np.array([getattr(one, name) for one in found]) for name in ("value", "error"))
    return CategoryBars(label, values, errors)


def _outcomes(result: StudyResult, language: str) -> Iterator[_Wanted]:
    labels = cell_labels(result, language)
    for pair in result.pairs:
        names = pair.first.cell.name, pair.second.cell.name
        first, second = (labels.get(name, name) for name in names)
        dice = "same" if pair.comparison.paired else "independent"
        games = count(pair.first.cell.count, language)
        caption = text(language, f"study_figure.pairs_{dice}", games=games, seed=result.study.seed)
        if pair.exact is not None:
            words = figure_words(language)
            shares = {name: words.number(100 * getattr(pair.exact, name), 2) for name in ("wins", "draws", "losses")}
            caption += f" {text(language, 'study_figure.pairs_exactly', **shares)}"

        def outcomes(
            title: str, words: FigureWords, pair: PairResult = pair, caption: str = caption,
            first: str = first, second: str = second,
        ) -> Figure:  # fmt: skip
            found = pair.comparison
            shares = found.wins.value, found.draws.value, found.losses.value
            errors = found.wins.error, found.draws.error, found.losses.error
            return draw_outcomes(first, second, *shares, errors, title, caption, words)

        title = text(language, "study_figure.outcomes", first=first, second=second)
        yield "pairs", f"outcomes-{names[0]}-{names[1]}", title, outcomes


def _winners(result: StudyResult, language: str) -> Iterator[_Wanted]:
    for table in result.players:
        name, players = table.players.name, len(table.players.seats)
        caption = text(
            language,
            "study_figure.players",
            games=count(table.players.count, language),
            seed=table.players.seed,
        )
        if table.exact is not None:
            caption += f" {text(language, 'study_figure.lines_exact')}"
        game = table.players.game.name(language)

        def winner(title: str, words: FigureWords, table: PlayersResult = table, caption: str = caption) -> Figure:
            exact = None if table.exact is None else table.exact.winner.mass
            best = Series(text(language, "figure_caption.winner"), table.table.winner, exact)
            return draw_winner(_alone(table, language), best, title, caption, words)

        title = text(language, "study_figure.winner", game=game, players=players)
        yield f"players {name}", f"winner-{name}", title, winner


def _alone(table: PlayersResult, language: str) -> list[Series]:
    """The distinct players of a table, up to the number that the figure can show in addition to the winner."""
    found: dict[str, Series] = {}
    for number, (choice, seat) in enumerate(zip(table.players.seats, table.table.seats, strict=True)):
        exact = None if table.scores is None else table.scores[number].mass
        label = strategy_label(choice.label, language)
        found.setdefault(choice.label, Series(label, seat.games.total, exact))
    return list(found.values())[: len(COLOURS) - 1]
