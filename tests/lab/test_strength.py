"""How good strategies of a match are, against the judge in fractions, on games small enough for it."""

from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import typer
from helpers.made_up import made_up_strength
from helpers.small_games import CHANCE, FIXED, PAIR, RUN
from typer.testing import CliRunner

from yatzy.cli.commands.match import strength as match_strength
from yatzy.cli.commands.match.strength import read_depths
from yatzy.errors import InputError
from yatzy.games import Category, Face, Game, Position, load_game
from yatzy.lab import calibrate, strength, strength_figures, strength_parts
from yatzy.lab.bench import Bench
from yatzy.lab.strength import (
    LIMITS,
    TIE,
    StrengthResult,
    measure_strength,
    open_evaluator,
    summaries,
    typical_positions,
)
from yatzy.lab.strength_figures import draw_error_chances, draw_mean_errors, sampled_caption
from yatzy.lab.strength_parts import STRENGTH, Block
from yatzy.matches.counting import count_match
from yatzy.matches.endgames import Endgames
from yatzy.matches.exact import ExactMatch
from yatzy.matches.search import MatchSearch
from yatzy.report.strength import overall_table, strength_files
from yatzy.solver import Solver
from yatzy.store.files import write_atomic
from yatzy.values.curves import BestChances
from yatzy.values.resources import Progress

THREE = Game("three-boxes", 2, 3, 2, (PAIR, CHANCE, RUN))
FOUR = Game("four-boxes", 2, 3, 3, (Category("twos", Face(2)), PAIR, CHANCE, RUN))
JOKER = replace(next(game for game in FIXED if game.id == "joker-pawlewicz" and game.faces == 2), id="joker")
FORCED = next(game for game in FIXED if game.id == "forced-mixed")
GAMES = (THREE, FOUR, JOKER, FORCED)
NAMES = ("expected", "match:emp:0", "match:emp:1", "match:emp:2", "match:dyns:1", "target:6")


@cache
def chances_of(game: Game) -> BestChances:
    return BestChances(game)


@cache
def judge_of(game: Game) -> ExactMatch:
    return ExactMatch(game)


def at_depth(game: Game, depth: int, count: int, seed: int = 1) -> list[Position]:
    return typical_positions(chances_of(game), depth, count, seed)


# Positions


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_positions_are_decisions_of_their_depth(game: Game) -> None:
    for depth in range(1, 2 * len(game.categories) + 1):
        found = at_depth(game, depth, 40)
        assert len(found) == 40
        for position in found:
            opened = [len(sheet.open) for sheet in position.sheets]
            assert sum(opened) == depth
            assert opened[position.mover] == (depth + 1) // 2
            assert len(position.dice) == game.dice
            assert len(position.legal_moves) > 1
            assert all(sheet.points_known and sheet.boxes is not None for sheet in position.sheets)


def test_sheets_are_those_that_play_leads_to() -> None:
    """Every sheet comes from one with a category less: with Jokers, bonus and what is written where."""
    tables = Endgames(JOKER, 2 * len(JOKER.categories))
    jokers = 0
    for depth in range(1, 2 * len(JOKER.categories) + 1):
        for position in at_depth(JOKER, depth, 60):
            mover, other = position.sheet, position.sheets[1 - position.mover]
            assert tables.can_occur(mover, other)
            jokers += mover.jokers + other.jokers
    assert jokers > 0


def test_all_numbers_of_rolls_left_occur_where_there_is_a_choice() -> None:
    three = Counter(position.rolls_left for position in at_depth(FOUR, 5, 300))
    assert set(three) == {0, 1, 2}
    assert min(three.values()) > 80
    assert {position.rolls_left for position in at_depth(FOUR, 1, 60)} == {1, 2}  # one category is no choice


def test_positions_depend_on_the_seed_alone() -> None:
    chances = chances_of(FOUR)
    once = typical_positions(chances, 5, 30, 7, threads=1)
    assert typical_positions(chances, 5, 30, 7, threads=2) == once
    assert typical_positions(chances, 5, 500, 7)[:30] == once
    assert typical_positions(chances, 5, 30, 8) != once


def test_positions_are_not_always_the_same() -> None:
    assert len({position.sheets for position in at_depth(FOUR, 4, 300)}) > 50


# Errors


@pytest.mark.parametrize(("game", "most"), [(THREE, 5), (FOUR, 3), (JOKER, 4), (FORCED, 6)], ids=lambda it: str(it))
def test_errors_are_the_judges(game: Game, most: int, tmp_path: Path) -> None:
    result = measure_strength(game, NAMES, dict.fromkeys(range(1, most + 1), 25), 3, tmp_path)
    judge, erring = judge_of(game), 0
    for depth in result.depths:
        for one in result.judged[depth]:
            worth = {move: judge.after(one.position, move) for move in one.position.legal_moves}
            best = max(worth.values())
            assert one.value == pytest.approx(float(best), abs=1e-6)
            assert worth[one.best] == pytest.approx(float(best), abs=1e-6)
            for move, error in zip(one.moves, one.errors, strict=True):
                assert error == pytest.approx(float(best - worth[move]), abs=2e-6)
                assert error == 0 or error > TIE
                erring += error > 0
    assert erring > 0


@pytest.mark.parametrize("game", [THREE, JOKER], ids=lambda game: game.id)
def test_moves_are_the_strategies_own(game: Game, tmp_path: Path) -> None:
    result = measure_strength(game, NAMES, {4: 20}, 5, tmp_path)
    solver, chances = Solver(), chances_of(game)
    for place, name in enumerate(result.strategies):
        for one in result.judged[4]:
            alone = Position((one.position.sheet,), one.position.dice, one.position.rolls_left)
            if name.startswith("match:"):
                assert one.moves[place] == MatchSearch(chances, name).best(one.position)
            else:
                assert one.moves[place] == solver.build(game, name).best(alone)
            one.position.play(one.moves[place])


def test_strategies_that_search_to_the_end_never_err(tmp_path: Path) -> None:
    names = [f"match:{kind}:{depth}" for kind in ("emp", "dyns") for depth in (2, 4, 8)]
    result = measure_strength(FOUR, names, dict.fromkeys(range(1, 9), 30), 2, tmp_path, endgame_depth=1)
    for name in names:
        for depth in range(1, 9):
            if depth <= int(name[-1]):
                assert not result.errors(name, depth).any(), (name, depth)
    assert result.errors("match:dyns:2", 8).any()


def test_depth_of_the_tables_makes_no_difference(tmp_path: Path) -> None:
    found = [
        measure_strength(FOUR, NAMES, {3: 20, 6: 20}, 4, tmp_path / str(depth), endgame_depth=depth)
        for depth in (0, 2, 6)
    ]
    for other in found[1:]:
        for depth in (3, 6):
            assert [one.moves for one in other.judged[depth]] == [one.moves for one in found[0].judged[depth]]
            for name in NAMES:
                assert other.errors(name, depth) == pytest.approx(found[0].errors(name, depth), abs=1e-6)


# Numbers


def made_up(errors: dict[int, list[float]]) -> StrengthResult:
    return made_up_strength(at_depth(THREE, 2, 1)[0], errors)


def test_numbers_of_one_depth() -> None:
    found = made_up({3: [0, 0, 0.02, 0.002]}).strength("expected")
    assert found.positions == 4
    assert found.mean.value == pytest.approx(0.0055)
    spread = np.std([0, 0, 0.02, 0.002]) / 2
    assert found.mean.error == pytest.approx(spread)
    assert found.interval == pytest.approx((0.0, 0.0055 + 1.96 * spread))
    assert found.erring.value == 0.5
    assert [share.value for share in found.larger] == [0.5, 0.5, 0.5, 0.25]
    assert found.worst == 0.02


def test_depths_count_the_same_however_many_positions_they_have() -> None:
    result = made_up({2: [0.1] * 8, 5: [0.3, 0.5], 9: [0.0]})
    assert result.strength("expected").mean.value == pytest.approx((0.1 + 0.4 + 0) / 3)
    both = result.strength("expected", [2, 5]).mean
    assert (both.value, both.error) == pytest.approx((0.25, 0.1 / np.sqrt(2) / 2))
    assert [span for span, _ in summaries(result)] == ["all", "to 5", "2", "5", "9"]
    assert len(overall_table(result).rows) == 2
    assert [span for span, _ in summaries(made_up({2: [0.1], 9: [0.3]}))] == ["all", "2", "9"]
    assert [span for span, _ in summaries(made_up({2: [0.1]}))] == ["2"]


def test_depth_eight_belongs_to_those_that_are_compared() -> None:
    result = made_up({7: [0.1], 8: [0.3], 9: [0.8]})
    found = {span: one.mean.value for span, one in summaries(result)}
    assert list(found) == ["all", "to 8", "7", "8", "9"]
    assert found["to 8"] == pytest.approx(0.2)


def test_errors_by_rolls_left(tmp_path: Path) -> None:
    result = measure_strength(FOUR, ["expected"], {5: 30}, 3, tmp_path)
    judged = result.judged[5]
    assert judged.rolls_left.tolist() == [one.position.rolls_left for one in judged]
    parts = [result.errors("expected", 5, left) for left in range(3)]
    assert sum(map(len, parts)) == 30
    assert sum(part.sum() for part in parts) == pytest.approx(result.errors("expected", 5).sum())
    assert result.strength("expected", [5], 0).positions == len(parts[0])


def test_the_speed_of_endgames_is_their_values_over_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([10.0, 14.0])
    monkeypatch.setattr(calibrate, "time", SimpleNamespace(perf_counter=lambda: next(clock)))
    built: list[int] = []
    monkeypatch.setattr(calibrate, "Endgames", lambda game, depth, resources: built.append(depth))
    counts = count_match(THREE)
    values = sum(row.values for row in counts.depth_rows(2) if counts.depth(row) == 2)
    assert values > 1
    assert calibrate.values_per_second(THREE) == values / 4
    assert built == [1, 2]  # the first one compiles the kernels, outside of the time


# Going on


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strength, "BLOCK", 8)


def counted(monkeypatch: pytest.MonkeyPatch) -> list[tuple[bool, int]]:
    """Of each position that is judged from now on: whether by perfect play, and by how many strategies."""
    asked: list[tuple[bool, int]] = []
    judge = Bench.judge

    def count(self: Bench, position: Position, wanted: Sequence[int], *, perfect: bool) -> Any:
        asked.append((perfect, len(wanted)))
        return judge(self, position, wanted, perfect=perfect)

    monkeypatch.setattr(Bench, "judge", count)
    return asked


@pytest.mark.usefixtures("small_blocks")
def test_a_run_goes_on_where_it_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = ["expected", "match:emp:1"]
    whole = measure_strength(THREE, names, {2: 20, 3: 20}, 6, tmp_path / "whole")

    def stop(done: int, total: int) -> None:
        assert total == 40
        if done >= 28:
            raise KeyboardInterrupt

    def watch(what: str, verb: str = "") -> Progress:
        return stop if verb == "Judging" else lambda done, total: None

    with pytest.raises(KeyboardInterrupt):
        measure_strength(THREE, names, {2: 20, 3: 20}, 6, tmp_path / "stopped", Solver(progress=watch))
    asked = counted(monkeypatch)
    again = measure_strength(THREE, names, {2: 20, 3: 20}, 6, tmp_path / "stopped")
    assert again.judged == whole.judged
    assert len(asked) == 12
    assert measure_strength(THREE, names, {2: 20, 3: 20}, 6, tmp_path / "stopped").judged == whole.judged
    assert len(asked) == 12
    more = measure_strength(THREE, names, {2: 22, 3: 10}, 6, tmp_path / "stopped")
    assert len(asked) == 14
    assert more.judged[2][:20] == whole.judged[2]
    assert more.judged[3] == whole.judged[3][:10]


@pytest.mark.usefixtures("small_blocks")
def test_workers_judge_only_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names, told = ["expected", "match:emp:1"], list[tuple[int, int]]()
    whole = measure_strength(THREE, names, {2: 20, 3: 20}, 6, tmp_path / "whole")
    measure_strength(THREE, names, {2: 4, 3: 8}, 6, tmp_path / "some")
    asked = counted(monkeypatch)

    def watch(what: str, verb: str = "") -> Progress:
        return lambda done, total: told.append((done, total)) if verb == "Judging" else None

    with ThreadPoolExecutor(2) as pool:
        solver = Solver(executor=pool, progress=watch)
        found = measure_strength(THREE, names, {2: 20, 3: 20}, 6, tmp_path / "some", solver)
    assert found.judged == whole.judged
    assert len(asked) == 28
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert (len(told), told[-1]) == (6, (40, 40))


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("damage", ["cut", "changed", "nonsense"])
@pytest.mark.parametrize("optimal", [True, False])
def test_damaged_parts_are_judged_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: str, optimal: bool
) -> None:
    whole = measure_strength(THREE, ["match:emp:0"], {4: 16}, 6, tmp_path)
    path = next(
        path
        for path in sorted(tmp_path.glob("parts/strength-*.kept"))
        if (b"optimal values" in path.read_bytes()) == optimal
    )
    content = path.read_bytes()
    changed = content[:-3] + bytes([content[-3] ^ 1]) + content[-2:]
    path.write_bytes({"cut": content[:-4], "changed": changed, "nonsense": b"[]"}[damage])
    asked, said = counted(monkeypatch), list[str]()
    again = measure_strength(THREE, ["match:emp:0"], {4: 16}, 6, tmp_path, Solver(report=said.append))
    assert again.judged == whole.judged
    assert asked == [(optimal, not optimal)] * 8
    assert [str(path) in line for line in said] == [True]


@pytest.mark.usefixtures("small_blocks")
def test_another_strategy_needs_no_optimal_values_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = measure_strength(THREE, ["match:emp:0"], {4: 10}, 6, tmp_path)
    asked = counted(monkeypatch)
    both = measure_strength(THREE, ["match:dyns:1", "match:emp:0"], {4: 12}, 6, tmp_path)
    assert sorted(asked) == [(False, 1)] * 10 + [(True, 2)] * 2
    assert both.errors("match:emp:0", 4)[:10].tolist() == first.errors("match:emp:0", 4).tolist()
    whole = measure_strength(THREE, ["match:dyns:1", "match:emp:0"], {4: 12}, 6, tmp_path / "whole")
    assert both.judged == whole.judged


def test_parts_of_another_revision_are_judged_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = measure_strength(THREE, ["match:emp:0"], {2: 5}, 6, tmp_path)
    monkeypatch.setattr(strength_parts, "STRENGTH", replace(STRENGTH, revision=STRENGTH.revision + 1))
    asked = counted(monkeypatch)
    for _ in range(2):
        assert measure_strength(THREE, ["match:emp:0"], {2: 5}, 6, tmp_path).judged == first.judged
    assert len(asked) == 5


def test_a_finished_run_is_read_without_playing_matches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = measure_strength(THREE, ["match:emp:0"], {2: 5}, 6, tmp_path)
    played: list[int] = []
    draw = strength.typical_positions

    def count(chances: BestChances, depth: int, *rest: Any) -> list[Position]:
        played.append(depth)
        return draw(chances, depth, *rest)

    monkeypatch.setattr(strength, "typical_positions", count)
    assert measure_strength(THREE, ["match:emp:0"], {2: 5}, 6, tmp_path).judged == whole.judged
    assert played == []
    measure_strength(THREE, ["match:emp:0"], {2: 6}, 6, tmp_path)
    assert played == [2]


def test_a_position_without_an_answer_is_not_passed_over() -> None:
    positions, block = at_depth(THREE, 2, 2), Block([], [], [[]])
    with pytest.raises(ValueError, match="shorter"):
        block.add(block.missing(positions), [(np.zeros(2), [0])])


def test_parts_are_of_one_question(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    measure_strength(THREE, ["match:emp:0"], {2: 5}, 6, tmp_path)
    asked = counted(monkeypatch)
    measure_strength(THREE, ["match:emp:0"], {2: 5}, 7, tmp_path)
    measure_strength(THREE, ["match:emp:1"], {2: 5}, 6, tmp_path)
    measure_strength(FOUR, ["match:emp:0"], {2: 5}, 6, tmp_path)
    measure_strength(THREE, ["match:emp:0"], {2: 5}, 6, tmp_path)
    assert asked == [(True, 1)] * 5 + [(False, 1)] * 5 + [(True, 1)] * 5


# Refusals


def test_the_limits_of_a_measurement_are_allowed_themselves() -> None:
    for depth, count, seed in ((1, 1, 0), (6, 2**20, 2**64 - 1)):
        strength._check(THREE, {depth: count}, seed)
    with pytest.raises(InputError, match="1048577 positions are not from 1 to 1,048,576"):
        strength._check(THREE, {1: 2**20 + 1}, 1)


@pytest.mark.parametrize(
    ("names", "depths", "seed", "words"),
    [
        (["match:emp:1"], {0: 5}, 1, "from 1 to 6"),
        (["match:emp:1"], {7: 5}, 1, "from 1 to 6"),
        (["match:emp:1"], {1: 0}, 1, "0 positions"),
        (["match:emp:1"], {}, 1, "none given"),
        (["match:emp:1"], {1: 5}, -1, "seed"),
        (["match:emp:1"], {1: 5}, 2**64, "seed: 18446744073709551616 is not from 0"),
        ([], {1: 5}, 1, "none given"),
        (["expected", "expected"], {1: 5}, 1, "twice"),
        (["match:emp"], {1: 5}, 1, "no match objective .*match:emp:D"),
        (["match:auto"], {1: 5}, 1, "match:emp:D"),
        (["best"], {1: 5}, 1, "no objective"),
    ],
)
def test_nonsense_is_refused(names: list[str], depths: dict[int, int], seed: int, words: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=words) as raised:
        measure_strength(THREE, names, depths, seed, tmp_path)
    assert "\n" not in str(raised.value)
    assert not list(tmp_path.iterdir())


def test_a_game_without_decisions_is_refused() -> None:
    game = Game("no-choice", 2, 2, 1, (PAIR,))
    with pytest.raises(InputError, match="no decisions"):
        typical_positions(BestChances(game), 2, 3, 1)


def test_what_was_not_measured_is_refused(tmp_path: Path) -> None:
    result = measure_strength(THREE, ["match:emp:1"], {2: 3}, 1, tmp_path)
    for name, depth in (("match:emp:2", 2), ("match:emp:1", 3)):
        with pytest.raises(InputError, match="not measured"):
            result.errors(name, depth)


def test_strategies_by_name() -> None:
    assert open_evaluator("match:dyns:3", chances_of(THREE)).objective == "match:dyns:3"
    assert open_evaluator(" expected ", chances_of(THREE)).objective == "expected"


# Files, figures and the command


def test_judged_positions_are_equal_to_those_with_the_same_judgement_only() -> None:
    judged, same, other = (made_up({3: [0, error]}).judged[3] for error in (0.1, 0.1, 0.2))
    assert judged == same
    assert hash(judged) == hash(same)
    assert judged != other
    assert judged != list(judged)
    assert judged[:1] == other[:1]


def test_every_strategy_of_a_figure_has_a_look_of_its_own() -> None:
    looks = [tuple(sorted(strength_figures._look(index).items())) for index in range(24)]
    assert len(set(looks)) == len(looks)


def test_a_caption_tells_how_many_positions_were_judged_at_a_depth() -> None:
    result = made_up({3: [0, 0, 0.1, 0], 4: [0, 0.2]})
    assert "2 to 4 positions per depth" in sampled_caption(result, "")
    assert sampled_caption(result, "", [4]).startswith("2 positions")
    assert sampled_caption(result, "", [3]).startswith("4 positions")


def test_files_are_written(tmp_path: Path) -> None:
    result = measure_strength(FOUR, NAMES, {1: 20, 4: 30, 7: 20}, 4, tmp_path / "run")
    for name, content in strength_files(result):
        write_atomic(tmp_path / "report" / name, content)
    pictures = [f"{name}.{ending}" for name in ("mean-error", "error-chances") for ending in ("svg", "png")]
    names = {path.name for path in (tmp_path / "report").iterdir()}
    assert names == {"errors.csv", "strength.md", *pictures}
    with (tmp_path / "report" / "errors.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 70
    for name in NAMES:
        found = [float(row[f"{name} error"]) for row in rows if row["depth"] == "4"]
        assert found == result.errors(name, 4).tolist()
    for row, one in zip(rows, (one for part in result.judged.values() for one in part), strict=True):
        assert Position.parse(row["position"], FOUR) == one.position


def test_figures_show_every_strategy_even_without_errors(tmp_path: Path) -> None:
    result = measure_strength(FOUR, ["expected", "match:emp:8"], {2: 20, 5: 20}, 4, tmp_path)
    for figure in (draw_mean_errors(result), draw_error_chances(result), draw_error_chances(result, [5])):
        labels = figure.axes[0].get_legend_handles_labels()[1]
        assert labels == ["expected", "match:emp:8"]


def test_axes_of_a_narrow_range_are_labelled_in_plain_text() -> None:
    """Powers of ten, twos and fives; not the markup of Matplotlib's own labels between powers."""
    figure = draw_mean_errors(made_up({3: [0, 0, 0.004, 0.004], 4: [0, 0, 0.006, 0.006]}))
    figure.draw_without_rendering()
    axis = figure.axes[0].yaxis
    labels = {tick.get_text() for tick in (*axis.get_majorticklabels(), *axis.get_minorticklabels())}
    assert {"10⁻³", "2·10⁻³"} <= labels
    assert not any("$" in label for label in labels)


@pytest.mark.parametrize(
    ("depths", "words"),
    [([4], "depth 4"), ([3, 4, 5], "depths 3 to 5"), ([3, 5], "depths 3, 5"), (None, "depths 3 to 5")],
)
def test_a_title_names_the_depths(depths: list[int] | None, words: str) -> None:
    figure = draw_error_chances(made_up({depth: [0, 0.02] for depth in (3, 4, 5)}), depths)
    assert figure.get_suptitle().endswith(f"larger than e, {words}")


def test_a_figure_without_errors_has_the_range_of_chances() -> None:
    axes = draw_error_chances(made_up({3: [0, 0]})).axes[0]
    assert axes.get_xlim() == pytest.approx((TIE, 1))
    assert axes.get_ylim() == pytest.approx((TIE, 1))


@pytest.mark.parametrize("seed", [-1, 2**64])
def test_seeds_have_limits(seed: int) -> None:
    with pytest.raises(InputError, match="seed: "):
        typical_positions(chances_of(THREE), 2, 1, seed)
    assert typical_positions(chances_of(THREE), 2, 1, seed % 2**64)


def test_labels_choose_and_name_the_strategies() -> None:
    result = made_up({3: [0, 0, 0.02, 0.002]})
    (name,) = result.strategies
    for figure in (draw_mean_errors(result, {name: "E"}), draw_error_chances(result, labels={name: "E"})):
        assert figure.axes[0].get_legend_handles_labels()[1] == ["E"]


def test_survival_falls_from_the_share_of_errors() -> None:
    result = made_up({3: [0, 0, 0.02, 0.002]})
    line = draw_error_chances(result).axes[0].get_lines()[0]
    assert np.asarray(line.get_ydata()) == pytest.approx([0.5, 0.25, 0.25])
    assert np.asarray(line.get_xdata()) == pytest.approx([TIE, 0.002, 0.02])


@pytest.mark.parametrize(
    ("text", "found"),
    [("1-3:10", {1: 10, 2: 10, 3: 10}), ("2:5, 4-5:7", {2: 5, 4: 7, 5: 7})],
)
def test_depths_as_text(text: str, found: dict[int, int]) -> None:
    assert read_depths(text) == found


@pytest.mark.parametrize(
    "text", ["", "1", "1-2", "a:5", "3-1:5", "1-2:5,2:6", "1:5,", "1:-5", "1-999:3", "1:9999999999"]
)
def test_nonsense_depths_are_refused(text: str) -> None:
    with pytest.raises(InputError) as raised:
        read_depths(text)
    assert "\n" not in str(raised.value)


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match_strength, "load_game", lambda name: THREE)
    app = typer.Typer()
    app.command()(match_strength.command)
    asked = ["three", "--strategies", "expected,match:emp:0", "--depths", "2-4:30", "--out", str(tmp_path)]
    asked += ["--endgames", "2"]
    shown = CliRunner().invoke(app, asked, catch_exceptions=False)
    assert shown.exit_code == 0
    assert "match:emp:0" in shown.stdout
    told = CliRunner().invoke(app, [*asked, "--json"], catch_exceptions=False)
    fields = json.loads(told.stdout.splitlines()[-1])
    assert set(fields["strategies"]) == {"expected", "match:emp:0"}
    assert set(fields["strategies"]["expected"]) == {"all", "2", "3", "4"}
    assert fields["strategies"]["expected"]["all"]["positions"] == 90
    assert len(fields["strategies"]["expected"]["2"]["larger"]) == len(LIMITS)
    assert (tmp_path / "mean-error.svg").exists()


def test_strategies_that_never_err_are_drawn_too(tmp_path: Path) -> None:
    game = load_game("two-yatzy")
    result = measure_strength(game, ["expected"], {1: 8, 2: 8}, 1, tmp_path)
    assert not any(result.errors("expected", depth).any() for depth in (1, 2))
    for figure in (draw_mean_errors(result), draw_error_chances(result)):
        figure.draw_without_rendering()
