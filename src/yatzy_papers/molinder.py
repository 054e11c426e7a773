"""Molinder 2025: two strategies for Yatzy written by hand, 100,000 games of each."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from yatzy import SimulatedGames, load_game
from yatzy.lab import (
    CategoryBars,
    Series,
    compare,
    compare_exactly,
    draw_categories,
    draw_outcomes,
    draw_split,
    draw_together,
    split_groups,
)
from yatzy.report import event_label, part_labels
from yatzy_papers.claims import Claim, Computed, Drawing, Figures, Work
from yatzy_papers.passages import read_passages
from yatzy_papers.run import PaperRun
from yatzy_papers.sampling import sampled_highest, sampled_lowest, sampled_mean, sampled_percentile, sampled_share

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PRINTED = read_passages("molinder")
GAMES = PRINTED["molinder.scores"].sample
SEED = 2025
NAMES = {"strategy 1": "molinder-bonus", "strategy 2": "molinder-lower"}
PERCENTS = (1, 5, 10, 25, 50, 75, 90, 95, 99)
CAPTION = f"{GAMES:,} simulated games, seed {SEED}; lines are exact."


def _scores(run: PaperRun) -> Figures:
    found: dict[str, Computed] = {}
    for words, name in NAMES.items():
        exact = run.evaluation("yatzy", name)
        found[f"{words}: mean"] = sampled_mean(exact.score, GAMES)
        found[f"{words}: highest"] = sampled_highest(exact.score, GAMES)
        found[f"{words}: lowest"] = sampled_lowest(exact.score, GAMES)
        found[f"{words}: bonus"] = sampled_share(exact.bonus, GAMES)
        found[f"{words}: yatzy"] = sampled_share(exact.categories[-1].hit, GAMES)
    return found


def _percentiles(run: PaperRun) -> Figures:
    return {
        f"{words}: {percent} %": sampled_percentile(run.score("yatzy", name), percent, GAMES)
        for words, name in NAMES.items()
        for percent in PERCENTS
    }


def _shares(run: PaperRun) -> Figures:
    return {
        f"{words}: {entry.category.id}": sampled_share(entry.hit, GAMES)
        for words, name in NAMES.items()
        for entry in run.evaluation("yatzy", name).categories[:-1]
    }


def _wins(run: PaperRun) -> Figures:
    found = compare_exactly(*(run.score("yatzy", name) for name in NAMES.values()))
    return {"strategy 1 wins": Computed(found.wins), "draws": Computed(found.draws)}


CLAIMS = (
    Claim(
        *PRINTED["molinder.scores"],
        _scores,
        ("yatzy",),
        how="the exact distributions, and the range for a sample of that size",
    ),
    Claim(
        *PRINTED["molinder.percentiles"],
        _percentiles,
        ("yatzy",),
        how="the exact distributions, and the range for a sample of that size",
    ),
    Claim(*PRINTED["molinder.shares"], _shares, ("yatzy",), how="exactly, and the range for a sample of that size"),
    Claim(
        *PRINTED["molinder.wins"],
        _wins,
        ("yatzy",),
        how='exactly, with independent dice; we read "about" as within .02 and "rare" as less than one in a hundred',
    ),
)


# Figures 2 to 7, drawn again


def _sample(run: PaperRun, words: str) -> SimulatedGames:
    stream = list(NAMES).index(words)
    return run.sample("yatzy", NAMES[words], GAMES, SEED, stream)


def _split(words: str, *events: str) -> Callable[[PaperRun], Figure]:
    """A figure of the games split by one event or two."""

    def draw(run: PaperRun) -> Figure:
        games = _sample(run, words)
        groups = split_groups(games, events, part_labels(games.game, events), run.split("yatzy", NAMES[words], *events))
        names = [event_label(games.game, event) for event in events]
        by = f"with and without {names[0]}" if len(names) == 1 else f"by {' and '.join(names)}"
        return draw_split(words, games.total, groups, f"Molinder, {words}: games {by}", CAPTION)

    return draw


def _together(run: PaperRun) -> Figure:
    series = [Series(words, _sample(run, words).total, run.score("yatzy", name).mass) for words, name in NAMES.items()]
    return draw_together(series, "Molinder: both strategies", CAPTION)


def _outcomes(run: PaperRun) -> Figure:
    first, second = (_sample(run, words) for words in NAMES)
    found = compare(first, second, paired=False)
    exact = compare_exactly(*(run.score("yatzy", name) for name in NAMES.values()))
    shares = found.wins, found.draws, found.losses
    caption = f"{GAMES:,} pairs of games with independent dice, seed {SEED}. Exactly: {100 * exact.wins:.2f},"
    caption += f" {100 * exact.draws:.2f} and {100 * exact.losses:.2f} %."
    values, errors = [one.value for one in shares], [one.error for one in shares]
    return draw_outcomes(
        "strategy 1", "strategy 2", values[0], values[1], values[2], (errors[0], errors[1], errors[2]),
        "Molinder: who wins", caption,
    )  # fmt: skip


def _categories(run: PaperRun) -> Figure:
    rows = [
        CategoryBars(words, np.array([100 * entry.hit for entry in run.evaluation("yatzy", name).categories]))
        for words, name in NAMES.items()
    ]
    names = [category.name() for category in load_game("yatzy").categories]
    return draw_categories(names, rows, "games with points [%]", "Molinder: games with points by category", "Exact.")


EVENTS = {"the bonus": ("bonus",), "yatzy": ("yatzy",), "the bonus and yatzy": ("bonus", "yatzy")}
FIGURES = {"molinder-1-bonus-yatzy": "Figure 5a", "molinder-2-bonus-yatzy": "Figure 5b"}
SPLITS = tuple(
    Drawing(
        (key := f"molinder-{words[-1]}-{'-'.join(events)}"),
        f"Molinder, {words}: by {by}",
        FIGURES.get(key, ""),
        _split(words, *events),
        before="molinder.percentiles",
    )
    for by, events in EVENTS.items()
    for words in NAMES
)

WORK = Work(
    "molinder",
    "Molinder 2025",
    "Two strategies for Scandinavian Yatzy written by hand, one for the bonus and one for the lower half, 100,000"
    " games of each. The description leaves some choices open; ours are those that reproduce the figures"
    " (docs/strategies.md).",
    CLAIMS,
    drawings=(
        *SPLITS,
        Drawing("molinder-together", "Both strategies", "", _together, before="molinder.shares"),
        Drawing("molinder-categories", "Games with points by category", "", _categories, before="molinder.wins"),
        Drawing("molinder-outcomes", "Who wins", "", _outcomes),
    ),
)
