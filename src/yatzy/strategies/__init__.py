"""Strategies: position to move. From tables, written by hand, exported, and the user's own."""
