"""Records of games played at random: turns known in full or in part, several players, starts, steps taken back."""

from __future__ import annotations

import datetime
import random
from dataclasses import replace

from helpers.small_games import FIXED
from yatzy.games import (
    PRESETS,
    Category,
    Chance,
    Detail,
    Dice,
    Face,
    Game,
    Groups,
    Keep,
    Player,
    Position,
    Record,
    Roll,
    Score,
    Sheet,
    Step,
    Straight,
    Turn,
    keeps_of,
    load_preset,
    placements,
)
from yatzy.games.rules import is_joker_roll

TWELVE = Game(
    "twelve",
    4,
    12,
    3,
    (
        *(Category(f"face-{face}", Face(face)) for face in (1, 2, 11, 12)),
        Category("3-of-a-kind", Groups((3,)), {"en": "Three of a kind", "sv": "Tretal"}),
        Category("4all", Groups((4,), points=40)),
        Category("run", Straight(length=3, points=30), {"en": 'A "run"\n\\', "de": "Lauf"}),
        Category("sum", Chance(), {"en": "12", "sv": "face 1"}),
    ),
    names={"en": "Twelve"},
    notes={"en": "Faces of two digits"},
)
ONE_DIE = Game("one-die", 1, 12, 2, (Category("chance", Chance()), Category("twelves", Face(12))))
GAMES = (*map(load_preset, PRESETS), *FIXED, TWELVE, ONE_DIE)
NAMES = ("Ann", "Bo", "Åsa Öberg", "1 Ann", "Result", "d'Arc (2)")
STRATEGIES = (None, None, "expected", "softened:1", "file.py:Mine[2]")


def random_record(game: Game, rng: random.Random, players: int | None = None, *, details: bool = True) -> Record:
    """A legal game, broken off at times; with `details` its turns are known to different degrees."""
    number = players or rng.choice((1, 1, 2, 2, 3))
    start = random_start(game, number, rng) if details and rng.random() < 0.3 else None
    position = start or Position.start(game, number)
    turns = list[Turn]()
    stop = number * len(game.categories) if rng.random() < 0.6 else rng.randrange(number * len(game.categories))
    while not position.over and len(turns) < stop:
        steps, position = play(position, rng)
        turns.append(turn_of(steps, rng.choice(tuple(Detail)) if details else Detail.FULL))
    undone: tuple[Step, ...] = ()
    if not position.over:
        steps, _ = play(position, rng)
        cut = rng.randrange(len(steps))
        turns += [turn_of(steps[:cut], Detail.FULL)] if cut else []
        undone = tuple(step for _, step in steps[cut:]) if rng.random() < 0.5 else ()
    return Record(
        game,
        tuple(Player(name, rng.choice(STRATEGIES)) for name in rng.sample(NAMES, number)),
        tuple(turns),
        date=datetime.date(2026, 11, 15) if rng.random() < 0.5 else None,
        seed=rng.choice((None, 0, 7, 2**128 - 1)),
        order_known=rng.random() < 0.8,
        notes=tuple(rng.sample(("by the fire # 1", "Ann: cheated?", 'ett, två; "tre"', "| a"), rng.randrange(3))),
        start=start,
        undone=undone,
    )


def random_start(game: Game, players: int, rng: random.Random) -> Position:
    """A position somewhere in a game, within a turn too, its sheets known in full or in sum."""
    position = Position.start(game, players)
    for _ in range(rng.randrange(players * len(game.categories))):
        _, position = play(position, rng)
    sheets = position.sheets
    if rng.random() < 0.3:
        sheets = tuple(in_sums(sheet, rng) for sheet in sheets)
    steps, _ = play(replace(position, sheets=sheets), rng)
    return rng.choice([here for here, _ in steps])


def in_sums(sheet: Sheet, rng: random.Random) -> Sheet:
    ids = [category.id for i, category in enumerate(sheet.game.categories) if sheet.filled >> i & 1]
    points = sheet.points if rng.random() < 0.5 else None
    return Sheet.of_sums(sheet.game, ids, upper=sheet.upper, points=points, box_pays=sheet.box_pays)


def play(position: Position, rng: random.Random) -> tuple[list[tuple[Position, Step]], Position]:
    """A turn to its end: the steps with the positions before them, and the position after it."""
    steps = list[tuple[Position, Step]]()
    while True:
        step = random_step(position, rng)
        steps.append((position, step))
        position = position.roll(step.dice) if isinstance(step, Roll) else position.play(step)
        if isinstance(step, Score):
            return steps, position


def random_step(position: Position, rng: random.Random) -> Step:
    game = position.game
    if position.awaits_roll:
        kept = position.dice
        if len(set(kept)) <= 1 and rng.random() < 0.4:  # so that Jokers come up
            return Roll((kept[0] if kept else rng.randint(1, game.faces),) * game.dice)
        return Roll((*kept, *(rng.randint(1, game.faces) for _ in range(game.dice - len(kept)))))
    if position.rolls_left:
        return Keep(position.dice if rng.random() < 0.3 else rng.choice(keeps_of(position.dice)))
    place = rng.choice(placements(position.sheet, position.dice))
    strike = rng.random() < 0.1 and not is_joker_roll(game, position.dice)
    return Score(game.categories[place.category].id, strike)


def turn_of(steps: list[tuple[Position, Step]], detail: Detail) -> Turn:
    """The turn that these steps make, told as far as the detail says."""
    rolls, keeps = list[Dice](), list[Dice]()
    position, step = steps[-1]
    for here, one in steps:
        if isinstance(one, Roll):
            rolls.append(one.dice)
        elif len(rolls) == len(keeps) and not isinstance(one, Score):
            rolls.append(here.dice)  # all were kept before, or they lay there at the start
        if isinstance(one, Keep):
            keeps.append(one.dice)
    if not isinstance(step, Score):
        return Turn(tuple(rolls), tuple(keeps))
    if (len(rolls) == len(keeps) and keeps[-1:] != rolls[-1:]) or not rolls:
        rolls.append(position.dice)
    if detail is Detail.FULL:
        return Turn(tuple(rolls), tuple(keeps), step)
    if detail is Detail.DICE:
        return Turn((position.dice,), (), step)
    place = position.placement(step)
    return Turn((), (), Score(step.category), place.points, place.joker_bonus)
