"""The report on a bot: the outcome of each point, with the exchange where one failed."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from paddock_server.basics.errors import ServerError


class Failed(ServerError):
    """Raised when the bot does something wrong; the text is the sentence of the outcome."""

    reason = "bot/failed"


class Gone(Failed):
    """Raised when the bot ended a stream that a point still needs."""


class Outcome(NamedTuple):
    """The outcome of one point."""

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
        """The outcome as an object for `--json`."""
        return {
            "point": self.point,
            "passed": self.passed,
            "sentence": self.sentence,
            "exchange": list(self.exchange),
            "output": list(self.output),
        }


def summary(outcomes: Sequence[Outcome]) -> str:
    """The number of points that passed, failed and were skipped."""
    counts = dict.fromkeys(("passed", "failed", "skipped"), 0)
    for outcome in outcomes:
        counts[outcome.word] += 1
    shown = ", ".join(f"{count} {word}" for word, count in counts.items())
    return f"{len(outcomes)} points: {shown}"
