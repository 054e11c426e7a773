"""Tables on disk as the page shows them, and their removal."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from yatzy.games import Game, load_preset
from yatzy.report.numbers import size_text
from yatzy.solver import Solver
from yatzy.web import limits
from yatzy.web.refusals import Busy, TooMuch
from yatzy.web.stored import folder_bytes, stored_games
from yatzy.web.tables import DISTRIBUTIONS, EXPECTED, OUTLOOK, State, TableBuilder, _is_quick


@pytest.fixture
def folder(tables: Path, solved: Callable[[str], Any], tmp_path: Path) -> Path:
    """A folder with the table of two-yatzy and a file that is none."""
    solved("two-yatzy")
    for path in tables.glob("two-yatzy-*-expected*.table"):
        shutil.copy(path, tmp_path)
    (tmp_path / "junk.table").write_bytes(b"junk")
    (tmp_path / "note.txt").write_bytes(b"not ours")
    return tmp_path


def test_sizes_are_shown_game_by_game(folder: Path) -> None:
    first, second = stored_games(folder)
    assert (first.game, first.rules) == ("two-yatzy", load_preset("two-yatzy").hash)
    assert (second.rules, second.size) == ("", 4)
    assert first.size + second.size == folder_bytes(folder)
    assert folder_bytes(folder / "nothing") == 0


def test_removing_closes_and_removes_the_tables_of_a_game(folder: Path) -> None:
    game, builder = load_preset("two-yatzy"), TableBuilder(folder)
    closed: list[Game] = []
    builder.on_close = closed.append
    builder.need(game, [EXPECTED])
    size = builder.bytes_on_disk()
    builder.remove(stored_games(folder)[0])
    assert closed == [game]
    assert builder.status_of(game, EXPECTED).state is State.MISSING
    assert builder.bytes_on_disk() == 4 < size
    builder.remove(stored_games(folder)[0])
    assert sorted(path.name for path in folder.iterdir()) == ["note.txt"]


def test_a_table_that_is_being_built_is_not_removed(folder: Path) -> None:
    game, builder = load_preset("two-yatzy"), TableBuilder(folder)
    builder.wish(game, [DISTRIBUTIONS])
    with pytest.raises(Busy, match="two-yatzy is being built"):
        builder.remove(stored_games(folder)[0])
    assert len(stored_games(folder)) == 2


def test_maxi_yatzy_is_solved_in_the_background_but_no_such_game_of_peoples_own(tmp_path: Path) -> None:
    maxi, builder = load_preset("maxi-yatzy"), TableBuilder(tmp_path)
    builder.wish(maxi, [EXPECTED])
    assert builder.status_of(maxi, EXPECTED).state is State.WAITING
    assert not _is_quick((maxi, EXPECTED)), "it is built in a child process"
    assert _is_quick((load_preset("yahtzee"), EXPECTED))
    with pytest.raises(TooMuch, match="GiB"):
        builder.wish(maxi, [DISTRIBUTIONS])
    own = Game.parse('id = "own"\nbased_on = "maxi-yatzy"\nrolls = 2\nname = { en = "Own" }\n')
    with pytest.raises(TooMuch, match="too many to solve"):
        builder.wish(own, [EXPECTED])
    assert limits.QUICK_STATES < limits.PRESET_STATES


@pytest.mark.parametrize(
    ("size", "said"),
    [(0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (99_940, "99.9 kB"), (123_456, "123 kB"), (1_400_000_000, "1.4 GB")],
)
def test_sizes_in_words(size: int, said: str) -> None:
    assert size_text(size) == said
    assert size_text(size, "de") == said.replace(".", ",")


def test_a_table_that_others_need_is_opened_once(tmp_path: Path) -> None:
    game, builder = load_preset("two-yatzy"), TableBuilder(tmp_path)
    Solver(tmp_path).outlooks(game)
    builder.need(game, [EXPECTED, OUTLOOK])
    assert builder.outlooks(game).expected is builder.expected(game) is builder.solver.build(game, "expected")
