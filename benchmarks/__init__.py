"""How fast and how right the package is, measured against another solver and against the machine.

    python -m benchmarks

A benchmark is a module with `run(settings) -> Result` and a line in `benchmarks/__main__.py`.
"""
