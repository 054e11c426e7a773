"""Tools for those who work on the package; they need nothing but Python itself."""
