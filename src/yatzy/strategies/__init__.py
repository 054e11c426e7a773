"""Strategies, which give a move for every position: from tables, handwritten, exported, and the user's own."""
