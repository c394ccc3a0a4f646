"""Choices in lines of JSON, as every game reads them."""

from collections.abc import Callable
from typing import TypeVar

from paddock_games import IllegalChoice
from paddock_wire.codec import Json
from paddock_wire.errors import Unreadable

C = TypeVar("C")


def read_choice(choice_of: Callable[..., C], written: Json, keys: tuple[str, ...]) -> C:
    """The choice with these values; missing keys get the defaults of the rules."""
    try:
        return choice_of(**written)
    except IllegalChoice as problem:
        raise Unreadable(problem.sentence) from None
    except TypeError:
        raise Unreadable(f"a choice has the keys {', '.join(keys)}") from None
