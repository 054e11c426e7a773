"""The literature, recomputed: one module a publication, its tables and figures beside ours, and what is new."""
