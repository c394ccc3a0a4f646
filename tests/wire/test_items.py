"""What is put together by hand is what the generated code reads."""

from hashlib import sha256
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paddock.v1 import arena_pb2, match_pb2
from paddock_games import PlayedMatch, Step, Timing
from paddock_games.game import FAULTS
from paddock_ladder.rating import Rating
from paddock_server.referee.clock import Clock
from paddock_server.referee.commands import Ask, Refuse
from paddock_server.referee.result import SeatResult
from paddock_server.wire import items
from tests.games.tables import TABLES, match, matches, played, states
from tests.wire import messages
from tests.wire.messages import frame, same

DICE = bytes(range(16))

every_table = pytest.mark.parametrize(("form", "seats"), TABLES)


@every_table
@settings(max_examples=2)
@given(data=st.data(), ask_id=st.integers(1, 2**64 - 1), ms=st.integers(0, 2**31))
def test_asks_and_tables_say_what_the_rules_say(
    form: str, seats: int, data: st.DataObject, ask_id: int, ms: int
) -> None:
    one = data.draw(matches(form, seats))
    for state in states(one):
        shared = items.table(one, state)
        watched = match_pb2.WatchMatchResponse(table=messages.table(state))
        same(items.watched_table(one, shared), watched)
        for seat in state.to_move:
            command = Ask(
                seat, ask_id, state, state.legal(seat), (ms + 0.1) / 1000, (ms // 2 + 0.1) / 1000
            )
            expected = messages.ask(one.id, state, seat)
            expected.ask_id, expected.time_ms, expected.bank_ms = ask_id, ms, ms // 2
            same(items.ask(one, command, shared), frame(ask=expected))


@every_table
@settings(max_examples=2)
@given(data=st.data())
def test_a_step_is_told_as_it_was_played(form: str, seats: int, data: st.DataObject) -> None:
    one = data.draw(matches(form, seats))
    chooser = Random(one.seed)
    for number, step in enumerate(played(one)[0]):
        timings = {seat: Timing(1.0, 0.0, chooser.choice([None, *FAULTS])) for seat in step.choices}
        for told in (step, step._replace(timings=timings)):
            expected = messages.happened(one.id, number, told)
            same(items.happened(one, number, told), frame(happened=expected))
            watched = match_pb2.WatchMatchResponse(happened=expected)
            same(items.watched_step(one, number, told), watched)


@every_table
@settings(max_examples=2)
@given(data=st.data())
def test_a_start_tells_everything_but_the_seed(form: str, seats: int, data: st.DataObject) -> None:
    one = data.draw(matches(form, seats))
    one = one._replace(tournament=data.draw(st.sampled_from([None, "T1", "漢字"])))
    clock = Clock(1.5, 10.0, 0.25, max_faults=data.draw(st.integers(0, 9)))
    for seat in range(seats):
        sent = items.started(one, seat, clock, DICE)
        expected = messages.started(one, seat, clock, sha256(one.seed).digest(), DICE)
        same(sent, frame(match_started=expected))
        assert one.seed not in sent
        assert not any(seated.nonce in sent for seated in one.seats)


@every_table
@settings(max_examples=2)
@given(data=st.data())
def test_an_end_tells_points_ranks_and_where_the_deal_came_from(
    form: str, seats: int, data: st.DataObject
) -> None:
    one = data.draw(matches(form, seats))
    steps, end = played(one)
    result = end.result()
    results = [
        SeatResult("", "", total, rank, forfeit=rank == seats, faults=rank - 1, fallbacks=rank)
        for total, rank in zip(result.totals, result.ranks(), strict=True)
    ]
    expected = messages.ended(one, results, end)
    how = items.MatchEnd(PlayedMatch(one, steps, end), results)
    same(items.ended(how), frame(match_ended=expected))
    same(items.watched_end(how), match_pb2.WatchMatchResponse(match_ended=expected))
    hidden = items.ended(how._replace(hides_deal=True))  # while others play the same deal
    assert one.seed not in hidden
    changes = [(Rating(25.0 + seat, 8.0), Rating(26.0, 7.5 - seat)) for seat in range(seats)]
    for seat, result in enumerate(expected.seats):
        result.rating.mu_before, result.rating.sigma_before = changes[seat][0]
        result.rating.mu, result.rating.sigma = changes[seat][1]
    same(items.ended(how._replace(changes=changes)), frame(match_ended=expected))


@pytest.mark.parametrize(
    "ms",
    [0, 1, 57, 200, 999, 1001, 2002, 4004, 10_000, 16_016, 60_000],
)
def test_a_clock_is_told_to_the_millisecond(ms: int) -> None:
    clock = Clock(ms / 1000, ms / 1000, ms / 1000)
    sent = items.started(match("summer", 3), 0, clock, DICE)
    told = arena_pb2.PlayResponse.FromString(sent).items[0].match_started.clock
    assert [told.base_ms, told.bank_ms, told.lag_allowance_ms] == [ms] * 3


@given(ask_id=st.integers(0, 2**64 - 1), reason=st.text(), sentence=st.text())
def test_refusals(ask_id: int, reason: str, sentence: str) -> None:
    expected = arena_pb2.Refused(ask_id=ask_id, reason=reason, sentence=sentence)
    same(items.refused(Refuse(3, ask_id, reason, sentence)), frame(refused=expected))


@given(number=st.integers(0, 2**64 - 1))
def test_pings(number: int) -> None:
    same(items.ping(number), frame(ping=arena_pb2.Ping(id=number)))


@given(reason=st.text(), sentence=st.text(), after=st.integers(0, 2**32 - 1))
def test_goodbyes(reason: str, sentence: str, after: int) -> None:
    expected = arena_pb2.Goodbye(reason=reason, sentence=sentence, return_after_ms=after)
    same(items.goodbye(reason, sentence, after), frame(goodbye=expected))


def test_welcomes() -> None:
    expected = arena_pb2.Welcome(
        session="s", server="1.0", protocol=1, limits=arena_pb2.Limits(frame_bytes=65536)
    )
    same(items.welcome(expected), frame(welcome=expected))
    same(items.welcome(arena_pb2.Welcome()), frame(welcome=arena_pb2.Welcome()))


@given(st.lists(st.integers(0, 9), max_size=30))
def test_items_side_by_side_are_a_frame(numbers: list[int]) -> None:
    one = match("winter", 3)
    made: dict[int, tuple[bytes, Any]] = {}
    for number in set(numbers):
        step = Step(one.start(), {0: one.start().legal(0)[0]})
        expected: Any
        if number % 2:
            sent, expected = items.ping(number), {"ping": arena_pb2.Ping(id=number)}
        else:
            sent = items.happened(one, number, step)
            expected = {"happened": messages.happened(one.id, number, step)}
        made[number] = sent, arena_pb2.RefereeItem(**expected)
    sent = b"".join(made[number][0] for number in numbers)
    same(sent, arena_pb2.PlayResponse(items=[made[number][1] for number in numbers]))
