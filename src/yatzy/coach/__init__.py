"""Coaching: every move of a position with its value and class, and reviews of games that were played."""

from typing import TYPE_CHECKING

from yatzy.lazy import lazy_names

if TYPE_CHECKING:
    from yatzy.coach.advice import Advice as Advice
    from yatzy.coach.advice import RankedMove as RankedMove
    from yatzy.coach.advice import advise as advise
    from yatzy.coach.advice import advise_match as advise_match
    from yatzy.coach.grades import Grade as Grade
    from yatzy.coach.grades import grade_of as grade_of
    from yatzy.coach.reviews.review import Decision as Decision
    from yatzy.coach.reviews.review import Review as Review
    from yatzy.coach.reviews.review import review as review
else:
    __getattr__, __dir__ = lazy_names(__name__, __file__)
