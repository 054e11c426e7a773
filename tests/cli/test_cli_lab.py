"""The commands of the lab from outside."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers.command import answer, refusal, yatzy

OWN = "class Mine:\n    def move(self, position):\n        return 'ones'\n"
LATE = """
from yatzy import Score

class Late:
    games = 0

    def move(self, position, earlier):
        self.games += position.sheet.filled == 0 and not earlier
        return Score("nowhere") if self.games == 7 else position.legal_moves[-1]
"""
SMALL = ("--game", "yacht", "--games", "3000", "--seed", "7")


def test_simulate_tells_everything_with_errors() -> None:
    found = answer("simulate", *SMALL, "--strategy", "greedy", "--at-least", "100,150")
    assert (found["game"], found["strategy"], found["games"], found["seed"]) == ("yacht", "greedy", 3000, 7)
    for name in ("mean", "sd", "variance", "median", "yatzy"):
        assert set(found[name]) == {"value", "error"}
    assert found["mean"]["error"] == pytest.approx(found["sd"]["value"] / 3000**0.5, rel=1e-6)
    assert list(found["percentiles"]) == ["1", "5", "10", "25", "50", "75", "90", "95", "99"]
    assert found["min"] <= found["mode"] <= found["max"]
    assert found["at_least"]["100"]["value"] >= found["at_least"]["150"]["value"] > 0
    assert found["bonus"] is None
    assert len(found["categories"]) == 12
    again = answer("simulate", *SMALL, "--strategy", "greedy", "--threads", "1", "--at-least", "100,150")
    assert again == found


def test_simulate_for_people(tmp_path: Path) -> None:
    done = yatzy("simulate", *SMALL, "--plot", tmp_path / "s.svg", "--language", "sv")
    assert done.returncode == 0, done.stderr
    assert "3\N{NO-BREAK SPACE}000 partier, frö 7" in done.stdout
    assert "medel" in done.stdout
    assert (tmp_path / "s.svg").stat().st_size > 10_000


def test_simulate_writes_parquet(tmp_path: Path) -> None:
    import polars

    out = tmp_path / "games.parquet"
    found = answer("simulate", *SMALL, "--out", out)
    rows = polars.read_parquet(out)
    assert len(rows) == 3000
    assert rows["total"].mean() == pytest.approx(found["mean"]["value"])
    assert [path.name for path in tmp_path.iterdir()] == ["games.parquet"]


def test_a_replay_is_game_k_of_the_run(tmp_path: Path) -> None:
    import polars

    out = tmp_path / "games.parquet"
    answer("simulate", *SMALL, "--strategy", "softened:1", "--out", out)
    found = answer("replay", "41", "--game", "yacht", "--strategy", "softened:1", "--seed", "7")
    assert found["total"] == polars.read_parquet(out)["total"][41]
    assert sum(turn["points"] + turn["bonuses"] for turn in found["turns"]) == found["total"]
    done = yatzy("replay", "41", "--game", "yacht", "--seed", "7")
    assert "game 41 of seed 7" in done.stdout
    assert len(done.stdout.splitlines()) > 12


def test_simulated_games_are_written_as_records_and_reviewed(tmp_path: Path) -> None:
    path, few = tmp_path / "games.csv", ("--game", "yacht", "--games", "20", "--seed", "7")
    total = answer("simulate", *few, "--strategy", "softened:1", "--records", path)["mean"]["value"]
    found = answer("review", path)
    assert (found["records"], found["players"][0]["name"]) == (20, "softened 1")
    assert found["players"][0]["final"]["value"] == pytest.approx(total)
    text = tmp_path / "game.txt"
    one = answer("replay", "3", *few[:2], "--seed", "7", "--strategy", "softened:1", "--record", text)
    assert answer("review", text)["scores"] == [one["total"]]
    answer("replay", "3", *few[:2], "--seed", "7", "--strategy", "softened:1", "--record", tmp_path / "game.csv")
    assert answer("review", tmp_path / "game.csv")["scores"] == [one["total"]]
    assert "written as .csv" in refusal("simulate", *few, "--records", tmp_path / "games.txt")
    assert "too many for records" in refusal("simulate", "--games", "100001", "--records", path)


def test_a_distribution_is_kept_after_the_first_time(tmp_path: Path) -> None:
    arguments = ("distribution", "--game", "yacht", "--strategy", "expected", "--tables", tmp_path)
    first, again = yatzy(*arguments), yatzy(*arguments)
    assert "Evaluating" in first.stderr
    assert "Evaluating" not in again.stderr
    assert first.stdout == again.stdout
    late = ("distribution", "yacht~s0.0.0.0.0.0.0.0.0.0..", "--strategy", "expected", "--tables", tmp_path)
    assert yatzy(*late).stdout != first.stdout


def test_compare_two_strategies_and_two_games(tmp_path: Path) -> None:
    found = answer("compare", "expected", "greedy", *SMALL, "--exact")
    assert found["dice"] == "same"
    assert found["difference"]["value"] > 0
    assert found["wins"]["value"] + found["draws"]["value"] + found["losses"]["value"] == pytest.approx(1)
    assert found["exact"]["difference"] == pytest.approx(
        found["difference"]["value"], abs=5 * found["difference"]["error"]
    )
    done = yatzy("compare", "yacht@expected", "yatzy-forced-order@expected", "--games", "1000", "--dice", "independent",
                 "--plot", tmp_path / "c.png")  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "Yacht, best strategy for points and Yatzy in forced order, best strategy for points" in done.stdout
    assert "overlap" in done.stdout
    assert (tmp_path / "c.png").exists()


def test_players(tmp_path: Path) -> None:
    found = answer("players", "3*greedy", "expected", *SMALL, "--exact")
    assert [player["strategy"] for player in found["players"]] == ["greedy"] * 3 + ["expected"]
    assert sum(player["exact"]["wins"] for player in found["players"]) == pytest.approx(1)
    assert found["players"][3]["wins"]["value"] > 0.25
    done = yatzy("players", "2*expected", "--game", "yacht", "--games", "1000", "--plot", tmp_path / "w.svg")
    assert "winner's score" in done.stdout, done.stderr


def test_export_and_play_from_it(tmp_path: Path) -> None:
    path = tmp_path / "greedy.yz"
    found = answer("export", path, "--game", "yacht", "--strategy", "greedy")
    assert found["bytes"] == path.stat().st_size
    one, other = (answer("simulate", *SMALL, "--strategy", name) for name in ("greedy", f"file:{path}"))
    assert one["mean"] == other["mean"]
    assert one["categories"] == other["categories"]


def test_what_a_strategy_prints_does_not_spoil_the_answer(tmp_path: Path) -> None:
    file = tmp_path / "loud.py"
    file.write_text(OWN.replace("return 'ones'", "print('thinking'); return 'ones'") + "print('hello')\n")
    asked = ("distribution", "--strategy", f"{file}:Mine", "--open", "ones", "--points", "200")
    assert answer(*asked)["mean"] == pytest.approx(200 + 5 / 6)
    assert "hello" in yatzy(*asked, "--json").stderr


def test_any_strategy_has_a_distribution_near_the_end(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(OWN)
    found = answer("distribution", "--strategy", f"{file}:Mine", "--game", "yatzy", "--open", "ones", "--points", "200")
    assert found["mean"] == pytest.approx(200 + 5 / 6)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["simulate", "--games", "0"], "--games"),
        (["simulate", "--strategy", "best"], "there is no strategy 'best'"),
        (["simulate", "--game", "yazty"], "yazty"),
        (["simulate", "--seed", "99999999999999999999"], "seed"),
        (["simulate", "--at-least", "many"], "'many' is not a score"),
        (["simulate", "--plot", "x.txt"], ".svg, .png, .pdf"),
        (["simulate", "--strategy", "molinder-bonus", "--game", "yahtzee"], "molinder-bonus plays"),
        (["compare", "expected"], "Missing argument"),
        (["compare", "nowhere@expected", "greedy"], "nowhere"),
        (["players", "expected", "--game", "yacht"], "players"),
        (["replay", "-1"], "-1"),
        (["export", "x.yz", "--game", "yacht", "--strategy", "random"], "random cannot be exported"),
        (["study", "nothere.toml"], "nothere.toml"),
    ],
)
def test_wrong_questions_get_one_line(arguments: list[str], says: str) -> None:
    assert says in refusal(*arguments)


def test_an_illegal_strategy_is_named_and_finished_games_are_kept(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(LATE)
    done = yatzy("simulate", *SMALL, "--strategy", f"{file}:Late", "--out", tmp_path / "g.parquet")
    assert (done.returncode, done.stdout) == (2, "")
    said = done.stderr.splitlines()[-1]
    assert "illegal move nowhere in yacht~s" in said
    assert said.endswith("g.parquet.parts: 6")
    assert "Traceback" not in done.stderr
