"""`yatzy review` from outside: one game in full, many as statistics, reports that run nothing."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from helpers.command import answer, refusal, yatzy
from helpers.played_records import played_record

from yatzy import load_game, parse_strategy
from yatzy.games import Game, Player, Position, Record, Score, show_dice
from yatzy.games.record_csv import write_csv
from yatzy.strategies.softened import RandomStrategy

TILLIUS = Path(__file__).parents[2] / "src/yatzy_papers/data/tillius-2026-table-6.txt"
EVIL = "<img src=x onerror=alert(1)>"


@pytest.fixture(scope="module")
def small() -> Game:
    return load_game("two-yatzy")


def _written(path: Path, record: Record) -> Path:
    path.write_text(str(record), encoding="utf-8")
    return path


def test_the_printed_game_for_people() -> None:
    done = yatzy("review", TILLIUS)
    assert done.returncode == 0, done.stderr
    assert re.search(r"248\.44 at the start \+ 6\.56 luck − 0\.00 error = 255\n", done.stdout)
    assert "mean loss 0.000" in done.stdout
    assert "★ best 44" in done.stdout
    assert "11455 (55) 55556 (5555) 15555" in done.stdout
    assert "Errors" not in done.stdout


def test_the_sum_in_json_is_that_of_the_game(tmp_path: Path) -> None:
    strategy = parse_strategy("softened:1", load_game("yatzy"))
    record = played_record(strategy, 2, players=2)
    found = answer("review", _written(tmp_path / "g.txt", record))
    assert found["scores"] == list(record.scores)
    for player, score in zip(found["players"], record.scores, strict=True):
        assert player["start"] + player["luck"] - player["error"] == pytest.approx(score, abs=1e-6)
        assert player["errors"][0]["loss"] == max(one["loss"] for turn in player["turns"] for one in turn["decisions"])
    advice = answer("advise", found["players"][0]["errors"][0]["position"])
    worst = found["players"][0]["errors"][0]
    assert advice["moves"][0]["value"] - worst["made"] == pytest.approx(worst["loss"])
    only = answer("review", tmp_path / "g.txt", "--player", "BO")
    assert [player["name"] for player in only["players"]] == ["Bo"]


def test_a_match_shows_what_the_other_did(tmp_path: Path, small: Game) -> None:
    path = _written(tmp_path / "g.txt", played_record(RandomStrategy(small), 1, players=2))
    done = yatzy("review", path, "--objective", "match:emp:99")
    assert done.returncode == 0, done.stderr
    assert "the other's luck" in done.stdout
    assert "corrections" not in done.stdout
    found = answer("review", path, "--objective", "match:emp:99")
    assert found["residual"] < 1e-6
    alone = _written(tmp_path / "one.txt", played_record(RandomStrategy(small), 1))
    assert "at least two players" in refusal("review", alone, "--objective", "match:emp:1")


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))


@pytest.mark.parametrize("objective", ["expected", "match:emp:99"])
def test_names_in_reports_are_only_text(tmp_path: Path, small: Game, objective: str) -> None:
    record = played_record(RandomStrategy(small), 1, 3, players=2)
    record = replace(record, players=(Player(EVIL), Player("_Bo | *b* $x$ 骰")))
    path = _written(tmp_path / "g.txt", record)
    for name in ("r.html", "r.md"):
        done = yatzy("review", path, "--objective", objective, "--out", tmp_path / name)
        assert done.returncode == 0, done.stderr
        assert EVIL in done.stdout
        assert done.stderr == "" or "Solving" in done.stderr
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    parser = _Tags()
    parser.feed(page)
    assert "&lt;img src=x onerror=alert(1)&gt;" in page
    assert not any(name.startswith("on") for _, attributes in parser.tags for name in attributes)
    sources = [attributes["src"] or "" for tag, attributes in parser.tags if tag == "img"]
    assert len(sources) == 3
    assert all(source.startswith("data:image/svg+xml;base64,") for source in sources)
    assert {tag for tag, _ in parser.tags} & {"script", "iframe", "object", "link"} == set()
    assert "default-src 'none'" in page
    text = (tmp_path / "r.md").read_text(encoding="utf-8")
    assert "<img" not in text.replace("\\<img", "")
    assert "\\_Bo \\| \\*b\\* $x$ 骰" in text


def test_what_is_not_known_is_said(tmp_path: Path) -> None:
    lines = TILLIUS.read_text(encoding="utf-8").splitlines()
    first = next(number for number, line in enumerate(lines) if line.startswith("1:"))
    lines[first], lines[first + 1] = "1: 15555 fives 20", "2: full-house 28"
    (tmp_path / "sheet.txt").write_text("\n".join(lines), encoding="utf-8")
    done = yatzy("review", tmp_path / "sheet.txt")
    assert done.returncode == 0, done.stderr
    assert "luck and keeps are evaluated together" in done.stdout
    assert "luck, keeps and category are evaluated together" in done.stdout
    assert "= 255" in done.stdout
    known = [turn["known"] for turn in answer("review", tmp_path / "sheet.txt")["players"][0]["turns"]]
    assert known == ["dice", "points", *["full"] * 13]


def test_many_games_are_told_as_statistics(tmp_path: Path, small: Game) -> None:
    import polars

    records = [played_record(RandomStrategy(small), 4, n, players=2) for n in range(6)]
    (tmp_path / "many.csv").write_text(write_csv(records[:4]), encoding="utf-8")
    for n, record in enumerate(records[4:]):
        _written(tmp_path / f"g{n}.txt", record)
    (tmp_path / "bad.txt").write_text("game: two-yatzy\nplayer: Ann\n\n1: 99 chance 3\n", encoding="utf-8")
    done = yatzy("review", tmp_path, "--parquet", tmp_path / "d.parquet", "--out", tmp_path / "s.html")
    assert done.returncode == 0, done.stderr
    assert "6 games reviewed for points" in done.stdout
    assert "Mean loss by phase of the game" in done.stdout
    assert "bad.txt" in done.stderr
    assert "1 of 4 files were refused" in done.stderr
    rows = polars.read_parquet(tmp_path / "d.parquet")
    assert rows["record"].n_unique() == 6
    assert "<table" in (tmp_path / "s.html").read_text(encoding="utf-8")
    found = answer("review", tmp_path / "many.csv")
    assert found["records"] == 4
    assert [one["name"] for one in found["players"]] == ["Ann", "Bo", None]
    everybody = found["players"][-1]
    assert everybody["all"]["decisions"] == sum(part["decisions"] for part in everybody["phases"].values())
    done = yatzy("review", tmp_path / "many.csv", "--player", "Cy")
    assert done.returncode == 2
    assert "no player 'Cy' in these games; there are Ann, Bo\n" in done.stderr


def test_one_game_into_parquet(tmp_path: Path, small: Game) -> None:
    import polars

    path = _written(tmp_path / "g.txt", played_record(RandomStrategy(small), 4))
    done = yatzy("review", path, "--parquet", tmp_path / "d.parquet")
    assert done.returncode == 0, done.stderr
    rows = polars.read_parquet(tmp_path / "d.parquet")
    told = [one for turn in answer("review", path)["players"][0]["turns"] for one in turn["decisions"]]
    assert rows["move"].to_list() == [one["move"]["move"] for one in told]
    for row in rows.iter_rows(named=True):
        where = Position.parse(row["position"], small)
        assert (show_dice(where.dice), where.rolls_left) == (row["dice"], row["rolls_left"])
        assert where.sheet.upper == row["upper"]
        assert [small.categories[i].id for i in where.sheet.open] == row["open_categories"].split(",")
        assert len(where.sheet.open) == row["open"]
        assert small.parse_move(row["best"]) in where.legal_moves


def test_parquet_has_only_the_player_that_is_asked_for(tmp_path: Path, small: Game) -> None:
    import polars

    records = [played_record(RandomStrategy(small), 4, n, players=2) for n in range(2)]
    (tmp_path / "many.csv").write_text(write_csv(records), encoding="utf-8")
    one = _written(tmp_path / "one.txt", records[0])
    for path, games in ((tmp_path / "many.csv", 2), (one, 1)):
        done = yatzy("review", path, "--player", "bo", "--parquet", tmp_path / "d.parquet")
        assert done.returncode == 0, done.stderr
        rows = polars.read_parquet(tmp_path / "d.parquet")
        assert rows["player"].unique().to_list() == ["Bo"]
        assert rows["record"].n_unique() == games
        assert rows["position"].n_unique() > games


def test_wrong_input_is_one_clear_line(tmp_path: Path, small: Game) -> None:
    record = played_record(RandomStrategy(small), 4)
    path = _written(tmp_path / "g.txt", record)
    assert "missing.txt" in refusal("review", tmp_path / "missing.txt")
    assert ".html or .md" in refusal("review", path, "--out", tmp_path / "r.pdf")
    assert "Ann" in refusal("review", path, "--player", "Cy")
    assert "there is no objective" in refusal("review", path, "--objective", "most")
    (tmp_path / "b.txt").write_text("game: two-yatzy\nplayer: Ann\n\n1: 99 ones 3\n", encoding="utf-8")
    assert "b.txt" in refusal("review", tmp_path / "b.txt")
    (tmp_path / "empty").mkdir()
    assert "no records" in refusal("review", tmp_path / "empty")


def test_records_of_a_game_of_ones_own(tmp_path: Path, small: Game) -> None:
    own = replace(small, id="mine", names={"en": "Mine"})
    record = played_record(RandomStrategy(own), 4)
    found = answer("review", _written(tmp_path / "g.txt", record))
    assert found["game"] == "mine"
    assert found["scores"] == list(record.scores)


def test_a_struck_category_is_named(tmp_path: Path, small: Game) -> None:
    record = played_record(RandomStrategy(small), 4)
    turn = next(turn for turn in record.turns if turn.points)
    assert turn.score is not None
    struck = replace(turn, score=Score(turn.score.category, strike=True), points=None)
    path = _written(tmp_path / "g.txt", Record(small, record.players, (struck,)))
    told = answer("review", path)["players"][0]["turns"][0]["decisions"][-1]
    assert told["move"]["move"] == f"{turn.score.category}=0"
