"""Promise 1, on the wire: nothing that is hidden from a seat is in what it is sent."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paddock_games import Match, State
from paddock_server.referee.clock import Clock
from paddock_server.referee.commands import Ask
from paddock_server.wire import items
from tests.games.tables import TABLES, matches, states

every_table = pytest.mark.parametrize(("form", "seats"), TABLES)


def sent(one: Match, state: State, seat: int) -> bytes:
    """The ask that the seat gets at this state."""
    return items.ask(
        one, Ask(seat, 1, state, state.legal(seat), 1.0, 10.0), items.table(one, state)
    )


@every_table
@settings(max_examples=3)
@given(data=st.data())
def test_asks_are_equal_where_only_hidden_things_differ(
    form: str, seats: int, data: st.DataObject
) -> None:
    one = data.draw(matches(form, seats))
    hidden = 0
    for number, state in enumerate(states(one)):
        for seat in range(seats):
            other: State = one.game.imagine(state.view(seat), Random(number))
            hidden += other != state
            assert items.table(one, other) == items.table(one, state)
            assert sent(one, other, seat) == sent(one, state, seat)
            watched = items.watched_table(one, items.table(one, state))
            assert items.watched_table(one, items.table(one, other)) == watched
    assert hidden > seats  # there was something to hide


@every_table
@settings(max_examples=3)
@given(data=st.data())
def test_an_ask_shows_the_seats_own_hand(form: str, seats: int, data: st.DataObject) -> None:
    """The test above could not fail if asks told nothing: they do tell the own hand."""
    one = data.draw(matches(form, seats))
    start = one.start()
    for seat in range(seats):
        for other in range(seats):
            imagined = one.game.imagine(start.view(other), Random(seat))
            known = imagined.hands[seat] == start.hands[seat]
            assert (sent(one, imagined, seat) == sent(one, start, seat)) is known


@every_table
@settings(max_examples=3)
@given(data=st.data())
def test_nothing_before_the_end_depends_on_what_is_still_to_come(
    form: str, seats: int, data: st.DataObject
) -> None:
    """A match with the same table but another seed and other nonces starts alike, but for both."""
    one = data.draw(matches(form, seats))
    shown = items.started(one, 0, Clock(), b"")
    nonces = [seated._replace(nonce=bytes(16)) for seated in one.seats]
    assert items.started(one._replace(seats=nonces), 0, Clock(), b"") == shown
    for state in states(one)[:-1]:
        for seat in range(seats):
            ask = sent(one, state, seat)
            assert one.seed not in ask
            assert not any(seated.nonce in ask for seated in one.seats)
