"""The attacks on Twist Island: what a play reaches, and the ways to settle what it beats.

Both are looked up. A play reaches none, one or both of its species' two territories, and each of
the two is empty or not on the own island: that is a number of four bits, and every number has its
list of attacks.
"""

from collections.abc import Sequence
from functools import cache
from typing import Final, TypeAlias

from paddock_games.dino_twist.card import STRENGTH
from paddock_games.dino_twist.choice import NO_ATTACK, Choice, of
from paddock_games.dino_twist.event import Event
from paddock_games.dino_twist.material import PAIRS, SPECIES, TERRITORIES

Attacks: TypeAlias = tuple[tuple[tuple[Choice, ...], ...], ...]
"""The attacks by species and by number: what is reached in its higher bits, gaps in the lower."""

BOTH: Final = 0b11  # territories, as bits
_IN_REACH: Final = tuple(
    tuple(tuple(place for bit, place in enumerate(pair) if bits >> bit & 1) for bits in range(4))
    for pair in PAIRS
)


def reach(play: Choice, event: Event, twist: Sequence[int], named: bool) -> int:
    """T10: which of its species' two territories a play may attack, as bits: where a weaker Dino
    lives that no METEOR spares, and of these the one that it names, if it has to (B6)."""
    which = play.which
    first, second = PAIRS[which]
    total = play.strength + event.bonus[which]
    bits = event.open[which] & play.aims if named else event.open[which]
    if STRENGTH[twist[first]] >= total:
        bits &= 0b10
    if STRENGTH[twist[second]] >= total:
        bits &= 0b01
    return bits


def targets(play: Choice, event: Event, twist: Sequence[int], named: bool) -> tuple[int, ...]:
    """T10: the territories that a play may attack."""
    return _IN_REACH[play.which][reach(play, event, twist, named)]


def names_well(play: Choice, event: Event, twist: Sequence[int], waivable: bool) -> bool:
    """B6: whether a play names a territory that it may attack, or none if there is none, or if it
    may be waived (B8)."""
    bits = reach(play, event, twist, named=False)
    return play.aims & bits > 0 if play.at >= 0 else waivable or not bits


@cache
def all_attacks(
    small: bool, either: bool, must_settle: bool, need_not_settle: bool, waivable: bool
) -> Attacks:
    """Every list of attacks: territory by territory, settling what is beaten before discarding it.

    The beaten Dino settles on the same territory, on either of its species (EARTHQUAKE), or
    anywhere on a small island (T17). It may be discarded where it could settle in no gap (B8).
    Waiving, where that is allowed, comes last.
    """
    waiving = (NO_ATTACK,) if waivable else ()

    def ways(which: int, bit: int, empty: int) -> tuple[Choice, ...]:
        at = PAIRS[which][bit]
        places = range(len(TERRITORIES)) if small else PAIRS[which] if either else (at,)
        settling = tuple(of("ATTACK", (), at=at, to=place) for place in places)
        binding = empty if small or either else empty >> bit & 1
        if must_settle or (binding and not need_not_settle):
            return settling
        return (*settling, of("ATTACK", (), at=at))

    return tuple(
        tuple(
            tuple(way for bit in range(2) if reached >> bit & 1 for way in ways(which, bit, empty))
            + (waiving if reached else ())
            for reached in range(4)
            for empty in range(4)
        )
        for which in range(len(SPECIES))
    )
