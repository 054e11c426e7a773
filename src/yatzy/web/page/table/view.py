"""The table view: dice, sheets, moves with their values, and the analysis."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from nicegui import ui

from yatzy.coach.advice import Advice
from yatzy.errors import MoveError
from yatzy.games import Keep, Move, Position, Roll, Score
from yatzy.web.page.analysis.view import show_analysis
from yatzy.web.page.context import Action, OnDemand, PageContext, small_number
from yatzy.web.page.parts.dice import arranged, places_of
from yatzy.web.page.parts.region import Region
from yatzy.web.page.table.columns import ColumnsDialog
from yatzy.web.page.table.heads import AdviceHead, Head, advice_head_markup, head_markup, standing, value_line
from yatzy.web.page.table.moves import Column, MoveList, move_list, move_rows
from yatzy.web.page.table.new_game import NewGameDialog
from yatzy.web.page.table.saved_games import GamesDialog
from yatzy.web.page.table.sheets import Sheets, best_categories, scored_box, sheets_markup
from yatzy.web.page.table.target import TargetLine
from yatzy.web.page.table.tray import Tray, tray_markup
from yatzy.web.page.table.tutor import TutorDialog
from yatzy.web.page.views import View
from yatzy.web.tables import State, tables_for


class TableView:
    """A game in one tab."""

    def __init__(self, context: PageContext) -> None:
        self._context = context
        self._slots: tuple[int, ...] = ()
        """The dice in display order."""
        self._held: set[int] = set()
        """The places of the dice to keep."""
        self._entered: list[int] = []
        """Real dice entered so far."""
        self._seen: Position | None = None
        self._sort = ""
        self._new_game = OnDemand(context, lambda: NewGameDialog(context))
        self._games = OnDemand(context, lambda: GamesDialog(context))
        self._columns = OnDemand(context, lambda: ColumnsDialog(context))
        self._tutor = OnDemand(context, lambda: TutorDialog(context, self._play))
        with ui.element("div").classes("yz-table-view"):
            with ui.element("section").classes("yz-card yz-play").props(f'aria-label="{context.t("play.label")}"'):
                self._head = Region("yz-head")
                self._tray = Region("yz-tray-box")
                self._target = TargetLine(context)
            with ui.element("section").classes("yz-card yz-advice").props(f'aria-label="{context.t("moves.label")}"'):
                self._advice_head = Region("yz-advice-head")
                self._moves = Region("yz-moves-box", data_list="moves", tabindex="-1")
            with ui.element("section").classes("yz-card yz-score").props(f'aria-label="{context.t("sheet.label")}"'):
                self._sheets = Region("yz-sheets-box", data_list="sheet")
            with ui.element("section").classes("yz-card yz-analysis") as box:
                box.props(f'aria-label="{context.t("analysis.label")}"')
                show_analysis(context)
        self._listen()

    def _listen(self) -> None:
        context = self._context
        context.on_change(self.refresh)
        context.on_progress(self._show_moves)
        actions: dict[str, Action] = {
            "roll": self._roll, "die": self._toggle, "face": self._enter_face, "unface": self._take_face_back,
            "play": self._play_text, "best": self._play_best, "score": self._score, "sort": self._sort_by,
            "undo": self._undo, "redo": self._redo, "hints": self._toggle_hints, "typed": self._toggle_typed,
            "digit": self._digit, "link": self._copy_link, "compare": self._compare,
            "new": lambda _: self._new_game().open(), "games": lambda _: self._games().open(),
            "columns": lambda _: self._columns().open(), "tutor": lambda _: self._tutor().choose(),
            "target": lambda _: self._target.choose(),
        }  # fmt: skip
        for name, action in actions.items():
            context.on_action(name, action)

    # Showing

    def refresh(self) -> None:
        """Show the current state of the game."""
        position = self._context.position
        fresh: frozenset[int] = frozenset()
        if position is not self._seen:
            fresh = self._follow(position)
        self._show(fresh)

    def _follow(self, position: Position) -> frozenset[int]:
        """Arrange the dice for a new position. Returns the places of the dice just rolled."""
        context, game = self._context, position.game
        last = context.session.last
        rolled = last is not None and isinstance(last.step, Roll) and last.after is position
        self._entered, context.chosen, context.compared = [], "", ()
        context.last_scored = None
        if last is not None and isinstance(last.step, Score) and last.after is position:
            context.last_scored = scored_box(last.before, position)
        held, keeping = tuple(sorted(self._held)), set[int]()
        if rolled and last is not None:
            if sorted(self._slots[place] for place in held if place < len(self._slots)) != sorted(last.before.dice):
                held = places_of(self._slots, last.before.dice)
            self._slots = arranged(self._slots, held, position.dice) if last.before.dice else position.dice
            keeping = set(held) if last.before.dice and position.rolls_left and self._can_move else set()
        elif len(position.dice) == game.dice:
            self._slots = self._slots if sorted(self._slots) == list(position.dice) else position.dice
        elif position.dice:  # kept dice, before the others are rolled
            self._held = set(places_of(self._slots, position.dice))
            self._seen = position
            return frozenset()
        else:
            self._slots = ()
        self._held, self._seen = keeping, position
        context.chosen = self._kept_text()
        return frozenset(range(len(self._slots))) - frozenset(held) if rolled else frozenset()

    def _show(self, fresh: frozenset[int] = frozenset()) -> None:
        context, session = self._context, self._context.session
        reader, position = context.reader, session.position
        advice = context.advices.get(self._ranking()) if context.hints else None
        said = standing(reader, position, session.players)
        self._head.show_model(Head(reader, said, session.can_undo, session.can_redo), head_markup)
        self._tray.show_model(self._tray_model(fresh, advice), tray_markup)
        best = best_categories(None if position.rolls_left else advice)
        sheets = Sheets(reader, position, session.players, self._can_move, best, context.last_scored)
        self._sheets.show_model(sheets, sheets_markup)
        value = value_line(reader, advice, context.start_value) if context.hints else ""
        head = AdviceHead(reader, value, context.hints, context.tutor is not None)
        self._advice_head.show_model(head, advice_head_markup)
        self._show_moves()

    def _tray_model(self, fresh: frozenset[int], advice: Advice | None) -> Tray:
        context, session = self._context, self._context.session
        computer = ""
        if session.computer_moves:
            name = session.players[session.position.mover].name
            computer = context.table.trouble or context.t("roll.computer", name=name)
        return Tray(
            context.reader, session.position, self._slots, frozenset(self._held), fresh, tuple(self._entered),
            context.typed, computer, advice,
        )  # fmt: skip

    def _show_moves(self) -> None:
        self._moves.show_model(self._move_list(), move_list)

    def _move_list(self) -> MoveList:
        context, position, can_move = self._context, self._context.position, self._can_move
        if position.over or position.awaits_roll or not context.hints:
            return MoveList(context.reader, position, (), self._sort, "", can_move, hidden=not context.hints)
        columns = tuple(
            Column(name, advice) if (advice := context.advices.get(name)) is not None
            else Column(name, None, waiting_text(context, name), context.waiting.get(name, ""))
            for name in context.objectives
        )  # fmt: skip
        known = tuple((one.objective, one.advice is not None) for one in columns)
        rows = context.table.kept.make(
            ("rows", context.reader, position, known, self._sort, can_move),
            lambda: move_rows(context.reader, position, columns, self._sort, can_move),
        )
        return MoveList(
            context.reader, position, columns, self._sort, context.chosen, can_move, rows, compared=context.compared
        )

    def _ranking(self) -> str:
        """The objective that ranks the moves."""
        names = self._context.objectives
        return self._sort if self._sort in names else names[0]

    @property
    def _can_move(self) -> bool:
        session = self._context.session
        return not session.over and not session.computer_moves

    # Acting

    async def _roll(self, _: str = "") -> None:
        session, position = self._context.session, self._context.position
        if not self._can_move:
            return
        if position.awaits_roll:
            if self._context.typed:
                raise MoveError(self._context.t("enter.first"))
            await self._change(session.roll)
        elif not position.rolls_left:
            self._context.tell(self._context.t("roll.choose"))
        elif len(self._held) == position.game.dice:
            self._context.tell(self._context.t("roll.none"))
        else:
            await self._consider(Keep(tuple(self._slots[place] for place in self._held)))

    async def _consider(self, move: Move) -> None:
        """Make a move, unless the tutor warns."""
        if not self._can_move:
            return
        if self._context.tutor is None or not await self._tutor().objects(move, self._ranking()):
            await self._play(move)

    async def _play(self, move: Move) -> None:
        """Make a move. A keep is followed by a roll, unless real dice are entered."""
        context, session = self._context, self._context.session
        session.position.check(move)  # raises before anything changes
        if isinstance(move, Keep):
            held = {place for place in self._held if place < len(self._slots)}
            if sorted(self._slots[place] for place in held) != list(move.dice):
                self._held = set(places_of(self._slots, move.dice))

        await self._change(lambda: session.play(move) if context.typed else session.play_and_roll(move))

    async def _change(self, step: Callable[[], object]) -> None:
        await asyncio.to_thread(step)
        trouble = self._context.session.trouble
        if trouble:
            self._context.tell(self._context.t("not_saved", why=trouble), bad=True)
        self._context.notify()

    async def _play_text(self, text: str) -> None:
        await self._consider(self._context.session.game.parse_move(text))

    async def _play_best(self, _: str = "") -> None:
        advice = self._context.advices.get(self._ranking())
        if advice is not None and self._context.hints:
            await self._consider(advice.best.move)

    async def _score(self, category: str) -> None:
        await self._consider(Score(category))

    def _toggle(self, place: str) -> None:
        position, number_ = self._context.position, small_number(place)
        if not self._can_move or position.awaits_roll or not position.rolls_left or number_ >= len(self._slots):
            return
        self._held ^= {number_}
        self._context.choose(self._kept_text())
        self._show()

    def _kept_text(self) -> str:
        """The selected keep as text, or ""."""
        return str(Keep(tuple(self._slots[one] for one in self._held))) if self._held else ""

    async def _digit(self, digit: str) -> None:
        position = self._context.position
        if position.awaits_roll and self._context.typed:
            await self._enter_face(digit)
        elif not position.awaits_roll and 1 <= small_number(digit) <= len(self._slots):
            self._toggle(str(small_number(digit) - 1))

    async def _enter_face(self, value: str) -> None:
        session, position = self._context.session, self._context.position
        if not (self._can_move and position.awaits_roll and self._context.typed):
            return
        face = small_number(value)
        if not 1 <= face <= position.game.faces:
            raise MoveError(self._context.t("enter.range", faces=position.game.faces))
        self._entered.append(face)
        if len(self._entered) == position.game.dice - len(position.dice):
            dice, self._entered = tuple(self._entered), []
            await self._change(lambda: session.enter(dice))
        else:
            self._show()

    def _take_face_back(self, _: str = "") -> None:
        if self._entered:
            self._entered.pop()
            self._show()

    async def _undo(self, _: str = "") -> None:
        session = self._context.session
        if self._entered:
            self._take_face_back()
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
        self._sort = objective
        self._show()

    def _toggle_hints(self, _: str = "") -> None:
        wishes = self._context.preferences
        wishes.hints = not wishes.hints
        self._context.remember("hints", "on" if wishes.hints else "off")
        self._context.refresh_soon()

    def _toggle_typed(self, _: str = "") -> None:
        wishes = self._context.preferences
        wishes.typed = not wishes.typed
        self._entered = []
        self._context.remember("typed", "on" if wishes.typed else "off")
        self._show()

    def _copy_link(self, _: str = "") -> None:
        self._context.run_script("yatzyCopyLink()")
        self._context.tell(self._context.t("link.copied"))


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
        ("R · Enter · Space", "roll"),
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
    introduction="help.text",
)
