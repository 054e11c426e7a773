"""Matches of several players: endgame tables, search, evaluation of leaves, fixed opponents, counting."""

from typing import TYPE_CHECKING

from yatzy.lazy import lazy_names

if TYPE_CHECKING:
    from yatzy.matches.counting import MatchCounts as MatchCounts
    from yatzy.matches.counting import check_depth as check_depth
    from yatzy.matches.counting import count_match as count_match
    from yatzy.matches.endgames import Endgames as Endgames
    from yatzy.matches.endgames import size_needed as size_needed
    from yatzy.matches.exact import ExactMatch as ExactMatch
    from yatzy.matches.fixed_opponents import BestAnswer as BestAnswer
    from yatzy.matches.fixed_opponents import FixedPlayer as FixedPlayer
    from yatzy.matches.fixed_opponents import Gain as Gain
    from yatzy.matches.fixed_opponents import fixed_player as fixed_player
    from yatzy.matches.fixed_opponents import gain as gain
    from yatzy.matches.search import MatchSearch as MatchSearch
    from yatzy.matches.solving import Keep as Keep
    from yatzy.matches.solving import SolvedMatch as SolvedMatch
    from yatzy.matches.solving import kept_layers as kept_layers
    from yatzy.matches.solving import match_folder as match_folder
    from yatzy.matches.solving import open_endgames as open_endgames
    from yatzy.matches.solving import solve_match as solve_match
    from yatzy.matches.values import SmallMatch as SmallMatch
else:
    __getattr__, __dir__ = lazy_names(__name__, __file__)
