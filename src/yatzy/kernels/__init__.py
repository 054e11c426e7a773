"""Numba kernels for the hot loops. They take flat arrays, write to arrays that the caller passes, and check nothing.

Other rooms write `from yatzy import kernels` and `kernels.play_goal(...)`. A kernel is imported when it is first used,
so importing a module that uses kernels does not import Numba.
"""

from typing import TYPE_CHECKING

from yatzy.lazy import lazy_names

if TYPE_CHECKING:
    from yatzy.kernels.counting import PlainGains as PlainGains
    from yatzy.kernels.counting import Ranges as Ranges
    from yatzy.kernels.counting import count_open as count_open
    from yatzy.kernels.counting import fill_made as fill_made
    from yatzy.kernels.counting import fill_to_come as fill_to_come
    from yatzy.kernels.curves import Curves as Curves
    from yatzy.kernels.curves import find_windows as find_windows
    from yatzy.kernels.curves import pack_windows as pack_windows
    from yatzy.kernels.curves import solve_curves as solve_curves
    from yatzy.kernels.curves import trim_windows as trim_windows
    from yatzy.kernels.duel import Rivals as Rivals
    from yatzy.kernels.duel import play_best as play_best
    from yatzy.kernels.duel import play_emp as play_emp
    from yatzy.kernels.duel import play_soft_emp as play_soft_emp
    from yatzy.kernels.endgames import Pairs as Pairs
    from yatzy.kernels.endgames import fill_within as fill_within
    from yatzy.kernels.endgames import look_up as look_up
    from yatzy.kernels.endgames import look_up_outcomes as look_up_outcomes
    from yatzy.kernels.endgames import solve_pairs as solve_pairs
    from yatzy.kernels.evaluate import measure_mass as measure_mass
    from yatzy.kernels.evaluate import plan_chances as plan_chances
    from yatzy.kernels.evaluate import push_mass as push_mass
    from yatzy.kernels.evaluate import state_outcomes as state_outcomes
    from yatzy.kernels.evaluate import value_chances as value_chances
    from yatzy.kernels.label import Asked as Asked
    from yatzy.kernels.label import Labels as Labels
    from yatzy.kernels.label import draw_positions as draw_positions
    from yatzy.kernels.label import label_positions as label_positions
    from yatzy.kernels.layers import Worth as Worth
    from yatzy.kernels.layers import solve_states as solve_states
    from yatzy.kernels.outlook import Futures as Futures
    from yatzy.kernels.outlook import Turns as Turns
    from yatzy.kernels.outlook import find_features as find_features
    from yatzy.kernels.outlook import find_masses as find_masses
    from yatzy.kernels.outlook import find_ranges as find_ranges
    from yatzy.kernels.plan import BY_TARGET as BY_TARGET
    from yatzy.kernels.plan import BY_UTILITY as BY_UTILITY
    from yatzy.kernels.plan import BY_VALUE as BY_VALUE
    from yatzy.kernels.plan import AssumedRolls as AssumedRolls
    from yatzy.kernels.plan import TurnGoal as TurnGoal
    from yatzy.kernels.plan import write_plans as write_plans
    from yatzy.kernels.play import Groups as Groups
    from yatzy.kernels.play import Table as Table
    from yatzy.kernels.play import play_goal as play_goal
    from yatzy.kernels.play import play_plans as play_plans
    from yatzy.kernels.play import sort_games as sort_games
    from yatzy.kernels.random import roll_dice as roll_dice
    from yatzy.kernels.regret import Losses as Losses
    from yatzy.kernels.regret import Rules as Rules
    from yatzy.kernels.regret import expected_worths as expected_worths
    from yatzy.kernels.regret import fill_leaves as fill_leaves
    from yatzy.kernels.regret import judge_turns as judge_turns
    from yatzy.kernels.regret import look_ahead as look_ahead
    from yatzy.kernels.regret import value_by_points as value_by_points
    from yatzy.kernels.regret import want_after_turns as want_after_turns
    from yatzy.kernels.regret import want_before_turn as want_before_turn
    from yatzy.kernels.review import Played as Played
    from yatzy.kernels.review import Worths as Worths
    from yatzy.kernels.review import review_turns as review_turns
    from yatzy.kernels.scores import push_scores as push_scores
    from yatzy.kernels.search import back_up as back_up
    from yatzy.kernels.search import back_up_all as back_up_all
    from yatzy.kernels.search import best_targets as best_targets
    from yatzy.kernels.search import curve_ranges as curve_ranges
    from yatzy.kernels.search import fill_curves as fill_curves
    from yatzy.kernels.search import find_next as find_next
    from yatzy.kernels.search import keep_values as keep_values
    from yatzy.kernels.soften import Choices as Choices
    from yatzy.kernels.soften import draw as draw
    from yatzy.kernels.soften import draw_share as draw_share
    from yatzy.kernels.soften import play_soft as play_soft
    from yatzy.kernels.soften import soft_chances as soft_chances
    from yatzy.kernels.turn import TurnArrays as TurnArrays
    from yatzy.kernels.utilities import solve_utilities as solve_utilities
    from yatzy.kernels.vectors import LANES as LANES
    from yatzy.kernels.vectors import SINGLE_LANES as SINGLE_LANES
else:
    __getattr__, __dir__ = lazy_names(__name__, __file__)
