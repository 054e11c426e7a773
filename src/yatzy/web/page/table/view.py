"""The table view: dice, sheets, moves with their values, and the analysis."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable

from nicegui import ui

from yatzy.coach.advice import Advice
from yatzy.errors import MoveError
from yatzy.games import Keep, Move, Position, Roll, Score
from yatzy.report.problems import message_text
from yatzy.report.words import rolls_left
from yatzy.web.page.analysis.view import show_analysis
from yatzy.web.page.context import Action, OnDemand, PageContext, small_number
from yatzy.web.page.parts.markup import tag
from yatzy.web.page.parts.region import Region
from yatzy.web.page.problems import PageError
from yatzy.web.page.table.announce import announcement
from yatzy.web.page.table.columns import ColumnsDialog
from yatzy.web.page.table.ending import Ending
from yatzy.web.page.table.hand import Hand
from yatzy.web.page.table.heads import AdviceHead, Head, advice_head_markup, head_markup, standing, value_line
from yatzy.web.page.table.moves import Column, MoveList, move_list, move_rows
from yatzy.web.page.table.new_game import NewGameDialog
from yatzy.web.page.table.rules import RuleDialog
from yatzy.web.page.table.saved_games import GamesDialog
from yatzy.web.page.table.sheets import Sheets, best_categories, scored_box, sheets_markup
from yatzy.web.page.table.target import TargetLine
from yatzy.web.page.table.together import Together
from yatzy.web.page.table.tray import Tray, tray_markup
from yatzy.web.page.table.tutor import TutorDialog
from yatzy.web.page.views import View
from yatzy.web.tables import State, tables_for

DICE_ALONE = 0.05
"""Seconds after which the dice are shown without advice. Sooner, one update for both is shown earlier than two."""
SAVED_AFTER = 0.01
"""Seconds after which a step is saved. It is shown first: done at the same time, both would take longer."""


class TableView:
    """A game in one tab."""

    def __init__(self, context: PageContext) -> None:
        self._context = context
        self._hand = Hand()
        self._seen: Position | None = None
        self._shown: Position | None = None
        """The position that is shown with its advice."""
        self._fresh: frozenset[int] = frozenset()
        """The places of the dice just rolled."""
        self._dice_alone: asyncio.TimerHandle | None = None
        self._acting = asyncio.Lock()
        """Taps are handled one after the other, however fast they come."""
        self._shown_seat: int | None = None
        """The player whose sheet a small screen shows, if it was chosen."""
        self._asked = ""
        """The category that was tapped with rolls left."""
        self._announced = tag("span")
        """What happened last, for screen readers."""
        self._new_game = OnDemand(context, lambda: NewGameDialog(context))
        self._games = OnDemand(context, lambda: GamesDialog(context))
        self._columns = OnDemand(context, lambda: ColumnsDialog(context))
        self._tutor = OnDemand(context, lambda: TutorDialog(context, self._play))
        self._rules = OnDemand(context, lambda: RuleDialog(context))
        Together(context)
        with ui.element("div").classes("yz-table-view"):
            with ui.element("section").classes("yz-card yz-play").props(f'aria-label="{context.t("play.label")}"'):
                self._head = Region("yz-head")
                self._tray = Region("yz-tray-box")
                self._ending = Ending(context)
            with ui.element("section").classes("yz-card yz-score").props(f'aria-label="{context.t("sheet.label")}"'):
                self._sheets = Region("yz-sheets-box", data_list="sheet")
            with ui.element("section").classes("yz-card yz-advice").props(f'aria-label="{context.t("moves.label")}"'):
                self._advice_head = Region("yz-advice-head")
                self._target = TargetLine(context)
                self._moves = Region("yz-moves-box", data_list="moves", tabindex="-1")
            with ui.element("section").classes("yz-card yz-analysis") as box:
                box.props(f'aria-label="{context.t("analysis.label")}"')
                show_analysis(context)
            self._said = Region("yz-hidden", role="status", aria_live="polite", data_testid="announced")
        self._listen()

    def _listen(self) -> None:
        context = self._context
        context.on_change(self.refresh)
        context.on_progress(self._show_moves)
        steps: dict[str, Action] = {
            "roll": self._roll, "die": self._toggle, "face": self._enter_face, "unface": self._take_face_back,
            "play": self._play_text, "best": self._play_best, "score": self._score, "undo": self._undo,
            "redo": self._redo, "typed": self._toggle_typed, "digit": self._digit,
        }  # fmt: skip
        actions: dict[str, Action] = {name: self._one_at_a_time(action) for name, action in steps.items()} | {
            "sort": self._sort_by, "hints": self._toggle_hints, "compare": self._compare,
            "seat": self._show_seat,
            "new": lambda _: self._new_game().open(), "games": lambda _: self._games().open(),
            "columns": lambda _: self._columns().open(), "tutor": lambda _: self._tutor().choose(),
            "target": lambda _: self._target.choose(), "rule": lambda id: self._rules().open(id),
        }  # fmt: skip
        for name, action in actions.items():
            context.on_action(name, action)

    def _one_at_a_time(self, action: Action) -> Action:
        async def act(argument: str) -> None:
            async with self._acting:
                done = action(argument)
                if inspect.isawaitable(done):
                    await done

        return act

    # Showing

    def refresh(self) -> None:
        """Show the current state of the game."""
        if self._ending.follow_rematch():
            return  # the next game is shown soon
        self._follow()
        self._show()

    def _follow(self) -> None:
        """Arrange everything for the current position, if it is a new one."""
        context, last, position = self._context, self._context.session.last, self._context.position
        if position is self._seen:
            return
        before, self._seen = self._seen, position
        self._asked, self._shown_seat, context.compared = "", None, ()
        context.last_scored = None
        if last is not None and isinstance(last.step, Score) and last.after is position:
            context.last_scored = scored_box(last.before, position)
        self._fresh = self._hand.follow(position, last, self._can_move)
        context.chosen = "" if position.awaits_roll else self._kept_text()
        self._announced = tag("span", announcement(context.reader, last, context.session.players, position))
        if position.over and before is not None and not before.over:
            context.run_script("yatzyShow('yz-result')")

    def _show(self) -> None:
        context, session = self._context, self._context.session
        reader, position = context.reader, session.position
        self._shown = position
        if self._dice_alone is not None:
            self._dice_alone.cancel()
        self._said.show(self._announced)
        said = standing(reader, position, session.players)
        self._head.show_model(Head(reader, said, session.can_undo, session.can_redo), head_markup)
        self._show_tray()
        self._tray.set_visible(not position.over)
        self._ending.show()
        self._show_sheets()
        value = value_line(reader, self._advice, context.start_value) if context.hints else ""
        head = AdviceHead(reader, value, context.hints, context.tutor is not None)
        self._advice_head.show_model(head, advice_head_markup)
        self._show_moves()

    @property
    def _advice(self) -> Advice | None:
        """The advice that the page shows, if there is any."""
        context = self._context
        return context.advices.get(context.ranking) if context.hints else None

    def _show_tray(self) -> None:
        self._tray.show_model(self._tray_model(self._advice), tray_markup)

    def _show_sheets(self) -> None:
        context, position = self._context, self._context.position
        found = context.stop_advice if position.rolls_left else self._advice
        sheets = Sheets(
            context.reader, position, context.session.players, self._can_move,
            best_categories(found) if context.hints else frozenset(), context.last_scored, self._shown_seat,
            self._asked,
        )  # fmt: skip
        self._sheets.show_model(sheets, sheets_markup)

    def _tray_model(self, advice: Advice | None) -> Tray:
        context, session, hand = self._context, self._context.session, self._hand
        computer = ""
        if session.computer_moves:
            name = session.players[session.position.mover].name
            trouble = context.table.trouble
            computer = context.problem(trouble) if trouble is not None else context.t("roll.computer", name=name)
        elif not context.may_move and not session.over:
            computer = context.t("together.waiting", name=session.players[session.position.mover].name)
        return Tray(
            context.reader, session.position, hand.slots, frozenset(hand.held), self._fresh, tuple(hand.entered),
            context.typed, computer, advice, hand.changing, context.chosen,
        )  # fmt: skip

    def _show_moves(self) -> None:
        self._moves.show_model(self._move_list(), move_list)

    def _move_list(self) -> MoveList:
        context, position, can_move = self._context, self._context.position, self._can_move
        sort = context.sort
        if position.over or position.awaits_roll or not context.hints:
            return MoveList(context.reader, position, (), sort, can_move, hidden=not context.hints)
        columns = tuple(
            Column(name, advice) if (advice := context.advices.get(name)) is not None
            else Column(name, None, waiting_text(context, name), context.waiting.get(name, ""))
            for name in context.objectives
        )  # fmt: skip
        known = tuple((one.objective, one.advice is not None) for one in columns)
        rows = context.table.kept.make(
            ("rows", context.reader, position, known, sort, can_move),
            lambda: move_rows(context.reader, position, columns, sort, can_move),
        )
        return MoveList(context.reader, position, columns, sort, can_move, rows, compared=context.compared)

    @property
    def _can_move(self) -> bool:
        session = self._context.session
        return not session.over and not session.computer_moves and self._context.may_move

    # Acting

    async def _roll(self, _: str = "") -> None:
        session, position = self._context.session, self._context.position
        if not self._can_move:
            return
        if position.awaits_roll:
            if self._context.typed:
                raise PageError("enter.first")
            await self._change(session.roll)
        elif not position.rolls_left:
            self._context.tell(self._context.t("roll.choose"))
        elif len(self._hand.held) == position.game.dice:
            self._context.tell(self._context.t("roll.none"))
        else:
            await self._consider(self._hand.keep)

    async def _consider(self, move: Move) -> None:
        """Make a move, unless the tutor warns."""
        if not self._can_move:
            return
        if self._context.tutor is None or not await self._tutor().objects(move, self._context.ranking):
            await self._play(move)

    async def _play(self, move: Move) -> None:
        """Make a move. A keep is followed by a roll, unless real dice are entered."""
        context, session = self._context, self._context.session
        session.position.check(move)  # raises before anything changes
        if isinstance(move, Keep):
            self._hand.hold(move)
        await self._change(lambda: session.play(move) if context.typed else session.play_and_roll(move))

    async def _change(self, step: Callable[[], object]) -> None:
        """Change the game, and save it while the change is shown."""
        context, session = self._context, self._context.session
        with session.unsaved():
            step()
        try:
            self._follow()
            context.notify()
            if self._dice_alone is not None:
                self._dice_alone.cancel()
            self._dice_alone = asyncio.get_running_loop().call_later(DICE_ALONE, self._show_dice, context.position)
            await asyncio.sleep(SAVED_AFTER)
        finally:  # saved even if it cannot be shown, or the server is stopping
            await asyncio.to_thread(session.autosave_now)
        if session.trouble:
            context.tell(context.t("not_saved", why=message_text(session.trouble, context.language)), bad=True)

    def _show_dice(self, position: Position) -> None:
        """Show the dice without waiting for advice that takes long."""
        if position is self._seen and position is not self._shown and not self._context.client.is_deleted:
            with self._context.client:
                self._said.show(self._announced)
                self._tray.show_model(self._tray_model(None), tray_markup)

    async def _play_text(self, text: str) -> None:
        await self._consider(self._context.session.game.parse_move(text))

    async def _play_best(self, _: str = "") -> None:
        context = self._context
        advice = context.advices.get(context.ranking)
        if advice is not None and context.hints:
            await self._consider(advice.best.move)

    async def _score(self, category: str) -> None:
        """Fill a category. With rolls left, only when it is tapped a second time."""
        context, position = self._context, self._context.position
        if self._can_move and position.rolls_left and not position.awaits_roll and self._asked != category:
            points = position.placement(Score(category)).points
            name = position.game.categories[position.game.category_index[category]].name(context.language)
            left = rolls_left(position.rolls_left, context.language)
            self._asked = category
            context.tell(context.t("sheet.again", category=name, points=points, left=left))
            self._show()
            return
        await self._consider(Score(category))

    def _toggle(self, place: str) -> None:
        """Hold a die, or select a real die that was entered, to change it."""
        hand, position, typed = self._hand, self._context.position, self._context.typed
        number_ = small_number(place)
        if not self._can_move or number_ >= position.game.dice:
            return
        if position.awaits_roll:
            if not typed or number_ not in hand.free(position.game.dice)[: len(hand.entered)]:
                return
            hand.changing = None if hand.changing == number_ else number_
        else:
            if not position.rolls_left and not typed:
                return
            if position.rolls_left:
                hand.held ^= {number_}
                self._context.choose(self._kept_text())
            hand.changing = number_ if typed and hand.changing != number_ else None
            if self._asked:
                self._asked = ""
                self._show_sheets()
        self._show_tray()

    def _kept_text(self) -> str:
        """The selected keep as text, or ""."""
        return str(self._hand.keep) if self._hand.held else ""

    async def _digit(self, digit: str) -> None:
        position = self._context.position
        if position.awaits_roll and self._context.typed:
            await self._enter_face(digit)
        elif not position.awaits_roll and 1 <= small_number(digit) <= len(self._hand.slots):
            self._toggle(str(small_number(digit) - 1))

    # Real dice

    async def _enter_face(self, value: str) -> None:
        """Enter a real die, or change the one selected."""
        context, session, position, hand = self._context, self._context.session, self._context.position, self._hand
        if not (self._can_move and context.typed):
            return
        face = small_number(value)
        if not 1 <= face <= position.game.faces:
            raise PageError("enter.range", faces=position.game.faces)
        if not position.awaits_roll:
            await self._correct(face)
        elif hand.enter(face, position.game.dice):
            dice = hand.lay_down(position.game.dice)
            await self._change(lambda: session.enter(dice))
        else:
            self._show()

    async def _correct(self, face: int) -> None:
        """Change the selected die of the roll on the table."""
        context, hand, place = self._context, self._hand, self._hand.changing
        if place is None:
            raise PageError("enter.tap_first")
        if hand.is_locked(place) or not self._rolled_last():
            raise PageError("enter.kept_die")
        before = hand.correct(place, face)
        dice = hand.slots
        try:
            await self._change(lambda: context.session.correct(dice))
        except MoveError:
            hand.slots = before
            raise
        context.tell(context.t("enter.changed", place=place + 1, before=before[place], value=face))

    def _rolled_last(self) -> bool:
        """Whether the dice on the table come from the last step, so that they can be changed."""
        last = self._context.session.last
        return last is not None and isinstance(last.step, Roll) and last.after is self._context.position

    async def _take_face_back(self, _: str = "") -> None:
        """Remove the last die entered, also after all were entered."""
        hand, position = self._hand, self._context.position
        if hand.entered:
            hand.entered.pop()
            hand.changing = None
            self._show()
        elif self._context.typed and self._can_move and not position.awaits_roll and self._rolled_last():
            hand.enter_again()
            await self._change(self._context.session.undo)

    async def _toggle_typed(self, _: str = "") -> None:
        """Switch between the program's dice and real ones. A roll of the program is then entered instead."""
        context, session = self._context, self._context.session
        wishes = context.preferences
        wishes.typed = not wishes.typed
        self._hand.entered, self._hand.changing = [], None
        context.remember("typed", "on" if wishes.typed else "off")
        if wishes.typed and self._can_move and session.program_rolled:
            await self._change(session.undo)
        else:
            self._show()

    # Undo, and what is shown

    async def _undo(self, _: str = "") -> None:
        session = self._context.session
        if self._hand.entered:
            await self._take_face_back()
            return

        def step() -> None:
            try:
                session.undo_decision(rolls=self._context.typed)
            except MoveError:
                session.undo()

        await self._change(step)
        self._context.tell(self._context.t("undone"))

    async def _redo(self, _: str = "") -> None:
        session = self._context.session
        await self._change(lambda: session.redo_decision(rolls=self._context.typed))
        self._context.tell(self._context.t("redone"))

    def _compare(self, move: str) -> None:
        self._context.compare(move)
        self._show_moves()

    def _sort_by(self, objective: str) -> None:
        self._context.sort = objective
        self._context.refresh_soon()

    def _show_seat(self, seat: str) -> None:
        """Show the sheet of a player on a small screen; again, that of the player to move."""
        number_ = small_number(seat)
        if number_ < len(self._context.session.players):
            shown = self._context.position.mover if self._shown_seat is None else self._shown_seat
            self._shown_seat = None if shown == number_ else number_
            self._show()

    def _toggle_hints(self, _: str = "") -> None:
        wishes = self._context.preferences
        wishes.hints = not wishes.hints
        self._context.remember("hints", "on" if wishes.hints else "off")
        self._context.refresh_soon()


def waiting_text(context: PageContext, objective: str) -> str:
    """The progress of the tables of an objective."""
    stand = [context.tables.status_of(context.session.game, table) for table in tables_for(objective)]
    left = [one for one in stand if one.state is not State.READY]
    making = [one for one in left if one.state is State.MAKING]
    return f" {100 * making[0].done:.0f} %" if making else " …"


VIEW = View(
    "table",
    "/",
    TableView,
    place=1,
    keys=(
        ("1 – 6", "dice"),
        ("R · Enter · {space}", "roll"),
        ("↓ ↑ · Enter", "moves"),
        ("X", "compare"),
        ("C", "categories"),
        ("B", "best"),
        ("U", "undo"),
        ("⇧U · Y", "redo"),
        ("N", "new"),
        ("O", "games"),
        ("E", "enter"),
        ("H", "hints"),
        ("T", "tutor"),
        ("W", "why"),
    ),
    introduction="help.table",
)
