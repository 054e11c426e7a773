"""Two strategies or two games side by side."""
