"""Every text that people or files may hand to the program: how it is read, texts that are right, and the round trip."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

from helpers import record_fuzz as records
from helpers.random_records import random_record
from helpers.record_judge import judge

from siege.stock import GAME, STUDY
from yatzy.cli.commands.match.strength import read_depths
from yatzy.cli.lab_options import read_scores
from yatzy.cli.playing.words import read_command
from yatzy.coach.play.tutor import parse_threshold
from yatzy.games import PRESETS, Game, Position, load_preset, rolls, show_dice
from yatzy.lab.studies.reading import read_study
from yatzy.names import Origin, parse_match_objective, parse_objective
from yatzy.names import parse_strategy as parse_strategy_name
from yatzy.names.payoffs import payoff_for
from yatzy.solver import Solver, parse_strategy
from yatzy.values.utility import read_utility

OWN = Game.parse(GAME)
GAMES: tuple[Game, ...] = (OWN, load_preset("yatzy"), load_preset("yahtzee"), load_preset("two-yatzy"))


@dataclass(frozen=True)
class Format:
    """A kind of text."""

    name: str
    share: int
    """Of a hundred."""
    read: Callable[[str, Path], object]
    """Reads a text, and fails by an assertion when what was read does not survive being written; may use a folder."""
    seeds: Callable[[], tuple[str, ...]]
    """Texts that are right."""


def _same(first: object, second: object) -> None:
    assert first == second, f"does not survive being written and read again: {first!r}, then {second!r}"


# What reads


def _game(text: str, folder: Path) -> object:
    game = Game.parse(text)
    _same(game, Game.parse(str(game)))
    return game


def _position(text: str, folder: Path) -> object:
    own = {OWN.id: OWN, **records.KNOWN}.get(text.partition("~")[0])
    position = Position.parse(text, own)
    _same(position, Position.parse(str(position), own))
    return position


def _move(text: str, folder: Path) -> object:
    game = GAMES[len(text) % len(GAMES)]
    move = game.parse_move(text)
    _same(move, game.parse_move(str(move)))
    return move


def _dice(text: str, folder: Path) -> object:
    game = GAMES[len(text) % len(GAMES)]
    dice = game.parse_dice(text)
    _same(dice, game.parse_dice(show_dice(dice)))
    return dice


def _objective(text: str, folder: Path) -> object:
    found = parse_objective(text)
    _same(found, parse_objective(str(found)))
    return found


def _match_objective(text: str, folder: Path) -> object:
    found = parse_match_objective(text)
    _same(found, parse_match_objective(str(found)))
    return found


def _strategy(text: str, folder: Path) -> object:
    name = parse_strategy_name(text)
    _same(name, parse_strategy_name(str(name)))
    return parse_strategy(name, GAMES[3], Solver(folder / "tables"), Origin.DATA if len(text) % 2 else Origin.PERSON)


def _payoff(text: str, folder: Path) -> object:
    players = text.count(",") + 1 if "," in text else 2
    found = payoff_for(text, players)
    if found.share_ties:
        _same(found, payoff_for(",".join(map(repr, found.values)), players))
    return found


def _from_file(read: Callable[[Path], object], name: str, text: str, folder: Path) -> object:
    path = folder / name
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    return read(path)


def _record(text: str, folder: Path) -> object:
    found = records.read_text(text)
    for one in found:
        judge(one)
    return found


def _table(text: str, folder: Path) -> object:
    found = records.read_table(text)
    for one in found:
        judge(one)
    return found


def _typed(text: str, folder: Path) -> object:
    positions = _some_positions()
    return read_command(text, positions[len(text) % len(positions)])


# What is right


@cache
def _some_positions() -> tuple[Position, ...]:
    rng = random.Random("positions")
    found = list[Position]()
    for game in GAMES:
        for players in (1, 2):
            for _ in range(6):
                position = Position.start(game, players)
                for _ in range(rng.randrange(3 * game.rolls * players)):
                    if position.over:
                        break
                    position = _step(position, rng)
                found.append(position)
    return tuple(found)


def _step(position: Position, rng: random.Random) -> Position:

    if position.awaits_roll:
        kept = list(position.dice)
        thrown = [rng.randint(1, position.game.faces) for _ in range(position.game.dice - len(kept))]
        return position.roll(tuple(sorted(kept + thrown)))
    return position.play(rng.choice(position.legal_moves))


@cache
def _moves() -> tuple[str, ...]:
    found = {str(move) for position in _some_positions() for move in position.legal_moves}
    return tuple(sorted(found))


def _fixed(*texts: str) -> Callable[[], tuple[str, ...]]:
    return lambda: texts


@cache
def _games() -> tuple[str, ...]:
    rng = random.Random("games")
    own = [str(random_record(game, rng).game) for game in records.KNOWN.values()]
    derived = [f'id = "mine"\nbase = "{id}"\nrolls = 2\n' for id in PRESETS]
    return (GAME, GAME, *derived, *own, "a." * 200 + "b = 1\n", "[" * 60 + "]" * 60)


OBJECTIVES = (
    "expected",
    "target:250",
    "chance:0.9",
    "exp:0.02",
    "exp:-1e-3",
    "utility:utility.csv",
    "utility:/",
    "target:1",
)
MATCHES = ("match:auto", "match:auto:0.5", "match:emp:1", "match:dyns:3", "match:emp:99", "match:auto:1e-9")
STRATEGIES = ("expected", "greedy", "random", "molinder-bonus", "softened:1", "softened:0.5:target:5", "target:4",
              "file:strategy.bin", "own.py:Mine", "file:", "x.py:y")  # fmt: skip
PAYOFFS = ("match-points", "win", "6,3,1,0", "1,0", "1.5,-2", "1e308,0", "1,1,0", "3,2,1,0,0,0,0")
TYPED = ("", "roll", "r", "33", "k 2 3", "none", "all", "bc", "13356", "ones", "ones=0", "13", "undo", "redo",
         "save x.yatzy", "why 33", "hint", "tutor blunder", "tutor 0.5", "sheet", "?", "q", "two pairs", "strike ones",
         "x ones")  # fmt: skip

FORMATS = (
    Format("record", 16, _record, partial(records.seeds, "text")),
    Format("record CSV", 1, _table, partial(records.seeds, "csv")),
    Format("game", 7, _game, _games),
    Format("position", 20, _position, lambda: tuple(map(str, _some_positions()))),
    Format("move", 12, _move, _moves),
    Format("dice", 9, _dice, lambda: tuple(show_dice(dice) for game in GAMES for dice in rolls(game))),
    Format("objective", 7, _objective, _fixed(*OBJECTIVES)),
    Format("match objective", 5, _match_objective, _fixed(*MATCHES)),
    Format("strategy", 3, _strategy, _fixed(*STRATEGIES)),
    Format("payoff", 5, _payoff, _fixed(*PAYOFFS)),
    Format(
        "utility", 3, lambda text, folder: _from_file(read_utility, "utility.csv", text, folder),
        _fixed("points,worth\n0,0\n1,0.5\n2,1\n3,1\n", "points,worth\n-2,1e9\n-1,-3\n", "points, worth\r\n5,1\r\n"),
    ),
    Format("study", 2, lambda text, folder: _from_file(read_study, "study.toml", text, folder), _fixed(
        STUDY.replace("siege.toml", "two-yatzy"),
        'games = ["two-yatzy"]\nstrategies = ["random", "greedy"]\ncounts = [5, 7]\ncompare = "all"\n',
        '[[players]]\ngame = "two-yatzy"\nstrategies = ["4 * random"]\ncount = 9\nseed = 3\n',
    )),
    Format("typed at the table", 6, _typed, _fixed(*TYPED)),
    Format("tutor", 1, lambda text, folder: parse_threshold(text), _fixed("off", "on", "mistake", "blunders", "0.5")),
    Format("depths", 2, lambda text, folder: read_depths(text), _fixed("1-6:4096,7-8:1024", "1:1", "3-4:2")),
    Format("scores", 1, lambda text, folder: read_scores(text), _fixed("250,300", "1", "0, 5")),
)  # fmt: skip
