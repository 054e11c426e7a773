"""Errors in the language of the visitor."""

from __future__ import annotations

from yatzy.errors import InputError, YatzyError
from yatzy.report import problems
from yatzy.report.texts import text
from yatzy.web.refusals import NotReady
from yatzy.web.tables import TABLES, State, TableStatus


class PageError(InputError):
    """An error with a text in every language; as a string it is in English."""

    def __init__(self, key: str, **values: object) -> None:
        super().__init__(text("en", key, **values))
        self._key, self._values = key, values

    def said(self, language: str) -> str:
        """The error in a language."""
        return text(language, self._key, **self._values)


def problem_text(error: YatzyError, language: str) -> str:
    """An error in one line for the reader."""
    if isinstance(error, PageError):
        return error.said(language)
    if isinstance(error, NotReady):
        return "; ".join(table_text(one, language) for one in error.statuses)
    return problems.problem_text(error, language)


def table_name(status: TableStatus, language: str) -> str:
    """A table and its game in words."""
    table = text(language, f"tables.{status.table}" if status.table in TABLES else "tables.other")
    return text(language, "tables.of", table=table, game=status.game.name(language))


def table_text(status: TableStatus, language: str) -> str:
    """A table and its progress."""
    name = table_name(status, language)
    if status.state is State.MAKING:
        return f"{name}, {100 * status.done:.0f} %"
    return f"{name}, {text(language, f'tables.{status.state.value}')}"
