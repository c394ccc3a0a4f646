"""Bounds of numbers in settings, written into their types: `Annotated[float, OR_ZERO]`."""

from typing import Final, NamedTuple

_MOST: Final = 1e12  # far more than any setting means, and no infinity


class Bounds(NamedTuple):
    """The smallest number that a setting may be, and whether it may be exactly that."""

    least: float
    inclusive: bool

    def problem(self, number: float) -> str:
        """What the number must be if it is out of bounds, such as `at least 0`; else empty."""
        if number < self.least or (number == self.least and not self.inclusive):
            return f"at least {self.least:g}" if self.inclusive else f"more than {self.least:g}"
        return "" if number < _MOST else "a finite number below 1e12"  # nan and inf are neither


POSITIVE: Final = Bounds(0, inclusive=False)
"""The bounds of a number whose type says nothing else."""

OR_ZERO: Final = Bounds(0, inclusive=True)
