"""The numbers of a study: simulated with a standard error, and exact."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from enum import Enum
from typing import Any

import numpy as np

from yatzy.evaluation.distribution import PERCENTILES
from yatzy.lab.comparison import ExactComparison
from yatzy.lab.players import ExactSeat
from yatzy.lab.sample import Estimate, mean_of, share_of
from yatzy.lab.splits import part_of_games, parts_of
from yatzy.lab.studies.evaluations import Split
from yatzy.lab.studies.running import CellResult, PairResult, PlayersResult, StudyResult


class Kind(Enum):
    """How a number is shown."""

    NUMBER = ""
    SCORE = "score"
    """A whole number of points."""
    SHARE = "%"
    """A share of games, shown in percent."""


@dataclass(frozen=True, slots=True)
class Measure:
    """A number of a study."""

    id: str
    kind: Kind
    simulated: Estimate
    exact: float | None

    def fields(self) -> dict[str, Any]:
        """The number for JSON and CSV."""
        return {"simulated": self.simulated.value, "error": self.simulated.error, "exact": self.exact}


def cell_measures(result: CellResult, at_least: tuple[int, ...] = ()) -> list[Measure]:
    """The measures of one strategy."""
    games, known = result.games, _exact_of_cell(result, at_least)
    rows: list[tuple[str, Kind, Estimate | int]] = [
        ("mean", Kind.NUMBER, games.mean),
        ("sd", Kind.NUMBER, games.sd),
        ("variance", Kind.NUMBER, games.variance),
        ("median", Kind.SCORE, games.percentile(50)),
        ("mode", Kind.SCORE, games.mode),
        ("min", Kind.SCORE, games.lowest),
        ("max", Kind.SCORE, games.highest),
    ]
    rows += [(f"p{percent}", Kind.SCORE, games.percentile(percent)) for percent in PERCENTILES]
    rows += [(f"at_least_{points}", Kind.SHARE, games.at_least(points)) for points in at_least]
    if games.game.bonus is not None:
        rows.append(("bonus", Kind.SHARE, games.bonus_share))
    if games.yatzy_share is not None and games.game.yatzy_category is not None:
        rows.append(("yatzy", Kind.SHARE, games.yatzy_share))
    if games.game.joker is not None:
        rows.append(("jokers", Kind.NUMBER, mean_of(games.jokers)))
    return [
        Measure(id, kind, Estimate(found, 0.0) if isinstance(found, int) else found, known.get(id))
        for id, kind, found in rows
    ]


def _exact_of_cell(result: CellResult, at_least: tuple[int, ...]) -> dict[str, float | None]:
    if result.exact is None:
        return {}
    score, game, found = result.exact.score, result.games.game, result.exact.evaluation
    in_boxes = sum(entry.mean for entry in found.categories)
    bonus = found.bonus * game.bonus.points if game.bonus is not None else 0.0
    return {
        "mean": score.mean,
        "sd": score.sd,
        "variance": score.sd**2,
        "median": score.percentile(50),
        "mode": score.mode,
        "min": score.lowest,
        "max": score.highest,
        **{f"p{percent}": score.percentile(percent) for percent in PERCENTILES},
        **{f"at_least_{points}": score.at_least(points) for points in at_least},
        "bonus": found.bonus,
        "yatzy": result.exact.yatzy,
        "jokers": score.mean - in_boxes - bonus,
    }


def category_measures(result: CellResult) -> dict[str, tuple[Measure, Measure]]:
    """For every category the mean points, and the share of games with any."""
    found = {}
    for index, category in enumerate(result.games.game.categories):
        exact = None if result.exact is None else result.exact.evaluation.categories[index]
        mean, hit = result.games.category_mean(category.id), result.games.category_hit(category.id)
        found[category.id] = (
            Measure("mean", Kind.NUMBER, mean, exact.mean if exact else None),
            Measure("share", Kind.SHARE, hit, exact.hit if exact else None),
        )
    return found


@dataclass(frozen=True, slots=True)
class PartMeasures:
    """The measures of one part of the games that events split."""

    happened: tuple[str, ...]
    """The events that happened in its games."""
    share: Measure
    mean: Measure | None
    """The mean score of its games; None if no game was simulated there."""


def split_measures(result: CellResult, events: Split) -> list[PartMeasures]:
    """The measures of every part into which events split the games."""
    games, found = result.games, list[PartMeasures]()
    part = part_of_games(games, events)
    for number, happened in enumerate(parts_of(events)):
        mass = None if result.exact is None else result.exact.parts[events][number]
        chance = None if mass is None else float(mass.sum())
        share = Measure("share", Kind.SHARE, share_of(part == number), chance)
        mean = None
        if (part == number).any():
            exact = float(mass @ np.arange(len(mass))) / chance if mass is not None and chance else None
            mean = Measure("mean", Kind.NUMBER, mean_of(games.total[part == number]), exact)
        found.append(PartMeasures(happened, share, mean))
    return found


def pair_measures(result: PairResult) -> list[Measure]:
    """The measures of two strategies compared; the exact numbers are for independent dice."""
    found, known = result.comparison, _numbers(result.exact)
    return [
        Measure("wins", Kind.SHARE, found.wins, known.get("wins")),
        Measure("draws", Kind.SHARE, found.draws, known.get("draws")),
        Measure("losses", Kind.SHARE, found.losses, known.get("losses")),
        Measure("difference", Kind.NUMBER, found.difference, known.get("difference")),
        Measure("total_variation", Kind.NUMBER, found.total_variation, known.get("total_variation")),
        Measure("overlap", Kind.NUMBER, found.overlap, known.get("overlap")),
    ]


def seat_measures(result: PlayersResult) -> list[list[Measure]]:
    """The measures of each of several players."""
    seats = []
    for number, seat in enumerate(result.table.seats):
        known = _numbers(result.exact.seats[number] if result.exact else None)
        mean = result.scores[number].mean if result.scores else None
        seats.append(
            [
                Measure("wins", Kind.SHARE, seat.wins, known.get("wins")),
                Measure("outright", Kind.SHARE, seat.outright, known.get("outright")),
                Measure("beaten", Kind.NUMBER, seat.match_points, known.get("match_points")),
                Measure("rank", Kind.NUMBER, seat.rank, known.get("rank")),
                Measure("mean", Kind.NUMBER, seat.games.mean, mean),
            ]
        )
    return seats


def _numbers(exact: ExactComparison | ExactSeat | None) -> dict[str, float]:
    return {} if exact is None else asdict(exact)


def winner_measures(result: PlayersResult) -> list[Measure]:
    """The measures of the winning score."""
    winner, exact = result.table.winner_games, result.exact.winner if result.exact else None
    median = None if exact is None else exact.percentile(50)
    return [
        Measure("median", Kind.SCORE, winner.percentile(50), median),
        Measure("mean", Kind.NUMBER, winner.mean, None if exact is None else exact.mean),
        Measure("sd", Kind.NUMBER, winner.sd, None if exact is None else exact.sd),
    ]


def _by_id(measures: list[Measure]) -> dict[str, Any]:
    """The numbers of some measures, for JSON."""
    return {measure.id: measure.fields() for measure in measures}


def study_fields(result: StudyResult) -> dict[str, Any]:
    """All numbers of a study, for JSON."""
    study = result.study

    return {
        "title": study.title,
        "seed": study.seed,
        "dice": "same" if study.same_dice else "independent",
        "report": str(result.report),
        "cells": [
            {
                "name": entry.cell.name,
                "game": entry.games.game.id,
                "hash": entry.games.game.hash,
                "strategy": entry.cell.choice.label,
                "games": entry.cell.count,
                "stream": entry.cell.stream,
                "measures": _by_id(cell_measures(entry, study.at_least)),
                "categories": {id: _by_id(list(pair)) for id, pair in category_measures(entry).items()},
                **_split_fields(result, entry),
            }
            for entry in result.cells
        ],
        "comparisons": [
            {
                "first": pair.first.cell.name,
                "second": pair.second.cell.name,
                "measures": _by_id(pair_measures(pair)),
                "difference_sd": pair.comparison.difference_sd,
                "noise": pair.comparison.noise,
            }
            for pair in result.pairs
        ],
        "players": [
            {
                "name": table.players.name,
                "game": table.players.game.id,
                "games": table.players.count,
                "seed": table.players.seed,
                "winner": _by_id(winner_measures(table)),
                "seats": [
                    {"strategy": choice.label, "measures": _by_id(measures)}
                    for choice, measures in zip(table.players.seats, seat_measures(table), strict=True)
                ],
            }
            for table in result.players
        ],
    }


def _split_fields(result: StudyResult, entry: CellResult) -> dict[str, Any]:
    """The parts of the splits that the study asks for; nothing if it asks for none."""
    if result.study.splits is None:
        return {}
    return {
        "splits": [
            {
                "events": list(events),
                "parts": [
                    {
                        "happened": list(one.happened),
                        **{m.id: m.fields() for m in (one.share, one.mean) if m is not None},
                    }
                    for one in split_measures(entry, events)
                ],
            }
            for events in entry.splits
        ]
    }
