"""Experiments with strategies: playing millions of games, and what they show."""

from yatzy.lab.sample import Estimate, SimulatedGames
from yatzy.lab.simulate import PlayedTurn, replay, simulate

__all__ = ["Estimate", "PlayedTurn", "SimulatedGames", "replay", "simulate"]
