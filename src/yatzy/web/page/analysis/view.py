"""The analysis beside the table: what will become of the present position, of every player and of some moves.

It follows the game without holding it up: one piece of work at a time, the last position wins, and what has become old
meanwhile is dropped. Whatever waits for a table says so and fills in later.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from nicegui import background_tasks, events, ui

from yatzy.errors import YatzyError
from yatzy.evaluation.outlook import Outlook
from yatzy.games import Move, Position
from yatzy.report.numbers import count
from yatzy.report.words import capital, move_phrase
from yatzy.web import coaching
from yatzy.web.page.analysis.tables import category_table, number_table, range_line, win_table
from yatzy.web.page.analysis.why import WhyDialog
from yatzy.web.page.context import OnDemand, PageContext
from yatzy.web.page.parts import charts
from yatzy.web.page.parts.blocks import chart_box, segments, show_chart
from yatzy.web.page.parts.charts import Line
from yatzy.web.page.parts.markup import Region, join, tag
from yatzy.web.refusals import NotReady
from yatzy.web.tables import DISTRIBUTIONS, OUTLOOK, State

MOST_MOVES = 4
"""Moves that are compared at once."""
PATIENCE = 0.03
"""Seconds in which several changes become one."""


@dataclass
class Found:
    """What is known of a position so far."""

    position: Position
    moves: tuple[Move, ...]
    outlooks: dict[int, Outlook] = field(default_factory=dict)
    """By seat."""
    after: dict[Move, Outlook] = field(default_factory=dict)
    lines: list[Line] = field(default_factory=list)
    best: list[Line] = field(default_factory=list)
    plain_wins: tuple[float, ...] = ()
    best_win: float | None = None
    missing: set[str] = field(default_factory=set)
    """Tables that are waited for."""
    problem: str = ""


def show_analysis(context: PageContext) -> None:
    """Put the analysis where the page is being built."""
    Analysis(context)


class Analysis:
    """The analysis of one tab."""

    def __init__(self, context: PageContext) -> None:
        self._context = context
        self._exactly, self._with_best = False, True
        self._wanted, self._working = 0, False
        self._moves: list[str] = []
        self._found: Found | None = None
        t = context.t
        self._head = Region("yz-an-head")
        self._range = Region("yz-an-range")
        self._chart = chart_box({}, "analysis-chart", t("chart.label"))
        self._note = Region("yz-an-note")
        self._numbers = Region("yz-scroll")
        self._select = ui.select([], multiple=True, label=t("analysis.view.moves"), on_change=self._pick)
        self._select.props('dense outlined use-chips options-dense data-testid="compare-moves"').classes("yz-full")
        self._wins = Region()
        self._categories = Region()
        self._why = OnDemand(context, lambda: WhyDialog(context))
        self._timer = ui.timer(1.0, self._show_progress, active=False)
        context.on_action("chart", self._show_as)
        context.on_action("chart-best", self._toggle_best)
        context.on_action("why", lambda text: self._why().open(text))
        context.on_change(self.refresh)
        context.on_choice(self.refresh)
        self._show_head()

    # Following the game

    def refresh(self) -> None:
        """Work the present position out, as soon as there is time."""
        self._wanted += 1
        if not self._working:
            self._working = True
            background_tasks.create(self._follow())

    async def _follow(self) -> None:
        try:
            while True:
                await asyncio.sleep(PATIENCE)
                asked = self._wanted
                await self._work(asked)
                if asked == self._wanted:
                    return
        finally:
            self._working = False

    async def _work(self, asked: int) -> None:
        position = self._context.position
        if self._found is None or self._found.position != position:
            self._offer(position)
        found = Found(position, self._compared(position))
        steps = [self._outlooks, self._curves]
        if len(position.sheets) > 1:
            steps.append(self._chances)
        for step in steps:
            try:
                await step(found)
            except NotReady as error:
                found.missing |= {one["table"] for one in error.tables}
            except YatzyError as error:
                found.problem = str(error)
            if asked != self._wanted:
                return
            self._show(found)

    def _compared(self, position: Position) -> tuple[Move, ...]:
        """The moves whose distribution is shown: those that were picked, and the one that is looked at."""
        texts = list(dict.fromkeys([*self._moves, *([self._context.chosen] if self._context.chosen else [])]))
        if position.over or position.awaits_roll:
            return ()
        legal = set(position.legal_moves)
        found = []
        for text in texts[-MOST_MOVES:]:
            try:
                move = position.game.parse_move(text)
            except YatzyError:
                continue
            if move in legal:
                found.append(move)
        return tuple(found)

    async def _outlooks(self, found: Found) -> None:
        service, position = self._context.service, found.position
        for seat in range(len(position.sheets)):
            found.outlooks[seat] = await coaching.outlook(service, position, seat)
        for move in found.moves:
            found.after[move] = await coaching.outlook(service, position, move=move)
        found.lines = self._strategy_lines(found)

    def _strategy_lines(self, found: Found) -> list[Line]:
        t, players = self._context.t, self._context.session.players
        several = len(found.outlooks) > 1
        lines = []
        for seat, one in found.outlooks.items():
            name = players[seat].name if several else t("analysis.view.plain")
            lines.append(Line.of(name, one.score, sampled=not one.exact, colour=seat, dash=0))
        for place, (move, one) in enumerate(found.after.items()):
            name = t("analysis.view.after", move=self._move_name(found.position, move))
            lines.append(Line.of(name, one.score, sampled=not one.exact, colour=len(players) + place, dash=2 + place))
        return lines

    async def _curves(self, found: Found) -> None:
        if not self._with_best:
            return
        t, service, position = self._context.t, self._context.service, found.position
        players = self._context.session.players
        several = len(players) > 1
        for seat, player in enumerate(players):
            first, at_least = await coaching.best_curve(service, coaching.alone(position, seat))
            name = t("analysis.view.best_of", name=player.name) if several else t("analysis.view.best_alone")
            # A copy, because the curve is a row of the curves of the whole turn, which take a megabyte.
            found.best.append(Line(name, first, at_least.copy(), colour=seat, dash=1))

    async def _chances(self, found: Found) -> None:
        position = found.position
        found.plain_wins = await coaching.chances_to_win(self._context.service, position)
        self._show(found)
        if not position.over:
            found.best_win = await coaching.best_chance_to_win(self._context.service, position)

    # Showing

    def _show(self, found: Found) -> None:
        self._found = found
        context, t = self._context, self._context.t
        lines, target = [*found.lines, *found.best], self._target
        show_chart(self._chart, charts.curve_options(lines, t, exactly=self._exactly, target=target))
        self._numbers.show(number_table(lines, target, t, context.language) if lines else join())
        mover = found.position.mover
        outlook = found.outlooks.get(mover)
        self._range.show(range_line(outlook, found.best[mover] if found.best else None, target, t, context.language))
        self._categories.show(category_table(context, found.position, outlook) if outlook else join())
        self._wins.show(win_table(context, found.position, found.plain_wins, found.best_win))
        self._select.set_visibility(context.hints and bool(self._select.options))
        self._show_head()
        self._show_progress()

    def _show_head(self) -> None:
        t = self._context.t
        views = segments(t("analysis.view.label"), "chart", {
            "at-least": t("analysis.view.at_least"), "exactly": t("analysis.view.exactly"),
        }, "exactly" if self._exactly else "at-least")  # fmt: skip
        best = tag("button", t("analysis.view.best"), type="button", class_="yz-switch", role="switch",
                   aria_checked="true" if self._with_best else "false", data_do="chart-best", data_key="chart-best",
                   data_testid="chart-best", title=t("analysis.view.best_note"))  # fmt: skip
        why = tag("button", t("analysis.view.why_short"), type="button", class_="yz-button", data_do="why",
                  data_key="why", data_testid="why", title=f"{t('analysis.view.why')} (W)")  # fmt: skip
        self._head.show(join(tag("h2", t("analysis.label")), tag("div", views, best, why, class_="yz-row")))

    def _show_progress(self) -> None:
        found, t = self._found, self._context.t
        if found is None:
            return
        game = found.position.game
        parts = [
            t("analysis.view.waiting", table=t(f"tables.{table}"), progress=self._progress(table))
            for table in (OUTLOOK, DISTRIBUTIONS)
            if table in found.missing and self._context.tables.status_of(game, table).state is not State.READY
        ]
        self._timer.active = bool(parts)
        if found.problem:
            parts.append(found.problem)
        sampled = next((one.games for one in found.outlooks.values() if not one.exact), 0)
        if sampled:
            parts.append(t("analysis.view.sampled", games=count(sampled, self._context.language)))
        self._note.show(tag("p", " · ".join(parts), class_="yz-note", role="status", data_testid="analysis-note"))

    def _progress(self, table: str) -> str:
        stand = self._context.tables.status_of(self._context.session.game, table)
        return f"{100 * stand.done:.0f} %" if stand.state is State.MAKING else self._context.t("tables.waiting")

    @property
    def _target(self) -> int | None:
        """The score in question: just above the record to beat, or that of a column."""
        if self._context.target is not None:
            return self._context.target + 1
        chosen = (one for one in self._context.objectives if one.startswith("target:"))
        return next((int(one.partition(":")[2]) for one in chosen), None)

    # What people ask for

    def _offer(self, position: Position) -> None:
        """Let people pick among the moves of a new position."""
        self._moves = []
        moves: Sequence[Move] = () if position.over or position.awaits_roll else position.legal_moves
        options = {str(move): self._move_name(position, move) for move in moves}
        self._select.set_options(options, value=[])

    def _move_name(self, position: Position, move: Move) -> str:
        return capital(move_phrase(position, move, self._context.language))

    def _pick(self, event: events.ValueChangeEventArguments[Any]) -> None:
        picked = list(event.value or [])
        if picked != self._moves:
            self._moves = picked
            self.refresh()

    def _show_as(self, how: str) -> None:
        self._exactly = how == "exactly"
        if self._found is not None:
            self._show(self._found)

    def _toggle_best(self, _: str) -> None:
        self._with_best = not self._with_best
        self._show_head()
        self.refresh()
