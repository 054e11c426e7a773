"""Build the exact two-player endgame tables up to a depth; an interrupted build resumes."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from yatzy import matches
from yatzy.cli import terminal
from yatzy.cli.opening import open_solver
from yatzy.cli.options import GameArgument, Json, Language, On, Tables, Threads
from yatzy.errors import InputError, Message
from yatzy.games import load_game
from yatzy.report.problems import message_text
from yatzy.report.stored import endgames_text

LARGE = 5 * 10**9
"""Size in bytes above which the command asks for confirmation."""


def command(
    game: GameArgument = "yatzy",
    depth: Annotated[int, typer.Option("--depth", min=0, help="Open categories of both players together.")] = 4,
    yes: Annotated[bool, typer.Option("--yes", help="Write more than 5 GB without asking.")] = False,
    on: On = None,
    language: Language = "en",
    threads: Threads = None,
    tables: Tables = None,
    json: Json = False,
) -> None:
    chosen = load_game(game)
    matches.check_depth(chosen, depth)
    size = matches.size_needed(chosen, depth)
    terminal.note(
        Message(
            "the endgames of {game} to depth {depth} take {size:,.2f} GB",
            game=chosen.id,
            depth=depth,
            size=size / 10**9,
        )
    )
    if size > LARGE and not yes:
        _ask(size, language)
    with open_solver(tables, threads, on) as solver:
        made = matches.open_endgames(chosen, depth, solver)
    if json:
        terminal.print_json(
            {
                "game": chosen.id,
                "depth": depth,
                "bytes": made.size,
                "values": sum(table.layout.values for table in made.tables),
                "seconds": made.seconds,
                "cached": all(table.solved.cached for table in made.tables),
            }
        )
        return
    print(endgames_text(chosen, depth, made.size, made.seconds, language))


def _ask(size: int, language: str) -> None:
    question = Message("{size:,.1f} GB will be written; continue?", size=size / 10**9)
    if not sys.stdin.isatty():
        raise InputError("{question} use --yes", question=question)
    if not typer.confirm(message_text(question, language), err=True):
        raise InputError("nothing was written")
