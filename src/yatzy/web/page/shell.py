"""The frame around every view: routes, header, footer with the progress of tables, help, keys.

A request is answered with an empty page. The content is built when the page has opened its websocket, so a request
from anything but a browser costs little and leaves nothing in memory.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from fastapi import FastAPI, Request, Response
from nicegui import app as nicegui_app
from nicegui import events, ui
from nicegui.nicegui import sio

from yatzy.coach.play.opponents import Opponents
from yatzy.report.texts import LANGUAGES, text
from yatzy.web import limits
from yatzy.web.addresses import is_local
from yatzy.web.api.answers import answer
from yatzy.web.guard import NONCE
from yatzy.web.page.context import OnDemand, PageContext, Visitor
from yatzy.web.page.frame import header
from yatzy.web.page.help import HelpOverlay
from yatzy.web.page.manifest import add_manifest, manifest_links
from yatzy.web.page.nonces import add_nonces
from yatzy.web.page.opening import Asked, open_address
from yatzy.web.page.parts.blocks import STYLE
from yatzy.web.page.parts.markup import tag
from yatzy.web.page.parts.region import Region
from yatzy.web.page.preferences import Preferences
from yatzy.web.page.progress import ProgressLine
from yatzy.web.page.static import KeptFiles
from yatzy.web.page.store import GameStore
from yatzy.web.page.trouble import quiet_errors
from yatzy.web.page.views import View, all_views
from yatzy.web.page.visits import Visits

if TYPE_CHECKING:
    from yatzy.web.service import Service

ASSETS = "/page-assets"


class _Packet(sio.packet_class):  # type: ignore[misc]
    """A message to the browser. Parts of the page are text, so that they need not be searched for binary data."""

    @classmethod
    def data_is_binary(cls, data: object) -> bool:
        """Whether a message holds binary data, as a download does."""
        is_update = isinstance(data, list) and data[:1] == ["update"]
        return not is_update and bool(super().data_is_binary(data))


def mount(app: FastAPI, service: Service) -> None:
    """Add the page to an application. Only once per process."""
    folder = Path(str(resources.files("yatzy.web") / "assets"))
    nicegui_app.add_static_files(ASSETS, folder, max_cache_age=0)
    store, opponents = GameStore(service.settings.games), Opponents(service.tables.solver)
    visits = Visits()
    add_nonces()
    add_manifest(app, ASSETS)

    def open_page(request: Request, view: View, asked: Asked) -> Response | None:
        client = ui.context.client
        if not visits.admit(client):
            client.delete()
            return answer({"error": f"{limits.PAGES} pages are open already; close some and load this one again"}, 503)
        wishes = Preferences.of(request.cookies, request.headers.get("accept-language", ""))
        _prepare(view, wishes, request.scope.get(NONCE, ""))
        visitor = Visitor(
            wishes.browser or secrets.token_hex(8), f"{request.url.scheme}://{request.url.netloc}", is_local(client.ip)
        )

        async def build() -> None:
            if not visits.begin(client):
                return  # a reconnect
            found = await asyncio.to_thread(open_address, store, wishes, asked)
            if client.is_deleted:
                return
            with client:
                context = PageContext(service, store, opponents, found.game, wishes, visitor)
                _build(context, view)
            context.remember("browser", visitor.browser)
            if found.problem:
                context.tell(found.problem, bad=True)
            context.refresh_soon()
            if found.joined:
                await context.act("join")

        client.on_connect(build)
        return None

    def add_page(view: View) -> None:
        @ui.page(view.path)
        def page(
            request: Request, game: str = "", position: str = "", join: str = "", rules: str = ""
        ) -> Response | None:
            return open_page(request, view, Asked(game, position, join, rules))

    for view in all_views().values():
        add_page(view)

    ui.run_with(
        app,
        title="Yatzy",
        dark=None,
        favicon=folder / "icon.svg",
        tailwind=False,
        binding_refresh_interval=None,
        reconnect_timeout=limits.RECONNECT_SECONDS,
        gzip_middleware_factory=None,  # on a local connection, compressing takes longer than sending
        show_welcome_message=False,
    )
    # Only websockets: a session without one is cheap to open and uses memory until it times out.
    nicegui_app.config.socket_io_js_transports = ["websocket"]
    sio.eio.transports = ["websocket"]
    sio.packet_class = _Packet
    nicegui_app.storage.max_tab_storage_age = limits.WAITING_SECONDS  # unused here; NiceGUI's default is 30 days
    nicegui_app.add_middleware(KeptFiles)
    quiet_errors(nicegui_app)


def _prepare(view: View, wishes: Preferences, nonce: str) -> None:
    """Add the static part of a page, which is in the response itself."""
    links = [
        f'<link rel="stylesheet" href="{address}">' for address in (f"{ASSETS}/page.css", f"{ASSETS}/table.css", STYLE)
    ]
    ui.add_head_html(
        "".join(links)
        + manifest_links(wishes.language, ASSETS)
        + f'<script nonce="{nonce}" src="{ASSETS}/page.js"></script>'
    )
    content = ui.context.client.content.classes("yz-page")
    if content.parent_slot is not None:
        content.parent_slot.parent.tag = "div"  # else a <main>, which would contain our header, main part and footer
    ui.page_title(f"{text(wishes.language, f'nav.{view.name}')} · Yatzy")


def _build(context: PageContext, view: View) -> None:
    dark = ui.dark_mode(context.preferences.dark)
    context.run_script(f"document.documentElement.lang = {json.dumps(context.language)}")  # NiceGUI's is one for all
    overlay = OnDemand(context, lambda: HelpOverlay(context, view))
    header(context, view.name)
    with ui.element("main").classes("yz-main").props('id="main"'):
        view.show(context)
    ProgressLine(context)
    place = Region("yz-hidden")  # not a script, so that it is sent in one message with everything else
    context.on_change(lambda: place.show(tag("span", data_address=context.address(), data_game=context.table.id)))
    Region("yz-tell-box").show(
        tag("p", class_="yz-tell", id="yz-tell", role="status", aria_live="polite", data_testid="tell")
    )

    async def on_event(event: events.GenericEventArguments) -> None:
        said = event.args if isinstance(event.args, list) else [event.args]
        if all(isinstance(one, str) and len(one) < 200 for one in said) and said:
            await context.act(*said[:2])

    async def on_file(event: events.GenericEventArguments) -> None:
        said = event.args
        if isinstance(said, list) and len(said) == 3 and all(isinstance(one, str) for one in said):
            await context.take_file(*said)

    def set_dark(argument: str) -> None:
        context.preferences.dark = argument == "dark"
        dark.set_value(context.preferences.dark)
        context.remember("dark", argument)

    def set_language(argument: str) -> None:
        if argument not in LANGUAGES:
            argument = LANGUAGES[(LANGUAGES.index(context.language) + 1) % len(LANGUAGES)]
        context.remember("language", argument)
        context.run_script("location.reload()")

    context.on_action("dark", set_dark)
    context.on_action("language", set_language)
    context.on_action("help", lambda _: overlay().toggle())
    ui.on("yatzy", on_event)
    ui.on("yatzy-file", on_file)
