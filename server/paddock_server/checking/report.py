"""The report on a bot: the result of each point, with the exchange where one failed."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from paddock_server.basics.errors import ServerError


class Failed(ServerError):
    """Raised when the bot does something wrong; the text is the sentence of the result."""

    reason = "bot/failed"


class Gone(Failed):
    """Raised when the bot ended a stream that a point still needs."""


class NotUsed(ServerError):
    """Raised when a point is about something that a bot may leave out, and this bot does."""


class PointResult(NamedTuple):
    """The result of one point."""

    point: str
    passed: bool | None  # None: it was not judged
    sentence: str
    exchange: tuple[str, ...] = ()  # the last frames, where it failed
    output: tuple[str, ...] = ()  # the bot's last lines, where it failed
    used: bool = True  # False: the bot does without what the point is about

    @property
    def word(self) -> str:
        """Passed, failed, skipped or not used."""
        if self.passed is None:
            return "skipped" if self.used else "not used"
        return "passed" if self.passed else "failed"

    def as_json(self) -> dict[str, Any]:
        """The result as an object for `--json`."""
        return {
            "point": self.point,
            "outcome": self.word,
            "passed": self.passed,
            "sentence": self.sentence,
            "exchange": list(self.exchange),
            "output": list(self.output),
        }


def summary(results: Sequence[PointResult]) -> str:
    """The number of points that passed, failed and were skipped, and that are not used if any."""
    counts = dict.fromkeys(("passed", "failed", "skipped"), 0)
    for result in results:
        counts[result.word] = counts.get(result.word, 0) + 1
    shown = ", ".join(f"{count} {word}" for word, count in counts.items())
    return f"{len(results)} points: {shown}"
