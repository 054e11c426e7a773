"""Yahtzee-like dice games solved exactly: the best move, its value, and how we know."""

ORDER = (
    "games", "solve", "advise", "explain", "play", "review", "quiz", "value", "chance", "distribution", "simulate",
    "replay", "compare", "players", "export", "perfect", "counts", "study", "papers", "serve", "match", "tables",
)  # fmt: skip
