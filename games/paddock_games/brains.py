"""Brains that play every game."""

from random import Random
from typing import Any

from paddock_games.game import View


def any_legal(view: View, rng: Random) -> Any:
    """Any of the legal choices, each equally likely."""
    return rng.choice(view.legal)
