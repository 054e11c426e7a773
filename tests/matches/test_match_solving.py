"""Complete solutions of two-player games: against the judge, wherever they are computed, and whatever interrupts."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from functools import cache
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from helpers.small_games import CHANCE, PAIR, RUN

from yatzy import load_game
from yatzy.errors import InputError, Message, SizeError, TableDamaged
from yatzy.games import Bonus, Category, Face, Game, Groups, Joker, JokerReading, Position
from yatzy.matches import blocks, solving
from yatzy.matches.blocks import BlockTask, block_path, layout_of, sample_indices, solve_block
from yatzy.matches.counting import count_match
from yatzy.matches.endgames import Endgames, solve_rows
from yatzy.matches.exact import ExactMatch
from yatzy.matches.solving import Keep, SolvedLayer, SolvedMatch, kept_layers, match_folder, open_endgames, solve_match
from yatzy.store.blocks import hash_rows, read_block, write_block
from yatzy.store.kept import decode_arrays, encode_arrays, unseal
from yatzy.values.resources import Resources

ONES, TWOS, BOX = Category("ones", Face(1)), Category("twos", Face(2)), Category("box", Groups((2,), points=9))
GAMES = (
    Game("bonus", 2, 2, 2, (ONES, TWOS, CHANCE), Bonus(points=3, threshold=4)),
    Game("forced", 2, 3, 2, (ONES, PAIR, TWOS), Bonus(points=3, threshold=4), forced_order=True),
    Game("joker", 2, 2, 2, (TWOS, BOX, RUN), Bonus(4, 4), Joker("box", JokerReading.PAWLEWICZ, points=11)),
)
GAME = GAMES[0]
SMALL = 20
"""Values of a block, so that the small game has many."""


def solve(folder: Path, game: Game = GAME, threads: int = 2, block: int = SMALL, **other: Any) -> SolvedMatch:
    with ThreadPoolExecutor(threads) as pool:
        return solve_match(game, pool, resources=Resources(folder), block=block, **other)


@cache
def expected_hashes() -> tuple[str, ...]:
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder:
        return hashes(solve(Path(folder), threads=1))


def hashes(result: SolvedMatch) -> tuple[str, ...]:
    return tuple(layer.hash for layer in result.layers)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_every_sampled_position_is_that_of_the_tables_and_the_start_that_of_the_judge(
    game: Game, tmp_path: Path
) -> None:
    result = solve(tmp_path, game)
    start = Position.start(game, 2)
    assert result.value == pytest.approx(float(ExactMatch(game).value(start)), abs=result.error)
    assert result.error < 2e-5
    tables = Endgames(game, 2 * len(game.categories), Resources(tmp_path))
    assert result.value == pytest.approx(tables.value(start), abs=1e-12)
    assert [layer.depth for layer in result.layers] == list(range(2 * len(game.categories) + 1))
    for layer, row in zip(result.layers, count_match(game).rows, strict=True):
        assert (layer.values, layer.pairs) == (row.values, row.pairs)
        sample = layer.sample
        assert sample is not None
        assert len(sample) == min(layer.values, blocks.SAMPLE)
        for mover, opponent, difference, value in list(zip(*vars(sample).values(), strict=True))[:200]:
            low, curve = tables.curve(int(mover), int(opponent))
            assert curve[difference - low] == value
        assert layer.least == sample.value.min()
        assert layer.most == sample.value.max()


def test_hashes_do_not_depend_on_threads_processes_or_blocks(tmp_path: Path) -> None:
    known = expected_hashes()
    assert len(set(known)) >= 6
    assert hashes(solve(tmp_path / "two threads", threads=2)) == known
    assert hashes(solve(tmp_path / "one block", block=10**9)) == known
    assert hashes(solve(tmp_path / "a row each", block=1)) == known
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        result = solve_match(GAME, pool, resources=Resources(tmp_path / "processes"), block=SMALL)
    assert hashes(result) == known


def test_the_hash_is_of_the_values(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A single value that is wrong by rounding changes the hash of its layer and of those above."""
    known, backend = expected_hashes(), solve_rows

    def slightly_wrong(compiled: Any, layout: Any, before: Any, low: int, high: int) -> Any:
        values = backend(compiled, layout, before, low, high)
        if layout.depth == 3 and low == 0:
            values[0] = np.nextafter(values[0], np.float32(0.5))
        return values

    monkeypatch.setattr("yatzy.matches.endgames.solve_rows", slightly_wrong)
    found = hashes(solve(tmp_path))
    assert found[:3] == known[:3]
    assert found[3] != known[3]


def test_a_solution_is_kept(tmp_path: Path) -> None:
    first = solve(tmp_path)
    again = solve(tmp_path)
    assert (first.cached, again.cached) == (False, True)
    assert (hashes(again), again.value, again.values) == (hashes(first), first.value, first.values)
    for one, other in zip(first.layers, again.layers, strict=True):
        assert one.sample is not None
        assert other.sample is not None
        for mine, theirs in zip(vars(one.sample).values(), vars(other.sample).values(), strict=True):
            assert np.array_equal(mine, theirs)
    assert not list(tmp_path.rglob("*.block"))
    assert not list(tmp_path.rglob("*.table"))


def test_nothing_but_the_summary_is_kept(tmp_path: Path) -> None:
    result = solve(tmp_path, keep=Keep.NONE)
    assert all(layer.sample is None for layer in result.layers)
    assert hashes(result) == expected_hashes()
    assert solve(tmp_path, keep=Keep.NONE).cached
    sampled = solve(tmp_path)  # what was not kept is solved again
    assert not sampled.cached
    assert all(layer.sample is not None for layer in sampled.layers)


def test_all_layers_are_kept_as_the_usual_tables(tmp_path: Path) -> None:
    made, usual = tmp_path / "made", tmp_path / "usual"
    assert not solve(made, keep=Keep.ALL).cached
    assert solve(made, keep=Keep.ALL).cached
    Endgames(GAME, 2 * len(GAME.categories), Resources(usual))
    tables = {path.name: path.read_bytes() for path in usual.glob("*.table")}
    assert len(tables) == 2 * len(GAME.categories) + 1
    assert {path.name: path.read_bytes() for path in made.glob("*.table")} == tables
    next(made.glob("*=4.table")).unlink()
    assert not solve(made, keep=Keep.ALL).cached
    assert {path.name: path.read_bytes() for path in made.glob("*.table")} == tables


def test_one_depth_more_than_is_kept_is_solved(tmp_path: Path) -> None:
    for depth in (1, 2, 3):
        found = solve(tmp_path, depth=depth)
        assert hashes(found) == expected_hashes()[: depth + 1]
        assert not found.cached
    assert solve(tmp_path, depth=2).cached


def test_what_is_kept_is_read_up_to_the_first_depth_that_was_not_solved(tmp_path: Path) -> None:
    resources = Resources(tmp_path)
    assert kept_layers(GAME, resources) == []
    result = solve(tmp_path, depth=3)
    assert [layer.hash for layer in kept_layers(GAME, resources)] == list(hashes(result))
    solve(tmp_path)
    assert [layer.hash for layer in kept_layers(GAME, resources)] == list(expected_hashes())
    kept = sorted(
        (path for path in match_folder(GAME, resources).rglob("*.kept")), key=lambda path: path.stat().st_mtime_ns
    )
    kept[-1].write_bytes(b"damaged")
    with pytest.raises(
        TableDamaged, match=r"depth 6 of bonus is damaged, missing or of another version; 'yatzy match solve bonus'"
    ):
        kept_layers(GAME, resources)
    solve(tmp_path)
    kept[2].unlink()
    with pytest.raises(TableDamaged, match="depth 2 of bonus"):
        kept_layers(GAME, resources)


def test_endgame_tables_are_built_by_the_workers_if_there_are_any(tmp_path: Path) -> None:
    here = open_endgames(GAME, 3, Resources(tmp_path / "here"))
    assert not list((tmp_path / "here").rglob("*.kept"))
    with ThreadPoolExecutor(2) as pool:
        there = open_endgames(GAME, 3, Resources(tmp_path / "there", executor=pool))
    assert len(list((tmp_path / "there").rglob("*.kept"))) == 4
    tables = [
        sorted((path.name, path.read_bytes()) for path in folder.glob("*.table")) for folder in tmp_path.iterdir()
    ]
    assert tables[0] == tables[1]
    assert here.depth == there.depth == 3


def test_to_a_depth(tmp_path: Path) -> None:
    result = solve(tmp_path, depth=3)
    assert hashes(result) == expected_hashes()[:4]
    with pytest.raises(InputError, match="solved to depth 3 only"):
        result.value  # noqa: B018
    assert hashes(solve(tmp_path)) == expected_hashes()
    with pytest.raises(InputError, match="depth: 99 is not from 0 to 6"):
        solve(tmp_path, depth=99)


def test_samples_are_fixed_and_spread(tmp_path: Path) -> None:
    drawn = sample_indices(GAME, 3, 10**12)
    assert len(drawn) == blocks.SAMPLE
    assert (np.diff(drawn) > 0).all()
    assert np.array_equal(drawn, sample_indices(GAME, 3, 10**12))
    assert hashlib.sha256(drawn.tobytes()).hexdigest()[:8] == "49e04e83", "samples of all versions can be compared"
    assert not np.array_equal(drawn, sample_indices(GAME, 4, 10**12))
    assert abs(drawn.mean() / 10**12 - 0.5) < 0.02
    assert np.array_equal(sample_indices(GAME, 3, 7), np.arange(7))


# Interruptions


class Stopped(Exception):  # noqa: N818
    pass


class StoppingExecutor(Executor):
    """Solves this many blocks, then the user presses Ctrl-C."""

    def __init__(self, blocks: int) -> None:
        self.left, self.solved = blocks, list[BlockTask]()

    def submit(self, work: Any, task: BlockTask) -> Future[Any]:  # type: ignore[override]
        if not self.left:
            raise KeyboardInterrupt
        future = Future[Any]()
        if not task.check and not block_path(Path(task.folder), task.depth, task.block).exists():
            self.left -= 1
            self.solved.append(task)
        future.set_result(work(task))
        return future


def test_an_interrupted_run_resumes_where_it_was(tmp_path: Path) -> None:
    solved, runs, result = list[tuple[int, int]](), 0, None
    reports = list[str]()
    while result is None:
        executor = StoppingExecutor(3)
        runs += 1
        try:
            result = solve_match(GAME, executor, resources=Resources(tmp_path, report=reports.append), block=SMALL)
        except KeyboardInterrupt:
            assert len({path.parent for path in tmp_path.rglob("*.block")}) <= 2
        solved += [(task.depth, task.block) for task in executor.solved]
    assert runs > 5
    assert len(solved) == len(set(solved))  # no block was solved twice
    assert hashes(result) == expected_hashes()
    assert any("resuming bonus: depths 0 to 3 are solved" in line for line in reports)


def interrupted(folder: Path, blocks: int = 14) -> Path:
    """The folder of the blocks of an interrupted run."""
    with pytest.raises(KeyboardInterrupt):
        solve_match(GAME, StoppingExecutor(blocks), resources=Resources(folder), block=SMALL)
    return match_folder(GAME, Resources(folder))


def test_damaged_blocks_are_solved_again(tmp_path: Path) -> None:
    work = interrupted(tmp_path)
    layers = sorted(work.glob("depth-*"))
    assert len(layers) == 2
    for path in layers[1].glob("*.block"):  # of the unfinished layer
        path.write_bytes(path.read_bytes()[:-1])
    assert hashes(solve(tmp_path)) == expected_hashes()


@pytest.mark.parametrize("value", [np.nan, np.inf, 2.0, -1.0])
def test_blocks_with_impossible_values_are_solved_again(value: float, tmp_path: Path) -> None:
    """They have checksums, which anybody can compute."""
    work = interrupted(tmp_path)
    for path in sorted(work.glob("depth-*"))[1].glob("*.block"):
        about = unseal(path.read_bytes().partition(b"\n")[0].decode())
        assert about is not None
        layout = layout_of(GAME, about["depth"], SMALL)
        low, high = about["movers"]
        start = layout.start[low : high + 1] - layout.start[low]
        values = np.full(about.pop("values"), value, np.float32)
        del about["rows"]
        write_block(path, about, values, hash_rows(values, start))
        assert read_block(path, about, start) is not None
    assert hashes(solve(tmp_path)) == expected_hashes()


@pytest.mark.parametrize("how", ["changed", "missing", "cut"])
def test_damage_to_the_layer_before_is_found_and_the_run_starts_over(how: str, tmp_path: Path) -> None:
    work = interrupted(tmp_path)
    path = sorted(sorted(work.glob("depth-*"))[0].glob("*.block"))[-1]
    content = path.read_bytes()
    path.write_bytes(content[:-1] + bytes([content[-1] ^ 1]) if how == "changed" else content[:70])
    if how == "missing":
        path.unlink()
    executor = StoppingExecutor(10**6)
    result = solve_match(GAME, executor, resources=Resources(tmp_path), block=SMALL)
    assert executor.solved[0].depth == 0
    assert hashes(result) == expected_hashes()


def test_a_worker_refuses_a_layer_that_it_cannot_read(tmp_path: Path) -> None:
    solve_block(BlockTask(GAME, 0, 0, 10**9, str(tmp_path)))
    with pytest.raises(TableDamaged, match=r"depth-01.*does not share the folder"):
        solve_block(BlockTask(GAME, 2, 0, 10**9, str(tmp_path)))


def test_a_block_is_solved_once_and_the_same_everywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder in ("a", "b"):
        for depth in (0, 1):
            solve_block(BlockTask(GAME, depth, 0, 10**9, str(tmp_path / folder)))
    contents = [block_path(tmp_path / folder, 1, 0).read_bytes() for folder in ("a", "b")]
    assert contents[0] == contents[1]
    monkeypatch.setattr(blocks, "BACKENDS", {})
    assert solve_block(BlockTask(GAME, 1, 0, 10**9, str(tmp_path / "a"))) is not None
    assert solve_block(BlockTask(GAME, 2, 0, 10**9, str(tmp_path / "a"), check=True)) is None


def test_layers_can_be_in_another_folder(tmp_path: Path) -> None:
    tables, work = tmp_path / "tables", tmp_path / "work"
    with pytest.raises(KeyboardInterrupt):
        solve_match(GAME, StoppingExecutor(9), resources=Resources(tables), work=work, block=SMALL)
    assert list(work.rglob("*.block"))
    assert not list(tables.rglob("*.block"))
    assert hashes(solve(tables, work=work)) == expected_hashes()


# Refusals, before anything is written


def test_a_disk_too_small_for_two_layers_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = [4 * row.values for row in count_match(GAME).rows]
    two = max(a + b for a, b in pairwise(sizes))
    monkeypatch.setattr(shutil, "disk_usage", lambda path: SimpleNamespace(free=two - 1))
    with pytest.raises(SizeError, match=r"two layers of bonus for two take [\d.]+ GiB more, but"):
        solve(tmp_path)
    assert not list(tmp_path.rglob("*.block"))
    monkeypatch.setattr(shutil, "disk_usage", lambda path: SimpleNamespace(free=two))
    with pytest.raises(SizeError, match="all layers of bonus"):
        solve(tmp_path, keep=Keep.ALL)
    assert hashes(solve(tmp_path)) == expected_hashes()


def test_a_refusal_tells_what_is_needed_and_what_is_free(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda path: SimpleNamespace(free=5 * 2**29))
    with pytest.raises(SizeError, match=r"all of bonus for two take 3\.00 GiB more, but 2\.50 GiB are free in "):
        solving._refuse_if_full(GAME, tmp_path / "new" / "folder", 3 * 2**30, Message("all"))
    solving._refuse_if_full(GAME, tmp_path, 5 * 2**29, Message("all"))
    monkeypatch.setattr(solving, "physical_memory", lambda: 2**30)
    solving._refuse_if_index_too_large(GAME, 2**26)
    with pytest.raises(SizeError, match=r"the index of the 402,653,184 pairs of one layer of bonus takes 1\.5 GiB"):
        solving._refuse_if_index_too_large(GAME, 6 * 2**26)


def test_a_game_with_too_many_pairs_and_an_unknown_backend_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SizeError, match=r"the index of the [\d,]+ pairs of one layer of yahtzee-pawlewicz takes"):
        solve(tmp_path, load_game("yahtzee-pawlewicz"))
    with pytest.raises(InputError, match="abacus; there is cpu, gpu"):
        solve(tmp_path, backend="abacus")
    assert not list(tmp_path.rglob("*.block"))


# Rounding


def test_every_layer_is_reported_with_the_time_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solving, "MEASURED", 100)
    reports = list[str]()
    with ThreadPoolExecutor(1) as pool:
        solve_match(GAME, pool, resources=Resources(tmp_path, report=reports.append), block=SMALL)
    assert [line.partition(":")[0] for line in reports] == [f"depth {depth} of 6" for depth in range(7)]
    assert [" left" in line for line in reports] == [False, False, True, True, True, False, False]


@pytest.mark.parametrize(
    ("seconds", "told"),
    [(0.4, "0 seconds"), (99.4, "99 seconds"), (100, "2 minutes"), (3600, "60 minutes"), (5999, "100 minutes"),
     (6000, "1.7 hours"), (86_400, "24.0 hours")],
)  # fmt: skip
def test_the_time_left_is_told_in_a_unit_that_suits_it(seconds: float, told: str) -> None:
    assert solving._duration(seconds) == told


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("mover", lambda array: array.astype(np.float64)),
        ("opponent", lambda array: array - 10**6),
        ("difference", lambda array: array[:-1]),
        ("value", lambda array: array.astype(np.float64)),
        ("value", lambda array: np.full_like(array, np.nan)),
        ("facts", lambda array: np.frombuffer(array.tobytes().replace(b'"depth": 2', b'"depth": "2"'), np.uint8)),
    ],
)
def test_a_layer_of_another_form_is_refused(name: str, wrong: Callable[[Any], Any], tmp_path: Path) -> None:
    """A checksum does not tell who wrote a file."""
    layer = solve(tmp_path, depth=2).layers[2]
    arrays = {key: array.copy() for key, array in decode_arrays(layer.encode()).items()}
    arrays[name] = wrong(arrays[name])
    assert SolvedLayer.decode(layer.encode()).hash == layer.hash
    with pytest.raises((ValueError, TypeError)):
        SolvedLayer.decode(encode_arrays(arrays))


def test_layers_that_take_no_time_say_nothing_about_the_rest(tmp_path: Path) -> None:
    reports = list[str]()
    with ThreadPoolExecutor(1) as pool:
        solve_match(GAME, pool, resources=Resources(tmp_path, report=reports.append), block=SMALL)
    assert len(reports) == 7
    assert not any("million" in line or "left" in line for line in reports)
