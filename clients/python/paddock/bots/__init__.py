"""Sample bots, each a short file to learn from: `python -m paddock.bots.greedy --help`."""
