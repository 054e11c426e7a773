"""Explanations in words. Every sentence follows from the fields of an `Explanation`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yatzy.coach.explain import SEEN, CategoryPair, Explanation, Reason, ReasonKind
from yatzy.games import Game, Keep, Move
from yatzy.report.document import Block, Paragraph, Table
from yatzy.report.numbers import count, number, percent, value_text
from yatzy.report.texts import text, texts
from yatzy.report.words import capital, move_name, move_phrase, objective_phrase, position_title

if TYPE_CHECKING:
    from yatzy.evaluation.outlook import Outlook


def sentences(explanation: Explanation, language: str = "en") -> tuple[str, ...]:
    """The values of both moves, and the reasons for the difference."""
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
    """The main reasons for the difference, on both sides."""
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
    """Notes on how to read the numbers."""
    said = []
    if not explanation.by_expected:
        said.append(text(language, "explain.outlook_of", objective=objective_phrase(explanation.objective, language)))
    if not explanation.exact:
        games = max(side.outlook.games for side in (explanation.preferred, explanation.other))
        said.append(sampled_note(games, language))
    return tuple(said)


def sampled_note(games: int, language: str = "en") -> str:
    """The note that an outlook was sampled from `games` games."""
    return text(language, "explain.sampled", games=count(games, language))


def range_text(outlook: Outlook, language: str = "en") -> str:
    """The expected final score, and the range that contains 80 % of final scores."""
    mean = number(outlook.mean, 1, language)
    return text(language, "explain.range", mean=mean, low=outlook.low, high=outlook.high)


def explanation_blocks(found: Explanation, language: str = "en") -> list[Block]:
    """Both moves side by side, their outlooks, and the reasons for the difference."""
    sides = [
        Paragraph(f"{capital(move_phrase(found.position, side.move, language))}: {range_text(side.outlook, language)}")
        for side in (found.preferred, found.other)
    ]
    said = [Paragraph(line) for line in (*sentences(found, language), *notes(found, language))]
    return [explanation_table(found, language), *sides, Paragraph(""), *said]


def explanation_table(found: Explanation, language: str = "en") -> Table:
    """Both moves by category, side by side. The columns of points sum to the expected final scores."""
    where = found.position
    moves = [_short_name(where.game, side.move, language) for side in (found.preferred, found.other)]
    head = [text(language, "explain.category")]
    for kind in ("points", "chance", "this_turn") if where.rolls_left else ("points", "chance"):
        head += [f"{text(language, f'explain.{kind}')}\n{name}" for name in moves]
        head += [text(language, "explain.difference")] * (kind == "points")
    rows = [[pair.category.name(language), *_amounts(pair.preferred.points, pair.other.points, language),
             *_chances(pair, bool(where.rolls_left), language)] for pair in found.categories]  # fmt: skip
    rules = [len(rows)]
    rows += _sums(found, language)
    rules.append(len(rows))
    means = _amounts(found.preferred.outlook.mean, found.other.outlook.mean, language)
    rows.append([text(language, "explain.final"), *means])
    padded = tuple((*row, *[""] * (len(head) - len(row))) for row in rows)
    title = position_title(where, language)
    return Table(tuple(head), padded, frozenset({0}), title, strong=frozenset({len(rows) - 1}), rules=frozenset(rules))


def _short_name(game: Game, move: Move, language: str) -> str:
    return str(move) if isinstance(move, Keep) else move_name(game, move, language)


def _amounts(first: float, other: float, language: str) -> list[str]:
    """Points after either move, and their signed difference."""
    gap = round(first - other, 2)
    difference = number(gap, 2, language)
    return [number(first, 2, language), number(other, 2, language), f"+{difference}" if gap > 0 else difference]


def _chances(pair: CategoryPair, rolling: bool, language: str) -> list[str]:
    a, b = pair.preferred, pair.other
    hits = (a.chance, b.chance, a.this_turn, b.this_turn)[: 4 if rolling else 2]
    return [percent(value, 1, language) for value in hits]


def _sums(found: Explanation, language: str) -> list[list[str]]:
    """The rows of the bonus, the Joker bonuses and the points so far, if there are any."""
    where, rows = found.position, list[list[str]]()
    sheet, bonus, joker = where.sheet, where.game.bonus, where.game.joker
    for reason in found.reasons:
        if reason.kind is ReasonKind.BONUS and bonus is not None and not sheet.bonus_won:
            sums = _amounts(bonus.points * reason.preferred, bonus.points * reason.other, language)
            chances = [percent(value, 1, language) for value in (reason.preferred, reason.other)]
            rows.append([text(language, "explain.bonus"), *sums, *chances])
        elif reason.kind is ReasonKind.JOKERS and joker is not None and joker.points:
            rows.append([text(language, "explain.jokers"), *_amounts(reason.preferred, reason.other, language)])
    if sheet.points:
        rows.append([text(language, "explain.so_far"), *_amounts(sheet.points, sheet.points, language)])
    return rows
