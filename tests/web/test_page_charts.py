"""Charts as options: what they draw is what the library found, whatever it is."""

from __future__ import annotations

import json
from collections.abc import Callable

import numpy as np
import pytest
from helpers.played_records import played_record

from yatzy.coach.grades import Grade
from yatzy.coach.reviews.review import review
from yatzy.evaluation.distribution import Distribution
from yatzy.report.texts import text
from yatzy.solver import Solver, parse_strategy
from yatzy.values.expected import ExpectedScore
from yatzy.web.page.parts.charts import LEVELS, SYMBOLS, Line, course_options, curve_options, legend_of, luck_options

RANDOM = np.random.default_rng(5)


def t(key: str, **values: object) -> str:
    return text("en", key, **values)


def some_distribution(size: int) -> Distribution:
    mass = RANDOM.random(size) * (RANDOM.random(size) < 0.6)
    mass[-1] = 0.1
    return Distribution(mass / mass.sum())


@pytest.mark.parametrize("size", [1, 2, 7, 60])
def test_a_line_is_its_distribution(size: int) -> None:
    score = some_distribution(size)
    line = Line.of("x", score)
    for points in range(-2, size + 3):
        assert line.at(points) == pytest.approx(score.at_least(points))
    for level in LEVELS:
        assert line.score_at(level) == max(s for s in range(size) if score.at_least(s) >= level * (1 - 1e-9))
    low = line.first
    assert line.mass == pytest.approx(score.mass[low:])
    assert score.mass[:low].sum() == 0


def test_a_curve_has_every_score_between_certain_and_out_of_reach() -> None:
    score = some_distribution(60)
    options = curve_options([Line.of("x", score)], t, target=40)
    (series,) = options["series"]
    scores = [point[0] for point in series["data"]]
    assert scores == list(range(scores[0], scores[-1] + 1))
    for points, chance in series["data"]:
        assert chance == pytest.approx(100 * score.at_least(points), abs=1e-3)
    assert series["markLine"]["data"] == [{"xAxis": 40}]
    json.dumps(options, allow_nan=False)


def test_best_chances_have_no_chances_of_single_scores() -> None:
    score = some_distribution(30)
    lines = [Line.of("plain", score), Line("best", 0, np.linspace(1, 0.1, 30))]
    assert [one["name"] for one in curve_options(lines, t)["series"]] == ["plain", "best"]
    (only,) = curve_options(lines, t, exactly=True)["series"]
    assert only["name"] == "plain"
    assert sum(chance for _, chance in only["data"]) == pytest.approx(100, abs=0.2)
    assert len({tuple(one["lineStyle"]["type"]) for one in curve_options(
        [Line.of("a", score, dash=0), Line.of("b", score, dash=1)], t)["series"]}) == 2  # fmt: skip


def test_the_scale_of_one_view_does_not_stay_in_the_other() -> None:
    lines = [Line.of("plain", some_distribution(30)), Line("best", 0, np.linspace(1, 0.1, 30), dash=1)]
    at_least, exactly = (curve_options(lines, t, exactly=exactly)["yAxis"] for exactly in (False, True))
    assert (at_least["max"], at_least["interval"]) == (100, 25)
    assert at_least.keys() == exactly.keys(), "ECharts merges options: what is left out stays as it was"
    assert exactly["max"] is exactly["interval"] is None


def test_the_legend_has_the_lines_that_are_drawn() -> None:
    lines = [Line.of("plain", some_distribution(30)), Line("best", 0, np.linspace(1, 0.1, 30), dash=1)]
    assert [(one.name, one.dash) for one in legend_of(lines)] == [("plain", 0), ("best", 1)]
    assert [one.name for one in legend_of(lines, exactly=True)] == ["plain"]
    assert curve_options(lines, t)["legend"] == {"show": False}, "it would page where it does not fit"


def test_nothing_to_draw_is_drawn() -> None:
    assert curve_options([], t)["series"] == []


def test_a_game_is_drawn_with_its_errors(solved: Callable[[str], ExpectedScore]) -> None:
    yacht = solved("yacht")
    found = review(played_record(parse_strategy("softened:0.5", yacht.game, Solver()), 3, players=2), yacht)
    chosen = found.players[0].errors[0]
    options = course_options(found, found.players, chosen, t)
    json.dumps(options, allow_nan=False)
    for place, one in enumerate(found.players):
        points = options["series"][2 * place + 1]["data"]
        assert [point["decision"] for point in points] == list(range(len(one.decisions)))
        for point, decision in zip(points, one.decisions, strict=True):
            assert point["symbol"] == SYMBOLS.get(decision.grade, "circle")
            assert point["value"][1] == pytest.approx(decision.made, abs=1e-3)
    points = options["series"][1]["data"]
    largest = max(points, key=lambda point: point["symbolSize"])
    assert largest["decision"] == found.players[0].decisions.index(chosen)
    assert {point["symbol"] for point in points} > {SYMBOLS[Grade.BLUNDER]}
    luck, error = luck_options(found, found.players[1], t)["series"]
    one = found.players[1]
    assert one.start is not None
    assert one.start + sum(luck["data"]) + sum(error["data"]) == pytest.approx(found.record.scores[1], abs=1e-2)
