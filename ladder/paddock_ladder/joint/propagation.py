"""The joint posterior of a whole history: all strengths at once, and how their errors go together.

The model is that of `paddock_ladder.history`: strengths are normal, mu and sigma wide, and never
change. But where that keeps one number per bot for how sure it is, this keeps the whole covariance
(expectation propagation with full covariance): with P and r what a match says of its bots,

    Lambda = I / sigma^2 + sum of P,  h = sum of r,  V = Lambda^-1,  strengths ~ N(mu + V h, V)

again and again until nothing moves. Matches are put in a canonical order first, so the result
is the same, to the last bit, in whatever order they come.

It is a pure function. Nearly all of its time passes within numpy, without the
interpreter's lock; sorting many matches does not, so a server with a clock runs it in a process of
its own.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from paddock_ladder.history import Progress, Tell
from paddock_ladder.joint.links import DAMPING, Batch, Sites
from paddock_ladder.joint.posterior import Posterior
from paddock_ladder.joint.tails import Array
from paddock_ladder.played import Played, RankedResult, in_order
from paddock_ladder.rating import BadRating, Parameters

STILL: Final = 1e-3
"""At rest: no mu moves by more than this part of its sigma in a sweep, no sigma by more than this
part of itself."""

_SWEEPS: Final = 2_000  # at most; ten to thirty are usual
_FEW: Final = 3  # sweeps in which links are heard more than once
_PATIENCE: Final = 6  # sweeps in a row that may move further than an earlier one
_AT_A_TIME: Final = 4_096  # matches of a batch: they stay in the cache, and no call takes long


class Kept(NamedTuple):
    """The last evidence of the matches of one shape."""

    sizes: tuple[int, ...]  # how many share each rank
    rows: NDArray[np.intp]  # matches x seats, by the bots' numbers in the posterior
    sites: Sites


class Joint(NamedTuple):
    """A posterior with the evidence of its matches, from which the next one can start."""

    posterior: Posterior
    kept: tuple[Kept, ...]
    sweeps: int


def joint(
    matches: Iterable[Played],
    parameters: Parameters,
    earlier: Joint | None = None,
    still: float = STILL,
    tell: Tell | None = None,
    *,
    parts: Sequence[float] | None = None,
) -> Joint:
    """The joint posterior of matches, as names and ranks by seat, in any order.

    `tell` receives the progress, sweep by sweep. `parts` says how much of every match counts, from
    0 to 1: the likelihood of its result to that power.

    With an `earlier` one, of much the same matches, it takes fewer sweeps to the same end, as far
    as `still` goes; to the last bit it is the same only from scratch.
    """
    if not still > 0:
        raise BadRating(
            f"still: {still} can't be reached; give a small part of a sigma, like 0.001"
        )
    names, played = in_order(matches, parts)
    by_shape: dict[tuple[int, ...], list[RankedResult]] = {}
    for match in played:
        by_shape.setdefault(match.sizes, []).append(match)
    batches = [
        batch
        for sizes, some in sorted(by_shape.items())
        for batch in _batches(some, sizes, parameters)
    ]
    if earlier is not None:
        _take_up(batches, names, earlier)
    bots = len(names)
    mu, covariance = _together(batches, bots, parameters)
    damping, least, stale = DAMPING, math.inf, 0
    for sweep in range(1, _SWEEPS + 1):
        first = sweep <= _FEW and earlier is None
        for batch in batches:
            batch.hear(mu, covariance, damping, first=first)
        old_mu, old = mu, covariance
        mu, covariance = _together(batches, bots, parameters)
        moved = _furthest(mu - old_mu, covariance, old) / damping
        if tell is not None:
            tell(Progress(sweep, len(played), len(played), moved))
        least, stale = (moved, 0) if moved < least else (least, stale + 1)
        if stale == _PATIENCE:  # many copies of one match overshoot together
            damping, stale = damping / 2, 0
        if moved < still and not first:
            break
    else:
        raise BadRating(
            f"matches: no convergence within {_SWEEPS} sweeps; give a larger beta or still"
        )
    posterior = Posterior(tuple(names), parameters.mu + mu, covariance)
    return Joint(posterior, _kept(batches), sweep)


def _batches(
    matches: Sequence[RankedResult], sizes: tuple[int, ...], parameters: Parameters
) -> Iterator[Batch]:
    for start in range(0, len(matches), _AT_A_TIME):
        some = matches[start : start + _AT_A_TIME]
        rows = np.array([match.bots for match in some], dtype=np.intp)
        times = np.array([match.times for match in some], dtype=np.float64)
        parts = np.array([match.part for match in some], dtype=np.float64)
        yield Batch(rows, times, parts, sizes, parameters)


def _together(batches: Sequence[Batch], bots: int, parameters: Parameters) -> tuple[Array, Array]:
    """The strengths less the prior mean by all matches together, and their covariance."""
    precision = np.zeros(bots * bots)
    shift = np.zeros(bots)
    for batch in batches:
        says, moves = batch.says()
        cells = batch.bots[:, :, None] * bots + batch.bots[:, None, :]
        precision += np.bincount(cells.ravel(), says.ravel(), bots * bots)
        shift += np.bincount(batch.bots.ravel(), moves.ravel(), bots)
    whole = precision.reshape(bots, bots) + np.eye(bots) / parameters.sigma**2
    covariance = np.linalg.inv((whole + whole.T) / 2)
    covariance = (covariance + covariance.T) / 2
    return covariance @ shift, covariance


def _furthest(moves: Array, covariance: Array, before: Array) -> float:
    """The largest move of a mu, in its own sigmas, or of a sigma, in parts of itself."""
    variance, old = np.diag(covariance), np.diag(before)
    parts = np.maximum(np.abs(moves) / np.sqrt(variance), np.abs(variance - old) / (2 * variance))
    return float(parts.max(initial=0.0))


def _kept(batches: Sequence[Batch]) -> tuple[Kept, ...]:
    shapes = []
    for sizes, some in groupby(batches, key=lambda batch: batch.sizes):
        same = list(some)
        sites = zip(*(batch.sites for batch in same), strict=True)
        rows = np.concatenate([batch.bots for batch in same])
        shapes.append(Kept(sizes, rows, Sites(*map(np.concatenate, sites))))
    return tuple(shapes)


def _take_up(batches: Sequence[Batch], names: Sequence[str], earlier: Joint) -> None:
    """Give matches that were in the earlier posterior their evidence from there."""
    numbers = {name: number for number, name in enumerate(names)}
    gone = len(names)
    now = np.array([numbers.get(bot, gone) for bot in earlier.posterior.bots], dtype=np.intp)
    before = {shape.sizes: shape for shape in earlier.kept}
    for sizes, some in groupby(batches, key=lambda batch: batch.sizes):
        shape = before.get(sizes)
        if shape is None:
            continue
        places = {row.tobytes(): place for place, row in enumerate(now[shape.rows])}
        for batch in some:
            rows = np.array([places.get(row.tobytes(), -1) for row in batch.bots])
            for mine, theirs in zip(batch.sites, shape.sites, strict=True):
                mine[rows >= 0] = theirs[rows[rows >= 0]]
