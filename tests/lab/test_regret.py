"""What strategies lose over whole games: against the search move by move, and against the judge in fractions."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import typer
from helpers.made_up import made_up_regret
from helpers.small_games import CHANCE, FIXED, PAIR, RUN
from typer.testing import CliRunner

from yatzy import load_game
from yatzy.cli.commands.match import regret as match_regret
from yatzy.errors import InputError, SizeError, TableMissing
from yatzy.games import Category, Face, Game, Keep, Position, Sheet
from yatzy.lab import regret
from yatzy.lab.batch_player import BatchPlayer
from yatzy.lab.optimal_play import OptimalPlay
from yatzy.lab.regret import REGRET, RegretResult, StrategyRegret, check_regret, measure_regret
from yatzy.lab.regret_players import judged_player
from yatzy.lab.sample import Estimate
from yatzy.lab.strength import open_evaluator
from yatzy.matches.blocks import PositionSample
from yatzy.matches.counting import count_match
from yatzy.matches.endgames import Endgames
from yatzy.matches.exact import ExactMatch
from yatzy.matches.search import MatchSearch
from yatzy.model import compile_game
from yatzy.report import Table, read_regret, regret_blocks, to_markdown
from yatzy.solver import Solver
from yatzy.store.kept import KeptResults, decode_arrays, encode_arrays
from yatzy.values.curves import BestChances
from yatzy.values.evaluator import Evaluator
from yatzy.values.expected import ExpectedScore
from yatzy.verification.optimum import play_out

TWO = load_game("two-yatzy")
THREE = Game("three-boxes", 2, 3, 2, (PAIR, CHANCE, RUN))
FOUR = Game("four-boxes", 2, 3, 3, (Category("twos", Face(2)), PAIR, CHANCE, RUN))
JOKER = replace(next(game for game in FIXED if game.id == "joker-pawlewicz" and game.faces == 2), id="joker")
FORCED = next(game for game in FIXED if game.id == "forced-mixed")
GAMES = (TWO, THREE, FOUR, JOKER, FORCED)
NAMES = ("expected", *(f"match:{kind}:{depth}" for kind in ("emp", "dyns") for depth in range(5)))
ERRORS = 5


@cache
def chances_of(game: Game) -> BestChances:
    return BestChances(game)


@cache
def optimum_of(game: Game) -> OptimalPlay:
    return OptimalPlay(Endgames(game, 2 * len(game.categories)))


@cache
def evaluator_of(game: Game, name: str) -> ExpectedScore | MatchSearch:
    found = open_evaluator(name, chances_of(game))
    assert isinstance(found, (ExpectedScore, MatchSearch))
    return found


def after_all_rolls(position: Position) -> list[tuple[float, Position]]:
    """The positions after a roll of the dice not kept, with their chances."""
    game = position.game
    if not position.awaits_roll:  # all dice were kept
        return [(1.0, position)]
    missing = game.dice - len(position.dice)
    rolls = list(product(range(1, game.faces + 1), repeat=missing))
    return [(1 / len(rolls), position.roll(position.dice + more)) for more in rolls]


def losses_of_turn(evaluator: Evaluator, perfect: Endgames, position: Position) -> list[float]:
    """[roll of the turn]: the mean loss of a strategy in a turn, move by move."""
    lost, now = [], after_all_rolls(position)
    for _ in range(position.game.rolls):
        then: list[tuple[float, Position]] = []
        total = 0.0
        for chance, here in now:
            values = {entry.move: entry.value for entry in perfect.moves(here)}
            move = evaluator.best(here)
            total += chance * (max(values.values()) - values[move])
            if isinstance(move, Keep):
                then += [(chance * share, after) for share, after in after_all_rolls(here.play(move))]
        lost.append(total)
        now = then
    return lost


def sheet_of(player: BatchPlayer, which: int) -> Sheet:
    """The sheet of a player in a match."""
    game, table = player.game, player.table(player.played)
    mask = int(compile_game(game).states.filled(np.array([player.states[which]]))[0])
    boxes = [int(table.points[which, i]) if mask >> i & 1 else None for i in range(len(game.categories))]
    paid = (game.joker.points if game.joker else 0) or 1
    return Sheet.of_boxes(game, boxes, int(table.jokers[which]) // paid)


OFTEN = ("expected", "match:emp:1", "match:emp:3", "match:dyns:2")
"""One strategy of each kind; `make slow` tries them all."""


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name in OFTEN else pytest.mark.slow) for name in NAMES]
)
def test_the_loss_of_a_turn_is_that_of_the_moves_of_the_search(game: Game, name: str) -> None:
    optimum, matches = optimum_of(game), 12
    evaluator = evaluator_of(game, name)
    player, perfect = judged_player(optimum, chances_of(game), evaluator), optimum.endgames
    for seat in (0, 1):
        seats = [BatchPlayer(game, name, None, False, matches, 3, 0, number, True) for number in (0, 1)]
        realised = np.zeros(matches)
        for depth in range(2 * len(game.categories), 0, -1):
            mover, rival = seats[depth % 2], seats[1 - depth % 2]
            if depth % 2 != seat:
                optimum.play(mover, rival, None)
                continue
            sheets = [[sheet_of(one, match) for one in seats] for match in range(matches)]
            lost, erring = player.play(mover, rival, realised, None)
            for match in range(0, matches, 4):
                position = Position(tuple(sheets[match]))
                assert lost[match] == pytest.approx(losses_of_turn(evaluator, perfect, position), abs=3e-6)
            assert ((erring >= 0) & (erring <= 1 + 1e-12)).all()
        assert realised.min() >= 0


def test_nothing_is_lost_by_a_search_to_the_end() -> None:
    for game in (TWO, THREE):
        optimum_of(game)
        found = measure_regret(game, [f"match:emp:{2 * len(game.categories)}"], 2000, 1, None).strategies[0]
        assert found.loss.value < 1e-6
        assert found.erring.value == 0


# Whole games


Bounds = tuple[Fraction, Fraction]


class ExactLoss:
    """The match points that a strategy loses in a whole match, in fractions.

    Between its optimal moves the other picks what makes the loss least, or most.
    """

    def __init__(self, perfect: ExactMatch, strategy: Evaluator, seat: int) -> None:
        self._perfect, self._strategy, self._seat = perfect, strategy, seat
        self._known: dict[object, Bounds] = {}

    def of(self, position: Position) -> Bounds:
        """The least and the greatest loss from here on."""
        if position.over:
            return Fraction(0), Fraction(0)
        one, other = position.sheets
        sheets = [(sheet.filled, sheet.upper, sheet.box_pays) for sheet in position.sheets]
        key = (*sheets, one.points - other.points, position.dice, position.rolls_left, position.awaits_roll)
        if key not in self._known:
            self._known[key] = self._find(position)
        return self._known[key]

    def _find(self, position: Position) -> Bounds:
        if position.awaits_roll:
            then = [self.of(one) for _, one in after_all_rolls(position)]
            least, most = (sum(losses, Fraction(0)) / len(then) for losses in zip(*then, strict=True))
            return least, most
        if position.mover == self._seat:
            move = self._strategy.best(position)
            lost = self._perfect.value(position) - self._perfect.after(position, move)
            least, most = self.of(position.play(move))
            return lost + least, lost + most
        value = self._perfect.value(position)
        best = [move for move in position.legal_moves if self._perfect.after(position, move) == value]
        leasts, mosts = zip(*(self.of(position.play(move)) for move in best), strict=True)
        return min(leasts), max(mosts)


@cache
def exact_of(game: Game) -> ExactMatch:
    return ExactMatch(game)


@pytest.mark.parametrize("game", [TWO, THREE], ids=lambda game: game.id)
@pytest.mark.parametrize(
    "name", ["expected", "match:emp:0", "match:emp:1", "match:emp:2", "match:dyns:0", "match:dyns:2"]
)
def test_the_loss_of_whole_games_is_that_of_the_judge_in_fractions(game: Game, name: str) -> None:
    Endgames(game, 2 * len(game.categories))
    found = measure_regret(game, [name], 4000, 7, None).strategies[0]
    perfect, start = exact_of(game), Position.start(game, 2)
    assert found.first.value == pytest.approx(float(perfect.value(start)), abs=1e-6)
    for seat, measured in enumerate((found.first, found.second)):
        least, most = map(float, ExactLoss(perfect, evaluator_of(game, name), seat).of(start))
        for mean in (
            measured.loss,
            Estimate(measured.value - measured.without_luck.value, measured.without_luck.error),
        ):
            assert least - ERRORS * mean.error - 1e-6 <= mean.value <= most + ERRORS * mean.error + 1e-6
    assert abs(found.apart) < ERRORS


def test_the_estimates_agree_and_add_up() -> None:
    Endgames(FOUR, 8)
    found = measure_regret(FOUR, ["expected", "match:dyns:1"], 6000, 5, None)
    for one in found.strategies:
        assert abs(one.apart) < ERRORS
        for seat in (one.first, one.second):
            assert sum(turn.value for turn in seat.turns) == pytest.approx(seat.loss.value, abs=1e-12)
            assert sum(roll.value for roll in seat.rolls) == pytest.approx(seat.loss.value, abs=1e-12)
            assert seat.games == 3000
        assert one.loss.value > 0 < one.erring.value < 1
        assert one.games == 6000
        assert one.value == pytest.approx(0.5, abs=1e-6), "both seats of two best players together win one match"
        assert one.loss.error < one.without_luck.error < one.result.error
        assert [move.value * FOUR.rolls for move in one.moves] == pytest.approx([turn.value for turn in one.turns])
    assert found.strategies[0].first.value + found.strategies[0].second.value == 1


# Parts


def measured(folder: Path | None = None, *, threads: int = 1, names: tuple[str, ...] = ("expected", "match:emp:3"),
             executor: Executor | None = None, seed: int = 2, games: int = 300) -> RegretResult:  # fmt: skip
    Endgames(THREE, 6)
    solver = Solver(threads=threads, executor=executor)
    return measure_regret(THREE, names, games, seed, folder, solver)


def test_results_depend_on_the_seed_alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    once = measured()
    assert measured(threads=2) == once
    assert measured(tmp_path) == once
    assert measured(tmp_path) == once
    assert measured(tmp_path, games=200) == measured(games=200)
    assert measured(seed=3) != once
    with ThreadPoolExecutor(2) as executor:
        assert measured(executor=executor) == once
    monkeypatch.setattr(regret, "PART", 40)
    for one, other in zip(measured().strategies, once.strategies, strict=True):
        assert one.loss.value == pytest.approx(other.loss.value, rel=1e-12)
        assert one.result == other.result


def test_a_seed_always_gives_the_same_games() -> None:
    """docs/regret.json was measured over hours; the next measurement has to find the same numbers."""
    expected, nearly = measured(names=("expected", "match:emp:1")).strategies
    assert (expected.result.value, nearly.result.value) == (139 / 300, 141 / 300)
    assert expected.loss.value == pytest.approx(0.007871633093543504, rel=1e-9)
    assert nearly.loss.value == pytest.approx(0.00018273454389454482, rel=1e-9)
    zero = np.zeros(1, np.int32)
    start = PositionSample(zero, zero, zero, np.zeros(1, np.float32))
    assert play_out(Endgames(THREE, 6), 6, start, 1000, 5)[1].sum() == 499.5


class Stopped(Exception):  # noqa: N818  (what happened)
    """Somebody pressed Ctrl-C."""


def test_an_interrupted_measurement_resumes_after_the_last_turn(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(regret, "PART", 64)
    once, turns = measured(names=("match:emp:3",)), [0]
    play = OptimalPlay.play

    def stop(self: OptimalPlay, *rest: Any) -> None:
        turns[0] += 1
        if turns[0] % 8 == 0:
            raise Stopped
        play(self, *rest)

    monkeypatch.setattr(OptimalPlay, "play", stop)
    stops, found = 0, None
    while found is None:
        try:
            found = measured(tmp_path, names=("match:emp:3",))
        except Stopped:
            stops += 1
    assert found == once
    assert stops > 1
    # 3 parts of 6 turns, and at most two turns of a seat again each time.
    assert turns[0] <= 3 * 6 + 2 * stops
    assert len(list(tmp_path.glob("*.kept"))) == 3


@pytest.mark.parametrize("elsewhere", [False, True])
def test_progress_counts_the_turns_of_all_parts(
    elsewhere: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(regret, "PART", 64)
    Endgames(THREE, 6)
    names, told = ["expected", "match:emp:3"], list[tuple[int, int]]()

    def watch(what: str, verb: str = "") -> Callable[[int, int], None]:
        return lambda done, total: told.append((done, total)) if verb else None  # without a verb, tables are solved

    with ThreadPoolExecutor(2) as pool:
        solver = Solver(executor=pool if elsewhere else None, progress=watch)
        for games in (300, 300, 500):  # the second time all parts are there, then all but the last
            told.clear()
            measure_regret(THREE, names, games, 2, tmp_path, solver)
            done, total = [count for count, _ in told], told[0][1]
            assert done == sorted(done)
            assert (done[0], done[-1], {whole for _, whole in told}) == (0, total, {total})
            assert total % (2 * 6) == 0, "two strategies, six turns"


def test_damaged_parts_are_played_again(tmp_path: Path) -> None:
    once, reports = measured(tmp_path), list[object]()
    for path in tmp_path.glob("*.kept"):
        path.write_bytes(path.read_bytes()[:-5] + b"wrong")
    solver = Solver(report=reports.append)
    assert measure_regret(THREE, ["expected", "match:emp:3"], 300, 2, tmp_path, solver) == once
    assert len(reports) == 2
    kept = KeptResults(tmp_path, REGRET)
    for path in tmp_path.glob("*.kept"):  # what fits no measurement of this game
        key = json.loads(path.read_bytes().split(b"\n")[1])["key"]
        kept.write(key, encode_arrays({"count": np.zeros(3), "total": np.zeros(2), "square": np.zeros(2)}))
    assert measure_regret(THREE, ["expected", "match:emp:3"], 300, 2, tmp_path, solver) == once


@pytest.mark.parametrize("name", ["count", "total", "square"])
def test_crafted_sums_are_played_again(name: str, tmp_path: Path) -> None:
    """A count of 0 would be divided by, and an infinite sum would be printed."""
    once = measured(tmp_path)
    kept, path = KeptResults(tmp_path, REGRET), min(tmp_path.glob("*.kept"))
    _, head, data = path.read_bytes().split(b"\n", 2)
    sums = {key: array.copy() for key, array in decode_arrays(data).items()}
    sums[name].flat[0] = 0 if name == "count" else np.inf
    kept.write(json.loads(head)["key"], encode_arrays(sums))
    reports = list[object]()
    solver = Solver(threads=1, report=reports.append)
    assert measure_regret(THREE, ("expected", "match:emp:3"), 300, 2, tmp_path, solver) == once
    assert len(reports) == 1


def unfinished(folder: Path, monkeypatch: pytest.MonkeyPatch, depth: int = 3) -> tuple[Path, dict[str, Any]]:
    """A part of match:emp:3 that has come to a depth: its file, and its arrays."""
    write = regret.Parts.write_unfinished

    def stop(parts: Any, task: Any, arrays: Any) -> None:
        write(parts, task, arrays)
        if arrays["depth"][0] == depth:
            raise Stopped

    with monkeypatch.context() as patch:
        patch.setattr(regret.Parts, "write_unfinished", stop)
        with pytest.raises(Stopped):
            measured(folder, names=("match:emp:3",))
    (path,) = folder.glob("*.kept")
    data = path.read_bytes().split(b"\n", 2)[2]
    return path, {name: array.copy() for name, array in decode_arrays(data).items()}


def infinite(arrays: dict[str, Any]) -> None:
    arrays["lost"][0, 0, 0] = np.inf


def uncertain(arrays: dict[str, Any]) -> None:
    arrays["turns"][1, 0, 0] = np.nan


def outside(arrays: dict[str, Any]) -> None:
    arrays["state"][0, 0] = 10**6


def negative(arrays: dict[str, Any]) -> None:
    arrays["state"][3, 1] = -1


def rich(arrays: dict[str, Any]) -> None:
    arrays["made"][2, 0] = 2**30


def wide(arrays: dict[str, Any]) -> None:
    arrays["state"] = arrays["state"].astype(np.int64)


def deep(arrays: dict[str, Any]) -> None:
    arrays["depth"][0] = 6


def without(arrays: dict[str, Any]) -> None:
    del arrays["made"]


@pytest.mark.parametrize("craft", [infinite, uncertain, outside, negative, rich, wide, deep, without])
def test_crafted_matches_are_played_again(craft: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Their states are indexes for kernels, and a checksum does not tell who wrote a file."""
    once, reports = measured(names=("match:emp:3",)), list[object]()
    path, arrays = unfinished(tmp_path, monkeypatch)
    craft(arrays)
    KeptResults(tmp_path, REGRET).write(json.loads(path.read_bytes().split(b"\n")[1])["key"], encode_arrays(arrays))
    solver = Solver(threads=1, report=reports.append)
    assert measure_regret(THREE, ["match:emp:3"], 300, 2, tmp_path, solver) == once
    assert [str(line).endswith("is damaged; it is computed again") for line in reports] == [True]


def test_a_state_of_a_later_layer_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each player's states have a limit of their own: this layer is smaller than the largest one."""
    path, arrays = unfinished(tmp_path, monkeypatch, depth=5)
    sizes = np.diff(compile_game(THREE).states.layer_start)
    done = 6 - int(arrays["depth"][0])
    filled = [(done + 1 - player) // 2 for player in (0, 1)]
    assert all(arrays["state"][seat].max() < sizes[filled[seat % 2]] for seat in range(4))
    seat = int(np.argmin(sizes[filled]))
    assert sizes[filled[seat]] < sizes.max()
    arrays["state"][seat, 0] = sizes[filled[seat]]
    KeptResults(tmp_path, REGRET).write(json.loads(path.read_bytes().split(b"\n")[1])["key"], encode_arrays(arrays))
    reports = list[object]()
    measure_regret(THREE, ["match:emp:3"], 300, 2, tmp_path, Solver(threads=1, report=reports.append))
    assert len(reports) == 1


# Refusals


@pytest.mark.parametrize(
    ("name", "depths"),
    [("match:emp:1", (5,)), ("match:dyns:2", (4,)), ("match:emp:3", (3, 4)), ("match:emp:6", (3, 4))],
)
def test_too_little_memory_is_told_before_the_first_turn(
    name: str, depths: tuple[int, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Endgames(THREE, 6)
    sizes = [4 * row.values for row in count_match(THREE).rows]
    held = len(depths)
    needed = max(sum(sizes[depth : depth + held]) for depth in range(depths[0] + 1))
    monkeypatch.setattr(regret, "available_memory", lambda: needed - 1)
    with pytest.raises(SizeError, match=f"^{name}: its searches in three-boxes take about .* GiB of memory, but"):
        measure_regret(THREE, ["expected", name], 2, 1, tmp_path)
    assert not list(tmp_path.glob("*.kept"))
    monkeypatch.setattr(regret, "available_memory", lambda: needed)
    found = measure_regret(THREE, [name], 2, 1, tmp_path)
    monkeypatch.setattr(regret, "available_memory", lambda: 0)
    assert measure_regret(THREE, [name], 2, 1, tmp_path) == found  # all is kept
    measure_regret(THREE, ["expected", "match:emp:0"], 2, 1, None)  # no turn is searched


@pytest.mark.parametrize(
    ("names", "games", "seed", "told"),
    [
        (["expected"], 3, 1, "games: 3 must be an even number"),
        (["expected"], 0, 1, "games: 0 must be"),
        (["expected"], 2, -1, "seed: -1"),
        ([], 2, 1, "strategies: none given"),
        (["match:emp:1", "match:emp:1"], 2, 1, "match:emp:1: is given twice"),
        (["match:auto"], 2, 1, "match:auto: regret is measured only for expected"),
        (["target:6"], 2, 1, "target:6: regret is measured only for expected"),
        (["nonsense"], 2, 1, "there is no objective"),
    ],
)
def test_what_cannot_be_measured_is_refused(names: list[str], games: int, seed: int, told: str) -> None:
    with pytest.raises(InputError, match=told):
        measure_regret(TWO, names, games, seed, None)


def test_the_limits_of_a_measurement_are_allowed_themselves() -> None:
    for games, seed in ((2, 0), (2**30, 2**64 - 1)):
        assert check_regret(TWO, ["match:emp:1"], games, seed) == ("match:emp:1",)
    for games, seed in ((2**30 + 2, 0), (2, 2**64)):
        with pytest.raises(InputError):
            check_regret(TWO, ["match:emp:1"], games, seed)


def test_the_command_that_makes_the_solution_is_named(tmp_path: Path) -> None:
    Endgames(TWO, 2, Solver(tmp_path))
    with pytest.raises(TableMissing, match="'yatzy match solve two-yatzy --keep all' makes it"):
        measure_regret(TWO, ["expected"], 2, 1, None, Solver(tmp_path))


# The command


def run_command(*arguments: str) -> str:
    app = typer.Typer()
    app.command()(match_regret.command)
    done = CliRunner().invoke(app, ["two-yatzy", *arguments], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


def test_the_command_prints_the_tables_and_one_object(tmp_path: Path) -> None:
    solve = ["--strategies", "expected,match:dyns:2", "--games", "400", "--out", str(tmp_path)]
    Endgames(TWO, 4)
    shown = run_command(*solve)
    for part in ("loss per game", "loss per move, by turn", "roll 2", "by the losses", "match:dyns:2"):
        assert part in shown
    fields = json.loads(run_command(*solve, "--json"))
    result = measure_regret(TWO, ["expected", "match:dyns:2"], 400, 1, None)
    assert to_markdown(regret_blocks(read_regret(fields))) == to_markdown(regret_blocks(result))
    assert fields["error"] == read_regret(fields).error == result.error == MatchSearch.tie
    assert (fields["game"], fields["games"], fields["seed"], fields["value"]) == ("two-yatzy", 400, 1, result.value)
    for one in result.strategies:
        found = fields["strategies"][one.strategy]
        assert found["loss"] == {"value": one.loss.value, "error": one.loss.error}
        assert [move["value"] for move in found["moves"]] == [move.value for move in one.moves]
        assert found["second"]["value"] == one.second.value
        assert found["apart"] == one.apart


@pytest.mark.parametrize("errors", [False, True])
def test_a_loss_that_may_be_rounding_is_shown_as_such(errors: bool) -> None:
    seat = made_up_regret().strategies[0].first
    shown = []
    for lost in (0.0, 1.9e-7, 2.1e-7):  # a turn; there are two moves in it
        turns = (Estimate(lost, 2e-8), *seat.turns[1:])
        seats = (replace(seat, turns=turns),) * 2
        result = replace(made_up_regret(), strategies=(StrategyRegret("expected", 2, *seats),))
        table = regret_blocks(result, errors=errors)[3]
        assert isinstance(table, Table)
        shown.append(table.rows[0][1])
    assert shown == ["0", "< 1e−07", "1.05e−07 ± 7e−09" if errors else "1.05e−07"]
