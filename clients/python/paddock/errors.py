"""Errors that end a session for good.

PaddockError           the root; `exit_code` is what `run` ends the process with
├── BadSettings        the settings of `run` are invalid
├── Refused            the server refuses this bot, and another attempt won't help
└── Unreachable        no connection for longer than `give_up_after`
"""

from typing import ClassVar


class PaddockError(Exception):
    """Raised when a session can't go on."""

    exit_code: ClassVar[int] = 1


class BadSettings(PaddockError):
    """Raised when the settings of a server, a token or a bot are invalid."""

    exit_code = 2


class Refused(PaddockError):
    """Raised when the server refuses the bot for good; `reason` is stable, the text says more."""

    exit_code = 2

    def __init__(self, reason: str, sentence: str) -> None:
        super().__init__(f"{reason}: {sentence}" if reason else sentence)
        self.reason = reason
        self.sentence = sentence


class Unreachable(PaddockError):
    """Raised when there was no connection for longer than `give_up_after`."""
