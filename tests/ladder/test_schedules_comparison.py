"""A comparison as a schedule: no block waits for another, and the verdict stays the same."""

from random import Random

import pytest

from paddock_ladder.schedules import Outcome, Pairing, Seating
from paddock_ladder.schedules.comparison import Comparing, Comparison
from paddock_ladder.sequential import Decision, SequentialTest

SEATING = Seating("summer", 3, least=2)
TEST = SequentialTest(effect=0.2, alpha=0.05, beta=0.05)


def _comparing(budget: int = 200, ahead: int = 4) -> Comparing:
    return Comparing(Comparison("new", "old", ("ada", "bob"), SEATING), TEST, budget, ahead)


def _outcome(pairing: Pairing, rng: Random, edge: float = 0.0) -> Outcome:
    totals = tuple(round(rng.gauss(30 + edge * (bot == "new"), 5)) for bot in pairing.bots)
    ranks = tuple(1 + sum(other > total for other in totals) for total in totals)
    return Outcome(
        key=pairing.key, format=pairing.format, bots=pairing.bots, ranks=ranks, totals=totals,
        block=pairing.block, round=pairing.round, declared=False,
    )  # fmt: skip


@pytest.mark.parametrize("seed", range(5))
def test_a_slow_block_holds_no_other_up(seed: int) -> None:
    """Whenever a block ends another may begin, up to the number that may be under way."""
    rng = Random(seed)
    schedule = _comparing()
    slow = schedule.comparison.block(0)[0]
    history: list[Outcome] = []
    for _ in range(10):  # the first match of the first block never ends
        wanted = schedule.next(history).pairings
        assert len({pairing.block for pairing in wanted}) == 4
        assert slow in wanted
        block = rng.choice([pairing.block for pairing in wanted if pairing.block != slow.block])
        history += [_outcome(pairing, rng) for pairing in wanted if pairing.block == block]
    assert schedule.verdict(history).blocks == 0  # blocks count in order


@pytest.mark.parametrize("seed", range(5))
def test_the_verdict_is_that_of_the_blocks_whatever_was_asked_before(seed: int) -> None:
    rng = Random(seed)
    asked = _comparing()
    history: list[Outcome] = []
    while not (coming := asked.next(history)).done:
        rest = list(coming.pairings)
        rng.shuffle(rest)
        history += [_outcome(pairing, rng, edge=4) for pairing in rest[: rng.randint(1, 9)]]
        assert asked.verdict(history) == _comparing().verdict(history)
        part = rng.sample(history, len(history) // 2)  # another history in between
        assert asked.verdict(part) == _comparing().verdict(part)
    assert asked.verdict(history).decision is Decision.ACCEPTED


def test_a_new_bot_that_forfeits_more_is_not_accepted_by_the_schedule() -> None:
    """The matches go on until points decide; then forfeits do, and nothing follows."""
    rng = Random(1)
    schedule = _comparing()
    history: list[Outcome] = []
    while not (coming := schedule.next(history)).done:
        for pairing in coming.pairings:
            outcome = _outcome(pairing, rng, edge=4)
            gave_up = tuple(bot == "new" and not history for bot in pairing.bots)
            history.append(outcome._replace(forfeits=gave_up))
    verdict = schedule.verdict(history)
    assert (verdict.decision, verdict.forfeits) == (Decision.FORFEITS, (1, 0))
    (lost,) = (outcome for outcome in history if any(outcome.forfeits))
    seat = next(bot for bot in lost.bots if bot != "new")
    theirs = {
        "old": (Decision.ACCEPTED, (1, 1)),  # as many as new's
        seat: (Decision.FORFEITS, (1, 0)),  # those of the field do not count
    }
    for bot, wanted in theirs.items():
        other = next(one for one in history if bot in one.bots and not any(one.forfeits))
        also = other._replace(forfeits=tuple(one == bot for one in other.bots))
        again = schedule.verdict([also if one is other else one for one in history])
        assert (again.decision, again.forfeits) == wanted
