"""A game being played: its history, dice and computer players, saved games, and a tutor that warns before bad moves."""
