"""The analysis of a position: distributions, chances, explanations of moves."""
