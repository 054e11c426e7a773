"""Words for moves, categories, classes, rolls, objectives and strategies, by language. The texts are in `texts`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from yatzy.errors import InputError
from yatzy.games import Game, Keep, Move, Position, Score, show_dice
from yatzy.names import Best, parse_objective, parse_payoff, parse_strategy
from yatzy.names.base import Name, number_text
from yatzy.report.numbers import loss_text
from yatzy.report.texts import text, texts

if TYPE_CHECKING:
    from yatzy.coach.grades import Grade
    from yatzy.coach.play.tutor import TutorWarning


def capital(said: str) -> str:
    """A text with its first letter in upper case."""
    return said[:1].upper() + said[1:]


def grade_name(grade: Grade, language: str = "en") -> str:
    """The name of a class."""
    return text(language, f"grade.{grade.value}")


def grade_label(grade: Grade, language: str = "en") -> str:
    """The sign and the name of a class, aligned in a column."""
    return f"{grade.sign:<2} {grade_name(grade, language)}"


def grade_colour(grade: Grade) -> str:
    """The colour of a class in documents and in the terminal: `good`, `bad` or none."""
    return {"best": "good", "mistake": "bad", "blunder": "bad"}.get(grade.value, "")


def objective_label(name: Name | str, language: str = "en", *, long: bool = False) -> str:
    """An objective in a heading or, `long`, before its value; as it is typed if there is no text for it."""
    name = _parsed(parse_objective, name)
    return _label(name, ["objective_long"] * long + ["objective"], language)


def objective_phrase(name: Name | str, language: str = "en") -> str:
    """An objective in a sentence, after "play for" or "reviewed for": "points", "at least 300 points"."""
    return _label(_parsed(parse_objective, name), ["played_for"], language)


def strategy_label(name: Name | str, language: str = "en") -> str:
    """A strategy in a sentence or a table: "greedy play", "play for points"."""
    name = _parsed(parse_strategy, name)
    if not isinstance(name, Best):
        return _label(name, ["strategy"], language)
    objective = objective_phrase(name.objective, language)
    if name.firmness is None:
        return text(language, "strategy.best", objective=objective)
    return text(language, "strategy.softened", objective=objective, number=_number(name.firmness, language))


def payoff_label(name: Name | str, language: str = "en") -> str:
    """A payoff in a sentence: "match points"; a list of payoffs by place as it is typed."""
    return _label(_parsed(parse_payoff, name), ["payoff"], language)


def _parsed(parse: Callable[[str], Name], name: Name | str) -> Name | str:
    """A name from its text; a text that is no such name, as library users may give their strategies, stays a text."""
    if not isinstance(name, str):
        return name
    try:
        return parse(name)
    except InputError:
        return name


def _label(name: Name | str, sections: Sequence[str], language: str) -> str:
    """The text of a name in the first section that has one; otherwise the name as it is typed."""
    if isinstance(name, str):
        return name
    label, known = name.label, texts(language)
    key = next((key for section in sections if (key := f"{section}.{label.key}") in known), None)
    if key is None:
        return str(name)
    shown = "" if label.number is None else _number(label.number, language)
    return text(language, key, number=shown, file=name.file or "")


def _number(value: float, language: str) -> str:
    return number_text(value).replace(".", texts(language)["number.decimal"])


def rolls_left(count: int, language: str = "en") -> str:
    """The number of rolls left, in words."""
    return text(language, "rolls_left", count=count)


def position_title(position: Position, language: str = "en") -> str:
    """The game, the dice and the rolls left."""
    return text(
        language,
        "advice_table.title",
        game=position.game.name(language),
        dice=show_dice(position.dice),
        rolls=rolls_left(position.rolls_left, language),
    )


def position_words(position: Position, language: str = "en") -> str:
    """A position in words, for the caption of a figure: "from the start", or what is open and on the table."""
    if position == Position.start(position.game, len(position.sheets)):
        return text(language, "position_words.start")
    sheet = position.sheet
    parts = [text(language, "position_words.open", count=len(sheet.open))]
    if sheet.game.bonus is not None and sheet.filled:
        parts.append(text(language, "position_words.upper", upper=sheet.upper))
    if sheet.points_known:
        parts.append(text(language, "position_words.points", count=sheet.points))
    if position.dice:
        dice = text(language, "position_words.dice", dice=show_dice(position.dice))
        parts += [dice, rolls_left(position.rolls_left, language)]
    return capital(", ".join(parts))


def category_name(game: Game, move: Score, language: str = "en") -> str:
    """The name of the category that a move fills."""
    return game.categories[game.category_index[move.category]].name(language)


def move_name(game: Game, move: Move, language: str = "en") -> str:
    """A move in a list: "keep 33", "Chance"."""
    return _move(game, move, "short", language)


def move_words(position: Position, move: Move, language: str = "en") -> str:
    """A move in a list, a category with its points: "keep 33", "Chance 20"."""
    if isinstance(move, Keep):
        return move_name(position.game, move, language)
    name, points = category_name(position.game, move, language), position.placement(move).points
    return text(language, "move.short.points", category=name, points=points)


def move_phrase(position: Position, move: Move, language: str = "en") -> str:
    """A move as a part of a sentence: "keeping 33", "taking Chance", "striking Yatzy"."""
    strikes = isinstance(move, Score) and not position.placement(move).points
    return _move(position.game, move, "phrase", language, "strike" if strikes else "score")


def move_made(game: Game, move: Move, language: str = "en") -> str:
    """A move as an action of a player: "keeps 33", "Chance"."""
    return _move(game, move, "made", language)


def _move(game: Game, move: Move, form: str, language: str, scoring: str = "score") -> str:
    if isinstance(move, Score):
        return text(language, f"move.{form}.{scoring}", category=category_name(game, move, language))
    kind = "none" if not move.dice else "all" if len(move.dice) == game.dice else "keep"
    return text(language, f"move.{form}.{kind}", dice=show_dice(move.dice))


def warning(given: TutorWarning, language: str = "en") -> str:
    """A warning as a sentence. It does not reveal the best move."""
    loss = loss_text(given.loss, given.unit, language)
    return text(language, "warning.loses", loss=loss, grade=grade_name(given.grade, language))


def best_instead(given: TutorWarning, language: str = "en") -> str:
    """The sentence that reveals the best move after a warning."""
    return text(language, "warning.best", move=move_phrase(given.where, given.best.move, language))
