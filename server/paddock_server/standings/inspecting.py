"""Inspection of a ladder, for organisers: its calibration, and results hard to believe.

Both read the whole history of a format, and need numpy and a while.
"""

from collections.abc import Sequence

from paddock_ladder.calibration import Calibration, Coverage, Interval, coverage
from paddock_ladder.joint import joint
from paddock_ladder.played import Played
from paddock_ladder.rating import Parameters, Rating
from paddock_ladder.standing import Place
from paddock_ladder.suspects import Suspect, pair_results, suspects
from paddock_server.standings.calibrating import calibration_now
from paddock_server.standings.recomputing import (
    History,
    bot_and_version,
    read_history,
    strengths_of,
)
from paddock_server.standings.suspicions import Suspicion
from paddock_server.store import epochs
from paddock_server.store.connection import Connection


def find_suspicions(connection: Connection, format_name: str) -> list[Suspicion]:
    """The pairs of bots of which one wins too often against the other, by the whole history."""
    history = read_history(connection, format_name)
    parameters = epochs.parameters_of(connection, format_name)
    return [
        Suspicion(
            format_name,
            *bot_and_version(pair.one),
            *bot_and_version(pair.other),
            meetings=pair.meetings,
            wins=pair.wins,
            expected=pair.expected,
            chance=pair.chance,
        )
        for pair in suspected(history.played, parameters)
    ]


def suspected(played: Sequence[Played], parameters: Parameters) -> list[Suspect]:
    """The same by matches alone: bots that beat others more often than all matches explain.

    Every match counts in full, because the test expects strengths that explain all of them.
    """
    posterior = joint(played, parameters).posterior
    each = zip(posterior.bots, posterior.mu.tolist(), posterior.error.tolist(), strict=True)
    strengths = {bot: Rating(mu, error) for bot, mu, error in each}
    seen = (
        result
        for bots, ranks in played
        for result in pair_results(bots, ranks, strengths, parameters)
    )
    return suspects(seen)


def calibrate(connection: Connection, format_name: str, draws: int) -> Calibration | None:
    """How well a ladder keeps its word; None where nothing was predicted yet.

    `draws` is how often the matches are resampled for the coverage; 0 leaves it out.
    """
    calibration = calibration_now(connection, format_name)
    if calibration is None or not draws:
        return calibration
    history = read_history(connection, format_name)
    if not history.placed:
        return calibration
    parameters = epochs.parameters_of(connection, format_name)
    return calibration._replace(coverage=_coverage(history, parameters, draws))


def _coverage(history: History, parameters: Parameters, draws: int) -> Coverage:
    """How often intervals from matches drawn with repetition hold the rank by all matches."""
    matches = range(len(history.played))
    truth = {place.bot: place.rank for place in places_by(history, parameters, matches)}

    def intervals(drawn: Sequence[int]) -> dict[str, Interval]:
        places = places_by(history, parameters, drawn)
        return {place.bot: (place.best, place.worst) for place in places}

    return coverage(matches, intervals, truth, len(matches), draws)


def places_by(history: History, parameters: Parameters, drawn: Sequence[int]) -> list[Place]:
    """The places on the standing as these matches of the history would have them.

    They are made as the standing's are: for the bots that have a place there, with the spread
    fitted, and with as much of each match as counts there.
    """
    resampled = history._replace(
        played=[history.played[match] for match in drawn],
        parts=[history.parts[match] for match in drawn],
    )
    posterior = strengths_of(resampled, parameters)
    there = set(posterior.bots)  # a bot may have no match among those drawn
    return posterior.of([name for name in history.placed if name in there]).places()
