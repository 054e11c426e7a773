"""A game as one frozen value: dice, rolls, categories, upper bonus, Joker, order.

`Game` is validated on construction, so other code need not check it.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from difflib import get_close_matches
from enum import Enum
from functools import cached_property
from math import comb

from yatzy.errors import GameError, Message, NotationError, PositionError, SizeError
from yatzy.games.dice import Dice, parse_faces
from yatzy.games.keys import check_range, did_you_mean, known_are
from yatzy.games.moves import KEEP, STRUCK, Keep, Move, Score
from yatzy.games.patterns import Face, Groups, Pattern

ID_SHAPE = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
LANGUAGES = ("en", "sv", "de")
_DICE = re.compile(r"[0-9][-., 0-9]*")

MAX_DICE = 12
MAX_FACES = 20
MAX_ROLLS = 20
MAX_CATEGORIES = 40
MAX_POINTS = 10_000
MAX_KEEPS = 60_000


class JokerReading(Enum):
    """How a roll of equal dice is scored in a game with a Joker box; see docs/games.md."""

    FORCED = "forced"
    FREE = "free"
    PAWLEWICZ = "pawlewicz"
    BONUS_ONLY = "bonus-only"


@dataclass(frozen=True, slots=True)
class Bonus:
    """Points paid once the upper categories sum to at least the threshold."""

    points: int
    threshold: int


@dataclass(frozen=True, slots=True)
class Joker:
    """The rule for repeated rolls of equal dice: its box, its reading, its bonus."""

    category: str
    reading: JokerReading
    points: int


@dataclass(frozen=True, slots=True)
class Category:
    """A line of the score sheet."""

    id: str
    """Lower-case words joined by hyphens, such as `full-house`."""
    pattern: Pattern
    """What the dice must show, and what they pay."""
    names: Mapping[str, str] = field(default_factory=dict, compare=False, hash=False)
    """By language code."""

    @property
    def upper(self) -> bool:
        """Whether its points count towards the upper bonus."""
        return isinstance(self.pattern, Face)

    @property
    def fixed_points(self) -> int | None:
        """The points it pays for every roll that meets its pattern; None if they depend on the dice."""
        return self.pattern.fixed_points

    def name(self, language: str = "en") -> str:
        """Its name in a language; falls back to English, then to its id."""
        return self.names.get(language) or self.names.get("en") or self.id

    def score(self, dice: tuple[int, ...]) -> int:
        """The points of the dice without Joker rules; see `rules.placements` for those."""
        return self.pattern.score(dice)


@dataclass(frozen=True)
class Game:
    """The rules of a game. Games are equal if their rules and ids are equal; names are ignored."""

    id: str
    """Lower-case words joined by hyphens; names the game in positions."""
    dice: int
    """The number of dice."""
    faces: int
    """The faces of a die, numbered from 1."""
    rolls: int
    """The most rolls in a turn."""
    categories: tuple[Category, ...]
    """In the order of the sheet."""
    bonus: Bonus | None = None
    """The bonus for the upper categories, if there is one."""
    joker: Joker | None = None
    """The rule for repeated rolls of equal dice, if there is one."""
    forced_order: bool = False
    """Whether categories must be filled from top to bottom."""
    names: Mapping[str, str] = field(default_factory=dict, compare=False, hash=False)
    """By language code."""
    notes: Mapping[str, str] = field(default_factory=dict, compare=False, hash=False)
    """One line about the game, by language code."""

    def __post_init__(self) -> None:
        _check(self)

    def __hash__(self) -> int:
        return hash((self.id, self.hash))  # `self.hash` is cached; games are keys of many caches

    @classmethod
    def parse(cls, text: str, source: str = Message("game")) -> Game:
        """Parse a game from TOML; the inverse of `str(game)`. Errors start with `source` and name the key."""
        from yatzy.games import gamefile  # circular import

        return gamefile.read_game(text, source)

    def __str__(self) -> str:
        """A complete TOML description of this game, without `based_on`."""
        from yatzy.games import gamefile  # circular import

        return gamefile.write_game(self)

    def __repr__(self) -> str:
        from yatzy.games import gamefile  # circular import

        return f"load_game({self.id!r})" if gamefile.is_preset(self) else f"<Game {self.id}>"

    def name(self, language: str = "en") -> str:
        """Its name in a language; falls back to English, then to its id."""
        return self.names.get(language) or self.names.get("en") or self.id

    def note(self, language: str = "en") -> str:
        """One line about the game in a language, or else in English; "" if there is none."""
        return self.notes.get(language) or self.notes.get("en") or ""

    @cached_property
    def hash(self) -> str:
        """A digest of everything that affects values, and of nothing else (no names, no id).

        Optional rules added to `Game` later are hashed only if they differ from their default. So the hashes of games
        that do not use them stay the same, and existing tables stay valid.
        """
        rules = {
            "dice": self.dice,
            "faces": self.faces,
            "rolls": self.rolls,
            "categories": [[type(c.pattern).__name__, c.pattern.hashed()] for c in self.categories],
            "bonus": self.bonus and asdict(self.bonus),
            "joker": self.joker and [self.joker_box, self.joker.reading, self.joker.points],
            "forced_order": self.forced_order,
        }
        for one in fields(self):
            if one.compare and one.name != "id" and one.name not in rules and getattr(self, one.name) != one.default:
                rules[one.name] = getattr(self, one.name)
        text = json.dumps(rules, sort_keys=True, default=lambda value: value.value)
        return hashlib.sha256(text.encode()).hexdigest()

    @cached_property
    def category_index(self) -> Mapping[str, int]:
        """Category id -> index on the sheet."""
        return {category.id: index for index, category in enumerate(self.categories)}

    @cached_property
    def upper_categories(self) -> tuple[int, ...]:
        """The indices of the categories that count towards the bonus."""
        return tuple(i for i, category in enumerate(self.categories) if category.upper)

    @cached_property
    def lower_categories(self) -> tuple[int, ...]:
        """The indices of all other categories."""
        return tuple(i for i, category in enumerate(self.categories) if not category.upper)

    @cached_property
    def upper_of_face(self) -> Mapping[int, int]:
        """The index of the upper category of each face that has one."""
        return {
            category.pattern.face: i for i, category in enumerate(self.categories) if isinstance(category.pattern, Face)
        }

    @cached_property
    def yatzy_category(self) -> int | None:
        """The index of the first category that requires all dice equal, or None."""
        for i, category in enumerate(self.categories):
            if isinstance(category.pattern, Groups) and category.pattern.sizes == (self.dice,):
                return i
        return None

    @cached_property
    def joker_box(self) -> int | None:
        """The index of the category whose points enable the Joker bonus; None without a Joker."""
        return None if self.joker is None else self.category_index[self.joker.category]

    def check_dice(self, dice: Dice) -> None:
        """Raise an error unless the dice are a roll of this game."""
        if len(dice) != self.dice:
            raise PositionError(
                "dice: {count} given, but {game} is played with {dice}", count=len(dice), game=self.id, dice=self.dice
            )
        for die in dice:
            if not 1 <= die <= self.faces:
                raise PositionError("dice: {die} is not from 1 to {faces}", die=die, faces=self.faces)

    def parse_dice(self, text: str) -> Dice:
        """Parse all dice of a roll: `13356`, or `10-3-12` if a face has two digits."""
        dice = parse_faces(text, self.dice, self.faces)
        self.check_dice(dice)
        return dice

    def parse_move(self, text: str) -> Move:
        """Parse a move: dice to keep, `-` to keep none, or a category, followed by `=0` to strike it.

        `keep 33` and `keep -` are accepted too. `Position.parse_move` also checks that the move is legal.
        """
        dice = text.removeprefix(KEEP)
        if dice == "-" or (dice != text and _DICE.fullmatch(dice)):
            text = dice
        if text == "-":
            return Keep(())
        if _DICE.fullmatch(text) or (text[:1].isdigit() and _plain(text) not in self._categories_by_text):
            return Keep(parse_faces(text, self.dice, self.faces))
        return Score(self.find_category(text.removesuffix(STRUCK)).id, text.endswith(STRUCK))

    def find_category(self, text: str) -> Category:
        """Find a category by its id or its name in any language, ignoring case and spaces."""
        wanted, known = _plain(text), self._categories_by_text
        if wanted in known:
            return known[wanted]
        close = self.closest_category(text)
        hint = did_you_mean(close.id) if close else known_are(self.category_index)
        raise NotationError("{game} has no category {text!r}; {hint}", game=self.id, text=text, hint=hint)

    def closest_category(self, text: str) -> Category | None:
        """The category that a misspelt text most likely means; None if nothing is close."""
        close = get_close_matches(_plain(text), self._categories_by_text, n=1, cutoff=0.4)
        return self._categories_by_text[close[0]] if close else None

    @cached_property
    def _categories_by_text(self) -> Mapping[str, Category]:
        """Category by each of its accepted texts. An id takes precedence over an equal name of another category."""
        names = {_plain(name): category for category in self.categories for name in category.names.values()}
        return names | {category.id: category for category in self.categories}


def _plain(text: str) -> str:
    return re.sub(r"[\s_]+", "-", text.strip().casefold())


def _check(game: Game) -> None:
    """Raise an error that names the wrong key unless the game is valid."""
    _check_id("id", game.id)
    check_range("dice", game.dice, 1, MAX_DICE, _size_if_solved(game))
    check_range("faces", game.faces, 2, MAX_FACES, _size_if_solved(game))
    check_range("rolls", game.rolls, 1, MAX_ROLLS)
    if (keeps := comb(game.dice + game.faces, game.faces)) > MAX_KEEPS:
        raise SizeError(
            "dice, faces: {dice} dice with {faces} faces can be kept in {keeps:,} ways, more than"
            " {most:,}; take fewer dice or faces{size}",
            dice=game.dice,
            faces=game.faces,
            keeps=keeps,
            most=MAX_KEEPS,
            size=_size_if_solved(game),
        )
    if not game.categories:
        raise GameError("categories: a game needs at least one category")
    if len(game.categories) > MAX_CATEGORIES:
        raise SizeError(
            "categories: {count} categories are more than {most}{size}",
            count=len(game.categories),
            most=MAX_CATEGORIES,
            size=_size_if_solved(game),
        )
    for category in game.categories:
        _check_id("categories: id", category.id)
        if not any(letter.isalpha() for letter in category.id):
            raise GameError(
                "categories: id: {category!r} needs a letter, or it would read as dice", category=category.id
            )
        category.pattern.check(game.dice, game.faces, f"categories: {category.id}: ")
        if category.fixed_points is not None:
            check_range(f"categories: {category.id}: points", category.fixed_points, 0, MAX_POINTS)
    categories = ((f"{c.id}: name", c.names) for c in game.categories)
    for key, mapping in (("name", game.names), ("note", game.notes), *categories):
        if unknown := set(mapping) - set(LANGUAGES):
            raise GameError(
                "{key}: unknown language {unknown!r}; known are {languages}",
                key=key,
                unknown=sorted(unknown)[0],
                languages=", ".join(LANGUAGES),
            )
    _check_once("id", [category.id for category in game.categories])
    _check_once("face", [c.pattern.face for c in game.categories if isinstance(c.pattern, Face)])
    if game.bonus is not None:
        # At least 1, because the points show whether the bonus was won.
        check_range("bonus.points", game.bonus.points, 1, MAX_POINTS)
        check_range("bonus.threshold", game.bonus.threshold, 1, MAX_POINTS)
        if not any(category.upper for category in game.categories):
            raise GameError('bonus: there is no upper category (pattern = "face") for it to count')
    if game.joker is not None:
        _check_joker(game, game.joker)


def _check_once(key: str, values: Sequence[object]) -> None:
    for value in values:
        if values.count(value) > 1:
            raise GameError("categories: {key} {value!r} appears twice; each may appear once", key=key, value=value)


def _size_if_solved(game: Game) -> Message:
    """The minimum table size of the game, as the end of an error message."""
    if len(game.categories) > 64:
        return Message("; its table would have at least 2^{categories} states", categories=len(game.categories))
    states = 2 ** len(game.categories)
    return Message(
        "; its table would have at least {states:,} states ({size:,.3f} GiB)", states=states, size=8 * states / 2**30
    )


def _check_id(key: str, text: str) -> None:
    if not ID_SHAPE.fullmatch(text):
        raise GameError(
            "{key}: {text!r} must be lower-case letters and digits joined by single hyphens", key=key, text=text
        )


def _check_joker(game: Game, joker: Joker) -> None:
    if joker.category not in game.category_index:
        raise GameError("joker.category: {category!r} is not one of the categories", category=joker.category)
    pattern = game.categories[game.category_index[joker.category]].pattern
    if not (isinstance(pattern, Groups) and pattern.sizes == (game.dice,) and pattern.points):
        raise GameError(
            "joker.category: {category!r} must pay fixed points for {dice} equal dice",
            category=joker.category,
            dice=game.dice,
        )
    check_range("joker.points", joker.points, 0, MAX_POINTS)
