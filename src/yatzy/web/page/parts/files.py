"""File upload: the browser reads a file and sends its text over the websocket.

NiceGUI's own upload adds a route per page to the application, and FastAPI never removes routes.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from yatzy.errors import InputError
from yatzy.report.numbers import count
from yatzy.web.page.context import PageContext
from yatzy.web.page.parts.markup import tag
from yatzy.web.page.parts.region import Region

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

    def take(text: str, problem: str) -> Awaitable[None] | None:
        if problem == NOT_TEXT:
            raise InputError(context.t("files.no_text"))
        if problem or len(text) > most:
            raise InputError(context.t("files.too_large", most=count(most, context.language)))
        return read(text)

    context.on_file(id, take)
