"""Answers of bots, decoded for the referee."""

from typing import Final

from paddock.v1 import arena_pb2
from paddock_games.game import FALLBACK_LENGTH, Choice
from paddock_server.basics.printable import printable
from paddock_server.referee.answers import MALFORMED, Answer, Fallback
from paddock_wire import CODECS, Unreadable

_CHOICE_BYTES: Final = 1024  # far more than any choice needs; a larger one is not decoded
_NO_REASON: Final = "no reason given"


def read_answer(choice: arena_pb2.Choice) -> Answer:
    """The answer that a message of the contract means."""
    if choice.fallback:
        return Fallback(clean_reason(choice.fallback))
    kind = choice.WhichOneof("answer")
    if kind == "number":
        return choice.number
    game = choice.choice.WhichOneof("game") if kind == "choice" else None
    if game is None or choice.ByteSize() > _CHOICE_BYTES:
        return MALFORMED
    try:
        decoded: Choice = CODECS[game].read_choice(choice.choice)
    except Unreadable:
        return MALFORMED
    return decoded


def clean_reason(text: str) -> str:
    """The reason of a fallback: one line of printable characters, shortened, never empty."""
    return printable(text, FALLBACK_LENGTH) or _NO_REASON
