"""Sharing a position, and playing together: links, the QR code for a phone, who is at the table, and seats."""

from __future__ import annotations

import json
from dataclasses import dataclass

from nicegui import ui

from yatzy.games import Player, is_preset
from yatzy.web.page.context import OnDemand, PageContext, small_number
from yatzy.web.page.opening import frozen_link, join_link
from yatzy.web.page.parts.dialogs import titled_dialog
from yatzy.web.page.parts.markup import Markup, join, tag
from yatzy.web.page.parts.qr_code import qr_code
from yatzy.web.page.parts.region import Region
from yatzy.web.page.reader import Reader
from yatzy.web.page.seats import Seats


@dataclass(frozen=True, slots=True)
class Company:
    """The view model of the people at a table."""

    reader: Reader
    players: tuple[Player, ...]
    mine: tuple[int, ...]
    """The seats that this browser holds."""
    others: tuple[int, ...]
    """The seats that other browsers at the table hold."""
    browsers: int
    guests: int
    """Other browsers at the table that hold no seat."""

    @classmethod
    def of(cls, reader: Reader, players: tuple[Player, ...], seats: Seats, browser: str) -> Company:
        """The people at a table as one of their browsers sees them."""
        people = [seat for seat, player in enumerate(players) if player.strategy is None]
        held = {seat: holder for seat in people if (holder := seats.holder(seat)) is not None}
        guests = set(seats.browsers) - set(held.values()) - {browser}
        return cls(
            reader,
            players,
            tuple(seat for seat, holder in held.items() if holder == browser),
            tuple(seat for seat, holder in held.items() if holder != browser),
            len(seats.browsers),
            len(guests),
        )


def company_of(context: PageContext) -> Company:
    """The people at the table of a tab."""
    return Company.of(context.reader, context.session.players, context.table.seats, context.visitor.browser)


def company_line(model: Company) -> Markup:
    """Who is at the table, if somebody else is."""
    if model.browsers < 2 and not model.mine:
        return join()
    t = model.reader.t
    names = ", ".join(model.players[seat].name for seat in model.mine)
    said = [t("together.you_as", name=names) if names else t("together.you")]
    said += [model.players[seat].name for seat in model.others]
    if model.guests:
        said.append(t("together.guests", count=model.guests))
    text = tag("span", t("together.here", people=", ".join(said)), data_testid="company")
    button = tag("button", t("together.seats"), type="button", class_="yz-button", data_do="join", data_key="seats",
                 data_testid="seats")  # fmt: skip
    return tag("div", text, button, class_="yz-company", role="status")


def seat_list(model: Company) -> Markup:
    """The seats of the people, each with a button to sit down or stand up."""
    t, rows = model.reader.t, []
    for seat, player in enumerate(model.players):
        if player.strategy is not None:
            continue
        if seat in model.others:
            state = tag("span", t("together.taken"), class_="yz-quiet")
        else:
            key = "together.stand_up" if seat in model.mine else "together.sit"
            state = tag("button", t(key), type="button", class_="yz-button", data_do="sit", data_arg=seat,
                        data_key=f"sit-{seat}", data_testid=f"sit-{seat}", aria_label=f"{player.name}: {t(key)}",
                        aria_pressed="true" if seat in model.mine else "false")  # fmt: skip
        rows.append(tag("li", tag("span", player.name, class_="yz-seat-name"), state))
    return tag("ul", *rows, class_="yz-seat-list")


class Together:
    """The line about the people at the table, and the two dialogs."""

    def __init__(self, context: PageContext) -> None:
        self._context = context
        self._line = Region("yz-company-box")
        self._share = OnDemand(context, lambda: ShareDialog(context))
        self._seats = OnDemand(context, lambda: SeatsDialog(context))
        context.on_change(self._show)
        context.on_action("link", lambda _: self._share().open())
        context.on_action("join", lambda _: self._seats().open())
        context.on_action("sit", self._sit)

    def _show(self) -> None:
        self._line.show_model(company_of(self._context), company_line)

    def _sit(self, argument: str) -> None:
        context, seat = self._context, small_number(argument)
        seats, browser = context.table.seats, context.visitor.browser
        if seat >= len(context.session.players):
            return
        if seat in seats.seats_of(browser):
            seats.stand_up(seat, browser)
        elif not seats.take(seat, browser):
            context.tell(context.t("together.taken"), bad=True)
        context.notify()


class SeatsDialog:
    """The dialog in which a person takes a seat."""

    def __init__(self, context: PageContext) -> None:
        self._context = context
        t = context.t
        with titled_dialog(t("together.title"), "seats-dialog") as self._dialog:
            ui.label(t("together.explain")).classes("yz-note")
            self._list = Region("yz-full")
            ui.button(t("together.go_on"), on_click=self._dialog.close, color=None).classes("yz-primary").props(
                'no-caps data-testid="seats-done"'
            )

        context.on_change(self._show)

    def open(self) -> None:
        """Open the dialog."""
        self._show()
        self._dialog.open()

    def _show(self) -> None:
        self._list.show_model(company_of(self._context), seat_list)


class ShareDialog:
    """The dialog with both kinds of link."""

    def __init__(self, context: PageContext) -> None:
        self._context = context
        t = context.t
        with titled_dialog(t("share.title"), "share-dialog", "yz-wide") as self._dialog:
            self._frozen, self._live = Region("yz-full"), Region("yz-full")
            ui.button(t("close"), on_click=self._dialog.close).props("flat no-caps")
        context.on_action("copy", self._copy)

    def open(self) -> None:
        """Open the dialog with links to the present position and to the table."""
        context, t = self._context, self._context.t
        if not is_preset(context.session.game):
            context.table.save()  # the link refers to the saved game for its rules
        self._links = {
            "frozen": context.link(frozen_link(context.session.game, context.position, context.table.id)),
            "live": context.link(join_link(context.table.id)),
        }
        self._frozen.show(join(*self._part("frozen")))
        alone = tag("p", t("share.only_here"), class_="yz-note yz-warn", data_testid="only-here")
        code = tag("figure", qr_code(self._links["live"], t("share.phone")), tag("figcaption", t("share.phone")))
        self._live.show(join(*self._part("live"), code if context.is_reachable else alone))
        self._dialog.open()

    def _part(self, kind: str) -> list[Markup]:
        t = self._context.t
        address = tag("input", type="text", readonly=True, value=self._links[kind], class_="yz-address",
                      aria_label=t(f"share.{kind}"), data_testid=f"{kind}-address")  # fmt: skip
        button = tag("button", t("share.copy"), type="button", class_="yz-button", data_do="copy", data_arg=kind,
                     data_key=f"copy-{kind}", data_testid=f"copy-{kind}")  # fmt: skip
        title = tag("h2", t(f"share.{kind}"), class_="yz-subtitle")
        note = tag("p", t(f"share.{kind}_note"), class_="yz-note")
        return [title, note, tag("div", address, button, class_="yz-copy")]

    def _copy(self, kind: str) -> None:
        context, t = self._context, self._context.t
        link = self._links.get(kind)
        if link is not None:
            done = t(f"share.{kind}_copied") + ("" if context.is_reachable else f" {t('share.only_here')}")
            said = ", ".join(json.dumps(one) for one in (link, done, t("share.not_copied")))
            context.run_script(f"yatzyCopy({said})")
