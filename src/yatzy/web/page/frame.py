"""The page header: title, links to the views, language, dark mode, help."""

from __future__ import annotations

from dataclasses import dataclass

from yatzy.report.texts import LANGUAGES, NAMES
from yatzy.web.page.context import PageContext
from yatzy.web.page.parts.icons import icon
from yatzy.web.page.parts.markup import Markup, join, tag
from yatzy.web.page.parts.region import Region
from yatzy.web.page.reader import Reader
from yatzy.web.page.views import all_views


def header(context: PageContext, view: str) -> None:
    """Add the header. Its links refer to the current game."""
    region = Region("yz-header", role="banner")

    def show() -> None:
        region.show_model(Header(context.reader, view, context.table.id), header_markup)

    context.on_change(show)
    show()


@dataclass(frozen=True, slots=True)
class Header:
    """The view model of the header."""

    reader: Reader
    view: str
    game: str
    """The id of the current game."""


def header_markup(model: Header) -> Markup:
    """Render the header."""
    t, view = model.reader.t, model.view
    links = [
        tag(
            "a",
            t(f"nav.{one.name}"),
            href=one.path + (f"?game={model.game}" if one.of_game else ""),
            class_="yz-tab",
            aria_current="page" if one.name == view else None,
            data_testid=f"nav-{one.name}",
        )
        for one in all_views().values()
    ]
    return join(
        tag("a", t("skip"), href="#main", class_="yz-skip"),
        tag("span", _logo(), tag("span", "Yatzy", class_="yz-name"), class_="yz-brand"),
        tag("nav", *links, aria_label=t("nav.label"), class_="yz-tabs"),
        tag(
            "span",
            _languages(model.reader),
            tag(
                "button", icon("moon", "yz-moon"), icon("sun", "yz-sun"), type="button",
                class_="yz-icon", data_dark="", data_key="dark", data_testid="dark", aria_label=t("dark.toggle"),
                title=f"{t('dark.toggle')} (D)",
            ),
            tag(
                "button", "?", type="button", class_="yz-icon", data_do="help", data_key="help", data_testid="help",
                aria_label=t("help.open"), title=f"{t('help.open')} (?)",
            ),
            class_="yz-tools",
        ),
    )  # fmt: skip


def _languages(reader: Reader) -> Markup:
    """A button that opens a list of languages."""
    name = reader.t("language.choose", name=NAMES[reader.language])
    choices = [
        tag("button", NAMES[one], type="button", class_="yz-icon", data_do="language", data_arg=one, lang=one,
            data_testid=f"language-{one}", aria_current="true" if one == reader.language else None)
        for one in LANGUAGES
    ]  # fmt: skip
    button = tag("button", reader.language.upper(), type="button", class_="yz-icon", data_menu="languages",
                 aria_expanded="false", data_key="language", data_testid="language", aria_label=name,
                 title=f"{name} (L)")  # fmt: skip
    return tag("span", button, tag("span", *choices, class_="yz-choices"), class_="yz-languages")


def _logo() -> Markup:
    pips = [tag("circle", cx=x, cy=y, r="2.2") for x, y in ((6, 6), (18, 6), (12, 12), (6, 18), (18, 18))]
    square = tag("rect", x="1", y="1", width="22", height="22", rx="5")
    return tag("svg", square, *pips, viewBox="0 0 24 24", class_="yz-logo", aria_hidden="true")
