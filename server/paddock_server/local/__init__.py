"""Matches without a lasting server: `paddock play`, `compare` and `simulate`."""
