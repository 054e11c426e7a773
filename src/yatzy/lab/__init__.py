"""Experiments with solved games: playing millions of them."""

from yatzy.lab.simulate import Estimate, PlayedTurn, SimulatedGames, replay, simulate

__all__ = ["Estimate", "PlayedTurn", "SimulatedGames", "replay", "simulate"]
