"""What the server refuses, with the status that says so: always one line fit to be shown."""

from __future__ import annotations

from typing import Any

from yatzy.errors import YatzyError


class Refusal(YatzyError):  # noqa: N818  (what it is)
    """A question that cannot be answered, now or ever."""

    status = 400
    retry_after: int | None = None
    """Seconds after which it may be asked again."""

    def fields(self) -> dict[str, Any]:
        """The answer."""
        return {"error": str(self)}


class Forbidden(Refusal):
    """Something that is never done over HTTP."""

    status = 403


class TooMuch(Refusal):
    """More work than the server does for one question."""

    status = 422


class Busy(Refusal):
    """Too many questions at the same time."""

    status, retry_after = 429, 2


class ClientLeft(Refusal):
    """The connection was closed before the answer; nobody reads this one."""

    status = 499  # as nginx logs it


class NotReady(Refusal):
    """A table is not there yet; tells how far it is."""

    status, retry_after = 409, 2

    def __init__(self, message: str, tables: list[dict[str, Any]]) -> None:
        super().__init__(message)
        self.tables = tables

    def fields(self) -> dict[str, Any]:
        """The answer, with the tables that are waited for."""
        return {"error": str(self), "tables": self.tables}
