"""Two or more players: counts, exact endgames, advice, strength, play-offs."""

ORDER = ("strength", "answer", "counts", "tables", "advise", "play-off")
