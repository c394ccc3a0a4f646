"""Which rules the tests run over, plain or compiled ones, and what others may do with both."""

import os
from typing import Any

import pytest

import paddock_games

PUBLIC = {
    name: thing
    for name in paddock_games.__all__
    if isinstance(thing := getattr(paddock_games, name), type)
}


def test_the_rules_are_compiled_if_and_only_if_that_was_wanted() -> None:
    wanted = os.environ.get("PADDOCK_TEST_COMPILED") == "1"
    assert wanted is paddock_games.COMPILED


@pytest.mark.parametrize("public", PUBLIC.values(), ids=PUBLIC)
def test_public_classes_can_have_subclasses(public: Any) -> None:
    assert public in type("Mine", (public,), {}).__mro__


@pytest.mark.parametrize("game", paddock_games.GAMES.values(), ids=lambda game: game.name)
def test_games_can_have_subclasses(game: paddock_games.Game) -> None:
    mine: Any = type("Mine", (type(game),), {"name": "mine"})
    assert mine().rules(None) == game.rules(None)
