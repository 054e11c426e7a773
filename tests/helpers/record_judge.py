"""A second, slow reading of the rules, which judges records: dice by dice, otherwise than `Record` checks itself."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from yatzy.games import Dice, Game, Position, Record, Roll, Sheet, Turn, placements, rolls


def contains(dice: Dice, some: Dice) -> bool:
    return all(dice.count(die) >= some.count(die) for die in set(some))


@dataclass
class Column:
    """The sheet of one player as somebody with a pencil keeps it."""

    game: Game
    filled: set[int]
    upper: int
    points: int
    box_pays: bool

    def sheet(self) -> Sheet:
        return Sheet(self.game, sum(1 << i for i in self.filled), self.upper, self.points, self.box_pays, None)

    def write(self, category: int, points: int, joker_bonus: int) -> None:
        game = self.game
        assert category not in self.filled
        if game.forced_order:
            assert category == len(self.filled)
        before = self.upper
        self.filled.add(category)
        self.points += points + joker_bonus
        if category in game.upper_categories:
            self.upper += points
        if game.bonus and before < game.bonus.threshold <= self.upper:
            self.points += game.bonus.points
        if category == game.joker_box and points:
            self.box_pays = True


def judge(record: Record) -> None:
    """Every rule of the game, once more and otherwise than `Record` checks it."""
    game, start = record.game, record.start
    columns = [Column(game, set(), 0, 0, False) for _ in record.players]
    if start is not None:
        columns = [
            Column(game, set(range(len(game.categories))) - set(s.open), s.upper, s.points, s.box_pays)
            for s in start.sheets
        ]
    for number, turn in enumerate(record.turns):
        column = min(columns, key=lambda column: len(column.filled))
        assert len(column.filled) < len(game.categories)
        taken_up = start if number == 0 else None
        if turn.score is None:
            assert turn is record.turns[-1]
            last_dice(game, turn, taken_up)
        else:
            judge_score(column, turn, taken_up)
    assert record.scores == tuple(column.points for column in columns)
    assert record.over == all(len(column.filled) == len(game.categories) for column in columns)
    position = record.position
    for step in record.undone:
        position = position.roll(step.dice) if isinstance(step, Roll) else position.play(step)


def judge_score(column: Column, turn: Turn, taken_up: Position | None) -> None:
    game = column.game
    assert turn.score is not None
    category = [c.id for c in game.categories].index(turn.score.category)
    told = (turn.points, turn.joker_bonus)
    finals = [last_dice(game, turn, taken_up)] if turn.rolls else possible_finals(game, taken_up)
    ways = set[tuple[int | None, int | None]]()
    for dice in finals:
        allowed = {place.category: place for place in placements(column.sheet(), dice)}
        strikes = not (game.joker and len(set(dice)) == 1)
        if category in allowed and not turn.score.strike:
            ways.add((allowed[category].points, allowed[category].joker_bonus))
        if category in allowed and strikes and (turn.score.strike or not turn.rolls):
            ways.add((0, 0))
        if told in ways:
            break
    assert told in ways, (turn, ways)
    assert turn.points is not None
    assert turn.joker_bonus is not None
    column.write(category, turn.points, turn.joker_bonus)


def possible_finals(game: Game, taken_up: Position | None) -> Sequence[Dice]:
    """All rolls that a turn can end with."""
    if taken_up is None or taken_up.rolls_left > (len(taken_up.dice) < game.dice):
        return rolls(game)
    return [dice for dice in rolls(game) if contains(dice, taken_up.dice)]


def last_dice(game: Game, turn: Turn, taken_up: Position | None) -> Dice:
    """The dice at the end of a turn, every roll and keep of which is looked at."""
    lying, left = (taken_up.dice, taken_up.rolls_left) if taken_up else ((), game.rolls)
    if turn.score is not None and not turn.keeps:
        (dice,) = turn.rolls
        assert dice in possible_finals(game, taken_up)
        return dice
    assert len(turn.rolls) - len(turn.keeps) in (0, 1)
    for number, roll in enumerate(turn.rolls):
        assert len(roll) == game.dice
        assert set(roll) <= set(range(1, game.faces + 1))
        if len(lying) == game.dice:
            assert roll == lying
        else:
            left -= 1
            assert left >= 0
            assert contains(roll, lying)
        lying = roll
        if number < len(turn.keeps):
            assert left > 0
            assert contains(roll, turn.keeps[number])
            lying = turn.keeps[number]
            left -= lying == roll
    if turn.score is not None:
        assert len(lying) == game.dice
        assert left == 0 or turn.keeps[-1] == turn.rolls[-1]
    return lying


KEYS = ("game", "rules", "date", "seed", "order", "player", "note", "position", "result", "undone", "check")
POINTS_AT_THE_END = re.compile(r"[^\s()]*[^\s()0-9.,-][^\s()]* ([0-9]+)(?: \+([0-9]+))?")


def judge_text(text: str, record: Record) -> None:
    """Nothing was passed over: a turn for every line that is no header, with the points that stand there."""
    lines = [" ".join(line.split()) for line in re.split(r"\r\n|\r|\n", text.removeprefix("\ufeff"))]
    turns = [
        line for line in lines if line and line[0] not in "#|" and line.partition(":")[0].strip().casefold() not in KEYS
    ]
    assert len(turns) == len(record.turns)
    bodies = [re.sub(r"(^| )#.*", "", line.partition(":")[2] or line) for line in turns]
    told = [match.groups() for body in bodies if (match := POINTS_AT_THE_END.search(body)) and body.endswith(match[0])]
    have = Counter(turn.points for turn in record.turns)
    assert Counter(int(points) for points, _ in told) <= have
    bonuses = Counter(int(bonus) for _, bonus in told if bonus is not None)
    assert bonuses <= Counter(turn.joker_bonus for turn in record.turns)
