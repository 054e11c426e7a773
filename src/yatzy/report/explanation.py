"""Why one move is better than another, in words. A sentence says only what an `Explanation` holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yatzy.coach.explain import SEEN, Explanation, Reason, ReasonKind
from yatzy.report.numbers import count, number, percent, value_text
from yatzy.report.texts import text, texts
from yatzy.report.words import capital, move_phrase

if TYPE_CHECKING:
    from yatzy.evaluation.outlook import Outlook


def sentences(explanation: Explanation, language: str = "en") -> tuple[str, ...]:
    """What the moves are worth, and what makes the difference."""
    return (value_sentence(explanation, language), reason_sentence(explanation, language))


def value_sentence(explanation: Explanation, language: str = "en") -> str:
    """How much better the preferred move is."""
    unit, position = explanation.unit, explanation.position
    first, other = explanation.preferred, explanation.other
    said = text(
        language,
        "explain.equal" if explanation.tied else f"explain.better_{unit.value}",
        first=move_phrase(position, first.move, language),
        other=move_phrase(position, other.move, language),
        difference=number(explanation.difference, 2, language),
        value=value_text(first.ranked.value, unit, language),
        less=value_text(other.ranked.value, unit, language),
    )
    return capital(said)


def reason_sentence(explanation: Explanation, language: str = "en") -> str:
    """What makes the difference, the greatest reasons for and against."""
    known = texts(language)
    sides = [
        known["explain.conjunction"].join(_reason(reason, language) for reason in side)
        for side in (explanation.gains, explanation.losses)
        if side
    ]
    if not sides:
        return text(language, "explain.alike", amount=number(SEEN, 2, language))
    key = "explain.it_gives" if explanation.by_expected else "explain.then_gives"
    return text(language, key, things=known["explain.but"].join(sides))


def _reason(reason: Reason, language: str) -> str:
    side, size = "more" if reason.points > 0 else "less", abs(reason.points)
    amount = number(size, 1 if size >= 0.095 else 2, language)
    match reason.kind:
        case ReasonKind.BONUS:
            digits = 0 if round(100 * reason.preferred) != round(100 * reason.other) else 1
            first, other = (percent(chance, digits, language) for chance in (reason.preferred, reason.other))
            return text(language, f"explain.bonus_{side}", first=first, other=other, amount=amount)
        case ReasonKind.JOKERS:
            return text(language, f"explain.jokers_{side}", amount=amount)
        case ReasonKind.CATEGORY:
            assert reason.category is not None
            return text(language, f"explain.{side}", amount=amount, category=reason.category.name(language))


def notes(explanation: Explanation, language: str = "en") -> tuple[str, ...]:
    """What a reader has to know about the numbers."""
    said = []
    if not explanation.by_expected:
        said.append(text(language, "explain.outlook_of", objective=explanation.objective))
    if not explanation.exact:
        games = max(side.outlook.games for side in (explanation.preferred, explanation.other))
        said.append(sampled_note(games, language))
    return tuple(said)


def sampled_note(games: int, language: str = "en") -> str:
    """That an outlook was sampled, from so many games."""
    return text(language, "explain.sampled", games=count(games, language))


def range_text(outlook: Outlook, language: str = "en") -> str:
    """The final score to expect, and where it lies eight times in ten."""
    mean = number(outlook.mean, 1, language)
    return text(language, "explain.range", mean=mean, low=outlook.low, high=outlook.high)
