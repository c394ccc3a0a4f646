"""The deal in two steps: everybody is bound by a digest before anybody's nonce is opened."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paddock_games import BadRecord, verify
from paddock_games.chance import NO_NONCE, digest_of
from paddock_games.record import read_record
from paddock_server.referee.commands import Start, TellDigests
from tests.games.tables import REFEREED
from tests.referee.desk import CLOCK, TICK, Desk, kinds, opening

every_table = pytest.mark.parametrize(("form", "seats"), REFEREED)


def own(seat: int) -> bytes:
    """The nonce of a seat."""
    return bytes([seat + 1]) * 16


def told(desk: Desk) -> list[TellDigests]:
    """Everything that was told about digests."""
    return desk.every(TellDigests)


def committed(*sends: int, skip: int | None = None) -> Desk:
    """A match whose digests are told; the seat `skip` said nothing."""
    desk = Desk(opening("winter", len(sends), sends=sends))
    desk.open()
    for seat, steps in enumerate(sends):
        if steps == 2 and seat != skip:
            desk.digest(seat, digest_of(own(seat)))
        elif steps == 1 and seat != skip:
            desk.nonce(seat, own(seat))
    if desk.unwritten is None:
        desk.sleep_until_due()
    desk.written()
    return desk


@every_table
def test_nonces_are_opened_when_all_digests_are_durable_and_told(form: str, seats: int) -> None:
    desk = Desk(opening(form, seats, sends=[2] * seats))
    assert kinds(desk.open()) == ["Start"] * seats
    for seat in range(1, seats):
        assert desk.digest(seat, digest_of(own(seat))) == []
    assert kinds(desk.digest(0, digest_of(own(0)))) == ["Write"]
    assert told(desk) == []  # not before it is durable
    digests = tuple(digest_of(own(seat)) for seat in range(seats))
    assert desk.written() == [TellDigests(seat, digests) for seat in range(seats)]
    assert desk.referee.deadline == desk.now.fair + CLOCK.nonce_wait
    for seat in range(1, seats):
        assert desk.nonce(seat, own(seat)) == []
    assert kinds(desk.nonce(0, own(0))) == ["Write"]
    assert kinds(desk.written())[0] == "Ask"
    match = desk.play_on().match
    assert [seated.nonce for seated in match.seats] == [own(seat) for seat in range(seats)]
    assert [seated.nonce_digest for seated in match.seats] == list(digests)
    assert not any(seated.nonce_late for seated in match.seats)


def test_seats_of_one_step_and_of_none_play_along() -> None:
    desk = committed(2, 1, 0)
    everybody = (digest_of(own(0)), digest_of(own(1)), digest_of(NO_NONCE))
    assert told(desk) == [TellDigests(seat, everybody) for seat in range(3)]
    desk.nonce(1, own(7))  # it is bound, too
    desk.nonce(2, own(2))  # nobody expects it
    desk.nonce(0, own(0))
    desk.written()
    seats = desk.play_on().match.seats
    assert [seated.nonce for seated in seats] == [own(0), own(1), NO_NONCE]
    assert [seated.nonce_digest for seated in seats] == [digest_of(own(0)), None, None]


def test_a_match_without_a_seat_of_two_steps_is_dealt_as_before() -> None:
    desk = Desk(opening("winter", 3, sends=[1, 1, 0]))
    desk.open()
    desk.nonce(0, own(0))
    assert kinds(desk.nonce(1, own(1))) == ["Write"]
    assert kinds(desk.written()) == ["Ask"] * 3
    assert told(desk) == []


def test_nobody_can_change_a_nonce_after_its_digest() -> None:
    desk = committed(2, 2, 2)
    desk.digest(0, digest_of(own(5)))
    for wrong in (own(5), b"", own(0)[:-1]):
        assert desk.nonce(0, wrong) == []
    desk.nonce(1, own(1))
    desk.nonce(2, own(2))
    assert desk.unwritten is None  # it may still be put right
    assert kinds(desk.nonce(0, own(0))) == ["Write"]


@pytest.mark.parametrize("sent", [None, own(9)])
def test_a_nonce_that_does_not_come_or_fit_is_dealt_as_zeros(sent: bytes | None) -> None:
    desk = committed(2, 2, 1)
    desk.nonce(0, own(0))
    if sent is not None:
        desk.nonce(1, sent)
    desk.wait(CLOCK.nonce_wait - TICK)
    assert desk.wake() == []
    desk.wait(TICK)
    assert kinds(desk.wake()) == ["Write"]
    desk.nonce(1, own(1))  # too late, though the deal is not durable yet
    desk.written()
    desk.nonce(1, own(1))
    seats = desk.play_on().match.seats
    assert [seated.nonce for seated in seats] == [own(0), NO_NONCE, own(2)]
    assert [seated.nonce_late for seated in seats] == [False, True, False]
    assert seats[1].nonce_digest == digest_of(own(1))


@pytest.mark.parametrize("steps", [1, 2])
def test_who_sends_nothing_in_time_is_bound_to_zeros(steps: int) -> None:
    desk = committed(2, steps, 2, skip=1)
    assert told(desk)[0].digests[1] == digest_of(NO_NONCE)
    assert desk.at == 1000.0 + CLOCK.nonce_wait
    for nonce in (own(1), NO_NONCE):
        desk.digest(1, digest_of(nonce))
        desk.nonce(1, nonce)
    desk.nonce(0, own(0))
    assert kinds(desk.nonce(2, own(2))) == ["Write"]  # it is not waited for again
    desk.written()
    seats = desk.play_on().match.seats
    assert (seats[1].nonce, seats[1].nonce_digest, seats[1].nonce_late) == (NO_NONCE, None, True)


def test_a_digest_after_the_last_moment_is_not_taken() -> None:
    desk = Desk(opening("winter", 3, sends=[2, 2, 2]))
    desk.open()
    desk.digest(0, digest_of(own(0)))
    desk.digest(1, digest_of(own(1)))
    desk.sleep_until_due()
    desk.digest(2, digest_of(own(2)))  # the digests are being written
    desk.nonce(2, own(2))
    desk.written()
    assert told(desk)[0].digests[2] == digest_of(NO_NONCE)


def test_a_nonce_that_is_opened_early_counts_when_it_fits() -> None:
    desk = Desk(opening("winter", 3, sends=[2, 2, 0]))
    desk.open()
    desk.digest(0, digest_of(own(0)))
    desk.nonce(0, own(0))
    desk.nonce(1, own(1))  # without a digest: as a seat of one step
    assert kinds(desk.written()) == ["TellDigests"] * 3 + ["Write"]
    desk.written()
    seats = desk.play_on().match.seats
    assert [seated.nonce for seated in seats] == [own(0), own(1), NO_NONCE]
    assert [seated.nonce_digest for seated in seats] == [digest_of(own(0)), None, None]


def test_who_comes_back_between_the_steps_is_told_again() -> None:
    desk = committed(2, 2, 0)
    desk.lost(0)
    assert desk.back(0) == [Start(0), told(desk)[0]]
    desk.nonce(0, own(0))
    desk.nonce(1, own(1))
    desk.written()
    assert kinds(desk.back(0)) == ["Start", "Ask"]


@given(opened=st.sets(st.integers(0, 2)), again=st.integers(0, 255))
def test_after_a_restart_between_the_steps_nobody_can_choose_again(
    opened: set[int], again: int
) -> None:
    before = committed(2, 2, 1)
    for seat in opened:
        before.nonce(seat, own(seat))  # the server saw it, and died before the deal was durable
    after = Desk(before.opening, 5000.0)
    assert after.resume(before.events) == []
    for seat in range(3):
        assert after.back(seat) == [Start(seat), told(before)[seat]]
    for seat in range(3):
        other = bytes([again]) * 16
        after.digest(seat, digest_of(other))
        if other != own(seat):
            after.nonce(seat, other)
    after.nonce(0, own(0))
    after.nonce(1, own(1))
    after.written()
    seats = after.play_on().match.seats
    assert [seated.nonce for seated in seats] == [own(0), own(1), own(2)]


def test_who_stays_away_after_a_restart_between_the_steps_is_late() -> None:
    before = committed(2, 2, 1)
    after = Desk(before.opening, 5000.0)
    after.resume(before.events)
    after.back(0)
    after.nonce(0, own(0))
    after.wait(CLOCK.return_wait - TICK)
    assert after.wake() == []
    after.wait(TICK)
    assert kinds(after.wake()) == ["Write"]
    assert after.unwritten is not None
    assert after.unwritten.late == (1,)  # type: ignore[union-attr]


def tampered(record: Any, seat: int, **keys: Any) -> Any:
    """A record with other keys of a seat; None removes one."""
    changed = json.loads(json.dumps(record))
    for key, value in keys.items():
        changed["seats"][seat][key] = value
        if value is None:
            del changed["seats"][seat][key]
    return read_record(json.dumps(changed))


def test_a_record_tells_digests_and_who_was_late_and_is_checked_for_it() -> None:
    desk = committed(2, 2, 1)
    desk.nonce(0, own(0))
    desk.sleep_until_due()
    desk.written()
    desk.play_on()
    assert desk.record is not None
    first, second, third = desk.record["seats"]
    assert first["nonce_digest"] == digest_of(own(0)).hex()
    assert "nonce_late" not in first
    assert second["nonce_late"] is True
    assert "nonce_digest" not in third
    verify(tampered(desk.record, 0))
    verify(tampered(desk.record, 0, nonce_digest=None))  # as before there were digests
    for seat, where, keys in (
        (0, "seats[0].nonce_digest", {"nonce_digest": digest_of(own(1)).hex()}),
        (0, "seats[0].nonce_digest", {"nonce_digest": "00"}),
        (0, "seats[0].nonce", {"nonce_late": True}),
        (1, "seats[1].nonce_digest", {"nonce_late": False}),
        (1, "seats[1].nonce_late", {"nonce_late": 1}),
        (1, "seats[1].nonce", {"nonce": own(1).hex()}),
    ):
        with pytest.raises(BadRecord) as caught:
            verify(tampered(desk.record, seat, **keys))
        assert caught.value.where == where
