"""The terminal game of `yatzy play`: display, input, coaching, and the game loop."""
