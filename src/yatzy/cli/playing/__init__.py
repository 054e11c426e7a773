"""The table of `yatzy play`: what is shown, what may be typed, what is told on request, and how a game goes on."""
