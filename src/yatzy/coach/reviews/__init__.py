"""Reviews that separate luck from skill: of single games, of thousands of games, and as statistics."""
