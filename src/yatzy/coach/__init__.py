"""What to tell a player: every move with its worth and class, and what became of the moves that were made."""

from yatzy.coach.advice import Advice, RankedMove, advise
from yatzy.coach.grades import Grade, grade_of
from yatzy.coach.reviews.review import Decision, Review, review

__all__ = ["Advice", "Decision", "Grade", "RankedMove", "Review", "advise", "grade_of", "review"]
