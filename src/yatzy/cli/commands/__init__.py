"""Solve Yahtzee-like dice games exactly: the best move in every position, and what every other move costs."""

ORDER = (
    "games", "solve", "advise", "explain", "play", "review", "quiz", "value", "chance", "distribution", "simulate",
    "replay", "compare", "players", "export", "perfect", "counts", "graph", "study", "papers", "serve", "match",
    "tables",
)  # fmt: skip
