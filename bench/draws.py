"""How often two equals tie, format by format: the draw probabilities of the ladders, measured.

TrueSkill's margin is that of a draw between two of equal strength, so equals are counted: every two
seats of a match that are played by the same sample brain. Two more ways to count are shown because
they look right and are not. All pairs: the stronger of two brains seldom ties with the weaker.
Neighbours in the ranking: they are neighbours because they are close, so with three seats or more
they tie more often than any two equals do.
"""

import argparse
import math
from collections.abc import Iterable
from itertools import combinations, pairwise
from random import Random
from typing import NamedTuple

from paddock_games import FORMATS, Chance, Format, game_of, play
from paddock_games.chance import NONCE_BYTES, SEED_BYTES


class Ties(NamedTuple):
    """Pairs of seats that were looked at, and those that tied."""

    tied: int
    pairs: int

    @property
    def part(self) -> float:
        """How many of them tied."""
        return self.tied / self.pairs

    @property
    def error(self) -> float:
        """The standard error of that; as if one more had tied where none did."""
        likely = max(self.tied, 1) / self.pairs
        return math.sqrt(likely * (1 - likely) / self.pairs)


class Measured(NamedTuple):
    """The same matches counted in three ways."""

    equals: Ties
    everybody: Ties
    neighbours: Ties


def measured(form: Format, games: int, seed: int) -> Measured:
    """Play this number of matches with two brains: seats 1 and 2 the one, 3 and 4 the other."""
    game, seats = game_of(form.name), form.usual_seats
    rng = Random(f"draws {form.name} {seed}")
    names = list(game.brains)
    equals, everybody, neighbours = [], [], []
    for _ in range(games):
        two = [rng.choice(names), rng.choice(names)]
        lineup = [two[seat // 2 % 2] for seat in range(seats)]
        nonces = [rng.randbytes(NONCE_BYTES) for _ in lineup]
        chance = Chance(rng.randbytes(SEED_BYTES), nonces)
        start = game.start(form.name, seats, game.rules(None), chance)
        _, end = play(start, [game.brains[name] for name in lineup], [rng] * seats)
        ranks = end.result().ranks()
        for one, other in combinations(range(seats), 2):
            everybody.append(ranks[one] == ranks[other])
            if lineup[one] == lineup[other]:
                equals.append(ranks[one] == ranks[other])
        neighbours += [better == worse for better, worse in pairwise(sorted(ranks))]
    return Measured(*map(_ties, (equals, everybody, neighbours)))


def _ties(pairs: Iterable[bool]) -> Ties:
    tied = list(pairs)
    return Ties(sum(tied), len(tied))


def main() -> None:
    """Measure and show."""
    parser = argparse.ArgumentParser(prog="python -m bench.draws", description=__doc__)
    parser.add_argument(
        "--games",
        type=int,
        default=1000,
        metavar="N",
        help="matches of each format (default: %(default)s)",
    )
    parser.add_argument(
        "--seed",
        type=int,
        default=1,
        metavar="N",
        help="seed of the first deal (default: %(default)s)",
    )
    chosen = parser.parse_args()
    print("| format | seats | in use | equals tie | all pairs | neighbours |")
    print("|---|--:|--:|--:|--:|--:|")
    for form in FORMATS.values():
        counts = measured(form, chosen.games, chosen.seed)
        shown = " | ".join(f"{100 * one.part:.2f} ± {100 * one.error:.2f} %" for one in counts)
        known = f"{100 * form.draw_probability:.2f} %"
        print(f"| `{form.name}` | {form.usual_seats} | {known} | {shown} |", flush=True)


if __name__ == "__main__":
    main()
