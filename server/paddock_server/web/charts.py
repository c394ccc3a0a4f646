"""Charts as SVG: colours and strokes come from the stylesheet, words from the caller."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from markupsafe import Markup, escape

_WIDTH: Final = 640
_HEIGHT: Final = 240
_LEFT: Final = 40
_BOTTOM: Final = 22
_TOP: Final = 8


class Dot(NamedTuple):
    """A rating after a match."""

    mu: float
    sigma: float


class CalibrationBand(NamedTuple):
    """Predictions of much the same chance: what was expected and what was seen, as parts of 1."""

    least: float  # where the band begins
    pairs: int
    expected: float
    seen: float
    low: float  # the truth lies from here
    high: float  # to here, at 95 %


def sparkline(values: Sequence[float], label: str) -> Markup:
    """A small line chart of values, the oldest first."""
    if len(values) < 2:
        return Markup("")
    low, high = min(values), max(values)
    span = (high - low) or 1.0
    step = 76 / (len(values) - 1)
    points = " ".join(
        f"{2 + number * step:.1f},{20 - 18 * (value - low) / span:.1f}"
        for number, value in enumerate(values)
    )
    kind = "up" if values[-1] >= values[0] else "down"
    return _svg(f"spark {kind}", "0 0 80 22", label, f'<polyline points="{points}"/>')


def interval(mu: float, sigma: float, low: float, high: float, label: str) -> Markup:
    """A bar from 3 sigma below to 3 sigma above, on a scale from low to high."""
    span = (high - low) or 1.0

    def x(value: float) -> float:
        return round(2 + 116 * min(max((value - low) / span, 0.0), 1.0), 1)

    left, right = x(mu - 3 * sigma), x(mu + 3 * sigma)
    drawn = (
        '<rect class="rail" x="0" y="6" width="120" height="2"/>'
        f'<rect class="range" x="{left}" y="3" width="{max(right - left, 2):.1f}" height="8" '
        'rx="4"/>'
        f'<rect class="middle" x="{x(mu) - 1.2:.1f}" y="1" width="2.4" height="12" rx="1"/>'
    )
    return _svg("interval", "0 0 120 14", label, drawn)


def history(dots: Sequence[Dot], label: str) -> Markup:
    """A rating over matches with its uncertainty band, the oldest first."""
    if not dots:
        return Markup("")
    low = min(dot.mu - 3 * dot.sigma for dot in dots)
    high = max(dot.mu + 3 * dot.sigma for dot in dots)
    ticks = _ticks(low, high)
    low, high = min(low, ticks[0]), max(high, ticks[-1])

    def x(number: int) -> float:
        return _LEFT + (_WIDTH - _LEFT - 8) * number / max(len(dots) - 1, 1)

    def y(value: float) -> float:
        return _TOP + (_HEIGHT - _TOP - _BOTTOM) * (1 - (value - low) / ((high - low) or 1.0))

    upper = [f"{x(number):.1f},{y(dot.mu + 3 * dot.sigma):.1f}" for number, dot in enumerate(dots)]
    lower = [f"{x(number):.1f},{y(dot.mu - 3 * dot.sigma):.1f}" for number, dot in enumerate(dots)]
    middle = [f"{x(number):.1f},{y(dot.mu):.1f}" for number, dot in enumerate(dots)]
    grid = "".join(
        f'<line class="grid" x1="{_LEFT}" x2="{_WIDTH - 8}" y1="{y(tick):.1f}" y2="{y(tick):.1f}"/>'
        f'<text class="tick" x="{_LEFT - 6}" y="{y(tick) + 4:.1f}">{tick:g}</text>'
        for tick in ticks
    )
    drawn = (
        f'{grid}<polygon class="band" points="{" ".join(upper + lower[::-1])}"/>'
        f'<polyline class="lower" points="{" ".join(lower)}"/>'
        f'<polyline class="line" points="{" ".join(middle)}"/>'
    )
    return _chart(drawn, label, _HEIGHT)


def reliability(bands: Sequence[CalibrationBand], label: str) -> Markup:
    """What was seen over what was expected, with intervals and the diagonal of the ideal."""
    if not bands:
        return Markup("")
    height = 320
    lowest = min(50, *(10 * int(10 * band.low) for band in bands))  # percent

    def x(part: float) -> float:
        return _LEFT + (_WIDTH - _LEFT - 16) * (2 * part - 1)

    def y(part: float) -> float:
        return _TOP + (height - _TOP - _BOTTOM) * (1 - part) / (1 - lowest / 100)

    drawn = [
        f'<line class="grid" x1="{_LEFT}" x2="{_WIDTH - 16}" y1="{y(tick / 100):.1f}" '
        f'y2="{y(tick / 100):.1f}"/>'
        f'<text class="tick" x="{_LEFT - 6}" y="{y(tick / 100) + 4:.1f}">{tick}</text>'
        for tick in range(lowest, 101, 10)
    ]
    drawn += [
        f'<text class="tick middle" x="{x(tick / 100):.1f}" y="{height - 6}">{tick}</text>'
        for tick in range(50, 101, 10)
    ]
    drawn.append(
        f'<line class="ideal" x1="{x(0.5):.1f}" y1="{y(0.5):.1f}" x2="{x(1):.1f}" y2="{y(1):.1f}"/>'
    )
    for band in bands:
        across = f"{x(band.expected):.1f}"
        drawn.append(
            f'<line class="reach" x1="{across}" x2="{across}" y1="{y(band.low):.1f}" '
            f'y2="{y(band.high):.1f}"/>'
            f'<circle class="dot" cx="{across}" cy="{y(band.seen):.1f}" r="5"/>'
        )
    return _chart("".join(drawn), label, height)


def distribution(shares: Mapping[str, int], width: int, label: str) -> Markup:
    """How often each range of points came; keys are where the ranges begin."""
    counts = {int(start): count for start, count in shares.items()}
    if not counts:
        return Markup("")
    first, last = min(counts), max(counts)
    places = range(first, last + 1, width)
    most = max(counts.values())
    room = (_WIDTH - _LEFT - 8) / len(places)
    height = 160
    drawn = []
    for number, start in enumerate(places):
        count = counts.get(start, 0)
        tall = (height - _TOP - _BOTTOM) * count / most
        left = _LEFT + room * number
        drawn.append(
            f'<rect class="bar" x="{left + 1:.1f}" y="{height - _BOTTOM - tall:.1f}" '
            f'width="{max(room - 2, 1):.1f}" height="{tall:.1f}" rx="2"/>'
        )
        if number % max(1, len(places) // 12) == 0:
            middle = f'x="{left + room / 2:.1f}" y="{height - 6}"'
            drawn.append(f'<text class="tick middle" {middle}>{start}</text>')
    return _chart("".join(drawn), label, height)


def pair(mine: float, theirs: float, most: float, label: str) -> Markup:
    """Two bars under each other: mine, and the field's."""

    def long(value: float) -> float:
        return round(200 * max(value, 0.0) / (most or 1.0), 1)

    drawn = (
        f'<rect class="bar" x="0" y="1" width="{long(mine)}" height="8" rx="2"/>'
        f'<rect class="field" x="0" y="10" width="{long(theirs)}" height="6" rx="2"/>'
    )
    return _svg("pair", "0 0 200 18", label, drawn)


def progress(part: float, label: str) -> Markup:
    """A progress bar."""
    done = round(400 * min(max(part, 0.0), 1.0), 1)
    drawn = (
        '<rect class="rail" width="400" height="12" rx="6"/>'
        f'<rect class="done" width="{done}" height="12" rx="6"/>'
    )
    return _svg("progress", "0 0 400 12", label, drawn)


def _chart(drawn: str, label: str, height: int) -> Markup:
    return _svg("chart", f"0 0 {_WIDTH} {height}", label, drawn)


def _svg(kind: str, box: str, label: str, drawn: str) -> Markup:
    """A picture; the label alone may come from outside."""
    attributes = f'class="{kind}" viewBox="{box}" role="img" aria-label="{escape(label)}"'
    return Markup(f"<svg {attributes}>{drawn}</svg>")  # noqa: S704 -- the label is escaped


def _ticks(low: float, high: float) -> list[float]:
    """Round numbers from just below low to just above high."""
    step = next(s for s in (1, 2, 5, 10, 20, 50, 100, 10**9) if (high - low) / s <= 6)
    first = int(low // step) * step
    ticks = [float(first)]
    while ticks[-1] < high:
        ticks.append(ticks[-1] + step)
    return ticks
