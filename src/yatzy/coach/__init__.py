"""Coaching: every move of a position with its value and class, and reviews of games that were played."""

from yatzy.coach.advice import Advice, RankedMove, advise
from yatzy.coach.grades import Grade, grade_of
from yatzy.coach.reviews.review import Decision, Review, review

__all__ = ["Advice", "Decision", "Grade", "RankedMove", "Review", "advise", "grade_of", "review"]
