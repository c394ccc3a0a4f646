"""The calibration of a ladder: its predictions before every match, compared with the results."""

import math
from collections.abc import Iterator
from itertools import combinations
from typing import Final

from paddock_ladder.calibration import Calibration, Prediction, calibration
from paddock_ladder.rating import Parameters
from paddock_server.store import epochs, ratings
from paddock_server.store.connection import Connection

_ROOT_HALF: Final = math.sqrt(0.5)


def calibration_now(connection: Connection, format_name: str) -> Calibration | None:
    """The calibration of a format's live ratings; None if they predicted nothing.

    Coverage is left out: it takes many times as long as everything else together.
    """
    predictions = read_predictions(connection, format_name)
    return calibration(ratings.count_rated(connection, format_name), predictions)


def read_predictions(connection: Connection, format_name: str) -> list[Prediction]:
    """All predictions of a format's live ratings."""
    parameters = epochs.parameters_of(connection, format_name)
    return list(_predictions(connection, format_name, parameters))


def _predictions(
    connection: Connection, format_name: str, parameters: Parameters
) -> Iterator[Prediction]:
    """Predictions for every pair of every match that did not tie, by the ratings before it."""
    for match, seats in enumerate(ratings.rated_before(connection, format_name)):
        for one, other in combinations(seats, 2):
            if one.rank != other.rank:
                variance = 2 * parameters.beta**2 + one.before.sigma**2 + other.before.sigma**2
                apart = (one.before.mu - other.before.mu) / math.sqrt(variance)
                chance = 0.5 * math.erfc(-apart * _ROOT_HALF)
                yield Prediction(chance, one.rank < other.rank, match)
