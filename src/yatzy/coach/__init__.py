"""What to tell a player: every move with its worth."""

from yatzy.coach.advice import Advice, RankedMove, advise

__all__ = ["Advice", "RankedMove", "advise"]
