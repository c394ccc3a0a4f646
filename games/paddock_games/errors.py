"""The errors of the rules.

GamesError            the root; `reason` is stable, `where` names the field
├── IllegalChoice     a choice that is not among the legal ones
├── BadRules          an unknown format, seat count or rule option
├── BadPosition       a position that no game can reach, or that can't be read
├── BadRecord         a match record that can't be read, or that does not check out
└── BadRequest        a request for the rules that can't be read
"""

from typing import ClassVar


class GamesError(ValueError):
    """The root of all errors of the rules."""

    reason: ClassVar[str] = "games/error"

    def __init__(self, where: str, sentence: str) -> None:
        super().__init__(f"{where}: {sentence}" if where else sentence)
        self.where = where
        self.sentence = sentence


class IllegalChoice(GamesError):
    """Raised when a seat chooses what it may not choose, or when it is not its turn to choose."""

    reason = "choice/illegal"


class BadRules(GamesError):
    """Raised when a format, a number of seats or a rule option is unknown or out of range."""

    reason = "rules/unknown"


class BadPosition(GamesError):
    """Raised when a position can't be read or can't arise in a game."""

    reason = "position/impossible"


class BadRecord(GamesError):
    """Raised when a match record can't be read or does not check out."""

    reason = "record/wrong"


class BadRequest(GamesError):
    """Raised when a request for the rules can't be read, or asks for what is not there."""

    reason = "request/wrong"
