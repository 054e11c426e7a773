"""Compute values of tables again in another way, and compare them with what the tables hold.

A random share of the states, or all of them with --whole, is computed again from the values after the turn, without the
kernels that made the table. With --on gpu all of them are, by the kernels of the GPU; expected scores, chances and
endgames only. Identities are checked as well, and the value at the start against simulated games. 'yatzy tables verify'
reads the files and compares their checksums.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from yatzy.cli import terminal
from yatzy.cli.opening import open_solver
from yatzy.cli.options import Json, Language, Tables
from yatzy.errors import InputError, TableDamaged
from yatzy.games import load_game
from yatzy.report.answers.verification import verification_answer
from yatzy.report.terminal import print_blocks
from yatzy.report.verification import verification_blocks
from yatzy.store import tables_folder
from yatzy.values.backends import GPU
from yatzy.values.utility import read_utility
from yatzy.verification import Verdict, Wanted, check_table, find_table, tables_to_check
from yatzy.verification.checking import GAMES, LOCAL
from yatzy.workers.places import Gpu

MOST_GAMES = 10_000_000


def command(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="[TABLE]...", help="Names of tables, as 'yatzy tables' lists them, or files."),
    ] = None,
    all_: Annotated[bool, typer.Option("--all", help="Every finished table of the folder.")] = False,
    share: Annotated[
        float | None,
        typer.Option("--share", help="Share of the states to compute again, such as 0.01 (default: some seconds)."),
    ] = None,
    whole: Annotated[bool, typer.Option("--whole", help="Compute all states again; may take hours.")] = False,
    seed: Annotated[int, typer.Option("--seed", min=0, max=2**64 - 1, help="Seed of the sample and of the dice.")] = 1,
    games: Annotated[
        int, typer.Option("--games", min=0, max=MOST_GAMES, help="Games to simulate from the start; 0 for none.")
    ] = GAMES,
    rules: Annotated[
        list[str] | None,
        typer.Option("--game", metavar="FILE.toml", help="Rules of a game that is no preset; may be repeated."),
    ] = None,
    utility: Annotated[
        list[Path] | None,
        typer.Option("--utility", metavar="FILE.csv", help="A utility for which a table was made; may be repeated."),
    ] = None,
    on: Annotated[
        str, typer.Option("--on", help="Where the values are computed again: local, gpu (always all states).")
    ] = LOCAL,
    tables: Tables = None,
    language: Language = "en",
    json: Json = False,
) -> None:
    folder = tables_folder(tables)
    if bool(names) == all_:
        raise InputError("name the tables to verify, or use --all; 'yatzy tables' lists them")
    if whole and share is not None:
        raise InputError("--share and --whole contradict each other; use one of them")
    wanted = Wanted(1.0 if whole else share, seed=seed, games=games, on=on)
    if on == GPU:
        Gpu().check()
    own, utilities = [load_game(one) for one in rules or []], [read_utility(one) for one in utility or []]
    paths = [find_table(folder, name) for name in names] if names else tables_to_check(folder)
    with open_solver(tables) as solver:
        found = [check_table(path, wanted, own, utilities, solver) for path in paths]
    wrong = [one.complaint for one in found if one.verdict is Verdict.WRONG]
    left = [one for one in found if one.verdict is Verdict.UNCHECKED]
    if names and left and not wrong:
        raise InputError("{name}: is not verified: {reason}", name=left[0].name, reason=left[0].reason)
    if json:
        terminal.print_json(verification_answer(folder, wanted, found))
    else:
        print_blocks(verification_blocks(found, language))
    if len(wrong) > 1:
        raise TableDamaged("{problem}; {count} tables are wrong", problem=wrong[0], count=len(wrong))
    if wrong:
        raise TableDamaged("{problem}", problem=wrong[0])
