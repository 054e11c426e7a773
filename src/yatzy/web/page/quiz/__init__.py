"""The quiz view."""
