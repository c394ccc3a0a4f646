"""Lists of choices from a hand: sequences like any other, whose items are made when looked at."""

import copy
import pickle
from collections.abc import Sequence
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.games.twisted import codes

from paddock_games.dino_twist import Choice
from paddock_games.dino_twist.card import CARDS, cards, deck
from paddock_games.dino_twist.choices import Choices
from paddock_games.dino_twist.event import BURIAL, DISCARD, DUO, MIXED, SINGLE, TRIO

DECK = deck(claw_copies=1, claw_strengths="")
hands = st.lists(
    st.sampled_from(range(len(DECK))), max_size=7, unique=True
).map(lambda some: tuple(sorted(DECK[at] for at in some)))  # fmt: skip
shapes = st.sampled_from((SINGLE, SINGLE | DUO, SINGLE | DUO | TRIO, SINGLE | DUO | MIXED))


def taken(held: tuple[int, ...], size: int) -> list[list[str]]:
    """Every set of so many cards, alike ones once."""
    return [[CARDS[code].name for code in some] for some in dict.fromkeys(combinations(held, size))]


@given(held=hands, allowed=shapes, burying=st.booleans())
def test_every_play_is_listed_in_order(held: tuple[int, ...], allowed: int, burying: bool) -> None:
    expected = []
    for size, shape in ((1, SINGLE), (2, DUO), (3, TRIO)):
        some = taken(held, size) if allowed & shape else []
        alike = [names for names in some if len({name.split("-")[0] for name in names}) == 1]
        expected += [Choice("PLAY", names) for names in alike]
    for names in taken(held, 2) if allowed & MIXED else ():
        species = [name.split("-")[0] for name in names]
        if species[0] != species[1]:
            expected += [Choice("PLAY", names, one) for one in species]
    expected += [Choice("BURY", names) for names in taken(held, 2) if burying]
    assert list(Choices(held, allowed | BURIAL * burying)) == expected


@given(held=hands)
def test_every_discard_is_listed_in_order(held: tuple[int, ...]) -> None:
    expected = [Choice("DISCARD", names) for size in range(4) for names in taken(held, size)]
    assert list(Choices(held, DISCARD)) == expected


@pytest.mark.parametrize("hand", ["K2 K3 K4 A5 A6 H7 V8", "K2 K2 K3 A5 A5 V8 V8", "K2", ""])
def test_a_list_of_choices_is_a_sequence(hand: str) -> None:
    held = codes(hand)
    for listed in (Choices(held, SINGLE | DUO | BURIAL), Choices(held, DISCARD)):
        same = tuple(listed)
        assert isinstance(listed, Sequence)
        assert (len(listed), bool(listed)) == (len(same), bool(same))
        assert [listed[at] for at in range(-len(same), len(same))] == [*same, *same]
        assert (listed[1:-1], listed[::-2]) == (same[1:-1], same[::-2])
        assert tuple(reversed(listed)) == same[::-1]
        assert all(listed[at] is choice for at, choice in enumerate(same))  # one object for each
        assert [listed.index(choice) for choice in same] == list(range(len(same)))
        assert Choice("PLAY", ["VOLI-10"]) not in listed
        assert all(choice in listed for choice in same)
        with pytest.raises(IndexError):
            listed[len(same)]


def test_a_list_of_choices_equals_the_tuple_of_them() -> None:
    held, other = codes("K2 K3 A5"), codes("K2 K3 A6")
    listed = Choices(held, DISCARD)
    assert listed == tuple(listed)
    assert tuple(listed) == listed
    assert listed == Choices(held, DISCARD)
    assert hash(listed) == hash(tuple(listed))
    assert listed != Choices(other, DISCARD)
    assert listed != list(listed)  # as a tuple
    assert repr(listed) == repr(tuple(listed))
    assert pickle.loads(pickle.dumps(listed)) == listed  # noqa: S301 -- our own
    assert copy.deepcopy(listed) == listed
    assert [choice.cards for choice in Choices(held, SINGLE)] == [(card,) for card in cards(held)]
