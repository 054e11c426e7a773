"""House rules for a preset. The page composes the text of a game file, which `games` parses and checks."""

from __future__ import annotations

from dataclasses import dataclass

from yatzy.games import Game
from yatzy.report.texts import LANGUAGES, text
from yatzy.web import requests


@dataclass(frozen=True, slots=True)
class HouseRules:
    """The rules that can be changed."""

    rolls: int
    bonus: bool
    bonus_points: int
    bonus_threshold: int
    forced_order: bool
    joker: bool

    @classmethod
    def of(cls, game: Game) -> HouseRules:
        """The rules of a game."""
        bonus = game.bonus
        return cls(
            game.rolls,
            bonus is not None,
            bonus.points if bonus else 50,
            bonus.threshold if bonus else 63,
            game.forced_order,
            game.joker is not None,
        )

    def apply(self, preset: Game) -> Game:
        """A preset with these rules, or the preset itself if they are unchanged."""
        return preset if self == HouseRules.of(preset) else requests.read_game(None, self.description(preset))

    def description(self, preset: Game) -> str:
        """The game as the text of a game file."""
        was, lines = HouseRules.of(preset), [f'id = "{preset.id}-house"', f'based_on = "{preset.id}"']
        names = {language: text(language, "new.house", game=preset.name(language)) for language in LANGUAGES}
        said = ", ".join(f'{language} = "{name}"' for language, name in names.items())
        lines.append(f"name = {{ {said} }}")
        if self.rolls != was.rolls:
            lines.append(f"rolls = {self.rolls}")
        if self.forced_order != was.forced_order:
            lines.append(f"forced_order = {str(self.forced_order).lower()}")
        if was.joker and not self.joker:
            lines.append("joker = false")
        paid = f"{{ points = {self.bonus_points}, threshold = {self.bonus_threshold} }}"
        if self.bonus != was.bonus or paid != f"{{ points = {was.bonus_points}, threshold = {was.bonus_threshold} }}":
            lines.append(f"bonus = {paid if self.bonus else 'false'}")
        return "\n".join(lines) + "\n"
