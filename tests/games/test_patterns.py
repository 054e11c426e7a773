"""A pattern is added in one place: a class. Files, the solver, the command line and the API find it there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from helpers.command import yatzy

from yatzy.errors import GameError
from yatzy.games import PATTERNS, Category, Chance, Game, Pattern, Position, load_game
from yatzy.report.answers.games import game_answer
from yatzy.solver import Solver
from yatzy.web.requests import read_game

OWN = """
id = "even-dice"
dice = 2
faces = 4
rolls = 2

[[categories]]
id = "even"
pattern = "parity"
odd = false
bonus = 3

[[categories]]
id = "odd"
pattern = "parity"

[[categories]]
id = "chance"
pattern = "chance"
"""


@pytest.fixture
def parity() -> Iterator[Any]:
    @dataclass(frozen=True)
    class Parity(Pattern):
        """The sum of the dice when all of them are odd, or all are even."""

        kind = "parity"

        odd: bool = True
        bonus: int = 0

        def score(self, dice: Sequence[int]) -> int:
            return sum(dice) + self.bonus if all(die % 2 == self.odd for die in dice) else 0

        def describe(self) -> str:
            return f"sum of all dice and {self.bonus} when all are {'odd' if self.odd else 'even'}"

        def check(self, dice: int, faces: int, where: str) -> None:
            if self.bonus < 0:
                raise GameError(f"{where}bonus: must be from 0")

    yield Parity
    del PATTERNS["parity"]


def test_a_new_pattern_is_found_everywhere(parity: Any, tmp_path: Path) -> None:
    assert PATTERNS["parity"] is parity
    game = Game.parse(OWN)
    assert game.categories[0].score((2, 4)) == 9
    assert game.categories[1].score((1, 3)) == 4

    written = str(game)
    assert Game.parse(written) == game
    assert 'pattern = "parity"\nodd = false\nbonus = 3\n' in written
    assert 'id = "odd"\nname = { en = "Odd" }\npattern = "parity"\n\n' in written

    plain = Game("plain", 2, 4, 1, (Category("chance", Chance()),))
    assert Solver(tmp_path).expected(plain).value(Position.start(plain)) == pytest.approx(5)
    assert Solver(tmp_path).expected(game).value(Position.start(game)) > 5

    path = tmp_path / "even-dice.toml"
    path.write_text(OWN, encoding="utf-8")
    shown = " ".join(yatzy("games", path).stdout.split())
    assert "sum of all dice and 3 when all are even" in shown

    asked = read_game(description=OWN)  # as every route of the API reads a game
    assert game_answer(asked).categories[1].pays == "sum of all dice and 0 when all are odd"


def test_a_new_pattern_is_checked(parity: Any) -> None:
    for wrong, message in (
        ("bonus = -1", "even: bonus: must be from 0"),
        ('bonus = "much"', "even: bonus: must be a whole number, not 'much'"),
        ("bonsu = 3", "even: bonsu: is not a key; did you mean 'bonus'"),
        ("face = 3", "even: face: is not a key of pattern 'parity'"),
    ):
        with pytest.raises(GameError, match=message):
            Game.parse(OWN.replace("bonus = 3", wrong))


def test_a_new_optional_key_changes_no_hash(parity: Any) -> None:
    """A field with its default does not count, so tables made before the field was added remain valid."""

    def hash_with(pattern: Pattern) -> str:
        return Game("own", 2, 4, 1, (Category("one", pattern),)).hash

    later: Any = dataclass(frozen=True)(
        type("Parity", (parity,), {"kind": "parity", "__annotations__": {"most": "int"}, "most": 99})
    )
    assert hash_with(parity()) == hash_with(later())
    assert len({hash_with(one) for one in (later(), later(bonus=1), later(odd=False), later(most=5))}) == 4


def test_a_new_optional_rule_changes_no_hash() -> None:
    @dataclass(frozen=True, repr=False)
    class LaterGame(Game):
        jokers_at_most: int = 0

        def __hash__(self) -> int:
            return super().__hash__()

    now = load_game("yatzy")
    rules = {name: getattr(now, name) for name in ("id", "dice", "faces", "rolls", "categories", "bonus")}
    assert LaterGame(**rules).hash == now.hash
    assert LaterGame(**rules, jokers_at_most=1).hash != now.hash


def test_the_hashes_of_the_presets_are_those_of_the_tables_that_exist() -> None:
    """When one of these changes, everybody has to solve that game again."""
    hashes = {
        "yatzy": "d0df7f6010dd",
        "yatzy-no-bonus": "28b5f1593300",
        "yatzy-four-rolls": "631e364a22d8",
        "yatzy-lenient-two-pairs": "9d18e832182d",
        "yatzy-five-as-full-house": "6474c72b7b85",
        "yatzy-four-as-two-pairs": "0b0ea94fcbea",
        "yatzy-lenient-kinds": "164ac5bd6bdf",
        "yatzy-forced-order": "cf0553550188",
        "yahtzee": "65dc76da4dea",
        "yahtzee-free-joker": "524cefde81b5",
        "yahtzee-pawlewicz": "ce52a8afe2dd",
        "yahtzee-no-joker": "a7d1d52d6581",
        "yahtzee-plain": "4e68c4431c40",
        "kniffel": "4e68c4431c40",
        "yacht": "02994f4342a6",
        "maxi-yatzy": "95799d3578df",
        "two-yatzy": "da90e6d13a37",
    }
    assert {id: load_game(id).hash[:12] for id in hashes} == hashes
