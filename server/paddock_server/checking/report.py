"""What is found out about a bot: point by point, with the exchange where one failed."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from paddock_server.basics.errors import ServerError


class Failed(ServerError):
    """Raised when the bot does what a point does not allow; the text is the sentence for it."""

    reason = "bot/failed"


class Gone(Failed):
    """Raised when the bot ended a stream that a point still needs."""


class Outcome(NamedTuple):
    """What became of one point."""

    point: str
    passed: bool | None  # None: skipped
    sentence: str
    exchange: tuple[str, ...] = ()  # the last frames, where it failed
    output: tuple[str, ...] = ()  # the bot's last lines, where it failed

    @property
    def word(self) -> str:
        """Passed, failed or skipped."""
        return "skipped" if self.passed is None else "passed" if self.passed else "failed"

    def as_json(self) -> dict[str, Any]:
        """For a program."""
        return {
            "point": self.point,
            "passed": self.passed,
            "sentence": self.sentence,
            "exchange": list(self.exchange),
            "output": list(self.output),
        }


def summary(outcomes: Sequence[Outcome]) -> str:
    """All in one sentence."""
    counts = dict.fromkeys(("passed", "failed", "skipped"), 0)
    for outcome in outcomes:
        counts[outcome.word] += 1
    shown = ", ".join(f"{count} {word}" for word, count in counts.items())
    return f"{len(outcomes)} points: {shown}"
