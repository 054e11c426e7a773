"""A study as a TOML file: games, strategies, numbers of games, a seed, and comparisons. docs/lab.md lists the keys.

Each combination of game, strategy and count is a *cell*. With the same dice, all cells use stream 0 of the seed; with
independent dice, each has its own stream.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import combinations, product
from pathlib import Path
from typing import Any, NoReturn

from yatzy.errors import InputError, Message, TableError, YatzyError, both
from yatzy.evaluation.distribution import BONUS, MOST_EVENTS
from yatzy.games import Game, load_game
from yatzy.games.gamefile import load_preset
from yatzy.games.toml import read_toml, toml_problem
from yatzy.lab.players import MOST_PLAYERS
from yatzy.lab.simulation import MOST_SEED
from yatzy.names import Origin, StrategyName, check_origin, parse_strategy, strategy_forms
from yatzy.reading import read_text_bounded

MOST_BYTES = 2**20
"""The size limit of a study file."""
MOST_GAMES = 100_000_000
"""The most games of a cell: a few gigabytes."""
FEW_CELLS = 4
"""Up to this number of cells, all pairs are compared by default."""

_KEYS = (
    "title",
    "games",
    "strategies",
    "count",
    "counts",
    "seed",
    "dice",
    "exact",
    "at_least",
    "split",
    "compare",
    "players",
)
_PLAYERS_KEYS = ("name", "game", "strategies", "count", "seed")
_DICE = ("same", "independent")
_SEATS = re.compile(r"([0-9]+) *\* *(.+)")


@dataclass(frozen=True, slots=True)
class Choice:
    """A strategy in a game."""

    game: Game
    label: str
    """The strategy as written in the file."""
    strategy: StrategyName
    """The same, with file paths relative to the study."""
    origin: Origin
    """PERSON if files or code were allowed on the command line, otherwise DATA."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A number of games played by a strategy."""

    name: str
    choice: Choice
    count: int
    stream: int

    @property
    def full_name(self) -> str:
        """The name with all its parts."""
        return _full_name(self.choice.game.id, self.choice.label, self.count)


@dataclass(frozen=True, slots=True)
class Players:
    """Several players at a table; seat k has stream k of the seed."""

    name: str
    game: Game
    seats: tuple[Choice, ...]
    count: int
    seed: int


@dataclass(frozen=True, slots=True)
class Study:
    """What to play and what to compute from it."""

    path: Path
    text: str
    """The text of the file."""
    title: str
    cells: tuple[Cell, ...]
    seed: int
    same_dice: bool
    exact: bool
    """Whether to evaluate strategies exactly if that takes minutes at most."""
    at_least: tuple[int, ...]
    """Scores to report the chance of."""
    splits: tuple[tuple[str, ...], ...] | None
    """The events by which to split the games, one or two for each figure; None for the usual splits."""
    pairs: tuple[tuple[Cell, Cell], ...]
    """Cells to compare."""
    players: tuple[Players, ...]


@dataclass(frozen=True, slots=True)
class Allowed:
    """What the user permits a study to do."""

    files: bool = False
    """Read other files that it names: utilities, exported strategies, games outside its folder."""
    code: bool = False
    """Run Python files that it names."""


NOTHING = Allowed()


def read_study(path: str | Path, allowed: Allowed = NOTHING) -> Study:
    """Read a study; an error names the file, the key and what is allowed there."""
    path = Path(path)
    text = read_text_bounded(path, MOST_BYTES, Message("a study"))
    try:
        table = read_toml(text)
    except ValueError as error:
        raise InputError("{path}: not TOML: {problem}", path=path, problem=toml_problem(error)) from None
    try:
        return _study(path, text, table, allowed)
    except (InputError, TableError) as error:
        raise InputError("{path}: {error}", path=path, error=error) from None


def _study(path: Path, text: str, table: Mapping[str, Any], allowed: Allowed) -> Study:
    _check_keys("", table, _KEYS)
    tables = table.get("players", [])
    if not isinstance(tables, list) or not all(isinstance(entry, dict) for entry in tables):
        _refuse("players", Message("must be tables written [[players]]"))
    seed, dice = _seed("seed", table, 1), _get("dice", table, str, "same")
    if dice not in _DICE:
        _refuse("dice", Message("{dice!r} is not one of {names}", dice=dice, names=", ".join(_DICE)))
    counts = _counts(table)
    cells: tuple[Cell, ...] = ()
    if not tables or "games" in table or "strategies" in table:
        cells = _cells(path, table, counts, allowed, same_dice=dice == "same")
    at_least = _list("at_least", table, int, [])
    if not all(score >= 0 for score in at_least):
        _refuse("at_least", Message("must be a list of whole numbers from 0 on"))
    return Study(
        path,
        text,
        title=_get("title", table, str, path.stem),
        cells=cells,
        seed=seed,
        same_dice=dice == "same",
        exact=_get("exact", table, bool, True),
        at_least=tuple(at_least),
        splits=_splits(table, [cell.choice.game for cell in cells]),
        pairs=_pairs(table, cells),
        players=_all_players(path, tables, counts, seed, allowed),
    )


def _counts(table: Mapping[str, Any]) -> list[int]:
    """The numbers of games, one or several; empty if the file does not specify any."""
    if "count" in table and "counts" in table:
        _refuse("counts", Message("goes without count; give one of them"))
    counts = [_get("count", table, int)] if "count" in table else _list("counts", table, int, [])
    if "counts" in table and not counts:
        _refuse("counts", Message("must be a list of at least one whole number"))
    for count in counts:
        _check_range("count" if "count" in table else "counts", count, 1, MOST_GAMES)
    _check_once("counts", counts)
    return counts


def _cells(
    path: Path, table: Mapping[str, Any], counts: Sequence[int], allowed: Allowed, same_dice: bool
) -> tuple[Cell, ...]:
    texts, labels = _list("games", table, str), _list("strategies", table, str)
    for key, values in (("games", texts), ("strategies", labels)):
        if not values:
            _refuse(key, Message("must be a list of at least one name"))
        _check_once(key, values)
    if not counts:
        _refuse("count", Message("is missing; it must be a whole number"))
    games = [_game("games", text, path, allowed) for text in texts]
    _check_once("games: id", [game.id for game in games])
    choices = [_choice("strategies", label, game, path, allowed) for game in games for label in labels]
    several = (len(games) > 1, len(labels) > 1 or (len(games) == 1 and len(counts) == 1), len(counts) > 1)
    cells = []
    for number, (choice, count) in enumerate(product(choices, counts)):
        parts = (choice.game.id, choice.label, str(count))
        name = "/".join(part for part, shown in zip(parts, several, strict=True) if shown)
        cells.append(Cell(name, choice, count, 0 if same_dice else number))
    return tuple(cells)


def _full_name(game: str, strategy: str, count: int) -> str:
    return f"{game}/{strategy}/{count}"


def can_split(game: Game, events: Sequence[str]) -> bool:
    """Whether games of this game can be split by these events; a study may ask for more than one of its games has."""
    return all(event in game.category_index or (event == BONUS and game.bonus is not None) for event in events)


def _splits(table: Mapping[str, Any], games: Sequence[Game]) -> tuple[tuple[str, ...], ...] | None:
    if "split" not in table:
        return None
    value = table["split"]
    if not isinstance(value, list) or not all(
        isinstance(split, list) and all(isinstance(event, str) for event in split) for split in value
    ):
        _refuse(
            "split", Message('must be a list of lists of one or two events such as [["bonus", "yatzy"], ["chance"]]')
        )
    splits = [tuple(split) for split in value]
    for split in splits:
        if not 1 <= len(split) <= MOST_EVENTS:
            _refuse(
                "split",
                Message(
                    "{split} has {count} events; games are split by 1 to {most}",
                    split=list(split),
                    count=len(split),
                    most=MOST_EVENTS,
                ),
            )
        _check_once("split", split)
        if not any(can_split(game, split) for game in games):
            events = dict.fromkeys(BONUS for game in games if game.bonus is not None)
            events |= dict.fromkeys(id for game in games for id in game.category_index)
            _refuse(
                "split",
                Message(
                    "no game of the study has {split}; events are {events}",
                    split=both(split),
                    events=", ".join(events),
                ),
            )
    _check_once("split", splits)
    return tuple(splits)


def _pairs(table: Mapping[str, Any], cells: Sequence[Cell]) -> tuple[tuple[Cell, Cell], ...]:
    value = table.get("compare", "all" if len(cells) <= FEW_CELLS else "none")
    if value == "none":
        return ()
    if value == "all":
        return tuple((a, b) for a, b in combinations(cells, 2) if a.count == b.count)
    if not isinstance(value, list) or not all(
        isinstance(pair, list) and len(pair) == 2 and all(isinstance(name, str) for name in pair) for pair in value
    ):
        _refuse("compare", Message('must be "all", "none" or a list of pairs of cells such as ["expected", "greedy"]'))
    known = {name: cell for cell in cells for name in (cell.full_name, cell.name)}
    pairs = []
    for pair in value:
        for name in pair:
            if name not in known:
                _refuse(
                    "compare",
                    Message(
                        "there is no cell {name!r}; cells are {cells}",
                        name=name,
                        cells=", ".join(cell.name for cell in cells),
                    ),
                )
        first, second = (known[name] for name in pair)
        if first is second:
            _refuse("compare", Message("{first!r} is compared with itself; a pair is two cells", first=first.name))
        if first.count != second.count:
            _refuse(
                "compare",
                Message("{first} and {second} have different numbers of games", first=first.name, second=second.name),
            )
        pairs.append((first, second))
    return tuple(pairs)


def _all_players(
    path: Path, tables: Sequence[Mapping[str, Any]], counts: Sequence[int], seed: int, allowed: Allowed
) -> tuple[Players, ...]:
    players = tuple(
        _players(path, number, entry, counts, seed, allowed) for number, entry in enumerate(tables, start=1)
    )
    _check_once("players: name", [table.name for table in players])
    return players


def _players(
    path: Path, number: int, table: Mapping[str, Any], counts: Sequence[int], seed: int, allowed: Allowed
) -> Players:
    where = f"players {number}: "
    _check_keys(where, table, _PLAYERS_KEYS)
    game = _game(f"{where}game", _get("game", table, str, where=where), path, allowed)
    seats: list[Choice] = []
    for text in _list("strategies", table, str, where=where):
        times = _SEATS.fullmatch(text)
        several, label = (int(times[1][:6]), times[2]) if times else (1, text)
        if several < 1:
            _refuse(
                f"{where}strategies",
                Message("{text!r} is not a player; write a number from 1, such as 4*expected", text=text),
            )
        seats += [_choice(f"{where}strategies", label, game, path, allowed)] * min(several, MOST_PLAYERS + 1)
    if not 2 <= len(seats) <= MOST_PLAYERS:
        said = len(seats) if len(seats) <= MOST_PLAYERS else Message("more than {most}", most=MOST_PLAYERS)
        _refuse(
            f"{where}strategies",
            Message(
                "a table has 2 to {most} players, not {said}; 4*expected means four",
                most=MOST_PLAYERS,
                said=said,
            ),
        )
    count = _get("count", table, int, counts[0] if len(counts) == 1 else None, where)
    _check_range(f"{where}count", count, 1, MOST_GAMES)
    name = _get("name", table, str, f"table {number}")
    return Players(name, game, tuple(seats), count, _seed("seed", table, seed, where))


def _game(key: str, text: str, path: Path, allowed: Allowed) -> Game:
    try:
        if not text.endswith(".toml"):
            return load_preset(text)
        file = path.parent / text
        if not allowed.files and not file.resolve().is_relative_to(path.parent.resolve()):
            _refuse(
                key,
                Message(
                    "{text!r} is a file outside the folder of the study; if you trust it, add --allow-files", text=text
                ),
            )
        return load_game(file)
    except (OSError, ValueError) as error:
        _refuse(key, Message("{text!r} cannot be read: {error}", text=text, error=error))
    except InputError as error:
        _refuse(key, error)


def _choice(key: str, label: str, game: Game, path: Path, allowed: Allowed) -> Choice:
    try:
        name = parse_strategy(label)
        if name.runs_code and not allowed.code:
            _refuse(key, Message("{label!r} runs a Python file; if you trust it, add --allow-code", label=label))
        if name.reads_file and not name.runs_code and not allowed.files:
            _refuse(key, Message("{label!r} reads a file; if you trust it, add --allow-files", label=label))
        if name.several:
            forms = ", ".join(strategy_forms())
            _refuse(
                key,
                Message(
                    "there is no strategy {label!r} for one player; strategies are {forms}", label=label, forms=forms
                ),
            )
        choice = Choice(game, label, name.beside(path.parent), Origin.PERSON if name.reads_file else Origin.DATA)
        check_origin(choice.strategy, choice.origin)
        choice.strategy.check(game)
    except (InputError, TableError) as error:
        _refuse(key, error)
    return choice


_TYPE_NAMES = {int: Message("a whole number"), str: Message("a text in quotes"), bool: Message("true or false")}
_LIST_NAMES = {int: Message("a list of whole numbers"), str: Message("a list of texts in quotes")}


def _refuse(key: str, reason: Message | YatzyError) -> NoReturn:
    raise InputError("{key}: {reason}", key=key, reason=reason)


def _check_keys(where: str, table: Mapping[str, Any], known: Sequence[str]) -> None:
    for key in table:
        if key not in known:
            close = get_close_matches(key, known, n=1)
            hint = (
                Message("did you mean {name!r}?", name=close[0])
                if close
                else Message("known are {names}", names=", ".join(known))
            )
            _refuse(f"{where}{key if key.isprintable() else repr(key)}", Message("is not a key; {hint}", hint=hint))


def _check_range(key: str, value: int, low: int, high: int) -> None:
    if not low <= value <= high:
        _refuse(key, Message("{value} is not from {low} to {high:,}", value=value, low=low, high=high))


def _check_once(key: str, values: Sequence[object]) -> None:
    for value in values:
        if values.count(value) > 1:
            _refuse(key, Message("{value!r} appears twice; each may appear once", value=value))


def _is(value: Any, kind: type) -> bool:
    return isinstance(value, kind) and not (kind is int and isinstance(value, bool))


def _get(key: str, table: Mapping[str, Any], kind: type, default: Any = None, where: str = "") -> Any:
    value = table.get(key, default)
    if value is None:
        _refuse(f"{where}{key}", Message("is missing; it must be {type}", type=_TYPE_NAMES[kind]))
    if not _is(value, kind):
        _refuse(f"{where}{key}", Message("must be {type}, not {value!r}", type=_TYPE_NAMES[kind], value=value))
    return value


def _list(key: str, table: Mapping[str, Any], kind: type, default: Any = None, where: str = "") -> list[Any]:
    value = table.get(key, default)
    if value is None:
        _refuse(f"{where}{key}", Message("is missing; it must be {type}", type=_LIST_NAMES[kind]))
    if not isinstance(value, list) or not all(_is(item, kind) for item in value):
        _refuse(f"{where}{key}", Message("must be {type}, not {value!r}", type=_LIST_NAMES[kind], value=value))
    return list(value)


def _seed(key: str, table: Mapping[str, Any], default: int, where: str = "") -> int:
    seed: int = _get(key, table, int, default, where)
    if not 0 <= seed <= MOST_SEED:
        _refuse(f"{where}{key}", Message("{seed} is not from 0 to 2^64 - 1", seed=seed))
    return seed
