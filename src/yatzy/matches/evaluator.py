"""What evaluators of matches share: the payoff, and how the values of the players relate."""

from __future__ import annotations

from yatzy.games import Position
from yatzy.names.payoffs import Payoff, PayoffName, match_points, payoff_for, win_outright
from yatzy.values.evaluator import Evaluator, Meaning, Sides


class MatchEvaluator(Evaluator):
    """An evaluator of matches. Values are expected payoffs of the player to move."""

    payoff: Payoff | PayoffName
    """A name stands for that payoff with any number of players."""
    zero_sum = True
    """Whether one player's gain is the other's loss in a match of two, given a payoff with a constant total."""

    def payoff_for(self, players: int) -> Payoff:
        """The payoff for this number of players."""
        return payoff_for(self.payoff, players)

    def results(self, position: Position) -> tuple[float, float]:
        """The payoffs of the last and of the first place."""
        values = self.payoff_for(len(position.sheets)).values
        return values[-1], values[0]

    def sides(self, players: int) -> Sides:
        """Both players in a zero-sum match of two; otherwise only the player to move."""
        both = self.zero_sum and players == 2 and self.payoff_for(players).total is not None
        return Sides.BOTH if both else Sides.MOVER

    def meaning(self, players: int) -> Meaning:
        """Depends on what the places pay."""
        payoff = self.payoff_for(players)
        if payoff == win_outright(players):
            return Meaning("win_alone")
        if payoff == match_points(2):
            return Meaning("win_or_tie")
        return Meaning("match_points" if payoff == match_points(players) else "payoff")

    def value_to(self, position: Position, player: int) -> float | None:
        """The payoff when the match is over; otherwise as far as `sides` allows."""
        players = len(position.sheets)
        if position.over:
            return self.payoff_for(players).of_scores([sheet.points for sheet in position.sheets])[player]
        if player == position.mover:
            return self.value(position)
        return self.of_opponent(self.value(position), players) if self.sides(players) is Sides.BOTH else None

    def of_opponent(self, value: float, players: int) -> float | None:
        """The total of the places minus the value, in a zero-sum match of two."""
        if self.sides(players) is not Sides.BOTH:
            return None
        total = self.payoff_for(players).total
        assert total is not None
        return total - value
