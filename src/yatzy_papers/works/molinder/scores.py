"""Scores, percentiles and categories of 100,000 games of each strategy, and who wins."""

from __future__ import annotations

from yatzy.games import load_game
from yatzy_papers.claims import Claim, Entry, Figure, Figures, Print, entries
from yatzy_papers.desk import Desk
from yatzy_papers.sampling import (
    sampled_highest,
    sampled_lowest,
    sampled_mean,
    sampled_percentile,
    sampled_share,
)

GAMES = 100_000
NAMES = {"strategy 1": "molinder-bonus", "strategy 2": "molinder-lower"}
PERCENTS = (1, 5, 10, 25, 50, 75, 90, 95, 99)
PRINTED = {
    "strategy 1": {"mean": "193.1", "highest": "321", "lowest": "57", "bonus": ".955", "yatzy": ".164"},
    "strategy 2": {"mean": "167.6", "highest": "316", "lowest": "70", "bonus": ".025", "yatzy": ".465"},
}
PERCENTILES = {
    "strategy 1": ("92", "144", "156", "170", "190", "214", "243", "260", "284"),
    "strategy 2": ("100", "114", "122", "138", "167", "197", "213", "221", "239"),
}
SHARES = {
    "strategy 1": ".976 .981 .984 .988 .990 .993 .999 .953 .504 .476 .050 .137 .607 1.000",
    "strategy 2": ".833 .920 .944 .961 .973 .977 1.000 .998 1.000 .974 .373 .554 .983 1.000",
}
"""In the order of the sheet, yatzy left out."""
CATEGORIES = tuple(category.id for category in load_game("yatzy").categories[:-1])


def _scores(desk: Desk) -> Figures:
    found: dict[str, Figure] = {}
    for words, name in NAMES.items():
        exact = desk.evaluation("yatzy", name)
        found[f"{words}: mean"] = sampled_mean(exact.score, GAMES)
        found[f"{words}: highest"] = sampled_highest(exact.score, GAMES)
        found[f"{words}: lowest"] = sampled_lowest(exact.score, GAMES)
        found[f"{words}: bonus"] = sampled_share(exact.bonus, GAMES)
        found[f"{words}: yatzy"] = sampled_share(exact.categories[-1].hit, GAMES)
    return found


def _percentiles(desk: Desk) -> Figures:
    return {
        f"{words}: {percent} %": sampled_percentile(desk.score("yatzy", name), percent, GAMES)
        for words, name in NAMES.items()
        for percent in PERCENTS
    }


def _shares(desk: Desk) -> Figures:
    return {
        f"{words}: {entry.category.id}": sampled_share(entry.hit, GAMES)
        for words, name in NAMES.items()
        for entry in desk.evaluation("yatzy", name).categories[:-1]
    }


def _wins(desk: Desk) -> Figures:
    from yatzy.lab import compare_exactly

    found = compare_exactly(*(desk.score("yatzy", name) for name in NAMES.values()))
    return {"strategy 1 wins": Figure(found.wins), "draws": Figure(found.draws)}


SCORES = (
    Claim(
        "molinder.scores",
        "100,000 games of each strategy",
        "Mean, highest and lowest score, shares of games with the bonus and with yatzy.",
        entries({f"{words}: {name}": text for words, row in PRINTED.items() for name, text in row.items()}, GAMES),
        _scores,
        ("yatzy",),
        how="the exact distributions, and what a sample of that size shows of them",
    ),
    Claim(
        "molinder.percentiles",
        "100,000 games of each strategy: percentiles",
        "Percentiles of the final score.",
        entries(
            {
                f"{words}: {percent} %": text
                for words, row in PERCENTILES.items()
                for percent, text in zip(PERCENTS, row, strict=True)
            },
            GAMES,
        ),
        _percentiles,
        ("yatzy",),
        how="the exact distributions, and what a sample of that size shows of them",
    ),
    Claim(
        "molinder.shares",
        "100,000 games of each strategy: categories",
        "Shares of games with points, by category.",
        entries(
            {
                f"{words}: {category}": text
                for words, row in SHARES.items()
                for category, text in zip(CATEGORIES, row.split(), strict=True)
            },
            GAMES,
        ),
        _shares,
        ("yatzy",),
        how="exactly, and what a sample of that size shows",
    ),
    Claim(
        "molinder.wins",
        "both strategies against each other",
        "Strategy 1 wins about two thirds of independent games, and draws are rare.",
        (
            Entry("strategy 1 wins", Print(".667", about=0.02)),
            Entry("draws", Print("< .01")),
        ),
        _wins,
        ("yatzy",),
        how="exactly, with independent dice; about: within .02, rare: less than one in a hundred",
    ),
)
