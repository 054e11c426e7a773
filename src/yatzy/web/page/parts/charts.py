"""Charts as ECharts options, and their numbers as table rows. All are pure functions of results of the library.

Charts are drawn as SVG with colours from the style sheet (`var(--yz-c1)` and so on), so switching between light and
dark needs no redraw. Colour is never the only distinction: lines also differ in dashes, bars in fill and errors in
symbols. Names appear only where ECharts escapes them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from yatzy.coach.grades import Grade
from yatzy.coach.reviews.review import Decision, PlayerReview, Review
from yatzy.report.numbers import scale_of

if TYPE_CHECKING:
    from yatzy.evaluation.distribution import Distribution

Options = dict[str, Any]
Text = Callable[..., str]
Chances = npt.NDArray[np.float64]

INK, SOFT, GRID, ACCENT = "var(--ink)", "var(--quiet)", "var(--line)", "var(--gold)"
COLOURS = tuple(f"var(--yz-c{number})" for number in range(1, 7))
DASHES: tuple[Any, ...] = ("solid", [7, 4], [2, 3], [9, 3, 2, 3], [4, 2], [1, 2], [12, 3])
LINE_SYMBOLS = ("circle", "rect", "triangle", "diamond", "arrow")
SYMBOL_COUNT = 8
"""Symbols along a line that has them."""
LEVELS = (0.9, 0.75, 0.5, 0.25, 0.1, 0.01)
"""Chances for which the score reached is listed."""
STEP = 10
"""The score axis starts and ends at a multiple of this."""
EDGE = 0.0005
"""Chances closer than this to 0 or 1 are not drawn."""
SYMBOLS = {Grade.INACCURACY: "triangle", Grade.MISTAKE: "rect", Grade.BLUNDER: "diamond"}
SHARE = "value => value === undefined || isNaN(value) ? '–' : value.toFixed(2) + ' %'"


@dataclass(frozen=True, eq=False)
class Line:
    """The chances of final scores of one position or strategy."""

    name: str
    first: int
    """The score of the first entry of `at_least`."""
    at_least: npt.NDArray[np.float64]
    """[score - first]: the chance of at least this score. It is 0 after the last entry and 1 before the first."""
    mean: float | None = None
    """None for best chances, which do not belong to a single strategy."""
    sampled: bool = False
    colour: int = 0
    dash: int = 0
    symbol: int | None = None
    """The index of the symbol along the line; None for a line without symbols."""
    in_legend: bool = True

    @classmethod
    def of(cls, name: str, score: Distribution, *, sampled: bool = False, colour: int = 0, dash: int = 0) -> Line:
        """The line of a distribution."""
        first = int(np.argmax(score.mass > 0))
        return cls(name, first, score.tails[first:], score.mean, sampled, colour, dash)

    @classmethod
    def of_chances(cls, name: str, first: int, at_least: Chances, *, colour: int = 0, dash: int = 0) -> Line:
        """The line of best chances. They are copied, because they may be a row of a table."""
        return cls(name, first, np.array(at_least, np.float64), colour=colour, dash=dash)

    @property
    def is_distribution(self) -> bool:
        """Whether the chances belong to a single strategy, so that the chance of an exact score is defined."""
        return self.mean is not None

    def at(self, score: int) -> float:
        """The chance of at least this score."""
        place = score - self.first
        return 1.0 if place <= 0 else float(self.at_least[place]) if place < len(self.at_least) else 0.0

    def score_at(self, chance: float) -> int:
        """The highest score reached with at least this chance."""
        return self.first + max(int(np.count_nonzero(self.at_least >= chance * (1 - 1e-12))) - 1, 0)

    @property
    def mass(self) -> npt.NDArray[np.float64]:
        """[score - first]: the chance of exactly this score."""
        return np.asarray(self.at_least - np.append(self.at_least[1:], 0.0))

    def between(self, low: int, high: int, *, exactly: bool = False) -> npt.NDArray[np.float64]:
        """[score - low]: the chance of at least (or exactly) each score from `low` to `high`."""
        chances = self.mass if exactly else self.at_least
        before, after = (0.0 if exactly else 1.0), 0.0
        begin, end = min(max(self.first, low), high + 1), min(max(self.first + len(chances), low), high + 1)
        found = np.full(high + 1 - low, after)
        found[: begin - low] = before
        found[begin - low : end - low] = chances[begin - self.first : end - self.first]
        return found

    @cached_property
    def scores(self) -> tuple[int, ...]:
        """The highest score reached with each of `LEVELS`."""
        return tuple(map(self.score_at, LEVELS))

    @cached_property
    def span(self) -> tuple[int, int]:
        """The range of scores that are neither certain nor out of reach."""
        return self.score_at(1 - EDGE), self.score_at(EDGE)


@dataclass(frozen=True, slots=True)
class LegendEntry:
    """A line of a chart as its legend shows it."""

    name: str
    colour: str
    dash: int
    """0 for a solid line, 1 for a dashed and 2 for a dotted one."""

    @classmethod
    def of(cls, line: Line) -> LegendEntry:
        """The entry of a line of scores."""
        return cls(line.name, colour_of(line), min(line.dash, 2))


def colour_of(line: Line) -> str:
    """The style sheet colour of a line."""
    return COLOURS[line.colour % len(COLOURS)]


def move_colour(players: int, place: int) -> str:
    """The style sheet colour of the lines of a compared move, by its place among them."""
    return COLOURS[(players + place) % len(COLOURS)]


def legend_of(lines: Sequence[Line], *, exactly: bool = False) -> list[LegendEntry]:
    """The entries of the legend above a chart of lines."""
    shown = [line for line in lines if line.in_legend and (line.is_distribution or not exactly)]
    return list(map(LegendEntry.of, shown))


def curve_options(lines: Sequence[Line], t: Text, *, exactly: bool = False, target: int | None = None) -> Options:
    """The chart of the chance of at least, or of exactly, each score."""
    shown = [line for line in lines if line.is_distribution] if exactly else list(lines)
    low = min((line.span[0] for line in shown), default=0)
    high = max((line.span[1] for line in shown), default=1)
    if target is not None and low - 60 <= target <= high + 60:
        low, high = min(low, target - 3), max(high, target + 3)
    # Round to multiples of STEP, so that the axis does not move when a slightly wider line is added.
    low, high = max((low - 2) // STEP * STEP, 0), -(-(high + 2) // STEP) * STEP
    # An empty `markLine` clears the old one: ECharts merges options.
    series = [{**_curve(line, low, high, exactly), "markLine": {"data": []}} for line in shown]
    if series and target is not None:
        label = {"formatter": t("chart.target", score=target), "color": INK, "position": "insideEndTop"}
        series[0]["markLine"] = {
            "silent": True, "symbol": "none", "data": [{"xAxis": target}], "label": label,
            "lineStyle": {"color": ACCENT, "type": "dashed", "width": 1.5},
        }  # fmt: skip
    axis = {"type": "value", "name": t("chart.exactly" if exactly else "chart.at_least"), "nameLocation": "start",
            "nameGap": 12, "nameTextStyle": {"align": "left", "color": SOFT}, "min": 0}  # fmt: skip
    # None clears the scale of the other view: ECharts merges options.
    axis |= {"max": None, "interval": None} if exactly else {"max": 100, "interval": 25}
    return {
        **_frame(),
        "xAxis": {**_axis(), "show": bool(shown), "type": "value", "min": low, "max": high, "minInterval": 1,
                  "name": t("chart.score"),
                  "nameLocation": "middle", "nameGap": 26, "nameTextStyle": {"color": SOFT}},
        "yAxis": {**_axis(), **axis, "nameLocation": "end", "axisLabel": {"color": SOFT, "formatter": "{value} %"}},
        "tooltip": {**_tooltip(), "trigger": "axis", ":valueFormatter": SHARE,
                    "axisPointer": {"lineStyle": {"color": SOFT}, "label": {"precision": 0}}},
        "series": series,
    }  # fmt: skip


@lru_cache(maxsize=64)
def _curve(line: Line, low: int, high: int, exactly: bool) -> Options:
    """A line of the chart. Cached, because most lines stay as they are when another move is selected."""
    chances = 100 * line.between(low, high, exactly=exactly)
    points: list[Any] = list(zip(range(low, high + 1), chances.round(4).tolist(), strict=True))
    if line.symbol is not None:
        symbol = {"symbol": LINE_SYMBOLS[line.symbol % len(LINE_SYMBOLS)], "symbolSize": 6}
        step = max(len(points) // SYMBOL_COUNT, 1)
        # Lines that coincide have their symbols at different scores.
        for place in range(line.symbol * step // len(LINE_SYMBOLS), len(points), step):
            points[place] = {"value": points[place], **symbol}
    colour = colour_of(line)
    style = {"color": colour, "width": 2, "type": DASHES[line.dash % len(DASHES)]}
    # A tuple, because Socket.IO searches every list and dictionary for binary data.
    return {"type": "line", "name": line.name, "data": tuple(points), "symbol": "none",
            "lineStyle": style, "itemStyle": {"color": colour}, "emphasis": {"disabled": True}}  # fmt: skip


def _frame() -> Options:
    return {
        "animation": False,
        "grid": {"left": 8, "right": 18, "top": 34, "bottom": 22, "containLabel": True},
        "legend": {"show": False},  # above the chart, where it can wrap
        "textStyle": {"fontFamily": "inherit"},
    }  # fmt: skip


def _axis() -> Options:
    return {
        "axisLabel": {"color": SOFT, "hideOverlap": True},
        "axisLine": {"lineStyle": {"color": GRID}},
        "axisTick": {"lineStyle": {"color": GRID}},
        "splitLine": {"lineStyle": {"color": GRID, "opacity": 0.6}},
    }


def _tooltip() -> Options:
    return {
        "confine": True,
        "backgroundColor": "var(--card)",
        "borderColor": "var(--line)",
        "textStyle": {"color": "var(--ink)", "fontSize": 13},
        "extraCssText": "box-shadow: 0 2px 10px rgb(0 0 0 / .25); font-variant-numeric: tabular-nums",
    }


# Charts of a review


def course_legend(players: Sequence[PlayerReview]) -> list[LegendEntry]:
    """The entries of the legend above the course of a game; none for a single player."""
    if len(players) < 2:
        return []
    return [
        LegendEntry(one.player.name, COLOURS[one.number % len(COLOURS)], min(one.number % len(DASHES), 2))
        for one in players
    ]


def course_options(review: Review, players: Sequence[PlayerReview], chosen: Decision | None, t: Text) -> Options:
    """The value over the game. Decisions can be clicked, and errors have their own symbols."""
    scale, series = scale_of(review.unit), list[Options]()
    for place, one in enumerate(players):
        colour = COLOURS[one.number % len(COLOURS)]
        points = [[round(point.at, 4), round(scale * point.value, 4)] for point in one.course]
        line = {"color": colour, "width": 2, "type": DASHES[one.number % len(DASHES)]}
        series.append({"type": "line", "name": one.player.name, "data": points, "showSymbol": False,
                       "lineStyle": line, "itemStyle": {"color": colour}, "emphasis": {"disabled": True}, "z": 2,
                       "silent": True})  # fmt: skip
        series.append(_decisions(one, place, scale, chosen, colour))
    turns = len(review.record.game.categories)
    return {
        **_frame(),
        "grid": {"left": 8, "right": 18, "top": 18, "bottom": 22, "containLabel": True},
        "xAxis": {**_axis(), "type": "value", "min": 0, "max": turns, "interval": 1, "name": t("chart.turn"),
                  "nameLocation": "middle", "nameGap": 26, "nameTextStyle": {"color": SOFT}},
        "yAxis": {**_axis(), "type": "value", "scale": True,
                  "axisLabel": {"color": SOFT, "formatter": "{value} %" if scale > 1 else "{value}"}},
        "tooltip": {**_tooltip(), "trigger": "item"},
        "series": series,
    }  # fmt: skip


def _decisions(one: PlayerReview, place: int, scale: float, chosen: Decision | None, colour: str) -> Options:
    """Every decision as a point with its index."""
    number = {id(decision): count for count, decision in enumerate(one.decisions)}
    data = []
    for point in one.course:
        decision = point.decision
        if decision is None:
            continue
        wrong = decision.grade in SYMBOLS
        here = decision is chosen
        fill = ACCENT if here else "var(--bad)" if wrong else colour
        data.append({
            "value": [round(point.at, 4), round(scale * point.value, 4)],
            "player": place, "decision": number[id(decision)],
            "symbol": SYMBOLS.get(decision.grade, "circle"),
            "symbolSize": 17 if here else 12 if wrong and not place else 7,
            "itemStyle": {"color": fill, "opacity": 1, "borderColor": "var(--card)", "borderWidth": 1.5},
            "label": {"show": wrong and not place, "formatter": decision.grade.sign, "position": "top", "color": INK,
                      "fontWeight": "bold"},
        })  # fmt: skip
    return {"type": "scatter", "name": f"{one.player.name} ", "data": data, "z": 3, "cursor": "pointer",
            "labelLayout": {"hideOverlap": True},
            "emphasis": {"disabled": True}, "tooltip": {":valueFormatter": "value => value"}}  # fmt: skip


def luck_options(review: Review, one: PlayerReview, t: Text) -> Options:
    """The luck (filled) and error (hollow) of every turn, side by side."""
    scale = scale_of(review.unit)
    turns = [str(turn.turn) for turn in one.turns]

    def bars(name: str, values: Sequence[float | None], colour: str, hollow: bool) -> Options:
        style = {"color": "transparent" if hollow else colour, "borderColor": colour, "borderWidth": 1.5}
        data = [None if value is None else round(scale * value, 4) for value in values]
        return {"type": "bar", "name": name, "data": data, "itemStyle": style, "barGap": "10%",
                "emphasis": {"disabled": True}}  # fmt: skip

    series = []
    if one.additive:
        luck = [turn.luck if turn.rolls else None for turn in one.turns]
        series.append(bars(t("review.luck"), luck, COLOURS[0], False))
    series.append(bars(t("review.error"), [-turn.error for turn in one.turns], "var(--bad)", True))
    if any(turn.mixed for turn in one.turns):
        mixed = [turn.gain if turn.mixed else None for turn in one.turns]
        series.append(bars(t("review.mixed"), mixed, SOFT, True))
    return {
        **_frame(),
        "grid": {"left": 8, "right": 18, "top": 36, "bottom": 22, "containLabel": True},
        "legend": {"top": 0, "left": 0, "type": "plain", "icon": "roundRect", "itemWidth": 26, "itemGap": 12,
                   "textStyle": {"color": INK}, "inactiveColor": GRID},
        "xAxis": {**_axis(), "type": "category", "data": turns, "name": t("chart.turn"), "nameLocation": "middle",
                  "nameGap": 26, "nameTextStyle": {"color": SOFT}, "splitLine": {"show": False}},
        "yAxis": {**_axis(), "type": "value",
                  "axisLabel": {"color": SOFT, "formatter": "{value} %" if scale > 1 else "{value}"}},
        "tooltip": {**_tooltip(), "trigger": "axis",
                    ":valueFormatter": "value => value == null ? '–' : (value > 0 ? '+' : '') + value.toFixed(2)"},
        "series": series,
    }  # fmt: skip
