"""The end of a game at the table: it is reviewed in the background, can be shared, and is followed by a rematch."""

from __future__ import annotations

import json
from dataclasses import replace

from nicegui import background_tasks

from yatzy.errors import YatzyError
from yatzy.web import coaching
from yatzy.web.page.context import PageContext
from yatzy.web.page.parts.region import Region
from yatzy.web.page.table.result import Result, result_markup, shared_text


class Ending:
    """The result in place of the dice."""

    def __init__(self, context: PageContext) -> None:
        self._context = context
        self._region = Region("yz-result-box")
        self._shown: Result | None = None
        context.on_action("rematch", self._rematch)
        context.on_action("share", self._share)

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
            now = replace(shown, problem=str(error))
        if self._shown is shown and not context.client.is_deleted:
            self._shown = now
            with context.client:
                self._region.show_model(now, result_markup)

    def _rematch(self, _: str = "") -> None:
        """Start another game with the same players and rules."""
        context, session = self._context, self._context.session
        if session.over:
            context.open(context.store.new(session.game, list(session.players)))
            context.run_script("scrollTo({ top: 0 })")

    def _share(self, _: str = "") -> None:
        context = self._context
        if self._shown is not None:
            said = shared_text(self._shown, context.session.game.name(context.language))
            address, copied = context.link(f"/review?game={self._shown.game}"), context.t("result.copied")
            context.run_script(f"yatzyShare({json.dumps(said)}, {json.dumps(address)}, {json.dumps(copied)})")
