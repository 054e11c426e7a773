"""Several players: endgame tables, judging by distributions, search, fixed opponents, counting."""
