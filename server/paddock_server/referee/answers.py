"""Answers to an ask, and what they mean."""

from collections.abc import Sequence
from enum import Enum
from typing import Any, Final, NamedTuple, TypeAlias

from paddock_games.game import Choice, State


class Malformed(Enum):
    """The answer that could not be read."""

    MALFORMED = "malformed"


MALFORMED: Final = Malformed.MALFORMED


class Fallback(NamedTuple):
    """The answer of a client whose bot did not choose; it means the default choice."""

    reason: str


Answer: TypeAlias = int | Choice | Fallback | Malformed
"""The number of a legal choice, a choice, or that there is none."""


class Chosen(NamedTuple):
    """An answer that counts."""

    number: int  # of the choice among the legal ones
    fallback: str | None = None


class Wrong(NamedTuple):
    """An answer that does not count."""

    fault: str
    reason: str
    sentence: str


def judge(answer: Answer, legal: Sequence[Any], state: State, seat: int) -> Chosen | Wrong:
    """What an answer means, where these choices are legal."""
    if answer is MALFORMED:
        sentence = "the answer names neither a number nor a choice; send one of them"
        return Wrong("MALFORMED", "choice/malformed", sentence)
    if isinstance(answer, Fallback):
        return Chosen(legal.index(state.default(seat)), answer.reason)
    if isinstance(answer, int) and 0 <= answer < len(legal):
        return Chosen(answer)
    if answer in legal:
        return Chosen(legal.index(answer))
    sentence = f"{answer} is not one of the {len(legal)} legal choices; choose one of them"
    return Wrong("ILLEGAL", "choice/illegal", sentence)
