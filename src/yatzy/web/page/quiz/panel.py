"""A running quiz: the position, the answer, its loss, and an explanation."""

from __future__ import annotations

import inspect

from nicegui import background_tasks

from yatzy.coach.explain import Explanation
from yatzy.coach.grades import Grade
from yatzy.coach.quizzes.quiz import Question, Quiz
from yatzy.coach.quizzes.results import QuizKeeper
from yatzy.errors import YatzyError
from yatzy.games import Keep, Move, Score, show_dice
from yatzy.report.explanation import reason_sentence, value_sentence
from yatzy.report.numbers import loss_text
from yatzy.report.quiz import verdict
from yatzy.report.words import category_name, rolls_left
from yatzy.web import coaching
from yatzy.web.page.context import Action, Callback, PageContext, small_number
from yatzy.web.page.parts.blocks import advice_list, grade_mark, scroll_box, sheet_list
from yatzy.web.page.parts.dice import die_button
from yatzy.web.page.parts.markup import Markup, join, tag
from yatzy.web.page.parts.region import Region


class QuizPanel:
    """Asks the questions of a quiz one by one."""

    def __init__(self, context: PageContext, close: Callback, ended: Callback | None = None) -> None:
        self._context, self._close, self._ended = context, close, ended
        self._quiz: Quiz | None = None
        self._keeper: QuizKeeper | None = None
        self._held: set[int] = set()
        self._shown: Question | None = None
        """The question just answered, while its solution is shown."""
        self._why: Explanation | None = None
        self._region = Region("yz-stack", data_testid="quiz")
        actions: dict[str, Action] = {
            "quiz-die": self._toggle, "digit": lambda digit: self._toggle(str(max(small_number(digit) - 1, 0))),
            "quiz-keep": self._answer_keep, "quiz-score": self._answer_text, "quiz-next": self._next,
            "quiz-stop": self._stop, "roll": self._enter,
        }  # fmt: skip
        for name, action in actions.items():
            context.on_action(name, action)

    def start(self, quiz: Quiz) -> None:
        """Start a quiz."""
        self._quiz, self._keeper = quiz, QuizKeeper(quiz, self._context.store.folder)
        self._held, self._shown, self._why = set(), None, None
        self._show()

    # Showing

    def _show(self) -> None:
        quiz = self._quiz
        if quiz is None:
            self._region.show(join())
        elif self._shown is not None:
            self._region.show(self._answered(quiz, self._shown))
        elif quiz.question is not None:
            self._region.show(self._asked(quiz, quiz.question))
        else:
            self._region.show(self._summary(quiz))

    def _head(self, quiz: Quiz, number: int, question: Question) -> Markup:
        t = self._context.t
        game = quiz.evaluator.game.name(self._context.language)
        said = tag("h1", t("quiz.question", number=number, total=len(quiz.questions)), data_testid="quiz-number")
        about = tag("span", f"{game} · {t('quiz.origin', turn=question.origin.turn)}", class_="yz-quiet")
        stop = tag("button", t("quiz.stop"), type="button", class_="yz-button", data_do="quiz-stop", data_key="stop",
                   data_testid="quiz-stop")  # fmt: skip
        share = 100 * len(quiz.answers) // len(quiz.questions)
        filled = tag("span", style=f"width:{share}%")
        progress = tag("div", filled, class_="yz-progress", role="progressbar", aria_label=t("quiz.progress"),
                       aria_valuenow=share, aria_valuemin=0, aria_valuemax=100)  # fmt: skip
        return join(tag("div", said, about, stop, class_="yz-spread"), progress)

    def _dice(self, question: Question, enabled: bool) -> Markup:
        position = question.position
        dice = [
            die_button(
                self._context.reader,
                place,
                value,
                kept=place in self._held,
                fresh=False,
                enabled=enabled,
                action="quiz-die",
            )
            for place, value in enumerate(position.dice)
        ]
        return tag("div", *dice, class_=f"yz-tray yz-dice-{position.game.dice}", role="group",
                   aria_label=self._context.t("dice.label"))  # fmt: skip

    def _asked(self, quiz: Quiz, question: Question) -> Markup:
        t, language, position = self._context.t, self._context.language, question.position
        left = rolls_left(position.rolls_left, language)
        ask = tag("p", t("quiz.keep_ask" if question.asks_for_keep else "quiz.score_ask"), f" ({left})",
                  class_="yz-verdict", data_testid="quiz-ask")  # fmt: skip
        answer = self._keep_button(question) if question.asks_for_keep else self._score_buttons(question)
        return join(self._head(quiz, len(quiz.answers) + 1, question), self._dice(question, question.asks_for_keep),
                    ask, answer, sheet_list(self._context.reader, position))  # fmt: skip

    def _keep_button(self, question: Question) -> Markup:
        t, kept = self._context.t, self._kept(question)
        if not kept.dice:
            label = t("quiz.keep_none")
        elif len(kept.dice) == question.position.game.dice:
            label = t("quiz.keep_all")
        else:
            label = t("quiz.keep", dice=show_dice(kept.dice))
        button = tag("button", label, type="button", class_="yz-primary", data_do="quiz-keep", data_key="quiz-keep",
                     data_testid="quiz-keep")  # fmt: skip
        return tag("div", button, class_="yz-center")

    def _score_buttons(self, question: Question) -> Markup:
        position, language = question.position, self._context.language
        moves = sorted((one.move for one in question.advice.moves), key=lambda move: _place(question, move))
        buttons = []
        for move in moves:
            assert isinstance(move, Score)
            points = position.placement(move).points
            name = category_name(position.game, move, language)
            buttons.append(
                tag("button", name, tag("b", points), type="button", class_="yz-answer", data_do="quiz-score",
                    data_arg=move.category, data_key=f"quiz-{move.category}", data_testid=f"answer-{move.category}")
            )  # fmt: skip
        return tag("div", *buttons, class_="yz-answers")

    def _answered(self, quiz: Quiz, question: Question) -> Markup:
        t, language, answer = self._context.t, self._context.language, quiz.answers[-1]
        last = quiz.question is None
        button = tag("button", t("quiz.finish" if last else "quiz.next"), type="button", class_="yz-primary",
                     data_do="quiz-next", data_key="quiz-next", data_testid="quiz-next")  # fmt: skip
        said = [tag("p", verdict(question, answer, language), class_=f"yz-verdict yz-grade yz-{answer.grade.value}",
                    role="status", data_testid="quiz-verdict")]  # fmt: skip
        if self._why is not None:
            if answer.grade is Grade.BEST:
                said.append(tag("p", value_sentence(self._why, language)))
            if not self._why.tied:
                said.append(tag("p", reason_sentence(self._why, language), data_testid="quiz-why"))
        table = scroll_box(advice_list(self._context.reader, question.advice, answer.move))
        head, dice = self._head(quiz, len(quiz.answers), question), self._dice(question, False)
        return join(head, dice, tag("div", *said, class_="yz-sentences"), tag("div", button, class_="yz-center"), table)

    def _summary(self, quiz: Quiz) -> Markup:
        t, language, summary = self._context.t, self._context.language, quiz.summary
        loss = "–" if summary.mean_loss is None else loss_text(summary.mean_loss, quiz.evaluator.unit, language)
        figures = [(t("quiz.answered"), f"{summary.answered} / {summary.asked}", "answered"),
                   (t("quiz.mean_loss"), loss, "loss")]  # fmt: skip
        shown = [tag("div", tag("b", value, data_testid=f"quiz-{id}"), tag("span", name), class_="yz-figure")
                 for name, value, id in figures]  # fmt: skip
        grades = [tag("span", grade_mark(grade, language), f" {summary.count(grade)}") for grade in Grade]
        again = tag("button", t("quiz.again"), type="button", class_="yz-primary", data_do="quiz-stop",
                    data_key="quiz-again", data_testid="quiz-again")  # fmt: skip
        return join(tag("h1", t("quiz.summary"), data_testid="quiz-summary"), tag("div", *shown, class_="yz-figures"),
                    tag("div", *grades, class_="yz-tally"), tag("div", again))  # fmt: skip

    # Answering

    def _kept(self, question: Question) -> Keep:
        dice = question.position.dice
        return Keep(tuple(dice[place] for place in self._held if place < len(dice)))

    def _toggle(self, place: str) -> None:
        quiz = self._quiz
        question = quiz.question if quiz is not None and self._shown is None else None
        number = small_number(place)
        if question is None or not question.asks_for_keep or number >= len(question.position.dice):
            return
        self._held ^= {number}
        self._show()

    def _answer_keep(self, _: str = "") -> None:
        quiz = self._quiz
        if quiz is not None and quiz.question is not None and self._shown is None:
            self._answer(self._kept(quiz.question))

    def _answer_text(self, text: str) -> None:
        quiz = self._quiz
        if quiz is not None and quiz.question is not None and self._shown is None:
            self._answer(quiz.evaluator.game.parse_move(text))

    async def _enter(self, _: str = "") -> None:
        """Enter, Space or `r`: submit the answer or continue."""
        quiz = self._quiz
        if quiz is None:
            return
        if self._shown is not None:
            await self._next()
        elif quiz.question is not None and quiz.question.asks_for_keep:
            self._answer_keep()

    def _answer(self, move: Move) -> None:
        quiz, keeper = self._quiz, self._keeper
        assert quiz is not None
        assert quiz.question is not None
        question = quiz.question
        self._quiz = quiz.answered(move)
        self._shown, self._why = question, None
        if keeper is not None:
            try:
                keeper.keep(len(self._quiz.answers), question, self._quiz.answers[-1])
            except YatzyError as error:
                self._context.tell(self._context.problem(error), bad=True)
        self._show()
        background_tasks.create(self._explain(question))

    async def _explain(self, question: Question) -> None:
        quiz = self._quiz
        if quiz is None:
            return
        answer, best = quiz.answers[-1].move, question.advice.best.move
        other = None if answer == best else answer
        try:
            found = await coaching.explain(
                self._context.service, question.position, question.advice.objective, other, best
            )
        except YatzyError:
            return  # show the verdict without an explanation
        if self._shown is question:
            self._why = found
            self._show()

    async def _next(self, _: str = "") -> None:
        self._held, self._shown, self._why = set(), None, None
        self._show()
        if self._quiz is not None and self._quiz.question is None:
            await _call(self._ended)

    async def _stop(self, _: str = "") -> None:
        quiz = self._quiz
        if quiz is not None and quiz.question is not None and quiz.answers and self._shown is None:
            self._quiz = Quiz(quiz.evaluator, quiz.questions[: len(quiz.answers)], quiz.answers)
            self._show()
            await _call(self._ended)
            return
        self._quiz, self._shown = None, None
        self._show()
        await _call(self._close)


async def _call(callback: Callback | None) -> None:
    done = callback() if callback is not None else None
    if inspect.isawaitable(done):
        await done


def _place(question: Question, move: Move) -> int:
    assert isinstance(move, Score)
    return question.position.game.category_index[move.category]
