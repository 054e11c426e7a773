"""Numbers for people, by language: amounts with their unit, chances, losses, counts, seconds and sizes.

Every number has the decimal mark of its language and a real minus sign. Rounding never leaves -0.00.
"""

from __future__ import annotations

from math import copysign
from typing import TYPE_CHECKING

from yatzy.report.texts import text, texts
from yatzy.units import Unit

if TYPE_CHECKING:
    from yatzy.lab import Estimate

MINUS = "−"
DIGITS = {Unit.POINTS: 2, Unit.CHANCE: 2, Unit.WORTH: 4}
"""Decimals of a value; chances are shown in percent."""
PRECISE = 4
"""Decimals of a value that is shown alone."""


def number(value: float, digits: int, language: str = "en") -> str:
    """A number with `digits` decimals."""
    shown = round(value, digits) + 0.0  # avoid -0.00
    return f"{shown:.{digits}f}".replace("-", MINUS).replace(".", texts(language)["number.decimal"])


def signed(value: float, digits: int, language: str = "en") -> str:
    """A number with its sign and `digits` decimals."""
    return f"{sign_of(value)}{number(abs(value), digits, language)}"


def plain_number(value: float, language: str = "en") -> str:
    """A number with all its decimals."""
    return f"{value:g}".replace("-", MINUS).replace(".", texts(language)["number.decimal"])


def scientific(value: float, digits: int, language: str = "en") -> str:
    """A number in scientific notation, with `digits` decimals before the exponent."""
    return f"{value:.{digits}e}".replace("-", MINUS).replace(".", texts(language)["number.decimal"])


def bound_number(value: float, language: str = "en") -> str:
    """An error or its bound, with two digits."""
    return plain_number(float(f"{value:.1e}"), language)


def count(value: int, language: str = "en") -> str:
    """An integer with a thousands separator."""
    return f"{value:,}".replace(",", texts(language)["number.thousands"])


def size_text(size: int, language: str = "en") -> str:
    """A number of bytes in the largest decimal unit that leaves at least one."""
    units = ("B", "kB", "MB", "GB", "TB")
    power = min((len(str(size)) - 1) // 3, len(units) - 1)
    scaled = size / 1000**power
    return f"{number(scaled, 1 if power and scaled < 100 else 0, language)} {units[power]}"


def estimate(found: Estimate, digits: int, language: str = "en") -> str:
    """A number from a sample with its standard error."""
    return f"{number(found.value, digits, language)} ± {number(found.error, digits, language)}"


def share(found: Estimate, language: str = "en") -> str:
    """A share of a sample with its standard error, in percent."""
    return f"{number(100 * found.value, 2, language)} ± {number(100 * found.error, 2, language)} %"


def percent(chance: float, digits: int = 1, language: str = "en") -> str:
    """A chance in percent. Only 0 and 1 are shown as 0 % and 100 %."""
    rounded = round(100 * chance, digits)
    if rounded == 0 and chance > 0:
        return f"< {number(10**-digits, digits, language)} %"
    if rounded == 100 and chance < 1 - 1e-9:
        return f"> {number(100 - 10**-digits, digits, language)} %"
    return f"{number(rounded, digits, language)} %"


def amount(value: float, unit: Unit, language: str = "en", more: int = 0) -> str:
    """A value or a difference of values in a table or a sum, with `more` decimals than usual."""
    shown = number(_scaled(value, unit), DIGITS[unit] + more, language)
    return f"{shown} %" if unit is Unit.CHANCE else shown


def signed_amount(value: float, unit: Unit, language: str = "en") -> str:
    """A difference of values with its sign. Zero has a sign too, because an error of zero is subtracted."""
    return f"{sign_of(value)}{amount(abs(value), unit, language)}"


def sign_of(value: float) -> str:
    """Plus or minus; the sign of a zero counts."""
    return MINUS if copysign(1.0, value) < 0 else "+"


def value_text(value: float, unit: Unit, language: str = "en") -> str:
    """A value in a sentence or alone."""
    return percent(value, DIGITS[unit], language) if unit is Unit.CHANCE else number(value, DIGITS[unit], language)


def precise_text(value: float, unit: Unit, language: str = "en", digits: int = PRECISE) -> str:
    """A value with four decimals, or with `digits`; a tiny chance in scientific notation."""
    if unit is not Unit.CHANCE:
        return number(value, digits, language)
    if value >= 1e-4 or value == 0:
        return f"{number(100 * value, digits, language)} %"
    return f"{value:.{digits}e}".replace(".", texts(language)["number.decimal"])


def loss_text(loss: float, unit: Unit, language: str = "en") -> str:
    """The loss of a move, with its unit in words."""
    shown = number(_scaled(loss, unit), DIGITS[unit], language)
    return text(language, f"loss.{unit.value}", amount=shown)


def loss_number(loss: float, unit: Unit, language: str = "en") -> str:
    """The loss of a move in a column; percentage points for chances."""
    return number(_scaled(loss, unit), 3 if unit is Unit.WORTH else 2, language)


def scale_of(unit: Unit) -> int:
    """What values are multiplied by to be shown: chances are in percent."""
    return 100 if unit is Unit.CHANCE else 1


def _scaled(value: float, unit: Unit) -> float:
    return scale_of(unit) * value
