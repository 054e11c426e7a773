"""List, verify, remove and share the tables on disk."""

from __future__ import annotations

import typer

from yatzy.cli.commands.tables import list as listing
from yatzy.cli.options import Json, Language, Tables

ORDER = ("list", "verify", "remove", "pack", "add")


def command(context: typer.Context, tables: Tables = None, language: Language = "en", json: Json = False) -> None:
    if context.invoked_subcommand is None:
        listing.command(tables, language, json)
