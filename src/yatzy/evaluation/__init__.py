"""Exact results of a strategy: the distribution of its final score, its outlook, and reviews of played turns."""

from yatzy.evaluation.distribution import CategoryResult, Distribution, Evaluation
from yatzy.evaluation.evaluating import EVALUATION, evaluate, evaluation_cost

__all__ = ["EVALUATION", "CategoryResult", "Distribution", "Evaluation", "evaluate", "evaluation_cost"]
