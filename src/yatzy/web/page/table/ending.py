"""The end of a game at the table: it is reviewed in the background, can be shared, and is followed by a rematch."""

from __future__ import annotations

import json
from dataclasses import replace

from nicegui import background_tasks

from yatzy.errors import YatzyError
from yatzy.web import coaching
from yatzy.web.page.context import PageContext
from yatzy.web.page.parts.region import Region
from yatzy.web.page.store import OpenGame
from yatzy.web.page.table.result import Result, result_markup, shared_text


class Ending:
    """The result in place of the dice."""

    def __init__(self, context: PageContext) -> None:
        self._context = context
        self._region = Region("yz-result-box")
        self._shown: Result | None = None
        self._waiting: OpenGame | None = None
        """The game on the screen, while it has no rematch."""
        context.on_action("rematch", self._rematch)
        context.on_action("share", self._share)

    def follow_rematch(self) -> bool:
        """Go along when somebody at the table has asked for a rematch since the last call."""
        context, table = self._context, self._context.table
        follows = table.rematch is not None and self._waiting is table
        self._waiting = table if table.rematch is None else None
        if follows:
            context.tell(context.t("result.next_game"))
            self._open(table.current)
        return follows

    def show(self) -> None:
        """Show the result if the game is over."""
        context, session = self._context, self._context.session
        self._region.set_visible(session.over)
        if not session.over:
            self._shown = None
            return
        scores = tuple(sheet.points for sheet in session.position.sheets)
        shown = self._shown
        if shown is None or (shown.game, shown.scores) != (context.table.id, scores):
            self._shown = Result(context.reader, context.table.id, session.players, scores, None)
            background_tasks.create(self._find_outcome(self._shown))
        assert self._shown is not None
        self._region.show_model(self._shown, result_markup)

    async def _find_outcome(self, shown: Result) -> None:
        """Review the game, and add what it says about luck and skill."""
        context, position, record = self._context, self._context.position, self._context.session.record
        try:
            found = await context.table.kept.ask(
                ("outcome", position), lambda _: coaching.outcome_of(context.service, record)
            )
            now = replace(shown, outcome=found)
        except YatzyError as error:
            now = replace(shown, problem=context.problem(error))
        if self._shown is shown and not context.client.is_deleted:
            self._shown = now
            with context.client:
                self._region.show_model(now, result_markup)

    def _rematch(self, _: str = "") -> None:
        """Start another game with the same players and rules, for everybody at the table."""
        table = self._context.table
        if table.session.over:
            self._waiting = None
            self._open(self._context.store.rematch(table))
            table.changed()

    def _open(self, table: OpenGame) -> None:
        self._context.open(table)
        self._context.run_script("scrollTo({ top: 0 })")

    def _share(self, _: str = "") -> None:
        context = self._context
        if self._shown is not None:
            said = shared_text(self._shown, context.session.game.name(context.language))
            address, copied = context.link(f"/review?game={self._shown.game}"), context.t("result.copied")
            context.run_script(f"yatzyShare({json.dumps(said)}, {json.dumps(address)}, {json.dumps(copied)})")
