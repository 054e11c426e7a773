"""Questions from games: where they come from, how answers are graded, and what is kept of them."""
