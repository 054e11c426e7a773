"""The page: views that ask the service and show what it answers; no rules, no figures of its own."""
