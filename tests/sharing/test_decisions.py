"""Decisions of strategies as files: the moves that the strategy makes in each position, read by others."""

from __future__ import annotations

import json
import random
from pathlib import Path

import numpy as np
import polars
import pytest
from helpers.command import answer, refusal
from helpers.sheets import random_sheets
from helpers.small_games import FIXED

from yatzy import Game, Move, Position, Score, Strategy, load_game, override, parse_strategy, solve
from yatzy.errors import InputError, SizeError
from yatzy.games import Dice
from yatzy.model import compile_game
from yatzy.sharing import Decisions, strategy_decisions, write_decisions
from yatzy.sharing.output import BOXES, MOST_ROWS

JOKER = next(game for game in FIXED if game.joker is not None)


def stop_and_strike(dice: Dice, rolls_left: int, open: frozenset[str]) -> Move | None:
    """Ends turns with a roll left, and strikes a category although the dice pay there."""
    first = min(open)
    if rolls_left == 1:
        return Score(first)
    return Score(first, strike=True) if rolls_left == 0 and first == "ones" and 1 in dice else None


def strategies(game: Game) -> list[Strategy]:
    return [parse_strategy(name, game) for name in ("expected", "greedy")]


def row_of(found: Decisions, position: Position) -> int:
    """The only sheet of the file that describes this one."""
    game, sheet = found.game, position.sheet
    right = found.filled == sheet.filled
    if found.upper is not None:
        right &= found.upper == min(sheet.upper, game.bonus.threshold if game.bonus else 0)
    if found.box is not None and game.joker_box is not None:
        box = 0 if not sheet.filled >> game.joker_box & 1 else 2 if sheet.box_pays else 1
        right &= found.box == box
    (row,) = np.flatnonzero(right)
    return int(row)


@pytest.mark.parametrize("game", FIXED, ids=lambda game: f"{game.id}-{game.dice}-{game.faces}")
def test_every_decision_is_that_of_the_strategy(game: Game) -> None:
    rolled, lattice = random.Random(1), compile_game(game).lattice
    for strategy in strategies(game):
        found = strategy_decisions(strategy)
        assert len(found) == found.move.size == len(found.filled) * game.rolls * len(lattice.rolls)
        for sheet in random_sheets(game, 40):
            dice, left = rolled.choice(lattice.rolls), rolled.randrange(game.rolls)
            position = Position((sheet,), dice, left)
            text = found.moves[found.move[row_of(found, position), left, lattice.rolls.index(dice)]]
            assert text == str(strategy.move(position)), (strategy.name, position)


def test_moves_that_end_a_turn_early_and_strikes_are_there() -> None:
    found = strategy_decisions(override(solve(load_game("two-yatzy")), stop_and_strike))
    texts = np.array(found.moves)[found.move]  # [sheet, rolls left, roll]; the first sheet is empty
    assert texts[0].tolist() == [["ones=0", "twos", "ones=0"], ["ones", "ones", "ones"]]


def test_decisions_are_written_for_other_programs(tmp_path: Path) -> None:
    game = load_game("two-yatzy")
    made = answer("export-decisions", "two-yatzy", "--out", tmp_path / "d.parquet")
    rows = polars.read_parquet(tmp_path / "d.parquet")
    assert rows.columns == ["filled", "ones_filled", "twos_filled", "upper", "rolls_left", "dice", "move"]
    assert made["rows"] == len(rows)
    about = json.loads(polars.read_parquet_metadata(tmp_path / "d.parquet")["yatzy"])
    assert (about["kind"], about["strategy"], about["hash"]) == ("decisions", "expected", game.hash)
    best = parse_strategy("expected", game)
    first = rows.filter(polars.col("filled") == 0, polars.col("rolls_left") == 1)
    assert first.height == 3
    for row in first.iter_rows(named=True):
        assert row["move"] == str(best.move(Position.start(game).roll(game.parse_dice(row["dice"]))))
    answer("export-decisions", "two-yatzy", "--open", "1", "--out", tmp_path / "d.npz")
    with np.load(tmp_path / "d.npz") as arrays:
        assert sorted(set(arrays["filled"].tolist())) == [1, 2]
        late = rows.filter(polars.col("filled") > 0)
        assert arrays["moves"][arrays["move"]].ravel().tolist() == late["move"].to_list()
        assert arrays["dice"].tolist() == ["11", "22", "12"]
    write_decisions(strategy_decisions(parse_strategy("expected", JOKER), (1, 1)), tmp_path / "j.parquet")
    assert set(polars.read_parquet(tmp_path / "j.parquet")["joker_box"].unique()) <= set(BOXES)


def test_what_cannot_be_written_is_refused_in_one_line(tmp_path: Path) -> None:
    out = ("--out", tmp_path / "d.npz")
    assert "written as .parquet or .npz" in refusal("export-decisions", "two-yatzy", "--out", tmp_path / "d.csv")
    assert "'x' is not a number or a range" in refusal("export-decisions", "two-yatzy", "--open", "x", *out)
    assert "2-1 is not a range" in refusal("export-decisions", "two-yatzy", "--open", "2-1", *out)
    assert "0-3 is not a range of open" in refusal("export-decisions", "two-yatzy", "--open", "0-3", *out)
    for name in ("random", "molinder-bonus"):
        with pytest.raises(InputError, match="depend on more than the sheet, the dice and the rolls left"):
            strategy_decisions(parse_strategy(name, load_game("yatzy")))
    with pytest.raises(SizeError, match=rf"rows are more than {MOST_ROWS:,}; choose open categories, such as 1-3$"):
        strategy_decisions(parse_strategy("exp:0.01", load_game("yatzy")))
    assert not any(tmp_path.iterdir())
