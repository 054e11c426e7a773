"""`yatzy match` from outside."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers.command import answer, refusal, yatzy

from yatzy import Position, Sheet, load_game

YACHT = load_game("yacht")
END = str(
    Position(
        (
            Sheet.of_boxes(YACHT, (3, 4, 6, 8, 10, 12, 0, 0, 0, 30, None, None)),
            Sheet.of_boxes(YACHT, (2, 4, 6, 8, 10, 18, 0, 0, 0, 30, None, None)),
        ),
        (2, 2, 5, 6, 6),
        1,
    )
)


def test_counts_are_those_in_print() -> None:
    """Every row is a test in tests/papers; here the command."""
    found = answer("match", "counts", "yahtzee-pawlewicz")
    assert (found["pairs"], found["values"]) == (33_192_583_276, 12_671_976_997_282)
    assert len(found["rows"]) == 27
    assert found["rows"][2] == {"mover": 12, "opponent": 12, "pairs": 7225, "values": 1325955, "depth": 2}
    assert found["bytes"] == 4 * found["values"]
    done = yatzy("match", "counts", "yacht", "--time")
    assert "values per second" in done.stdout, done.stderr


def test_tables_are_made_once(tmp_path: Path) -> None:
    first = answer("match", "tables", "yacht", "--depth", "3", "--tables", tmp_path)
    again = answer("match", "tables", "yacht", "--depth", "3", "--tables", tmp_path)
    assert (first["cached"], again["cached"]) == (False, True)
    assert first["bytes"] == again["bytes"] > 4 * first["values"]
    assert "to depth 3" in yatzy("match", "tables", "yacht", "--depth", "3", "--tables", tmp_path).stdout


def test_much_is_written_only_after_a_question(tmp_path: Path) -> None:
    said = yatzy("match", "tables", "yahtzee-pawlewicz", "--depth", "5", "--tables", tmp_path)
    assert said.returncode == 2
    assert "take 14.79 GB" in said.stderr
    assert "will be written; continue? use --yes" in said.stderr.splitlines()[-1]
    assert list(tmp_path.iterdir()) == []


def test_advice_for_two_is_exact_near_the_end() -> None:
    found = answer("match", "advise", END)
    assert found["exact"]
    assert found["player"] == 1
    assert 0 < found["value"] < 1
    searched = answer("match", "advise", END, "--objective", "match:emp:4")
    assert searched["value"] == pytest.approx(found["value"], abs=1e-5)
    assert searched["best"] == found["best"]
    win = answer("match", "advise", END, "--payoff", "win")
    assert win["value"] <= found["value"] + 1e-6
    done = yatzy("match", "advise", END, "--top", "3")
    assert "player 1 to move" in done.stdout
    assert "exact" in done.stdout


def test_advise_shows_match_objectives_beside_others() -> None:
    found = answer("advise", END, "--columns", "expected,match:emp:0,match:auto")
    assert set(found["moves"][0]["values"]) == {"expected", "match:emp:0", "match:auto"}
    assert found["objective"] == "expected"


def test_play_off() -> None:
    found = answer("match", "play-off", "match:emp:1", "expected", "--game", "yacht", "--games", "4000")
    assert found["matches"] == 4000
    assert found["score"]["value"] > 0.5
    assert found["advantage"]["value"] == pytest.approx(found["score"]["value"] - 0.5)
    done = yatzy("match", "play-off", "greedy", "expected", "--game", "yacht", "--games", "100")
    assert "100 matches in pairs" in done.stdout, done.stderr


ONE = str(Position.start(YACHT).roll((1, 2, 3, 4, 5)))


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["match", "advise", ONE], "a match needs at least two players"),
        (["match", "advise", END, "--objective", "match:best"], "there is no match objective 'match:best'"),
        (["match", "advise", END, "--objective", "match:emp:x"], "whole number"),
        (["match", "advise", END, "--payoff", "1,2"], "payoff"),
        (["advise", ONE, "--objective", "match:emp:1"], "a match needs at least two players"),
        (["match", "play-off", "match:emp:7", "expected"], "too slow for matches in bulk"),
        (["match", "counts", "nowhere"], "nowhere"),
    ],
)
def test_wrong_questions_get_one_line(arguments: list[str], says: str) -> None:
    assert says in refusal(*arguments)
