"""Games that were played, with luck apart from skill: one by one, by the thousand, and as reports."""
