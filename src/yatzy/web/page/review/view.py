"""The review of a record: the value over the game, luck and error separated, and every error with its position."""

from __future__ import annotations

import asyncio
from typing import Any

from nicegui import background_tasks, events, ui

from yatzy.coach.advice import Advice
from yatzy.coach.reviews.review import Decision, PlayerReview, Review
from yatzy.errors import YatzyError
from yatzy.games import Record
from yatzy.names import Objective, Target
from yatzy.units import Unit
from yatzy.web import coaching
from yatzy.web.page.analysis.why import WhyDialog
from yatzy.web.page.context import Action, OnDemand, PageContext, until_ready, whole_number
from yatzy.web.page.parts import charts
from yatzy.web.page.parts.blocks import legend
from yatzy.web.page.parts.chart_box import chart_box, show_chart
from yatzy.web.page.parts.files import file_field, paste_button, paste_field
from yatzy.web.page.parts.markup import join, tag
from yatzy.web.page.parts.region import Region
from yatzy.web.page.parts.ticker import Ticker
from yatzy.web.page.quiz.panel import QuizPanel
from yatzy.web.page.review import tables
from yatzy.web.page.table.columns import offered, text_or
from yatzy.web.page.views import View
from yatzy.web.refusals import NotReady

SHOWN = 50
"""Number of saved games that can be chosen."""


PASTED = "#"
"""The start of the keys of pasted games in the list of games; no saved game has it in its name."""


def game_label(record: Record, language: str) -> str:
    """The game and its players with their points."""
    names = ", ".join(f"{p.name} {s}" for p, s in zip(record.players, record.scores, strict=True))
    return f"{record.game.name(language)} · {names}"


class ReviewView:
    """The review of one tab."""

    def __init__(self, context: PageContext) -> None:
        self._context = context
        self._offered = {one.label.key: one for one in offered() if coaching.can_review(one)}
        """The objectives to choose from."""
        self._record: Record | None = None
        self._pasted: dict[str, Record] = {}
        """The games of a pasted file of several, by their keys in the list of games."""
        self._name = ""
        self._review: Review | None = None
        self._player, self._place, self._asked = 0, 0, 0
        self._advice: Advice | None = None
        self._done = (0, 0)
        self._task: asyncio.Task[None] | None = None
        with ui.element("div").classes("yz-view"):
            self._build_form()
            with ui.element("section").classes("yz-card yz-quiz") as self._quiz_card:
                self._quiz = QuizPanel(context, self._close_quiz)
            with ui.element("div").classes("yz-two") as self._results:
                self._build_results()
        self._quiz_card.set_visibility(False)
        self._results.set_visibility(False)
        self._why = OnDemand(context, lambda: WhyDialog(context))
        actions: dict[str, Action] = {
            "decision": self._show_decision, "left": lambda _: self._step(-1), "right": lambda _: self._step(1),
            "reviewed": self._choose_player, "why": self._explain, "retry": self._retry,
            "report": self._download,
        }  # fmt: skip
        for name, action in actions.items():
            context.on_action(name, action)
        self._ticker = Ticker(0.3, self._show_progress)
        background_tasks.create(self._begin())
        context.client.on_delete(self._leave)

    # Building

    def _build_form(self) -> None:
        t = self._context.t
        with ui.element("section").classes("yz-card yz-stack") as self._form:
            self._head = Region()
            self._head.show(tag("h1", t("review.title")))
            with ui.element("div").classes("yz-form"):
                self._source = ui.select({"": t("review.current")}, value="", label=t("review.source"))
                self._source.props('dense outlined options-dense data-testid="review-source"')
                self._source.on_value_change(self._load_saved)
                names = {key: text_or(self._context, f"review.{key}", one.help) for key, one in self._offered.items()}
                self._objective = ui.select(names, value=next(iter(names)), label=t("review.objective"))
                self._objective.props('dense outlined options-dense data-testid="review-objective"')
                self._objective.on_value_change(self._choose)
                self._number = ui.number(min=1, max=9999, format="%d")
                self._number.props('dense outlined debounce=600 data-testid="review-number"')
                self._number.on_value_change(self._start)
                self._number.set_visibility(False)
            with ui.expansion(t("review.other")).props('dense data-testid="review-other"').classes("yz-full"):
                paste_field(self._context, "review-paste", t("review.paste"), self._read, most=coaching.RECORD)
                paste_button("review-paste", t("review.go"), "review-go")
                Region().show(tag("p", t("paste.review"), class_="yz-note yz-fine"))
                file_field(self._context, "review-file", t("review.upload"), self._read, most=coaching.RECORD)
            self._note = Region("yz-form-note", role="status")

    def _build_results(self) -> None:
        t = self._context.t
        with ui.element("div").classes("yz-stack"):
            with ui.element("section").classes("yz-card"):
                self._title = Region()
                self._identity = Region()
                self._tally = Region()
                self._remarks = Region()
                self._tools = Region()
            with ui.element("section").classes("yz-card"):
                self._course_title = Region()
                self._legend = Region()
                self._course = chart_box({}, "course-chart", t("chart.label"))
                self._course.on_point_click(self._clicked)
            with ui.element("section").classes("yz-card"):
                Region().show(tag("h2", t("review.turns")))
                self._luck = chart_box({}, "luck-chart", t("chart.label"))
                self._turns = Region()
        with ui.element("div").classes("yz-stack"):
            with ui.element("section").classes("yz-card"):
                Region().show(tag("h2", t("review.errors")))
                self._errors = Region()
            with ui.element("section").classes("yz-card"):
                self._position = Region("yz-position", role="region", aria_label=t("review.position"))

    # Choosing a record

    async def _begin(self) -> None:
        context, t = self._context, self._context.t
        if not self._asked:  # unless the user has already chosen a record
            self._take(context.session.record, context.table.id)
            asked = context.query("player")  # counted from 1, as in the links at the end of a game
            if asked in map(str, range(1, len(context.session.players) + 1)):
                self._player = int(asked) - 1
        saved = await asyncio.to_thread(context.store.list)
        options = {"": t("review.current")}
        for one in saved[:SHOWN]:
            if one.record is not None and one.name != context.table.id:
                options[one.name] = f"{one.modified:%Y-%m-%d %H:%M} · {game_label(one.record, context.language)}"
        self._source.set_options(options)

    async def _load_saved(self, event: events.ValueChangeEventArguments[Any]) -> None:
        if not event.value:
            self._take(self._context.session.record, self._context.table.id)
            return
        if event.value in self._pasted:
            self._take(self._pasted[event.value], "record")
            return
        try:
            found = await asyncio.to_thread(self._context.store.find, str(event.value))
        except YatzyError as error:
            self._tell(self._context.problem(error), bad=True)
            return
        if found is not None:
            self._take(found.session.record, found.id)

    async def _read(self, text: str) -> None:
        try:
            records = await asyncio.to_thread(coaching.read_records, text)
        except YatzyError as error:
            self._tell(self._context.problem(error), bad=True)
            return
        if len(records) == 1:
            self._take(records[0], "record")
            return
        self._pasted = {f"{PASTED}{number}": record for number, record in enumerate(records, 1)}
        games = {
            id: f"{self._context.t('paste.game', number=number)} · {game_label(record, self._context.language)}"
            for number, (id, record) in enumerate(self._pasted.items(), 1)
        }
        known = {id: name for id, name in dict(self._source.options).items() if not id.startswith(PASTED)}
        self._source.set_options({**games, **known}, value=next(iter(games)))

    def _take(self, record: Record, name: str) -> None:
        self._record, self._name, self._player = record, name, 0
        self._start()

    def _choose(self) -> None:
        one = self._chosen
        with_number = one.number is not None and not one.several
        self._number.set_visibility(with_number)
        if with_number:
            self._number.props(f'label="{text_or(self._context, f"review.{one.label.key}_number", one.form)}"')
            aim = self._context.target
            self._number.value = one.number if aim is None or not isinstance(one, Target) else aim + 1
        self._start()

    # Reviewing

    @property
    def _chosen(self) -> Objective:
        """The objective chosen in the list; the first one if a request names none of them."""
        return self._offered.get(str(self._objective.value), next(iter(self._offered.values())))

    @property
    def _wanted(self) -> str:
        one = self._chosen
        return str(one if one.number is None or one.several else one.of_number(whole_number(self._number.value)))

    def _leave(self) -> None:
        """Cancel the running review."""
        self._asked += 1
        if self._task is not None:
            self._task.cancel()

    def _start(self) -> None:
        self._leave()
        self._task = background_tasks.create(self._work(self._asked))

    async def _work(self, asked: int) -> None:
        record, t = self._record, self._context.t
        if record is None or not any(turn.score or turn.keeps for turn in record.turns):
            self._review = None
            self._results.set_visibility(False)
            self._tell(t("review.empty"))
            return
        self._done = (0, len(record.turns))
        self._ticker.switch(True)

        def progress(done: int, total: int) -> None:
            self._done = (done, total)

        try:
            found = await until_ready(
                lambda: coaching.review(self._context.service, record, self._wanted, progress=progress),
                wanted=lambda: asked == self._asked,
                tell=self._tell_waiting,
            )
        except YatzyError as error:
            if asked == self._asked:
                self._ticker.switch(False)
                self._tell(self._context.problem(error), bad=True)
            return
        if found is None or asked != self._asked:
            return
        self._ticker.switch(False)
        self._tell("")
        self._review, self._place = found, 0
        self._player = min(self._player, len(found.players) - 1)
        self._results.set_visibility(True)
        self._show_player()

    def _tell_waiting(self, error: NotReady) -> None:
        self._ticker.switch(False)
        self._tell(self._context.t("review.wait", what=self._context.problem(error)))

    def _show_progress(self) -> None:
        done, total = self._done
        self._tell(self._context.t("review.working", done=done, total=total))

    def _tell(self, text: str, *, bad: bool = False) -> None:
        self._note.show(tag("p", text, class_="yz-bad" if bad else "yz-note", data_testid="review-note"))

    # Showing

    @property
    def _one(self) -> PlayerReview:
        assert self._review is not None
        return self._review.players[self._player]

    @property
    def _decision(self) -> Decision | None:
        decisions = self._one.decisions
        return decisions[self._place] if self._place < len(decisions) else None

    def _show_player(self) -> None:
        review, context, one = self._review, self._context, self._one
        assert review is not None
        t = context.t
        worst = one.errors[0] if one.errors else None
        self._place = next((n for n, decision in enumerate(one.decisions) if decision is worst), 0)
        tabs = tables.player_tabs(context.reader, review.players, self._player)
        self._title.show(tag("div", tables.headline(context.reader, review), tabs, class_="yz-spread"))
        self._identity.show(tables.identity_line(context.reader, review, one))
        self._tally.show(tables.tally_line(context.reader, review, one))
        self._remarks.show(tables.remarks_of(context.reader, review, one))
        buttons = [
            ("retry", "", "review.retry"),
            ("report", "html", "review.html"),
            ("report", "md", "review.markdown"),
        ]
        self._tools.show(tag("div", *(
            tag("button", t(key), type="button", class_="yz-button", data_do=name, data_arg=argument,
                data_key=f"{name}{argument}", data_testid=f"{name}{argument}")
            for name, argument, key in buttons
        ), class_="yz-row yz-above"))  # fmt: skip
        label = {Unit.POINTS: "label_points", Unit.CHANCE: "label_chance", Unit.WORTH: "label_worth"}[review.unit]
        self._course_title.show(join(tag("h2", t("review.course", label=t(f"review.{label}"))),
                                     tag("p", t("review.click"), class_="yz-note yz-fine")))  # fmt: skip
        show_chart(self._luck, charts.luck_options(review, one, t))
        self._turns.show(tables.turn_list(context.reader, review, one))
        self._show_place()

    def _show_place(self) -> None:
        """Update the parts that depend on the selected decision, then find its advice."""
        review, context, one = self._review, self._context, self._one
        assert review is not None
        shown = [one, *(other for other in review.players if other is not one)]
        self._legend.show(legend(charts.course_legend(shown)))
        show_chart(self._course, charts.course_options(review, shown, self._decision, context.t))
        self._errors.show(tables.error_list(context.reader, review, one, self._decision))
        self._advice = None
        self._show_position()
        background_tasks.create(self._advise())

    def _show_position(self) -> None:
        decision, one = self._decision, self._one
        if decision is None:
            self._position.show(join())
            return
        place = (self._place, len(one.decisions))
        self._position.show(tables.position_panel(self._context.reader, one, decision, self._advice, place))

    async def _advise(self) -> None:
        review, decision, service = self._review, self._decision, self._context.service
        if review is None or decision is None:
            return
        try:
            (advice,) = await service.advise(decision.position, [review.objective])
        except YatzyError:
            return  # the review already shows the reason
        if self._review is review and self._decision is decision:
            self._advice = advice
            self._show_position()

    # User actions

    def _clicked(self, event: events.EChartPointClickEventArguments) -> None:
        data = event.data
        if isinstance(data, dict) and isinstance(data.get("decision"), int) and self._review is not None:
            order = [self._player, *(n for n in range(len(self._review.players)) if n != self._player)]
            player = order[int(data["player"])]
            if player != self._player:
                self._player = player
                self._show_player()
            self._show_decision(str(data["decision"]))

    def _show_decision(self, number: str) -> None:
        if self._review is not None and number.isdigit() and int(number) < len(self._one.decisions):
            self._place = int(number)
            self._show_place()

    def _step(self, step: int) -> None:
        if self._review is not None and 0 <= self._place + step < len(self._one.decisions):
            self._place += step
            self._show_place()

    def _choose_player(self, number: str) -> None:
        if self._review is not None and number.isdigit() and int(number) < len(self._review.players):
            self._player = int(number)
            self._show_player()

    async def _explain(self, _: str) -> None:
        decision = self._decision if self._review is not None else None
        if decision is not None and self._review is not None:
            await self._why().explain(decision.position, str(decision.move), self._review.objective)

    async def _retry(self, _: str) -> None:
        review, context = self._review, self._context
        if review is None:
            return
        name = self._one.player.name
        if not any(one.grade.rank > 1 for one in self._one.decisions):
            context.tell(context.t("quiz.well_played"))
            return
        quiz = await coaching.mistakes_quiz(context.service, review.record, name, self._name, review.objective)
        self._quiz_card.set_visibility(True)
        for part in (self._form, self._results):
            part.set_visibility(False)
        context.run_script("scrollTo({ top: 0 })")
        self._quiz.start(quiz)

    def _close_quiz(self) -> None:
        self._quiz_card.set_visibility(False)
        self._form.set_visibility(True)
        self._results.set_visibility(self._review is not None)

    async def _download(self, kind: str) -> None:
        if self._review is not None:
            context = self._context
            found = await coaching.report(context.service, self._review, context.language, page=kind == "html")
            ui.download.content(found.text, found.name, found.kind)


VIEW = View("review", "/review", ReviewView, place=2, keys=(("← →", "step"),), introduction="help.review")
