"""`yatzy match` from outside."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from helpers.command import answer, refusal, yatzy

from yatzy import Position, Sheet, load_game
from yatzy.games import Category, Chance, Game
from yatzy.matches.values import solve_position

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


def test_tables_of_too_many_categories_are_refused_before_their_size_is_told(tmp_path: Path) -> None:
    said = refusal("match", "tables", "yacht", "--depth", "25", "--tables", tmp_path)
    assert "depth: 25 is not from 0 to 24" in said
    assert not list(tmp_path.iterdir())


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


CHANCE = Game("last-chance", 5, 6, 3, (Category("chance", Chance()),))
"""What is left of a game in which only chance is open and all have the same points."""


@pytest.fixture
def last_chance(tmp_path: Path) -> Callable[[int], list[str]]:
    """The arguments for a position of so many players before the first roll."""
    path = tmp_path / "chance.toml"
    path.write_text(str(CHANCE), encoding="utf-8")
    return lambda players: [str(Position.start(CHANCE, players)), "--game", str(path), "--tables", str(tmp_path)]


def test_the_value_of_a_match_before_the_roll(last_chance: Callable[[int], list[str]]) -> None:
    """Pawlewicz: the one who moves second is worth .518."""
    found = answer("value", *last_chance(2), "--objective", "match:auto")
    assert round(1 - found["value"], 3) == 0.518
    assert found["value"] == pytest.approx(solve_position(Position.start(CHANCE, 2)), abs=1e-6)
    assert (found["exact"], found["turns"], found["search"]) == (True, 1, "match:emp:1")
    assert (found["payoff"], found["unit"], found["player"]) == ("match-points", "worth", 1)
    assert "others" not in found
    shown = yatzy("value", *last_chance(2), "--objective", "match:dyns:2").stdout.splitlines()
    assert shown[0].startswith("player 1 to move: 0.48")
    assert shown[1:] == [last_chance(2)[0]]


def test_the_value_against_opponents_who_ignore_us(last_chance: Callable[[int], list[str]]) -> None:
    found = answer("value", *last_chance(2), "--against", "expected", "--payoff", "win")
    assert (found["objective"], found["opponents"], found["unit"]) == ("answer:expected", ["expected"], "chance")
    optimum = answer("value", *last_chance(2), "--objective", "match:auto", "--payoff", "win")
    assert found["value"] > optimum["value"]  # the optimum assumes an opponent who looks
    assert "best strategy for points" in yatzy("value", *last_chance(2), "--against", "expected").stdout


def test_a_search_of_three_says_what_it_assumes_about_the_others(last_chance: Callable[[int], list[str]]) -> None:
    themselves = answer("value", *last_chance(3), "--objective", "match:emp:3", "--payoff", "win")
    against = answer("value", *last_chance(3), "--objective", "match:emp:3:against-you", "--payoff", "win")
    assert (themselves["others"], against["others"]) == ("for-themselves", "against-you")
    assert themselves["exact"]
    assert themselves["value"] > against["value"] + 0.001
    rolled = [str(Position.start(CHANCE, 3).roll((1, 2, 3, 4, 6))), *last_chance(3)[1:]]
    shown = yatzy("match", "advise", *rolled, "--objective", "match:emp:2:against-you").stdout
    assert shown.splitlines()[-1] == "Assumption: all others play against player 1."
    shown = yatzy("advise", *rolled, "--columns", "match:emp:1,match:emp:2,match:emp:3", "--language", "de").stdout
    assert shown.splitlines()[-1] == "Annahme: Jeder andere spielt für sich selbst."
    assert answer("match", "advise", *rolled, "--objective", "match:emp:1")["others"] is None


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


def test_play_off_of_three(last_chance: Callable[[int], list[str]], tmp_path: Path) -> None:
    _, *options = last_chance(3)
    table = ["match", "play-off", "match:emp:1", "2*expected", *options, "--games", "600", "--payoff", "win"]
    found = answer(*table, "--out", tmp_path / "parts")
    assert (found["matches"], found["orders"], found["players"]) == (600, 3, ["match:emp:1", "expected", "expected"])
    best, other = found["strategies"]
    assert (best["seats"], other["seats"]) == (1, 2)
    assert best["payoff"] == best["wins"]  # a win pays 1
    assert best["payoff"]["value"] + 2 * other["payoff"]["value"] == pytest.approx(
        sum(seat["value"] for seat in found["by_seat"])
    )
    assert answer(*table, "--out", tmp_path / "parts") == found == answer(*table, "--threads", "1")
    assert "600 matches of 3 players in 3 orders of the seats, seed 1" in yatzy(*table).stdout


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
        (["match", "play-off", "expected"], "2 to 6 players, not 1"),
        (["match", "play-off", "7*expected"], "2 to 6 players, not 7"),
        (["match", "play-off", "3*expected", "--payoff", "3,1"], "2 places, but there are 3 players"),
        (["match", "play-off", "mine.py:Mine", "2*greedy", "--out", "parts"], "leave --out away"),
        (["value", ONE, "--objective", "match:auto"], "a match needs at least two players; this position has one"),
        (["value", END, "--objective", "match:auto", "--payoff", "3,2,1"], "3 places, but there are 2 players"),
        (["value", END, "--payoff", "win"], "does not look at the opponents"),
        (["value", END, "--against", "2*expected"], "give one for each opponent, 1 here, not 2"),
        (["value", END, "--against", "greedy", "--objective", "match:auto"], "either --objective or --against"),
    ],
)
def test_wrong_questions_get_one_line(arguments: list[str], says: str) -> None:
    assert says in refusal(*arguments)
