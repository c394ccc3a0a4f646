"""A process that ends rated matches in groups, while others do the same with other matches.

It takes the address of the database, and numbers of matches that wait there.
"""

import sys
from random import Random

from paddock_server.store import results
from paddock_server.store.address import address_of
from paddock_server.store.connection import SHARED
from tests.store.ladder import end_of, some_matches

FORMATS = ("summer", "winter")


def main(place: str, numbers: list[int]) -> None:
    """End these matches."""
    matches = dict(enumerate(some_matches(max(numbers), 5, formats=FORMATS), 1))
    rng = Random(numbers[0])
    engine = address_of(place).engine()
    while numbers:
        group = [numbers.pop(0) for _ in range(min(len(numbers), rng.randint(1, 8)))]
        with engine.begin() as connection:
            connection.info[SHARED] = True  # as in a node of a cluster
            done = results.finish_many(
                connection, [end_of(number, matches[number]) for number in group]
            )
            assert all(done)


if __name__ == "__main__":
    main(sys.argv[1], [int(number) for number in sys.argv[2:]])
