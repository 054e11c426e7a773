"""How a search found its values, as fields of answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from yatzy.matches.search import MatchAnswer


def search_fields(found: MatchAnswer, payoff: str) -> dict[str, Any]:
    """The fields that answers about a match share."""
    return {
        "search": found.objective,
        "turns": found.depth,
        "exact": found.exact,
        "others": found.others,
        "seconds": found.seconds,
        "player": found.position.mover + 1,
        "payoff": payoff,
    }
