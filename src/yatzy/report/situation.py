"""What was assumed about a position that a person gave, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yatzy.report.texts import text

if TYPE_CHECKING:
    from yatzy.coach.situation import Call, Situation


def situation_notes(asked: Situation, language: str = "en", call: Call = str) -> tuple[str, ...]:
    """One sentence for each assumption; `call` gives the names of fields, such as `--points` on the command line."""
    game = asked.position.game
    full = game.categories[game.joker_box].fixed_points if game.joker_box is not None else None
    return tuple(text(language, f"assumed.{field}", option=call(field), points=full) for field in asked.assumed)
