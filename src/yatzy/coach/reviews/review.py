"""Review a game and separate luck from skill.

With V the value of an objective under best play afterwards,

    luck of a roll      = V after it - the mean of V over all possible rolls
    error of a decision = V of the best move - V of the move made

and over a game

    final = V at the start + Σ luck - Σ error + mixed

`mixed` is what the record is not detailed enough to split. It is 0 when every roll and keep is known. If only the last
dice of a turn are known, its rolls and keeps are one entry and only its category is graded. If only the points are
known, the whole turn is one entry; if the order of the turns is unknown, the whole game is. In a match the luck and the
errors of the opponents are also terms of the sum.

Every term is computed independently: means from the turn, starts from the table, the end from the sheet. The `residual`
of the sum therefore checks all of them. With exact values it is only rounding. Where an evaluator estimates positions
(match:emp:D) it is the sum of the evaluator's corrections from turn to turn.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from yatzy.coach.advice import advise, rank_move
from yatzy.coach.grades import Grade
from yatzy.errors import InputError
from yatzy.games import Detail, Move, Player, Position, Record, Roll
from yatzy.notebook import amount, table_html
from yatzy.units import Unit
from yatzy.values.evaluator import Evaluator, Meaning, Sides
from yatzy.values.resources import Progress


@dataclass(frozen=True, slots=True)
class Luck:
    """The luck of one roll."""

    position: Position
    """After the roll."""
    roll: int
    """The number of the roll in the turn, from 1."""
    before: float
    """The mean value over all possible rolls."""
    after: float

    @property
    def luck(self) -> float:
        """The value after the roll minus the mean."""
        return self.after - self.before


@dataclass(frozen=True, slots=True)
class Decision:
    """A move that was made, compared with the best one."""

    position: Position
    turn: int
    """The player's turn in the whole game, from 1."""
    roll: int
    """The number of rolls before it in the turn."""
    move: Move
    """As advice lists it: striking a category that pays nothing counts as filling it."""
    best: tuple[Move, ...]
    """The best moves; several if they are tied."""
    value: float
    """The value of the best move."""
    made: float
    """The value of the move that was made."""
    loss: float
    grade: Grade
    moves: int
    """The number of moves to choose from."""

    @property
    def forced(self) -> bool:
        """Whether there was no choice. Striking the only open category although it pays counts as a choice."""
        return self.moves == 1 and self.grade is Grade.BEST


@dataclass(frozen=True, slots=True)
class Unseparated:
    """A change in value that the record is not detailed enough to split into luck and error."""

    detail: Detail
    """What is known of the turn. With the last dice, rolls and keeps are mixed; with the points, the category too."""
    before: float
    after: float

    @property
    def gain(self) -> float:
        """The change in value."""
        return self.after - self.before


@dataclass(frozen=True, slots=True)
class ReviewedTurn:
    """A turn, with values from the point of view of its player."""

    number: int
    """The index of the turn in the record, from 0."""
    player: int
    turn: int
    """The player's turn in the whole game, from 1."""
    before: float
    after: float | None
    """None if unknown."""
    rolls: tuple[Luck, ...]
    decisions: tuple[Decision, ...]
    mixed: Unseparated | None

    @property
    def luck(self) -> float:
        """The luck of all rolls of the turn."""
        return sum(one.luck for one in self.rolls)

    @property
    def error(self) -> float:
        """The errors of all decisions of the turn."""
        return sum(one.loss for one in self.decisions)

    @property
    def gain(self) -> float:
        """The change in value that cannot be split into luck and error."""
        return self.mixed.gain if self.mixed else 0.0


@dataclass(frozen=True, slots=True)
class Others:
    """How the other players changed a player's value."""

    luck: float = 0.0
    """Their luck; good luck of theirs is negative here."""
    opponents_errors: float = 0.0
    """Their errors, which raise the player's value."""
    mixed: float = 0.0
    """The part that cannot be split into luck and errors."""

    @property
    def total(self) -> float:
        """The sum of all three."""
        return self.luck + self.opponents_errors + self.mixed


@dataclass(frozen=True, slots=True)
class CoursePoint:
    """One point of the value curve of a game."""

    at: float
    """The time in turns, from 0 at the start."""
    value: float
    decision: Decision | None = None
    """The player's decision that led here, if one did."""


@dataclass(frozen=True)
class PlayerReview:
    """The review of one player's game."""

    number: int
    """The seat, from 0."""
    player: Player
    turns: tuple[ReviewedTurn, ...]
    start: float | None
    """The value at the start. In a match where only the player to move has a value, that of the player's first turn."""
    final: float | None
    """The final result, or the present value if the game is not over."""
    others: Others
    unordered: float | None
    """The change over the whole game, if the order of the turns is unknown."""
    additive: bool
    """Whether luck can be measured with this objective, that is, whether its values are averages over the next roll."""
    course: tuple[CoursePoint, ...]
    """The value curve of the game."""

    @cached_property
    def decisions(self) -> tuple[Decision, ...]:
        """All known decisions, in order."""
        return tuple(one for turn in self.turns for one in turn.decisions)

    @property
    def chosen(self) -> tuple[Decision, ...]:
        """The decisions that were not forced."""
        return tuple(one for one in self.decisions if not one.forced)

    @property
    def luck(self) -> float | None:
        """The sum of all luck; None if the objective is not additive."""
        return sum(turn.luck for turn in self.turns) if self.additive else None

    @property
    def error(self) -> float:
        """The sum of all errors."""
        return sum(turn.error for turn in self.turns)

    @property
    def mixed(self) -> float:
        """The sum of everything that cannot be split into luck and error."""
        return sum(turn.gain for turn in self.turns) + (self.unordered or 0.0)

    @property
    def residual(self) -> float | None:
        """The final value minus the sum of all terms; only rounding if values are exact."""
        if self.luck is None or self.start is None or self.final is None:
            return None
        return self.final - (self.start + self.luck - self.error + self.mixed + self.others.total)

    @property
    def mean_loss(self) -> float | None:
        """The mean loss of the decisions that were not forced; None if there are none."""
        chosen = self.chosen
        return sum(one.loss for one in chosen) / len(chosen) if chosen else None

    @property
    def errors(self) -> tuple[Decision, ...]:
        """The decisions that were not best, worst first."""
        wrong = [one for one in self.decisions if one.grade is not Grade.BEST]
        return tuple(sorted(wrong, key=lambda one: -one.loss))

    def count(self, grade: Grade) -> int:
        """The number of decisions of a class, not counting forced ones."""
        return sum(one.grade is grade for one in self.chosen)


@dataclass(frozen=True)
class Review:
    """The review of a record for an objective."""

    record: Record
    """The game that was reviewed."""
    objective: str
    """The name of the objective, such as `expected`."""
    unit: Unit
    """What luck and errors are measured in: points, chances, or worths."""
    meaning: Meaning
    """The meaning of the values."""
    players: tuple[PlayerReview, ...]
    """In the order of play."""
    sides: Sides
    """Whether the players play separately or in a match, and whose values are known."""

    @property
    def residual(self) -> float | None:
        """The largest residual of all players; None if luck cannot be measured."""
        left = [abs(one.residual) for one in self.players if one.residual is not None]
        return max(left) if left else None

    def _repr_html_(self) -> str:
        rows = [
            (
                one.player.name,
                score,
                "" if one.luck is None else amount(one.luck, self.unit),
                amount(one.error, self.unit),
                *(one.count(grade) for grade in Grade),
            )
            for one, score in zip(self.players, self.record.scores, strict=True)
        ]
        headings = ["Player", "Points", "Luck", "Error", *(grade.value.capitalize() for grade in Grade)]
        return table_html(f"{self.record.game.name()}: {self.objective}", headings, rows)

    def of(self, name: str) -> PlayerReview | None:
        """The review of a player by name, ignoring case."""
        return next((one for one in self.players if one.player.name.casefold() == name.casefold()), None)


def review(record: Record, evaluator: Evaluator, progress: Progress | None = None) -> Review:
    """Grade every decision of a record and separate luck from error, by a solved objective or a search."""
    if evaluator.game != record.game:
        raise InputError(
            "the record is of {game}, but {objective} is solved for {other}",
            game=record.game.id,
            objective=evaluator.objective,
            other=evaluator.game.id,
        )
    meaning, sides = evaluator.meaning(len(record.players)), evaluator.sides(len(record.players))
    reviewer, turns = _Reviewer(record, evaluator), list[ReviewedTurn]()
    for number in range(len(record.turns)) if record.order_known else ():
        if progress is not None:
            progress(number, len(record.turns))
        turns.append(reviewer.turn(number))
    players = tuple(_player(record, evaluator, turns, number) for number in range(len(record.players)))
    return Review(record, evaluator.objective, evaluator.unit, meaning, players, sides)


class _Reviewer:
    """Reviews the turns of a record."""

    def __init__(self, record: Record, evaluator: Evaluator) -> None:
        self._record, self._evaluator = record, evaluator

    def turn(self, number: int) -> ReviewedTurn:
        """Review one turn."""
        record, evaluator, count = self._record, self._evaluator, self._record.number_of(number)
        position, detail = record.positions[number], record.turns[number].detail
        player = position.mover
        before = evaluator.mean(position) if position.awaits_roll else evaluator.value_to(position, player)
        assert before is not None
        if detail is Detail.POINTS:
            after = evaluator.value_to(self._next(number), player)
            mixed = Unseparated(detail, before, after) if evaluator.additive and after is not None else None
            return ReviewedTurn(number, player, count, before, after, (), (), mixed)
        hidden = detail is Detail.DICE and position.rolls_left > position.awaits_roll  # earlier rolls are unknown
        rolls, decisions, mixed, now = list[Luck](), list[Decision](), None, before
        for here, step in record.steps(number):
            if isinstance(step, Roll):
                there = here.roll(step.dice)
                value = evaluator.value_to(there, player)
                assert value is not None
                if evaluator.additive and hidden:
                    mixed = Unseparated(detail, before, value)
                elif evaluator.additive:
                    rolls.append(Luck(there, record.game.rolls - there.rolls_left, evaluator.mean(here), value))
                now = value
            else:
                decision = self._decide(here, step, count)
                if decision is None:
                    return ReviewedTurn(number, player, count, before, now, tuple(rolls), tuple(decisions), mixed)
                decisions.append(decision)
                now = decision.made
        return ReviewedTurn(number, player, count, before, now, tuple(rolls), tuple(decisions), mixed)

    def _next(self, number: int) -> Position:
        positions = self._record.positions
        return positions[number + 1] if number + 1 < len(positions) else self._record.position

    def _decide(self, position: Position, move: Move, turn: int) -> Decision | None:
        """Compare a move with the best one; None if its value is unknown."""
        advice = advise(self._evaluator, position)
        roll = position.game.rolls - position.rolls_left
        best = tuple(entry.move for entry in advice.moves if entry.best)
        top = max(entry.value for entry in advice.moves)
        made = rank_move(self._evaluator, advice, move)
        if made is None:
            return None
        return Decision(
            position, turn, roll, made.move, best, top, made.value, made.loss, made.grade, len(advice.moves)
        )


def _player(record: Record, evaluator: Evaluator, turns: Sequence[ReviewedTurn], number: int) -> PlayerReview:
    own = tuple(turn for turn in turns if turn.player == number)
    begin = record.start or Position.start(record.game, len(record.players))
    start, final = evaluator.value_to(begin, number), evaluator.value_to(record.position, number)
    if start is None and own:
        start = own[0].before
    if final is None and own:
        final = own[-1].after
    others, unordered, sides = Others(), None, evaluator.sides(len(record.players))
    if not record.order_known:
        unordered = final - start if evaluator.additive and start is not None and final is not None else None
    elif sides is Sides.BOTH:
        theirs = [turn for turn in turns if turn.player != number]
        luck, error, gain = (sum(getattr(turn, name) for turn in theirs) for name in ("luck", "error", "gain"))
        others = Others(-luck, error, -gain)
    elif sides is Sides.MOVER:
        others = Others(mixed=_between(own, final))
    ends = (start, final if record.over else None)
    return PlayerReview(
        number, record.players[number], own, start, final, others, unordered, evaluator.additive,
        tuple(_course(evaluator, turns, number, len(record.players), ends)),
    )  # fmt: skip


def _between(own: Sequence[ReviewedTurn], final: float | None) -> float:
    """The change in a player's value during the other players' turns."""
    starts = [turn.before for turn in own[1:]] + ([] if final is None else [final])
    ends = [turn.before if turn.after is None else turn.after for turn in own]
    return sum(start - end for start, end in zip(starts, ends, strict=False))


def _course(
    evaluator: Evaluator,
    turns: Sequence[ReviewedTurn],
    player: int,
    players: int,
    ends: tuple[float | None, float | None],
) -> Iterator[CoursePoint]:
    """A player's value through the game, including the values after the other players' turns where they are known."""
    start, final = ends
    sides = evaluator.sides(players)
    alone = sides is Sides.OWN
    last = next((turn.turn - 1.0 for turn in turns if turn.player == player or not alone), 0.0)
    if start is not None:
        yield CoursePoint(last, start)
    for turn in turns:
        own = turn.player == player
        if alone and not own:
            continue
        steps = list(_steps(turn))
        first, length = turn.turn - 1 + (0.0 if alone else turn.player / players), 1.0 if alone else 1 / players
        for count, (value, decision) in enumerate(steps, 1):
            seen = value if own else evaluator.of_opponent(value, players)
            last = first + length * count / len(steps)
            if seen is not None:
                yield CoursePoint(last, seen, decision if own else None)
    if final is not None and (sides is Sides.MOVER or not turns):
        yield CoursePoint(last or 1.0, final)


def _steps(turn: ReviewedTurn) -> Iterator[tuple[float, Decision | None]]:
    """The values after each roll and decision of a turn, from its player's point of view."""
    if turn.mixed:
        yield turn.mixed.after, None
    steps: list[Luck | Decision] = [*turn.rolls, *turn.decisions]
    steps.sort(key=lambda one: (one.roll, isinstance(one, Decision)))
    for one in steps:
        if isinstance(one, Luck):
            yield one.after, None
        else:
            yield one.made, one
