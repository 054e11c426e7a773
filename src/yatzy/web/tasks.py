"""Tasks for child processes (`web.processes`), called with the tools, the arguments and a progress callback.

A child opens the tables from disk by itself. They are ready before a task starts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

# Imported when a child starts, so that the first question does not wait for them.
import yatzy.kernels.evaluate
import yatzy.kernels.search
import yatzy.kernels.soften  # noqa: F401
from yatzy import coach
from yatzy.coach import Advice
from yatzy.coach.explain import Explanation
from yatzy.coach.explain import explain as compare_moves
from yatzy.coach.quizzes import sources
from yatzy.coach.quizzes.quiz import Question
from yatzy.coach.reviews.review import Review
from yatzy.coach.reviews.review import review as review_record
from yatzy.coach.sampled_outlook import open_outlooks
from yatzy.evaluation.distribution import Evaluation
from yatzy.evaluation.evaluating import evaluate as push_mass
from yatzy.games import Game, Move, Position, Record
from yatzy.lab import SimulatedGames
from yatzy.lab.simulation import simulate as play_games
from yatzy.matches.search import MatchAnswer, MatchSearch
from yatzy.report.document import to_html, to_markdown
from yatzy.report.review import review_blocks, review_title
from yatzy.solver import Solver
from yatzy.strategies.base import Strategy
from yatzy.values.evaluator import Evaluator
from yatzy.web import limits
from yatzy.web.refusals import TooMuch
from yatzy.web.tables import make_table

T = TypeVar("T")
Progress = Callable[[int, int], None]


class TaskTools:
    """The solver used by the tasks of a child. It treats all names as untrusted data."""

    def __init__(self, folder: Path, threads: int | None) -> None:
        self.threads = threads
        self.solver = Solver(folder, threads, most_open=limits.OPENED)

    def strategy(self, game: Game, name: str) -> Strategy:
        """A strategy by its name."""
        return self.solver.strategy(game, name)

    def search(self, game: Game, objective: str, payoff: str) -> MatchSearch:
        """A search for several players."""
        return self.solver.search(game, objective, payoff)

    def judge(self, game: Game, objective: str, payoff: str = "match-points") -> Evaluator:
        """The evaluator for an objective."""
        return self.solver.evaluator(game, objective, 2, payoff)


def evaluate(tools: TaskTools, where: Position, name: str, progress: Progress) -> Evaluation:
    """The exact distribution of a strategy's results from a position."""
    player = tools.strategy(where.game, name)
    if not player.in_bulk:
        raise TooMuch("{name} cannot be evaluated exactly here; simulate it instead", name=name)
    return push_mass(player, where, tools.threads, progress, limit=limits.EVALUATION)


def simulate(tools: TaskTools, game: Game, name: str, games: int, seed: int, progress: Progress) -> SimulatedGames:
    """Simulate games of a strategy."""
    player = tools.strategy(game, name)
    if games > limits.SLOW_GAMES and not player.in_bulk:
        raise TooMuch(
            "games: {name} plays at most {most} games here, not {games:,}",
            name=name,
            most=limits.SLOW_GAMES,
            games=games,
        )
    return play_games(player, games, seed, tools.threads, progress)


def match(tools: TaskTools, where: Position, objective: str, payoff: str, _: Progress) -> tuple[Advice, MatchAnswer]:
    """Rank the moves by their value against the opponents, with details of the search."""
    return coach.advise_match(tools.search(where.game, objective, payoff), where)


def match_value(tools: TaskTools, where: Position, objective: str, payoff: str, _: Progress) -> MatchAnswer:
    """The value of a position for the player to move, with details of the search."""
    return tools.search(where.game, objective, payoff).answer(where)


def explain(
    tools: TaskTools, where: Position, objective: str, move: Move | None, against: Move | None, _: Progress
) -> Explanation:
    """Compare two moves."""
    source = open_outlooks(tools.solver, where.game)
    return compare_moves(tools.judge(where.game, objective), source, where, move, against)


def review(tools: TaskTools, record: Record, objective: str, payoff: str, progress: Progress) -> Review:
    """Grade every decision of a record."""
    return review_record(record, tools.judge(record.game, objective, payoff), progress)


def report(tools: TaskTools, found: Review, language: str, page: bool, _: Progress) -> str:
    """Render a review as one HTML file, or as Markdown."""
    blocks = review_blocks(found, language, pictures=page, positions=True)
    return to_html(blocks, review_title(found, language), language) if page else to_markdown(blocks)


def generated_questions(
    tools: TaskTools, game: Game, objective: str, questions: int, seed: int, players: int, _: Progress
) -> tuple[Question, ...]:
    """Questions from newly generated games."""
    player = tools.solver.strategy(game, sources.PLAYER)
    return sources.generated_questions(tools.judge(game, objective), player, questions, seed, players)


def record_questions(
    tools: TaskTools, records: Sequence[tuple[str, Record]], objective: str, questions: int, seed: int, _: Progress
) -> tuple[Question, ...]:
    """Questions from recorded games."""
    return sources.record_questions(tools.judge(records[0][1].game, objective), records, questions, seed)


def mistake_questions(
    tools: TaskTools, record: Record, objective: str, player: str, name: str, _: Progress
) -> tuple[Question, ...]:
    """Questions from a player's mistakes in a record."""
    return sources.mistake_questions(tools.judge(record.game, objective), record, player, name)


def build(tools: TaskTools, game: Game, table: str, progress: Progress) -> None:
    """Make a missing table. Finished layers are kept even if this is interrupted."""
    make_table(Solver(tools.solver.folder, tools.threads, lambda *_: progress), game, table)
