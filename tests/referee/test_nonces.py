"""The deal: made of the seed and the seats' nonces, of whoever sends one in time."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paddock_games.chance import NO_NONCE
from paddock_server.referee.commands import Write
from tests.games.tables import REFEREED
from tests.referee.desk import CLOCK, TICK, Desk, kinds, opening, ticks

every_table = pytest.mark.parametrize(("form", "seats"), REFEREED)


def own(seat: int) -> bytes:
    """The nonce of a seat."""
    return bytes([seat + 1]) * 16


def nonces(desk: Desk) -> list[bytes]:
    """What the deal was made of."""
    return [bytes.fromhex(nonce) for nonce in desk.events[0].nonces]


@every_table
def test_where_nobody_sends_a_nonce_nobody_waits_for_one(form: str, seats: int) -> None:
    desk = Desk(opening(form, seats))
    assert kinds(desk.open()) == ["Start"] * seats + ["Write"]
    desk.written()
    assert nonces(desk) == [NO_NONCE] * seats
    desk.play_on()


@every_table
def test_the_deal_is_made_as_soon_as_the_last_nonce_is_there(form: str, seats: int) -> None:
    desk = Desk(opening(form, seats, sends=[True] * seats))
    assert kinds(desk.open()) == ["Start"] * seats
    for seat in reversed(range(1, seats)):
        assert desk.nonce(seat, own(seat)) == []
    assert desk.wake() == []
    (write,) = desk.nonce(0, own(0))
    assert isinstance(write, Write)
    assert desk.referee.state is None  # not before it is durable
    assert kinds(desk.written()) == ["Ask"] * seats
    assert nonces(desk) == [own(seat) for seat in range(seats)]
    match, _, _ = desk.play_on()
    assert [seated.nonce for seated in match.seats] == nonces(desk)
    assert desk.referee.steps[0].state == match.start()


@given(
    sends=st.lists(st.booleans(), min_size=4, max_size=4),
    does=st.lists(st.booleans(), min_size=4, max_size=4),
    early=ticks(CLOCK.nonce_wait - TICK),
)
def test_who_said_so_and_sends_none_is_waited_for_once(
    sends: list[bool], does: list[bool], early: float
) -> None:
    desk = Desk(opening("winter", 4, sends=sends))
    desk.open()
    missing = [seat for seat in range(4) if sends[seat] and not does[seat]]
    for seat in range(4):
        if sends[seat] and does[seat]:
            desk.nonce(seat, own(seat))
    if missing:
        assert desk.referee.deadline == desk.now.fair + CLOCK.nonce_wait
        desk.wait(early)
        assert desk.wake() == []
        assert desk.unwritten is None
        assert kinds(desk.sleep_until_due()) == ["Write"]
        assert desk.at == 1000.0 + CLOCK.nonce_wait
    for seat in missing:
        assert desk.nonce(seat, own(seat)) == []  # too late, though the deal is not yet durable
    desk.written()
    for seat in missing:
        assert desk.nonce(seat, own(seat)) == []
    assert nonces(desk) == [own(s) if sends[s] and does[s] else NO_NONCE for s in range(4)]
    assert desk.events[0].late == tuple(missing)
    assert [seated.nonce for seated in desk.play_on().match.seats] == nonces(desk)
    assert desk.banks == [CLOCK.bank] * 4  # nobody pays for it


@pytest.mark.parametrize("wrong", [b"", b"1", bytes(15), bytes(17), bytes(1000)], ids=len)
def test_a_nonce_of_the_wrong_length_is_none(wrong: bytes) -> None:
    desk = Desk(opening("summer", 3, sends=[True, True, False]))
    desk.open()
    desk.nonce(1, own(1))
    assert desk.nonce(0, wrong) == []
    assert desk.unwritten is None
    assert kinds(desk.nonce(0, own(0))) == ["Write"]  # it may be put right
    desk.written()
    assert nonces(desk) == [own(0), own(1), NO_NONCE]


def test_only_the_first_nonce_counts() -> None:
    desk = Desk(opening("summer", 3, sends=[True] * 3))
    desk.open()
    for again in range(5):
        assert desk.nonce(0, own(again)) == []
    desk.nonce(1, own(1))
    desk.nonce(2, own(2))
    desk.nonce(0, own(7))
    desk.written()
    desk.nonce(0, own(8))
    assert nonces(desk) == [own(0), own(1), own(2)]
    assert [part.nonce for part in desk.referee.dealing.parts] == nonces(desk)


def test_a_nonce_of_zeros_is_a_nonce() -> None:
    desk = Desk(opening("summer", 3, sends=[True, False, False]))
    desk.open()
    assert kinds(desk.nonce(0, NO_NONCE)) == ["Write"]


def test_the_wait_is_counted_in_fair_time() -> None:
    desk = Desk(opening("summer", 3, sends=[True] * 3))
    desk.open()
    desk.wait(CLOCK.nonce_wait, late=0.5)
    assert desk.wake() == []
    desk.wait(0.5)
    assert kinds(desk.wake()) == ["Write"]


def test_who_is_away_or_gone_does_not_hold_up_the_deal() -> None:
    desk = Desk(opening("summer", 3, sends=[True] * 3))
    desk.open()
    desk.lost(0)
    desk.resign(1)
    desk.nonce(2, own(2))
    assert kinds(desk.sleep_until_due()) == ["Write"]
    desk.written()
    assert nonces(desk) == [NO_NONCE, NO_NONCE, own(2)]


def test_nothing_is_dealt_before_the_match_is_opened() -> None:
    """A bot that comes back while the opening is being written may be quick with its nonce."""
    desk = Desk(opening("summer", 3, sends=[True] * 3))
    desk.back(0)
    assert desk.nonce(0, own(0)) == []
    desk.open()
    desk.nonce(1, own(1))
    desk.nonce(2, own(2))
    desk.written()
    assert nonces(desk) == [own(0), own(1), own(2)]
