"""Many records at once: the same rows as one by one, the statistics made of them, and the Parquet file."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest
from helpers.played_records import played_record, record_of
from helpers.random_records import random_record
from helpers.small_games import FIXED

from yatzy import ExpectedScore, advise, evaluate, load_game, parse_strategy
from yatzy.coach.grades import LIMITS, grade_of
from yatzy.coach.reviews import bulk
from yatzy.coach.reviews.bulk import review_many
from yatzy.coach.reviews.decisions import GRADES, KINDS, PHASES, Decisions, ReviewedGames, grades_of, write_parquet
from yatzy.coach.reviews.files import read_records, record_paths
from yatzy.coach.reviews.review import review
from yatzy.coach.reviews.statistics import all_statistics, player_statistics
from yatzy.errors import InputError
from yatzy.games import Detail, Game, Keep, Record
from yatzy.games.record_csv import write_csv
from yatzy.lab import replay
from yatzy.solver import Solver, solve
from yatzy.strategies.softened import RandomStrategy
from yatzy.units import Unit
from yatzy.values.curves import BestChances
from yatzy.values.evaluator import Solution
from yatzy.values.targets import TargetChance

Sourced = list[tuple[str, Record]]


def one_by_one(records: Sourced, solution: Solution, patch: pytest.MonkeyPatch) -> ReviewedGames:
    with patch.context() as inside:
        inside.setattr(bulk, "_is_whole", lambda record: False)
        return review_many(records, solution, positions=True)


def assert_same(fast: ReviewedGames, slow: ReviewedGames, tolerance: float = 1e-9) -> None:
    """The same rows, but for which of equal moves is named as the best."""
    assert set(fast.words) == set(slow.words)
    assert len(fast.decisions) == len(slow.decisions)
    for field in fields(Decisions):
        mine, theirs = (getattr(one.decisions, field.name) for one in (fast, slow))
        if mine.dtype == np.float64:
            np.testing.assert_allclose(mine, theirs, rtol=0, atol=tolerance)
        elif field.name in ("move", "dice", "open_categories", "before"):
            assert [fast.words[code] for code in mine] == [slow.words[code] for code in theirs], field.name
        elif field.name != "best":
            assert mine.dtype == theirs.dtype
            np.testing.assert_array_equal(mine, theirs, err_msg=field.name)
    for one, other in zip(fast.games, slow.games, strict=True):
        names = ("record", "source", "game", "seat", "player", "over", "decisions")
        assert [getattr(one, name) for name in names] == [getattr(other, name) for name in names]
        numbers = ("start", "final", "luck", "error", "mixed")
        assert [getattr(one, name) for name in numbers] == pytest.approx(
            [getattr(other, name) for name in numbers], abs=10 * tolerance
        )


def assert_best(records: Sourced, reviewed: ReviewedGames, solution: Solution) -> None:
    """The move named as the best is among those that advice calls as good as any."""
    decisions = [one for _, record in records for player in review(record, solution).players
                 for one in player.decisions]  # fmt: skip
    words = [reviewed.words[code] for code in reviewed.decisions.best]
    seen = 0
    for word, one in zip(words, decisions, strict=True):
        advice = advise(solution, one.position)
        good = {str(e.move) for e in advice.moves if solution.tied(e.value, advice.value)}
        if one.grade is not GRADES[0]:
            assert word in good
            seen += 1
    assert seen > 10


@pytest.mark.parametrize("game", FIXED, ids=lambda game: f"{game.id}-{game.dice}-{game.faces}")
def test_rows_are_those_of_reviews_one_by_one(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    rng, solution = random.Random(game.id), solve(game)
    records = [(f"game {number}", random_record(game, rng)) for number in range(25)]
    fast = review_many(records, solution, positions=True)
    assert_same(fast, one_by_one(records, solution, monkeypatch))
    assert_best(records, fast, solution)
    assert all(one.residual == pytest.approx(0, abs=1e-9) for one in fast.games)
    known = {turn.detail for _, record in records if bulk._is_whole(record) for turn in record.turns}
    assert known >= {Detail.DICE, Detail.POINTS}


def test_rows_of_a_target_are_those_of_reviews_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    game = FIXED[1]
    rng, chances = random.Random(3), BestChances(game)
    for score in (9, 14):
        target = TargetChance(chances, Solver().expected(game), score)
        records = [(f"game {n}", random_record(game, rng, details=False)) for n in range(25)]
        fast = review_many(records, target, positions=True)
        assert_same(fast, one_by_one(records, target, monkeypatch))
        assert_best(records, fast, target)


def test_rows_of_a_large_game_are_those_of_reviews_one_by_one(
    solved: Callable[[str], ExpectedScore], monkeypatch: pytest.MonkeyPatch
) -> None:
    for id in ("yatzy", "yahtzee"):
        solution = solved(id)
        strategy = parse_strategy("softened:0.6", solution.game)
        records = [(f"game {n}", played_record(strategy, 3, n, 2)) for n in range(4)]
        fast = review_many(records, solution, positions=True)
        assert_same(fast, one_by_one(records, solution, monkeypatch))
        assert_best(records, fast, solution)


def test_records_of_several_games_come_in_their_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bulk, "BATCH", 3)
    rng, chosen = random.Random(1), (FIXED[0], FIXED[4])
    records = [(f"game {n}", random_record(chosen[n % 2], rng)) for n in range(11)]
    found = review_many(records, solve)
    assert [one.record for one in found.games] == sorted(one.record for one in found.games)
    assert {one.record: one.source for one in found.games} == {n: f"game {n}" for n in range(11)}
    for n, (_, record) in enumerate(records):
        mine = [number for number, one in enumerate(found.games) if one.record == n]
        alone = review_many([("x", record)], solve(record.game))
        rows = np.isin(found.decisions.summary, mine)
        np.testing.assert_allclose(found.decisions.loss[rows], alone.decisions.loss, atol=1e-12)
        moves = [found.words[code] for code in found.decisions.move[rows]]
        assert moves == [alone.words[code] for code in alone.decisions.move]


@pytest.mark.parametrize("total", [0, 2, 3])
def test_progress_counts_records_also_if_there_are_more_than_expected(
    total: int, solved: Callable[[str], ExpectedScore]
) -> None:
    solution, told = solved("yatzy"), list[tuple[int, int]]()
    record = played_record(parse_strategy("softened:1", solution.game), 3, 0, 2)
    review_many(
        [(f"{n}", record) for n in range(3)], solution, progress=lambda *counts: told.append(counts), total=total
    )
    assert told == [(count, max(count, total)) for count in (1, 2, 3)]


def test_a_judge_of_another_game_is_refused() -> None:
    with pytest.raises(InputError, match=FIXED[0].id):
        review_many([("x", random_record(FIXED[0], random.Random(1)))], solve(FIXED[1]))
    with pytest.raises(InputError, match="no games"):
        review_many([], solve(FIXED[1]))


@pytest.mark.parametrize("unit", list(Unit))
def test_classes_of_many_are_those_of_one(unit: Unit) -> None:
    near = [limit + step for limit in LIMITS[unit] for step in (-1e-9, 0.0, 1e-9)]
    losses = np.array([0.0, *near, 50.0])
    for tied in (False, True):
        found = grades_of(losses, unit, np.full(len(losses), tied))
        assert [GRADES[code] for code in found] == [grade_of(loss, unit, tied=tied) for loss in losses.tolist()]


# Statistics


@pytest.fixture(scope="module")
def games(solved: Callable[[str], ExpectedScore]) -> tuple[Sourced, ReviewedGames]:
    solution = solved("yatzy")
    strategy = parse_strategy("softened:1", solution.game)
    records = [(f"game {n}", played_record(strategy, 3, n, 2)) for n in range(6)]
    return records, review_many(records, solution)


def test_statistics_are_means_over_decisions_that_were_not_forced(
    games: tuple[Sourced, ReviewedGames], solved: Callable[[str], ExpectedScore]
) -> None:
    records, reviewed = games
    all_of_bo = [review(record, solved("yatzy")).players[1] for _, record in records]
    found = player_statistics(reviewed, "BO")
    assert found.player == "Bo"
    assert found.games == 6
    chosen = [one for player in all_of_bo for one in player.chosen]
    assert found.overall.decisions == len(chosen)
    assert found.overall.mean is not None
    assert found.overall.mean.value == pytest.approx(np.mean([one.loss for one in chosen]))
    assert found.overall.grades == tuple(sum(one.grade is grade for one in chosen) for grade in GRADES)
    each = (("luck", found.luck), ("error", found.error), ("final", found.final))
    for name, estimate in each:  # with the standard error of a mean
        numbers = np.array([getattr(player, name) for player in all_of_bo])
        assert estimate is not None
        assert estimate.value == pytest.approx(numbers.mean())
        assert estimate.error == pytest.approx(numbers.std(ddof=1) / 6**0.5)
    for number in range(len(PHASES)):
        part = [one.loss for one in chosen if (one.turn - 1) // 5 == number]
        mean = found.by_phase[number].mean
        assert mean is not None
        assert found.by_phase[number].decisions == len(part)
        assert mean.value == pytest.approx(np.mean(part))
    for number, kind in enumerate(KINDS):
        part = [one.loss for one in chosen if isinstance(one.move, Keep) == (kind == "keep")]
        mean = found.by_kind[number].mean
        assert mean is not None
        assert found.by_kind[number].decisions == len(part)
        assert mean.value == pytest.approx(np.mean(part))
        assert sum(phase[number].decisions for phase in found.by_both) == len(part)


def test_the_error_of_a_mean_is_that_of_the_games() -> None:
    """Twice the same games have the same mean, and an error smaller by about √2: games count, not decisions."""
    game = load_game("two-yatzy")
    records = [("x", played_record(RandomStrategy(game), 3, n)) for n in range(40)]
    once = player_statistics(review_many(records, solve(game))).overall.mean
    twice = player_statistics(review_many(records * 2, solve(game))).overall.mean
    assert once is not None
    assert twice is not None
    assert twice.value == pytest.approx(once.value)
    assert twice.error == pytest.approx(once.error * (39 / 79) ** 0.5)


def test_the_games_of_one_player_are_all_of_theirs(games: tuple[Sourced, ReviewedGames]) -> None:
    reviewed = games[1]
    of_bo = reviewed.of_player("BO")
    assert [one.player for one in of_bo.games] == ["Bo"] * 6
    assert sorted(set(of_bo.decisions.summary.tolist())) == list(range(6))
    rows = [number for number, game in enumerate(reviewed.decisions.summary) if reviewed.games[game].player == "Bo"]
    assert of_bo.decisions.loss.tolist() == reviewed.decisions.loss[rows].tolist()
    assert player_statistics(of_bo, "Bo").overall == player_statistics(reviewed, "Bo").overall


def test_open_categories_are_those_before_the_turn(games: tuple[Sourced, ReviewedGames]) -> None:
    records, reviewed = games
    rows = reviewed.decisions
    first = [one.id for one in records[0][1].game.categories]
    for row in range(0, len(rows), 17):
        summary = reviewed.games[rows.summary[row]]
        record = dict(records)[summary.source]
        turn = record.positions[(int(rows.turn[row]) - 1) * len(record.players) + summary.seat]
        open_ids = [first[place] for place in turn.sheet.open]
        assert reviewed.words[rows.open_categories[row]] == ",".join(open_ids)
        assert rows.open[row] == len(open_ids)


def test_everybody_comes_last(games: tuple[Sourced, ReviewedGames]) -> None:
    found = all_statistics(games[1])
    assert [one.player for one in found] == ["Ann", "Bo", None]
    assert found[2].overall.decisions == sum(one.overall.decisions for one in found[:2])
    with pytest.raises(InputError, match="Ann, Bo"):
        player_statistics(games[1], "Cy")


def test_who_decided_nothing_has_no_mean_loss(solved: Callable[[str], ExpectedScore]) -> None:
    game = solved("yatzy").game
    idle = Record.parse("game: yatzy\nplayer: Cy\n")
    record = played_record(parse_strategy("softened:1", game), 3, 0, 2)
    reviewed = review_many([("one", record), ("other", idle)], solved("yatzy"))
    losses = {one.player: one.mean_loss for one in reviewed.games}
    assert losses["Cy"] is None
    for one in reviewed.games[:2]:
        assert one.mean_loss == pytest.approx(one.error / one.decisions)
    assert {one.player for one in all_statistics(reviewed)} == {"Ann", "Bo", "Cy", None}
    assert {one.player for one in all_statistics(reviewed, most_loss=1000.0)} == {"Ann", "Bo", None}


@pytest.fixture(scope="module")
def people() -> tuple[Game, ReviewedGames]:
    """Synthetic people of known strength: 300 games of Ann and Bo, and 40 of Ann, Bo and Cy."""
    game = load_game("two-yatzy")
    strength = [parse_strategy(name, game) for name in STRENGTHS]
    records = [
        (f"game {n}", record_of(game, [replay(one, 5, n, seat) for seat, one in enumerate(strength[: 2 + (n < 40)])]))
        for n in range(300)
    ]
    return game, review_many(records, solve(game))


STRENGTHS = ("softened:0.5", "softened:4", "softened:1")


def test_errors_per_game_are_those_of_players_of_known_strength(people: tuple[Game, ReviewedGames]) -> None:
    """On average a player loses the difference between the value of the game and the exact mean of the strategy."""
    game, reviewed = people
    best = evaluate(solve(game)).score.mean
    for name, strategy in zip(("Ann", "Bo", "Cy"), STRENGTHS, strict=True):
        found = player_statistics(reviewed, name).error
        assert found is not None
        assert found.value == pytest.approx(
            best - evaluate(parse_strategy(strategy, game)).score.mean, abs=4 * found.error
        )


def test_losses_by_round_and_by_open_categories(people: tuple[Game, ReviewedGames]) -> None:
    _, reviewed = people
    rows, everybody = reviewed.decisions, player_statistics(reviewed)
    assert list(everybody.by_round) == [1, 2, 3, 4, 5, 6]  # two turns each, of three players at most
    assert list(everybody.by_open) == [2, 1]
    bo = player_statistics(reviewed, "Bo")
    assert list(bo.by_round) == [2, 4, 5]  # the second turn is the fourth of two players and the fifth of three
    for parts in (everybody.by_round, everybody.by_open):
        assert sum(part.decisions for part in parts.values()) == everybody.overall.decisions
        total = sum(part.decisions * part.mean.value for part in parts.values() if part.mean is not None)
        assert total == pytest.approx(rows.loss[~rows.forced].sum())
    last = rows.loss[(rows.open == 1) & ~rows.forced]
    assert everybody.by_open[1].mean is not None
    assert everybody.by_open[1].mean.value == pytest.approx(last.mean())
    weak, strong = (player_statistics(reviewed, name) for name in ("Ann", "Bo"))
    for number in (1, 2):  # the weaker player loses more in both turns
        more, less = weak.by_open[number].mean, strong.by_open[number].mean
        assert more is not None
        assert less is not None
        assert more.value > less.value


def test_players_with_many_games_and_solid_players(people: tuple[Game, ReviewedGames]) -> None:
    _, reviewed = people
    assert [one.player for one in all_statistics(reviewed)] == ["Ann", "Bo", "Cy", None]
    many = all_statistics(reviewed, least_games=41)
    assert [one.player for one in many] == ["Ann", "Bo", None]
    assert many[-1].games == many[0].games + many[1].games
    assert many[-1].overall.decisions == many[0].overall.decisions + many[1].overall.decisions
    (ann, bo) = (player_statistics(reviewed, name).overall.mean for name in ("Ann", "Bo"))
    assert ann is not None
    assert bo is not None
    assert [one.player for one in all_statistics(reviewed, 41, (ann.value + bo.value) / 2)] == ["Bo"]
    with pytest.raises(InputError, match="none of the 3 players has at least 41 games and so low a mean loss"):
        all_statistics(reviewed, 41, 0.0)


# Files


def test_parquet_has_a_row_a_decision(games: tuple[Sourced, ReviewedGames], tmp_path: Path) -> None:
    import polars

    _, reviewed = games
    write_parquet(reviewed, tmp_path / "d.parquet")
    rows = polars.read_parquet(tmp_path / "d.parquet")
    assert rows.columns == [
        "record", "source", "game", "seat", "player", "turn", "roll", "kind", "dice", "rolls_left", "open",
        "open_categories", "upper", "phase", "move", "best", "value", "made", "loss", "grade", "forced", "luck",
        "position",
    ]  # fmt: skip
    assert len(rows) == len(reviewed.decisions) == 6 * 2 * 45
    first = rows.filter(polars.col("record") == 2, polars.col("player") == "Bo")
    assert len(first) == 45
    mine = next(one for one in reviewed.games if (one.record, one.player) == (2, "Bo"))
    assert first["loss"].sum() == pytest.approx(mine.error)
    assert first["luck"].sum() == pytest.approx(mine.luck)
    assert first["kind"].to_list()[:3] == ["keep", "keep", "category"]
    assert first["phase"].to_list()[::15] == ["first", "middle", "last"]
    assert first["forced"].to_list() == [False] * 44 + [True]
    known = json.loads(polars.read_parquet_metadata(tmp_path / "d.parquet")["yatzy"])
    assert (known["objective"], known["unit"], known["records"]) == ("expected", "points", 6)


def test_records_are_read_from_texts_csv_and_folders(tmp_path: Path) -> None:
    game = load_game("two-yatzy")
    records = [played_record(RandomStrategy(game), 3, n, 2) for n in range(4)]
    (tmp_path / "inside").mkdir()
    (tmp_path / "inside" / "b.txt").write_text(str(records[0]), encoding="utf-8")
    (tmp_path / "a.csv").write_text(write_csv(records[1:3]), encoding="utf-8")
    (tmp_path / "c.yatzy").write_text(str(records[3]), encoding="utf-8")
    (tmp_path / "readme.html").write_text("no record", encoding="utf-8")
    found = [record for _, record in read_records(record_paths([tmp_path]))]
    assert found == [records[1], records[2], records[3], records[0]]


def test_a_file_that_is_no_record_is_refused_or_passed_over(tmp_path: Path) -> None:
    record = played_record(RandomStrategy(load_game("two-yatzy")), 3)
    (tmp_path / "a.txt").write_text("game: nothing\n", encoding="utf-8")
    (tmp_path / "b.txt").write_text(str(record), encoding="utf-8")
    (tmp_path / "c.txt").write_bytes(b"\xff\xfe\x00")
    paths = record_paths([tmp_path])
    with pytest.raises(InputError, match=r"a\.txt"):
        list(read_records(paths))
    refused: list[str] = []
    assert [one for _, one in read_records(paths, refuse=refused.append)] == [record]
    assert [Path(text.split(":")[0]).name for text in refused] == ["a.txt", "c.txt"]
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="no records"):
        record_paths([tmp_path / "empty"])
