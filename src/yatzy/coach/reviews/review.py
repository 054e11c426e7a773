"""A game that was played, with luck apart from skill.

With V the value of an objective under best play afterwards,

    luck of a roll      = V after it - its mean over all that could have been rolled
    error of a decision = V of the best move - V of the move made

and over a game

    final = V at the start + Σ luck - Σ error + what cannot be told apart

The last is nothing when every roll and keep is known. Of a turn known by its last dice, rolls and keeps are one entry,
and its category is graded; of one known by its points, so is the category; of a sheet whose order nobody knows, the
whole game. In a match the luck and the errors of the others belong to the sum as well.

Each number is found by itself: means from the turn, starts from the table, the end from the sheet. So what the sum
leaves over, the `residual`, checks all of them. Where values are exact it is nothing but rounding; where positions are
judged (match:emp:D) it is what the evaluator corrected itself by from turn to turn.
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
from yatzy.values.tables import Progress


@dataclass(frozen=True, slots=True)
class Luck:
    """What a roll brought."""

    position: Position
    """After it."""
    roll: int
    """Its number in the turn, from 1."""
    before: float
    """The mean over all that could have been rolled."""
    after: float

    @property
    def luck(self) -> float:
        """What it brought above the mean."""
        return self.after - self.before


@dataclass(frozen=True, slots=True)
class Decision:
    """A move that was made, beside the best."""

    position: Position
    turn: int
    """The turn of the player in the whole game, from 1."""
    roll: int
    """The rolls before it in the turn."""
    move: Move
    """As advice lists it: to strike what pays nothing is to fill it."""
    best: tuple[Move, ...]
    """The best moves; several when they are worth the same."""
    value: float
    """Of the best."""
    made: float
    """Of the move that was made."""
    loss: float
    grade: Grade
    moves: int
    """The moves there were to choose from."""

    @property
    def forced(self) -> bool:
        """Whether there was nothing to choose; who strikes the last category that pays has chosen."""
        return self.moves == 1 and self.grade is Grade.BEST


@dataclass(frozen=True, slots=True)
class Mixed:
    """Luck and skill that cannot be told apart, for the record does not say enough."""

    detail: Detail
    """What is known of the turn: by its last dice, rolls and keeps are mixed; by its points, the category too."""
    before: float
    after: float

    @property
    def gain(self) -> float:
        """What they brought together."""
        return self.after - self.before


@dataclass(frozen=True, slots=True)
class ReviewedTurn:
    """A turn, with values as the player sees them."""

    number: int
    """Its place in the record, from 0."""
    player: int
    turn: int
    """The turn of that player in the whole game, from 1."""
    before: float
    after: float | None
    """None where that is not known."""
    rolls: tuple[Luck, ...]
    decisions: tuple[Decision, ...]
    mixed: Mixed | None

    @property
    def luck(self) -> float:
        """What the rolls brought together."""
        return sum(one.luck for one in self.rolls)

    @property
    def error(self) -> float:
        """What the decisions lost together."""
        return sum(one.loss for one in self.decisions)

    @property
    def gain(self) -> float:
        """What is mixed of luck and skill."""
        return self.mixed.gain if self.mixed else 0.0


@dataclass(frozen=True, slots=True)
class Others:
    """What the other players did to a player's value."""

    luck: float = 0.0
    """Their luck, which takes."""
    gifts: float = 0.0
    """Their errors, which give."""
    mixed: float = 0.0
    """What cannot be told apart."""

    @property
    def total(self) -> float:
        """All of it."""
        return self.luck + self.gifts + self.mixed


@dataclass(frozen=True, slots=True)
class Moment:
    """A point of the course of a game."""

    at: float
    """In turns, from 0 at the start."""
    value: float
    decision: Decision | None = None
    """Of the player, where one led here."""


@dataclass(frozen=True)
class PlayerReview:
    """The game of one player."""

    number: int
    """The seat, from 0."""
    player: Player
    turns: tuple[ReviewedTurn, ...]
    start: float | None
    """The value at the start; in a match where only the player to move can be judged, at the player's first turn."""
    final: float | None
    """What came out; of a game under way, what it is worth where it stands."""
    others: Others
    unordered: float | None
    """The whole game as one entry, where nobody knows in which order the turns were played."""
    additive: bool
    """Whether luck can be told in the values of the objective."""
    course: tuple[Moment, ...]
    """The value through the game."""

    @cached_property
    def decisions(self) -> tuple[Decision, ...]:
        """All that are known, in order."""
        return tuple(one for turn in self.turns for one in turn.decisions)

    @property
    def chosen(self) -> tuple[Decision, ...]:
        """The decisions that were not forced."""
        return tuple(one for one in self.decisions if not one.forced)

    @property
    def luck(self) -> float | None:
        """All luck; None where values are no means."""
        return sum(turn.luck for turn in self.turns) if self.additive else None

    @property
    def error(self) -> float:
        """All errors."""
        return sum(turn.error for turn in self.turns)

    @property
    def mixed(self) -> float:
        """All luck and skill that cannot be told apart."""
        return sum(turn.gain for turn in self.turns) + (self.unordered or 0.0)

    @property
    def residual(self) -> float | None:
        """What is left between the final value and the sum; rounding, where values are exact."""
        if self.luck is None or self.start is None or self.final is None:
            return None
        return self.final - (self.start + self.luck - self.error + self.mixed + self.others.total)

    @property
    def mean_loss(self) -> float | None:
        """The mean over the decisions that were not forced; None without any."""
        chosen = self.chosen
        return sum(one.loss for one in chosen) / len(chosen) if chosen else None

    @property
    def errors(self) -> tuple[Decision, ...]:
        """The decisions that were not the best, the worst first."""
        wrong = [one for one in self.decisions if one.grade is not Grade.BEST]
        return tuple(sorted(wrong, key=lambda one: -one.loss))

    def count(self, grade: Grade) -> int:
        """How many decisions that were not forced are of a class."""
        return sum(one.grade is grade for one in self.chosen)


@dataclass(frozen=True)
class Review:
    """A record reviewed for an objective."""

    record: Record
    objective: str
    unit: Unit
    meaning: Meaning
    """What values are."""
    players: tuple[PlayerReview, ...]
    sides: Sides
    """Whether the players play by themselves or in a match, and whose values are known."""

    @property
    def residual(self) -> float | None:
        """The largest of all players; None where no luck can be told."""
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
        """The review of a player by name, whatever the case of its letters."""
        return next((one for one in self.players if one.player.name.casefold() == name.casefold()), None)


def review(record: Record, evaluator: Evaluator, progress: Progress | None = None) -> Review:
    """Grade every decision of a record and tell luck from error, by a solved objective or a search."""
    if evaluator.game != record.game:
        raise InputError(
            f"the record is of {record.game.id}, but {evaluator.objective} is solved for {evaluator.game.id}"
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
        """One turn."""
        record, evaluator, count = self._record, self._evaluator, self._record.number_of(number)
        position, detail = record.positions[number], record.turns[number].detail
        player = position.mover
        before = evaluator.mean(position) if position.awaits_roll else evaluator.value_to(position, player)
        assert before is not None
        if detail is Detail.POINTS:
            after = evaluator.value_to(self._next(number), player)
            mixed = Mixed(detail, before, after) if evaluator.additive and after is not None else None
            return ReviewedTurn(number, player, count, before, after, (), (), mixed)
        hidden = detail is Detail.DICE and position.rolls_left > position.awaits_roll  # more came before the last roll
        rolls, decisions, mixed, now = list[Luck](), list[Decision](), None, before
        for here, step in record.steps(number):
            if isinstance(step, Roll):
                there = here.roll(step.dice)
                value = evaluator.value_to(there, player)
                assert value is not None
                if evaluator.additive and hidden:
                    mixed = Mixed(detail, before, value)
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
        """A move beside the best; None where nobody knows what it is worth."""
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
    """What became of a player's value while the others played."""
    starts = [turn.before for turn in own[1:]] + ([] if final is None else [final])
    ends = [turn.before if turn.after is None else turn.after for turn in own]
    return sum(start - end for start, end in zip(starts, ends, strict=False))


def _course(
    evaluator: Evaluator,
    turns: Sequence[ReviewedTurn],
    player: int,
    players: int,
    ends: tuple[float | None, float | None],
) -> Iterator[Moment]:
    """The values of a player through the game, with those that the other's turns led to where they are known."""
    start, final = ends
    sides = evaluator.sides(players)
    alone = sides is Sides.OWN
    last = next((turn.turn - 1.0 for turn in turns if turn.player == player or not alone), 0.0)
    if start is not None:
        yield Moment(last, start)
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
                yield Moment(last, seen, decision if own else None)
    if final is not None and (sides is Sides.MOVER or not turns):
        yield Moment(last or 1.0, final)


def _steps(turn: ReviewedTurn) -> Iterator[tuple[float, Decision | None]]:
    """The values that a turn went through, as its player sees them."""
    if turn.mixed:
        yield turn.mixed.after, None
    steps: list[Luck | Decision] = [*turn.rolls, *turn.decisions]
    steps.sort(key=lambda one: (one.roll, isinstance(one, Decision)))
    for one in steps:
        if isinstance(one, Luck):
            yield one.after, None
        else:
            yield one.made, one
