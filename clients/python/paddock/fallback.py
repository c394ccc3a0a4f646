"""Fallbacks: the default choice with a reason, where the bot itself did not choose."""

from traceback import format_exception_only
from typing import Final

from paddock.ask import Ask
from paddock.v1 import arena_pb2

_MOST_CHARACTERS: Final = 200  # the server cuts what is longer


def fallback(ask: Ask, reason: str) -> arena_pb2.Choice:
    """The default choice, reported as a fallback for this reason."""
    # A reason may come from anywhere: half a surrogate pair does not fit the wire.
    word = reason[:_MOST_CHARACTERS].encode(errors="replace").decode()
    return arena_pb2.Choice(ask_id=ask.id, number=ask.legal.index(ask.default), fallback=word)


def described(error: BaseException) -> str:
    """An exception as text, such as "ZeroDivisionError: division by zero"."""
    return "".join(format_exception_only(error)).strip()
