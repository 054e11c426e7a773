"""Pieces that several views are made of."""
