"""The chance of a perfect game: the published value, brute force in fractions, the digits that are printed."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
import typer
from helpers.small_games import FIXED, games
from hypothesis import HealthCheck, given, settings
from typer.testing import CliRunner

from yatzy import PRESETS, load_game
from yatzy.cli.commands.perfect import command as perfect_command
from yatzy.errors import InputError, SizeError
from yatzy.evaluation import perfect as module
from yatzy.evaluation.perfect import Perfect, decimal_text, maximum_score, perfect_chance
from yatzy.games import Dice, Game, Sheet, keeps_of, placements, rolls

YATZY = load_game("yatzy")


class BruteForce:
    """M and F of solve/perfect.py by recursion on sheets and dice, in fractions, as plain as it can be."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.most_known: dict[tuple[int, int, bool], int] = {}
        self.chance_known: dict[tuple[int, int, bool, Dice, int], Fraction] = {}

    def after(self, sheet: Sheet, dice: Dice) -> list[Sheet]:
        return [sheet.fill(p.category, p.points, p.joker_bonus) for p in placements(sheet, dice)]

    def most(self, sheet: Sheet) -> int:
        """The highest final score."""
        if sheet.over:
            return sheet.points
        key = (sheet.filled, sheet.upper, sheet.box_pays)
        if key not in self.most_known:
            best = max(self.most(after) for dice in rolls(self.game) for after in self.after(sheet, dice))
            self.most_known[key] = best - sheet.points
        return sheet.points + self.most_known[key]

    def chance(self, sheet: Sheet) -> Fraction:
        """The best chance to make it."""
        return Fraction(1) if sheet.over else self.keep_chance(sheet, (), self.game.rolls)

    def keep_chance(self, sheet: Sheet, kept: Dice, rolls_left: int) -> Fraction:
        key = (sheet.filled, sheet.upper, sheet.box_pays, kept, rolls_left)
        if key not in self.chance_known:
            results = list(product(range(1, self.game.faces + 1), repeat=self.game.dice - len(kept)))
            total = sum(self.roll_chance(sheet, tuple(sorted(kept + more)), rolls_left - 1) for more in results)
            self.chance_known[key] = Fraction(total, len(results))
        return self.chance_known[key]

    def roll_chance(self, sheet: Sheet, dice: Dice, rolls_left: int) -> Fraction:
        if rolls_left:
            return max(self.keep_chance(sheet, keep, rolls_left) for keep in keeps_of(dice))
        perfect = [after for after in self.after(sheet, dice) if self.most(after) == self.most(sheet)]
        return max(map(self.chance, perfect), default=Fraction(0))


def check_against_brute_force(game: Game) -> None:
    judge, start = BruteForce(game), Sheet.start(game)
    found = perfect_chance(game)
    assert found.score == maximum_score(game) == judge.most(start)
    assert found.probability == judge.chance(start)


@pytest.mark.parametrize("game", FIXED, ids=lambda game: f"{game.id}-{game.dice}x{game.faces}")
def test_fixed_games_agree_with_brute_force(game: Game) -> None:
    check_against_brute_force(game)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(games())
def test_generated_games_agree_with_brute_force(game: Game) -> None:
    check_against_brute_force(game)


def test_two_yatzy_by_hand() -> None:
    # Both turns must show two equal dice of a face named beforehand or, while both are open, of any face. One die shows
    # a given face within two rolls with chance 3/4, so the last turn succeeds with 9/16. The first: half of the rolls
    # are equal, and of the others keeping one die makes it a pair with 1/2: 3/4. Together 27/64.
    assert perfect_chance(load_game("two-yatzy")).probability == Fraction(27, 64)


def test_tillius_2026_perfect_yatzy() -> None:
    """In print it has 40 digits, but these are the digits of a 32-bit number, of which about six mean something."""
    printed = "0.0000000000013146626799340199731602751854"
    assert f"{np.float32(printed):.40f}" == printed
    found = perfect_chance(YATZY)
    assert found.score == 374
    assert found.states == 2**15
    assert float(found.probability) == pytest.approx(float(printed), rel=1e-6)
    assert found.digits(40) == "0.0000000000013146616062159830227741708555"
    assert found.probability == pytest.approx(yatzy_in_floating_point(), rel=1e-12)


def yatzy_in_floating_point() -> float:
    """Another way to the same number: a matrix from keeps to rolls, sets of filled categories, no model, no lattice."""
    all_rolls = rolls(YATZY)
    keeps = sorted({keep for roll in all_rolls for keep in keeps_of(roll)})
    place = {keep: i for i, keep in enumerate(keeps)}
    roll_place = {roll: i for i, roll in enumerate(all_rolls)}
    reach = np.zeros((len(keeps), len(all_rolls)))
    for keep in keeps:
        for more in product(range(1, 7), repeat=5 - len(keep)):
            reach[place[keep], roll_place[tuple(sorted(keep + more))]] += 6.0 ** (len(keep) - 5)
    points = np.array([[category.score(roll) for category in YATZY.categories] for roll in all_rolls])
    perfect = points == points.max(axis=0)
    kept = [np.array([place[keep] for keep in keeps_of(roll)]) for roll in all_rolls]
    chance = np.ones(2**15)
    sets = np.arange(2**15)
    for size in range(14, -1, -1):
        here = sets[np.bitwise_count(sets) == size]
        roll = np.zeros((len(all_rolls), len(here)))
        for i in range(15):
            follow = np.where(here >> i & 1, 0.0, chance[here | 1 << i])
            roll[perfect[:, i]] = np.maximum(roll[perfect[:, i]], follow)
        for _ in range(2):
            keep_chance = reach @ roll
            roll = np.stack([keep_chance[rows].max(axis=0) for rows in kept])
        chance[here] = reach[place[()]] @ roll
    return float(chance[0])


# Every category at its most, and the bonus.
# Yatzy: 5 · (1 + … + 6) + 50 above, 12 + 22 + 18 + 24 + 15 + 20 + 28 + 30 + 50 below; where equal dice are accepted,
# 66666 is a full house of 30 instead of 28 and two pairs of 24 instead of 22.
# Yahtzee: 105 + 35 above, 30 + 30 + 25 + 30 + 40 + 50 + 30 below, in all 375; with a Joker the box comes first, and
# twelve more Yahtzees bring 100 each. Where they pay nothing for 25 + 30 + 40, the 100 are still worth more than these.
# Yacht: 105 + 28 + 24 + 30 + 30 + 30 + 50.
# Maxi Yatzy: 6 · 21 + 100 above, 12 + 22 + 30 + 18 + 24 + 30 + 15 + 20 + 21 + 28 + 33 + 34 + 36 + 100 below.
HIGHEST = {
    "yatzy": 374,
    "yatzy-no-bonus": 324,
    "yatzy-four-rolls": 374,
    "yatzy-lenient-two-pairs": 374,
    "yatzy-five-as-full-house": 376,
    "yatzy-four-as-two-pairs": 376,
    "yatzy-lenient-kinds": 378,
    "yatzy-forced-order": 374,
    "yahtzee": 1575,
    "yahtzee-free-joker": 1575,
    "yahtzee-pawlewicz": 1575,
    "yahtzee-no-joker": 1480,
    "yahtzee-plain": 375,
    "kniffel": 375,
    "yacht": 297,
    "maxi-yatzy": 649,
    "two-yatzy": 6,
}


@pytest.mark.parametrize("id", PRESETS)
def test_highest_score_of_every_preset(id: str) -> None:
    assert maximum_score(load_game(id)) == HIGHEST[id]


def test_kniffel_is_plain_yahtzee() -> None:
    assert perfect_chance(load_game("kniffel")).probability == perfect_chance(load_game("yahtzee-plain")).probability


def test_a_free_joker_is_no_harder_than_a_forced_one() -> None:
    free, forced = (perfect_chance(load_game(id)) for id in ("yahtzee-free-joker", "yahtzee"))
    assert free.score == forced.score
    assert free.probability >= forced.probability


def test_a_forced_order_is_a_product_of_turns() -> None:
    """Each turn has its own aim: five of a face are (1 - (5/6)^3)^5, and a pair of sixes is at least two such dice."""
    game = load_game("yatzy-forced-order")
    die = 1 - Fraction(5, 6) ** 3
    found = perfect_chance(game)
    assert found.states == len(game.categories) + 1
    upper = Game("six", 5, 6, 3, game.categories[:6], forced_order=True)
    assert perfect_chance(upper).probability == die**30
    pair = Game("pair", 5, 6, 3, game.categories[6:7])
    assert perfect_chance(pair).probability == 1 - (1 - die) ** 5 - 5 * die * (1 - die) ** 4


def test_progress_ends_with_all_states() -> None:
    seen: list[tuple[int, int]] = []
    found = perfect_chance(load_game("yacht"), lambda done, total: seen.append((done, total)))
    assert seen == sorted(seen)
    assert seen[-1] == (found.states, found.states)
    assert len(seen) > 12


@pytest.mark.parametrize(("id", "states"), [("yacht", "4,096"), ("yahtzee", r"1,\d\d\d")])
def test_a_game_too_large_is_refused_with_its_size(id: str, states: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_STATES", 1000)
    with pytest.raises(SizeError, match=f"{id} is too large: .* at least {states} states, .* is 1,000"):
        perfect_chance(load_game(id))


@pytest.mark.parametrize(
    ("fraction", "n", "text"),
    [
        (Fraction(1, 3), 5, "0.33333"),
        (Fraction(2, 3), 5, "0.66667"),
        (Fraction(1, 8), 2, "0.13"),
        (Fraction(3, 8), 2, "0.38"),
        (Fraction(1, 8), 6, "0.125000"),
        (Fraction(1, 1), 3, "1.000"),
        (Fraction(1999, 2000), 3, "1.000"),
        (Fraction(1, 10**30), 29, "0." + "0" * 29),
        (Fraction(5, 10**30), 29, "0." + "0" * 28 + "1"),
        (Fraction(1, 7), 10_000, "0." + "142857" * 1666 + "1429"),
    ],
)
def test_digits_are_rounded_half_up(fraction: Fraction, n: int, text: str) -> None:
    assert Perfect(YATZY, 374, fraction, 1).digits(n) == text


@pytest.mark.parametrize("n", [0, -1])
def test_digits_that_make_no_sense_are_refused(n: int) -> None:
    with pytest.raises(InputError, match="digits"):
        Perfect(YATZY, 374, Fraction(1, 2), 1).digits(n)


def test_numbers_longer_than_python_writes() -> None:
    assert decimal_text(0) == "0"
    assert decimal_text(10**4000 - 1) == "9" * 4000
    assert decimal_text(10**9000 + 7) == "1" + "0" * 8999 + "7"


def run(*arguments: str) -> tuple[int, str]:
    """The command by itself, not as one of many."""
    app = typer.Typer()
    app.command()(perfect_command)
    done = CliRunner().invoke(app, arguments)
    return done.exit_code, done.stdout


def test_command_for_people() -> None:
    code, text = run("two-yatzy", "--digits", "6")
    assert code == 0
    assert "highest score is 6 points" in text
    assert "probability 0.421875\n" in text
    assert "1 in 2.37," in text
    assert "2 over 2 digits" in text


def test_command_for_programs() -> None:
    code, text = run("two-yatzy", "--digits", "3", "--json")
    result = json.loads(text)
    assert code == 0
    assert result.pop("seconds") > 0
    assert result.pop("one_in") == pytest.approx(64 / 27)
    assert result == {
        "game": "two-yatzy", "score": 6, "digits": 3, "probability": "0.422",
        "numerator": "27", "denominator": "64", "states": 4,
    }  # fmt: skip


@pytest.mark.parametrize("digits", ["0", "10001", "many"])
def test_command_refuses_bad_digits(digits: str) -> None:
    code, text = run("two-yatzy", "--digits", digits)
    assert code == 2
    assert text == ""
