"""The error of schedules."""

from typing import ClassVar


class BadSchedule(ValueError):
    """Raised when a schedule can't be made from its entries, or can't go on from its history.

    `where` names the field of the entries, or `history`, or `pool` for that of a ladder.
    """

    reason: ClassVar[str] = "schedule/impossible"

    def __init__(self, where: str, sentence: str) -> None:
        super().__init__(f"{where}: {sentence}")
        self.where = where
        self.sentence = sentence
