"""The lab: compares two strategies or games by their exact distributions, and runs quick simulations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from nicegui import background_tasks, ui

from yatzy.errors import SizeError, YatzyError
from yatzy.evaluation.distribution import Evaluation
from yatzy.games import PRESETS, Game, Position, load_preset
from yatzy.lab import SimulatedGames
from yatzy.names import strategy_examples
from yatzy.report.numbers import count
from yatzy.report.words import capital, strategy_label
from yatzy.web import limits, requests
from yatzy.web.page.analysis.tables import number_table
from yatzy.web.page.context import PageContext, until_ready, whole_number
from yatzy.web.page.lab.figures import (
    Figure,
    comparison_csv,
    comparison_table,
    exact_figures,
    sample_csv,
    sample_figures,
    sample_table,
)
from yatzy.web.page.parts import charts
from yatzy.web.page.parts.blocks import legend, segments
from yatzy.web.page.parts.chart_box import chart_box, show_chart
from yatzy.web.page.parts.charts import Line
from yatzy.web.page.parts.markup import join, tag
from yatzy.web.page.parts.region import Region
from yatzy.web.page.parts.ticker import Ticker
from yatzy.web.page.views import View
from yatzy.web.refusals import NotReady, TooMuch

GAMES = (1000, 10_000, 100_000, limits.GAMES)


def show_lab(context: PageContext) -> None:
    """Add the lab to the page being built."""
    with ui.element("div").classes("yz-view"):
        comparison = Comparison(context)
        comparison.offer = Simulation(context, comparison).choose


@dataclass(frozen=True, slots=True)
class Choice:
    """Input fields for a game and a strategy."""

    game: ui.select
    strategy: ui.select

    def read(self) -> tuple[Game, str]:
        """The checked values of the fields."""
        game = load_preset(str(self.game.value))
        return game, requests.check_strategy(str(self.strategy.value or ""), game)


def choose(context: PageContext, id: str, strategy: str) -> Choice:
    """Add fields for a game and a strategy. A strategy can also be typed in."""
    t = context.t
    names = {id: load_preset(id).name(context.language) for id in PRESETS}
    game = ui.select(names, value="yatzy", label=t("lab.game"))
    game.props(f'dense outlined options-dense data-testid="{id}-game"')
    known = {name: capital(strategy_label(name, context.language)) for name in strategy_examples()}
    field = ui.select(known, value=strategy, label=t("lab.strategy"), with_input=True, new_value_mode="add-unique")
    field.props(f'dense outlined options-dense data-testid="{id}-strategy"').tooltip(t("lab.own"))
    return Choice(game, field)


class Comparison:
    """Compares two exact distributions."""

    def __init__(self, context: PageContext) -> None:
        self._context, self._asked, self._exactly = context, 0, False
        self.offer: Callable[[Game, str], None] = lambda *_: None
        """Called with a game and strategy whose exact distribution is too large, to suggest a simulation."""
        self._progress = ("", 0, 1)
        self._found: list[Evaluation] = []
        t = context.t
        with ui.element("section").classes("yz-card yz-stack"):
            Region().show(tag("h1", t("lab.title")))
            Region().show(tag("p", t("lab.intro"), class_="yz-note"))
            with ui.element("div").classes("yz-sides"):
                self._choices = []
                for id, strategy in (("first", "expected"), ("second", "greedy")):
                    with ui.element("div").classes("yz-side"):
                        Region().show(tag("h2", t(f"lab.{id}")))
                        self._choices.append(choose(context, id, strategy))
            with ui.element("div").classes("yz-row"):
                ui.button(t("lab.compare"), on_click=self._start, color=None).classes("yz-primary").props(
                    'no-caps data-testid="compare"'
                )
            self._note = Region("yz-form-note", role="status")
        with ui.element("div").classes("yz-two") as self._results:
            with ui.element("section").classes("yz-card"):
                self._head = Region("yz-an-head")
                self._legend = Region()
                self._chart = chart_box({}, "lab-chart", t("chart.label"))
                self._curves = Region("yz-scroll", tabindex="0")
            with ui.element("section").classes("yz-card"):
                self._tools = Region("yz-spread")
                self._numbers = Region("yz-rows-box yz-tall", tabindex="0")
        self._results.set_visibility(False)
        self._ticker = Ticker(0.3, self._show_progress)
        context.on_action("lab-chart", self._show_as)
        context.on_action("lab-csv", self._download)
        context.client.on_delete(self._leave)

    def figures_of(self, game: Game, strategy: str) -> list[Figure]:
        """The exact figures of a strategy, if already computed here."""
        for one in self._found:
            if one.game == game and one.strategy == strategy:
                return exact_figures(one, self._context.t, self._context.language)
        return []

    def _leave(self) -> None:
        self._asked += 1

    def _start(self) -> None:
        self._asked += 1
        background_tasks.create(self._work(self._asked))

    async def _work(self, asked: int) -> None:
        wanted: list[tuple[Game, str]] = []
        found: list[Evaluation] = []
        try:
            wanted = [choice.read() for choice in self._choices]
            for game, strategy in wanted:
                one = await self._evaluate(asked, game, strategy)
                if one is None:
                    return
                found.append(one)
        except YatzyError as error:
            if asked == self._asked:
                self._ticker.switch(False)
                self._tell(self._context.problem(error), bad=True)
                if isinstance(error, SizeError):
                    self.offer(*wanted[len(found)])
            return
        self._ticker.switch(False)
        self._tell("")
        self._found = found
        self._results.set_visibility(True)
        self._show()

    async def _evaluate(self, asked: int, game: Game, strategy: str) -> Evaluation | None:
        """The exact distribution, once its tables are ready. None if another request replaced this one."""
        language = self._context.language
        name = f"{game.name(language)}, {strategy_label(strategy, language)}"
        self._progress = (name, 0, 1)
        self._ticker.switch(True)

        def progress(done: int, total: int) -> None:
            if asked != self._asked:
                raise TooMuch("it is no longer needed")
            self._progress = (name, done, total)

        def tell(error: NotReady) -> None:
            self._ticker.switch(False)
            self._tell(self._context.t("lab.wait", what=self._context.problem(error)))

        return await until_ready(
            lambda: self._context.service.evaluate(Position.start(game), strategy, progress),
            wanted=lambda: asked == self._asked,
            tell=tell,
        )

    def _show_progress(self) -> None:
        name, done, total = self._progress
        self._tell(self._context.t("lab.working", name=name, percent=100 * done // max(total, 1)))

    def _tell(self, text: str, *, bad: bool = False) -> None:
        self._note.show(tag("p", text, class_="yz-bad" if bad else "yz-note", data_testid="lab-note"))

    @property
    def _names(self) -> list[str]:
        """Labels that distinguish the two sides."""
        language = self._context.language
        games = [one.game.name(language) for one in self._found]
        both = len(set(games)) > 1
        labels = [strategy_label(one.strategy, language) for one in self._found]
        return [f"{letter}: {game}, {label}" if both else f"{letter}: {label}"
                for letter, game, label in zip("AB", games, labels, strict=True)]  # fmt: skip

    def _show(self) -> None:
        t, language, names = self._context.t, self._context.language, self._names
        lines = [Line.of(names[place], one.score, colour=place, dash=place) for place, one in enumerate(self._found)]
        self._legend.show(legend(charts.legend_of(lines, exactly=self._exactly)))
        show_chart(self._chart, charts.curve_options(lines, t, exactly=self._exactly))
        views = segments(t("analysis.view.label"), "lab-chart", {
            "at-least": t("analysis.view.at_least"), "exactly": t("analysis.view.exactly"),
        }, "exactly" if self._exactly else "at-least")  # fmt: skip
        self._head.show(join(tag("h2", t("chart.score").capitalize()), views))
        self._curves.show(number_table(lines, None, t, language))
        sides = [exact_figures(one, t, language) for one in self._found]
        csv = tag("button", t("lab.csv"), type="button", class_="yz-button", data_do="lab-csv", data_key="lab-csv",
                  data_testid="lab-csv")  # fmt: skip
        self._tools.show(join(tag("h2", t("lab.table")), csv))
        self._numbers.show(comparison_table(names, sides, t, language))

    def _show_as(self, how: str) -> None:
        self._exactly = how == "exactly"
        if self._found:
            self._show()

    def _download(self, _: str) -> None:
        if self._found:
            t, language = self._context.t, self._context.language
            sides = [exact_figures(one, t, language) for one in self._found]
            ui.download.content(comparison_csv(self._found, sides), "comparison.csv", "text/csv")


class Simulation:
    """Simulates games with live progress."""

    def __init__(self, context: PageContext, comparison: Comparison) -> None:
        self._context, self._comparison = context, comparison
        self._done, self._stopped, self._running = (0, 1), False, False
        self._played: SimulatedGames | None = None
        t = context.t
        with ui.element("section").classes("yz-card yz-stack"):
            Region().show(tag("h2", t("lab.sample")))
            most = count(limits.GAMES, context.language)
            Region().show(tag("p", t("lab.sample_intro", most=most), class_="yz-note"))
            with ui.element("div").classes("yz-form"):
                self._choice = choose(context, "sample", "greedy")
                counts = {games: count(games, context.language) for games in GAMES}
                self._games = ui.select(counts, value=10_000, label=t("lab.games"))
                self._games.props('dense outlined options-dense data-testid="sample-games"')
                self._seed = ui.number(t("lab.seed"), value=1, min=0, max=10**9, format="%d")
                self._seed.props('dense outlined data-testid="sample-seed"')
                self._run = ui.button(t("lab.run"), on_click=self._start, color=None)
                self._run.classes("yz-primary").props('no-caps data-testid="sample-run"')
            self._bar = Region()
            self._note = Region("yz-form-note", role="status")
            self._tools = Region()
            self._numbers = Region("yz-rows-box yz-tall yz-narrow", tabindex="0")
        self._ticker = Ticker(0.2, self._show_progress)
        context.on_action("sample-csv", self._download)
        context.client.on_delete(self._leave)

    def choose(self, game: Game, strategy: str) -> None:
        """Fill in a game and a strategy."""
        self._choice.game.set_value(game.id)
        if strategy not in self._choice.strategy.options:
            option = capital(strategy_label(strategy, self._context.language))
            self._choice.strategy.set_options({**dict(self._choice.strategy.options), strategy: option})
        self._choice.strategy.set_value(strategy)

    def _leave(self) -> None:
        self._stopped = True

    def _start(self) -> None:
        if self._running:
            self._stopped = True
            return
        self._running, self._stopped, self._done = True, False, (0, 1)
        self._run.set_text(self._context.t("lab.stop"))
        self._ticker.switch(True)
        background_tasks.create(self._work())

    async def _work(self) -> None:
        context = self._context
        try:
            game, strategy = self._choice.read()
            played = await self._play(game, strategy, self._watch())
            if played is not None:
                self._played = played
                self._tell("")
                self._show(played)
        except YatzyError as error:
            self._tell("" if self._stopped else self._context.problem(error), bad=True)
        finally:
            self._running = False
            self._ticker.switch(False)
            self._run.set_text(context.t("lab.run"))
            self._bar.show(join())

    async def _play(self, game: Game, strategy: str, watch: Callable[[int, int], None]) -> SimulatedGames | None:
        games, seed = whole_number(self._games.value, 1000), max(whole_number(self._seed.value), 0)
        return await until_ready(
            lambda: self._context.service.simulate(game, strategy, games, seed, watch),
            wanted=lambda: not self._stopped,
            tell=lambda error: self._tell(self._context.t("lab.wait", what=self._context.problem(error))),
        )

    def _watch(self) -> Callable[[int, int], None]:
        def progress(done: int, total: int) -> None:
            if self._stopped:
                raise TooMuch("stopped")
            self._done = (done, total)

        return progress

    def _show_progress(self) -> None:
        done, total = self._done
        share = 100 * done // max(total, 1)
        name = self._context.t("lab.sample")
        self._bar.show(tag("div", tag("span", style=f"width:{share}%"), class_="yz-progress", role="progressbar",
                           aria_label=name, aria_valuenow=share, aria_valuemin=0, aria_valuemax=100))  # fmt: skip

    def _tell(self, text: str, *, bad: bool = False) -> None:
        self._note.show(tag("p", text, class_="yz-bad" if bad else "yz-note", data_testid="sample-note"))

    def _show(self, played: SimulatedGames) -> None:
        t, language = self._context.t, self._context.language
        figures = sample_figures(played, t, language)
        exact = self._comparison.figures_of(played.game, played.strategy)
        csv = tag("button", t("lab.csv"), type="button", class_="yz-button", data_do="sample-csv",
                  data_key="sample-csv", data_testid="sample-csv")  # fmt: skip
        self._tools.show(csv)
        self._numbers.show(sample_table(figures, exact, t, language))

    def _download(self, _: str) -> None:
        if self._played is not None:
            figures = sample_figures(self._played, self._context.t, self._context.language)
            ui.download.content(sample_csv(self._played, figures), "sample.csv", "text/csv")


VIEW = View("lab", "/lab", show_lab, place=4, introduction="help.lab", of_game=False)
