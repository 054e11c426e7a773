"""Words for moves, categories, classes of moves and rolls, by language. The texts are in `texts`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yatzy.games import Game, Keep, Move, Position, Score, show_dice
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


def objective_label(name: Name, language: str = "en", *, long: bool = False) -> str:
    """An objective in a heading or, `long`, in a sentence; as it is typed if there is no text for it."""
    label, known = name.label, texts(language)
    keys = [f"objective.{label.key}_long"] * long + [f"objective.{label.key}"]
    key = next((one for one in keys if one in known), None)
    if key is None:
        return str(name)
    return text(language, key, number="" if label.number is None else number_text(label.number))


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
