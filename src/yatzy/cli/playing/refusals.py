"""Why something typed in a terminal game cannot be done, in the language of the game."""

from __future__ import annotations

from yatzy.errors import InputError, MoveError, YatzyError, one_line
from yatzy.games import Category, Dice, Game, Keep, Move, Position, placements, show_dice
from yatzy.games.dice import is_part
from yatzy.report.problems import problem_text
from yatzy.report.texts import text


class Refused(InputError):  # noqa: N818  (what happened)
    """Something typed cannot be done; the reason is the text `refused.KEY`. As a string it is in English."""

    def __init__(self, key: str, **values: object) -> None:
        """values: parameters of the text; categories and games are shown by their names."""
        self._key, self._values = key, values
        super().__init__(self.said("en"))

    def said(self, language: str) -> str:
        """The reason in a language, as one line."""
        shown = {name: _shown(value, language) for name, value in self._values.items()}
        return one_line(text(language, f"refused.{self._key}", **shown))


def _shown(value: object, language: str) -> object:
    if isinstance(value, Category | Game):
        return value.name(language)
    if isinstance(value, tuple):
        return ", ".join(str(_shown(one, language)) for one in value)
    return value


def said(error: Exception, language: str) -> str:
    """An error as a line in a language."""
    if isinstance(error, Refused):
        return error.said(language)
    return problem_text(error, language) if isinstance(error, YatzyError) else str(error)


def check_move(position: Position, move: Move) -> None:
    """Refuse a move that is not legal."""
    try:
        position.check(move)
    except MoveError:
        raise _illegal(position, move) from None


def _illegal(position: Position, move: Move) -> Refused:
    dice = show_dice(position.dice)
    if isinstance(move, Keep):
        return Refused("keep", kept=show_dice(move.dice), dice=dice, places="#1 #2", number="c 14")
    game = position.game
    category = game.categories[game.category_index[move.category]]
    allowed = tuple(game.categories[place.category] for place in placements(position.sheet, position.dice))
    if category in allowed:
        return Refused("joker", category=category, dice=dice)
    return Refused("category", category=category, dice=dice, allowed=allowed)


def check_dice(position: Position, dice: Dice) -> None:
    """Refuse dice that cannot have been rolled; they are all dice, or the new ones only."""
    game, kept = position.game, position.dice
    if len(dice) not in (game.dice, game.dice - len(kept)):
        if kept:
            raise Refused("new_dice", count=len(dice), new=game.dice - len(kept), dice=game.dice)
        raise Refused("dice", count=len(dice), game=game, dice=game.dice)
    for die in dice:
        if not 1 <= die <= game.faces:
            raise Refused("face", die=die, faces=game.faces)
    if len(dice) == game.dice and not is_part(kept, dice):
        raise Refused("kept", dice=show_dice(dice), kept=show_dice(kept))
