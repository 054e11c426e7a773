"""The frame around every view: routes, header, footer with the tables that are being made, help, keys."""

from __future__ import annotations

from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from fastapi import FastAPI, Request
from nicegui import app as nicegui_app
from nicegui import events, ui

from yatzy.coach.play.opponents import Opponents
from yatzy.errors import YatzyError
from yatzy.games import Player, load_preset
from yatzy.web import doors
from yatzy.web.page.context import PageContext
from yatzy.web.page.frame import header
from yatzy.web.page.help import HelpOverlay
from yatzy.web.page.lab.view import lab_page
from yatzy.web.page.parts.markup import Region, tag
from yatzy.web.page.preferences import Preferences
from yatzy.web.page.progress import ProgressLine
from yatzy.web.page.quiz.view import quiz_page
from yatzy.web.page.review.view import review_page
from yatzy.web.page.store import GameStore, OpenGame
from yatzy.web.page.table.view import TableView
from yatzy.web.page.texts import LANGUAGES, text

if TYPE_CHECKING:
    from yatzy.web.service import Service

VIEWS = ("table", "review", "quiz", "lab")
ASSETS = "/page-assets"


def mount(app: FastAPI, service: Service) -> None:
    """Put the page on an application; once in a process."""
    folder = Path(str(resources.files("yatzy.web") / "assets"))
    nicegui_app.add_static_files(ASSETS, folder, max_cache_age=0)
    store, opponents = GameStore(service.settings.games), Opponents(service.shelf.workshop)

    def open_page(request: Request, view: str, game: str, position: str) -> None:
        wishes = Preferences.of(request.cookies, request.headers.get("accept-language", ""))
        found, problem = _find_game(store, wishes, game, position)
        context = PageContext(service, store, opponents, found, wishes)
        _build(context, view)
        if problem:
            context.tell(problem, bad=True)
        context.notify()

    @ui.page("/")
    async def table_page(request: Request, game: str = "", position: str = "") -> None:
        open_page(request, "table", game, position)

    @ui.page("/review")
    async def review_page(request: Request, game: str = "") -> None:
        open_page(request, "review", game, "")

    @ui.page("/quiz")
    async def quiz_page(request: Request, game: str = "") -> None:
        open_page(request, "quiz", game, "")

    @ui.page("/lab")
    async def lab_page(request: Request, game: str = "") -> None:
        open_page(request, "lab", game, "")

    ui.run_with(
        app,
        title="Yatzy",
        dark=None,
        favicon=folder / "icon.svg",
        tailwind=False,
        binding_refresh_interval=None,
        reconnect_timeout=10,
        show_welcome_message=False,
    )


def _find_game(store: GameStore, wishes: Preferences, id: str, position: str) -> tuple[OpenGame, str]:
    """The game that an address means, and what was wrong with it, if anything."""
    problem = ""
    you = [Player(text(wishes.language, "player.you"))]
    try:
        if id and (found := store.find(id)) is not None:
            return found, ""
        if position:
            where = doors.read_position(position)
            players = you if len(where.sheets) == 1 else [
                Player(text(wishes.language, "player.number", number=number + 1)) for number in range(len(where.sheets))
            ]  # fmt: skip
            return store.new(where.game, players, start=where), ""
        if not id and wishes.game and (found := store.find(wishes.game)) is not None and not found.session.over:
            return found, ""
    except YatzyError as error:
        problem = str(error)
    fresh = store.new(load_preset("yatzy"), you)
    path, fresh.session.autosave = fresh.session.autosave, None
    fresh.session.roll()
    fresh.session.autosave = path  # from the first thing that somebody does
    return fresh, problem


def _build(context: PageContext, view: str) -> None:
    ui.add_head_html(f'<link rel="stylesheet" href="{ASSETS}/page.css"><script src="{ASSETS}/page.js"></script>')
    context.client.content.classes("yz-page")
    ui.page_title(f"{context.t(f'nav.{view}')} · Yatzy")
    dark = ui.dark_mode(context.preferences.dark)
    overlay = HelpOverlay(context, view)
    header(context, view)
    with ui.element("main").classes("yz-main").props('id="main"'):
        _view(context, view)
    ProgressLine(context)
    Region("yz-tell-box").show(
        tag("p", class_="yz-tell", id="yz-tell", role="status", aria_live="polite", data_testid="tell")
    )

    async def on_event(event: events.GenericEventArguments) -> None:
        said = event.args if isinstance(event.args, list) else [event.args]
        if all(isinstance(one, str) and len(one) < 200 for one in said) and said:
            await context.act(*said[:2])

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
    context.on_action("help", lambda _: overlay.toggle())
    ui.on("yatzy", on_event)


def _view(context: PageContext, view: str) -> None:
    match view:
        case "review":
            review_page(context)
        case "quiz":
            quiz_page(context)
        case "lab":
            lab_page(context)
        case _:
            TableView(context)
