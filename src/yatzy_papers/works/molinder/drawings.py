"""Figures 2 to 7 of Molinder, drawn again: scores split by bonus and by yatzy, both strategies, and who wins."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from yatzy.games import load_game
from yatzy_papers.claims import Drawing
from yatzy_papers.desk import Desk
from yatzy_papers.works.molinder.scores import GAMES, NAMES

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from yatzy.lab import SimulatedGames

SEED = 2025
CAPTION = f"{GAMES:,} simulated games, seed {SEED}; lines are exact."


def _sample(desk: Desk, words: str) -> SimulatedGames:
    stream = list(NAMES).index(words)
    return desk.sample("yatzy", NAMES[words], GAMES, SEED, stream)


def _split(words: str, by: str) -> Callable[[Desk], Figure]:
    def draw(desk: Desk) -> Figure:
        from yatzy.lab.figures import Group, draw_split

        games, exact = _sample(desk, words), desk.split("yatzy", NAMES[words])
        if by == "bonus":
            mask, parts, what = games.bonus, exact.by_bonus, "the upper bonus"
        else:
            category = games.game.yatzy_category
            assert category is not None
            mask, parts, what = games.points[:, category] > 0, exact.by_yatzy, "yatzy"
        assert parts is not None
        groups = [Group(f"without {what}", ~mask, parts[0]), Group(f"with {what}", mask, parts[1])]
        return draw_split(words, games.total, groups, f"Molinder, {words}: games with and without {what}", CAPTION)

    return draw


def _together(desk: Desk) -> Figure:
    from yatzy.lab.figures import Series, draw_together

    series = [
        Series(words, _sample(desk, words).total, desk.score("yatzy", name).mass) for words, name in NAMES.items()
    ]
    return draw_together(series, "Molinder: both strategies", CAPTION)


def _outcomes(desk: Desk) -> Figure:
    from yatzy.lab import compare, compare_exactly
    from yatzy.lab.figures import draw_outcomes

    first, second = (_sample(desk, words) for words in NAMES)
    found, exact = (
        compare(first, second, paired=False),
        compare_exactly(*(desk.score("yatzy", n) for n in NAMES.values())),
    )
    shares = found.wins, found.draws, found.losses
    caption = f"{GAMES:,} pairs of games with independent dice, seed {SEED}. Exactly: {100 * exact.wins:.2f},"
    caption += f" {100 * exact.draws:.2f} and {100 * exact.losses:.2f} %."
    values, errors = [one.value for one in shares], [one.error for one in shares]
    return draw_outcomes(
        "strategy 1", "strategy 2", values[0], values[1], values[2], (errors[0], errors[1], errors[2]),
        "Molinder: who wins", caption,
    )  # fmt: skip


def _categories(desk: Desk) -> Figure:
    from yatzy.lab.figures import CategoryBars, draw_categories

    rows = [
        CategoryBars(words, np.array([100 * entry.hit for entry in desk.evaluation("yatzy", name).categories]))
        for words, name in NAMES.items()
    ]
    names = [category.name() for category in load_game("yatzy").categories]
    return draw_categories(names, rows, "games with points [%]", "Molinder: games with points by category", "Exact.")


def _splits() -> tuple[Drawing, ...]:
    return tuple(
        Drawing(
            f"molinder-{words[-1]}-{by}",
            f"Molinder, {words}: by {'the bonus' if by == 'bonus' else 'yatzy'}",
            "",
            _split(words, by),
            before="molinder.percentiles",
        )
        for by in ("bonus", "yatzy")
        for words in NAMES
    )


DRAWINGS = (
    *_splits(),
    Drawing("molinder-together", "Both strategies", "", _together, before="molinder.shares"),
    Drawing("molinder-categories", "Games with points by category", "", _categories, before="molinder.wins"),
    Drawing("molinder-outcomes", "Who wins", "", _outcomes),
)
