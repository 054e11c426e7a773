"""The figures of a study, as SVG for the report and as PNG for other uses."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from yatzy.evaluation.distribution import BONUS
from yatzy.games import Game
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
    write_figure,
)
from yatzy.lab.plots import COLOURS
from yatzy.lab.sample import Estimate
from yatzy.lab.splits import event_name, split_groups
from yatzy.lab.studies.evaluations import Split
from yatzy.lab.studies.running import CellResult, PairResult, PlayersResult, StudyResult, beside, file_names, game_names
from yatzy.values.resources import Progress

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FOLDER = "figures"


@dataclass(frozen=True, slots=True)
class Picture:
    """A figure of a study that has been written."""

    section: str
    """The section of the report: "cell NAME", "together", "categories", "pairs", "players NAME"."""
    name: str
    """Its file, without the extension."""
    title: str


_Wanted = tuple[str, str, str, Callable[[str], "Figure"]]
"""Section, name, title, and the function that draws it with a title."""


def draw_study(result: StudyResult, progress: Progress | None = None) -> list[Picture]:
    """Draw and write every figure of a study."""
    folder = result.folder / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    wanted = [*_of_cells(result), *_together(result), *_categories(result), *_outcomes(result), *_winners(result)]
    pictures: list[Picture] = []
    for (section, _, title, draw), name in zip(wanted, file_names([entry[1] for entry in wanted]), strict=True):
        if progress is not None:
            progress(len(pictures), len(wanted))
        _write(draw(title), folder, name)
        pictures.append(Picture(section, name, title))
    return pictures


def _write(figure: Figure, folder: Path, name: str) -> None:
    for ending in (".svg", ".png"):
        write_figure(figure, folder / f"{name}{ending}")


def _series(entry: CellResult) -> Series:
    return Series(entry.cell.name, entry.games.total, None if entry.exact is None else entry.exact.score.mass)


def _played(result: StudyResult, entries: Sequence[CellResult], shown: str = "Areas") -> str:
    counts = sorted({entry.cell.count for entry in entries})
    many = " and ".join(f"{count:,}" for count in counts)
    each = " each" if len(entries) > 1 else ""
    dice = "" if len(entries) == 1 else ", the same dice for all" if result.study.same_dice else ", independent dice"
    exact = any(entry.exact is not None for entry in entries)
    return f"{shown}: {many} simulated games{each}, seed {result.study.seed}{dice}." + (
        " Lines: exact." if exact else ""
    )


def _of_cells(result: StudyResult) -> Iterator[_Wanted]:
    for entry in result.cells:
        game, name, caption = entry.games.game, entry.cell.name, _played(result, [entry])

        def scores(title: str, entry: CellResult = entry, caption: str = caption) -> Figure:
            return draw_scores(_series(entry), title, caption)

        yield f"cell {name}", f"scores-{name}", f"{game.name()}, {entry.cell.choice.label}: final score", scores
        for by in entry.splits:
            yield _split(entry, by, caption)


def _split(entry: CellResult, by: Split, caption: str) -> _Wanted:
    game, label = entry.games.game, entry.cell.choice.label
    groups = split_groups(entry.games, by, None if entry.exact is None else entry.exact.parts[by])

    def split(title: str) -> Figure:
        return draw_split(label, entry.games.total, groups, title, f"{caption} Upright lines: means.")

    equal = None if game.yatzy_category is None else game.categories[game.yatzy_category].id
    short = "-".join("yatzy" if event == equal else event for event in by)
    return f"cell {entry.cell.name}", f"{short}-{entry.cell.name}", f"{game.name()}, {label}: {_by(game, by)}", split


def _by(game: Game, by: Split) -> str:
    if len(by) > 1:
        return f"games by {' and '.join(event_name(game, event) for event in by)}"
    points = "" if by == (BONUS,) else "points for "
    return f"games with and without {points}{event_name(game, by[0])}"


def _together(result: StudyResult) -> Iterator[_Wanted]:
    if not result.cells:
        return
    for entries in beside(result.cells, len(COLOURS)):
        series, games = [_series(entry) for entry in entries], game_names(entries)

        def together(title: str, series: list[Series] = series, caption: str = _played(result, entries)) -> Figure:
            return draw_together(series, title, caption)

        def curves(
            title: str, series: list[Series] = series, caption: str = _played(result, entries, "Broad lines")
        ) -> Figure:
            return draw_curves(series, title, caption)

        if len(result.cells) > 1:
            yield "together", "together", f"{games}: final scores together", together
        yield "together", "curves", f"{games}: chances of at most and at least each score", curves


def _categories(result: StudyResult) -> Iterator[_Wanted]:
    for sheet in result.sheets:
        names = [category.name() for category in sheet[0].games.game.categories]
        for entries in beside(sheet, len(COLOURS)):
            caption = _played(result, entries, "Bars").removesuffix(" Lines: exact.")
            for id, what, axis, scale in (
                ("points", "mean points by category", "mean [points]", 1),
                ("shares", "games with points by category", "games with points [%]", 100),
            ):
                rows = [_bars(entry, id, scale) for entry in entries]

                def categories(
                    title: str,
                    names: list[str] = names,
                    rows: list[CategoryBars] = rows,
                    axis: str = axis,
                    caption: str = caption,
                ) -> Figure:
                    return draw_categories(names, rows, axis, title, caption)

                games = game_names(entries)
                yield "categories", f"{id}-{entries[0].games.game.id}", f"{games}: {what}", categories


def _bars(entry: CellResult, id: str, scale: int) -> CategoryBars:
    find = entry.games.category_mean if id == "points" else entry.games.category_hit
    found: list[Estimate] = [find(category) for category in entry.games.game.category_index]
    values, errors = (scale * np.array([getattr(one, name) for one in found]) for name in ("value", "error"))
    return CategoryBars(entry.cell.name, values, errors)


def _outcomes(result: StudyResult) -> Iterator[_Wanted]:
    for pair in result.pairs:
        first, second = pair.first.cell.name, pair.second.cell.name
        caption = f"{pair.first.cell.count:,} pairs of simulated games, seed {result.study.seed}, "
        caption += "both with the same dice." if pair.comparison.paired else "with independent dice."
        if pair.exact is not None:
            exact = f"{100 * pair.exact.wins:.2f}, {100 * pair.exact.draws:.2f} and {100 * pair.exact.losses:.2f} %"
            caption += f" Exactly, with independent dice: {exact}."

        def outcomes(title: str, pair: PairResult = pair, caption: str = caption) -> Figure:
            found = pair.comparison
            shares = found.wins.value, found.draws.value, found.losses.value
            errors = found.wins.error, found.draws.error, found.losses.error
            return draw_outcomes(pair.first.cell.name, pair.second.cell.name, *shares, errors, title, caption)

        yield "pairs", f"outcomes-{first}-{second}", f"Who wins: {first} against {second}", outcomes


def _winners(result: StudyResult) -> Iterator[_Wanted]:
    for table in result.players:
        name, seats = table.players.name, len(table.players.seats)
        caption = f"Areas: {table.players.count:,} simulated games, seed {table.players.seed}, independent dice."
        caption += " Lines: exact." if table.exact is not None else ""
        title = f"{table.players.game.name()}: the score that wins among {seats} players"

        def winner(title: str, table: PlayersResult = table, caption: str = caption) -> Figure:
            exact = None if table.exact is None else table.exact.winner.mass
            return draw_winner(_alone(table), Series("winner", table.table.winner, exact), title, caption)

        yield f"players {name}", f"winner-{name}", title, winner


def _alone(table: PlayersResult) -> list[Series]:
    """The distinct players of a table, up to the number that the figure can show in addition to the winner."""
    found: dict[str, Series] = {}
    for number, (choice, seat) in enumerate(zip(table.players.seats, table.table.seats, strict=True)):
        exact = None if table.scores is None else table.scores[number].mass
        found.setdefault(choice.label, Series(choice.label, seat.games.total, exact))
    return list(found.values())[: len(COLOURS) - 1]
