"""Wording of numbers, durations and lists, for terminals, pages and sentences."""

from collections.abc import Iterable
from typing import Final

_UNITS: Final = ((86_400, "d"), (3_600, "h"), (60, "min"), (1, "s"))
_MOST_DIGITS: Final = 6


def counted(number: int, one: str, many: str) -> str:
    """A number and what it counts: 1 match, 2 matches."""
    return f"{number:,} {one if number == 1 else many}"


def listed(names: Iterable[str], word: str = "and") -> str:
    """Names in a sentence: ada, bob and cyd."""
    *others, last = names
    return f"{', '.join(others)} {word} {last}" if others else last


def lasting(seconds: float) -> str:
    """A duration in its two largest units: 3 min 20 s."""
    left = max(0, round(seconds))
    if left >= 3600:  # nobody counts the seconds of hours
        left = round(left / 60) * 60
    parts = []
    for size, unit in _UNITS:
        if left >= size:
            parts.append(f"{left // size} {unit}")
            left %= size
    return " ".join(parts[:2]) or "0 s"


def likelihood(chance: float) -> str:
    """A chance in percent, with one decimal; nothing is certain, nor reads as if it were."""
    shown = f"{100 * chance:.1f}"
    return {"100.0": "> 99.9", "0.0": "< 0.1"}.get(shown, shown)


def digits(numbers: Iterable[float | None], least: int) -> int:
    """The number of decimals that tells these numbers apart, at least `least`."""
    different = {number for number in numbers if number is not None}
    for count in range(least, _MOST_DIGITS):
        if len({f"{number:.{count}f}" for number in different}) == len(different):
            return count
    return _MOST_DIGITS
