"""Outlooks, explanations, reviews and quizzes, shared by the page and the HTTP API."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from yatzy.coach.explain import Explanation, check_comparison, check_moves
from yatzy.coach.explain import explain as compare
from yatzy.coach.quizzes.quiz import Question, Quiz
from yatzy.coach.reviews.outcome import Outcome, outcome
from yatzy.coach.selected_moves import SelectedMoves, best_moves, parse_moves, select_moves
from yatzy.errors import InputError, either
from yatzy.games import Game, Move, Position, Record, Score, Sheet
from yatzy.games.record_csv import read_csv
from yatzy.matches.leaves import expected_payoff
from yatzy.model.described import check_described
from yatzy.names import ByPlace, DynS, Emp, Objective, parse_objective
from yatzy.values.targets import position_curve
from yatzy.web import limits, requests
from yatzy.web.refusals import TooMuch
from yatzy.web.tables import DISTRIBUTIONS, EXPECTED, OUTLOOK

if TYPE_CHECKING:
    from yatzy.coach.reviews.review import Review
    from yatzy.evaluation.outlook import Outlook
    from yatzy.values.evaluator import Evaluator
    from yatzy.web.service import Service

RECORD = 512 * limits.KIBI
"""Maximum length of pasted or uploaded records in characters: hundreds of games as CSV."""
CSV = re.compile(r"\ufeff?\s*(?=[^\n]*[,;\t])[^\n]*\bcategory\b", re.IGNORECASE)
"""The start of a CSV file of records: a line of several columns, one of which is the category."""
REVIEW_DEPTH = 1
"""Search depth, in turns, when a whole game is reviewed."""
REVIEW_SEARCHES = (Emp(REVIEW_DEPTH), DynS(REVIEW_DEPTH))
QUESTIONS = 50
"""Maximum number of questions in a quiz."""


def read_record(text: str) -> Record:
    """Parse a record. A game described in the record has the same limits as any custom game."""
    if len(text) > RECORD:
        raise TooMuch("a record may take {most:,} characters here, not {count:,}", most=RECORD, count=len(text))
    record = Record.parse(text)
    check_described(record.game)
    _check_players(record)
    return record


def read_records(text: str) -> list[Record]:
    """Parse one record, or the records of a CSV file, which are of presets."""
    if not CSV.match(text):
        return [read_record(text)]
    if len(text) > RECORD:
        raise TooMuch("records may take {most:,} characters here, not {count:,}", most=RECORD, count=len(text))
    records = read_csv(text)
    for record in records:
        _check_players(record)
    return records


def _check_players(record: Record) -> None:
    if len(record.players) > limits.PLAYERS:
        raise TooMuch(
            "a record may have {most} players here, not {count}", most=limits.PLAYERS, count=len(record.players)
        )


def can_review(objective: Objective) -> bool:
    """Whether whole games may be judged by an objective here: searches are limited in depth and have no time limit."""
    return not objective.seconds and objective.turns <= REVIEW_DEPTH


async def judge_for(
    service: Service, game: Game, objective: str, players: int, payoff: str = "match-points"
) -> Evaluator:
    """The evaluator for all moves of a game under an objective."""
    wanted = parse_objective(objective)
    if not wanted.several:
        return await service.solution(game, objective)
    if not can_review(wanted):
        raise TooMuch(
            "{objective}: whole games are reviewed with at most {objectives}",
            objective=objective,
            objectives=either(map(str, REVIEW_SEARCHES)),
        )
    return await service.searcher(Position.start(game, players), objective, payoff)


# Outlooks


async def outlook(service: Service, where: Position, player: int | None = None, move: Move | None = None) -> Outlook:
    """The outlook of a player's sheet, either in a position or after a move by the player to move."""
    await service.ready(where.game, (OUTLOOK,))
    source = service.tables.outlooks(where.game)
    if move is not None:
        chosen = move
        return await service.moment(where.game, lambda: source.after(where, chosen), slow=source.sampled)
    return await service.moment(where.game, lambda: source.at(where, player), slow=source.sampled)


def alone(where: Position, player: int, move: Move | None = None) -> Position:
    """The position as a one-player game of `player`, optionally after a move by the player to move."""
    mover = where.mover
    after = where if move is None else where.play(move)
    sheet: Sheet = after.sheets[player]
    if player != mover or after.mover != mover or after.over or sheet.filled != where.sheets[player].filled:
        return Position((sheet,))
    return Position((sheet,), after.dice, after.rolls_left)


async def best_curve(
    service: Service, where: Position, move: Move | None = None
) -> tuple[int, npt.NDArray[np.float64]]:
    """The best chance of reaching each final score, as (lowest score, chances from that score on).

    move: a legal move, after which the player to move has these chances.
    """
    if where.sheet.over:
        return where.sheet.points, np.ones(1)
    await service.ready(where.game, (DISTRIBUTIONS,))
    chances = service.tables.chances(where.game)
    read_only = where.between_turns and move is None  # the table has this curve; others need a whole turn
    return await service.moment(where.game, lambda: position_curve(chances, where, move), slow=not read_only)


async def selected_moves(
    service: Service, where: Position, moves: Sequence[str] = (), objective: str = "expected"
) -> SelectedMoves:
    """The chances of all final scores after some moves, by default the best few for the objective."""
    requests.check_any_objective(objective, where)
    chosen = parse_moves(where, moves) if moves else best_moves((await service.advise(where, [objective]))[0])
    await service.ready(where.game, (OUTLOOK, DISTRIBUTIONS))
    chances, outlooks = service.tables.chances(where.game), service.tables.outlooks(where.game)
    return await service.workers.run(lambda: select_moves(chances, outlooks, where, chosen))


async def chances_to_win(service: Service, where: Position) -> tuple[float, ...]:
    """Each player's chance to win if everyone maximises the expected score. Ties are shared."""
    count = len(where.sheets)
    outlooks = [await outlook(service, where, player) for player in range(count)]
    payoff = _win(count).for_players(count)

    def work() -> tuple[float, ...]:
        end = max(len(one.score.mass) for one in outlooks)
        curves = []
        for one in outlooks:
            mass = np.pad(one.score.mass, (0, end - len(one.score.mass)))
            curves.append(np.append(np.cumsum(mass[::-1])[::-1], 0.0))
        return tuple(
            float(expected_payoff(payoff, mine, [curve for other, curve in enumerate(curves) if other != seat]))
            for seat, mine in enumerate(curves)
        )

    return await service.workers.run(work)


async def best_chance_to_win(service: Service, where: Position, objective: str = str(Emp(1))) -> float:
    """The chance to win of the player to move, found by search. Ties are shared."""
    return (await service.match_value(where, objective, str(_win(len(where.sheets))))).value


def _win(players: int) -> ByPlace:
    """A payoff of 1 for the winner, shared between tied players."""
    return ByPlace((1.0, *(0.0,) * (players - 1)))


# Explanations


async def explain(
    service: Service,
    where: Position,
    objective: str = "expected",
    move: Move | None = None,
    against: Move | None = None,
) -> Explanation:
    """Compare `move` (default: the second best) with `against` (default: the best)."""
    if where.awaits_roll or where.over:
        raise InputError("there is no move to explain: give dice, and a game that is not over")
    judge = await judge_for(service, where.game, objective, len(where.sheets))
    if parse_objective(objective).several:
        check_comparison(where, move, against)
        await service.ready(where.game, (OUTLOOK,))
        source = service.tables.outlooks(where.game)
        advice, _ = await service.match(where, judge.objective)
        if any(isinstance(one, Score) and one.strike for one in (move, against)):  # strikes are not in the advice
            return await service.answers.ask(
                ("explain", where, judge.objective, move, against),
                lambda _: service.processes.run("explain", where, judge.objective, move, against),
            )
        return await service.workers.run(lambda: compare(judge, source, where, move, against, advice=advice))
    await service.workers.run(lambda: check_moves(judge, where, move, against))
    await service.ready(where.game, (OUTLOOK,))
    source = service.tables.outlooks(where.game)
    return await service.workers.run(lambda: compare(judge, source, where, move, against))


# Reviews


async def review(
    service: Service,
    record: Record,
    objective: str = "expected",
    payoff: str = "match-points",
    progress: Callable[[int, int], None] | None = None,
) -> Review:
    """Grade every decision of a record, and separate luck from error."""
    judge = await judge_for(service, record.game, objective, len(record.players), payoff)
    name = judge.objective
    return await service.answers.ask(
        ("review", record.game, str(record), name, payoff.strip()),
        lambda tell: service.processes.run("review", record, name, payoff.strip(), progress=tell),
        progress,
    )


async def outcome_of(service: Service, record: Record) -> Outcome:
    """How a finished game was decided: its margin, and how much of it was luck."""
    return outcome(await review(service, record))


@dataclass(frozen=True, slots=True)
class Report:
    """A review as a file to download."""

    text: str
    name: str
    """The file name."""
    kind: str
    """The media type."""


async def report(service: Service, found: Review, language: str, *, page: bool) -> Report:
    """Render a review as one HTML file, or as Markdown."""
    text: str = await service.processes.run("report", found, language, page)
    name = f"review-{found.record.game.id}"
    return Report(text, f"{name}.html", "text/html") if page else Report(text, f"{name}.md", "text/markdown")


# Quizzes


async def generated_quiz(service: Service, game: Game, objective: str, questions: int, seed: int) -> Quiz:
    """A quiz from newly generated games. For a match objective these have two players."""
    _check_questions(questions)
    players = parse_objective(objective).fewest_players
    judge = await judge_for(service, game, objective, players)
    await service.ready(game, (EXPECTED,))
    asked: tuple[Question, ...] = await service.processes.run(
        "generated_questions", game, judge.objective, questions, seed, players
    )
    return Quiz(judge, asked)


async def record_quiz(
    service: Service, records: Sequence[tuple[str, Record]], objective: str, questions: int, seed: int
) -> Quiz:
    """A quiz from recorded games, each given with its name."""
    _check_questions(questions)
    record = records[0][1]
    judge = await judge_for(service, record.game, objective, min(len(one.players) for _, one in records))
    asked: tuple[Question, ...] = await service.processes.run(
        "record_questions", records, judge.objective, questions, seed
    )
    return Quiz(judge, asked)


async def mistakes_quiz(service: Service, record: Record, player: str, name: str, objective: str) -> Quiz:
    """A quiz of the player's own mistakes in a record."""
    judge = await judge_for(service, record.game, objective, len(record.players))
    found: tuple[Question, ...] = await service.processes.run(
        "mistake_questions", record, judge.objective, player, name
    )
    if not found:
        raise InputError("{player} made no inaccuracy, mistake or blunder there; well played", player=player)
    return Quiz(judge, found[:QUESTIONS])


def _check_questions(questions: int) -> None:
    if not 1 <= questions <= QUESTIONS:
        raise InputError("questions: {questions} is not from 1 to {most}", questions=questions, most=QUESTIONS)
