"""What a strategy does, exactly: the distribution of its final score, its outlook, and the turns it plays."""

from yatzy.evaluation.distribution import CategoryResult, Distribution, Evaluation
from yatzy.evaluation.evaluate import EVALUATION, evaluate

__all__ = ["EVALUATION", "CategoryResult", "Distribution", "Evaluation", "evaluate"]
