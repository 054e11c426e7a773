"""Solve Yahtzee-like dice games exactly: the best move in every position, and what every other move costs."""

ORDER = (
    "games", "solve", "advise", "explain", "play", "review", "quiz", "value", "chance", "distribution", "simulate",
    "replay", "compare", "players", "export", "export-decisions", "export-values", "dataset", "perfect", "counts",
    "graph", "study", "papers", "serve", "match", "tables", "verify",
)  # fmt: skip
EXAMPLES = (
    ("yatzy advise --dice 13356", "the best dice to keep after the first roll"),
    ("yatzy advise --sheet 'ones 3, sixes 24' --dice 13356", "the same with a half-filled sheet"),
    ("yatzy play --computer expected", "play against the best strategy"),
    ("yatzy review FILE", "grade every decision of a game that you wrote down"),
    ("yatzy simulate --games 100000", "what the best strategy scores"),
    ("yatzy serve", "all of this in a browser"),
    ("yatzy advise -h", "the options of a command"),
)
