"""Serve the page and the HTTP API until Ctrl-C; missing tables are built in the background."""

from __future__ import annotations

import re
import sys
from typing import Annotated

import typer

from yatzy.cli import terminal
from yatzy.cli.options import Tables, Threads
from yatzy.cli.streams import speaks_utf8
from yatzy.errors import InputError, Message, missing_extra
from yatzy.games import load_preset

_NAME = re.compile(r"(?!-)[a-z0-9._-]{1,253}", re.IGNORECASE)


def command(
    host: Annotated[
        str, typer.Option("--host", help="Address to listen at; by default only this machine can connect.")
    ] = "127.0.0.1",
    port: Annotated[
        int | None,
        typer.Option("--port", min=0, max=65535, help="Port to listen at (default: 8080 or the next free one)."),
    ] = None,
    names: Annotated[
        list[str] | None,
        typer.Option("--name", help="Host name by which others reach this machine; may be given several times."),
    ] = None,
    open_: Annotated[bool, typer.Option("--open/--no-open", help="Open the page in a browser.")] = True,
    prepare: Annotated[
        str,
        typer.Option("--prepare", help="Presets whose tables are built first, separated by commas, or none."),
    ] = "yatzy",
    tables: Tables = None,
    threads: Threads = None,
) -> None:
    try:
        import nicegui  # noqa: F401  (here, so that a missing package is reported before anything starts)
        import segno  # noqa: F401
        import uvicorn  # noqa: F401
    except ModuleNotFoundError as error:
        raise missing_extra(Message("the page needs {package}", package=error.name), "web") from None
    from yatzy.web.running import serve as run  # only now: these import the packages checked above
    from yatzy.web.service import Settings

    _check_host(host)
    for name in names or ():
        _check_name(name)
    games = () if prepare == "none" else tuple(load_preset(name.strip()).id for name in prepare.split(","))
    settings = Settings(host, names=tuple(names or ()), tables=tables, threads=threads, prepare=games)
    run(settings, port, open_, terminal.note, drawn=speaks_utf8(sys.stderr), coloured=sys.stderr.isatty())


def _check_host(host: str) -> None:
    """Reject an invalid host name before the server starts. An empty one would listen on all network interfaces."""
    try:
        good = bool(host.strip()) and "\0" not in host and bool(host.encode("idna"))
    except UnicodeError:
        good = False
    if not good:
        raise InputError("--host {host}: is not an address; give for example 127.0.0.1", host=host)


def _check_name(name: str) -> None:
    if not _NAME.fullmatch(name):
        raise InputError(
            "--name {name}: is not a host name; give for example yatzy.local, without http:// and port", name=name
        )
