"""What a coach says, by language: classes of moves, moves in words, and why one is better than another.

The templates stand in `phrases`. A sentence says nothing that is not a number of an `Explanation`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from yatzy.coach.explain import SEEN, Explanation, Reason, ReasonKind
from yatzy.coach.grades import Grade
from yatzy.games import Game, Keep, Move, Position, Score, placement_of, show_dice
from yatzy.report.phrases import PHRASES
from yatzy.units import Unit

if TYPE_CHECKING:
    from yatzy.coach.advice import RankedMove
    from yatzy.coach.play.tutor import Caution
    from yatzy.coach.quizzes.quiz import Question, Summary
    from yatzy.evaluation.outlook import Outlook

_UNITS = tuple(Unit)


def grade_name(grade: Grade, language: str = "en") -> str:
    """A class of moves in words."""
    return PHRASES[language].grades[grade.rank]


def rolls_left(count: int, language: str = "en") -> str:
    """How many rolls are left, in words."""
    return PHRASES[language].rolls_left[min(count, 2)].format(count=count)


def number(value: float, digits: int, language: str = "en") -> str:
    """A number as the language writes it."""
    return f"{value:.{digits}f}".replace(".", PHRASES[language].decimal)


def percent(chance: float, digits: int = 1, language: str = "en") -> str:
    """A chance in percent; what is not certain never reads as if it were."""
    text = number(100 * chance, digits, language)
    nothing, everything = number(0, digits, language), number(100, digits, language)
    if text == nothing and chance > 0:
        return f"< {number(10**-digits, digits, language)} %"
    if text == everything and chance < 1 - 1e-9:
        return f"> {number(100 - 10**-digits, digits, language)} %"
    return f"{text} %"


def loss_text(loss: float, unit: Unit, language: str = "en") -> str:
    """What a move loses, with its unit."""
    shown = 100 * loss if unit is Unit.CHANCE else loss
    digits = 4 if unit is Unit.WORTH else 2
    return PHRASES[language].units[_UNITS.index(unit)].format(amount=number(shown, digits, language))


def value_text(value: float, unit: Unit, language: str = "en") -> str:
    """A value of an objective in a sentence."""
    if unit is Unit.CHANCE:
        return percent(value, 2, language)
    return number(value, 4 if unit is Unit.WORTH else 2, language)


def move_phrase(position: Position, move: Move, language: str = "en") -> str:
    """A move as a part of a sentence: "keeping 33", "taking Chance"."""
    phrases, game = PHRASES[language], position.game
    if isinstance(move, Keep):
        if not move.dice:
            return phrases.keep_none
        return phrases.keep_all if len(move.dice) == game.dice else phrases.keep.format(dice=show_dice(move.dice))
    template = phrases.score if placement_of(position, move).points else phrases.strike
    return template.format(category=category_name(game, move, language))


def category_name(game: Game, move: Score, language: str = "en") -> str:
    """The category that a move fills."""
    return game.categories[game.category_index[move.category]].name(language)


def sentences(explanation: Explanation, language: str = "en") -> tuple[str, ...]:
    """What an explanation comes to: what the moves are worth, and what makes the difference."""
    return (value_sentence(explanation, language), reason_sentence(explanation, language))


def value_sentence(explanation: Explanation, language: str = "en") -> str:
    """How much better the preferred move is."""
    phrases, unit, position = PHRASES[language], explanation.unit, explanation.position
    first, other = explanation.preferred, explanation.other
    template = phrases.equal if explanation.tied else phrases.better[_UNITS.index(unit)]
    said = template.format(
        first=move_phrase(position, first.move, language),
        other=move_phrase(position, other.move, language),
        difference=number(explanation.difference, 2, language),
        value=value_text(first.ranked.value, unit, language),
        less=value_text(other.ranked.value, unit, language),
    )
    return capital(said)


def capital(text: str) -> str:
    """A text as the beginning of a sentence."""
    return text[:1].upper() + text[1:]


def reason_sentence(explanation: Explanation, language: str = "en") -> str:
    """What makes the difference, the greatest reasons for and against."""
    phrases = PHRASES[language]
    sides = [
        phrases.conjunction.join(_reason(reason, language) for reason in side)
        for side in (explanation.gains, explanation.losses)
        if side
    ]
    if not sides:
        return phrases.alike.format(amount=number(SEEN, 2, language))
    template = phrases.it_gives if explanation.by_expected else phrases.then_gives
    return template.format(things=phrases.but.join(sides))


def _reason(reason: Reason, language: str) -> str:
    phrases, gains = PHRASES[language], reason.points > 0
    size = abs(reason.points)
    amount = number(size, 1 if size >= 0.095 else 2, language)
    match reason.kind:
        case ReasonKind.BONUS:
            digits = 0 if round(100 * reason.preferred) != round(100 * reason.other) else 1
            return (phrases.bonus_more if gains else phrases.bonus_less).format(
                first=percent(reason.preferred, digits, language),
                other=percent(reason.other, digits, language),
                amount=amount,
            )
        case ReasonKind.JOKERS:
            return (phrases.jokers_more if gains else phrases.jokers_less).format(amount=amount)
        case ReasonKind.CATEGORY:
            assert reason.category is not None
            template = phrases.more if gains else phrases.less
            return template.format(amount=amount, category=reason.category.name(language))


def notes(explanation: Explanation, language: str = "en") -> tuple[str, ...]:
    """What a reader has to know about the numbers."""
    said = []
    if not explanation.by_expected:
        said.append(PHRASES[language].outlook_of.format(objective=explanation.objective))
    if not explanation.exact:
        said.append(
            sampled_note(max(side.outlook.games for side in (explanation.preferred, explanation.other)), language)
        )
    return tuple(said)


def sampled_note(games: int, language: str = "en") -> str:
    """That an outlook was sampled, from so many games."""
    return PHRASES[language].sampled.format(games=f"{games:,}".replace(",", "\N{NO-BREAK SPACE}"))


def range_text(outlook: Outlook, language: str = "en") -> str:
    """The final score to expect, and where it lies eight times in ten."""
    mean = number(outlook.mean, 1, language)
    return PHRASES[language].range.format(mean=mean, low=outlook.low, high=outlook.high)


def verdict(question: Question, answer: RankedMove, language: str = "en") -> str:
    """What an answer to a question of a quiz is worth."""
    phrases, position = PHRASES[language], question.position
    template = phrases.right if answer.grade is Grade.BEST else phrases.wrong
    return template.format(
        sign=answer.grade.sign,
        grade=grade_name(answer.grade, language),
        move=move_phrase(position, answer.move, language),
        loss=loss_text(answer.loss, question.advice.unit, language),
        best=move_phrase(position, question.advice.best.move, language),
    )


def tally(summary: Summary, unit: Unit, language: str = "en") -> str:
    """How a quiz went, on one line."""
    phrases = PHRASES[language]
    if summary.mean_loss is None:
        return phrases.nothing_answered
    counts = ", ".join(f"{grade_name(grade, language)} {summary.count(grade)}" for grade in Grade)
    return phrases.tally.format(
        answered=summary.answered,
        total=summary.asked,
        loss=loss_text(summary.mean_loss, unit, language),
        counts=counts,
    )


def warning(caution: Caution, language: str = "en") -> str:
    """A warning as a sentence. It does not reveal the best move."""
    return f"That loses {loss_text(caution.loss, caution.unit, language)} ({grade_name(caution.grade, language)})."


def best_instead(caution: Caution, language: str = "en") -> str:
    """The move that would have been best in place of the one that was warned of."""
    return f"Best is {move_phrase(caution.where, caution.best.move, language)}."
