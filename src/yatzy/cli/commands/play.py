"""Play against people and computer players, with hints, a tutor and undo; saved after every step. Type ? for help."""

from __future__ import annotations

import os.path
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from yatzy.cli import completion
from yatzy.cli.options import Language, Tables
from yatzy.cli.playing.coaching import PlayCoach
from yatzy.cli.playing.table import TerminalGame
from yatzy.coach.play.opponents import check_players, check_strategy
from yatzy.coach.play.saved import save_folder, saved_games
from yatzy.coach.play.session import Session
from yatzy.coach.play.tutor import parse_threshold
from yatzy.coach.situation import Known, situation_of
from yatzy.errors import InputError, Message
from yatzy.games import Player, load_game
from yatzy.games.record import name_from
from yatzy.names import Objective, Origin, StrategyName, forms, parse_strategy
from yatzy.report.sheet import saved_table
from yatzy.report.terminal import print_blocks
from yatzy.report.texts import text
from yatzy.solver import check_objective

ROLLED, TYPED = "rolled", "typed"


def command(
    game: Annotated[
        str | None,
        typer.Option("--game", autocompletion=completion.games, help="A preset or a .toml file (default: yatzy)."),
    ] = None,
    player: Annotated[
        list[str] | None,
        typer.Option(
            "--player", metavar="NAME", help="A player, in the order of play; NAME=STRATEGY for a computer player."
        ),
    ] = None,
    computer: Annotated[
        list[str] | None,
        typer.Option(
            "--computer",
            metavar="STRATEGY",
            autocompletion=completion.computers,
            help=f"A computer player after the others, or NAME=STRATEGY: {', '.join(forms(StrategyName))}.",
        ),
    ] = None,
    dice: Annotated[
        str | None,
        typer.Option(
            "--dice", help="rolled: by the program; typed: your own dice (default: rolled, or as in the saved game)."
        ),
    ] = None,
    sheet: Annotated[
        list[str] | None,
        typer.Option(
            "--sheet",
            metavar="BOXES",
            autocompletion=completion.boxes,
            help="Start from filled boxes, such as ones=3,sixes=24; once for each player, in the order of play.",
        ),
    ] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", min=0, max=2**64 - 1, help="Seed of the program's dice (default: random).")
    ] = None,
    tutor: Annotated[
        str,
        typer.Option(
            "--tutor",
            help="Warn before moves of this class or worse (inaccuracy, mistake, blunder) or above a loss (0.5).",
        ),
    ] = "off",
    hints: Annotated[bool, typer.Option("--hints", help="Show the best moves at every decision.")] = False,
    objective: Annotated[
        str,
        typer.Option(
            "--objective",
            autocompletion=completion.objectives,
            help=f"The objective of hints, tutor and review: {', '.join(forms(Objective))}.",
        ),
    ] = "expected",
    save: Annotated[
        Path | None,
        typer.Option(
            "--save",
            metavar="FILE",
            help="File to save the game in (default: a new one in $YATZY_GAMES or the user's data folder).",
        ),
    ] = None,
    resume: Annotated[Path | None, typer.Option("--resume", metavar="FILE", help="Resume a saved game.")] = None,
    saved: Annotated[bool, typer.Option("--saved", help="List the saved games and exit.")] = False,
    language: Language = "en",
    tables: Tables = None,
) -> None:
    if saved:
        _list_saved(language)
        return
    threshold = parse_threshold(tutor)
    if dice not in (None, ROLLED, TYPED):
        raise InputError("--dice {dice}: must be {rolled} or {typed}", dice=dice, rolled=ROLLED, typed=TYPED)
    if resume is not None:
        if seed is not None:
            raise InputError("--seed cannot be combined with --resume, which continues the game in the file")
        if sheet:
            raise InputError("--sheet cannot be combined with --resume, which continues the game in the file")
        session, typed_names = _resumed(resume, save, game, [*(player or []), *(computer or [])])
    else:
        session = _new(game or "yatzy", player or [text(language, "play_said.you")], computer or [], seed, sheet or [])
        typed_names = [one.strategy for one in session.players if one.strategy is not None]
    check_objective(session.game, objective, len(session.players), Origin.PERSON)
    typed = dice == TYPED or (dice is None and session.typed)
    coach = PlayCoach(session.game, len(session.players), objective, tables, language, typed_names)
    table = TerminalGame(session, coach, typed=typed, hints=hints, tutor=threshold, language=language)
    if resume is None:
        if save is not None and os.path.lexists(save):
            raise InputError(
                "--save {save}: exists already; continue it with --resume, or name another file", save=save
            )
        session.save_in_new_file(save)
    try:
        raise SystemExit(table.run())
    finally:
        session.close()


def _new(game: str, people: list[str], computers: list[str], seed: int | None, sheets: list[str]) -> Session:
    chosen = load_game(game)
    players = _players(people, computers)
    if sheets and len(sheets) != len(players):
        raise InputError(
            "--sheet: give one for each player, {count} here, not {given}", count=len(players), given=len(sheets)
        )
    start = situation_of(chosen, Known(sheet=sheets), lambda field: f"--{field}").position if sheets else None
    for one in players:
        if one.strategy is not None:
            check_strategy(one.strategy, chosen, len(players), Origin.PERSON)
    return Session.new(chosen, players, seed, start)


def _resumed(path: Path, save: Path | None, game: str | None, named: list[str]) -> tuple[Session, list[str]]:
    """Load a saved game, and find the strategies in it that the user has named again."""
    session = Session.load(path, None if game is None else load_game(game))
    typed = [_named_again(text, session.players) for text in named]
    check_players(session.players, session.game, typed, str(path))
    if save is not None and os.path.lexists(save) and save.absolute() != path.absolute():
        raise InputError("--save {save}: exists already; name another file", save=save)
    session.autosave = (save or path).absolute()
    return session, typed


def _named_again(text: str, players: Sequence[Player]) -> str:
    """Parse NAME=STRATEGY for a computer player of a saved game; the strategy must be the one in the file."""
    name, strategy = _computer(text)
    for one in players:
        if one.name.casefold() == name.casefold() and one.strategy is not None:
            if one.strategy != strategy:
                raise InputError(
                    "{text}: in this game {name} plays {strategy}", text=text, name=one.name, strategy=one.strategy
                )
            return one.strategy
    computers = ", ".join(f"{one.name}={one.strategy}" for one in players if one.strategy is not None)
    raise InputError(
        "{text}: is not a computer player of this game; it has {computers}",
        text=text,
        computers=computers or Message("none"),
    )


def _players(people: list[str], computers: list[str]) -> list[Player]:
    """All players; a computer player without a name is named after its strategy."""
    seats = [(name.strip(), None) if "=" not in name else _computer(name) for name in people]
    seats += [_computer(text) for text in computers]
    players = list[Player]()
    for name, strategy in seats:
        taken = [one.name.casefold() for one in players]
        unique, number = name, 2
        while strategy is not None and unique.casefold() in taken:
            unique, number = f"{name} {number}", number + 1
        players.append(Player(unique, strategy))
    return players


def _reads_file(strategy: str) -> bool:
    try:
        return parse_strategy(strategy).reads_file
    except InputError:  # reported later, when the strategy is opened
        return False


def _computer(text: str) -> tuple[str, str | None]:
    name, equals, strategy = text.partition("=")
    if not equals:
        plain = Path(text).name if _reads_file(text) else text
        name, strategy = name_from(plain), text
    if not name.strip() or not strategy.strip():
        raise InputError(
            "{text!r} is not a computer player; give a strategy, or NAME=STRATEGY such as Bo=expected", text=text
        )
    return name.strip(), strategy.strip()


def _list_saved(language: str) -> None:
    found = saved_games()
    if not found:
        print(text(language, "saved_list.none", folder=save_folder()))
        return
    print_blocks([saved_table(found, language)])
