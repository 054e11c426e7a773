"""Benchmarks of speed and correctness, against another solver and against the limits of the machine.

    python -m benchmarks

A benchmark is a module with `run(settings) -> Result` and a line in `benchmarks/__main__.py`.
"""
