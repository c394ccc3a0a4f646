"""The places of a tournament, by numbers that everybody can see."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Final, NamedTuple, TypeAlias

from paddock_ladder.schedules.pairing import Outcome
from paddock_ladder.schedules.tables import records

Numbers: TypeAlias = tuple[Fraction | int | None, ...]
"""What places a bot, one number for each criterion; None is not known yet and comes last."""


class Criterion(NamedTuple):
    """A criterion: a number that decides places."""

    name: str  # for programs
    title: str  # of its column
    meaning: str
    digits: int = 3  # behind the point, as a rule
    least_first: bool = False


PLACES: Final = Criterion(
    "places", "sum of places", "the sum of the places in all formats", 0, least_first=True
)
SCORE: Final = Criterion(
    "score", "score", "the mean score of all matches (1 for the first of a table, 0 for the last)"
)
SHARE: Final = Criterion("share", "share", "the mean point share")
TOTAL_SCORE: Final = Criterion(
    "total_score", "total score", "the scores of the complete rounds added up"
)
OPPONENTS: Final = Criterion("opponents", "opponents", "the mean total score of the opponents")
ROUND: Final = Criterion("round", "round", "the last round reached", 0)
ROUND_SCORE: Final = Criterion("round_score", "score there", "the mean score in that round")
ROUND_SHARE: Final = Criterion("round_share", "share there", "the mean point share in that round")

CRITERIA: Final = (
    PLACES, ROUND, ROUND_SCORE, ROUND_SHARE, TOTAL_SCORE, SCORE, OPPONENTS, SHARE,
)  # fmt: skip
"""All criteria; each schedule uses some of them."""


class Placed(NamedTuple):
    """A bot and its place."""

    bot: str
    place: int  # 1 is best; those with equal numbers share a place (1, 2, 2, 4)
    shared: bool
    numbers: Numbers


def placed(
    criteria: Sequence[Criterion],
    numbers: Mapping[str, Numbers],
    disqualified: Collection[str] = (),
) -> tuple[Placed, ...]:
    """All bots, the best first: the first number that differs decides.

    Whoever is disqualified comes after all others, whatever its numbers are. Bots with equal
    numbers share a place and stay in the order in which they were given.
    """
    keys = {
        bot: (bot in disqualified, *(_key(*pair) for pair in zip(criteria, own, strict=True)))
        for bot, own in numbers.items()
    }
    alike = Counter(keys.values())
    lines: list[Placed] = []
    for number, bot in enumerate(sorted(keys, key=keys.__getitem__), start=1):
        same = bool(lines) and keys[lines[-1].bot] == keys[bot]
        place = lines[-1].place if same else number
        lines.append(Placed(bot, place, alike[keys[bot]] > 1, numbers[bot]))
    return tuple(lines)


def _key(criterion: Criterion, number: Fraction | int | None) -> tuple[bool, Fraction | int]:
    if number is None:
        return (True, 0)
    return (False, number if criterion.least_first else -number)


BY_SCORE: Final[tuple[Criterion, ...]] = (SCORE, SHARE)


def by_score(
    bots: Iterable[str], history: Iterable[Outcome], disqualified: Collection[str] = ()
) -> tuple[Placed, ...]:
    """Places by mean score, then mean point share, of all these matches."""
    done = records(history)
    numbers = {bot: done.get(bot, (None, None)) for bot in bots}
    return placed(BY_SCORE, numbers, disqualified)
