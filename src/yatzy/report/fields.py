"""Results as plain fields for JSON, shared by the command line (`--json`) and the HTTP API.

All fields are numbers, strings, lists or mappings of these.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from yatzy.coach.grades import Grade
from yatzy.games import Game, Keep, Move, Position, show_dice

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from yatzy.coach.advice import Advice, RankedMove
    from yatzy.coach.explain import Explanation, Side
    from yatzy.coach.quizzes.quiz import Question, Quiz, Summary
    from yatzy.coach.quizzes.results import History
    from yatzy.evaluation.distribution import Distribution, Evaluation
    from yatzy.evaluation.outlook import Outlook
    from yatzy.lab import Estimate, SimulatedGames
    from yatzy.matches.search import MatchAnswer
    from yatzy.values.evaluator import Solution

PERCENTILES = (1, 5, 10, 25, 50, 75, 90, 95, 99)
"""The percentiles given for every distribution."""

Fields = dict[str, Any]


def game_fields(game: Game) -> Fields:
    """A game with its categories, its rules and its names."""
    return {
        "id": game.id,
        "names": dict(game.names),
        "note": game.note,
        "dice": game.dice,
        "faces": game.faces,
        "rolls": game.rolls,
        "forced_order": game.forced_order,
        "bonus": game.bonus and {"points": game.bonus.points, "threshold": game.bonus.threshold},
        "joker": game.joker and {"category": game.joker.category, "reading": game.joker.reading.value,
                                 "points": game.joker.points},
        "categories": [
            {"id": c.id, "names": dict(c.names), "upper": c.upper, "pays": c.pattern.describe()}
            for c in game.categories
        ],
        "hash": game.hash,
    }  # fmt: skip


def move_fields(move: Move) -> Fields:
    """A move in the notation that people type: a struck category ends in `=0`."""
    if isinstance(move, Keep):
        return {"move": show_dice(move.dice), "keep": list(move.dice)}
    return {"move": str(move), "category": move.category}


def advice_fields(advices: Sequence[Advice], top: int | None = None, outlook: Outlook | None = None) -> Fields:
    """All moves of a position with their classes, ranked by the first objective. The outlook is null if not given."""
    ranked, where = advices[0], advices[0].position
    columns = [(advice.objective, {entry.move: entry for entry in advice.moves}) for advice in advices]
    return {
        "game": where.game.id,
        "objective": ranked.objective,
        "unit": ranked.unit.value,
        "position": str(where),
        "dice": list(where.dice),
        "rolls_left": where.rolls_left,
        "points": where.sheet.points,
        "value": ranked.value,
        "best": move_fields(ranked.best.move)["move"],
        "moves": [
            {
                **move_fields(entry.move),
                "value": entry.value,
                "loss": entry.loss,
                "best": entry.best,
                "grade": entry.grade.value,
                "values": {objective: column[entry.move].value for objective, column in columns},
                "best_for": [objective for objective, column in columns if column[entry.move].best],
            }
            for entry in ranked.moves[:top]
        ],
        "outlook": outlook and outlook_fields(outlook),
    }


def outlook_fields(outlook: Outlook) -> Fields:
    """The outlook of a position under play for the expected score."""
    return {
        "objective": "expected",
        "exact": outlook.exact,
        "games": outlook.games or None,
        "mean": outlook.mean,
        "sd": outlook.sd,
        "low": outlook.low,
        "high": outlook.high,
        "bonus": outlook.bonus,
        "jokers": outlook.jokers,
        "categories": {
            entry.category.id: {
                "chance": entry.chance,
                "points": entry.points,
                "this_turn": entry.this_turn,
                "this_turn_points": entry.this_turn_points,
            }
            for entry in outlook.categories
        },
    }


def explanation_fields(explanation: Explanation, language: str = "en") -> Fields:
    """Two moves side by side, and why one is better."""
    from yatzy.report.explanation import notes, sentences

    where, categories = explanation.position, explanation.categories
    bonus = next((r.points for r in explanation.reasons if r.kind.value == "bonus"), None)
    return {
        "game": where.game.id,
        "objective": explanation.objective,
        "unit": explanation.unit.value,
        "position": str(where),
        "preferred": _side_fields(explanation.preferred),
        "other": _side_fields(explanation.other),
        "difference": explanation.difference,
        "tied": explanation.tied,
        "points": {
            "categories": {pair.category.id: pair.points for pair in categories},
            "bonus": bonus,
            "jokers": explanation.preferred.outlook.jokers - explanation.other.outlook.jokers,
            "all": sum(reason.points for reason in explanation.reasons),
        },
        "sentences": list(sentences(explanation, language)),
        "notes": list(notes(explanation, language)),
    }


def _side_fields(side: Side) -> Fields:
    return {**ranked_fields(side.ranked), "outlook": outlook_fields(side.outlook)}


def ranked_fields(entry: RankedMove) -> Fields:
    """A move with its value, loss and class."""
    return {
        **move_fields(entry.move),
        "value": entry.value,
        "loss": entry.loss,
        "best": entry.best,
        "grade": entry.grade.value,
    }


def question_fields(question: Question) -> Fields:
    """A question of a quiz, without the answer."""
    where, origin = question.position, question.origin
    return {
        "position": str(where),
        "dice": list(where.dice),
        "rolls_left": where.rolls_left,
        "asks": "keep" if question.asks_for_keep else "category",
        "origin": {name: getattr(origin, name) for name in ("turn", "seed", "game", "record", "player")},
        "played": question.played and move_fields(question.played)["move"],
    }


def quiz_fields(quiz: Quiz) -> Fields:
    """A quiz with the answers so far and the result."""
    return {
        "game": quiz.adviser.game.id,
        "objective": quiz.adviser.objective,
        "unit": quiz.adviser.unit.value,
        "questions": [
            {
                **question_fields(question),
                "best": move_fields(question.advice.best.move)["move"],
                "answer": ranked_fields(quiz.answers[number]) if number < len(quiz.answers) else None,
            }
            for number, question in enumerate(quiz.questions)
        ],
        **summary_fields(quiz.summary),
    }


def summary_fields(summary: Summary) -> Fields:
    """The result of a quiz."""
    return {
        "asked": summary.asked,
        "answered": summary.answered,
        "loss": summary.loss,
        "mean_loss": summary.mean_loss,
        "counts": {grade.value: summary.count(grade) for grade in Grade},
    }


def history_fields(history: History) -> Fields:
    """All stored quizzes."""
    return {
        "quizzes": [
            {
                "id": quiz.id,
                "begun": quiz.begun.isoformat(),
                "game": quiz.game,
                "objective": quiz.objective,
                "unit": quiz.unit.value,
                **summary_fields(quiz.summary),
            }
            for quiz in history.quizzes
        ],
        "unreadable": history.unreadable,
    }


def search_fields(answer: MatchAnswer, payoff: str) -> Fields:
    """How a match search found its answer."""
    return {
        "search": answer.objective,
        "turns": answer.depth,
        "exact": answer.exact,
        "seconds": answer.seconds,
        "player": answer.position.mover + 1,
        "payoff": payoff,
    }


def value_fields(solution: Solution, where: Position, worth: float) -> Fields:
    """The value of a position."""
    return {
        "game": where.game.id,
        "objective": solution.objective,
        "unit": solution.unit.value,
        "position": str(where),
        "points": where.sheet.points,
        "value": worth,
        **({"to_come": worth - where.sheet.points} if solution.objective == "expected" else {}),
    }


def chance_fields(solution: Solution, where: Position, at_least: int, probability: float) -> Fields:
    """The best chance of a score."""
    return {
        "game": where.game.id,
        "objective": solution.objective,
        "position": str(where),
        "points": where.sheet.points,
        "at_least": at_least,
        "probability": probability,
    }


def best_chance_fields(where: Position, first: int, chances: npt.NDArray[np.float64]) -> Fields:
    """The best chance of every score, starting with `first`."""
    return {
        "game": where.game.id,
        "position": str(where),
        "kind": "best",
        "first": first,
        "at_least": chances.tolist(),
    }


def evaluation_fields(where: Position, result: Evaluation) -> Fields:
    """The exact results of a strategy from a position."""
    return {
        "game": where.game.id,
        "position": str(where),
        "kind": "strategy",
        "strategy": result.strategy,
        **_score_fields(result.score),
        "bonus": result.bonus,
        "categories": {c.category.id: {"mean": c.mean, "hit": c.hit} for c in result.categories},
    }


def _score_fields(score: Distribution) -> Fields:
    return {
        "mean": score.mean,
        "sd": score.sd,
        "mode": score.mode,
        "lowest": score.lowest,
        "highest": score.highest,
        "percentiles": {str(p): score.percentile(p) for p in PERCENTILES},
        "mass": score.mass.tolist(),
    }


def estimate_fields(number: Estimate) -> dict[str, float]:
    """A number with its standard error."""
    return {"value": number.value, "error": number.error}


def sample_fields(games: SimulatedGames, at_least: Sequence[int]) -> Fields:
    """The results of simulated games."""
    game, yatzy = games.game, games.yatzy_share
    return {
        "game": game.id,
        "strategy": games.strategy,
        "games": len(games),
        "seed": games.seed,
        "mean": estimate_fields(games.mean),
        "sd": estimate_fields(games.sd),
        "variance": estimate_fields(games.variance),
        "median": estimate_fields(games.percentile(50)),
        "mode": games.mode,
        "min": games.lowest,
        "max": games.highest,
        "percentiles": {str(p): estimate_fields(games.percentile(p)) for p in PERCENTILES},
        "at_least": {str(score): estimate_fields(games.at_least(score)) for score in at_least},
        "bonus": estimate_fields(games.bonus_share) if game.bonus else None,
        "yatzy": estimate_fields(yatzy) if yatzy else None,
        "categories": {
            id: {"mean": estimate_fields(games.category_mean(id)), "hit": estimate_fields(games.category_hit(id))}
            for id in game.category_index
        },
    }
