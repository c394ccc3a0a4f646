"""Groups of bots: all of a size or a balanced sample, put into rounds."""

from collections.abc import Sequence
from itertools import combinations
from math import comb
from random import Random

from paddock_ladder.schedules.errors import BadSchedule

GROUPS_AT_MOST = 5_000
SEARCHES = 12  # of which the most even sample is taken

Group = tuple[int, ...]


def groups_of(bots: int, size: int, wanted: int | None) -> list[Group]:
    """All groups of a size, or `wanted` of them, with every bot in equally many, within one.

    In a sample pairs meet as evenly as a short search finds. Where more groups are wanted than
    there are, all of them come as often as they can and the sample is what is left.
    """
    every = comb(bots, size)
    if wanted is None and every > GROUPS_AT_MOST:
        raise BadSchedule(
            "groups",
            f"{bots} bots make {every:,} groups of {size}, and the limit is {GROUPS_AT_MOST:,}; "
            "set groups to the number of groups to draw",
        )
    if wanted is None:
        return list(combinations(range(bots), size))
    if wanted > GROUPS_AT_MOST:
        raise BadSchedule("groups", f"{wanted:,} is too many; the limit is {GROUPS_AT_MOST:,}")
    if wanted >= every:
        whole = list(combinations(range(bots), size)) * (wanted // every)
        return whole + (groups_of(bots, size, wanted % every) if wanted % every else [])
    searches = max(1, min(SEARCHES, 4_000 // wanted))
    samples = [_sample(bots, size, wanted, search) for search in range(searches)]
    return min(samples, key=lambda sample: _unevenness(bots, sample))


def _sample(bots: int, size: int, wanted: int, search: int) -> list[Group]:
    rng = Random(f"paddock groups {bots} {size} {wanted} {search}")
    seated = [0] * bots
    together = [[0] * bots for _ in range(bots)]
    used: set[Group] = set()
    sample = []
    for _ in range(wanted):
        group = _draw(seated, together, size, used, rng)
        used.add(group)
        sample.append(group)
        for bot in group:
            seated[bot] += 1
        for one, other in combinations(group, 2):
            together[one][other] += 1
            together[other][one] += 1
    return sample


def _draw(
    seated: Sequence[int],
    together: Sequence[Sequence[int]],
    size: int,
    used: set[Group],
    rng: Random,
) -> Group:
    """A group of those seated least, of them those who met least; a new one where there is one."""
    group: Group = ()
    for _ in range(8):  # a few tries are enough: a repeat is rare
        chosen: list[int] = []
        while len(chosen) < size:
            rest = [bot for bot in range(len(seated)) if bot not in chosen]
            lots = {bot: rng.random() for bot in rest}
            chosen.append(
                min(
                    rest,
                    key=lambda bot: (
                        seated[bot],
                        sum(together[bot][mate] for mate in chosen),
                        lots[bot],
                    ),
                )
            )
        group = tuple(sorted(chosen))
        if group not in used:
            break
    return group


def _unevenness(bots: int, sample: Sequence[Group]) -> int:
    met = [0] * (bots * bots)
    for group in sample:
        for one, other in combinations(group, 2):
            met[one * bots + other] += 1
    return sum(times * times for times in met)


def in_rounds(bots: int, groups: Sequence[Group]) -> list[list[Group]]:
    """The groups in rounds; within a round no bot is in two of them."""
    pairs = comb(bots, 2)
    if len(groups) == pairs == len(set(groups)) and all(len(group) == 2 for group in groups):
        return _circle(bots)
    rounds = []
    waiting = list(groups)
    while waiting:
        free = set(range(bots))
        now: list[Group] = []
        later: list[Group] = []
        for index, group in enumerate(waiting):
            if len(free) < len(group):
                later += waiting[index:]
                break
            if free.issuperset(group):
                now.append(group)
                free.difference_update(group)
            else:
                later.append(group)
        rounds.append(now)
        waiting = later
    return rounds


def _circle(bots: int) -> list[list[Group]]:
    """All pairs in the fewest rounds: one bot stays, the others move round the table."""
    ring = list(range(bots + bots % 2))  # the last of an odd number's ring is nobody
    rounds: list[list[Group]] = []
    for _ in range(len(ring) - 1):
        facing = zip(ring[: len(ring) // 2], reversed(ring[len(ring) // 2 :]), strict=True)
        rounds.append([(min(p), max(p)) for p in facing if max(p) < bots])
        ring = [ring[0], ring[-1], *ring[1:-1]]
    return rounds
