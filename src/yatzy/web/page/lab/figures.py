"""The figures of the lab: statistics of an exact distribution or a sample, as table rows and as CSV."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from io import StringIO

from yatzy.evaluation.distribution import Evaluation
from yatzy.lab import Estimate, SimulatedGames
from yatzy.report.numbers import number, percent
from yatzy.web.page.parts.charts import Text
from yatzy.web.page.parts.markup import Markup, tag

PERCENTILES = (5, 25, 50, 75, 95)


@dataclass(frozen=True, slots=True)
class Figure:
    """A named number."""

    id: str
    name: str
    value: float
    chance: bool = False
    """Whether to format it as a percentage."""
    digits: int = 2
    error: float | None = None
    """The standard error, for a number from a sample."""

    def shown(self, language: str) -> str:
        """The formatted number."""
        if self.chance:
            return percent(self.value, 2, language)
        return number(self.value, self.digits, language)

    def shown_error(self, language: str) -> str:
        """The formatted standard error."""
        if self.error is None:
            return ""
        if self.chance:
            return f"± {number(100 * self.error, 2, language)}"
        return f"± {number(self.error, 2, language)}"


def exact_figures(found: Evaluation, t: Text, language: str) -> list[Figure]:
    """The statistics of an exact distribution."""
    score = found.score
    figures = [
        Figure("mean", t("lab.mean"), score.mean),
        Figure("sd", t("lab.sd"), score.sd),
        Figure("mode", t("lab.mode"), score.mode, digits=0),
    ]
    figures += [Figure(f"p{p}", t("lab.percentile", percent=p), score.percentile(p), digits=0) for p in PERCENTILES]
    if found.game.bonus is not None:
        figures.append(Figure("bonus", t("lab.bonus"), found.bonus, chance=True))
    for one in found.categories:
        name, id = one.category.name(language), one.category.id
        figures.append(Figure(f"mean {id}", t("lab.points_in", category=name), one.mean))
        figures.append(Figure(f"hit {id}", t("lab.hit_in", category=name), one.hit, chance=True))
    return figures


def sample_figures(games: SimulatedGames, t: Text, language: str) -> list[Figure]:
    """The statistics of a sample of games, with standard errors."""

    def figure(id: str, name: str, found: Estimate, *, chance: bool = False, digits: int = 2) -> Figure:
        return Figure(id, name, found.value, chance, digits, found.error)

    figures = [
        figure("mean", t("lab.mean"), games.mean),
        figure("sd", t("lab.sd"), games.sd),
        Figure("mode", t("lab.mode"), games.mode, digits=0),
    ]
    figures += [figure(f"p{p}", t("lab.percentile", percent=p), games.percentile(p), digits=0) for p in PERCENTILES]
    if games.game.bonus is not None:
        figures.append(figure("bonus", t("lab.bonus"), games.bonus_share, chance=True))
    for category in games.game.categories:
        name, id = category.name(language), category.id
        figures.append(figure(f"mean {id}", t("lab.points_in", category=name), games.category_mean(id)))
        figures.append(figure(f"hit {id}", t("lab.hit_in", category=name), games.category_hit(id), chance=True))
    return figures


def comparison_table(names: Sequence[str], sides: Sequence[Sequence[Figure]], t: Text, language: str) -> Markup:
    """Two lists of figures side by side, with the difference of figures that are in both."""
    found = [{one.id: one for one in side} for side in sides]
    rows = []
    for id in dict.fromkeys(one.id for side in sides for one in side):
        pair = [side.get(id) for side in found]
        name = next(one.name for one in pair if one is not None)
        cells = [tag("td", "–" if one is None else one.shown(language)) for one in pair]
        first, second = pair
        difference = "" if first is None or second is None else _difference(first, second, language)
        rows.append(tag("tr", tag("th", name, scope="row", class_="yz-left"), *cells, tag("td", difference),
                        data_figure=id))  # fmt: skip
    head = [tag("th", t("lab.figure"), scope="col", class_="yz-left"),
            *(tag("th", name, scope="col") for name in names), tag("th", t("lab.difference"), scope="col")]  # fmt: skip
    return tag("table", tag("caption", t("lab.table"), class_="yz-hidden"), tag("thead", tag("tr", *head)),
               tag("tbody", *rows), class_="yz-data yz-compared", data_testid="lab-numbers")  # fmt: skip


def _difference(first: Figure, second: Figure, language: str) -> str:
    difference = (second.value - first.value) * (100 if first.chance else 1)
    shown = number(abs(difference), first.digits, language)
    if shown == number(0, first.digits, language):
        return shown
    return f"{'−' if difference < 0 else '+'}{shown}"


def sample_table(figures: Sequence[Figure], exact: Sequence[Figure], t: Text, language: str) -> Markup:
    """The figures of a sample with standard errors, beside the exact ones where known."""
    known = {one.id: one for one in exact}
    rows = []
    for one in figures:
        beside = known.get(one.id)
        cells = (one.shown(language), one.shown_error(language), "" if beside is None else beside.shown(language))
        rows.append(tag("tr", tag("th", one.name, scope="row", class_="yz-left"), *(tag("td", cell) for cell in cells),
                        data_figure=one.id))  # fmt: skip
    heads = (t("lab.sample"), t("lab.error"), t("lab.exact"))
    head = [tag("th", t("lab.figure"), scope="col", class_="yz-left"), *(tag("th", one, scope="col") for one in heads)]
    return tag("table", tag("thead", tag("tr", *head)), tag("tbody", *rows), class_="yz-data",
               data_testid="sample-numbers")  # fmt: skip


def comparison_csv(found: Sequence[Evaluation], sides: Sequence[Sequence[Figure]]) -> str:
    """All figures and the full distributions, with one column per side."""
    out = StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["figure", *(f"{one.game.id} {one.strategy}" for one in found)])
    values = [{one.id: one.value for one in side} for side in sides]
    for id in dict.fromkeys(one.id for side in sides for one in side):
        writer.writerow([id, *(side.get(id, "") for side in values)])
    for score in range(max(len(one.score.mass) for one in found)):
        chances = [float(one.score.mass[score]) if score < len(one.score.mass) else 0.0 for one in found]
        if any(chances):
            writer.writerow([f"chance of {score}", *chances])
    return out.getvalue()


def sample_csv(games: SimulatedGames, figures: Sequence[Figure]) -> str:
    """All figures with standard errors, and the number of games with each score."""
    out = StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["figure", f"{games.game.id} {games.strategy}", "standard error"])
    for one in figures:
        writer.writerow([one.id, one.value, "" if one.error is None else one.error])
    for score, share in enumerate(games.mass.tolist()):
        if share:
            writer.writerow([f"share of {score}", share, ""])
    return out.getvalue()
