"""The table: dice, sheets, every move with its value, and the analysis beside them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from nicegui import ui

from yatzy.coach.advice import Advice
from yatzy.errors import MoveError
from yatzy.games import Keep, Move, Position, Roll, Score
from yatzy.report.numbers import number, value_text
from yatzy.report.words import rolls_left
from yatzy.web.page.analysis.view import show_analysis
from yatzy.web.page.context import Action, OnDemand, PageContext, small_number
from yatzy.web.page.parts import moves
from yatzy.web.page.parts.dice import arranged, blank, die_button, face_pad, lying, places_of
from yatzy.web.page.parts.icons import icon
from yatzy.web.page.parts.markup import Markup, Region, join, tag
from yatzy.web.page.table import sheets
from yatzy.web.page.table.columns import ColumnsDialog
from yatzy.web.page.table.new_game import NewGameDialog
from yatzy.web.page.table.saved_games import GamesDialog
from yatzy.web.page.table.target import TargetLine
from yatzy.web.page.table.tutor import TutorDialog


class TableView:
    """One game being played in one tab."""

    def __init__(self, context: PageContext) -> None:
        self._context = context
        self._slots: tuple[int, ...] = ()
        """The dice in their places."""
        self._held: set[int] = set()
        """The places of those that are to be kept."""
        self._entered: list[int] = []
        """Real dice that have been entered so far."""
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
            "digit": self._digit, "link": self._copy_link,
            "new": lambda _: self._new_game().open(), "games": lambda _: self._games().open(),
            "columns": lambda _: self._columns().open(), "tutor": lambda _: self._tutor().choose(),
            "target": lambda _: self._target.choose(),
        }  # fmt: skip
        for name, action in actions.items():
            context.on_action(name, action)

    # Showing

    def refresh(self) -> None:
        """Show the game as it stands."""
        position = self._context.position
        fresh: frozenset[int] = frozenset()
        if position is not self._seen:
            fresh = self._follow(position)
        self._show(fresh)

    def _follow(self, position: Position) -> frozenset[int]:
        """Lay the dice out for a new position; the places of those that have just been rolled."""
        context, game = self._context, position.game
        last = context.session.last
        rolled = last is not None and isinstance(last.step, Roll) and last.after is position
        self._entered, context.chosen = [], ""
        context.last_scored = None
        if last is not None and isinstance(last.step, Score) and last.after is position:
            context.last_scored = sheets.scored_box(last.before, position)
        held, keeping = tuple(sorted(self._held)), set[int]()
        if rolled and last is not None:
            if sorted(self._slots[place] for place in held if place < len(self._slots)) != sorted(last.before.dice):
                held = places_of(self._slots, last.before.dice)
            self._slots = arranged(self._slots, held, position.dice) if last.before.dice else position.dice
            keeping = set(held) if last.before.dice and position.rolls_left and self._can_move else set()
        elif len(position.dice) == game.dice:
            self._slots = self._slots if sorted(self._slots) == list(position.dice) else position.dice
        elif position.dice:  # some are kept, the others lie in the cup
            self._held = set(places_of(self._slots, position.dice))
            self._seen = position
            return frozenset()
        else:
            self._slots = ()
        self._held, self._seen = keeping, position
        context.chosen = self._kept_text()
        return frozenset(range(len(self._slots))) - frozenset(held) if rolled else frozenset()

    def _show(self, fresh: frozenset[int] = frozenset()) -> None:
        self._head.show(self._head_markup())
        self._tray.show(self._tray_markup(fresh))
        self._sheets.show(sheets.sheets(self._context, self._final_advice(), self._can_move))
        self._advice_head.show(self._advice_head_markup())
        self._show_moves()

    def _show_moves(self) -> None:
        self._moves.show(moves.move_table(self._context, self._sort, self._can_move))

    def _final_advice(self) -> Advice | None:
        context = self._context
        if not context.hints or context.position.rolls_left:
            return None
        return context.advices.get(self._ranking())

    def _ranking(self) -> str:
        """The objective that ranks the moves."""
        names = self._context.objectives
        return self._sort if self._sort in names else names[0]

    @property
    def _can_move(self) -> bool:
        session = self._context.session
        return not session.over and not session.computer_moves

    def _head_markup(self) -> Markup:
        context, session = self._context, self._context.session
        position, t = session.position, context.t
        if session.over:
            said = self._result()
        else:
            turn, turns = position.sheet.filled.bit_count() + 1, len(position.game.categories)
            name = session.players[position.mover].name
            said = t("head.turn", turn=turn, turns=turns)
            if len(session.players) > 1:
                said = t("head.mover", name=name, turn=said)
        buttons = [
            _tool("undo", t("tool.undo"), "U", disabled=not session.can_undo),
            _tool("redo", t("tool.redo"), "Y", disabled=not session.can_redo),
            _tool("link", t("tool.link"), ""),
            _tool("games", t("tool.games"), "O"),
            tag("button", tag("span", t("tool.new"), class_="yz-long"), tag("span", "+", class_="yz-short"),
                type="button", class_="yz-button", data_do="new", data_key="new", data_testid="new",
                aria_label=t("tool.new"), title="(N)"),
        ]  # fmt: skip
        return join(
            tag("h1", said, class_="yz-said", data_testid="status"), tag("div", *buttons, class_="yz-row yz-tools")
        )

    def _result(self) -> str:
        session, t = self._context.session, self._context.t
        scores = session.record.scores
        if len(scores) == 1:
            return t("head.final", score=scores[0])
        names = [player.name for player, score in zip(session.players, scores, strict=True) if score == max(scores)]
        if len(names) > 1:
            return t("head.level", names=t("and").join(names), score=max(scores))
        return t("head.wins", name=names[0], score=max(scores))

    def _tray_markup(self, fresh: frozenset[int]) -> Markup:
        context, position = self._context, self._context.position
        t, game = context.t, position.game
        entering = context.typed and position.awaits_roll and self._can_move
        if position.over:
            dice = [blank() for _ in range(game.dice)]
        elif position.awaits_roll:
            kept = [lying(value, t("die.kept")) for value in position.dice]
            new = [lying(value, t("die.new")) for value in self._entered] if entering else []
            dice = [*kept, *new, *[blank() for _ in range(game.dice - len(kept) - len(new))]]
        else:
            choosing = self._can_move and position.rolls_left > 0
            dice = [
                die_button(t, place, value, kept=place in self._held, fresh=place in fresh, enabled=choosing)
                for place, value in enumerate(self._slots)
            ]
        tray = tag("div", *dice, class_=f"yz-tray yz-dice-{game.dice}", role="group", aria_label=t("dice.label"))
        pad = face_pad(t, game.faces, idle=not entering) if context.typed and not position.over else None
        return join(tray, pad, self._controls(entering), self._best_line())

    def _controls(self, entering: bool) -> Markup:
        context, session, position = self._context, self._context.session, self._context.position
        t = context.t
        label, enabled = t("roll.choose"), False
        if session.over:
            label = t("roll.over")
        elif session.computer_moves:
            label = context.table.trouble or t("roll.computer", name=session.players[position.mover].name)
        elif entering:
            label = t("enter.prompt", count=position.game.dice - len(position.dice) - len(self._entered))
        elif position.awaits_roll:
            label, enabled = t("roll.all") if not position.dice else t("roll.again"), True
        elif position.rolls_left:
            count = position.game.dice - len(self._held)
            label, enabled = (
                (t("roll.one" if count == 1 else "roll.count", count=count), True) if count else (t("roll.none"), False)
            )
            if count and context.typed:
                label = t("enter.keep", count=count)
        left = "" if session.over else rolls_left(position.rolls_left, context.language)
        dots = tag("span", "●" * position.rolls_left + "○" * (position.game.rolls - position.rolls_left),
                   class_="yz-dots", aria_hidden="true") if not session.over else None  # fmt: skip
        button = tag("button", label, type="button", class_="yz-roll", data_do="roll" if enabled else None,
                     data_key="roll", data_testid="roll", aria_disabled=None if enabled else "true")  # fmt: skip
        switch = tag("button", t("tool.typed"), type="button", class_="yz-switch", role="switch",
                     aria_checked="true" if context.typed else "false", data_do="typed", data_key="typed",
                     data_testid="typed", title="(E)")  # fmt: skip
        rolls = tag("span", left, " ", dots, class_="yz-left-rolls", data_testid="rolls-left")
        return tag("div", rolls, button, switch, class_="yz-controls")

    def _advice_head_markup(self) -> Markup:
        context, t = self._context, self._context.t
        advice = context.advices.get(self._ranking())
        value = ""
        if context.hints and advice is not None:
            value = self._best_value(advice)
        elif context.hints and context.start_value is not None:
            value = t("advice.start", value=number(context.start_value, 2, context.language))
        tutor = context.tutor
        tools = [
            tag("button", t("tool.hints"), type="button", class_="yz-switch", role="switch", data_do="hints",
                aria_checked="true" if context.hints else "false", data_key="hints", data_testid="hints", title="(H)"),
            tag("button", t("tool.tutor"), type="button", class_="yz-switch", data_do="tutor", data_key="tutor",
                aria_checked="true" if tutor is not None else "false", role="switch", data_testid="tutor", title="(T)"),
            tag("button", t("tool.columns"), type="button", class_="yz-button", data_do="columns", data_key="columns",
                data_testid="columns"),
        ]  # fmt: skip
        return join(tag("h2", t("moves.label")), tag("span", value, class_="yz-value", data_testid="value"),
                    tag("div", *tools, class_="yz-row"))  # fmt: skip

    def _best_value(self, advice: Advice) -> str:
        """What the position is worth, in words."""
        context = self._context
        name = moves.objective_name(context.t, advice.objective, long=True)
        return context.t("advice.value", name=name, value=value_text(advice.value, advice.unit, context.language))

    def _best_line(self) -> Markup:
        """The best move beside the dice, for screens on which the list is further down."""
        context = self._context
        advice = context.advices.get(self._ranking()) if context.hints else None
        if advice is None or not self._can_move:
            return tag("div", class_="yz-best-line")
        name = moves.move_name(context, advice.position, advice.best.move)
        button = tag("button", "★ ", name, type="button", class_="yz-button", data_do="best", data_key="best",
                     data_testid="best")  # fmt: skip
        return tag("div", button, tag("span", self._best_value(advice), class_="yz-quiet"), class_="yz-best-line")

    # Doing

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
        """Make a move unless the tutor objects."""
        if not self._can_move:
            return
        if self._context.tutor is None or not await self._tutor().objects(move, self._ranking()):
            await self._play(move)

    async def _play(self, move: Move) -> None:
        """Make a move; a keep is followed by its roll, where the program rolls."""
        context, session = self._context, self._context.session
        session.position.check(move)  # refuses before anything has changed
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
        """The keep that is laid out, as text; "" for none."""
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


def _tool(action: str, label: str, key: str, *, disabled: bool = False) -> Markup:
    return tag("button", icon(action), type="button", class_="yz-icon", data_do=action,
               data_key=action, data_testid=action, aria_label=label, title=f"{label} ({key})" if key else label,
               disabled=disabled)  # fmt: skip
