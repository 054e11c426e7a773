"""The exact probability of a perfect game in words."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from yatzy.evaluation.perfect import Perfect, decimal_text
from yatzy.report.numbers import count, number
from yatzy.report.texts import text, texts


def perfect_lines(found: Perfect, digits: int, seconds: float, language: str = "en") -> Iterator[str]:
    """The exact probability of a perfect game."""
    decimal = texts(language)["number.decimal"]
    yield text(language, "perfect.highest", game=found.game.name(language), score=count(found.score, language))
    yield text(language, "perfect.probability", probability=found.digits(digits).replace(".", decimal))
    numerator, denominator = (len(decimal_text(part)) for part in found.probability.as_integer_ratio())
    yield text(
        language,
        "perfect.one_in",
        number=_rounded(1 / found.probability, language),
        numerator=count(numerator, language),
        denominator=count(denominator, language),
    )
    yield text(language, "value.solved", states=count(found.states, language), seconds=number(seconds, 2, language))


def _rounded(value: Fraction, language: str) -> str:
    """A rounded number for people: 2.37; 760,651; 7.6065 · 10^30."""
    decimal = texts(language)["number.decimal"]
    if value < 1000:
        return f"{float(value):.4g}".replace(".", decimal)
    if value < 10**21:
        return count(round(value), language)
    whole = decimal_text(int(value))
    return f"{whole[0]}{decimal}{whole[1:6]} · 10^{len(whole) - 1}"
