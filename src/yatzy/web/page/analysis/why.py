"""“Why this move?”: compares the best move with another one, in sentences and by category."""

from __future__ import annotations

from typing import Any

from nicegui import events, ui

from yatzy.coach.explain import Explanation, Reason, ReasonKind
from yatzy.errors import YatzyError
from yatzy.games import Move, Position
from yatzy.names import parse_objective
from yatzy.report.explanation import notes, sentences
from yatzy.report.numbers import number, percent, value_text
from yatzy.report.words import capital, move_phrase
from yatzy.web import coaching
from yatzy.web.page.context import PageContext, progress_of, until_ready
from yatzy.web.page.parts.blocks import bar, grade_mark, scroll_box
from yatzy.web.page.parts.dialogs import titled_dialog
from yatzy.web.page.parts.markup import Markup, join, tag
from yatzy.web.page.parts.moves import move_name
from yatzy.web.page.parts.region import Region
from yatzy.web.page.reader import Reader
from yatzy.web.refusals import NotReady


class WhyDialog:
    """Compares the best move with the selected one. Key `w`."""

    def __init__(self, context: PageContext) -> None:
        self._context = context
        t = context.t
        self._position, self._objective, self._asked = context.position, "expected", 0
        with titled_dialog(t("why.title"), "why-dialog", "yz-why") as self._dialog:
            self._other = ui.select({}, label=t("why.compare"), on_change=self._changed)
            self._other.props('dense outlined options-dense data-testid="why-other"').classes("yz-full")
            self._said = Region("yz-why-said", role="status")
            ui.button(t("close"), on_click=self._dialog.close).props("flat no-caps")

    async def open(self, text: str = "") -> None:
        """Explain the current position of the table."""
        context = self._context
        await self.explain(context.position, text or context.chosen, context.ranking)

    async def explain(self, position: Position, other: str = "", objective: str = "expected") -> None:
        """Compare the best move of a position with another one, by default the second best."""
        t, moves = self._context.t, tuple[Move, ...]()
        if not position.over and not position.awaits_roll:
            moves = tuple(position.legal_moves)
        if len(moves) < 2:
            self._context.tell(t("why.only") if moves else t("why.none"))
            return
        if not coaching.can_review(parse_objective(objective)):
            objective = str(coaching.REVIEW_SEARCHES[0])
        self._position, self._objective = position, objective
        language = self._context.language
        options = {str(move): capital(move_phrase(position, move, language)) for move in moves}
        self._other.set_options(options, value=other if other in options else None)
        self._dialog.open()
        await self._find()

    async def _changed(self, event: events.ValueChangeEventArguments[Any]) -> None:
        if self._dialog.value and event.value:
            await self._find()

    async def _find(self) -> None:
        context, position = self._context, self._position
        self._asked += 1
        asked, text = self._asked, self._other.value
        self._said.show(tag("p", "…", class_="yz-note"))

        def tell(error: NotReady) -> None:
            waits = context.t("why.waiting", progress=progress_of(error, context.language))
            self._said.show(tag("p", waits, class_="yz-note"))

        try:
            move = position.game.parse_move(text) if text else None
            found = await until_ready(
                lambda: self._explained(position, move),
                wanted=lambda: asked == self._asked and bool(self._dialog.value),
                tell=tell,
            )
        except YatzyError as error:
            self._said.show(tag("p", self._context.problem(error), class_="yz-bad"))
            return
        if found is not None and asked == self._asked:
            self._said.show(explanation_markup(context.reader, found))

    async def _explained(self, position: Position, move: Move | None) -> Explanation:
        found = await coaching.explain(self._context.service, position, self._objective)
        if move is None or move in (found.preferred.move, found.other.move):
            return found
        return await coaching.explain(self._context.service, position, self._objective, move, found.preferred.move)


def explanation_markup(reader: Reader, found: Explanation) -> Markup:
    """A comparison of two moves."""
    language = reader.language
    said = [tag("p", sentence) for sentence in sentences(found, language)]
    remarks = [tag("p", note, class_="yz-note yz-fine") for note in notes(found, language)]
    return join(tag("div", *said, class_="yz-sentences", data_testid="why-sentences"), _table(reader, found), *remarks)


def _table(reader: Reader, found: Explanation) -> Markup:
    t, language, sides = reader.t, reader.language, (found.preferred, found.other)
    heads = [
        tag("th", move_name(reader, found.position, side.move), tag("br"), grade_mark(side.ranked.grade, language),
            scope="col")
        for side in sides
    ]  # fmt: skip

    def row(name: str, *cells: str | Markup, kind: str | None = None) -> Markup:
        head = tag("th", name, scope="row", class_="yz-left")
        return tag("tr", head, *(tag("td", cell) for cell in cells), class_=kind)

    outlooks = [side.outlook for side in sides]
    rows = [
        row(t("why.value"), *(value_text(side.ranked.value, found.unit, language) for side in sides), "", "",
            kind="yz-strong"),
        row(t("why.final"), *(number(one.mean, 2, language) for one in outlooks),
            _signed(outlooks[0].mean - outlooks[1].mean, language), ""),
        row(t("why.middle"), *(f"{one.low} – {one.high}" for one in outlooks), "", ""),
    ]  # fmt: skip
    most = max((abs(reason.points) for reason in found.reasons), default=0.0) or 1.0
    rows += [
        row(_name(reader, reason), *_amounts(reason, language), _signed(reason.points, language),
            bar(abs(reason.points) / most, negative=reason.points < 0))
        for reason in found.reasons
    ]  # fmt: skip
    head = tag("tr", tag("th", t("why.category"), scope="col", class_="yz-left"), *heads,
               tag("th", t("why.difference"), scope="col"), tag("td", ""))  # fmt: skip
    caption = tag("caption", t("why.caption"), class_="yz-hidden")
    table = tag("table", caption, tag("thead", head), tag("tbody", *rows), class_="yz-data yz-why-table",
                data_testid="why-table")  # fmt: skip
    return scroll_box(table)


def _name(reader: Reader, reason: Reason) -> str:
    if reason.category is not None:
        return reason.category.name(reader.language)
    return reader.t("why.bonus" if reason.kind is ReasonKind.BONUS else "why.jokers")


def _amounts(reason: Reason, language: str) -> tuple[str, str]:
    if reason.kind is ReasonKind.BONUS:
        return percent(reason.preferred, 1, language), percent(reason.other, 1, language)
    return number(reason.preferred, 2, language), number(reason.other, 2, language)


def _signed(points: float, language: str) -> str:
    shown = number(abs(points), 2, language)
    return shown if shown == number(0, 2, language) else f"{'−' if points < 0 else '+'}{shown}"
