"""Errors, progress and notes in the language of the reader.

Errors and messages keep their English template and their values. The template is the key of its translation in
`texts/sv-errors.toml` and `texts/de-errors.toml`, which are read when the first error is shown in that language. Texts
of Typer, TOML and the operating system are translated in the same way where they are common; others stay in English.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from numbers import Real
from string import Formatter

from yatzy.errors import Message, Named, YatzyError, one_line
from yatzy.report.texts import LANGUAGES, read_errors, text

ENGLISH = LANGUAGES[0]
USAGE, TOML = "usage", "toml"
"""The tables of texts that Typer and tomllib make. They come without template and values, so they are matched whole."""


def problem_text(error: YatzyError, language: str) -> str:
    """An error in one line for the reader."""
    if language == ENGLISH:
        return str(error)
    if not (error.message and _is_known(error.message, language)):  # an error that somebody's own code has raised
        return text(language, "problem.other", detail=str(error))
    return message_text(error.message, language)


def message_text(message: Message, language: str) -> str:
    """A message in one line for the reader."""
    return one_line(message if language == ENGLISH else _translated(message, language))


def usage_text(said: str, command: str, language: str) -> str:
    """An error in the command line itself, such as an unknown option. said: as Typer words it."""
    found = _matched(said, USAGE, language) or text(language, "problem.usage", detail=said)
    return message_text(Message("{problem} ('{command} --help' shows more)", problem=found, command=command), language)


def has_words(template: str) -> bool:
    """Whether a template has words of its own, and not only fields and signs such as `{path}: {error}`."""
    return any(letter.isalpha() for literal, *_ in Formatter().parse(template) for letter in literal)


def _is_known(message: Message, language: str) -> bool:
    if message.template in _catalogue(language):
        return True
    return not (has_words(message.template) if message.values else any(map(str.isalpha, message)))


def _translated(message: Message, language: str) -> str:
    template = _catalogue(language).get(message.template)
    if not message.values:
        return template or _matched(message.template, TOML, language) or message.template
    values = {name: _value(value, language) for name, value in message.values.items()}
    return _Filling(language).vformat(template or message.template, (), values)


def _value(value: object, language: str) -> object:
    if isinstance(value, YatzyError):
        return one_line(_translated(value.message, language) if value.message else str(value))
    if isinstance(value, Named):
        return value.names.get(language) or value
    return _translated(value, language) if isinstance(value, Message) else value


class _Filling(Formatter):
    """Fills in values. Amounts have the marks of the language; a plain number stays as people type it.

    A space between thousands is an ordinary one, because errors have printable letters only.
    """

    def __init__(self, language: str) -> None:
        thousands = text(language, "number.thousands").replace("\u00a0", " ")
        self._marks = str.maketrans({",": thousands, ".": text(language, "number.decimal")})

    def format_field(self, value: object, format_spec: str) -> str:
        shown: str = super().format_field(value, format_spec)
        amount = isinstance(value, Real) and ("," in format_spec or format_spec.endswith("f"))
        return shown.translate(self._marks) if amount else shown


@lru_cache
def _catalogue(language: str) -> Mapping[str, str]:
    """All translations by their English templates; one that is in several tables is the same in all of them."""
    return {template: said for table in read_errors(language).values() for template, said in table.items()}


def _matched(said: str, table: str, language: str) -> str | None:
    """What a text of somebody else says; None if it is not one of the known texts."""
    for shape, template in _shapes(table, language):
        if found := shape.fullmatch(said):
            values = {name: _matched(one, table, language) or one for name, one in found.groupdict().items()}
            return template.format_map(values) if values else template
    return None


@lru_cache
def _shapes(table: str, language: str) -> list[tuple[re.Pattern[str], str]]:
    return [(_shape(template), said) for template, said in read_errors(language)[table].items()]


def _shape(template: str) -> re.Pattern[str]:
    """A pattern of the texts that a template gives."""
    parts = [
        re.escape(literal) + (f"(?P<{name}>.+?)" if name else "") for literal, name, *_ in Formatter().parse(template)
    ]
    return re.compile("".join(parts))
