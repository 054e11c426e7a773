"""The page: views that ask the service and show what it answers; no rules, no figures of its own."""

from yatzy.web.page.shell import mount

__all__ = ["mount"]
