"""The literature on these games, recomputed: the printed figures beside ours, and new results.

This package uses public names of `yatzy` only.
"""
