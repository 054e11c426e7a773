"""Errors that the server reports to the client: an HTTP status and a one-line message."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from yatzy.errors import YatzyError

if TYPE_CHECKING:
    from yatzy.web.tables import TableState, TableStatus


class Refusal(YatzyError):  # noqa: N818  (what it is)
    """A request that the server refuses."""

    status = 400
    retry_after: int | None = None
    """Seconds after which the client may retry."""

    def fields(self) -> dict[str, Any]:
        """The JSON response."""
        return {"error": str(self)}


class Forbidden(Refusal):
    """A request for something that is not allowed over HTTP."""

    status = 403


class TooMuch(Refusal):
    """A request that exceeds the limits of the server."""

    status = 422


class Busy(Refusal):
    """The server cannot take this request now."""

    status, retry_after = 429, 2


class ClientLeft(Refusal):
    """The client disconnected before the answer was ready."""

    status = 499  # as in nginx


class NotReady(Refusal):
    """A table is not ready yet. Includes its progress."""

    status, retry_after = 409, 2

    def __init__(self, template: str, statuses: list[TableStatus], /, **values: object) -> None:
        super().__init__(template, **values)
        self.statuses = statuses

    @property
    def tables(self) -> list[TableState]:
        """The status of the missing tables, as the API gives it."""
        return [one.answer for one in self.statuses]

    def fields(self) -> dict[str, Any]:
        """The JSON response, with the status of the missing tables."""
        return {"error": str(self), "tables": self.tables}
