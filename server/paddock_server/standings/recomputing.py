"""Standings: the strengths of a format's bots, computed from its whole history at once.

That needs numpy and a core for a while, so a server does it in another process (upkeep.py), and
`paddock ladder recompute` does it in the foreground.
"""

import math
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from paddock_ladder.calibration import Prediction, calibration
from paddock_ladder.doubt import Guest, Repeats, Showing
from paddock_ladder.history import Tell
from paddock_ladder.joint import Posterior, Scored, fit_prior, joint, points_table
from paddock_ladder.joint.prior import BOTS, Prior
from paddock_ladder.leaning import Leanings
from paddock_ladder.played import Played
from paddock_ladder.rating import PROVISIONAL, Parameters, Rating
from paddock_ladder.standing import Place
from paddock_server.basics.identity import stamp
from paddock_server.standings.calibrating import calibration_now, read_predictions
from paddock_server.store import epochs, ratings, standings
from paddock_server.store.connection import Connection
from paddock_server.store.epochs import Epoch
from paddock_server.store.ratings import RatedSeat
from paddock_server.store.recent import owners_of, seconds_of
from paddock_server.store.standings import Standing, Strength, pack_covariance

_SUREST: Final = 1e-6  # no strength is known better
_SAME: Final = 0.01  # part of beta: a fit that changes less begins no new epoch


class History(NamedTuple):
    """The rated matches of a format.

    Each version of a bot counts as a bot of its own, and so does a version that comes back after
    another one. So nobody gains by going back to the version that was luckiest.
    """

    played: Sequence[Played]
    parts: Sequence[float]  # how much of each match counts
    scored: Sequence[Scored]  # the same matches by points
    latest: Sequence[str]  # the version that each bot played with last, as it is in `played`
    matches: Counter[str]  # by version
    covered: int  # the last match, in the order in which matches were rated

    @property
    def placed(self) -> list[str]:
        """The versions that played last, and often enough for a place on the standing."""
        return [name for name in self.latest if self.matches[name] >= PROVISIONAL]


def read_history(
    connection: Connection, format_name: str, read: Callable[[int, int], None] | None = None
) -> History:
    """The history of a format; `read` is called with the matches read so far and their number."""
    count = ratings.count_rated(connection, format_name)
    played: list[Played] = []
    parts: list[float] = []
    scored: list[Scored] = []
    latest: dict[str, str] = {}
    matches: Counter[str] = Counter()
    covered = 0
    times: Counter[str] = Counter()  # how often a version came or came back
    doubt = _Doubt(connection, epochs.parameters_of(connection, format_name))
    rated = ratings.rated_matches(connection, format_name)
    showings = ratings.rated_before(connection, format_name)
    for match, before in zip(rated, showings, strict=True):
        parts.append(doubt.part([seat.bot for seat in match.seats], before, match.ended))
        names = []
        for seat in match.seats:
            version = f"{seat.bot}\n{seat.version}\n"
            if not latest.get(seat.bot, "").startswith(version):
                times[version] += 1
                latest[seat.bot] = f"{version}{times[version]}"
            names.append(latest[seat.bot])
        played.append((names, [seat.rank for seat in match.seats]))
        scored.append(Scored(names, [float(seat.total) for seat in match.seats]))
        matches.update(names)
        covered = match.order
        if read is not None:
            read(len(played), count)
    return History(
        played=played,
        parts=[1.0] * len(parts) if doubt.alone else parts,
        scored=scored,
        latest=sorted(latest.values()),
        matches=matches,
        covered=covered,
    )


class _Doubt:
    """The doubt of the live table, match by match, and with a longer memory."""

    def __init__(self, connection: Connection, parameters: Parameters) -> None:
        self._connection = connection
        self._parameters = parameters
        self._repeats = Repeats()
        self._leanings = Leanings()
        self._owners: dict[str, str] = {}

    @property
    def alone(self) -> bool:
        """Whether only two owners played so far."""
        return self._repeats.alone

    def part(self, bots: Sequence[str], seats: Sequence[RatedSeat], ended: str) -> float:
        """How much of the next match counts: the geometric mean over its seats, so that it says
        nothing where it says nothing to one of them."""
        new = [bot for bot in bots if bot not in self._owners]
        self._owners.update(zip(new, owners_of(self._connection, new), strict=True))
        table = [
            Guest(bot, self._owners[bot], Showing(*seat))
            for bot, seat in zip(bots, seats, strict=True)
        ]
        parts = self._repeats.parts(table, seconds_of(ended), self._parameters)
        parts += self._leanings.parts(table, self._parameters)
        return math.prod(parts) ** (1 / len(bots))


def bot_and_version(name: str) -> tuple[str, str]:
    """The bot and the version that a name in a history stands for."""
    bot, rest = name.split("\n", 1)
    return bot, rest.rpartition("\n")[0]


def strengths_of(history: History, parameters: Parameters, tell: Tell | None = None) -> Posterior:
    """The strengths of all versions by a history.

    The spread of the format's bots is fitted to its matches each time. With the spread of a
    newcomer's rating, which is wider, too few rank intervals hold (bench.truth).
    """
    constants = _fit(history, parameters).spreading(parameters)
    return joint(history.played, constants, tell=tell, parts=history.parts).posterior


def compute(history: History, epoch: Epoch, tell: Tell | None = None) -> Standing:
    """The standing of a format; raises BadRating if its matches do not fit the constants."""
    begun = time.monotonic()
    everybody = strengths_of(history, epoch.parameters, tell)
    places = {place.bot: place for place in everybody.of(history.placed).places()}
    posterior = everybody.of(history.latest)
    strengths_now = {
        name: Rating(mu, max(error, _SUREST))
        for name, mu, error in zip(
            history.latest, posterior.mu.tolist(), posterior.error.tolist(), strict=True
        )
    }
    by_points = points_table(history.scored).posterior.of(history.latest)
    mean = float(by_points.mu.mean()) if history.latest else 0.0
    scores = {
        name: Rating(mu - mean, max(error, _SUREST))
        for name, mu, error in zip(
            history.latest, by_points.mu.tolist(), by_points.error.tolist(), strict=True
        )
    }
    points_places = {place.bot: place for place in by_points.of(history.placed).places()}
    order = sorted(
        history.latest,
        key=lambda name: (
            places[name].rank if name in places else len(places) + 1,
            -strengths_now[name].mu,
        ),
    )
    strengths = []
    for name in order:
        bot, version = bot_and_version(name)
        strengths.append(
            Strength(
                bot,
                version,
                history.matches[name],
                strengths_now[name],
                _place_of(bot, places.get(name)),
                points=scores[name],
                points_place=_place_of(bot, points_places.get(name)),
            )
        )
    return Standing(
        format=epoch.format,
        epoch=epoch.number,
        computed=stamp(),
        seconds=time.monotonic() - begun,
        covered=history.covered,
        matches=len(history.played),
        strengths=tuple(strengths),
        covariance=pack_covariance(posterior.of(order).covariance.tolist()),
    )


def _fit(history: History, parameters: Parameters) -> Prior:
    """The prior that fits a history; the versions of a bot are one bot."""
    return fit_prior(history.played, parameters, history.parts, bots=len(history.latest))


def _place_of(bot: str, place: Place | None) -> Place | None:
    """The place of a version as that of its bot."""
    return place and place._replace(bot=bot)


class Material(NamedTuple):
    """The input of a standing and its calibration, as of one moment."""

    epoch: Epoch
    history: History
    predictions: Sequence[Prediction]  # of the live ratings


def read_material(connection: Connection, format_name: str) -> Material:
    """What the standing of a format is computed from, with the constants in force."""
    epoch = epochs.current(connection, format_name)
    history = read_history(connection, format_name)
    return Material(epoch, history, read_predictions(connection, format_name))


def standing_of(material: Material) -> Standing:
    """The standing with its calibration."""
    standing = compute(material.history, material.epoch)
    matches = len(material.history.played)
    return standing._replace(calibration=calibration(matches, material.predictions))


class Recomputed(NamedTuple):
    """A standing, and the epoch that it was computed in."""

    standing: Standing
    epoch: Epoch
    begins: bool  # the epoch is new, so that live ratings have to be computed again, too

    def keep(self, connection: Connection) -> "Recomputed":
        """Store the standing with its calibration, and the epoch if it is new; what was stored.

        Surprises and predictions are those of the live ratings, which a new epoch changes; so it
        computes the standing once more.
        """
        format_name, standing = self.epoch.format, self.standing
        if self.begins:
            epochs.begin(connection, self.epoch)
            ratings.rate_again(connection, format_name, since=0)
            standing = compute(read_history(connection, format_name), self.epoch)
        else:
            ratings.add_up(connection, format_name)
        calibration = calibration_now(connection, format_name)
        kept = self._replace(standing=standing._replace(calibration=calibration))
        standings.save(connection, kept.standing)
        return kept


def recompute(
    connection: Connection,
    format_name: str,
    *,
    fit: bool = False,
    read: Callable[[int, int], None] | None = None,
    tell: Tell | None = None,
) -> Recomputed:
    """The standing of a format as of now, with the constants of the latest epoch or a new one.

    With `fit`, beta is fitted to the matches.
    """
    history = read_history(connection, format_name, read)
    before = epochs.current(connection, format_name)
    epoch = _fitted(history, before) if fit else _by_code(before)
    return Recomputed(compute(history, epoch, tell), epoch, epoch.number != before.number)


def _fitted(history: History, before: Epoch) -> Epoch:
    """The next epoch by a fit; the same epoch if the fit hardly changes anything."""
    constants = epochs.constants_of(before.format)
    prior = _fit(history, constants)
    parameters = prior.applied(constants)
    same = replace(before.parameters, beta=parameters.beta) == parameters
    if same and abs(parameters.beta / before.parameters.beta - 1) < _SAME:
        return before
    why = f"fitted to {prior.bots} bots"
    if not prior.fitted:
        why = f"the usual one, because a fit needs {BOTS} bots and there are {prior.bots}"
    return before.next(parameters, why, fitted=True)


def _by_code(before: Epoch) -> Epoch:
    """The next epoch by this code's constants; the same epoch if they are in force."""
    wanted = epochs.wanted(before)
    if wanted == before.parameters:
        return before
    return before.next(wanted, "new constants of Paddock", fitted=before.fitted)
