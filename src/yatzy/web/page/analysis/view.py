"""The analysis beside the table: outlooks of the current position for each player and for selected moves.

It follows the game without delaying it: one job at a time, always for the latest position, and outdated results are
dropped. Parts that need a missing table say so and are filled in later.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from dataclasses import replace
from functools import partial

from nicegui import background_tasks, ui

from yatzy.coach.selected_moves import MOST_MOVES
from yatzy.errors import YatzyError
from yatzy.evaluation.outlook import Outlook
from yatzy.games import Move, Position
from yatzy.names import Target, parse_objective
from yatzy.report.numbers import count
from yatzy.web import coaching
from yatzy.web.kept import Kept
from yatzy.web.page.analysis.model import (
    Categories,
    Chart,
    Found,
    Head,
    Range,
    Ticks,
    Wins,
    best_line,
    move_best_line,
    move_line,
    seat_line,
)
from yatzy.web.page.analysis.tables import category_table, chart_table, head_line, range_line, ticks_line, win_table
from yatzy.web.page.analysis.why import WhyDialog
from yatzy.web.page.context import OnDemand, PageContext
from yatzy.web.page.parts import charts
from yatzy.web.page.parts.blocks import legend
from yatzy.web.page.parts.chart_box import chart_box, show_chart
from yatzy.web.page.parts.charts import Line
from yatzy.web.page.parts.markup import tag
from yatzy.web.page.parts.region import Region
from yatzy.web.refusals import NotReady
from yatzy.web.tables import DISTRIBUTIONS, OUTLOOK, State

PATIENCE = 0.03
"""Debounce time in seconds: changes within it are handled together."""


def show_analysis(context: PageContext) -> None:
    """Add the analysis to the page being built."""
    Analysis(context)


class Analysis:
    """The analysis of one tab."""

    def __init__(self, context: PageContext) -> None:
        self._context = context
        self._exactly, self._with_best = False, True
        self._wanted, self._working = 0, False
        self._found: Found | None = None
        self._drawn: Chart | None = None
        self._searched: tuple[Position, asyncio.Task[None]] | None = None
        t = context.t
        self._head = Region("yz-an-head")
        self._range = Region("yz-an-range")
        self._legend = Region()
        self._chart = chart_box({}, "analysis-chart", t("chart.label"))
        self._note = Region("yz-an-note")
        self._numbers = Region("yz-scroll", tabindex="0")
        self._ticks = Region()
        self._wins = Region()
        self._categories = Region()
        self._why = OnDemand(context, lambda: WhyDialog(context))
        self._timer = ui.timer(1.0, self._show_progress, active=False)
        context.on_action("chart", self._show_as)
        context.on_action("chart-best", self._toggle_best)
        context.on_action("why", lambda text: self._why().open(text))
        context.on_change(self.refresh)
        context.on_choice(self.refresh)
        context.client.on_delete(self._leave)
        self._show_head()

    # Following the game

    def refresh(self) -> None:
        """Schedule an analysis of the current position."""
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
        moves = self._compared(position)
        found = Found(position, moves, sum(str(move) in self._context.compared for move in moves))
        if self._found is not None and self._found.position == position:  # show the old chances until updated
            found.plain_wins, found.best_win = self._found.plain_wins, self._found.best_win
        await self._try(self._outlooks, found)
        await self._try(self._curves, found)
        if asked == self._wanted:
            self._show(found)
        if len(position.sheets) == 1 or asked != self._wanted:
            return
        await self._try(self._plain_chances, found)
        if asked == self._wanted:
            self._show(found)
            self._search(found)

    def _search(self, found: Found) -> None:
        """Start the search for the best chance to win in the background, unless it is known or already running."""
        if self._searched is not None and self._searched[0] == found.position and not self._searched[1].done():
            return
        self._leave()
        if not found.position.over and found.best_win is None:
            self._searched = (found.position, background_tasks.create(self._find_best_chance(found.position)))

    async def _find_best_chance(self, position: Position) -> None:
        async def step(found: Found) -> None:
            found.best_win = await coaching.best_chance_to_win(self._context.service, position)

        known = Found(position, ())
        await self._try(step, known)
        found = self._found
        if found is not None and found.position == position and not self._context.client.is_deleted:
            found.best_win = known.best_win
            found.missing |= known.missing
            found.problem = found.problem or known.problem
            with self._context.client:
                self._show(found)

    def _leave(self) -> None:
        """Cancel the running search."""
        if self._searched is not None:
            self._searched[1].cancel()

    @staticmethod
    async def _try(step: Callable[[Found], Awaitable[None]], found: Found) -> None:
        """Run a step. Missing tables and errors are recorded in `found`."""
        try:
            await step(found)
        except NotReady as error:
            found.missing |= {one.table for one in error.tables}
        except YatzyError as error:
            found.problem = error

    def _compared(self, position: Position) -> tuple[Move, ...]:
        """The moves whose distributions are shown: the ticked ones, then the selected one if there is room."""
        if position.over or position.awaits_roll:
            return ()
        context = self._context
        legal = self._kept.make(("moves", position), lambda: {str(move): move for move in position.legal_moves})
        texts = dict.fromkeys((*context.compared, context.chosen))
        return tuple(legal[text] for text in texts if text in legal)[:MOST_MOVES]

    async def _outlooks(self, found: Found) -> None:
        position, reader, players = found.position, self._context.reader, self._context.session.players
        for seat in range(len(position.sheets)):
            one = found.outlooks[seat] = await self._outlook(position, seat=seat)
            line = partial(seat_line, reader, players, seat, one)
            found.lines.append(self._line(position, seat, "plain", line))
        for place, move in enumerate(found.moves):
            one = await self._outlook(position, move=move)
            ticked = place < found.ticked
            line = partial(move_line, reader, len(players), place, position, move, one, ticked=ticked)
            found.lines.append(self._line(position, place, (move, ticked), line))

    async def _outlook(self, position: Position, seat: int | None = None, move: Move | None = None) -> Outlook:
        """The outlook of a player, or of the player to move after a move. Cached."""
        service = self._context.service
        return await self._kept.ask(
            ("outlook", position, seat, move), lambda _: coaching.outlook(service, position, seat, move)
        )

    def _line(self, position: Position, place: int, what: Hashable, make: Callable[[], Line]) -> Line:
        """A line of the chart. Cached, so that an unchanged chart can be recognised."""
        return self._kept.make(("line", self._context.reader, position, place, what), make)

    async def _curves(self, found: Found) -> None:
        if not self._with_best:
            return
        service, position, reader = self._context.service, found.position, self._context.reader
        players = self._context.session.players

        async def find(seat: int) -> Line:
            first, at_least = await coaching.best_curve(service, coaching.alone(position, seat))
            return best_line(reader, players, seat, first, at_least)

        for seat in range(len(players)):
            key = ("line", reader, position, seat, "best")
            found.best.append(await self._kept.ask(key, lambda _, seat=seat: find(seat)))  # type: ignore[misc]
        for place, move in enumerate(found.moves[: found.ticked]):
            first, at_least = await self._kept.ask(
                ("best", position, move),
                lambda _, move=move: coaching.best_curve(service, position, move),  # type: ignore[misc]
            )
            after = partial(move_best_line, reader, len(players), place, position, move, first, at_least)
            found.move_best.append(self._line(position, place, ("best", move), after))

    async def _plain_chances(self, found: Found) -> None:
        service, position = self._context.service, found.position
        key = ("wins", position)
        found.plain_wins = await self._kept.ask(key, lambda _: coaching.chances_to_win(service, position))

    @property
    def _kept(self) -> Kept:
        return self._context.table.kept

    # Showing

    def _show(self, found: Found) -> None:
        self._found = found
        context, reader, target = self._context, self._context.reader, self._target
        chart = Chart(reader, (*found.lines, *found.best, *found.move_best), target, self._exactly)
        if chart != self._drawn:
            self._drawn = chart
            self._legend.show(legend(charts.legend_of(chart.lines, exactly=chart.exactly)))
            show_chart(self._chart, charts.curve_options(chart.lines, reader.t, exactly=chart.exactly, target=target))
        self._numbers.show_model(replace(chart, exactly=False), chart_table)
        mover = found.position.mover
        outlook = found.outlooks.get(mover)
        self._range.show_model(Range(reader, outlook, found.best[mover] if found.best else None, target), range_line)
        self._categories.show_model(Categories(reader, found.position, outlook), category_table)
        wins = Wins(reader, context.session.players, mover, found.plain_wins, found.best_win)
        self._wins.show_model(wins, win_table)
        self._show_ticks(found.position)
        self._show_head()
        self._show_progress()

    def _show_ticks(self, position: Position) -> None:
        context = self._context
        can_tick = context.hints and bool(position.legal_moves)
        self._ticks.show_model(Ticks(context.reader, bool(context.compared), can_tick), ticks_line)

    def _show_head(self) -> None:
        self._head.show_model(Head(self._context.reader, self._exactly, self._with_best), head_line)

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
        if found.problem is not None:
            parts.append(self._context.problem(found.problem))
        sampled = next((one.games for one in found.outlooks.values() if not one.exact), 0)
        if sampled:
            parts.append(t("analysis.view.sampled", games=count(sampled, self._context.language)))
        self._note.show(tag("p", " · ".join(parts), class_="yz-note", role="status", data_testid="analysis-note"))

    def _progress(self, table: str) -> str:
        stand = self._context.tables.status_of(self._context.session.game, table)
        return f"{100 * stand.done:.0f} %" if stand.state is State.MAKING else self._context.t("tables.waiting")

    @property
    def _target(self) -> int | None:
        """The target score: one above the record to beat, or the target of a column."""
        if self._context.target is not None:
            return self._context.target + 1
        chosen = map(parse_objective, self._context.objectives)
        return next((one.score for one in chosen if isinstance(one, Target)), None)

    # User actions

    def _show_as(self, how: str) -> None:
        self._exactly = how == "exactly"
        if self._found is not None:
            self._show(self._found)

    def _toggle_best(self, _: str) -> None:
        self._with_best = not self._with_best
        self._show_head()
        self.refresh()
