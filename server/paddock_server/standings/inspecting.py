"""Whether a ladder keeps its word, and whose results are hard to believe: for organisers.

Both read the whole history of a format, and need numpy and a while.
"""

from collections.abc import Sequence

from paddock_ladder.calibration import Calibration, Coverage, Interval, coverage
from paddock_ladder.joint import joint
from paddock_ladder.played import Played
from paddock_ladder.rating import PROVISIONAL, Parameters, Rating
from paddock_ladder.suspects import Suspect, encounters, suspects
from paddock_server.standings.calibrating import calibration_now
from paddock_server.standings.recomputing import bot_and_version, read_history
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
        encounter
        for bots, ranks in played
        for encounter in encounters(bots, ranks, strengths, parameters)
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
    placed = [bot for bot, matches in history.matches.items() if matches >= PROVISIONAL]
    if not placed:
        return calibration
    parameters = epochs.parameters_of(connection, format_name)
    return calibration._replace(coverage=_coverage(history.played, placed, parameters, draws))


def _coverage(
    played: Sequence[Played], placed: Sequence[str], parameters: Parameters, draws: int
) -> Coverage:
    """How often intervals from matches drawn with repetition hold the rank by all matches."""

    def intervals(some: Sequence[Played]) -> dict[str, Interval]:
        posterior = joint(some, parameters).posterior
        there = set(posterior.bots)
        places = posterior.of([bot for bot in placed if bot in there]).places()
        return {place.bot: (place.best, place.worst) for place in places}

    by_all = joint(played, parameters).posterior.of(placed).places()
    truth = {place.bot: place.rank for place in by_all}
    return coverage(played, intervals, truth, len(played), draws)
