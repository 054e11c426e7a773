"""A game looked back on."""
