"""Values of all states and labelled positions as files: the same numbers as the program gives, read by others."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars
import pytest
from helpers.command import answer, refusal
from helpers.sheets import random_sheets
from helpers.small_games import FIXED

from yatzy import ExpectedScore, Game, Position, Sheet, load_game, parse_strategy, solve
from yatzy.errors import SizeError
from yatzy.evaluation.played_turns import keeps_by_roll
from yatzy.games import Keep, Score
from yatzy.lab import replay
from yatzy.model import compile_game
from yatzy.sharing import label_positions, played_positions, state_values, uniform_positions
from yatzy.sharing.decisions import check_decisions
from yatzy.sharing.output import BOXES, MOST_ROWS
from yatzy.solver import Solver
from yatzy.values.targets import TargetChance

JOKER = next(game for game in FIXED if game.joker is not None)


def box_of(sheet: Sheet) -> int:
    """As the files have it."""
    box = sheet.game.joker_box
    return 0 if box is None or not sheet.filled >> box & 1 else 2 if sheet.box_pays else 1


@pytest.mark.parametrize("game", FIXED, ids=lambda game: f"{game.id}-{game.dice}-{game.faces}")
def test_every_sheet_has_one_row_with_its_value(game: Game) -> None:
    solution = solve(game)
    assert isinstance(solution, ExpectedScore)
    found = state_values(solution)
    rows = list(zip(found.filled.tolist(), found.upper.tolist(), found.box.tolist(), strict=True))
    assert len(rows) == len(set(rows))
    assert found.filled[0] == 0
    assert found.value[0] == solution.to_come(Sheet.start(game))
    value, most = dict(zip(rows, found.value.tolist(), strict=True)), game.bonus.threshold if game.bonus else 0
    for sheet in random_sheets(game, 60):
        assert value[sheet.filled, min(sheet.upper, most), box_of(sheet)] == solution.to_come(sheet)


def test_values_are_written_for_other_programs(tmp_path: Path) -> None:
    game = load_game("yahtzee")
    made = answer("export-values", "yahtzee", "--out", tmp_path / "v.parquet")
    rows = polars.read_parquet(tmp_path / "v.parquet")
    assert made["rows"] == len(rows) == 2794 * 3 * 2**6
    assert rows.columns == ["filled", *(f"{id}_filled" for id in game.category_index), "upper", "joker_box", "value"]
    start = rows.filter(polars.col("filled") == 0)
    assert start["value"].to_list() == [solve(game).value(Position.start(game))]
    only = rows.filter(~polars.col("chance_filled"), polars.sum_horizontal(polars.selectors.ends_with("_filled")) == 12)
    assert only.filter(polars.col("joker_box") == BOXES[1])["value"].unique().to_list() == pytest.approx([70 / 3])
    about = json.loads(polars.read_parquet_metadata(tmp_path / "v.parquet")["yatzy"])
    assert (about["kind"], about["game"], about["hash"]) == ("values", "yahtzee", game.hash)
    answer("export-values", "two-yatzy", "--out", tmp_path / "v.npz")
    with np.load(tmp_path / "v.npz") as arrays:
        assert arrays["filled"].tolist() == [0, 1, 2, 3]
        assert arrays["value"].tolist()[::3] == [5.0, 0.0]
        assert json.loads(str(arrays["about"]))["categories"] == ["ones", "twos"]
    assert ".parquet or .npz" in refusal("export-values", "two-yatzy", "--out", tmp_path / "v.csv")


def legal_values(solution: Any, sheet: Sheet, dice: tuple[int, ...], left: int) -> dict[str, float]:
    return {str(one.move): one.value for one in solution.moves(Position((sheet,), dice, left))}


@pytest.mark.parametrize("game", [FIXED[1], JOKER, load_game("two-yatzy")], ids=lambda game: game.id)
def test_labels_are_the_values_of_every_legal_move(game: Game) -> None:
    """Of positions that a strategy reaches, compared with the values of each position on its own."""
    strategy, solution, lattice = parse_strategy("softened:1", game), solve(game), compile_game(game).lattice
    per_game = len(game.categories) * game.rolls
    positions = played_positions(strategy, 6 * per_game - 1, 3)
    labels, (start, keep_of) = label_positions(positions, solution), keeps_by_roll(lattice)
    assert len(labels) == len(positions) == 6 * per_game - 1
    row = 0
    for number in range(6):
        sheet = Sheet.start(game)
        for turn in replay(strategy, 3, number):
            for left, dice in zip(range(game.rolls - 1, -1, -1), turn.rolls, strict=False):
                if row == len(labels):
                    return
                wanted = legal_values(solution, sheet, dice, left)
                assert (lattice.rolls[positions.roll[row]], positions.left[row]) == (dice, left)
                if left:
                    keeps = [lattice.keeps[one] for one in keep_of[start[positions.roll[row]] :][: len(wanted)]]
                    found = {str(Keep(keep)): value for keep, value in zip(keeps, labels.keeps[row], strict=False)}
                    assert np.isnan(labels.categories[row]).all()
                    assert np.isnan(labels.keeps[row, len(wanted) :]).all()
                else:
                    paid = zip(game.category_index, labels.categories[row], strict=True)
                    found = {str(Score(id)): value for id, value in paid if value == value}
                    assert np.isnan(labels.keeps[row]).all()
                assert found == pytest.approx(wanted, rel=1e-6)
                assert labels.value[row] == pytest.approx(max(wanted.values()))
                row += 1
            row += game.rolls - len(turn.rolls)
            sheet = Position((sheet,), turn.rolls[-1], 0).play(turn.score).sheets[0]


def test_labels_of_a_target(tmp_path: Path) -> None:
    game = FIXED[1]
    solver = Solver()
    target = TargetChance(solver.chances(game), solver.expected(game), 12)
    positions = played_positions(parse_strategy("greedy", game), 40, 1)
    labels = label_positions(positions, target)
    assert ((labels.value >= 0) & (labels.value <= 1)).all()
    assert labels.value[0] == pytest.approx(
        target.value(Position.start(game).roll(compile_game(game).lattice.rolls[positions.roll[0]])), abs=1e-6
    )


def test_uniform_positions_are_uniform_and_depend_on_the_seed_alone() -> None:
    game = load_game("two-yatzy")
    found = uniform_positions(game, 30_000, 5)
    for column, kinds in ((found.state, 3), (found.left, 2)):
        counts = np.bincount(column, minlength=kinds)
        assert len(counts) == kinds
        assert np.abs(counts - 30_000 / kinds).max() < 5 * (30_000 / kinds) ** 0.5
    rolls = np.bincount(found.roll) / 30_000  # 11, 22, 12
    assert np.abs(rolls - [0.25, 0.25, 0.5]).max() < 0.015
    again, other = uniform_positions(game, 100, 5), uniform_positions(game, 100, 6)
    np.testing.assert_array_equal(again.state, found.state[:100])
    assert not np.array_equal(other.state, again.state)
    # The rows of a seed are part of the format: if they change, so does `VERSION`.
    assert (again.state[:8].tolist(), again.roll[:8].tolist(), again.left[:8].tolist()) == FIRST


FIRST = ([0, 2, 1, 1, 1, 2, 0, 0], [1, 2, 2, 1, 2, 2, 0, 1], [0, 1, 1, 1, 1, 0, 1, 1])


def test_a_dataset_from_the_command_line(tmp_path: Path, solved: Callable[[str], ExpectedScore]) -> None:
    solved("yahtzee")
    made = answer("dataset", "yahtzee", "--rows", "500", "--out", tmp_path / "d.parquet", "--seed", "7")
    assert (made["rows"], made["positions"]) == (500, "expected")
    rows = polars.read_parquet(tmp_path / "d.parquet")
    assert rows.columns == [
        "filled", "upper", "joker_box", "points", "dice", "rolls_left", "keeps", "categories", "value", "best"
    ]  # fmt: skip
    for row in (rows.row(0, named=True), rows.row(1, named=True), rows.row(2, named=True)):
        options = ["--game", "yahtzee", "--dice", row["dice"], "--rolls-left", str(row["rolls_left"])]
        advice = answer("advise", *options)
        assert advice["moves"][0]["value"] == pytest.approx(row["value"])
        shown = sorted((value for value in (row["keeps"] if row["rolls_left"] else row["categories"])
                        if value == value), reverse=True)  # fmt: skip
        assert shown == pytest.approx([one["value"] for one in advice["moves"]], rel=1e-6)
        assert advice["moves"][0]["move"] == row["best"]
    again = answer("dataset", "yahtzee", "--rows", "300", "--out", tmp_path / "e.parquet", "--seed", "7")
    assert again["rows"] == 300
    assert polars.read_parquet(tmp_path / "e.parquet").equals(rows.head(300))
    answer("dataset", "yahtzee", "--rows", "9", "--positions", "uniform", "--out", tmp_path / "u.parquet")
    about = json.loads(polars.read_parquet_metadata(tmp_path / "u.parquet")["yatzy"])
    assert (about["positions"], about["version"], about["rows"]) == ("uniform", 1, 9)
    assert "written as .parquet" in refusal("dataset", "yahtzee", "--rows", "9", "--out", tmp_path / "x.csv")
    said = refusal("dataset", "two-yatzy", "--rows", "9", "--objective", "exp:0.1", "--out", tmp_path / "x.parquet")
    assert "labelled for expected and target:S only" in said


DOCUMENT = (Path(__file__).parents[2] / "docs" / "data.md").read_text(encoding="utf-8")
CODE = re.findall(r"```python\n(.*?)```", DOCUMENT, re.DOTALL)


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the files that the document reads."""
    folder = tmp_path_factory.mktemp("exported")
    for name in ("values.parquet", "values.npz"):
        answer("export-values", "yacht", "--out", folder / name)
    answer("export-decisions", "yacht", "--open", "12", "--out", folder / "decisions.parquet")
    return folder


@pytest.mark.parametrize("code", CODE, ids=[code.split()[1] for code in CODE])
def test_the_code_of_the_document_runs(
    code: str, exported: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each block says what the others say; one of a package that is not installed is skipped with its name."""
    library = code.split()[1]
    pytest.importorskip(library)
    monkeypatch.chdir(exported)
    exec(compile(code, "data.md", "exec"), {})
    shown, game = capsys.readouterr().out, load_game("yacht")
    start = solve(game).value(Position.start(game))
    if library == "yatzy":
        assert shown.splitlines()[0] == str(2**12)
    elif library == "duckdb":
        best = parse_strategy("expected", game)
        moves = [best.move(Position.start(game).roll(game.parse_dice(dice))) for dice in ("11234", "13356", "44556")]
        assert [move for _, move in eval(shown)] == list(map(str, moves))
    else:
        assert start in [pytest.approx(float(number), abs=1e-6) for number in re.findall(r"\d+\.\d+", shown)]
    assert {"polars", "pandas", "duckdb", "numpy", "yatzy"} == {code.split()[1] for code in CODE}


def test_the_numbers_of_the_document(solved: Callable[[str], ExpectedScore]) -> None:
    assert f"more than {MOST_ROWS:,} rows" in DOCUMENT
    assert f"A file has at most {MOST_ROWS:,}" in DOCUMENT
    best = parse_strategy("expected", load_game("yatzy"))
    assert f"with {check_decisions(best, (1, 3)):,} decisions" in DOCUMENT
    with pytest.raises(SizeError) as refused:
        check_decisions(best)
    assert f"All of Yatzy would be {str(refused.value).split()[1]} rows" in DOCUMENT
