"""Games from TOML: presets, games built on others, what changes the hash, and one clear line for a wrong file."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from yatzy.errors import GameError, InputError, SizeError
from yatzy.games import (
    PRESETS,
    Bonus,
    Category,
    Chance,
    Face,
    Game,
    Groups,
    Joker,
    JokerReading,
    Pays,
    Straight,
    gamefile,
    load_game,
    load_preset,
)
from yatzy.games.game import LANGUAGES
from yatzy.games.gamefile import is_preset, preset_with

VALID = """
id = "my-game"
name = { en = "Mine", sv = "Min" }
note = "small"
dice = 3
faces = 4
rolls = 2
forced_order = false

[bonus]
points = 5
threshold = 7

[joker]
category = "triple"
reading = "free"
points = 9

[[categories]]
id = "ones"
name = { en = "Ones", sv = "Ettor" }
pattern = "face"
face = 1

[[categories]]
id = "fours"
pattern = "face"
face = 4

[[categories]]
id = "house"
name = "House"
pattern = "groups"
groups = [2, 1]
pays = "all"
same_face = false
partial = false

[[categories]]
id = "run"
pattern = "straight"
length = 3
points = 6

[[categories]]
id = "low-run"
pattern = "straight"
faces = [1, 2]
points = 4

[[categories]]
id = "triple"
pattern = "groups"
groups = [3]
points = 12

[[categories]]
id = "anything"
pattern = "chance"
"""


def edited(old: str, new: str) -> str:
    """The valid file with one place changed, which must be there once."""
    assert VALID.count(old) == 1, old
    return VALID.replace(old, new)


def one_line(error: BaseException) -> str:
    text = str(error)
    assert len(text.splitlines()) == 1, text
    return text


# ---------------------------------------------------------------- presets and valid files


@pytest.mark.parametrize("id", PRESETS)
def test_preset_loads_under_its_id(id: str) -> None:
    game = load_preset(id)
    assert game.id == id
    assert load_game(id) == game
    assert set(game.notes) == set(LANGUAGES)
    assert set(game.names) == set(LANGUAGES)
    assert all(set(one.names) == set(LANGUAGES) for one in game.categories)


def test_ids_and_rules_of_presets_are_unique() -> None:
    assert len({load_preset(id).id for id in PRESETS}) == len(PRESETS)
    same_rules = {id: load_preset(id).hash for id in PRESETS if id != "kniffel"}
    assert len(set(same_rules.values())) == len(same_rules)


def test_kniffel_has_the_rules_of_plain_yahtzee() -> None:
    assert load_preset("kniffel").hash == load_preset("yahtzee-plain").hash
    assert load_preset("kniffel") != load_preset("yahtzee-plain")


@pytest.mark.parametrize("id", PRESETS)
def test_everything_has_an_english_and_a_swedish_name(id: str) -> None:
    game = load_preset(id)
    named: list[Mapping[str, str]] = [game.names, *(category.names for category in game.categories)]
    for names in named:
        for language in ("en", "sv", "de") if id == "kniffel" else ("en", "sv"):
            assert names[language].strip() == names[language] != ""
    for language in ("en", "sv"):
        assert len({category.name(language) for category in game.categories}) == len(game.categories)


def test_the_presets_folder_holds_the_presets_and_nothing_else() -> None:
    from yatzy.games import gamefile

    folder = Path(gamefile.__file__).parent / "presets"
    assert sorted(path.name for path in folder.iterdir()) == sorted(f"{id}.toml" for id in PRESETS)


def test_a_valid_file_gives_the_game_it_describes(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(VALID, encoding="utf-8")
    expected = Game(
        id="my-game",
        dice=3,
        faces=4,
        rolls=2,
        categories=(
            Category("ones", Face(1)),
            Category("fours", Face(4)),
            Category("house", Groups((2, 1), pays=Pays.ALL)),
            Category("run", Straight(length=3, points=6)),
            Category("low-run", Straight(faces=(1, 2), points=4)),
            Category("triple", Groups((3,), points=12)),
            Category("anything", Chance()),
        ),
        bonus=Bonus(5, 7),
        joker=Joker("triple", JokerReading.FREE, 9),
    )
    for game in (load_game(path), load_game(str(path)), Game.parse(VALID)):
        assert game == expected
        assert (game.name("sv"), game.name("de"), game.note("sv")) == ("Min", "Mine", "small")
        assert [c.name("sv") for c in game.categories][:4] == ["Ettor", "Fours", "House", "Run"]


def test_a_file_without_the_ending_toml_is_read_too(tmp_path: Path) -> None:
    path = tmp_path / "mine.game"
    path.write_text(VALID, encoding="utf-8")
    assert load_game(path).id == "my-game"


# ---------------------------------------------------------------- what the hash depends on


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('id = "my-game"', 'id = "another-game"'),
        ('name = { en = "Mine", sv = "Min" }\n', ""),
        ('note = "small"', 'note = "other"'),
        ('{ en = "Ones", sv = "Ettor" }', '{ en = "Aces" }'),
        ('name = "House"\n', ""),
        ('id = "house"', 'id = "cottage"'),
        ("forced_order = false\n", ""),
        ("same_face = false\n", ""),
    ],
)
def test_names_do_not_change_the_hash(old: str, new: str) -> None:
    assert Game.parse(edited(old, new)).hash == Game.parse(VALID).hash


RULES = [
    ("dice = 3", "dice = 4"),
    ("faces = 4", "faces = 5"),
    ("rolls = 2", "rolls = 3"),
    ("forced_order = false", "forced_order = true"),
    ("points = 5", "points = 8"),
    ("threshold = 7", "threshold = 8"),
    ("[bonus]\npoints = 5\nthreshold = 7\n", ""),
    ('category = "triple"', 'category = "triplet"'),
    ('reading = "free"', 'reading = "forced"'),
    ('reading = "free"', 'reading = "pawlewicz"'),
    ('reading = "free"', 'reading = "bonus-only"'),
    ("points = 9", "points = 10"),
    ('[joker]\ncategory = "triple"\nreading = "free"\npoints = 9\n', ""),
    ("face = 4", "face = 3"),
    ("groups = [2, 1]", "groups = [2]"),
    ("groups = [2, 1]", "groups = [1, 2]"),
    ('pays = "all"', 'pays = "groups"'),
    ('pays = "all"', "points = 1"),
    ("same_face = false", "same_face = true"),
    ("partial = false", "partial = true"),
    ("length = 3", "length = 2"),
    ("length = 3", "faces = [1, 2, 3]"),
    ("points = 6\n", ""),
    ("points = 6", "points = 7"),
    ("faces = [1, 2]", "faces = [3, 4]"),
    ("points = 12", "points = 13"),
    ('\n[[categories]]\nid = "anything"\npattern = "chance"\n', ""),
    ('id = "anything"', 'id = "more"\npattern = "chance"\n[[categories]]\nid = "anything"'),
]


def test_every_rule_changes_the_hash() -> None:
    hashes = {"as it is": Game.parse(VALID).hash}
    for old, new in RULES:
        text = edited(old, new)
        if "dice = 4" in new:
            text = text.replace("groups = [3]", "groups = [4]")
        if "triplet" in new:
            text += '[[categories]]\nid = "triplet"\npattern = "groups"\ngroups = [3]\npoints = 12\n'
        hashes[f"{old} -> {new}"] = Game.parse(text).hash
    assert len(hashes) == 1 + len(RULES)
    assert len(set(hashes.values())) == len(hashes)


def test_the_order_of_categories_changes_the_hash() -> None:
    game = load_preset("two-yatzy")
    turned = Game("turned", 2, 2, 2, tuple(reversed(game.categories)))
    assert turned.hash != game.hash


def test_the_joker_box_is_part_of_the_hash() -> None:
    twins = VALID + '[[categories]]\nid = "triplet"\npattern = "groups"\ngroups = [3]\npoints = 12\n'
    assert Game.parse(twins).hash != Game.parse(twins.replace('category = "triple"', 'category = "triplet"')).hash


# ---------------------------------------------------------------- games built on others


def test_based_on_takes_everything_over_but_id_and_names() -> None:
    game = Game.parse('id = "copy"\nbased_on = "yahtzee"\n')
    assert game.hash == load_preset("yahtzee").hash
    assert (game.id, game.name(), game.note()) == ("copy", "Copy", "")
    assert [c.name("sv") for c in game.categories] == [c.name("sv") for c in load_preset("yahtzee").categories]


@pytest.mark.parametrize("id", PRESETS)
def test_every_preset_can_be_built_on_and_changed_in_nothing(id: str) -> None:
    base = load_preset(id)
    changes = "".join(f"[change.{category.id}]\n" for category in base.categories)
    assert Game.parse(f'id = "copy"\nbased_on = "{id}"\n{changes}').categories == base.categories


def test_bonus_false_and_joker_false_take_them_away() -> None:
    base = load_preset("yahtzee")
    without = Game.parse('id = "bare"\nbased_on = "yahtzee"\nbonus = false\njoker = false\n')
    assert (without.bonus, without.joker, without.joker_box) == (None, None, None)
    assert (without.dice, without.categories) == (base.dice, base.categories)
    assert Game.parse('id = "bare"\nbased_on = "yahtzee"\nbonus = false\n').joker == base.joker
    assert Game.parse('id = "bare"\nbased_on = "yahtzee"\njoker = false\n').bonus == base.bonus
    assert Game.parse(edited("[bonus]\npoints = 5\nthreshold = 7\n", "").replace("rolls", "bonus = false\nrolls"))


def test_numbers_of_the_base_can_be_replaced() -> None:
    text = 'id = "x"\nbased_on = "yatzy"\nrolls = 5\nforced_order = true\nbonus = { points = 1, threshold = 2 }\n'
    game = Game.parse(text)
    assert (game.dice, game.faces, game.rolls, game.forced_order, game.bonus) == (5, 6, 5, True, Bonus(1, 2))
    assert Game.parse('id = "x"\nbased_on = "yatzy-forced-order"\n').forced_order
    assert not Game.parse('id = "x"\nbased_on = "yatzy-forced-order"\nforced_order = false\n').forced_order


@pytest.mark.parametrize(
    ("base", "category", "change", "pattern"),
    [
        ("yatzy", "full-house", "same_face = true", Groups((3, 2), same_face=True)),
        ("yatzy", "full-house", "points = 25", Groups((3, 2), points=25)),
        ("yatzy", "full-house", 'pays = "all"', Groups((3, 2), pays=Pays.ALL)),
        ("yahtzee", "full-house", 'pays = "groups"', Groups((3, 2))),
        ("yahtzee", "full-house", "points = 20", Groups((3, 2), points=20)),
        ("yatzy", "two-pairs", "groups = [2, 2, 1]", Groups((2, 2, 1))),
        ("yatzy", "small-straight", "points = 30", Straight(faces=(1, 2, 3, 4, 5), points=30)),
        ("yatzy", "small-straight", "length = 4", Straight(length=4, points=15)),
        ("yahtzee", "small-straight", "faces = [1, 2, 3]", Straight(faces=(1, 2, 3), points=30)),
        ("yatzy", "yatzy", 'pattern = "chance"', Chance()),
        ("yatzy", "chance", 'pattern = "groups"\ngroups = [2]', Groups((2,))),
    ],
)
def test_change_replaces_what_it_names(base: str, category: str, change: str, pattern: object) -> None:
    game = Game.parse(f'id = "x"\nbased_on = "{base}"\n[change.{category}]\n{change}\n')
    index = game.category_index[category]
    before = load_preset(base).categories
    assert game.categories[index].pattern == pattern
    assert game.categories[index].names == before[index].names
    assert (*game.categories[:index], *game.categories[index + 1 :]) == (*before[:index], *before[index + 1 :])


def test_categories_are_added_changed_and_dropped_one_by_one() -> None:
    text = """
        id = "odd-yatzy"
        based_on = "yatzy"
        drop = ["small-straight", "large-straight"]
        [change.chance]
        minimum = 20
        [[add]]
        id = "odd"
        after = "full-house"
        pattern = "chance"
        faces = [1, 3, 5]
        [[add]]
        id = "last"
        pattern = "groups"
        groups = [2]
    """
    game, base = Game.parse(text), load_preset("yatzy")
    ids = [id for id in base.category_index if "straight" not in id]
    ids.insert(ids.index("full-house") + 1, "odd")
    assert list(game.category_index) == [*ids, "last"]
    chance, odd = (game.categories[game.category_index[id]] for id in ("chance", "odd"))
    assert [chance.score(dice) for dice in ((1, 2, 4, 6, 6), (2, 4, 4, 5, 5), (6, 6, 6, 6, 6))] == [0, 20, 30]
    assert [odd.score(dice) for dice in ((1, 2, 3, 4, 5), (2, 4, 6, 6, 6), (5, 5, 5, 5, 5))] == [9, 0, 25]
    assert Game.parse(str(game)) == game
    assert game.bonus == base.bonus
    without = Game.parse('id = "x"\nbased_on = "yahtzee"\njoker = false\ndrop = ["yahtzee"]\n')
    assert "yahtzee" not in without.category_index


def test_a_chance_without_conditions_keeps_its_hash() -> None:
    """So that the tables of games that were solved before stay valid."""
    assert Chance().hashed() == {}
    assert Chance(minimum=20).hashed() == {"minimum": 20}
    assert Chance((1, 3)).describe() == "sum of the dice that show 1, 3"
    assert Chance(minimum=20).describe() == "sum of all dice, if it is 20 or more"


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        (Groups((3,)), "sum of these for 3 equal"),
        (Groups((3, 2)), "sum of these for 3 + 2 equal of different faces"),
        (Groups((2, 2), same_face=True), "sum of these for 2 + 2 equal, of one face or more"),
        (Groups((4,), points=40), "40 for 4 equal"),
        (Straight(length=4), "sum of all dice for 4 consecutive faces"),
        (Straight(length=4, points=30), "30 for 4 consecutive faces"),
        (Straight(faces=(1, 2, 3), points=0), "0 for 1-2-3"),
    ],
)
def test_groups_and_straights_say_what_they_pay_for(pattern: Groups | Straight, words: str) -> None:
    assert pattern.describe() == words


@pytest.mark.parametrize(("key", "most"), [("dice", 12), ("faces", 20), ("rolls", 20)])
def test_sizes_of_a_game_have_limits(key: str, most: int) -> None:
    def sized(number: int) -> Game:
        sizes = {"dice": 2, "faces": 2, "rolls": 2, key: number}
        return Game("sizes", sizes["dice"], sizes["faces"], sizes["rolls"], (Category("chance", Chance()),))

    assert getattr(sized(most), key) == most
    with pytest.raises((GameError, SizeError), match=f"{key}: {most + 1} is not from . to {most}"):
        sized(most + 1)


def test_games_that_differ_in_names_and_notes_alone_are_equal() -> None:
    game = load_game("yatzy")
    other = replace(game, notes={"en": "another note"}, names={"en": "another name"})
    assert other == game
    assert hash(other) == hash(game)


def test_change_of_a_name_alone_keeps_the_rules() -> None:
    game = Game.parse('id = "x"\nbased_on = "yatzy"\n[change.chance]\nname = "Whatever"\n')
    assert game.categories[game.category_index["chance"]].name() == "Whatever"
    assert game.hash == load_preset("yatzy").hash


# ---------------------------------------------------------------- wrong files

WHOLE = "a whole number"
TEXT = "a text in quotes"
TRUTH = "true or false"

WRONG: list[tuple[str, str, str, str]] = [
    # what is wrong, the place, what stands there instead, what the line must say
    ("unknown key", "rolls = 2", "rolls = 2\ncolour = 1", "colour: is not a key"),
    ("misspelt key", "rolls = 2", "rols = 2", "did you mean 'rolls'?"),
    ("unknown key in a category", "face = 1", "face = 1\ncolour = 1", "ones: colour: is not a key"),
    ("unknown key in bonus", "threshold = 7", "threshold = 7\ncolour = 1", "bonus.colour: is not a key"),
    ("unknown key in joker", "points = 9", "points = 9\ncolour = 1", "joker.colour: is not a key"),
    ("key over two lines", "rolls = 2", 'rolls = 2\n"a\\nb" = 1', "'a\\nb': is not a key"),
    ("no id", 'id = "my-game"\n', "", "id: is missing"),
    ("no dice", "dice = 3\n", "", "dice: is missing"),
    ("no faces", "faces = 4\n", "", "faces: is missing"),
    ("no rolls", "rolls = 2\n", "", "rolls: is missing"),
    ("no id of a category", 'id = "house"\n', "", "categories: id: is missing"),
    ("no pattern", 'pattern = "chance"\n', "", "anything: pattern: is missing"),
    ("no face", "face = 1\n", "", "ones: face: is missing"),
    ("no groups", "groups = [2, 1]\n", "", "house: groups: must be a list"),
    ("no bonus.points", "points = 5\n", "", "bonus.points: is missing"),
    ("no bonus.threshold", "threshold = 7\n", "", "bonus.threshold: is missing"),
    ("no joker.category", 'category = "triple"\n', "", "joker.category: is missing"),
    ("no joker.reading", 'reading = "free"\n', "", "joker.reading: is missing"),
    ("no joker.points", "points = 9\n", "", "joker.points: is missing"),
    ("type of id", 'id = "my-game"', "id = 1", f" id: must be {TEXT}"),
    ("type of name", '{ en = "Mine", sv = "Min" }', "1", " name: must be a text"),
    ("type of a language", 'sv = "Min"', "sv = 1", " name: must be a text"),
    ("type of note", 'note = "small"', "note = 1", "note: must be a text or a table of texts"),
    ("type of based_on", "dice = 3", "dice = 3\nbased_on = 1", f"based_on: must be {TEXT}"),
    ("type of dice", "dice = 3", "dice = 3.0", f"dice: must be {WHOLE}"),
    ("type of faces", "faces = 4", 'faces = "4"', f"faces: must be {WHOLE}"),
    ("type of rolls", "rolls = 2", "rolls = true", f"rolls: must be {WHOLE}"),
    ("type of forced_order", "forced_order = false", "forced_order = 0", f"forced_order: must be {TRUTH}"),
    ("type of bonus", "[bonus]\npoints = 5\nthreshold = 7\n", "bonus = true", "bonus: must be a table"),
    ("type of bonus.points", "points = 5", "points = 5.5", f"bonus.points: must be {WHOLE}"),
    ("type of bonus.threshold", "threshold = 7", "threshold = []", f"bonus.threshold: must be {WHOLE}"),
    ("type of joker.category", 'category = "triple"', "category = 5", f"joker.category: must be {TEXT}"),
    ("type of joker.reading", 'reading = "free"', "reading = false", f"joker.reading: must be {TEXT}"),
    ("type of joker.points", "points = 9", 'points = "9"', f"joker.points: must be {WHOLE}"),
    ("type of categories.id", 'id = "house"', "id = 7", f"categories: id: must be {TEXT}"),
    ("type of categories.name", 'name = "House"', "name = 7", "house: name: must be a text"),
    ("type of pattern", 'pattern = "chance"', "pattern = 7", f"anything: pattern: must be {TEXT}"),
    ("type of face", "face = 1", 'face = "1"', f"ones: face: must be {WHOLE}"),
    ("type of groups", "groups = [2, 1]", "groups = 2", "house: groups: must be a list of whole numbers"),
    ("type within groups", "groups = [2, 1]", "groups = [2, true]", "house: groups: must be a list of whole numbers"),
    ("type of faces of a straight", "faces = [1, 2]", "faces = 2", "low-run: faces: must be a list of whole numbers"),
    ("type of length", "length = 3", 'length = "3"', f"run: length: must be {WHOLE}"),
    ("type of points", "points = 6", "points = 6.0", f"run: points: must be {WHOLE}"),
    ("type of pays", 'pays = "all"', "pays = 1", f"house: pays: must be {TEXT}"),
    ("type of same_face", "same_face = false", "same_face = 0", f"house: same_face: must be {TRUTH}"),
    ("type of partial", "partial = false", 'partial = "no"', f"house: partial: must be {TRUTH}"),
    ("bad id", 'id = "my-game"', 'id = "My game"', "id: 'My game' must be lower-case"),
    ("empty id", 'id = "my-game"', 'id = ""', "id: '' must be lower-case"),
    ("id over two lines", 'id = "my-game"', 'id = "my\\ngame"', "id: 'my\\ngame' must be lower-case"),
    ("bad id of a category", 'id = "house"', 'id = "house_"', "categories: id: 'house_' must be lower-case"),
    ("id like dice", 'id = "house"', 'id = "1-2"', "categories: id: '1-2' needs a letter"),
    ("id and key over two lines", 'id = "house"', 'id = "a\\nb"\nc = 1', "'a\\nb': c: is not a key"),
    ("id and language", 'id = "house"\nname = "House"', 'id = "a\\nb"\nname = {xx = ""}', "categories: id: 'a\\nb'"),
    ("unknown language", 'sv = "Min"', 'fi = "Min"', "name: unknown language 'fi'; known are en, sv, de"),
    ("unknown language in a category", 'sv = "Ettor"', 'fi = "X"', "ones: name: unknown language 'fi'"),
    ("0 dice", "dice = 3", "dice = 0", "dice: 0 is not from 1 to"),
    ("40 dice", "dice = 3", "dice = 40", "dice: 40 is not from 1 to"),
    ("13 dice", "dice = 3", "dice = 13", "dice: 13 is not from 1 to 12"),
    ("1 face", "faces = 4", "faces = 1", "faces: 1 is not from 2 to"),
    ("1000 faces", "faces = 4", "faces = 1000", "faces: 1000 is not from 2 to"),
    ("21 faces", "faces = 4", "faces = 21", "faces: 21 is not from 2 to 20"),
    ("too many keeps", "dice = 3\nfaces = 4", "dice = 12\nfaces = 20", "dice, faces: 12 dice with 20 faces"),
    ("0 rolls", "rolls = 2", "rolls = 0", "rolls: 0 is not from 1 to"),
    ("many rolls", "rolls = 2", "rolls = 100", "rolls: 100 is not from 1 to"),
    ("21 rolls", "rolls = 2", "rolls = 21", "rolls: 21 is not from 1 to 20"),
    ("negative bonus", "points = 5", "points = -5", "bonus.points: -5 is not from 1 to"),
    ("a bonus of nothing", "points = 5", "points = 0", "bonus.points: 0 is not from 1 to"),
    ("threshold 0", "threshold = 7", "threshold = 0", "bonus.threshold: 0 is not from 1 to"),
    ("negative joker", "points = 9", "points = -9", "joker.points: -9 is not from 0 to"),
    ("negative points", "points = 6", "points = -6", "run: points: -6 is not from 0 to"),
    ("huge points", "points = 6", "points = 1000000", "run: points: 1000000 is not from 0 to"),
    ("duplicate id", 'id = "low-run"', 'id = "run"', "categories: id 'run' appears twice"),
    ("duplicate face", "face = 4", "face = 1", "categories: face 1 appears twice"),
    ("face above", "face = 4", "face = 5", "fours: face: 5 is not from 1 to 4"),
    ("face below", "face = 4", "face = 0", "fours: face: 0 is not from 1 to 4"),
    ("groups too large", "groups = [2, 1]", "groups = [2, 2]", "house: groups [2, 2] need more than 3 dice"),
    ("no groups in the list", "groups = [2, 1]", "groups = []", "house: groups must be a list of sizes"),
    ("group of 0", "groups = [2, 1]", "groups = [2, 0]", "house: groups must be a list of sizes"),
    ("straight too long", "length = 3", "length = 4", "run: length: 4 is not from 2 to 3"),
    ("straight too short", "length = 3", "length = 1", "run: length: 1 is not from 2 to 3"),
    ("faces too many", "faces = [1, 2]", "faces = [1, 2, 3, 4]", "low-run: number of faces: 4 is not from 2 to 3"),
    ("faces out of range", "faces = [1, 2]", "faces = [4, 5]", "low-run: faces: 5 is not from 1 to 4"),
    ("faces twice", "faces = [1, 2]", "faces = [2, 2]", "low-run: faces [2, 2] names a face twice"),
    ("faces and length", "length = 3", "length = 3\nfaces = [1, 2]", "run: a straight has either faces or length"),
    ("neither faces nor length", "length = 3\n", "", "run: a straight has either faces or length"),
    ("points and pays", 'pays = "all"', 'pays = "all"\npoints = 1', "house: points: fixed points and pays"),
    ("unknown pays", 'pays = "all"', 'pays = "half"', "house: pays: 'half' is not one of groups, all"),
    ("unknown pattern", 'pattern = "chance"', 'pattern = "luck"', "anything: pattern: 'luck' is not one of face"),
    (
        "key of another pattern",
        'pattern = "chance"',
        'pattern = "chance"\npoints = 3',
        "anything: points: is not a key",
    ),
    ("another's key", "face = 1", "face = 1\nlength = 3", "ones: length: is not a key of pattern 'face'"),
    ("unknown reading", 'reading = "free"', 'reading = "loose"', "joker.reading: 'loose' is not one of forced, free"),
    ("unknown joker box", 'category = "triple"', 'category = "trip"', "joker.category: 'trip' is not one of the"),
    ("joker box of other dice", 'category = "triple"', 'category = "house"', "joker.category: 'house' must pay fixed"),
    (
        "joker box without points",
        "groups = [3]\npoints = 12",
        "groups = [3]",
        "joker.category: 'triple' must pay fixed",
    ),
    ("joker box that pays 0", "points = 12", "points = 0", "joker.category: 'triple' must pay fixed points"),
    ("change without base", "[bonus]", "[change.ones]\nface = 2\n[bonus]", "change: works with based_on"),
    ("unknown base", "dice = 3", 'dice = 3\nbased_on = "yatzi"', "based_on: there is no game 'yatzi'; did you mean"),
    ("not TOML", "dice = 3", "dice = = 3", "not TOML"),
    ("key twice", "dice = 3", "dice = 3\ndice = 4", "not TOML"),
]


@pytest.mark.parametrize(("old", "new", "says"), [row[1:] for row in WRONG], ids=[row[0] for row in WRONG])
def test_a_wrong_file_gets_one_line_with_its_name_and_the_key(old: str, new: str, says: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(edited(old, new), encoding="utf-8")
    with pytest.raises(InputError) as caught:
        load_game(path)
    line = one_line(caught.value)
    assert line.startswith(f"{path}: ")
    assert says in line.removeprefix(str(path)), line


HEAD = 'id = "x"\ndice = 3\nfaces = 4\nrolls = 2\n'
ON_YATZY = 'id = "x"\nbased_on = "yatzy"\n'
ANYTHING = '[[categories]]\nid = "anything"\npattern = "chance"\n'


WRONG_TEXTS = [
    ("", "id: is missing"),
    (HEAD, "categories: is missing"),
    (HEAD + "categories = []\n", "categories: a game needs at least one"),
    (HEAD + "categories = 5\n", "categories: must be tables"),
    (HEAD + "categories = [1]\n", "categories: must be tables"),
    (HEAD + "[categories]\nid = 1\n", "categories: must be tables"),
    (HEAD + "joker = 1\n" + ANYTHING, "joker: must be a table, or false for none"),
    (HEAD + "joker = 0\n" + ANYTHING, "joker: must be a table, or false for none"),
    (HEAD + "joker = true\n" + ANYTHING, "joker: must be a table, or false for none"),
    (HEAD + "bonus = 0\n" + ANYTHING, "bonus: must be a table, or false for none"),
    (HEAD + "bonus = { points = 1, threshold = 1 }\n" + ANYTHING, "bonus: there is no upper category"),
    (HEAD + "[change.ones]\nface = 1\n", "change: works with based_on, which names the preset to start from"),
    (HEAD + 'drop = ["ones"]\n', "drop: works with based_on"),
    (ON_YATZY + 'drop = "ones"\n', "drop: must be a list of category ids"),
    (ON_YATZY + 'drop = ["onez"]\n', "drop: yatzy has no category 'onez'; it has ones"),
    (ON_YATZY + 'drop = ["ones"]\n[change.ones]\nface = 1\n', "change: 'ones' is dropped"),
    (ON_YATZY + 'drop = ["ones"]\n' + ANYTHING, "drop: [[categories]] replaces all categories of the base"),
    (ON_YATZY + "add = 1\n", "add: must be tables written [[add]]"),
    (ON_YATZY + '[[add]]\nid = "chance"\npattern = "chance"\n', "add: yatzy has 'chance' already; use [change.chance]"),
    (ON_YATZY + '[[add]]\nid = "odd"\npattern = "chance"\nafter = "x"\n', "add: odd: after: 'x' is not one of ones"),
    (ON_YATZY + '[[add]]\nid = "odd"\n', "add: odd: pattern: is missing"),
    (ON_YATZY + "[change.chance]\nminimum = 31\n", "chance: minimum: 31 is not from 0 to 30"),
    (ON_YATZY + "[change.chance]\nfaces = [1, 7]\n", "chance: faces: 7 is not from 1 to 6"),
    (ON_YATZY + "[change.chance]\nfaces = [1, 1]\n", "chance: faces [1, 1] names a face twice"),
    (
        ON_YATZY + 'drop = ["ones", "twos", "threes", "fours", "fives", "sixes"]\n',
        "no upper category left; write bonus = f",
    ),
    (
        'id = "x"\nbased_on = "yahtzee"\ndrop = ["yahtzee"]\n',
        "joker: the rule of the base needs 'yahtzee', which is dr",
    ),
    (ON_YATZY + "change = 1\n", "change: must be a table"),
    (ON_YATZY + "[change]\nones = 1\n", "change.ones: must be a table"),
    (ON_YATZY + "[change.onez]\nface = 1\n", "change: yatzy has no category 'onez'; it has ones"),
    (ON_YATZY + "[change.chance]\npoints = 1\n", "chance: points: is not a key of pattern 'chance'"),
    (ON_YATZY + "[change.ones]\nface = 2\n", "categories: face 2 appears twice"),
    (ON_YATZY + '[change.yatzy]\npoints = 1\npays = "all"\n', "yatzy: points: fixed points and pays"),
    (ON_YATZY + "dice = 4\n", "small-straight: number of faces: 5 is not from 2 to 4"),
    (ON_YATZY + "faces = 5\n", "categories: sixes: face: 6 is not from 1 to 5"),
    ('id = "x"\nbased_on = "yahtzee"\n' + ANYTHING, "needs 'yahtzee', which [[categories]] leaves out; to add some to"),
    (ON_YATZY + ANYTHING, "bonus: the base has a bonus, but there is no upper category left; write bonus = false"),
    ('id = "x"\nbased_on = "x"\n', "based_on: there is no game 'x'"),
    ("x = " + "[" * 5000 + "]" * 5000, "not TOML"),
    ("dice = " + "9" * 5000, "not TOML"),
    (HEAD.replace("3", "0x" + "f" * 5000) + ANYTHING, "not TOML"),
]


@pytest.mark.parametrize(("text", "says"), WRONG_TEXTS, ids=[text[-40:] + says for text, says in WRONG_TEXTS])
def test_a_wrong_text_gets_one_line_with_its_source_and_the_key(text: str, says: str) -> None:
    with pytest.raises(GameError) as caught:
        Game.parse(text, "mine.toml")
    line = one_line(caught.value)
    assert line.startswith("mine.toml: ")
    assert says in line


@pytest.mark.parametrize("number", [41, 2000])
def test_too_many_categories_are_refused_with_their_size(number: int) -> None:
    rows = "".join(f'[[categories]]\nid = "c{i}"\npattern = "chance"\n' for i in range(number))
    with pytest.raises(SizeError, match=f"^mine.toml: categories: {number} categories are more than 40; .* states"):
        Game.parse(HEAD + rows, "mine.toml")


@pytest.mark.parametrize(("old", "new"), [("dice = 3", "dice = 40"), ("faces = 4", "faces = 100")])
def test_a_game_too_large_is_refused_with_its_size(old: str, new: str) -> None:
    with pytest.raises(SizeError, match=r"its table would have at least 128 states \([0-9.]+ GiB\)$"):
        Game.parse(edited(old, new))


@pytest.mark.parametrize(
    ("categories", "states"),
    [
        (1, "2 states"),
        (30, r"1,073,741,824 states \(8.000 GiB\)"),
        (64, r"18,446,744,073,709,551,616 states \("),
        (65, r"2\^65 states$"),
    ],
)
def test_the_size_of_a_refused_game_is_told_as_a_power_where_it_has_too_many_digits(
    categories: int, states: str
) -> None:
    with pytest.raises(SizeError, match=f"its table would have at least {states}"):
        Game("g", 40, 6, 3, tuple(Category(f"c{number}", Chance()) for number in range(categories)))


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    path = tmp_path / "none.toml"
    with pytest.raises(GameError) as caught:
        load_game(path)
    assert one_line(caught.value) == f"{path}: cannot be read: No such file or directory"


def test_a_folder_is_not_a_game(tmp_path: Path) -> None:
    path = tmp_path / "folder.toml"
    path.mkdir()
    with pytest.raises(GameError) as caught:
        load_game(path)
    assert one_line(caught.value).startswith(f"{path}: cannot be read: ")


def test_a_file_that_is_not_utf8(tmp_path: Path) -> None:
    path = tmp_path / "latin.toml"
    path.write_bytes(VALID.replace("Min", "Mån").encode("latin-1"))
    with pytest.raises(GameError) as caught:
        load_game(path)
    assert one_line(caught.value) == f"{path}: is not UTF-8 text, so it is not a game"


@pytest.mark.parametrize(
    ("name", "meant"), [("yatzi", "yatzy"), ("yathzee", "yahtzee"), ("maxiyatzy", "maxi-yatzy"), ("knifel", "kniffel")]
)
def test_an_unknown_preset_gets_a_suggestion(name: str, meant: str) -> None:
    for load in (load_game, load_preset):
        with pytest.raises(GameError) as caught:
            load(name)
        assert f"there is no game {name!r}; did you mean {meant}?" in one_line(caught.value)


@pytest.mark.parametrize("name", ["", "qqqq", "q" * 300, "a\nb", "a\0b", "a\0b.toml", "no/such/folder/x.toml"])
def test_a_name_like_nothing_gets_one_line(name: str) -> None:
    with pytest.raises(GameError) as caught:
        load_game(name)
    one_line(caught.value)


# ---------------------------------------------------------------- files broken at random


def read_or_refuse(text: str) -> None:
    """Either a game, or one line that starts with the file's name."""
    try:
        game = Game.parse(text, "mine.toml")
    except InputError as error:
        line = one_line(error)
    else:
        line = f"mine.toml: {game.name()}"
        assert len(game.hash) == 64
    assert line.startswith("mine.toml: ")


@st.composite
def broken_texts(draw: st.DrawFn) -> str:
    """The valid file with pieces cut out, doubled, moved or written over."""
    text = VALID
    junk = st.text(alphabet="0123456789-.=[]{}\"'\\\n #abcdefinoprst_é\x00", max_size=6)
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(text)))
        end = min(len(text), at + draw(st.integers(0, 12)))
        piece = draw(junk | st.just(text[at:end] * 2))
        text = text[:at] + piece + text[end:]
    return text


@given(broken_texts())
@settings(max_examples=300, deadline=None)
def test_a_text_broken_at_random_gives_a_game_or_one_line(text: str) -> None:
    read_or_refuse(text)


@given(st.lists(st.tuples(st.integers(0, len(VALID) - 1), st.integers(0, 255)), min_size=1, max_size=4))
@settings(max_examples=200, deadline=None)
def test_bytes_broken_at_random_give_a_game_or_one_line(
    tmp_path_factory: pytest.TempPathFactory, changes: list[tuple[int, int]]
) -> None:
    data = bytearray(VALID.encode())
    for at, byte in changes:
        data[at] = byte
    path = tmp_path_factory.getbasetemp() / "broken.toml"
    path.write_bytes(data)
    try:
        line = f"{path}: {load_game(path).id}"
    except InputError as error:
        line = one_line(error)
    assert line.startswith(f"{path}: ")


def toml(value: Any) -> str:
    """A value as TOML, everything within one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {toml(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    return json.dumps(value)


KEYS = ("id", "name", "note", "based_on", "dice", "faces", "rolls", "forced_order", "bonus", "joker", "categories",
        "change", "pattern", "face", "groups", "length", "points", "pays", "same_face", "partial", "threshold",
        "category", "reading", "en", "sv", "x", "a\nb", "ones")  # fmt: skip
WORDS = ("yatzy", "yahtzee", "two-yatzy", "ones", "triple", "house", "chance", "groups", "straight", "face", "all",
         "forced", "free", "", "a\nb", "Å")  # fmt: skip
SCALARS = st.one_of(
    st.integers(-2, 13), st.sampled_from([10**5, 10**30]), st.booleans(), st.floats(-3, 9), st.sampled_from(WORDS)
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=3),
    max_leaves=6,
)


@st.composite
def broken_tables(draw: st.DrawFn) -> str:
    """The valid file as tables, in some of which a key is dropped, added or given another value."""
    table = tomllib.loads(VALID)
    for _ in range(draw(st.integers(1, 3))):
        places = [table, *(v for v in table.values() if isinstance(v, dict))]
        if isinstance(table.get("categories"), list):
            places += [row for row in table["categories"] if isinstance(row, dict)]
        place = draw(st.sampled_from(places))
        key = draw(st.sampled_from(sorted(place) or ["id"]) | st.sampled_from(KEYS))
        if draw(st.integers(0, 3)) == 0:
            place.pop(key, None)
        else:
            place[key] = draw(VALUES)
    return "\n".join(f"{json.dumps(key)} = {toml(value)}" for key, value in table.items())


def test_the_valid_file_survives_the_writing_of_tables() -> None:
    table = tomllib.loads(VALID)
    assert Game.parse("\n".join(f"{key} = {toml(value)}" for key, value in table.items())) == Game.parse(VALID)


@given(broken_tables())
@settings(max_examples=250, deadline=None)
def test_tables_broken_at_random_give_a_game_or_one_line(text: str) -> None:
    read_or_refuse(text)


@given(st.text())
@settings(max_examples=100, deadline=None)
def test_any_text_gives_one_line(text: str) -> None:
    with pytest.raises(InputError) as caught:
        Game.parse(text, "mine.toml")
    one_line(caught.value)


def test_a_preset_is_found_by_its_rules() -> None:
    yatzy = load_game("yatzy")
    assert preset_with("yatzy", yatzy.hash) == yatzy
    assert preset_with("yatzy", load_game("yahtzee").hash) is None
    assert preset_with("mine", yatzy.hash) is None
    assert is_preset(yatzy)
    assert not is_preset(replace(yatzy, rolls=2))


def test_presets_that_are_in_no_list_come_last(monkeypatch: pytest.MonkeyPatch) -> None:
    assert set(gamefile._list_presets()) == set(PRESETS)
    monkeypatch.setattr(gamefile, "_ORDER", ("yahtzee", "gone", "yatzy"))
    found = gamefile._list_presets()
    assert found[:2] == ("yahtzee", "yatzy")
    assert found[2:] == tuple(sorted(set(PRESETS) - {"yahtzee", "yatzy"}))


@pytest.mark.parametrize(("id", "category"), [("yatzy", "yatzy"), ("yahtzee", "yahtzee"), ("two-yatzy", None)])
def test_the_category_for_equal_dice_is_known(id: str, category: str | None) -> None:
    game = load_game(id)
    found = game.yatzy_category
    assert (None if found is None else game.categories[found].id) == category


@pytest.mark.parametrize("id", PRESETS)
def test_a_preset_is_the_game_of_its_file(id: str) -> None:
    file = Path(gamefile.__file__).with_name("presets") / f"{id}.toml"
    assert load_preset.__wrapped__(id) == Game.parse(file.read_text(encoding="utf-8")) == load_preset(id)
