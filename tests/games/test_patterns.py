"""A pattern is added in one place: a class. Files, the solver, the command line and the API find it there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, combinations_with_replacement, pairwise, permutations
from pathlib import Path
from typing import Any

import pytest
from helpers.command import yatzy

from yatzy.errors import GameError
from yatzy.games import (
    PATTERNS,
    Category,
    Chance,
    Face,
    Game,
    Groups,
    Pattern,
    Pays,
    Position,
    Straight,
    load_game,
)
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


# Every pattern against its definition, for all rolls of few dice


def most_of_groups(pattern: Groups, dice: tuple[int, ...]) -> int | None:
    """The highest sum of dice in groups, by taking the first dice of every arrangement; None if there are none."""
    found = []
    for arranged in set(permutations(dice)):
        ends = list(accumulate(pattern.sizes, initial=0))
        groups = [arranged[low:high] for low, high in pairwise(ends)]
        faces = [group[0] for group in groups]
        if all(len(set(group)) == 1 for group in groups) and (pattern.same_face or len(set(faces)) == len(faces)):
            found.append(sum(map(sum, groups)))
    return max(found, default=None)


@pytest.mark.parametrize("dice", [2, 4, 5])
@pytest.mark.parametrize("same_face", [False, True])
@pytest.mark.parametrize("sizes", [(2,), (3,), (1, 1), (2, 1), (2, 2), (3, 2), (2, 1, 1), (1, 1, 1, 1)])
def test_groups_pay_what_their_best_arrangement_does(sizes: tuple[int, ...], same_face: bool, dice: int) -> None:
    if sum(sizes) > dice:
        return
    for roll in combinations_with_replacement(range(1, 5), dice):
        best = most_of_groups(Groups(sizes, same_face=same_face), roll)
        assert Groups(sizes, same_face=same_face).score(roll) == (best or 0)
        assert Groups(sizes, same_face=same_face, pays=Pays.ALL).score(roll) == (0 if best is None else sum(roll))
        assert Groups(sizes, same_face=same_face, points=7).score(roll) == (0 if best is None else 7)
        fewer = [most_of_groups(Groups(sizes[:count], same_face=same_face), roll) for count in range(len(sizes), 0, -1)]
        first = next((sum_ for sum_ in fewer if sum_ is not None), 0)
        assert Groups(sizes, same_face=same_face, partial=True).score(roll) == first


@pytest.mark.parametrize("dice", [2, 3, 5])
def test_straights_chances_and_faces_pay_by_their_definition(dice: int) -> None:
    for roll in combinations_with_replacement(range(1, 7), dice):
        for length in range(2, dice + 1):
            runs = [range(low, low + length) for low in range(1, 7)]
            hit = any(all(face in roll for face in run) for run in runs)
            assert Straight(length=length).score(roll) == hit * sum(roll)
            assert Straight(length=length, points=9).score(roll) == hit * 9
        assert Straight(faces=(1, 3), points=9).score(roll) == 9 * (1 in roll and 3 in roll)
        assert Chance().score(roll) == sum(roll)
        assert Chance(minimum=9).score(roll) == sum(roll) * (sum(roll) >= 9)
        assert Chance((2, 5)).score(roll) == 2 * roll.count(2) + 5 * roll.count(5)
        assert [Face(face).score(roll) for face in range(1, 7)] == [face * roll.count(face) for face in range(1, 7)]


@pytest.mark.parametrize(
    ("fits", "not_"),
    [
        (Groups((3, 2)), Groups((3, 3))),
        (Groups((1,)), Groups((0,))),
        (Straight(length=5), Straight(length=6)),
        (Straight(length=2), Straight(length=1)),
        (Straight(faces=(1, 6)), Straight(faces=(1, 7))),
        (Straight(faces=(2, 1)), Straight(faces=(1, 0))),
        (Straight(faces=(1, 2)), Straight(faces=(1, 1))),
        (Straight(faces=(1, 2, 3, 4, 5)), Straight(faces=(1, 2, 3, 4, 5, 6))),
        (Straight(faces=(1, 2)), Straight(faces=(1, 2), length=2)),
        (Straight(length=2), Straight()),
        (Face(6), Face(7)),
        (Face(1), Face(0)),
        (Chance((1, 6)), Chance((1, 7))),
        (Chance((1,)), Chance((1, 1))),
        (Chance(minimum=30), Chance(minimum=31)),
        (Chance((2,), minimum=10), Chance((2,), minimum=11)),
    ],
    ids=str,
)
def test_a_pattern_must_fit_five_dice_of_six_faces(fits: Pattern, not_: Pattern) -> None:
    fits.check(5, 6, "")
    with pytest.raises(GameError):
        not_.check(5, 6, "")
