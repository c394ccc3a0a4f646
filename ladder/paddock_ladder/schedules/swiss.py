"""Swiss: those who stand alike meet, and nobody meets the same bot twice if it can be helped."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from typing import NamedTuple

from paddock_ladder.schedules.arrangement import Arrangement
from paddock_ladder.schedules.entry import Entry, Seating
from paddock_ladder.schedules.errors import BadSchedule
from paddock_ladder.schedules.pairing import Outcome
from paddock_ladder.schedules.placing import (
    OPPONENTS,
    SHARE,
    TOTAL_SCORE,
    Placed,
    placed,
)
from paddock_ladder.schedules.staged import Past, Staged, Tables
from paddock_ladder.schedules.tables import matches_of, records, refuse_too_many, table_sizes

BYE_SCORE = Fraction(1, 2)  # the mean of a table: a bye is neither a gift nor a loss


class Standing(NamedTuple):
    """What places a bot in a Swiss tournament: the first number that differs decides."""

    score: Fraction  # a round's score is the mean rank score of its matches; a bye's is a half
    opponents: Fraction  # the mean score of all it sat with, counted as often as it did
    share: Fraction  # the mean of the rounds' point shares
    seed: int  # less is better, so it is negative


class Swiss(Staged):
    """A number of rounds of tables by standing."""

    criteria = (TOTAL_SCORE, OPPONENTS, SHARE)

    def __init__(self, entry: Entry, seating: Seating) -> None:
        super().__init__(entry, seating)
        if entry.rounds is None:
            raise BadSchedule("rounds", "a Swiss tournament has a number of rounds; give one")
        self._rounds = entry.rounds
        self._sizes = table_sizes(len(entry.bots), seating.seats, seating.least)
        refuse_too_many(self.planned())

    def planned(self) -> int:
        """How many matches there will be in all."""
        return self._rounds * sum(matches_of(size, self.entry) for size in self._sizes)

    def tables_after(self, past: Past) -> Tables:
        """By standing without repeats; the first round deals the seeds out over the tables."""
        if len(past) == self._rounds:
            return ()
        playing = self._without_byes(past)
        if not past:
            # Larger tables come first, so what is left over for the last row finds them.
            tables = len(self._sizes)
            return tuple(tuple(playing[table::tables]) for table in range(tables))
        met = _met(past)
        arrangement = Arrangement(
            self._sizes, [[met[one][other] for other in playing] for one in playing]
        )
        arrangement.improve()
        return tuple(
            tuple(playing[place] for place in sorted(table)) for table in arrangement.tables
        )

    def places_after(self, past: Past, current: Sequence[Outcome]) -> tuple[Placed, ...]:
        """By score, opponents' scores, point share; of the rounds that are over."""
        if past:
            standings = self.standings(past)
            return placed(self.criteria, {bot: own[:-1] for bot, own in standings.items()})
        done = records(current)  # in the first round there is nothing but what is over of it
        scores = {bot: done[bot].score if bot in done else None for bot in self.entry.bots}
        return placed(self.criteria, {bot: (score, None, None) for bot, score in scores.items()})

    def _without_byes(self, past: Past) -> list[str]:
        """Who plays, the leader first; byes go to the last of those who had the fewest."""
        order = self._order(past)
        byes = Counter(dict.fromkeys(order, 0))
        for stage in past:
            byes.update(set(order).difference(*stage.tables))
        fewest_first = sorted(range(len(order)), key=lambda place: (byes[order[place]], -place))
        resting = {order[place] for place in fewest_first[: len(order) - sum(self._sizes)]}
        return [bot for bot in order if bot not in resting]

    def _order(self, past: Past) -> list[str]:
        standings = self.standings(past)
        return sorted(standings, key=lambda bot: standings[bot], reverse=True)

    def standings(self, past: Past) -> dict[str, Standing]:
        """Every bot's standing after these rounds."""
        bots = self.entry.bots
        scores = dict.fromkeys(bots, Fraction())
        shares = dict.fromkeys(bots, Fraction())
        for stage in past:
            done = records(stage.outcomes)
            for bot in bots:
                scores[bot] += done[bot].score if bot in done else BYE_SCORE
                shares[bot] += done[bot].share if bot in done else 1
        met = _met(past)
        rounds = max(1, len(past))
        standings = {}
        for seed, bot in enumerate(bots):
            faced = met[bot]
            strength = sum((times * scores[other] for other, times in faced.items()), Fraction())
            standings[bot] = Standing(
                scores[bot], strength / max(1, faced.total()), shares[bot] / rounds, -seed
            )
        return standings


def _met(past: Past) -> dict[str, Counter[str]]:
    """In how many rounds a bot sat with others."""
    met: dict[str, Counter[str]] = defaultdict(Counter)
    for stage in past:
        for table in stage.tables:
            for one, other in combinations(table, 2):
                met[one][other] += 1
                met[other][one] += 1
    return met
