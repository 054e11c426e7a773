"""Several players: payoffs, endgame tables, judging by distributions, search, counting."""
