"""The page and the HTTP API: the same answers as everywhere, over the network; it computes nothing itself."""
