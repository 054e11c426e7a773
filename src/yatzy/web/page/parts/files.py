"""Long texts from the browser, out of a file or pasted. They are sent over the websocket when they are wanted.

NiceGUI's own upload adds a route per page to the application, and FastAPI never removes routes. Its text field sends
the whole text after every keystroke, and a text that is typed while a dialog closes is lost.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from yatzy.report.numbers import count
from yatzy.web.page.context import PageContext
from yatzy.web.page.parts.markup import tag
from yatzy.web.page.parts.region import Region
from yatzy.web.page.problems import PageError

NOT_TEXT = "not-text"
TOO_LARGE = "too-large"


def file_field(
    context: PageContext,
    id: str,
    label: str,
    read: Callable[[str], Awaitable[None] | None],
    *,
    most: int,
    accept: str | None = None,
) -> None:
    """A button for choosing a text file of at most `most` bytes. `read` is called with its text."""
    field = tag("input", type="file", accept=accept, data_file=id, data_most=most)
    Region("yz-full").show(tag("label", label, field, class_="yz-button yz-upload", data_testid=id))

    _on_text(context, id, read, most)


def paste_field(
    context: PageContext,
    id: str,
    label: str,
    read: Callable[[str], Awaitable[None] | None],
    *,
    most: int,
) -> None:
    """A field for pasting a text of at most `most` characters. `read` is called with it by a `paste_button`."""
    field = tag("textarea", data_paste=id, maxlength=most, data_testid=id, spellcheck="false")
    Region("yz-full").show(tag("label", label, field, class_="yz-paste"))
    _on_text(context, id, read, most)


def paste_button(id: str, label: str, test_id: str) -> None:
    """The button that sends the text of a `paste_field`."""
    Region().show(tag("button", label, type="button", class_="yz-primary", data_send=id, data_testid=test_id))


def _on_text(context: PageContext, id: str, read: Callable[[str], Awaitable[None] | None], most: int) -> None:
    def take(text: str, problem: str) -> Awaitable[None] | None:
        if problem == NOT_TEXT:
            raise PageError("files.no_text")
        if problem or len(text) > most:
            raise PageError("files.too_large", most=count(most, context.language))
        return read(text)

    context.on_file(id, take)
