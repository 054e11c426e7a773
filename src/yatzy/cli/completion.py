"""What the shell offers while a person types: games, strategies, objectives, categories and languages.

Nothing is solved or opened for it. docs/commands.md says how a shell is told to ask.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path

import typer

from yatzy.errors import YatzyError
from yatzy.games import PRESETS, load_game
from yatzy.games.game import LANGUAGES
from yatzy.names import MatchObjective, Name, Objective, PayoffName, StrategyName, forms

_PLACEHOLDER = re.compile(r"[A-Z\[].*")
"""The part of a form that is not typed as it is written: `S` in `target:S`."""


def games(incomplete: str) -> list[str]:
    """The presets, and game files in the folder that is typed."""
    folder, slash, start = incomplete.rpartition("/")
    try:
        names = sorted(one.name for one in Path(f"{folder}{slash}" or ".").iterdir() if one.suffix == ".toml")
    except OSError:
        names = []
    files = [f"{folder}{slash}{name}" for name in names if name.startswith(start)]
    return [*_starting(PRESETS, incomplete), *files]


def strategies(incomplete: str) -> list[str]:
    """The strategies, also after the game of `GAME@STRATEGY`."""
    game, at, name = incomplete.rpartition("@")
    return [f"{game}{at}{one}" for one in _forms(StrategyName, name)]


def computers(incomplete: str) -> list[str]:
    """The strategies of computer players, also after the name of `NAME=STRATEGY`."""
    player, equals, name = incomplete.rpartition("=")
    return [f"{player}{equals}{one}" for one in _forms(StrategyName, name)]


def objectives(incomplete: str) -> list[str]:
    """All objectives; of several separated by commas, the last."""
    return _last(incomplete, lambda part: _forms(Objective, part))


def match_objectives(incomplete: str) -> list[str]:
    """The objectives of matches."""
    return _forms(MatchObjective, incomplete)


def payoffs(incomplete: str) -> list[str]:
    """What a match can pay."""
    return _forms(PayoffName, incomplete)


def languages(incomplete: str) -> list[str]:
    """The languages of the output."""
    return _starting(LANGUAGES, incomplete)


def categories(ctx: typer.Context, incomplete: str) -> list[str]:
    """The categories of the game that is typed; of several separated by commas, the last."""
    return _last(incomplete, lambda part: _starting(_categories(ctx), part))


def boxes(ctx: typer.Context, incomplete: str) -> list[str]:
    """The categories of a sheet, each with the sign before its points."""
    return _last(incomplete, lambda part: [f"{id}=" for id in _starting(_categories(ctx), part)])


def _categories(ctx: typer.Context) -> tuple[str, ...]:
    try:
        return tuple(load_game(ctx.params.get("game") or "yatzy").category_index)
    except YatzyError:
        return ()


def _last(incomplete: str, offer: Callable[[str], list[str]]) -> list[str]:
    before, comma, part = incomplete.rpartition(",")
    return [f"{before}{comma}{one}" for one in offer(part)]


def _forms(kind: type[Name], incomplete: str) -> list[str]:
    """The forms of names up to what a person has to fill in: `target:` for `target:S`."""
    return _starting(dict.fromkeys(_PLACEHOLDER.sub("", form) for form in forms(kind)), incomplete)


def _starting(names: Iterable[str], incomplete: str) -> list[str]:
    return [name for name in names if name and name.startswith(incomplete)]
