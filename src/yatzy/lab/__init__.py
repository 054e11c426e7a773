"""Experiments with strategies: playing millions of games, comparing them, and presenting the results."""

from typing import TYPE_CHECKING

from yatzy.lazy import lazy_names

if TYPE_CHECKING:
    from yatzy.lab.calibrate import values_per_second as values_per_second
    from yatzy.lab.comparison import Comparison as Comparison
    from yatzy.lab.comparison import ExactComparison as ExactComparison
    from yatzy.lab.comparison import compare as compare
    from yatzy.lab.comparison import compare_exactly as compare_exactly
    from yatzy.lab.duel import PlayOff as PlayOff
    from yatzy.lab.duel import parse_duellist as parse_duellist
    from yatzy.lab.duel import play_off as play_off
    from yatzy.lab.figures import CategoryBars as CategoryBars
    from yatzy.lab.figures import Group as Group
    from yatzy.lab.figures import Series as Series
    from yatzy.lab.figures import draw_categories as draw_categories
    from yatzy.lab.figures import draw_outcomes as draw_outcomes
    from yatzy.lab.figures import draw_scores as draw_scores
    from yatzy.lab.figures import draw_split as draw_split
    from yatzy.lab.figures import draw_together as draw_together
    from yatzy.lab.figures import draw_winner as draw_winner
    from yatzy.lab.graphs import draw_graph as draw_graph
    from yatzy.lab.graphs import state_graph as state_graph
    from yatzy.lab.players import ExactTable as ExactTable
    from yatzy.lab.players import TableResult as TableResult
    from yatzy.lab.players import play_table as play_table
    from yatzy.lab.players import table_exactly as table_exactly
    from yatzy.lab.players import table_of as table_of
    from yatzy.lab.plots import COLOURS as COLOURS
    from yatzy.lab.plots import STYLES as STYLES
    from yatzy.lab.plots import Line as Line
    from yatzy.lab.plots import add_legend as add_legend
    from yatzy.lab.plots import label_powers as label_powers
    from yatzy.lab.plots import new_figure as new_figure
    from yatzy.lab.plots import print_style as print_style
    from yatzy.lab.plots import write_figure as write_figure
    from yatzy.lab.regret import RegretResult as RegretResult
    from yatzy.lab.regret import SeatRegret as SeatRegret
    from yatzy.lab.regret import StrategyRegret as StrategyRegret
    from yatzy.lab.regret import measure_regret as measure_regret
    from yatzy.lab.remote import play_off_with as play_off_with
    from yatzy.lab.remote import simulate_with as simulate_with
    from yatzy.lab.sample import Estimate as Estimate
    from yatzy.lab.sample import SimulatedGames as SimulatedGames
    from yatzy.lab.sample import share_of as share_of
    from yatzy.lab.seat_orders import SeatOrders as SeatOrders
    from yatzy.lab.seat_orders import play_all_orders as play_all_orders
    from yatzy.lab.simulation import DICE_VERSION as DICE_VERSION
    from yatzy.lab.simulation import SIMULATION as SIMULATION
    from yatzy.lab.simulation import PlayedTurn as PlayedTurn
    from yatzy.lab.simulation import replay as replay
    from yatzy.lab.simulation import simulate as simulate
    from yatzy.lab.splits import split_groups as split_groups
    from yatzy.lab.strength import LIMITS as LIMITS
    from yatzy.lab.strength import Strength as Strength
    from yatzy.lab.strength import StrengthResult as StrengthResult
    from yatzy.lab.strength import measure_strength as measure_strength
    from yatzy.lab.strength import summaries as summaries
    from yatzy.lab.strength_figures import draw_error_chances as draw_error_chances
    from yatzy.lab.strength_figures import draw_mean_errors as draw_mean_errors
    from yatzy.lab.strength_parts import STRENGTH as STRENGTH
    from yatzy.lab.studies.evaluations import Exact as Exact
    from yatzy.lab.studies.evaluations import evaluate_once as evaluate_once
    from yatzy.lab.studies.evaluations import evaluate_whole as evaluate_whole
else:
    __getattr__, __dir__ = lazy_names(__name__, __file__)
