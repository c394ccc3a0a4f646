"""The Swiss system: bots with equal scores meet, and repeated meetings are avoided."""

from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from fractions import Fraction
from itertools import combinations
from typing import NamedTuple

from paddock_ladder.schedules.arrangement import Arrangement
from paddock_ladder.schedules.entries import Entries, Seating
from paddock_ladder.schedules.errors import BadSchedule
from paddock_ladder.schedules.pairing import Outcome
from paddock_ladder.schedules.placing import (
    OPPONENTS,
    SHARE,
    TOTAL_SCORE,
    Numbers,
    Placed,
    placed,
)
from paddock_ladder.schedules.staged import Past, Staged, Tables
from paddock_ladder.schedules.tables import matches_of, records, refuse_too_many, table_sizes

BYE_SCORE = Fraction(1, 2)  # the mean of a table: a bye is neither a gift nor a loss


class SwissStanding(NamedTuple):
    """The standing of a bot in a Swiss tournament: the first number that differs decides."""

    score: Fraction  # a round's score is the mean rank score of its matches; a bye's is a half
    opponents: Fraction  # the mean score of all it sat with, counted as often as it did
    share: Fraction  # the mean of the rounds' point shares
    seed: int  # less is better, so it is negative


class Swiss(Staged):
    """A Swiss schedule: rounds of tables by standing."""

    criteria = (TOTAL_SCORE, OPPONENTS, SHARE)

    def __init__(self, entries: Entries, seating: Seating) -> None:
        super().__init__(entries, seating)
        if entries.rounds is None:
            raise BadSchedule("rounds", "a Swiss tournament has a number of rounds; give one")
        self._rounds = entries.rounds
        refuse_too_many(self.planned())

    def planned(self) -> int:
        """How many matches there will be in all."""
        changing = min(self._rounds, self.roster.settled - 1)  # after these the field stays
        rest = (self._rounds - changing) * self._matches(self.roster.settled)
        return rest + sum(self._matches(number) for number in range(1, changing + 1))

    def _matches(self, number: int) -> int:
        sizes = self._sizes(len(self.roster.at(number)))
        return sum(matches_of(size, self.entries) for size in sizes)

    def counted_at(self, number: int, making: int) -> int:
        """A round is made from all that is known by then."""
        return making

    def _sizes(self, bots: int) -> tuple[int, ...]:
        return table_sizes(bots, self.seating.seats, self.seating.least)

    def tables_after(self, past: Past) -> Tables:
        """By standing without repeats; the first round deals the seeds out over the tables."""
        if len(past) == self._rounds:
            return ()
        field = set(self.roster.at(len(past) + 1))
        sizes = self._sizes(len(field))
        playing = self._without_byes(past, field, sum(sizes))
        if not past or not sizes:
            # Larger tables come first, so what is left over for the last row finds them.
            tables = len(sizes)
            return tuple(tuple(playing[table::tables]) for table in range(tables))
        met = _met(past)
        arrangement = Arrangement(
            sizes, [[met[one][other] for other in playing] for one in playing]
        )
        arrangement.improve()
        return tuple(
            tuple(playing[place] for place in sorted(table)) for table in arrangement.tables
        )

    def places_after(self, past: Past, current: Sequence[Outcome]) -> tuple[Placed, ...]:
        """By score, opponents' scores, point share; of the rounds that are over."""
        numbers: dict[str, Numbers]
        if past:
            numbers = {bot: own[:-1] for bot, own in self.standings(past).items()}
        else:
            done = records(current)  # in the first round there is nothing but what is over of it
            scores = {bot: done[bot].score if bot in done else None for bot in self.roster.bots}
            numbers = {bot: (score, None, None) for bot, score in scores.items()}
        return placed(self.criteria, numbers, self.roster.disqualified())

    def _without_byes(self, past: Past, field: Collection[str], seats: int) -> list[str]:
        """Who plays, the leader first; byes go to the last of those who had the fewest."""
        order = [bot for bot in self._order(past) if bot in field]
        byes = Counter(dict.fromkeys(order, 0))
        for number, stage in enumerate(past, start=1):
            byes.update(set(order).intersection(self.roster.at(number)).difference(*stage.tables))
        fewest_first = sorted(range(len(order)), key=lambda place: (byes[order[place]], -place))
        resting = {order[place] for place in fewest_first[: len(order) - seats]}
        return [bot for bot in order if bot not in resting]

    def _order(self, past: Past) -> list[str]:
        standings = self.standings(past)
        return sorted(standings, key=lambda bot: standings[bot], reverse=True)

    def standings(self, past: Past) -> dict[str, SwissStanding]:
        """Every bot's standing after these rounds; rounds that it was not in score nothing.

        As an opponent, though, it scores as with byes there: the others can't help its absence.
        """
        bots = self.roster.bots
        scores = dict.fromkeys(bots, Fraction())
        shares = dict.fromkeys(bots, Fraction())
        missed = dict.fromkeys(bots, 0)
        for number, stage in enumerate(past, start=1):
            done = records(stage.outcomes)
            field = set(self.roster.at(number))
            for bot in bots:
                if bot in done:
                    scores[bot] += done[bot].score
                    shares[bot] += done[bot].share
                elif bot in field:
                    scores[bot] += BYE_SCORE
                    shares[bot] += 1
                else:
                    missed[bot] += 1
        worth = {bot: scores[bot] + missed[bot] * BYE_SCORE for bot in bots}
        met = _met(past)
        rounds = max(1, len(past))
        standings = {}
        for seed, bot in enumerate(bots):
            faced = met[bot]
            strength = sum((times * worth[other] for other, times in faced.items()), Fraction())
            standings[bot] = SwissStanding(
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
