"""The language of a command: of its help, output, progress and errors.

`--language` may stand before the command or after it; without it, the environment variable YATZY_LANGUAGE decides.
It is found before the command line is parsed, because help and errors are shown while it is parsed. Nothing here
imports more than English needs.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Annotated, Any

import typer

from yatzy.errors import InputError

ENGLISH = "en"
OPTION = "--language"
VARIABLE = "YATZY_LANGUAGE"
DEFAULT = f"(default: ${VARIABLE}, or {ENGLISH})."
_current: ContextVar[str] = ContextVar("language", default=ENGLISH)


def current_language() -> str:
    """The language of the command that runs."""
    return _current.get()


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Run a command in a language."""
    token = _current.set(language)
    try:
        yield
    finally:
        _current.reset(token)


def asked_language(words: Sequence[str]) -> str:
    """The language that the words of a command line ask for, else the one of the environment, else English."""
    asked = [word for _, word in _given(words)]
    if asked:
        return _known(asked[-1], f"{OPTION} {asked[-1]}")
    found = os.environ.get(VARIABLE)
    return _known(found, f"{VARIABLE}={found}") if found else ENGLISH


def without_language(words: Sequence[str]) -> list[str]:
    """The words of a command line without those that choose the language."""
    dropped = {place for places, _ in _given(words) for place in places}
    return [word for place, word in enumerate(words) if place not in dropped]


def _given(words: Sequence[str]) -> Iterator[tuple[tuple[int, ...], str]]:
    """Where each `--language` stands, and its value."""
    for place, word in enumerate(words):
        if word.startswith(f"{OPTION}="):
            yield (place,), word.partition("=")[2]
        elif word == OPTION and place + 1 < len(words):
            yield (place, place + 1), words[place + 1]


def _known(language: str, given: str) -> str:
    if language == ENGLISH:
        return language
    from yatzy.games.game import LANGUAGES  # English needs no other modules

    if language not in LANGUAGES:
        raise InputError("{given}: must be one of {names}", given=given, names=", ".join(LANGUAGES))
    return language


def _read_language(context: typer.Context, language: str) -> str:
    """The language of the option; if it is not given, that of the command line or the environment."""
    source = context.get_parameter_source("language")
    if source is None or source.name in ("DEFAULT", "DEFAULT_MAP"):
        return current_language()
    return _known(language, f"{OPTION} {language}")


def _complete(incomplete: str) -> list[str]:
    from yatzy.cli import completion  # imports all names, and only the shell asks for this

    return completion.languages(incomplete)


def _option(what: str) -> Any:
    return typer.Option(
        OPTION, callback=_read_language, autocompletion=_complete, metavar="en|sv|de", help=f"{what} {DEFAULT}"
    )


Language = Annotated[str, _option("Language of the output")]
GroupLanguage = Annotated[str, _option("Language of this help and of all output")]
