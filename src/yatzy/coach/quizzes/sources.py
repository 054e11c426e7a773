"""Sources of questions: generated games, records, and the mistakes in a record.

A good question is a real choice. The best move that is not tied must lose at most as much as a mistake. In addition,
either the two are close, or a tempting move is wrong: the one that was played, or the obvious one (keep equal dice,
take the category that pays most now). Keeps and categories alternate. Questions depend only on the seed.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from yatzy.coach.advice import Advice, advise
from yatzy.coach.grades import LIMITS, Grade
from yatzy.coach.quizzes.quiz import MOST_QUESTIONS, Question, QuestionSource, Quiz
from yatzy.coach.reviews.review import review
from yatzy.errors import InputError, Message, RecordError
from yatzy.games import Game, Keep, Move, Player, Position, Record, Roll, Score, placements
from yatzy.lab.records import record_turn
from yatzy.lab.simulation import replay
from yatzy.names import Origin, Softened, parse_objective
from yatzy.solver import Solver
from yatzy.strategies.base import Strategy
from yatzy.units import Unit
from yatzy.values.evaluator import Evaluator

CLOSE = 0.2
"""Smallest gap between two moves for a question, as a share of the loss limit of a good move."""
LOOKS = 12
"""Decisions of a game that are tried before the next game is played."""
PATIENCE = 8
"""Games without a question of the wanted kind before any kind is accepted."""
GAMES_PER_QUESTION = 20
"""Limit of generated games per question."""


@dataclass(frozen=True, slots=True)
class _Decision:
    """A move that was made, and where."""

    position: Position
    move: Move
    origin: QuestionSource


PLAYER = Softened(firmness=1)
"""The strategy that plays the generated games: it plays well but makes some errors."""


def generated_quiz(
    solver: Solver, game: Game, objective: str, questions: int, seed: int, origin: Origin = Origin.DATA
) -> Quiz:
    """Make a quiz from generated games; for a match objective, games of two players."""
    check_questions(questions)
    players = parse_objective(objective).fewest_players
    judge = solver.evaluator(game, objective, players, origin=origin)
    player = solver.strategy(game, PLAYER)
    return Quiz(judge, generated_questions(judge, player, questions, seed, players))


def generated_questions(
    evaluator: Evaluator, player: Strategy, questions: int, seed: int, players: int = 1
) -> tuple[Question, ...]:
    """Questions from games of a strategy with the dice of a seed. A strategy that makes some errors works best."""
    check_questions(questions)
    found, waited = list[Question](), 0
    for number in range(GAMES_PER_QUESTION * questions):
        dice = random.Random(f"{seed}:{number}")
        record = _played_record(player, seed, number, players)
        wanted = _wanted(found) if waited < PATIENCE else None
        decisions = [one for one in _decisions(record, QuestionSource(0, seed, number)) if _is_kind(one, wanted)]
        dice.shuffle(decisions)
        one = next(_good(evaluator, decisions[:LOOKS], found), None)
        if one is None:
            waited += 1
            continue
        found.append(one)
        waited = 0
        if len(found) == questions:
            break
    return _checked(
        found,
        Message("{objective}: no close or costly decision came up; try another seed", objective=evaluator.objective),
    )


def record_questions(
    evaluator: Evaluator, records: Sequence[tuple[str, Record]], questions: int, seed: int, player: str | None = None
) -> tuple[Question, ...]:
    """Questions from (name, record) pairs; from the decisions of one player, if named."""
    check_questions(questions)
    for name, record in records:
        _check_record(evaluator.game, name, record)
        if player is not None:
            player_number(record, player)
    decisions = list(chain.from_iterable(_decisions_of(name, record, player) for name, record in records))
    random.Random(str(seed)).shuffle(decisions)
    found = list[Question]()
    kinds = {kind: _good(evaluator, [d for d in decisions if _is_kind(d, kind)], found) for kind in (Keep, Score)}
    while len(found) < questions and kinds:
        kind = _wanted(found) if len(kinds) == 2 else next(iter(kinds))
        one = next(kinds[kind], None)
        if one is None:
            del kinds[kind]
        else:
            found.append(one)
    return _checked(found, Message("there is no close or costly decision in these records"))


def mistake_questions(judge: Evaluator, record: Record, player: str, name: str) -> tuple[Question, ...]:
    """The decisions of a player that a review grades as an inaccuracy or worse, in the order of play."""
    _check_record(judge.game, name, record)
    found = review(record, judge).players[player_number(record, player)]
    wrong = [one for one in found.decisions if one.grade.rank >= Grade.INACCURACY.rank]
    return tuple(
        Question(advise(judge, one.position), QuestionSource(one.turn, record=name, player=found.player.name), one.move)
        for one in wrong
    )


def costliest_mistakes(judge: Evaluator, records: Sequence[tuple[str, Record]], player: str) -> tuple[Question, ...]:
    """The mistakes of a player in several records, the most expensive first. Records without the player are skipped."""
    there = [(name, record) for name, record in records if _plays(record, player)]
    if not there:
        names = dict.fromkeys(one.name for _, record in records for one in record.players)
        raise RecordError(
            "there is no player {player!r} in these records; there are {names}", player=player, names=", ".join(names)
        )
    found = [one for name, record in there for one in mistake_questions(judge, record, player, name)]
    return tuple(sorted(found, key=_lost, reverse=True))


def _plays(record: Record, player: str) -> bool:
    return player.casefold() in {one.name.casefold() for one in record.players}


def _lost(question: Question) -> float:
    """What the move of the game lost; a move that is never listed, such as a strike, counts as the worst."""
    return next(
        (entry.loss for entry in question.advice.moves if entry.move == question.played),
        max((entry.loss for entry in question.advice.moves), default=0.0),
    )


def player_number(record: Record, name: str) -> int:
    """The seat of a player by name, ignoring case."""
    names = [player.name for player in record.players]
    for number, one in enumerate(names):
        if one.casefold() == name.casefold():
            return number
    raise RecordError(
        "there is no player {player!r} in this record; there are {names}", player=name, names=", ".join(names)
    )


def check_questions(questions: int) -> None:
    """Check the number of questions."""
    if not 1 <= questions <= MOST_QUESTIONS:
        raise InputError(
            "questions: {questions} is not from 1 to {most}",
            questions=questions,
            most=MOST_QUESTIONS,
        )


def is_real_choice(evaluator: Evaluator, advice: Advice, played: Move | None = None) -> bool:
    """Whether a decision is worth asking about."""
    behind = [entry for entry in advice.moves if entry.grade is not Grade.BEST]
    if not behind:
        return False
    good, inaccuracy, mistake = LIMITS[evaluator.unit]
    gap = behind[0].loss
    if evaluator.unit is Unit.WORTH:
        gap /= evaluator.span(advice.position)
    if gap > mistake:
        return False  # too easy
    tempting = {naive_move(advice.position), played}
    costly = any(entry.move in tempting and entry.grade.rank >= Grade.INACCURACY.rank for entry in behind)
    return costly or CLOSE * good <= gap <= inaccuracy


def naive_move(position: Position) -> Move:
    """The obvious move: keep a finished pattern, else all equal dice; take the most points."""
    dice, sheet = position.dice, position.sheet
    ways = placements(sheet, dice)
    if not position.rolls_left:
        place = max(ways, key=lambda place: place.points + place.joker_bonus)
        return Score(position.game.categories[place.category].id)
    if any(place.points and position.game.categories[place.category].fixed_points for place in ways):
        return Keep(dice)  # such as a straight
    groups = tuple(die for die in dice if dice.count(die) > 1)
    return Keep(groups or dice[-1:])


def _good(evaluator: Evaluator, decisions: Sequence[_Decision], found: Sequence[Question]) -> Iterator[Question]:
    """The decisions that are real choices, without repeating a position."""
    for one in decisions:
        if len(one.position.legal_moves) < 2 or any(one.position == other.position for other in found):
            continue
        advice = advise(evaluator, one.position)
        if is_real_choice(evaluator, advice, one.move):
            yield Question(advice, one.origin, one.move)


def _wanted(found: Sequence[Question]) -> type[Move]:
    keeps = sum(question.asks_for_keep for question in found)
    return Keep if 2 * keeps <= len(found) else Score


def _is_kind(decision: _Decision, wanted: type[Move] | None) -> bool:
    return wanted is None or isinstance(decision.move, wanted)


def _checked(found: Sequence[Question], otherwise: Message) -> tuple[Question, ...]:
    if not found:
        raise InputError(otherwise)
    return tuple(found)


def _check_record(game: Game, name: str, record: Record) -> None:
    if record.game != game:
        raise InputError(
            "{name} is a game of {game}, but the quiz is about {own}", name=name, game=record.game.id, own=game.id
        )


def _played_record(strategy: Strategy, seed: int, number: int, players: int) -> Record:
    """Generate a game of several players who ignore each other, each with a dice stream of its own."""
    seats = [replay(strategy, seed, number, stream) for stream in range(players)]
    turns = chain.from_iterable(zip(*seats, strict=True))
    return Record(
        strategy.game, tuple(Player(f"Player {i + 1}") for i in range(players)), tuple(map(record_turn, turns))
    )


def _decisions_of(name: str, record: Record, player: str | None) -> Iterator[_Decision]:
    return _decisions(record, QuestionSource(0, record=name), None if player is None else player_number(record, player))


def _decisions(record: Record, origin: QuestionSource, player: int | None = None) -> Iterator[_Decision]:
    """Every known move of a record; none if the order of the turns is unknown."""
    if not record.order_known:
        return
    for number in range(len(record.turns)):
        seat = record.player_of(number)
        if player is not None and seat != player:
            continue
        turn = record.positions[number].sheet.filled.bit_count() + 1
        name = record.players[seat].name if origin.record is not None else None
        for position, step in record.steps(number):
            if not isinstance(step, Roll):
                yield _Decision(position, step, replace(origin, turn=turn, player=name))
