"""Serve the page and the HTTP API until Ctrl-C; missing tables are built in the background."""

from __future__ import annotations

from typing import Annotated

import typer

from yatzy.cli import terminal
from yatzy.cli.options import Tables, Threads
from yatzy.errors import InputError
from yatzy.games import load_preset


def command(
    host: Annotated[
        str, typer.Option("--host", help="Address to listen at; by default only this machine can connect.")
    ] = "127.0.0.1",
    port: Annotated[
        int | None,
        typer.Option("--port", min=0, max=65535, help="Port to listen at (default: 8080 or the next free one)."),
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
        import uvicorn  # noqa: F401
    except ModuleNotFoundError as error:
        raise InputError(f"the page needs {error.name}: pip install 'yatzy[web]'") from None
    from yatzy.web.running import serve as run  # only now: these import the packages checked above
    from yatzy.web.service import Settings

    _check_host(host)
    games = () if prepare == "none" else tuple(load_preset(name.strip()).id for name in prepare.split(","))
    run(Settings(host, tables=tables, threads=threads, prepare=games), port, open_, terminal.note)


def _check_host(host: str) -> None:
    """Reject an invalid host name before the server starts. An empty one would listen on all network interfaces."""
    try:
        good = bool(host.strip()) and "\0" not in host and bool(host.encode("idna"))
    except UnicodeError:
        good = False
    if not good:
        raise InputError(f"--host {host}: is not an address; give for example 127.0.0.1")
