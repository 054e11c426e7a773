"""The solver beyond its values: threads, interruption, damage, sizes."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from yatzy import PRESETS, Keep, Position, Sheet, count_game, load_game
from yatzy.errors import SizeError
from yatzy.games import Category, Chance, Game
from yatzy.model import compile_game
from yatzy.solver import Solver, solve
from yatzy.store import Table
from yatzy.values.evaluator import Meaning, Sides
from yatzy.values.expected import solve_in_memory
from yatzy.values.layers import solve_layers
from yatzy.values.opened import Opened

YACHT = load_game("yacht")


@pytest.mark.parametrize("id", [id for id in PRESETS if id != "maxi-yatzy"])
def test_every_preset_solves(id: str, tables: Path) -> None:
    game = load_game(id)
    solution = solve(game)
    start = Position.start(game)
    assert solution.states == count_game(game).states
    # The start is the mean of its first rolls, which the table does not hold.
    turn, weight = solution.turn(start.sheet), compile_game(game).lattice.weight
    assert solution.value(start) == pytest.approx(float(turn.roll(game.rolls - 1) @ weight), abs=1e-9)
    assert solve(game).table.cached


def test_kernels_serve_several_threads_at_once() -> None:
    """A web server will call solvers from many threads; none may disturb another."""
    expected = solve_in_memory(YACHT, threads=1)
    with ThreadPoolExecutor(6) as pool:
        results = list(pool.map(lambda _: solve_in_memory(YACHT, threads=2), range(24)))
    assert all(np.array_equal(values, expected) for values in results)


def test_one_thread_and_many_agree_to_the_last_bit() -> None:
    game = load_game("yahtzee-plain")
    assert np.array_equal(solve_in_memory(game, threads=1), solve_in_memory(game, threads=5))


def test_advice_from_several_threads(tmp_path: Path) -> None:
    solution = Solver(tmp_path).expected(YACHT)
    positions = [
        Position((Sheet.start(YACHT),), (1, 2, 3, 4, face), left) for face in range(1, 7) for left in (0, 1, 2)
    ]
    alone = [solution.moves(position) for position in positions]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(Solver(tmp_path).expected(YACHT).moves, positions)) == alone


class StopHereError(Exception):
    pass


def test_an_interrupted_table_goes_on_from_its_last_layer(tmp_path: Path) -> None:
    """Stopped at any layer, the next run computes only what is missing and gets the same table."""
    whole = Solver(tmp_path / "whole").expected(YACHT).table.path.read_bytes()
    counts = count_game(YACHT)
    starts = compile_game(YACHT).states.layer_start
    for stop in range(2, counts.layers):
        folder = tmp_path / str(stop)
        seen: list[int] = []

        def watch(done: int, total: int, seen: list[int] = seen) -> None:
            seen.append(done)

        def interrupt(done: int, total: int, stop: int = stop) -> None:
            if done > counts.states - starts[stop]:
                raise StopHereError

        with pytest.raises(StopHereError):
            Solver(folder, progress=lambda *_: interrupt).expected(YACHT)
        solution = Solver(folder, progress=lambda *_: watch).expected(YACHT)
        assert seen[0] == 0
        assert seen[1] > counts.states - starts[stop], "a finished layer was computed again"
        assert solution.table.path.read_bytes() == whole


def test_a_damaged_layer_is_named_and_rebuilt_never_used(tmp_path: Path) -> None:
    """Flip bits all over the file: the answers stay right, and what was met is reported and mended."""
    solution = Solver(tmp_path).expected(YACHT)
    sound, start = solution.table.path.read_bytes(), Position.start(YACHT)
    sheets = [Sheet.of_boxes(YACHT, (0,) * n + (None,) * (12 - n)) for n in range(12)]
    asked = [Position((sheet,), (6, 6, 6, 6, 6), 0) for sheet in sheets]  # between them they read every layer
    noticed = 0
    right = [(solution.value(start), *solution.moves(position)) for position in asked]
    for place in range(5, len(sound), 997):
        damaged = bytearray(sound)
        damaged[place] ^= 0x10
        solution.table.path.write_bytes(damaged)
        said: list[str] = []
        again = Solver(tmp_path, report=said.append).expected(YACHT)
        assert [(again.value(start), *again.moves(position)) for position in asked] == right
        if said:
            noticed += 1
            assert solution.table.path.name in said[0]
            assert not Table(solution.table.path).verify()
        else:  # a byte that no answer depends on; verification finds it all the same
            assert Table(solution.table.path).verify()
    assert noticed > 25


def test_refuses_what_does_not_fit_and_says_how_large() -> None:
    many = Game("many", 2, 6, 2, tuple(Category(f"chance-{i}", Chance()) for i in range(35)))
    with pytest.raises(SizeError, match=r"34,359,738,368 states \(256\.0 GiB\)"):
        compile_game(many)
    with pytest.raises(SizeError, match="40 is not from 1 to 12; its table would have at least 1,073,741,824 states"):
        Game.parse(
            'id = "x"\ndice = 40\nfaces = 6\nrolls = 3\n'
            + "".join(f'[[categories]]\nid = "c{i}"\npattern = "chance"\n' for i in range(30))
        )


def test_a_long_game_in_a_forced_order_fits(tmp_path: Path) -> None:
    many = Game("many", 2, 6, 2, tuple(Category(f"chance-{i}", Chance()) for i in range(35)), forced_order=True)
    value = Solver(tmp_path).expected(many).value(Position.start(many))
    assert value == pytest.approx(35 * solve_in_memory(Game("one", 2, 6, 2, (Category("c", Chance()),)))[0])


def test_progress_counts_every_state() -> None:
    seen: list[tuple[int, int]] = []
    compiled = compile_game(YACHT)
    solve_layers(compiled, lambda layer, values: None, progress=lambda done, total: seen.append((done, total)))
    assert seen[0] == (0, len(compiled.states))
    assert seen[-1] == (len(compiled.states), len(compiled.states))
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)


def test_nothing_to_choose_before_a_roll_and_after_the_end(tmp_path: Path) -> None:
    solution = Solver(tmp_path).expected(YACHT)
    assert Position.start(YACHT).legal_moves == ()
    assert solution.moves(Position.start(YACHT)) == []
    over = Position((Sheet.of_boxes(YACHT, (0,) * 11 + (50,)),))
    assert over.over
    assert solution.value(over) == 50


@pytest.mark.parametrize("objective", ["expected", "target:40", "chance:0.5"])
def test_a_position_after_keeping_nothing_is_worth_what_the_move_was(objective: str) -> None:
    """No dice lie on the table, yet it is not the start of a turn."""
    solution = solve(load_game("yacht"), objective)
    sheet = Sheet.of_boxes(solution.game, (3, *(0,) * 9, None, None))
    position = Position((sheet,), (1, 1, 2, 3, 3), 2)
    values = {entry.move: entry.value for entry in solution.moves(position)}
    for move in (Keep(()), Keep((1,)), Keep(position.dice)):
        assert solution.value(position.play(move)) == pytest.approx(values[move], abs=1e-9)
    assert not position.play(Keep(())).between_turns
    assert Position((sheet,)).between_turns


@pytest.mark.parametrize(
    ("objective", "meaning"),
    [
        ("expected", Meaning("final_score")),
        ("exp:0.1", Meaning("sure_score")),
        ("target:3", Meaning("target", 3)),
        ("chance:0.5", Meaning("at_chance", 0.5)),
    ],
)
def test_values_of_one_player_mean_the_same_in_any_company(objective: str, meaning: Meaning) -> None:
    solution = solve(load_game("two-yatzy"), objective)
    for players in (1, 2, 3):
        assert solution.meaning(players) == meaning
        assert solution.sides(players) is Sides.OWN


def test_every_player_has_the_value_of_the_own_sheet_and_the_mover_that_of_the_dice(tmp_path: Path) -> None:
    solution = Solver(tmp_path).expected(YACHT)
    mine, other = (Sheet.of_boxes(YACHT, (points, *(None,) * 11)) for points in (1, 5))
    between, rolled = Position((mine, other)), Position((mine, other), (6, 6, 6, 6, 6), 2)
    assert [solution.value_to(between, player) for player in (0, 1)] == [solution.value(mine), solution.value(other)]
    assert solution.value_to(rolled, 0) == solution.value(rolled) > solution.value(mine) + 1
    assert solution.value_to(rolled, 1) == solution.value(other)
    full = [Sheet.of_boxes(YACHT, (points, *(0,) * 11)) for points in (1, 5)]
    assert [solution.value_to(Position(tuple(full)), player) for player in (0, 1)] == [1, 5]


@pytest.mark.parametrize("objective", ["expected", "target:40", "exp:0.01", "chance:0.5"])
def test_the_mean_over_a_roll_is_the_value_before_it(objective: str, tmp_path: Path) -> None:
    solution = Solver(tmp_path).build(YACHT, objective)
    sheet = Sheet.of_boxes(YACHT, (3, *(0,) * 9, None, None))
    for position in (Position((sheet,)), Position((sheet,), (2, 2), 1)):
        assert solution.mean(position) == pytest.approx(solution.value(position), abs=1e-6)


def test_a_game_that_is_forgotten_is_opened_anew_and_others_stay_open() -> None:
    opened, made = Opened(8), list[str]()
    games = [YACHT, load_game("two-yatzy")]

    def ask(*names: str) -> None:
        for game in games:
            for name in names:
                opened.get(game, name, lambda game=game, name=name: made.append(f"{game.id} {name}"))  # type: ignore[misc]

    ask("expected", "chances")
    opened.forget(YACHT)
    made.clear()
    ask("expected", "chances")
    assert made == ["yacht expected", "yacht chances"]
