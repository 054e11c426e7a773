"""Errors in the page's traffic: one line each, and the first traceback of every bug of ours."""

from __future__ import annotations

import logging

import pytest
from helpers.loops import run_async

pytest.importorskip("nicegui")

from starlette.types import Receive, Scope, Send

from yatzy.web.page.context import small_number
from yatzy.web.page.static import PREFIX, KeptFiles
from yatzy.web.page.trouble import OneLine


async def _failing(scope: Scope, receive: Receive, send: Send) -> None:
    raise ValueError("what a browser never sends\nsecond line")


async def _receive() -> dict[str, str]:
    return {"type": "http.request"}


async def _send(message: object) -> None:
    pass


def _record(error: BaseException) -> logging.LogRecord:
    info = (type(error), error, error.__traceback__)
    return logging.LogRecord("nicegui", logging.ERROR, "x.py", 1, "it failed", (), info)


def _passed_on() -> BaseException:
    """An error from elsewhere that came through a function of ours which passes every request on."""
    scope = {"type": "http", "method": "GET", "path": f"{PREFIX}x", "query_string": b"", "headers": []}
    try:
        run_async(KeptFiles(_failing)(scope, _receive, _send))
    except ValueError as error:
        return error
    raise AssertionError


def _ours() -> BaseException:
    try:
        small_number("no number")
    except Exception as error:
        return error
    raise AssertionError


def test_what_was_only_passed_on_is_told_in_one_line() -> None:
    record, error = _record(_passed_on()), _passed_on()
    assert any("static.py" in frame for frame in _files(error))
    assert OneLine().filter(record)
    assert record.exc_info is None
    assert "what a browser never sends second line" in record.getMessage()


def test_an_error_of_ours_is_told_in_full_once() -> None:
    one_line = OneLine()
    records = [_record(_ours()) for _ in range(2)]
    for record in records:
        assert one_line.filter(record)
    assert records[0].exc_info is not None
    assert records[1].exc_info is None


def _files(error: BaseException) -> list[str]:
    found, trace = [], error.__traceback__
    while trace is not None:
        found.append(trace.tb_frame.f_code.co_filename)
        trace = trace.tb_next
    return found
