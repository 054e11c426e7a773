"""Computer players by strength, with their mean score from a quick sample of games."""

from __future__ import annotations

from yatzy.errors import YatzyError
from yatzy.games import Game, Position
from yatzy.names import parse_strategy
from yatzy.report.numbers import number
from yatzy.web.page.context import PageContext

PERSON = "person"
STRENGTHS = {
    "perfect": "expected",
    "match": "match:emp:1",
    "strong": "softened:1",
    "decent": "softened:0.6",
    "weak": "softened:0.4",
    "beginner": "softened:0.3",
}
"""The strategy of each computer player. Their mean scores in Yatzy are about equally far apart."""
GAMES, SEED = 2000, 1
MOST_KNOWN = 256
_known: dict[tuple[Game, str], float] = {}
"""Mean scores. Limited to the last MOST_KNOWN, because the keys include custom games."""


async def mean_score(context: PageContext, game: Game, strength: str) -> float | None:
    """The mean score of a computer player. None if it is not available."""
    strategy = STRENGTHS[strength]
    if parse_strategy(strategy).several:
        return None
    try:
        if strength == "perfect":
            return await start_value(context, game)
        if (game, strategy) not in _known:
            sample = await context.service.simulate(game, strategy, GAMES, SEED)
            while len(_known) >= MOST_KNOWN:
                del _known[next(iter(_known))]
            _known[game, strategy] = float(sample.total.mean())
        return _known[game, strategy]
    except YatzyError:
        return None


async def start_value(context: PageContext, game: Game) -> float:
    """The expected score of a game under best play."""
    return (await context.service.value(Position.start(game), "expected"))[1]


def strength_name(context: PageContext, strength: str, mean: float | None = None) -> str:
    """The name of a computer player in a menu, with its mean score."""
    name = context.t(f"strength.{strength}")
    if mean is None:
        return name
    return context.t("strength.mean", name=name, mean=number(mean, 0, context.language))
