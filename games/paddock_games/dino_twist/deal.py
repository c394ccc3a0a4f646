"""The deal: what is hidden besides the hands, such as the draw pile and the events to come."""

from collections.abc import Callable, Sequence
from random import Random
from typing import NamedTuple, TypeAlias

from paddock_games.chance import SEED_BYTES, Chance, Cursor
from paddock_games.dino_twist.card import pack, unpack
from paddock_games.dino_twist.event import ALL_EVENTS
from paddock_games.dino_twist.hand import is_lopsided
from paddock_games.dino_twist.material import EVENTS_SHOWN, HAND
from paddock_games.dino_twist.setting import Setting
from paddock_games.dino_twist.table import Table

Hands: TypeAlias = tuple[tuple[int, ...], ...]


class Hidden(NamedTuple):
    """The hidden part of a state that is nobody's hand."""

    pile: tuple[int, ...]  # the draw pile, its top first
    events: tuple[int, ...]  # still to come
    laid_down: tuple[int, ...]  # by seat: what it discarded face down, packed
    cursor: Cursor  # where the next shuffle of the discard pile will come from
    shuffled: tuple[tuple[int, ...], ...]  # every pile that the discard pile became so far


def draw(setting: Setting, chance: Chance) -> tuple[Hands, Hidden]:
    """All that chance decides before the first decision, in an order that everybody can repeat."""
    events = list(ALL_EVENTS)
    chance.shuffle(events)  # T4
    pile = list(setting.deck)
    chance.shuffle(pile)
    hands = deal_hands(pile, [HAND] * setting.seats, chance.shuffle)
    shown = tuple(events[:EVENTS_SHOWN])
    return hands, Hidden(tuple(pile), shown, (0,) * setting.seats, chance.cursor, ())


def deal_hands(
    pile: list[int], sizes: Sequence[int], shuffle: Callable[[list[int]], None]
) -> Hands:
    """T5: hands from the front of the pile, seat 0 first; then, seat by seat, one with too many of
    a species goes to the back of the pile, which is shuffled, and is dealt again from its front."""
    hands = []
    for size in sizes:
        hands.append(pile[:size])
        del pile[:size]
    for seat, size in enumerate(sizes):
        while is_lopsided(hands[seat]):
            pile += hands[seat]
            shuffle(pile)
            hands[seat] = pile[:size]
            del pile[:size]
    return tuple(tuple(sorted(hand)) for hand in hands)


def imagine(
    table: Table, seat: int, held: tuple[int, ...], laid_down: int, rng: Random
) -> tuple[Hands, Hidden]:
    """Hands, piles and a future that the seat, seeing this table and its own cards, can't rule
    out. What is past is left out of the deal: nothing that is still to come depends on it."""
    unseen = unpack(table.setting.box - table.seen - pack(held) - laid_down)
    rng.shuffle(unseen)
    sizes = [0 if other == seat else size for other, size in enumerate(table.hand_sizes)]
    fresh = not table.round and table.phase != "ATTACK" and not any(table.face_down)
    if fresh:  # nobody has drawn yet: every hand is one that was dealt
        hands = list(deal_hands(unseen, sizes, rng.shuffle))
    else:
        hands = [tuple(sorted(unseen.pop() for _ in range(size))) for size in sizes]
    hands[seat] = held
    laid = [0 if other == seat else size for other, size in enumerate(table.face_down)]
    downs = [pack(unseen.pop() for _ in range(size)) for size in laid]
    downs[seat] = laid_down
    events = list(ALL_EVENTS)
    for event in table.events:
        events.remove(event)
    rng.shuffle(events)
    coming = tuple(events[: EVENTS_SHOWN - len(table.events)])
    cursor = Cursor(rng.randbytes(SEED_BYTES), (), 0)
    return tuple(hands), Hidden(tuple(unseen), coming, tuple(downs), cursor, ())
