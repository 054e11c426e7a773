"""What an exact distribution and a compiled game cost is known before anything large is made."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from helpers.small_games import FIXED

from yatzy.errors import SizeError
from yatzy.evaluation.evaluating import evaluate, evaluation_cost
from yatzy.games import Game, Position, Sheet, load_preset
from yatzy.model import compile_game
from yatzy.model.compiled import MAX_UPPER_PAIRS, forget_compiled, refuse_to_compile
from yatzy.model.upper import most_upper_pairs
from yatzy.solver import parse_strategy
from yatzy.values.cost import OPERATIONS_A_SECOND, Cost, CostLimit, layer_sizes, least_cost, refuse_beyond
from yatzy.values.threads import available_memory, physical_memory, run_ranges, worker_pool
from yatzy.values.utility import widths

RICH = (
    'id = "rich"\ndice = 5\nfaces = 6\nrolls = 2\n[bonus]\npoints = 50\nthreshold = 63\n'
    + "".join(f'[[categories]]\nid = "u{face}"\npattern = "face"\nface = {face}\n' for face in (1, 2, 3, 4, 5, 6))
    + "".join(
        f'[[categories]]\nid = "g{size}"\npattern = "groups"\ngroups = [{size}]\npoints = 300\n' for size in range(2, 6)
    )
)
GIB = 2**30


def described(upper: int, threshold: int, dice: int = 5) -> Game:
    rows = "".join(f'[[categories]]\nid = "u{face}"\npattern = "face"\nface = {face}\n' for face in range(1, upper + 1))
    bonus = f"[bonus]\npoints = 50\nthreshold = {threshold}\n"
    return Game.parse(f'id = "upper"\ndice = {dice}\nfaces = {max(upper, 2)}\nrolls = 3\n{bonus}{rows}')


@pytest.mark.parametrize("game", [load_preset("two-yatzy"), load_preset("yahtzee"), *FIXED], ids=lambda g: g.id)
def test_sizes_of_layers_are_those_of_their_widths(game: Game) -> None:
    compiled = compile_game(game)
    sizes = layer_sizes(compiled)
    for layer in range(compiled.states.layers):
        width = widths(compiled, layer)
        assert sizes.states[layer] == len(width)
        assert sizes.places[layer] == width.sum()


@pytest.mark.parametrize("game", [load_preset("two-yatzy"), load_preset("yahtzee"), *FIXED], ids=lambda g: g.id)
def test_the_least_cost_is_the_mass_of_two_layers_and_below_that_of_any_strategy(game: Game) -> None:
    compiled = compile_game(game)
    mass = [int(widths(compiled, layer).sum()) for layer in range(compiled.states.layers)]
    sheet = Sheet.start(game)
    for first in range(len(mass)):
        least = least_cost(compiled, first)
        assert least.bytes == 8 * max((a + b for a, b in pairwise(mass[first:])), default=0)
        assert least.operations == sum(mass[first:])
        if sheet.over:
            break
        for strategy in ("greedy", "random"):
            assert least.bytes <= evaluation_cost(parse_strategy(strategy, game), Position((sheet,))).bytes
        sheet = sheet.fill(sheet.available[0], 0, 0)


@pytest.mark.parametrize(("limit", "used", "found"), [(900, 300, 600), (900, 1000, 0), (10**19, 0, 500 * 1024)])
def test_a_control_group_limits_the_memory(limit: int, used: int, found: int, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {
        "meminfo": "MemFree: 100 kB\nMemAvailable: 500 kB\n",
        "memory.max": f"{limit}\n",
        "memory.current": f"{used}\n",
    }
    monkeypatch.setattr(Path, "read_text", lambda path, **_: files[path.name])
    assert available_memory() == found
    files["memory.max"] = "max\n"
    assert available_memory() == 500 * 1024, "there is no limit"


@pytest.mark.parametrize("strategy", ["greedy", "random"])
def test_a_distribution_beyond_the_limit_is_refused_with_its_size(strategy: str) -> None:
    game = load_preset("maxi-yatzy")
    player = parse_strategy(strategy, game)
    wanted = rf"{strategy} for maxi-yatzy would take about \d+\.\d GiB .* yatzy simulate --game maxi-yatzy --strategy"
    with pytest.raises(SizeError, match=wanted):
        evaluate(player, limit=CostLimit(4 * GIB))
    with pytest.raises(SizeError, match="minutes"):
        evaluate(player, limit=CostLimit(1000 * GIB, 1e10))
    with pytest.raises(SizeError, match="play some games"):
        evaluate(player, limit=CostLimit(GIB, instead="play some games"))


def test_the_limit_is_the_memory_of_the_machine_by_default(monkeypatch: pytest.MonkeyPatch) -> None:
    player = parse_strategy("greedy", load_preset("two-yatzy"))
    assert evaluate(player).score.mean > 0
    monkeypatch.setattr("yatzy.values.cost.available_memory", lambda: 1000)
    with pytest.raises(SizeError, match="two-yatzy"):
        evaluate(player)


def test_a_refusal_tells_memory_and_time_in_gibibytes_and_minutes() -> None:
    game = load_preset("two-yatzy")
    with pytest.raises(SizeError, match=r"would take about 6\.5 GiB of memory, and 4\.5 GiB may be used; "):
        refuse_beyond(Cost(13 * GIB // 2, 1.0), CostLimit(9 * GIB // 2), game, "greedy")
    cost = Cost(GIB, 90 * 60 * OPERATIONS_A_SECOND)
    with pytest.raises(SizeError, match="would take about 90 minutes, which is too long here; play some"):
        refuse_beyond(cost, CostLimit(GIB, cost.operations / 2, "play some"), game, "greedy")


def test_the_limit_itself_is_allowed() -> None:
    game = load_preset("two-yatzy")
    refuse_beyond(Cost(10, 100.0), CostLimit(10, 100.0), game, "greedy")
    for cost in (Cost(11, 100.0), Cost(10, 101.0)):
        with pytest.raises(SizeError):
            refuse_beyond(cost, CostLimit(10, 100.0), game, "greedy")


def test_a_machine_that_does_not_tell_its_memory_has_a_common_size(monkeypatch: pytest.MonkeyPatch) -> None:
    assert physical_memory() != 8 * GIB or os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") == 8 * GIB
    monkeypatch.setattr(os, "sysconf_names", {})
    assert physical_memory() == 8 * GIB


def test_less_is_open_later_in_a_game() -> None:
    game = load_preset("yatzy")
    player = parse_strategy("greedy", game)
    whole = evaluation_cost(player)
    last = Position.start(game)
    sheet = last.sheet
    for category in range(13):
        sheet = sheet.fill(category, 0, 0)
    rest = evaluation_cost(player, Position((sheet,)))
    assert rest.bytes < whole.bytes / 10
    assert evaluate(player, Position((sheet,)), limit=CostLimit(rest.bytes)).score.mean > 0


MEASURE = """
import json, sys
from yatzy.games import Game, load_preset
from yatzy.evaluation.evaluating import evaluate
from yatzy.evaluation.evaluating import evaluation_cost
from yatzy.solver import parse_strategy

def memory(what):
    return 1024 * int(next(line for line in open("/proc/self/status") if line.startswith(what)).split()[1])

game = Game.parse(sys.stdin.read())
evaluate(parse_strategy("greedy", load_preset("two-yatzy")))  # what is loaded once
player = parse_strategy("greedy", game)
guess = evaluation_cost(player).bytes
open("/proc/self/clear_refs", "w").write("5")
before = memory("VmRSS")
evaluate(player)
print(json.dumps([guess, memory("VmHWM") - before]))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the peak of a process's memory is read from /proc")
def test_the_estimate_is_what_is_used() -> None:
    done = subprocess.run([sys.executable, "-c", MEASURE], input=RICH, capture_output=True, text=True, check=True)
    guess, used = json.loads(done.stdout)
    assert used > 30 * 2**20
    assert used <= guess <= 1.5 * used


@pytest.mark.parametrize("upper", range(1, 9))
@pytest.mark.parametrize("threshold", [1, 20, 63, 1000])
def test_upper_sums_are_counted_before_they_are_listed(upper: int, threshold: int) -> None:
    game = described(upper, threshold, dice=2)
    found = compile_game(game).upper.reachable_pairs
    assert found <= most_upper_pairs(game) <= 4 * found


@pytest.mark.parametrize("upper", [13, 15, 18])
def test_many_upper_categories_are_refused_unlisted(upper: int, monkeypatch: pytest.MonkeyPatch) -> None:
    def listed(*_: Any) -> None:
        raise AssertionError("the sums were listed")

    monkeypatch.setattr("yatzy.model.compiled.upper_classes", listed)
    with pytest.raises(SizeError, match=f"{upper} upper categories"):
        refuse_to_compile(described(upper, 63), 2**15)
    if most_upper_pairs(described(upper, 63)) > MAX_UPPER_PAIRS:
        with pytest.raises(SizeError, match=f"{upper} upper categories"):
            compile_game(described(upper, 63))


def test_an_index_too_large_for_memory_is_refused() -> None:
    rows = "".join(f'[[categories]]\nid = "c{i}"\npattern = "chance"\n' for i in range(28))
    game = Game.parse(f'id = "long"\ndice = 2\nfaces = 2\nrolls = 2\n{rows}')
    with pytest.raises(SizeError, match=r"index of the states of long would take \d+\.\d GiB"):
        compile_game(game)


def test_compiled_games_are_kept_up_to_a_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("yatzy.model.compiled.CACHED_BYTES", 1)
    forget_compiled()
    games = [described(3, threshold) for threshold in range(5, 15)]
    first = compile_game(games[0])
    assert compile_game(games[0]) is first
    for game in games[1:]:
        compile_game(game)
    assert compile_game(games[-1]) is compile_game(games[-1])
    assert compile_game(games[0]) is not first


@pytest.mark.parametrize("threads", [1, 3])
def test_ranges_are_worked_on_once_each(threads: int) -> None:
    done = list[tuple[int, int]]()
    with worker_pool(threads) as pool:
        assert (pool is None) == (threads == 1)
        run_ranges(pool, lambda low, high: done.append((low, high)), 5, 32, 10)
    assert sorted(done) == [(5, 15), (15, 25), (25, 32)]


def test_an_error_in_a_range_is_raised() -> None:
    def fail(low: int, high: int) -> None:
        if low == 10:
            raise ArithmeticError(low)

    for threads in (1, 2):
        with worker_pool(threads) as pool, pytest.raises(ArithmeticError):
            run_ranges(pool, fail, 0, 30, 10)


def test_the_time_of_a_cost_is_shared_by_the_threads() -> None:
    assert Cost(0, 6e9, 2.0).seconds(2) - 2.0 == pytest.approx((Cost(0, 6e9).seconds(1)) / 2)
    assert Cost(0, OPERATIONS_A_SECOND).seconds(1) == 1.0
    assert str(Cost(3 * GIB, 0)) == "about 3.0 GiB of memory"
