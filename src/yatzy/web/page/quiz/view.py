"""The quiz view: choose a source of questions, answer them, and see the results of earlier quizzes."""

from __future__ import annotations

import asyncio
import secrets

from nicegui import background_tasks, ui

from yatzy.coach.grades import Grade
from yatzy.coach.quizzes.quiz import Quiz
from yatzy.coach.quizzes.results import KeptQuiz, read_results
from yatzy.errors import YatzyError
from yatzy.games import PRESETS, load_preset
from yatzy.names import parse_objective
from yatzy.report.numbers import loss_text
from yatzy.report.words import objective_label
from yatzy.web import coaching
from yatzy.web.page.context import PageContext, until_ready, whole_number
from yatzy.web.page.parts.markup import Markup, tag
from yatzy.web.page.parts.region import Region
from yatzy.web.page.quiz.panel import QuizPanel
from yatzy.web.page.views import View

COUNTS = (2, 5, 10, 20)
SHOWN = 20
"""Number of earlier quizzes listed."""


class QuizView:
    """The quiz of one tab."""

    def __init__(self, context: PageContext) -> None:
        self._context, self._asked = context, 0
        t = context.t
        with ui.element("div").classes("yz-view yz-quiz"):
            with ui.element("section").classes("yz-card yz-stack") as self._setup:
                self._build_setup()
            with ui.element("section").classes("yz-card") as self._card:
                self._panel = QuizPanel(context, self._close, self._show_history)
            with ui.element("section").classes("yz-card"):
                Region().show(tag("h2", t("quiz.history")))
                self._history = Region("yz-scroll", tabindex="0")
        self._card.set_visibility(False)
        background_tasks.create(self._show_history())

    def _build_setup(self) -> None:
        context, t = self._context, self._context.t
        Region().show(tag("h1", t("quiz.title")))
        Region().show(tag("p", t("quiz.intro"), class_="yz-note"))
        sources = {name: t(f"quiz.{name}") for name in ("generated", "record", "mistakes")}
        players = [player.name for player in context.session.players]
        with ui.element("div").classes("yz-form"):
            self._source = ui.select(sources, value="generated", label=t("quiz.source"))
            self._source.props('dense outlined options-dense data-testid="quiz-source"')
            names = {id: load_preset(id).name(context.language) for id in PRESETS}
            self._game = ui.select(names, value="yatzy", label=t("quiz.game"))
            self._game.props('dense outlined options-dense data-testid="quiz-game"')
            self._player = ui.select(players, value=players[0], label=t("quiz.player"))
            self._player.props('dense outlined options-dense data-testid="quiz-player"')
            self._count = ui.select(list(COUNTS), value=5, label=t("quiz.count"))
            self._count.props('dense outlined options-dense data-testid="quiz-count"')
            ui.button(t("quiz.start"), on_click=self._start, color=None).classes("yz-primary").props(
                'no-caps data-testid="quiz-start"'
            )
        self._source.on_value_change(self._fit)
        self._note = Region("yz-form-note", role="status")
        self._fit()

    def _fit(self) -> None:
        """Show the fields that the chosen source needs."""
        self._game.set_visibility(self._source.value == "generated")
        self._player.set_visibility(self._source.value == "mistakes")
        self._count.set_visibility(self._source.value != "mistakes")

    def _start(self) -> None:
        self._asked += 1
        background_tasks.create(self._find(self._asked))

    async def _find(self, asked: int) -> None:
        t = self._context.t
        self._tell(t("quiz.working"))
        try:
            quiz = await until_ready(
                self._questions,
                wanted=lambda: asked == self._asked,
                tell=lambda error: self._tell(t("review.wait", what=self._context.problem(error))),
            )
        except YatzyError as error:
            self._tell(self._context.problem(error), bad=True)
            return
        if quiz is not None and asked == self._asked:
            self._tell("")
            self._setup.set_visibility(False)
            self._card.set_visibility(True)
            self._panel.start(quiz)

    async def _questions(self) -> Quiz:
        context, count, seed = self._context, whole_number(self._count.value, 5), secrets.randbelow(10**6)
        service, record = context.service, context.session.record
        if self._source.value == "generated":
            game = load_preset(str(self._game.value))
            return await coaching.generated_quiz(service, game, "expected", count, seed)
        if self._source.value == "record":
            return await coaching.record_quiz(service, [(context.table.id, record)], "expected", count, seed)
        return await coaching.mistakes_quiz(service, record, str(self._player.value), context.table.id, "expected")

    async def _close(self) -> None:
        self._card.set_visibility(False)
        self._setup.set_visibility(True)
        await self._show_history()

    def _tell(self, text: str, *, bad: bool = False) -> None:
        self._note.show(tag("p", text, class_="yz-bad" if bad else "yz-note", data_testid="quiz-note"))

    async def _show_history(self) -> None:
        try:
            history = await asyncio.to_thread(read_results, self._context.store.folder)
        except YatzyError as error:
            self._history.show(tag("p", self._context.problem(error), class_="yz-bad"))
            return
        self._history.show(history_table(self._context, history.quizzes[::-1][:SHOWN]))


def history_table(context: PageContext, quizzes: tuple[KeptQuiz, ...]) -> Markup:
    """Earlier quizzes, newest first."""
    t, language = context.t, context.language
    if not quizzes:
        return tag("p", t("quiz.no_history"), class_="yz-note")
    rows = []
    for one in quizzes:
        summary = one.summary
        loss = "–" if summary.mean_loss is None else loss_text(summary.mean_loss, one.unit, language)
        name = load_preset(one.game).name(language) if one.game in PRESETS else one.game
        counts = " · ".join(f"{grade.sign} {summary.count(grade)}" for grade in Grade)
        cells = (f"{one.begun.astimezone():%Y-%m-%d}", f"{summary.answered} / {summary.asked}", loss, counts, name,
                 objective_label(parse_objective(one.objective), language))  # fmt: skip
        rows.append(tag("tr", *(tag("td", cell) for cell in cells)))
    names = ("quiz.date", "quiz.answered", "quiz.mean_loss", "review.class", "quiz.game", "review.objective")
    head = [tag("th", t(name), scope="col") for name in names]
    return tag("table", tag("thead", tag("tr", *head)), tag("tbody", *rows), class_="yz-rows",
               data_testid="quiz-history")  # fmt: skip


VIEW = View("quiz", "/quiz", QuizView, place=3, keys=(("1 – 6", "dice"),), introduction="help.quiz")
