"""Objectives, chances and distributions on the command line."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers.command import answer, refusal, yatzy

YACHT = ("--game", "yacht")


def test_columns_side_by_side_with_the_best_of_each_marked() -> None:
    result = answer(
        "advise", *YACHT, "--dice", "55666", "--rolls-left", "0", "--columns", "expected,target:250,chance:0.9"
    )
    assert result["objective"] == "expected"
    assert list(result["moves"][0]["values"]) == ["expected", "target:250", "chance:0.9"]
    for objective in ("expected", "target:250", "chance:0.9"):
        best = [move for move in result["moves"] if objective in move["best_for"]]
        assert best
        assert max(move["values"][objective] for move in result["moves"]) == best[0]["values"][objective]
    shown = yatzy("advise", *YACHT, "--dice", "55666", "--rolls-left", "0", "--columns", "expected,target:250").stdout
    assert "≥ 250" in shown
    assert "*" in shown


def test_objective_ranks_the_moves() -> None:
    for objective in ("target:200", "chance:0.5", "exp:-0.05"):
        result = answer("advise", *YACHT, "--dice", "12346", "--objective", objective)
        values = [move["value"] for move in result["moves"]]
        assert result["objective"] == objective
        assert values == pytest.approx(sorted(values, reverse=True), rel=2e-6)


def test_chance_of_a_score() -> None:
    start = answer("chance", *YACHT, "--at-least", "200")
    assert 0 < start["probability"] < 1
    assert start["probability"] == answer("value", *YACHT, "--objective", "target:200")["value"]
    lucky = answer("chance", *YACHT, "--at-least", "200", "--dice", "66666", "--rolls-left", "0")
    assert lucky["probability"] > start["probability"]
    assert "when playing for it" in yatzy("chance", *YACHT, "--at-least", "200").stdout


def test_distribution_best_and_of_a_strategy(tmp_path: Path) -> None:
    best = answer("distribution", *YACHT, "--best")
    exact = answer("distribution", *YACHT, "--strategy", "expected", "--plot", tmp_path / "mass.svg")
    assert best["at_least"][0] == 1
    assert len(exact["mass"]) == exact["highest"] + 1
    assert exact["mean"] == pytest.approx(166.955068, abs=1e-6)
    for score in (100, 160, 200):
        assert sum(exact["mass"][score:]) <= best["at_least"][score] + 1e-6
    assert (tmp_path / "mass.svg").read_text(encoding="utf-8").startswith("<?xml")
    shown = yatzy("distribution", *YACHT, "--best", "--plot", tmp_path / "tails.png").stdout
    assert "no single strategy has this distribution" in shown
    assert (tmp_path / "tails.png").read_bytes().startswith(b"\x89PNG")
    assert "Little straight" in yatzy("distribution", *YACHT, "--strategy", "target:220").stdout


def test_distribution_in_the_middle_of_a_turn() -> None:
    situation = (*YACHT, "--filled", "ones,yacht", "--dice", "12355", "--rolls-left", "1")
    result = answer("distribution", *situation, "--strategy", "expected")
    assert result["mean"] == pytest.approx(answer("advise", *situation)["value"])
    assert answer("distribution", *situation, "--best")["at_least"][0] == 1


def test_utility_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "record.csv"
    path.write_text("points,worth\n" + "".join(f"{s},{int(s >= 200)}\n" for s in range(301)), encoding="utf-8")
    worth = answer("value", *YACHT, "--objective", f"utility:{path}")
    assert worth["value"] == pytest.approx(answer("chance", *YACHT, "--at-least", "200")["probability"], abs=1e-5)


@pytest.mark.parametrize(
    ("objective", "says"),
    [
        ("target:-5", "a whole number from 1 on"),
        ("target:0", "a whole number from 1 on"),
        ("target:99999", "a whole number from 1 to 297"),
        ("target:many", "a whole number"),
        ("chance:1.5", "a number between 0 and 1"),
        ("chance:0", "a number between 0 and 1"),
        ("chance:x", "a number between 0 and 1"),
        ("exp:0", "other than 0"),
        ("exp:nan", "other than 0"),
        ("exp:99", "must not be 0 and lie between"),
        ("luck", "objectives are expected, target:S, chance:P, exp:THETA, utility:FILE"),
        ("target", "objectives are expected"),
        ("utility:missing.csv", "missing.csv: cannot be read"),
    ],
)
def test_wrong_objectives_get_one_line(objective: str, says: str) -> None:
    assert says in refusal("advise", *YACHT, "--dice", "12345", "--objective", objective)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("score,value\n1,2\n", "line 1: the header must be points,worth"),
        ("", "line 1"),
        ("points,worth\n", "line 2"),
        ("points,worth\n0,0\n1,1\n3,1\n", "line 4: 3 points, but 2 come next; leave no gap"),
        ("points,worth\n0,0\n1,much\n", "line 3: '1,much'"),
        ("points,worth\n0,0\n1\n", "line 3: there must be two numbers"),
        ("points,worth\n0,nan\n", "line 2"),
        ("points,worth\n0.5,1\n", "line 2"),
    ],
)
def test_wrong_utility_files_name_the_line(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "worth.csv"
    path.write_text(text, encoding="utf-8")
    message = refusal("value", *YACHT, "--objective", f"utility:{path}")
    assert says in message
    assert str(path) in message


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["chance", "--at-least", "-3"], "from 1 on"),
        (["chance", "--at-least", "5000"], "from 1 to 374"),
        (["chance"], "--at-least"),
        (["distribution"], "either --best or --strategy"),
        (["distribution", "--best", "--strategy", "expected"], "either --best or --strategy"),
        (["distribution", "--best", "--plot", "picture.txt"], ".svg, .png, .pdf"),
        (["distribution", "--strategy", "chance:0.5", "--game", "yacht"], "cannot be evaluated exactly"),
    ],
)
def test_wrong_questions_get_one_line(arguments: list[str], says: str) -> None:
    done = yatzy(*arguments)
    assert done.returncode == 2
    assert says in done.stderr
    assert "Traceback" not in done.stderr


def test_a_figure_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    nowhere = tmp_path / "file" / "figure.svg"
    assert "cannot be written" in yatzy("distribution", *YACHT, "--best", "--plot", nowhere).stderr
