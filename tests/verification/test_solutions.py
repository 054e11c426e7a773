"""Complete solutions are searched again: sound ones agree, and one altered value is found."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers.crafted import document, encode, read_layers
from helpers.small_games import FIXED

from yatzy import load_game
from yatzy.errors import InputError, TableDamaged, TableMissing
from yatzy.games import Game, Joker
from yatzy.matches.blocks import PositionSample
from yatzy.matches.deep_search import DeepSearch
from yatzy.matches.endgames import Endgames
from yatzy.matches.solving import LAYER, Keep, SolvedLayer, _key, kept_layers, match_folder, solve_match
from yatzy.solver import Solver
from yatzy.store import KeptResults
from yatzy.store.kept import decode_arrays, encode_arrays
from yatzy.store.revisions import Computation
from yatzy.values.resources import Resources
from yatzy.verification import check_solution
from yatzy.verification.optimum import play_out
from yatzy.verification.solutions import FOLDER, PART, SEARCHED, SolutionCheck

TWO, YACHT = load_game("two-yatzy"), load_game("yacht")
JOKER = next(game for game in FIXED if isinstance(game.joker, Joker))
FORCED = next(game for game in FIXED if game.forced_order)
ROUNDING = 1e-6
"""No difference of this size has been seen; the bounds are larger."""


def solve(game: Game, folder: Path, depth: int | None = None, keep: Keep = Keep.SAMPLE) -> None:
    with ThreadPoolExecutor(2) as pool:
        solve_match(game, pool, keep, Resources(folder), depth=depth)


def check(
    game: Game,
    folder: Path,
    depth: int | None = None,
    endgames: int | None = None,
    games: int = 0,
    executor: ThreadPoolExecutor | None = None,
) -> SolutionCheck:
    return check_solution(game, depth, endgames, games, solver=Solver(folder, threads=2, executor=executor))


def change_sample(game: Game, folder: Path, depth: int, change: Callable[[PositionSample], None]) -> None:
    """Change what is kept of a sample, with a right checksum and extremes that fit."""
    resources = Resources(folder)
    layer = kept_layers(game, resources)[depth]
    assert layer.sample is not None
    sample = PositionSample(*(array.copy() for array in vars(layer.sample).values()))
    change(sample)
    least, most = float(sample.value.min()), float(sample.value.max())
    if len(sample) < layer.values:
        least, most = min(least, layer.least), max(most, layer.most)
    changed: SolvedLayer = replace(layer, sample=sample, least=least, most=most)
    KeptResults(match_folder(game, resources), LAYER).write(_key(game, depth), changed.encode())


def raise_value(at: int, by: float) -> Callable[[PositionSample], None]:
    def change(sample: PositionSample) -> None:
        sample.value[at] += by

    return change


def lower_all(sample: PositionSample) -> None:
    sample.value[:] -= 0.01


def change_table(path: Path, at: int, by: float) -> None:
    """Change a value of a table, and mend its checksums."""
    key, layers = read_layers(path)
    layers[0]["waiting"][at] += by
    path.write_bytes(encode(document(key, layers)))


@pytest.mark.parametrize("endgames", [0, 2])
@pytest.mark.parametrize("game", [TWO, JOKER, FORCED], ids=lambda game: game.id)
def test_a_sound_solution_agrees(game: Game, endgames: int, tmp_path: Path) -> None:
    last = min(endgames + 3, 2 * len(game.categories))
    solve(game, tmp_path, last)
    found = check(game, tmp_path, last, endgames, 2000)
    assert found.complaint is None
    assert [one.depth for one in found.depths] == list(range(last + 1))
    assert [one.turns for one in found.depths] == [max(depth - endgames, 0) for depth in range(last + 1)]
    for one, layer in zip(found.depths, kept_layers(game, Resources(tmp_path)), strict=True):
        assert layer.sample is not None
        assert one.positions == len(layer.sample)
        assert one.difference < ROUNDING
        assert (one.wrong, one.own_table) == (0, False)
        assert one.difference <= one.bound < 1e-4
    assert found.games is not None
    assert (found.games.depth, found.games.games) == (endgames, 2000)


def test_yacht_to_a_small_depth(tmp_path: Path) -> None:
    solve(YACHT, tmp_path, 4)
    found = check(YACHT, tmp_path, 4, 2, 50_000)
    assert found.complaint is None
    assert [one.positions for one in found.depths] == [1, 304, 7152, 10_000, 10_000]
    assert max(one.difference for one in found.depths) < ROUNDING
    assert found.games is not None
    assert found.games.positions == 7152
    assert found.games.apart.error < 0.8 * found.games.mean.error  # the luck of the positions does not count
    change_sample(YACHT, tmp_path, 4, raise_value(4321, 1e-4))
    again = check(YACHT, tmp_path, 4, 2)
    assert [one.wrong for one in again.depths] == [0, 0, 0, 0, 1]


@pytest.mark.parametrize("depth", [1, 2, 3, 4])
def test_one_altered_value_of_a_sample_is_found(depth: int, tmp_path: Path) -> None:
    solve(TWO, tmp_path, 4)
    place = len(kept_layers(TWO, Resources(tmp_path))[depth].sample or ()) // 2
    change_sample(TWO, tmp_path, depth, raise_value(place, 1e-4))
    found = check(TWO, tmp_path, 4, 1)
    assert [one.wrong for one in found.depths] == [one.depth == depth for one in found.depths]
    fault = found.depths[depth].fault
    assert fault is not None
    assert fault.stored - fault.again == pytest.approx(1e-4, rel=0.01)
    assert not fault.table
    assert fault.position.count("two-yatzy~s") == 2
    assert str(found.complaint).startswith(f"two-yatzy: depth {depth}, position {fault.position}, opponent ahead by ")


def test_one_altered_value_of_the_tables_below_the_search_is_found(tmp_path: Path) -> None:
    solve(TWO, tmp_path, 4)
    assert check(TWO, tmp_path, 4, 2).complaint is None
    path = next((match_folder(TWO, Resources(tmp_path)) / FOLDER).glob("*=2.table"))
    change_table(path, 7, 1e-4)
    found = check(TWO, tmp_path, 4, 2)
    assert [one.wrong > 0 for one in found.depths] == [False, False, True, False, False]
    assert "depth 2, position " in str(found.complaint)


def test_one_altered_value_of_the_tables_of_the_solution_is_found(tmp_path: Path) -> None:
    solve(TWO, tmp_path, 4, Keep.ALL)
    sound = check(TWO, tmp_path, 4, 1)
    assert sound.complaint is None
    assert all(one.own_table for one in sound.depths)
    change_table(next(tmp_path.glob("*=3.table")), 5, -1e-4)
    found = check(TWO, tmp_path, 4, 1)
    assert [one.wrong for one in found.depths] == [0, 0, 0, 1, 0]
    fault = found.depths[3].fault
    assert fault is not None
    assert fault.table
    assert fault.again - fault.stored == pytest.approx(1e-4, rel=0.01)  # the table holds what the other player gets


@pytest.mark.parametrize("depth", [2, 4])
def test_a_sample_of_other_positions_is_refused_before_the_search(
    depth: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(DeepSearch, "values", None)
    solve(TWO, tmp_path, 4)
    change_sample(TWO, tmp_path, depth, lambda sample: sample.mover.__setitem__(0, 10**9))
    with pytest.raises(TableDamaged, match=f"the sample of depth {depth} holds other positions"):
        check(TWO, tmp_path, 3, 1)


def test_values_that_no_game_confirms_are_found(tmp_path: Path) -> None:
    solve(TWO, tmp_path, 4)
    sound = check(TWO, tmp_path, 4, 3, 200_000).games
    assert sound is not None
    assert sound.sound
    assert sound.standard_errors < 5
    change_sample(TWO, tmp_path, 3, lower_all)
    found = check(TWO, tmp_path, 4, 3, 200_000)
    assert found.games is not None
    assert not found.games.sound
    assert found.games.standard_errors > 5
    assert found.games.apart.value == pytest.approx(sound.apart.value + 0.01, abs=1e-6)
    only = replace(found, depths=())
    assert str(only.complaint).startswith("two-yatzy: depth 3: 200,000 games differ from the values by 0.0")


@pytest.mark.parametrize("game", [TWO, JOKER], ids=lambda game: game.id)
def test_games_from_the_start_of_a_complete_solution(game: Game, tmp_path: Path) -> None:
    solve(game, tmp_path, keep=Keep.ALL)
    found = check(game, tmp_path, None, None, 100_000)
    assert found.complaint is None
    played = found.games
    assert played is not None
    assert (played.depth, played.positions) == (2 * len(game.categories), 1)
    assert played.expected == pytest.approx(kept_layers(game, Resources(tmp_path))[-1].most)
    assert abs(played.mean.value - played.expected) < 5 * played.mean.error


def test_games_do_not_depend_on_threads_and_start_equally_often(tmp_path: Path) -> None:
    solve(TWO, tmp_path, 3)
    sample, endgames = kept_layers(TWO, Resources(tmp_path))[3].sample, Endgames(TWO, 3, Resources(tmp_path))
    assert sample is not None
    start, points = play_out(endgames, 3, sample, 5000, 7, threads=1)
    for threads in (2, 5):
        assert np.array_equal(play_out(endgames, 3, sample, 5000, 7, threads)[1], points)
    assert not np.array_equal(play_out(endgames, 3, sample, 5000, 8, 1)[1], points)
    assert set(points) == {0.0, 0.5, 1.0}
    times = np.bincount(start, minlength=len(sample))
    assert times.max() - times.min() <= 1


def test_the_search_agrees_with_tables_in_any_order(tmp_path: Path) -> None:
    tables = Endgames(JOKER, 5, Resources(tmp_path))
    solve(JOKER, tmp_path, 5)
    sample = kept_layers(JOKER, Resources(tmp_path))[5].sample
    assert sample is not None
    order = np.random.default_rng(1).permutation(len(sample))[:300]
    place = [array[order].astype(np.int64) for array in (sample.mover, sample.opponent, sample.difference)]
    expected = [tables.tables[5].value(*one) for one in zip(*(array.tolist() for array in place), strict=True)]
    for depth in (0, 3, 4):
        found = DeepSearch(Endgames(JOKER, depth, Resources(tmp_path))).values(5, *place)
        assert found == pytest.approx(expected, abs=ROUNDING)


def test_what_was_searched_is_kept_in_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    solve(YACHT, tmp_path, 3)
    searched = list[int]()
    values = DeepSearch.values

    def noted(self: DeepSearch, depth: int, *place: Any) -> Any:
        if depth > self.endgames.depth:
            searched.append(depth)
            if len(searched) == 10:
                raise KeyboardInterrupt
        return values(self, depth, *place)

    monkeypatch.setattr(DeepSearch, "values", noted)
    with pytest.raises(KeyboardInterrupt):
        check_solution(YACHT, 3, 1, solver=Solver(tmp_path, threads=1))
    kept = list((match_folder(YACHT, Resources(tmp_path)) / FOLDER).glob("*.kept"))
    assert len(kept) > 3
    before = len(searched)
    assert check_solution(YACHT, 3, 1, solver=Solver(tmp_path, threads=1)).complaint is None
    parts = -(-7152 // PART) + -(-10_000 // PART)
    assert len(searched) - before == parts - len(kept)
    kept[0].write_bytes(kept[0].read_bytes()[:-1] + b"\0")
    before = len(searched)
    assert check_solution(YACHT, 3, 1, solver=Solver(tmp_path, threads=1)).complaint is None
    assert len(searched) - before == 1


@pytest.mark.parametrize("value", [np.nan, np.inf, 2.0])
def test_crafted_values_are_searched_again(value: float, tmp_path: Path) -> None:
    """A checksum does not tell who wrote a file."""
    solve(TWO, tmp_path, 4)
    once = check(TWO, tmp_path, 4, 2)
    folder = match_folder(TWO, Resources(tmp_path)) / FOLDER
    for path in folder.glob("*.kept"):
        _, head, data = path.read_bytes().split(b"\n", 2)
        about, arrays = json.loads(head), {name: array.copy() for name, array in decode_arrays(data).items()}
        arrays["value"][0] = value
        KeptResults(folder, SEARCHED).write(about["key"], encode_arrays(arrays))
    again = check(TWO, tmp_path, 4, 2)
    assert [replace(one, seconds=0) for one in again.depths] == [replace(one, seconds=0) for one in once.depths]


def test_workers_elsewhere_find_the_same(tmp_path: Path) -> None:
    solve(TWO, tmp_path, 4)
    here = check(TWO, tmp_path, 4, 2)
    for part in (match_folder(TWO, Resources(tmp_path)) / FOLDER).glob("*.kept"):
        part.unlink()
    with ThreadPoolExecutor(2) as pool:
        there = check(TWO, tmp_path, 4, 2, executor=pool)
    assert [replace(one, seconds=0) for one in there.depths] == [replace(one, seconds=0) for one in here.depths]


def test_what_cannot_be_checked_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TableMissing, match="there is no solution of two-yatzy with a sample"):
        check(TWO, tmp_path)
    solve(TWO, tmp_path, 3, Keep.NONE)
    with pytest.raises(TableMissing, match="there is no solution of two-yatzy with a sample"):
        check(TWO, tmp_path)
    solve(TWO, tmp_path, 3)
    for depth in (0, 4):
        with pytest.raises(InputError, match=f"--depth {depth}: must be from 1 to 3"):
            check(TWO, tmp_path, depth)
    for endgames in (-1, 3):
        with pytest.raises(InputError, match=f"--endgames {endgames}: must be from 0 to 2"):
            check(TWO, tmp_path, 3, endgames)
    assert check(TWO, tmp_path).endgames == 2
    assert check(TWO, tmp_path, 1).endgames == 0


@pytest.mark.parametrize("name", ["least", "most"])
def test_a_headline_that_the_sample_denies_is_refused_before_the_search(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(DeepSearch, "values", None)
    solve(TWO, tmp_path)
    top = kept_layers(TWO, Resources(tmp_path))[-1]
    changed = replace(top, least=0.25) if name == "least" else replace(top, most=0.75)
    KeptResults(match_folder(TWO, Resources(tmp_path)), LAYER).write(_key(TWO, top.depth), changed.encode())
    with pytest.raises(TableDamaged, match=f"the values of depth {top.depth} are said to lie between"):
        check(TWO, tmp_path)


def test_a_damaged_summary_is_named(tmp_path: Path) -> None:
    solve(TWO, tmp_path)
    path = KeptResults(match_folder(TWO, Resources(tmp_path)), LAYER).path(_key(TWO, 2))
    path.write_bytes(path.read_bytes()[:-1] + b"!")
    with pytest.raises(TableDamaged, match=r"kept: what is kept of depth 2 of two-yatzy is damaged, missing or"):
        check(TWO, tmp_path)


def test_a_summary_of_an_earlier_revision_is_named(tmp_path: Path) -> None:
    solve(TWO, tmp_path)
    earlier = Computation(LAYER.name, revision=LAYER.revision + 1, uses=LAYER.uses)
    path = KeptResults(match_folder(TWO, Resources(tmp_path)), LAYER).path(_key(TWO, 2))
    data = path.read_bytes().partition(b"\n")[2].partition(b"\n")[2]
    KeptResults(path.parent, earlier).write(_key(TWO, 2), data)
    told = r"of another version; 'yatzy match solve two-yatzy' solves the game again"
    with pytest.raises(TableDamaged, match=told):
        check(TWO, tmp_path)
