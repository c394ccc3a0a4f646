"""The matches of a comparison: NEW and OLD on the same deals and seats, against the same field."""

from collections.abc import Iterable, Sequence
from itertools import combinations, count, islice

from paddock_ladder.schedules.entries import Seating
from paddock_ladder.schedules.errors import BadSchedule
from paddock_ladder.schedules.groups import GROUPS_AT_MOST
from paddock_ladder.schedules.pairing import Next, Outcome, Pairing
from paddock_ladder.sequential import Decision, Forfeits, SequentialTest, Verdict

SIDES = ("new", "old")  # of a block: who sits with the field


class Comparison:
    """The blocks of a comparison, without end, numbered from 0: one deal each, in all rotations.

    With a field, every block plays all rotations twice, once with NEW and once with OLD in the
    same seat; a field larger than the table takes turns. Without one, NEW and OLD play each other.
    """

    def __init__(self, new: str, old: str, field: tuple[str, ...], seating: Seating) -> None:
        bots = (new, old, *field)
        for bot in bots:
            if bots.count(bot) > 1:
                raise BadSchedule("field", f"{bot} is named twice; name every bot once")
        name, seats, least = seating
        if seats < least or (seats != 2 if not field else len(field) < seats - 1):
            there = f"a field of {len(field)}" if field else "no field"
            raise BadSchedule(
                "field",
                f"{name} with {seats} seats can't be played with {there}; name {seats - 1} or more "
                "bots, or take other seats",
            )
        self.new, self.old = new, old
        self._seating = seating
        if field:
            groups = islice(combinations(field, seats - 1), GROUPS_AT_MOST)
            self._lineups = [[(new, *group), (old, *group)] for group in groups]
        else:
            self._lineups = [[(new, old)]]
        self._blocks: list[tuple[Pairing, ...]] = []  # as many as were asked for

    def block(self, number: int) -> tuple[Pairing, ...]:
        """The matches of this block; they share a deal."""
        while len(self._blocks) <= number:
            self._blocks.append(self._make_block(len(self._blocks)))
        return self._blocks[number]

    def _make_block(self, number: int) -> tuple[Pairing, ...]:
        name = self._seating.format
        return tuple(
            Pairing(
                f"{name}/b{number}/{SIDES[side]}/{turn}",
                name,
                (*bots[turn:], *bots[:turn]),
                f"{name}/b{number}",
                number + 1,
            )
            for side, bots in enumerate(self._lineups[number % len(self._lineups)])
            for turn in range(len(bots))
        )

    def differences(self, history: Iterable[Outcome]) -> list[float]:
        """The mean points of NEW less OLD's, block by block, as far as blocks are complete.

        Blocks count in order, so one that is ready early waits for those before it. A block with a
        declared match says nothing about points and is passed over.
        """
        results = {outcome.key: outcome for outcome in history}
        differences: list[float] = []
        for number in count():
            pairings = self.block(number)
            if any(pairing.key not in results for pairing in pairings):
                break
            outcomes = [results[pairing.key] for pairing in pairings]
            if not any(outcome.declared for outcome in outcomes):
                new, old = self._points(self.new, outcomes), self._points(self.old, outcomes)
                differences.append(new - old)
        return differences

    def forfeits(self, history: Iterable[Outcome]) -> Forfeits:
        """How many matches either side forfeited so far."""
        lost = [
            bot
            for outcome in history
            for bot, forfeit in zip(outcome.bots, outcome.forfeits, strict=False)
            if forfeit
        ]
        return Forfeits(lost.count(self.new), lost.count(self.old))

    def _points(self, bot: str, outcomes: Iterable[Outcome]) -> float:
        points = [
            outcome.totals[outcome.bots.index(bot)] for outcome in outcomes if bot in outcome.bots
        ]
        return sum(points) / len(points)


class Comparing:
    """A comparison as a schedule: blocks until the test has decided or the budget ends."""

    early = True  # every block that ends can decide the test, or makes room for another

    def __init__(
        self, comparison: Comparison, test: SequentialTest, budget: int, ahead: int = 8
    ) -> None:
        self.comparison = comparison
        self._test = test
        self._budget = budget  # blocks
        self._ahead = ahead  # blocks that are under way at once
        self._last: tuple[list[float], Verdict] = ([], test.verdict([]))  # only saves time

    def verdict(self, history: Iterable[Outcome]) -> Verdict:
        """How the comparison stands after these matches."""
        outcomes = list(history)
        verdict = self._verdict(self.comparison.differences(outcomes))
        return verdict._replace(forfeits=self.comparison.forfeits(outcomes))

    def _verdict(self, differences: list[float]) -> Verdict:
        """The verdict after these blocks, going on from the last one where they begin like it."""
        known, verdict = self._last
        if differences[: len(known)] != known:
            known, verdict = [], self._test.verdict([])
        for difference in differences[len(known) :]:
            verdict = verdict.after(difference)
        self._last = (differences, verdict)
        return verdict

    def next(self, history: Sequence[Outcome]) -> Next:
        """The blocks that may be under way now; none once the test has decided."""
        if self.verdict(history).decision is not Decision.OPEN:
            return Next((), done=True)
        over = {outcome.key for outcome in history}
        wanted: list[Pairing] = []
        under_way = 0
        for number in range(self._budget):
            left = [pairing for pairing in self.comparison.block(number) if pairing.key not in over]
            wanted += left
            under_way += bool(left)
            if under_way == self._ahead:
                break
        return Next(tuple(wanted), done=not wanted)

    def planned(self) -> None:
        """None: the number of matches is not known beforehand."""
