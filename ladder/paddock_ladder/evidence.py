"""The evidence of matches about their bots, each match given the evidence of all others.

A history goes through its matches again and again. So a match keeps its last evidence, four
numbers per seat: what it says of the bot, and what the ranks below say of the seat's performance.
From there one pass through the match is enough each time, down the ranks and up again; as the
history comes to rest, so do its matches.
"""

from array import array
from collections.abc import Callable, Sequence
from math import erfc, exp, sqrt
from typing import Final, NamedTuple

from paddock_ladder.played import RankedResult
from paddock_ladder.rating import Parameters
from paddock_ladder.ties import Group, tie_margin, together
from paddock_ladder.truncation import FAR, MOST, ROOT_HALF, TWICE_DENSITY, win

BATCH: Final = 5_000  # matches between two reports of progress


class Known(NamedTuple):
    """The belief about every bot: its precision, precision times mean, and where it is heading."""

    pi: list[float]
    tau: list[float]
    mu: list[float]  # tau over pi
    drift: list[float]  # what the mean will have moved by once the others have moved too


class Said(NamedTuple):
    """The evidence about every bot: its precision, and precision times mean."""

    pi: list[float]
    tau: list[float]


class Evidence:
    """The evidence of all matches of a history."""

    def __init__(self, matches: Sequence[RankedResult], parameters: Parameters) -> None:
        self._matches = matches
        self._margin = parameters.margin
        self._tie_margin = tie_margin(parameters)
        self._luck = parameters.beta**2
        self._stride = 1.0
        self._least = parameters.sigma**-2  # nobody is less certain than before all matches
        # By seat: the message to the bot, and the one from the ranks below, relative to its mean.
        self._last = array("d", bytes(8 * 4 * sum(len(bots) for bots, *_ in matches)))

    def weigh(self, known: Known, stride: float, done: Callable[[int], None]) -> Said:
        """What all matches say, given what is known; `done` hears how many are weighed so far.

        `stride` is how far they go from what they said last to what they would say now.
        """
        self._stride = stride
        bots = len(known.pi)
        said = Said([0.0] * bots, [0.0] * bots)
        start = 0
        for number in range(0, len(self._matches), BATCH):
            done(number)
            start = self._hear(self._matches[number : number + BATCH], start, known, said)
        done(len(self._matches))
        return said

    def _hear(  # noqa: PLR0915  # the hottest loop of a history: calls would cost half of it
        self, matches: Sequence[RankedResult], start: int, known: Known, said: Said
    ) -> int:
        """Weigh matches again, whose last evidence begins at `start`; where it ends."""
        pis, taus, mus, drifts = known
        stride = self._stride
        said_pi, said_tau = said
        last, margin, luck, least = self._last, self._margin, self._luck, self._least
        steps: list[tuple[float, ...]] = []  # of one match; all are taken out on the way up
        groups: list[Group] = []
        for match in matches:
            bots, sizes, times, _ = match
            seat = 0
            up_pi = up_tau = 0.0
            for size in sizes:  # down: each step is heard again, by what is above and was below
                bot = bots[seat]
                if size == 1:
                    pi = pis[bot] - last[start]
                    if pi < least:  # noqa: PLR1730
                        pi = least
                    own_pi = pi / (1 + luck * pi)
                    own_tau = own_pi * ((taus[bot] - last[start + 1]) / pi + drifts[bot])
                else:
                    groups.append(self._group(bots[seat : seat + size], start, known))
                    mean, spread = groups[-1].level(0.0, 0.0)
                    own_pi, own_tau = 1 / spread, mean / spread
                step_pi = step_tau = above_pi = above_tau = 0.0
                if seat:
                    below_pi = last[start + 2]
                    low_pi = own_pi + below_pi
                    low_tau = own_tau + last[start + 3] + below_pi * mus[bot]
                    up, low = 1 / up_pi, 1 / low_pi
                    root = 1 / sqrt(up + low)
                    t = (up_tau * up - low_tau * low) * root
                    x = t - margin * root
                    if x > FAR:  # the same as `win`, whose call would cost a twentieth
                        v = TWICE_DENSITY * exp(-0.5 * x * x) / erfc(-x * ROOT_HALF)
                        w = v * (v + x)
                        if w > MOST:  # noqa: PLR1730
                            w = MOST
                    else:
                        v, w = win(t, margin * root)
                    scale = root / (1 - w)
                    step_pi, step_tau = w * root * scale, (t * w + v) * scale
                    part = 1 / (step_pi + up_pi)
                    above_pi = step_pi * up_pi * part
                    above_tau = (step_pi * up_tau - step_tau * up_pi) * part
                up_pi, up_tau = own_pi + above_pi, own_tau + above_tau
                steps.append((own_pi, own_tau, above_pi, above_tau, step_pi, step_tau))
                seat += size
                start += 4 * size
            below_pi = below_tau = 0.0
            for size in reversed(sizes):  # up: what both sides say is said
                own_pi, own_tau, above_pi, above_tau, step_pi, step_tau = steps.pop()
                seat -= size
                start -= 4 * size
                bot = bots[seat]
                pi, tau = above_pi + below_pi, above_tau + below_tau
                if size == 1:
                    part = 1 / (1 + luck * pi)  # what is said of a performance, for the strength
                    old_pi, old_tau = last[start], last[start + 1]
                    last[start] = pi = old_pi + stride * (pi * part - old_pi)
                    last[start + 1] = tau = old_tau + stride * (tau * part - old_tau)
                    said_pi[bot] += times * pi
                    said_tau[bot] += times * tau
                else:
                    groups[-1].take_in(pi, tau)
                    self._say(groups.pop(), match, seat=seat, start=start, known=known, said=said)
                last[start + 2], last[start + 3] = below_pi, below_tau - below_pi * mus[bot]
                low_pi, low_tau = own_pi + below_pi, own_tau + below_tau
                part = 1 / (step_pi + low_pi)
                below_pi = step_pi * low_pi * part
                below_tau = (step_pi * low_tau + step_tau * low_pi) * part
            start += 4 * len(bots)
        return start

    def _group(self, bots: Sequence[int], start: int, known: Known) -> Group:
        """Those who tied, without what the match said before.

        What a tie says does not depend on what the ranks above and below say, to five digits, so
        it is asked once, before these have spoken.
        """
        means, spreads = [], []
        for bot in bots:
            pi, mean = self._without(bot, start, known)
            means.append(mean)
            spreads.append(1 / pi)
            start += 4
        return together(means, spreads, (0.0, 0.0), self._tie_margin)

    def _without(self, bot: int, start: int, known: Known) -> tuple[float, float]:
        """Precision and mean of a bot's performance, without what the match said before."""
        pi = max(known.pi[bot] - self._last[start], self._least)
        mean = (known.tau[bot] - self._last[start + 1]) / pi + known.drift[bot]
        return pi / (1 + self._luck * pi), mean

    def _say(
        self, group: Group, match: RankedResult, seat: int, start: int, known: Known, said: Said
    ) -> None:
        """Say to those who tied what is known of each of them now."""
        for place, now in enumerate(group.mean):
            bot = match.bots[seat + place]
            before, mean = self._without(bot, start, known)
            after = 1 / group.covariance[place][place]
            pi = max(0.0, after - before)
            part = 1 / (1 + self._luck * pi)
            old_pi, old_tau = self._last[start], self._last[start + 1]
            pi = old_pi + self._stride * (pi * part - old_pi)
            tau = old_tau + self._stride * ((now * after - mean * before) * part - old_tau)
            self._last[start], self._last[start + 1] = pi, tau
            said.pi[bot] += match.times * pi
            said.tau[bot] += match.times * tau
            start += 4
