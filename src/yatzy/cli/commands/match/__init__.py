"""Two or more players: counts, exact endgames, complete solutions, advice, strength, play-offs."""

ORDER = ("strength", "regret", "answer", "counts", "tables", "solve", "verify", "advise", "play-off")
