"""Runnable measurements of speed and size: `python -m benchmarks.store`."""
