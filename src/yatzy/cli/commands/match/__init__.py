"""Two or more players: counts, exact endgames, complete solutions, advice, strength, play-offs."""

ORDER = ("strength", "answer", "counts", "tables", "solve", "advise", "play-off")
