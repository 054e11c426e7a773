"""The dialog in which a paper sheet is entered: tap a box, tap its points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from nicegui import ui

from yatzy.coach.paper import PaperGame
from yatzy.errors import YatzyError
from yatzy.games import Game, Player
from yatzy.web.page.context import PageContext, small_number
from yatzy.web.page.parts.blocks import segments
from yatzy.web.page.parts.dialogs import titled_dialog
from yatzy.web.page.parts.markup import Markup, join, tag
from yatzy.web.page.parts.region import Region
from yatzy.web.page.reader import Reader
from yatzy.web.tables import EXPECTED


@dataclass(frozen=True, slots=True)
class Paper:
    """The view model of the sheets, and the box chosen: its seat and category, one past the last for Joker bonuses."""

    reader: Reader
    paper: PaperGame
    chosen: tuple[int, int] | None


def sheets_markup(model: Paper) -> Markup:
    """The sheets of all players as a table of buttons, with sums."""
    t, language, paper = model.reader.t, model.reader.language, model.paper
    names = [tag("th", tag("span", player.name), scope="col") for player in paper.players]
    rows = [
        _row(category.name(language), [_box(model, seat, place) for seat in range(len(paper.players))])
        for place, category in enumerate(paper.game.categories)
    ]
    seats = range(len(paper.players))
    joker = paper.game.joker
    if joker is not None and joker.points:
        place = len(paper.game.categories)
        rows.append(_row(t("sheet.jokers"), [_box(model, seat, place) for seat in seats]))
    sums = [_sums(paper, seat) for seat in seats]
    if paper.game.bonus is not None:
        rows.append(_row(t("sheet.bonus", points=paper.game.bonus.points), [one[0] for one in sums], "yz-paper-sum"))
    rows.append(_row(t("sheet.total"), [one[1] for one in sums], "yz-paper-sum yz-strong"))
    head = tag("tr", tag("th", paper.game.name(language), scope="col"), *names)
    return tag("table", tag("thead", head), tag("tbody", *rows), class_="yz-paper", data_testid="paper")


def _row(name: str, cells: Sequence[Markup | str], classes: str | None = None) -> Markup:
    return tag("tr", tag("th", name, scope="row", title=name), *(tag("td", cell) for cell in cells), class_=classes)


def _box(model: Paper, seat: int, place: int) -> Markup:
    paper = model.paper
    if place == len(paper.game.categories):
        if not paper.most_jokers(seat):
            return tag("span", "–", class_="yz-quiet")
        name, shown = model.reader.t("sheet.jokers"), str(paper.jokers[seat])
    else:
        points = paper.boxes[seat][place]
        name, shown = paper.game.categories[place].name(model.reader.language), "" if points is None else str(points)
    here = model.chosen == (seat, place)
    said = shown or model.reader.t("paper.open")
    return tag("button", shown, type="button", class_=f"yz-paper-box{' yz-here' if here else ''}",
               data_do="paper-box", data_arg=f"{seat}.{place}", data_key=f"paper-{seat}.{place}",
               data_testid=f"paper-{seat}-{place}", aria_pressed="true" if here else "false",
               aria_label=f"{paper.players[seat].name}, {name}: {said}")  # fmt: skip


def _sums(paper: PaperGame, seat: int) -> tuple[str, str]:
    """The progress to the bonus and the total, as text."""
    try:
        sheet = paper.sheet(seat)
    except YatzyError:
        return "–", "–"
    bonus = paper.game.bonus
    if bonus is None:
        return "", str(sheet.points)
    return (f"+{bonus.points}" if sheet.bonus_won else f"{sheet.upper} / {bonus.threshold}"), str(sheet.points)


def choices_markup(model: Paper) -> Markup:
    """The points that the chosen box can have."""
    t, paper = model.reader.t, model.paper
    if model.chosen is None:
        return tag("p", t("paper.tap"), class_="yz-note")
    seat, place = model.chosen
    if place == len(paper.game.categories):
        name, choices = t("sheet.jokers"), tuple(range(paper.most_jokers(seat) + 1))
        now: int | None = paper.jokers[seat]
    else:
        name, choices = paper.game.categories[place].name(model.reader.language), paper.choices(place)
        now = paper.boxes[seat][place]
    said = name if len(paper.players) == 1 else f"{paper.players[seat].name} · {name}"
    box = f"{seat}.{place}"
    buttons = [_choice(box, str(points), str(points), points == now) for points in choices]
    if place < len(paper.game.categories):
        buttons.append(_choice(box, "open", t("paper.leave_open"), now is None))
    return join(tag("h2", said, data_testid="paper-chosen"),
                tag("div", *buttons, class_="yz-paper-choices", data_box=box))  # fmt: skip


def _choice(box: str, points: str, label: str, now: bool) -> Markup:
    """A button that names its box, so that a quick second tap never fills the box chosen in the meantime."""
    return tag("button", label, type="button", class_="yz-button", data_do="paper-points", data_arg=f"{box}.{points}",
               data_key=f"points-{points}", data_testid=f"points-{points}",
               aria_pressed="true" if now else "false")  # fmt: skip


class PaperDialog:
    """Enters a game on paper and plays on from it."""

    def __init__(self, context: PageContext) -> None:
        self._context = context
        self._model: Paper | None = None
        t = context.t
        with titled_dialog(t("paper.title"), "paper-dialog", "yz-paper-dialog") as self._dialog:
            self._dialog.props("maximized")
            self._sheets = Region("yz-paper-sheets")
            with ui.element("div").classes("yz-paper-foot"):
                self._choices = Region("yz-full")
                self._next = Region("yz-full")
                self._problem = ui.label().classes("yz-bad").props('role="alert"')
                with ui.row():
                    ui.button(t("paper.play"), on_click=self._play, color=None).classes("yz-primary").props(
                        'no-caps data-testid="paper-play"'
                    )
                    ui.button(t("cancel"), on_click=self._dialog.close).props("flat no-caps")
        context.on_action("paper-box", self._choose)
        context.on_action("paper-points", self._fill)
        context.on_action("paper-next", self._set_next)

    def open(self, game: Game, players: Sequence[Player]) -> None:
        """Open the dialog with empty sheets, the first box chosen."""
        self._show(Paper(self._context.reader, PaperGame.start(game, players), (0, 0)))
        self._dialog.open()

    def _show(self, model: Paper) -> None:
        self._model = model
        self._sheets.show_model(model, sheets_markup)
        self._choices.show_model(model, choices_markup)
        self._context.run_script("yatzyReveal('.yz-here')")
        paper, t, shown = model.paper, self._context.t, join()
        if len(paper.players) > 1 and paper.is_even:
            names = {str(seat): player.name for seat, player in enumerate(paper.players)}
            choice = segments(t("paper.next"), "paper-next", names, str(paper.next_seat))
            shown = tag("div", tag("span", t("paper.next")), choice, class_="yz-row")
        self._next.show(shown)
        self._problem.set_text("" if paper.first_seat is not None else t("paper.uneven"))

    def _choose(self, argument: str) -> None:
        seat, _, place = argument.partition(".")
        chosen = (small_number(seat), small_number(place))
        model = self._model
        if model is not None and self._exists(model.paper, chosen):
            self._show(replace(model, chosen=chosen))

    @staticmethod
    def _exists(paper: PaperGame, chosen: tuple[int, int]) -> bool:
        seat, place = chosen
        count = len(paper.game.categories)
        return seat < len(paper.players) and (place < count or (place == count and paper.most_jokers(seat) > 0))

    def _fill(self, argument: str) -> None:
        model, (box, _, said) = self._model, argument.rpartition(".")
        seat, place = map(small_number, box.partition(".")[::2])
        if model is None or not self._exists(model.paper, (seat, place)):
            return
        paper = model.paper
        if place == len(paper.game.categories):
            paper, following = paper.with_jokers(seat, small_number(said)), (seat + 1, 0)
        else:
            paper = paper.fill(seat, place, None if said == "open" else small_number(said))
            following = (seat, place + 1)
        if not self._exists(paper, following):
            following = (seat + 1, 0)
        self._show(Paper(model.reader, paper, following if self._exists(paper, following) else None))

    def _set_next(self, argument: str) -> None:
        model, seat = self._model, small_number(argument)
        if model is not None and seat < len(model.paper.players):
            self._show(replace(model, paper=replace(model.paper, next_seat=seat)))

    def _play(self) -> None:
        context, model = self._context, self._model
        if model is None:
            return
        try:
            players, position = model.paper.position()
            table = context.store.new(position.game, list(players), start=position)
        except YatzyError as error:
            uneven = model.paper.first_seat is None
            self._problem.set_text(context.t("paper.uneven") if uneven else context.problem(error))
            return
        try:
            context.tables.wish(position.game, (EXPECTED,))
        except YatzyError as error:
            context.tell(context.problem(error), bad=True)
        context.preferences.typed = True  # who writes on paper rolls real dice
        context.remember("typed", "on")
        self._dialog.close()
        context.open(table)
