"""The tables of the endgame of two, against the judge in fractions and against what must hold of any optimum."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from helpers.small_games import CHANCE, FIXED, PAIR, PAIR_FIXED, RUN, games
from hypothesis import HealthCheck, given, settings

from yatzy import load_game
from yatzy.errors import InputError, PositionError, SizeError
from yatzy.games import Bonus, Category, Face, Game, Groups, Joker, JokerReading, Keep, Position, Score, Sheet, rolls
from yatzy.matches import endgames, endgames_gpu
from yatzy.matches.counting import count_match
from yatzy.matches.deep_search import DeepSearch
from yatzy.matches.endgames import Endgames, size_needed
from yatzy.matches.exact import ExactMatch, every_pair
from yatzy.matches.values import SmallMatch, solve_position
from yatzy.model import compile_game
from yatzy.names.payoffs import Payoff, match_points, win_outright
from yatzy.store import TableWriter, table_path
from yatzy.values.kinds import table_key
from yatzy.values.resources import Resources

CLOSE = 1e-6
ONES, TWOS = Category("ones", Face(1)), Category("twos", Face(2))
BOX = Category("box", Groups((2,), points=9))
BONUS = Bonus(points=3, threshold=4)

SMALL = (
    Game("two-lower", 2, 3, 2, (PAIR, CHANCE)),
    Game("three-lower", 2, 2, 2, (PAIR_FIXED, CHANCE, RUN)),
    Game("bonus", 2, 2, 2, (ONES, TWOS, CHANCE), BONUS),
    Game("bonus-three-dice", 3, 2, 2, (TWOS, PAIR), Bonus(points=5, threshold=6)),
    Game("three-rolls", 2, 3, 3, (TWOS, RUN)),
    Game("long-windows", 2, 2, 2, (TWOS, Category("rich", Groups((2,), points=700)))),
    Game("four-faces", 2, 4, 1, (TWOS, CHANCE, PAIR_FIXED)),
    Game("forced", 2, 3, 2, (ONES, PAIR, TWOS), BONUS, forced_order=True),
    *(
        Game(f"joker-{reading.value}", 2, 2, 2, (TWOS, BOX, RUN), joker=Joker("box", reading, points=5))
        for reading in JokerReading
    ),
    Game("joker-bonus", 2, 2, 2, (TWOS, BOX, RUN), Bonus(4, 4), Joker("box", JokerReading.PAWLEWICZ, points=11)),
)


def whole(game: Game) -> int:
    """The depth of the start."""
    return 2 * len(game.categories)


@cache
def judge_of(game: Game) -> ExactMatch:
    """The judge of a game; it remembers what it has worked out."""
    return ExactMatch(game)


def check_between_turns(game: Game, folder: Path) -> int:
    """Compare the value of every position between turns; how many there were."""
    judge, tables = judge_of(game), Endgames(game, whole(game), Resources(folder))
    count = 0
    for position in every_pair(game):
        exact = float(judge.value(position))
        assert tables.value(position) == pytest.approx(exact, abs=CLOSE), position
        count += 1
    return count


def within_turns(game: Game, number: int) -> Iterator[Position]:
    """Some positions within turns, spread over the whole game."""
    random = Random(game.id)
    between = sorted((p for p in every_pair(game) if not p.over), key=str)
    for position in random.choices(between, k=number):
        dice = random.choice(rolls(game))
        rolls_left = random.randrange(game.rolls)
        yield Position(position.sheets, dice, rolls_left)
        if rolls_left:
            kept = dice[: random.randrange(game.dice)]
            yield Position(position.sheets, kept, rolls_left)


@pytest.mark.parametrize("game", SMALL, ids=lambda game: game.id)
def test_every_position_between_turns_is_the_judges(game: Game, tmp_path: Path) -> None:
    assert check_between_turns(game, tmp_path) > 50


@pytest.mark.parametrize("game", SMALL, ids=lambda game: game.id)
def test_positions_within_turns_are_the_judges(game: Game, tmp_path: Path) -> None:
    judge, tables = judge_of(game), Endgames(game, whole(game), Resources(tmp_path))
    shallow = Endgames(game, whole(game) - 1, Resources(tmp_path))  # reaches one deeper than its tables
    for position in within_turns(game, 60):
        exact = {move: float(judge.after(position, move)) for move in position.legal_moves}
        for known in (tables, shallow):
            assert known.value(position) == pytest.approx(float(judge.value(position)), abs=CLOSE)
            assert {e.move: e.value for e in known.moves(position)} == pytest.approx(exact, abs=CLOSE)
    start = Position.start(game, 2)
    assert shallow.value(start) == pytest.approx(float(judge.value(start)), abs=CLOSE)


def near_the_end(game: Game, depth: int, random: Random) -> Position:
    """A position between turns that random play leads to."""
    position = Position.start(game, 2)
    while sum(len(sheet.open) for sheet in position.sheets) > depth:
        dice = random.choices(range(1, game.faces + 1), k=game.dice)
        last = Position(position.sheets, tuple(dice), 0)
        position = last.play(random.choice(last.legal_moves))
    return position


@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(games())
def test_generated_games_to_depth_three(game: Game) -> None:
    from tempfile import TemporaryDirectory

    judge, random = ExactMatch(game), Random(game.hash)
    with TemporaryDirectory() as folder:
        tables = Endgames(game, min(3, whole(game)), Resources(folder))
        for number in range(8):
            position = near_the_end(game, tables.depth - number % 2, random)
            assert tables.value(position) == pytest.approx(float(judge.value(position)), abs=CLOSE)


def test_lookup_and_curves_say_the_same_as_positions(tmp_path: Path) -> None:
    game = SMALL[2]
    tables = Endgames(game, whole(game), Resources(tmp_path))
    states = tables.compiled.states
    for position in every_pair(game):
        mover, opponent = position.sheet, position.sheets[1 - position.mover]
        pair, x = (states.find(mover), states.find(opponent)), opponent.points - mover.points
        found = tables.lookup(np.array([pair[0]]), np.array([pair[1]]), np.array([[x]], np.int32))
        assert found.shape == (1, 1)
        assert found[0, 0] == pytest.approx(tables.value(position), abs=1e-7)
        low, values = tables.curve(*pair)
        inside = 0 <= x - low < len(values)
        assert found[0, 0] == (values[x - low] if inside else 1.0 if x < low else 0.0)


def test_lookup_of_many(tmp_path: Path) -> None:
    game = SMALL[-1]
    tables = Endgames(game, whole(game), Resources(tmp_path))
    starts = tables.compiled.states.layer_start
    movers, opponents = np.arange(starts[1], starts[2]), np.arange(starts[2], starts[3])
    x = Random(1).choices(range(-40, 41), k=len(movers) * len(opponents))
    difference = np.array(x, np.int32).reshape(len(movers), len(opponents))
    many = tables.lookup(movers, opponents, difference)
    one = [tables.lookup(movers[i : i + 1], opponents, difference[i : i + 1])[0] for i in range(len(movers))]
    assert np.array_equal(many, np.array(one))
    assert len(np.unique(many)) >= 3
    assert tables.lookup(movers[:0], opponents, difference[:0]).shape == (0, len(opponents))
    with pytest.raises(InputError, match="must have filled the same number"):
        tables.lookup(np.arange(starts[1], starts[3]), opponents, np.zeros((1, 1), np.int32))
    with pytest.raises(InputError, match="depth 2 at most"):
        Endgames(game, 2, Resources(tmp_path)).lookup(movers, opponents, difference)


@pytest.mark.parametrize("game", [SMALL[2], SMALL[-1], FIXED[0]], ids=lambda game: game.id)
def test_values_fall_with_the_difference_and_end_decided(game: Game, tmp_path: Path) -> None:
    tables = Endgames(game, min(whole(game), 6), Resources(tmp_path))
    for table in tables.tables:
        pairs = table.layout.pairs
        for mover in range(len(pairs.address)):
            for opponent in range(pairs.opponents):
                a, b = pairs.mover + mover, pairs.opponent + opponent
                low, values = tables.curve(a, b)
                stored = tables.ranges.open_differences(a, b)
                assert len(values) == len(stored)
                assert not len(values) or low == stored[0]
                padded = np.concatenate([[1.0], values, [0.0]])
                assert (np.diff(padded) <= 1e-7).all()


def test_what_is_stored_is_what_was_counted(tmp_path: Path) -> None:
    for game in SMALL:
        tables = Endgames(game, whole(game), Resources(tmp_path))
        assert [t.layout.values for t in tables.tables] == [row.values for row in count_match(game).rows]
        assert size_needed(game, 2) == 4 * sum(t.layout.values for t in tables.tables[:3])


def test_who_waits_has_the_rest(tmp_path: Path) -> None:
    """After a move the position is worth to the mover what it is not worth to the other."""
    game = SMALL[3]
    tables = Endgames(game, whole(game), Resources(tmp_path))
    for position in within_turns(game, 40):
        if position.rolls_left == 0:
            for entry in tables.moves(position):
                then = tables.value(position.play(entry.move))
                assert entry.value == pytest.approx(1 - then, abs=1e-9)


def test_payoffs_with_a_tie_halfway_are_another_unit(tmp_path: Path) -> None:
    game = SMALL[1]
    judge = ExactMatch(game, (Fraction(6), Fraction(9, 2), Fraction(3)))
    tables = Endgames(game, whole(game), Resources(tmp_path), payoff=Payoff((6.0, 3.0)))
    assert tables.value(Position.start(game, 2)) == pytest.approx(float(judge.value(Position.start(game, 2))), abs=1e-5)
    states = np.array([0])
    assert tables.lookup(states, states, np.array([[0]], np.int32))[0, 0] == pytest.approx(
        tables.value(Position.start(game, 2)), abs=1e-6
    )
    with pytest.raises(InputError, match="tied players share"):
        Endgames(game, 1, Resources(tmp_path), payoff=win_outright(2))
    with pytest.raises(InputError, match="the payoff is for 3"):
        Endgames(game, 1, Resources(tmp_path), payoff=match_points(3))


def test_the_judge_notices_a_wrong_value(tmp_path: Path) -> None:
    """The comparison itself can fail: a game with one roll less does not agree."""
    game = SMALL[0]
    other = replace(game, id="other", rolls=1)
    wrong = float(ExactMatch(other).value(Position.start(other, 2)))
    assert Endgames(game, whole(game), Resources(tmp_path)).value(Position.start(game, 2)) != pytest.approx(
        wrong, abs=CLOSE
    )


def test_refusals(tmp_path: Path) -> None:
    game = SMALL[2]
    tables = Endgames(game, 2, Resources(tmp_path))
    with pytest.raises(InputError, match="not from 0 to 6"):
        Endgames(game, 7, Resources(tmp_path))
    with pytest.raises(InputError, match="6 open categories of both together; the endgames reach to 3"):
        tables.value(Position.start(game, 2))
    with pytest.raises(PositionError, match="has 1"):
        tables.value(Position.start(game))
    with pytest.raises(InputError, match="of two-lower"):
        tables.value(Position.start(SMALL[0], 2))
    full = Sheet.of_sums(game, game.category_index, upper=6, points=13)
    unknown = Sheet.of_sums(game, ("ones", "twos"), upper=6)
    with pytest.raises(PositionError, match="must be known"):
        tables.value(Position((full, unknown)))
    ahead = replace(Sheet.start(game), points=3)
    with pytest.raises(PositionError, match="no play leads to 3 and 0 points"):
        Endgames(game, whole(game), Resources(tmp_path)).value(Position((ahead, Sheet.start(game))))


def test_a_depth_too_deep_is_refused_with_its_size(tmp_path: Path) -> None:
    with pytest.raises(SizeError, match=r"to depth 14 take [\d,.]+ GiB"):
        Endgames(load_game("yahtzee-pawlewicz"), 14, Resources(tmp_path))


def test_no_room_is_seen_before_anything_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = SMALL[2]
    monkeypatch.setattr(shutil, "disk_usage", lambda path: SimpleNamespace(free=1000))
    with pytest.raises(SizeError, match="still to be written"):
        Endgames(game, whole(game), Resources(tmp_path))
    assert not list(tmp_path.iterdir())


def test_exactly_as_much_memory_and_disk_as_needed_is_enough(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game, folder = SMALL[2], tmp_path / "new" / "folder"
    sizes = np.diff(compile_game(game).states.layer_start).tolist()
    index = 4 * sizes[-2] * sizes[-2]
    monkeypatch.setattr(endgames, "physical_memory", lambda: 4 * index)
    endgames._refuse_if_too_many(game, 2, sizes)
    monkeypatch.setattr(endgames, "physical_memory", lambda: 4 * index - 4)
    with pytest.raises(SizeError, match=r"the index of their pairs 0\.0 GiB of memory"):
        endgames._refuse_if_too_many(game, 2, sizes)
    monkeypatch.undo()
    layouts = [table.layout for table in Endgames(game, 3, Resources(tmp_path / "made")).tables]
    values = 4 * sum(layout.values for layout in layouts)
    for begun in (0, 100):  # bytes that an interrupted build has written
        if begun:
            folder.mkdir(parents=True)
            table_path(folder, table_key(game, layouts[3].objective)).with_suffix(".part").write_bytes(bytes(begun))
        for free in (values - begun, values - begun - 1):
            monkeypatch.setattr(shutil, "disk_usage", lambda path, free=free: SimpleNamespace(free=free))
            if free == values - begun:
                endgames._refuse_if_disk_too_small(game, layouts, folder)
            else:
                with pytest.raises(SizeError, match="still to be written"):
                    endgames._refuse_if_disk_too_small(game, layouts, folder)


# On demand


@pytest.mark.parametrize("game", SMALL, ids=lambda game: game.id)
def test_solving_on_demand_is_the_judges(game: Game) -> None:
    judge = judge_of(game)
    positions = [Position.start(game, 2), *within_turns(game, 25)]
    solver = SmallMatch(positions[0])
    for position in positions:
        assert solver.value(position) == pytest.approx(float(judge.value(position)), abs=1e-12)
        exact = {move: float(judge.after(position, move)) for move in position.legal_moves}
        assert {e.move: e.value for e in solver.moves(position)} == pytest.approx(exact, abs=1e-12)


def test_solving_on_demand_ends_at_the_tables(tmp_path: Path) -> None:
    game = SMALL[2]
    start = Position.start(game, 2)
    tables = Endgames(game, 3, Resources(tmp_path))
    assert solve_position(start, beyond=tables) == pytest.approx(solve_position(start), abs=CLOSE)


def test_solving_on_demand_is_for_the_end() -> None:
    with pytest.raises(SizeError, match="leads to too many"):
        solve_position(Position.start(load_game("yatzy"), 2))


def test_a_position_of_yatzy_on_demand_and_from_tables(tmp_path: Path) -> None:
    game = load_game("yatzy")
    tables = Endgames(game, 2, Resources(tmp_path))
    names = set(game.category_index)
    mine = Sheet.of_sums(game, names - {"sixes"}, upper=45, points=180)
    theirs = Sheet.of_sums(game, names - {"chance"}, upper=63, points=195)
    for position in (Position((mine, theirs)), Position((theirs, mine)), Position((mine, theirs), (1, 3, 4, 6, 6), 1)):
        assert tables.value(position) == pytest.approx(solve_position(position), abs=CLOSE)
        assert 0.01 < tables.value(position) < 0.99


# Interruption, damage


class Stopped(Exception):  # noqa: N818
    pass


def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endgames, "PIECE", 300)


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.suffix == ".table"}


def all_curves(tables: Endgames) -> list[bytes]:
    """The values of all pairs."""
    pairs = [table.layout.pairs for table in tables.tables]
    return [
        tables.curve(p.mover + mover, p.opponent + opponent)[1].tobytes()
        for p in pairs
        for mover in range(len(p.address))
        for opponent in range(p.opponents)
    ]


def test_an_interrupted_build_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small_pieces(monkeypatch)
    game = FIXED[2]
    whole_folder, folder = tmp_path / "whole", tmp_path / "stopped"
    tables = Endgames(game, 4, Resources(whole_folder))
    assert tables.tables[4].layout.pieces > 4
    appended: list[int] = []
    append = TableWriter.append

    def stop_at(limit: int) -> None:
        def appending(self: TableWriter, layer: int, arrays: Any) -> None:
            if len(appended) == limit:
                raise Stopped
            append(self, layer, arrays)
            appended.append(layer)

        monkeypatch.setattr(TableWriter, "append", appending)

    total = sum(table.layout.pieces for table in tables.tables)
    stop_at(total - 2)
    with pytest.raises(Stopped):
        Endgames(game, 4, Resources(folder))
    assert [path.suffix for path in sorted(folder.iterdir()) if "=4" in path.name] == [".lock", ".part"]
    seen: list[tuple[int, int]] = []
    said: list[str] = []
    stop_at(total + 1)
    Endgames(
        game, 4, Resources(folder, progress=lambda *_: lambda done, of: seen.append((done, of)), report=said.append)
    )
    assert len(appended) == total, "a piece was made twice"
    assert "resuming" in said[0]
    assert files(folder) == files(whole_folder)
    values = sum(table.layout.values for table in tables.tables)
    assert seen[0][0] > 0.5 * values
    assert seen[-1] == (values, values)
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)


def test_a_deeper_table_takes_the_others_as_they_are(tmp_path: Path) -> None:
    game = SMALL[2]
    Endgames(game, 3, Resources(tmp_path))
    made = files(tmp_path)
    deeper = Endgames(game, 4, Resources(tmp_path))
    assert [table.solved.cached for table in deeper.tables] == [True] * 4 + [False]
    assert {name: data for name, data in files(tmp_path).items() if name in made} == made


@pytest.mark.parametrize("how", ["value", "lookup"])
def test_damage_is_mended_where_it_is_read(how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small_pieces(monkeypatch)
    game = FIXED[2]
    sound = Endgames(game, 4, Resources(tmp_path))
    before = all_curves(sound)
    table = sound.tables[4]
    layout = table.layout
    row = int(layout.cut[2])
    while layout.start[row + 1] == layout.start[row]:
        row += 1
    state = layout.pairs.mover + row
    opponent = next(b for b in range(layout.pairs.opponents) if len(sound.curve(state, layout.pairs.opponent + b)[1]))
    pair = (state, layout.pairs.opponent + opponent)
    low, values = sound.curve(*pair)
    data = bytearray(table.solved.path.read_bytes())
    wanted = (np.float32(1) - values)[::-1].tobytes()
    at = data.index(wanted)
    data[at] ^= 0xFF
    table.solved.path.write_bytes(data)
    said: list[str] = []
    damaged = Endgames(game, 4, Resources(tmp_path, report=said.append))
    if how == "value":
        assert np.array_equal(damaged.curve(*pair)[1], values)
    else:
        x = np.arange(low, low + 1, dtype=np.int32)[None]
        assert damaged.lookup(np.array(pair[:1]), np.array(pair[1:]), x)[0, 0] == values[0]
    assert any("is damaged" in line for line in said)
    assert f"kept {layout.pieces - 1} sound layers" in said[-1]
    assert all_curves(damaged) == before


def test_moves_are_keeps_and_scores(tmp_path: Path) -> None:
    game = SMALL[0]
    tables = Endgames(game, 3, Resources(tmp_path))
    position = Position.start(game, 2).roll((1, 3))
    assert {type(entry.move) for entry in tables.moves(position)} == {Keep}
    last = Position(position.sheets, (1, 3), 0)
    assert [entry.move for entry in tables.moves(last)] == [Score("pair"), Score("chance")]
    assert tables.moves(Position.start(game, 2)) == []


def test_the_blocks_of_a_depth_share_what_they_read_on_a_gpu(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tables, read = Endgames(SMALL[0], 3, Resources(tmp_path)), list[Any]()

    class Noted:
        def __init__(self, *_: object) -> None:
            pass

        def solve_rows(self, after: object, movers: range, out: object) -> None:
            read.append(after)

    monkeypatch.setattr(endgames_gpu, "PairSolver", Noted)
    monkeypatch.setattr(endgames_gpu, "_kept", {})
    layouts = [table.layout for table in tables.tables]
    for depth, row in ((2, 0), (2, 1), (3, 0)):
        endgames_gpu.solve_on(SimpleNamespace(), tables.compiled, layouts[depth], layouts[depth - 1], row, row + 1)
    assert read[0] is read[1]
    for after, layout in ((read[0], layouts[1]), (read[2], layouts[2])):
        assert after.movers.start == layout.pairs.mover
        assert after.opponents.start == layout.pairs.opponent


@pytest.mark.parametrize("game", [SMALL[1], SMALL[7], SMALL[-1]], ids=lambda game: game.id)
@pytest.mark.parametrize("tables", [0, 1, 2, 6])
def test_many_positions_searched_down_to_the_tables_are_the_judges(game: Game, tables: int, tmp_path: Path) -> None:
    judge, search = judge_of(game), DeepSearch(Endgames(game, tables, Resources(tmp_path)))
    find, by_depth = compile_game(game).states.find, dict[int, list[Any]]()
    for position in every_pair(game):
        mine, other = position.sheet, position.sheets[1 - position.mover]
        asked = find(mine), find(other), other.points - mine.points
        by_depth.setdefault(len(mine.open) + len(other.open), []).append((asked, position))
    for depth, found in by_depth.items():
        by_state = sorted(Random(depth).sample(found, min(len(found), 80)), key=lambda one: one[0])
        movers, opponents, differences = np.array([asked for asked, _ in by_state], np.int64).T
        values = search.values(depth, movers, opponents, differences)
        assert values == pytest.approx([float(judge.value(position)) for _, position in by_state], abs=CLOSE)
