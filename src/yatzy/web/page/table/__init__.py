"""The table view: sheets, dice, moves, and the dialogs of a game."""
