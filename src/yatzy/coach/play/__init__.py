"""A game being played: its history, its dice, who plays, what is saved, and who speaks up before a bad move."""
