"""What may become of a position: distributions, chances, why a move."""
