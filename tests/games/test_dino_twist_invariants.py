"""What holds in every game of Dino Twist, at every step of it, whatever the options."""

import pickle
from collections import Counter
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.games.tables import match, matches, of_game, played, states

from paddock_games import GAMES, Match, play
from paddock_games.dino_twist import State
from paddock_games.dino_twist.card import CARDS, STRENGTH, WHICH, unpack
from paddock_games.dino_twist.event import EVENTS
from paddock_games.dino_twist.material import HOME

every_table = pytest.mark.parametrize(("form", "seats"), of_game("dino_twist"))


def everywhere(state: State) -> Counter[int]:
    """Every card of the state, told without packed numbers where that can be done."""
    table, hands, deal = state.table, state.hands, state.deal
    found: Counter[int] = Counter(deal.pile)
    found.update(table.twist)
    for seat in table.setting.everybody:
        found.update(hands[seat])
        found.update(code for code in table.islands[seat] if code >= 0)
        found.update(code for entry in table.graveyards[seat] for code in entry)
        found.update(unpack(deal.laid_down[seat]))
    found.update(unpack(table.discards))
    if table.phase == "ATTACK":
        found.update(c for group in table.waiting for s in group for c in table.plays[s].codes)  # type: ignore[union-attr]
    return found


@every_table
@settings(max_examples=6)
@given(data=st.data())
def test_no_card_is_lost_or_won(form: str, seats: int, data: st.DataObject) -> None:
    """All 108 are somewhere at every moment; babies only ever leave, or none do (B11)."""
    one = data.draw(matches(form, seats))
    babies = 8
    for state in states(one):
        found = everywhere(state)
        grown = Counter({c: n for c, n in found.items() if STRENGTH[c] > 1})
        assert grown == Counter(state.table.setting.deck)
        assert grown.total() == 108
        left = found.total() - 108
        assert left <= babies
        babies = left
        assert babies == 8 or not one.rules.babies_reshuffled


@every_table
@settings(max_examples=6)
@given(data=st.data())
def test_counts_on_the_table_are_true(form: str, seats: int, data: st.DataObject) -> None:
    for state in states(data.draw(matches(form, seats))):
        table = state.table
        assert table.hand_sizes == tuple(map(len, state.hands))
        assert table.pile_size == len(state.deal.pile)
        assert table.face_down == tuple(len(unpack(down)) for down in state.deal.laid_down)
        assert len(table.events) + len(state.deal.events) == 10
        for hand in state.hands:
            assert list(hand) == sorted(hand)
            assert len(hand) <= 7
        for at, code in enumerate(table.twist):
            assert WHICH[code] == HOME[at]
        for seat, island in enumerate(table.islands):
            for at, code in enumerate(island):
                assert code < 0 or table.setting.small[seat] or WHICH[code] == HOME[at]


@every_table
@settings(max_examples=6)
@given(data=st.data())
def test_a_legal_attack_at_the_reveal_stays_legal(
    form: str, seats: int, data: st.DataObject
) -> None:
    """Who acts before is weaker, so what it leaves on Twist Island is weaker still."""
    at_reveal: dict[int, set[int]] = {}
    now = -1
    attacks = 0
    for state in states(data.draw(matches(form, seats))):
        table = state.table
        if table.phase != "ATTACK":
            now = -1
            continue
        if now != table.round:
            now, at_reveal = table.round, {}
            for group in table.waiting:
                for seat in group:
                    at_reveal[seat] = set(table.targets(table.plays[seat]))
        for seat in table.asked:
            assert at_reveal[seat] == set(table.targets(table.plays[seat]))
            attacks += 1
    assert attacks


@every_table
@settings(max_examples=6)
@given(data=st.data())
def test_a_game_has_at_most_ten_rounds_and_ends_with_its_events(
    form: str, seats: int, data: st.DataObject
) -> None:
    steps, end = played(data.draw(matches(form, seats)))
    rounds = [step.state.table.round for step in steps]
    assert rounds == sorted(rounds)
    assert set(rounds) <= set(range(10))
    volcanoes = [code for code in end.table.events if EVENTS[code].kind == "VOLCANO"]
    quiet = (
        end.table.setting.rules.quiet_first_round and EVENTS[end.table.events[0]].kind == "VOLCANO"
    )
    assert end.table.round == 9 - (len(volcanoes) and not quiet)
    assert (len(end.table.events), end.deal.events) == (10, ())


@every_table
@settings(max_examples=6)
@given(data=st.data())
def test_points_never_get_lost_to_nobody(form: str, seats: int, data: st.DataObject) -> None:
    """Graveyards and bonuses only grow, and nobody's island has a gap where it had none."""
    one = data.draw(matches(form, seats))
    before = one.start()
    for state in states(one):
        for seat in range(seats):
            old, new = before.table, state.table
            assert new.graveyards[seat][: len(old.graveyards[seat])] == old.graveyards[seat]
            assert new.bonuses[seat] == old.bonuses[seat] or not old.bonuses[seat]
            assert all(
                now >= 0 or was < 0
                for was, now in zip(old.islands[seat], new.islands[seat], strict=True)
            )
        before = state
    full = [island.is_full for island in before.table.islands]
    assert [bool(bonus) for bonus in before.table.bonuses].count(True) <= full.count(True)


def exchanged(one: Match, other: Match, seat: int) -> State:
    """The start of the one match with all that the seat can't see taken from the other's."""
    seen: State = one.start()
    return GAMES["dino_twist"].imagine(seen.view(seat), Random(other.seed))  # type: ignore[no-any-return]


@every_table
@settings(max_examples=6)
@given(data=st.data())
def test_views_do_not_depend_on_what_is_hidden(form: str, seats: int, data: st.DataObject) -> None:
    one = data.draw(matches(form, seats))
    other = one._replace(seed=one.seed[::-1])
    for seat in range(seats):
        real, changed = one.start(), exchanged(one, other, seat)
        assert changed != real
        assert changed.hands != real.hands
        assert changed.deal.pile != real.deal.pile
        assert pickle.dumps(changed.view(seat)) == pickle.dumps(real.view(seat))


@every_table
@settings(max_examples=3)
@given(data=st.data())
def test_no_view_holds_a_hidden_card(form: str, seats: int, data: st.DataObject) -> None:
    """A view has the open table and the seat's own cards, and no other field or number."""
    for state in states(data.draw(matches(form, seats))):
        for seat in range(seats):
            table, whose, held, laid_down = state.view(seat)
            assert (table, whose) == (state.table, seat)
            assert (held, laid_down) == (state.hands[seat], state.deal.laid_down[seat])
        said = pickle.dumps(state.table)
        assert state.deal.cursor.seed not in said


@every_table
@settings(max_examples=3)
@given(data=st.data())
def test_imagined_worlds_keep_all_cards_and_all_events(
    form: str, seats: int, data: st.DataObject
) -> None:
    one = data.draw(matches(form, seats))
    for number, state in enumerate(states(one)):
        seat = number % seats
        imagined: Any = one.game.imagine(state.view(seat), Random(number))
        assert everywhere(imagined) == everywhere(state)
        known = Counter((*imagined.table.events, *imagined.deal.events))
        assert known.total() == 10
        assert max(known.values()) <= 2
    start = one.start()
    hands = one.game.imagine(start.view(0), Random(1)).hands
    for hand in hands:  # T5: nobody was dealt five of a kind
        assert Counter(CARDS[code].species for code in hand).most_common(1)[0][1] < 5


@every_table
def test_thinkers_do_better_than_chance(form: str, seats: int) -> None:
    """The same games every time: more than the others' mean in nearly all of them."""
    brains = GAMES["dino_twist"].brains
    for name in ("greedy", "careful"):
        players = [brains[name], *[brains["random"]] * (seats - 1)]
        better = 0
        for number in range(6):
            start = match(form, seats, None, number).start()
            _, end = play(start, players, [Random(number)] * seats)
            totals = end.result().totals
            better += totals[0] > sum(totals[1:]) / (seats - 1)
        assert better >= 5
