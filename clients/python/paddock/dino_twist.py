"""Deprecated helpers for bots of Dino Twist: what they return is on `ask.view` now."""

from collections.abc import Mapping
from typing import cast
from warnings import warn

from paddock.ask import Ask
from paddock_games.dino_twist import Choice, View
from paddock_games.dino_twist.card import Card
from paddock_games.dino_twist.choice import Kind
from paddock_games.dino_twist.island import Island


def my_hand(ask: Ask) -> tuple[Card, ...]:
    """Deprecated: `ask.view.hand`."""
    return _view(ask, "my_hand(ask)", "hand").hand


def my_island(ask: Ask) -> Island:
    """Deprecated: `ask.view.island`."""
    return _view(ask, "my_island(ask)", "island").island


def by_kind(ask: Ask) -> Mapping[Kind, tuple[Choice, ...]]:
    """Deprecated: `ask.view.legal_by_kind`."""
    return _view(ask, "by_kind(ask)", "legal_by_kind").legal_by_kind


def _view(ask: Ask, old: str, new: str) -> View:
    sentence = f"paddock.dino_twist.{old} is deprecated; use ask.view.{new}"
    warn(sentence, DeprecationWarning, stacklevel=3)
    return cast(View, ask.view)
