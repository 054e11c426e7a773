"""The table: sheets, dice, every move, and the dialogs of a game."""
