"""The lab: compares two strategies or two games."""
