"""Games on disk: they come back as they were, runs go on where they stopped, and nothing wrong is read."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from yatzy import ExpectedScore, Game, Position, load_game
from yatzy.errors import InputError, StrategyError
from yatzy.games import Category, Chance, Face, Move, Score
from yatzy.lab import SimulatedGames, remote, results, simulate
from yatzy.lab.remote import GamesTask
from yatzy.lab.results import MANIFEST, read_games, run_sample, run_to_file, write_games
from yatzy.lab.sample import COLUMNS
from yatzy.lab.simulation import SIMULATION
from yatzy.names import Origin
from yatzy.solver import Solver, parse_strategy
from yatzy.strategies.base import Earlier, Strategy
from yatzy.values.resources import Resources

Solved = Callable[[str], ExpectedScore]
FORCED = load_game("yatzy-forced-order")


class FirstOpen(Strategy):
    """Scores the first open category at once; from game `wrong` on it fills one twice."""

    name = "first-open"

    def __init__(self, game: Game, wrong: int | None = None) -> None:
        self.game, self._wrong, self._games = game, wrong, 0

    def move(self, position: Position, earlier: Earlier = ()) -> Move:
        self._games += position.sheet.filled == 0
        if self._wrong is not None and self._games > self._wrong and position.sheet.filled:
            return Score(self.game.categories[0].id)
        return Score(self.game.categories[position.sheet.open[0]].id)


@pytest.fixture
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(results, "BATCH", 100)
    monkeypatch.setattr(results, "SLOW_BATCH", 10)


def assert_same(a: SimulatedGames, b: SimulatedGames) -> None:
    assert (a.game, a.strategy, a.seed, a.first, a.stream) == (b.game, b.strategy, b.seed, b.first, b.stream)
    for name in COLUMNS:
        assert getattr(a, name).dtype == getattr(b, name).dtype, name
        assert np.array_equal(getattr(a, name), getattr(b, name)), name


def parts_of(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.glob("*.parquet"))


@pytest.mark.parametrize("id", ["two-yatzy", "yahtzee", "yatzy-forced-order"])
def test_round_trip(id: str, tmp_path: Path) -> None:
    game = load_game(id)
    games = simulate(parse_strategy("random", game), 300, 7, first=11, stream=3)
    write_games(games, tmp_path / "games.parquet")
    assert_same(read_games(tmp_path / "games.parquet", game), games)
    assert [path.name for path in tmp_path.iterdir()] == ["games.parquet"]


def test_columns_are_what_they_say(tmp_path: Path) -> None:
    games = simulate(parse_strategy("greedy", FORCED), 50, 1, first=5)
    write_games(games, tmp_path / "games.parquet")
    frame = pl.read_parquet(tmp_path / "games.parquet")
    assert frame.columns == ["game", "total", "upper", "bonus", "jokers", *FORCED.category_index]
    assert frame["game"].to_list() == list(range(5, 55))
    sums = frame.select(pl.sum_horizontal(*FORCED.category_index) + 50 * pl.col("bonus")).to_series()
    assert sums.to_list() == frame["total"].to_list()
    about = json.loads(pl.read_parquet_metadata(tmp_path / "games.parquet")["yatzy"])
    assert (about["game"], about["strategy"], about["seed"], about["games"]) == (FORCED.id, "greedy", 1, 50)


def test_a_category_may_be_called_like_a_column(tmp_path: Path) -> None:
    game = Game("odd", 2, 2, 2, (Category("total", Face(1)), Category("bonus", Chance())))
    games = simulate(parse_strategy("random", game), 20, 1)
    write_games(games, tmp_path / "games.parquet")
    assert_same(read_games(tmp_path / "games.parquet", game), games)


def test_wrong_files_are_refused(tmp_path: Path) -> None:
    path, game = tmp_path / "games.parquet", load_game("two-yatzy")
    games = simulate(parse_strategy("random", game), 400, 1)
    with pytest.raises(InputError, match="there is no such file"):
        read_games(path, game)
    pl.DataFrame({"a": [1]}).write_parquet(path)
    with pytest.raises(InputError, match="holds no games of this program"):
        read_games(path, game)
    write_games(games, path)
    with pytest.raises(InputError, match="holds games of two-yatzy, whose rules are not those of yatzy-forced-order"):
        read_games(path, FORCED)
    sound = path.read_bytes()
    path.write_bytes(sound[:-20])
    with pytest.raises(InputError, match="is damaged"):
        read_games(path, game)
    path.write_bytes(sound)
    metadata = {"yatzy": pl.read_parquet_metadata(path)["yatzy"]}
    pl.read_parquet(path).with_columns(pl.col("total") + 1).write_parquet(path, metadata=metadata)
    with pytest.raises(InputError, match="its checksum does not match"):
        read_games(path, game)


def test_no_flipped_bit_goes_unnoticed(tmp_path: Path) -> None:
    """Bits that nothing depends on may flip; then the games are still the same."""
    path, game = tmp_path / "games.parquet", load_game("two-yatzy")
    games = simulate(parse_strategy("random", game), 60, 1)
    write_games(games, path)
    sound, noticed = path.read_bytes(), 0
    for place in range(0, len(sound), 23):
        path.write_bytes(sound[:place] + bytes([sound[place] ^ 0x10]) + sound[place + 1 :])
        try:
            found = read_games(path, game)
        except InputError:
            noticed += 1
        else:
            assert all(np.array_equal(getattr(found, name), getattr(games, name)) for name in COLUMNS)
    assert noticed > 20


@pytest.mark.usefixtures("small_parts")
def test_parts_make_the_same_games(solved: Solved, tmp_path: Path) -> None:
    strategy = solved("two-yatzy")
    whole = simulate(strategy, 350, 5, stream=2)
    assert_same(run_sample(strategy, 350, 5, tmp_path, stream=2), whole)
    assert parts_of(tmp_path) == [f"games-{first:010d}.parquet" for first in (0, 100, 200, 300)]
    calls: list[int] = []
    assert_same(
        run_sample(
            strategy,
            350,
            5,
            tmp_path,
            stream=2,
            resources=Resources(progress=lambda *_: lambda done, total: calls.append(done)),
        ),
        whole,
    )
    assert not calls, "games were played again"
    assert_same(run_sample(strategy, 120, 5, tmp_path, stream=2), simulate(strategy, 120, 5, stream=2))
    assert_same(run_sample(strategy, 420, 5, tmp_path, stream=2), simulate(strategy, 420, 5, stream=2))
    assert parts_of(tmp_path)[4:] == ["games-0000000350.parquet", "games-0000000400.parquet"]


@pytest.mark.usefixtures("small_parts")
def test_workers_play_only_the_parts_that_are_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game, folder, played, told = load_game("two-yatzy"), tmp_path / "run", list[int](), list[tuple[int, int]]()
    run = remote.play_games

    def counted(task: GamesTask) -> SimulatedGames:
        played.append(task.first)
        return run(task)

    monkeypatch.setattr(results, "play_games", counted)
    with ThreadPoolExecutor(2) as pool:
        solver = Solver(tmp_path, executor=pool, progress=lambda *_: lambda *counts: told.append(counts))
        strategy = solver.strategy(game, "expected")
        told.clear()  # of solving
        run_sample(strategy, 250, 1, folder, resources=solver)
        assert sorted(played) == [0, 100, 200]
        assert [done for done, _ in told][-1] == 250
        assert {total for _, total in told} == {250}
        next(folder.glob("*100*.parquet")).unlink()
        played.clear()
        told.clear()
        again = run_sample(strategy, 420, 1, folder, resources=solver)
    assert sorted(played) == [100, 250, 300, 400]
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert told[-1] == (420, 420)
    assert_same(again, simulate(strategy, 420, 1))


@pytest.mark.usefixtures("small_parts")
@pytest.mark.parametrize("slow", [False, True])
def test_interrupted_it_goes_on(slow: bool, tmp_path: Path) -> None:
    strategy = FirstOpen(FORCED) if slow else parse_strategy("random", FORCED)
    games = 35 if slow else 350

    def stop(done: int, total: int) -> None:
        assert total == games
        if done > 0.7 * games:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_sample(strategy, games, 1, tmp_path, resources=Resources(progress=lambda *_: stop))
    assert len(parts_of(tmp_path)) == 2
    seen: list[int] = []
    again = run_sample(
        strategy, games, 1, tmp_path, resources=Resources(progress=lambda *_: lambda done, total: seen.append(done))
    )
    assert min(seen) >= 0.5 * games
    assert_same(again, simulate(strategy, games, 1))
    assert not list(tmp_path.glob("*.part")) + list(tmp_path.glob(".*.part"))


@pytest.mark.usefixtures("small_parts")
def test_an_illegal_move_keeps_the_games_before_it(tmp_path: Path) -> None:
    with pytest.raises(StrategyError, match=r"first-open: illegal move .*are kept in .*: 24$") as caught:
        run_sample(FirstOpen(FORCED, wrong=24), 40, 1, tmp_path)
    right = simulate(FirstOpen(FORCED), 40, 1)
    assert len(caught.value.finished) == 24
    assert np.array_equal(caught.value.finished.total, right.total[:24])
    assert parts_of(tmp_path) == [f"games-{first:010d}.parquet" for first in (0, 10, 20)]
    seen: list[int] = []
    assert_same(
        run_sample(
            FirstOpen(FORCED),
            40,
            1,
            tmp_path,
            resources=Resources(progress=lambda *_: lambda done, _: seen.append(done)),
        ),
        right,
    )
    assert min(seen) == 24
    with pytest.raises(StrategyError, match=r"are kept in .*: 0$") as caught:
        run_sample(FirstOpen(FORCED, wrong=0), 40, 2, tmp_path / "none")
    assert caught.value.finished is None


@pytest.mark.usefixtures("small_parts")
def test_a_damaged_or_foreign_part_is_played_again(tmp_path: Path) -> None:
    strategy = parse_strategy("random", FORCED)
    whole = run_sample(strategy, 300, 1, tmp_path)
    first, second, third = (tmp_path / name for name in parts_of(tmp_path))
    first.write_bytes(first.read_bytes()[:-30])
    write_games(simulate(strategy, 100, 2, first=100), second)
    write_games(simulate(parse_strategy("greedy", FORCED), 100, 1, first=200), third)
    told: list[str] = []
    assert_same(run_sample(strategy, 300, 1, tmp_path, resources=Resources(report=told.append)), whole)
    assert [line.split(": ", 1)[1] for line in told] == [
        "is damaged, or no Parquet file; they are played again",
        "holds other games; they are played again",
        "holds other games; they are played again",
    ]
    told.clear()
    assert_same(run_sample(strategy, 300, 1, tmp_path, resources=Resources(report=told.append)), whole)
    assert not told


def test_a_folder_of_other_games_is_refused(solved: Solved, tmp_path: Path) -> None:
    game = load_game("two-yatzy")
    strategy = parse_strategy("random", game)
    run_sample(strategy, 10, 1, tmp_path)
    with pytest.raises(InputError, match=f"{tmp_path}: holds games of seed 1, not 2; take another folder or remove"):
        run_sample(strategy, 10, 2, tmp_path)
    with pytest.raises(InputError, match="stream 0, not 1"):
        run_sample(strategy, 10, 1, tmp_path, stream=1)
    with pytest.raises(InputError, match="strategy random, not expected"):
        run_sample(solved("two-yatzy"), 10, 1, tmp_path)
    with pytest.raises(InputError, match="game two-yatzy, not yatzy-forced-order"):
        run_sample(parse_strategy("random", FORCED), 10, 1, tmp_path)
    with pytest.raises(InputError, match="games: 0 is not at least 1"):
        run_sample(strategy, 0, 1, tmp_path)
    (tmp_path / MANIFEST).write_text("nonsense", encoding="utf-8")
    assert_same(run_sample(strategy, 10, 1, tmp_path), simulate(strategy, 10, 1))
    assert json.loads((tmp_path / MANIFEST).read_text(encoding="utf-8"))["seed"] == 1


@pytest.mark.usefixtures("small_parts")
def test_games_of_another_revision_are_played_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    strategy = parse_strategy("random", FORCED)
    whole = run_sample(strategy, 200, 1, tmp_path)
    raised = replace(SIMULATION, revision=SIMULATION.revision + 1)
    monkeypatch.setattr(results, "SIMULATION", raised)
    told: list[str] = []
    assert_same(run_sample(strategy, 200, 1, tmp_path, resources=Resources(report=told.append)), whole)
    assert [line.split(": ", 1)[1] for line in told] == ["holds games of another version; they are played again"] * 2
    told.clear()
    run_sample(strategy, 200, 1, tmp_path, resources=Resources(report=told.append))
    assert not told


@pytest.mark.usefixtures("small_parts")
def test_a_folder_of_the_first_versions_is_recognised(tmp_path: Path) -> None:
    """Their manifest had another checksum and a version, and their parts no key."""
    strategy = parse_strategy("random", FORCED)
    old = {"game": FORCED.id, "hash": FORCED.hash, "strategy": "random", "code": "", "seed": 1, "stream": 0}
    (tmp_path / MANIFEST).write_text(json.dumps({**old, "version": "0.1.0", "checksum": "0123456789ab"}, indent=2))
    write_games(simulate(strategy, 100, 1), tmp_path / "games-0000000000.parquet")
    with pytest.raises(InputError, match="holds games of seed 1, not 2"):
        run_sample(strategy, 100, 2, tmp_path)
    told: list[str] = []
    assert_same(
        run_sample(strategy, 100, 1, tmp_path, resources=Resources(report=told.append)), simulate(strategy, 100, 1)
    )
    assert [line.split(": ", 1)[1] for line in told] == ["holds games of another version; they are played again"]


def test_a_strategy_whose_file_changed_is_another(tmp_path: Path) -> None:
    file = tmp_path / "own.py"
    code = "class Own:\n    def move(self, position):\n        game = position.game\n"
    code += "        return game.categories[position.sheet.open[0]].id\n"
    file.write_text(code, encoding="utf-8")
    run_sample(parse_strategy(f"{file}:Own", FORCED, origin=Origin.PERSON), 2, 1, tmp_path / "games")
    file.write_text(code + "\n# changed\n", encoding="utf-8")
    with pytest.raises(InputError, match="holds games of a strategy file with checksum"):
        run_sample(parse_strategy(f"{file}:Own", FORCED, origin=Origin.PERSON), 2, 1, tmp_path / "games")


@pytest.mark.usefixtures("small_parts")
def test_one_file_and_its_parts(tmp_path: Path) -> None:
    strategy, path = parse_strategy("random", FORCED), tmp_path / "random.parquet"

    def stop(done: int, total: int) -> None:
        if done > 250:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_to_file(strategy, 350, 1, path, resources=Resources(progress=lambda *_: stop))
    assert not path.exists()
    assert len(parts_of(tmp_path / "random.parquet.parts")) == 2
    whole = run_to_file(strategy, 350, 1, path)
    assert_same(whole, simulate(strategy, 350, 1))
    assert_same(read_games(path, FORCED), whole)
    assert [entry.name for entry in tmp_path.iterdir()] == ["random.parquet"]


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(InputError, match="cannot be written"):
        run_sample(parse_strategy("random", FORCED), 2, 1, tmp_path / "file" / "games")


def test_two_processes_at_once(tmp_path: Path) -> None:
    code = (
        "import sys; from yatzy import load_game; from yatzy.lab import results; results.BATCH = 500\n"
        "from yatzy.solver import parse_strategy\n"
        "games = results.run_sample(parse_strategy('random', load_game('two-yatzy')), 5000, 1, sys.argv[1])\n"
        "print(int(games.total.sum()))"
    )
    command = [sys.executable, "-c", code, str(tmp_path)]
    both = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    said = [process.communicate(timeout=300)[0].strip() for process in both]
    whole = simulate(parse_strategy("random", load_game("two-yatzy")), 5000, 1)
    assert said == [str(int(whole.total.sum()))] * 2
    assert len(parts_of(tmp_path)) == 10


def test_without_polars_the_extra_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(InputError, match=r"pip install 'PATH\[lab\]'"):
        run_sample(parse_strategy("random", FORCED), 2, 1, tmp_path)


def test_a_single_game_is_written_and_none_is_refused(tmp_path: Path) -> None:
    strategy = parse_strategy("greedy", load_game("two-yatzy"))
    assert len(run_to_file(strategy, 1, 3, tmp_path / "one.parquet")) == 1
    assert len(read_games(tmp_path / "one.parquet", strategy.game)) == 1
    with pytest.raises(InputError, match="games: 0 is not at least 1"):
        run_to_file(strategy, 0, 3, tmp_path / "none.parquet")
    assert not (tmp_path / "none.parquet").exists()


def test_a_sample_has_at_least_one_game(tmp_path: Path) -> None:
    strategy = parse_strategy("greedy", load_game("two-yatzy"))
    assert len(run_sample(strategy, 1, 1, tmp_path)) == 1
    with pytest.raises(InputError, match="games: 0 is not at least 1"):
        run_sample(strategy, 0, 1, tmp_path)
