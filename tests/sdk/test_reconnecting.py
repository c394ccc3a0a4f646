"""A lost connection is not a lost match, and a refusal that stands is not tried again."""

import asyncio
import threading
from random import Random
from typing import Any

import grpc
import pytest

from paddock import Ask, Match, Refused, Unreachable, play
from paddock.backoff import FIRST_S, LONGEST_S, Backoff
from paddock.v1 import arena_pb2
from tests.sdk import wire
from tests.sdk.referee import Referee, against, referee
from tests.sdk.test_playing import First, start


class Counting(First):
    """Notes every ask it is shown and every match it is told of."""

    def __init__(self) -> None:
        self.asked: list[int] = []
        self.told: list[str] = []

    def started(self, match: Match) -> None:
        self.told.append(match.id)

    def choose(self, ask: Ask) -> Any:
        self.asked.append(ask.id)
        return ask.legal[-1]


def test_it_comes_back_with_its_resume_token_and_repeats_its_answer() -> None:
    bot = Counting()

    async def script(referee: Referee) -> None:
        stream, _ = await referee.welcomed("R1")
        state = wire.first_state()
        stream.say(wire.started("M1", state))
        nonce = await stream.item("nonce")
        stream.say(wire.ask("M1", 1, state))
        first = await stream.item("choice")
        stream.end(grpc.StatusCode.UNAVAILABLE, "the network went away")

        stream, hello = await referee.welcomed("R2")
        assert hello.resume_token == "R1"  # noqa: S105 -- no secret
        stream.say(wire.started("M1", state), wire.ask("M1", 1, state))
        again, choice = await stream.frame()
        assert again.nonce == nonce  # what was dealt with it can't change any more
        assert choice.choice == first
        stream.say(wire.ask("M1", 2, state))
        assert (await stream.item("choice")).ask_id == 2
        stream.end()

        _, hello = await referee.welcomed("R3")
        assert hello.resume_token == "R2"  # noqa: S105 -- no secret

    against(script, bot)
    assert bot.asked == [1, 2]
    assert bot.told == ["M1"]


def test_an_ask_that_shows_something_else_is_chosen_anew() -> None:
    """The same id means the same view; where a server breaks that, the view counts."""
    bot = Counting()

    async def script(referee: Referee) -> None:
        stream, _ = await referee.welcomed()
        state = await start(stream, "M1")
        other = state.step({seat: state.legal(seat)[0] for seat in state.to_move})
        for shown in (state, state, other, other, state):
            stream.say(wire.ask("M1", 1, shown))
            assert (await stream.item("choice")).number == len(shown.legal(0)) - 1

    against(script, bot)
    assert bot.asked == [1, 1, 1]


def test_a_choice_under_way_is_not_begun_again() -> None:
    choosing, go_on = threading.Event(), threading.Event()

    class Slow(Counting):
        def choose(self, ask: Ask) -> Any:
            chosen = super().choose(ask)
            choosing.set()
            go_on.wait()
            return chosen

    bot = Slow()

    async def script(referee: Referee) -> None:
        stream, _ = await referee.welcomed()
        state = await start(stream, "M1")
        stream.say(wire.ask("M1", 1, state))
        try:
            await asyncio.to_thread(choosing.wait)
            stream.end(grpc.StatusCode.UNAVAILABLE, "the network went away")
            stream, _ = await referee.welcomed()
            stream.say(wire.started("M1", state), wire.ask("M1", 1, state), wire.ping(1))
            assert [item.WhichOneof("item") for item in await stream.frame()] == ["nonce", "pong"]
        finally:
            go_on.set()
        assert (await stream.item("choice")).number == len(state.legal(0)) - 1

    against(script, bot)
    assert bot.asked == [1]


FINAL = [
    (grpc.StatusCode.UNAUTHENTICATED, "auth/bad_token"),
    (grpc.StatusCode.PERMISSION_DENIED, "auth/other_bot"),
    (grpc.StatusCode.INVALID_ARGUMENT, "format/unknown"),
    (grpc.StatusCode.FAILED_PRECONDITION, "protocol/too_old"),
    (grpc.StatusCode.ABORTED, "session/replaced"),
]


@pytest.mark.parametrize(("code", "reason"), FINAL)
@pytest.mark.parametrize("in_metadata", [True, False])
def test_a_refusal_that_stands_ends_it(
    code: grpc.StatusCode, reason: str, in_metadata: bool
) -> None:
    async def script(referee: Referee) -> None:
        stream = await referee.stream()
        await stream.item("hello")  # else grpc may report that Hello was cut off instead
        stream.end(code, f"{reason}: Do this and that.", reason if in_metadata else "")
        await referee.stream()  # never

    with pytest.raises(Refused, match=f"^{reason}: Do this and that.$") as refused:
        against(script, First())
    assert refused.value.reason == reason
    assert refused.value.sentence == "Do this and that."
    assert refused.value.exit_code == 2


@pytest.mark.parametrize("reason", ["session/replaced", "server/draining"])
def test_a_goodbye_for_good_ends_it(reason: str) -> None:
    async def script(referee: Referee) -> None:
        stream, _ = await referee.welcomed()
        goodbye = arena_pb2.Goodbye(reason=reason, sentence="Go home.")
        stream.say(arena_pb2.RefereeItem(goodbye=goodbye))
        stream.end()
        await referee.stream()  # never

    with pytest.raises(Refused, match=f"^{reason}: Go home.$"):
        against(script, First())


@pytest.mark.parametrize(
    ("code", "details"),
    [
        (grpc.StatusCode.UNAVAILABLE, "server/draining: Come back."),
        (grpc.StatusCode.RESOURCE_EXHAUSTED, "session/too_many: Wait."),
        (grpc.StatusCode.ABORTED, "Something else."),
        (grpc.StatusCode.CANCELLED, ""),
        (grpc.StatusCode.INTERNAL, "A bug of the server's."),
        (grpc.StatusCode.OK, ""),
    ],
)
def test_other_ends_are_tried_again(
    code: grpc.StatusCode, details: str, caplog: pytest.LogCaptureFixture
) -> None:
    async def script(referee: Referee) -> None:
        for _ in range(2):
            (await referee.stream()).end(code, details)
        await referee.welcomed()

    against(script, First())
    # How a stream that ended well looks to the client is up to gRPC, which may have been writing.
    told = f"{details} ({code.name}); next attempt in" if details else "; next attempt in"
    assert told in caplog.text


def test_a_goodbye_says_when_to_return(caplog: pytest.LogCaptureFixture) -> None:
    async def script(referee: Referee) -> None:
        stream, _ = await referee.welcomed()
        goodbye = arena_pb2.Goodbye(
            reason="server/draining", sentence="A new version.", return_after_ms=1
        )
        stream.say(arena_pb2.RefereeItem(goodbye=goodbye))
        stream.end()
        _, hello = await referee.welcomed()
        assert hello.resume_token == "R1"  # noqa: S105 -- no secret

    against(script, First())
    assert "A new version." in caplog.text


def _goodbye(address: str) -> arena_pb2.RefereeItem:
    goodbye = arena_pb2.Goodbye(
        reason="server/draining", sentence="Moved.", return_after_ms=1, address=address
    )
    return arena_pb2.RefereeItem(goodbye=goodbye)


def test_a_goodbye_may_name_another_server() -> None:
    """The bot goes there and stays there, and comes home when nobody is there any more."""

    async def script(home: Referee) -> None:
        async with referee() as other:
            stream, _ = await home.welcomed("R1")
            stream.say(_goodbye(other.address))
            stream.end()
            for resume in ("R1", "R2"):
                stream, hello = await other.welcomed("R2")
                assert hello.resume_token == resume
                stream.end(grpc.StatusCode.UNAVAILABLE, "the network went away")
        _, hello = await home.welcomed()
        assert hello.resume_token == "R2"  # noqa: S105 -- no secret

    against(script, First())


def test_a_server_that_is_named_and_not_there_is_tried_in_turn_with_the_first() -> None:
    async def script(home: Referee) -> None:
        async with referee() as gone:
            address = gone.address
        for _ in range(2):
            stream, _ = await home.welcomed()
            stream.say(_goodbye(address))
            stream.end()
        await home.welcomed()

    against(script, First())


@pytest.mark.parametrize("address", ["nonsense", "arena.example:7911", "ftp://localhost:1"])
def test_an_address_that_makes_no_sense_is_passed_over(
    address: str, caplog: pytest.LogCaptureFixture
) -> None:
    async def script(home: Referee) -> None:
        stream, _ = await home.welcomed()
        stream.say(_goodbye(address))
        stream.end()
        await home.welcomed()

    against(script, First())
    assert "goodbye ignored: its address can't be used: server: " in caplog.text


def test_nobody_there_is_given_up_on_when_told_so() -> None:
    async def nobody() -> None:
        server = grpc.aio.server()
        port = server.add_insecure_port("127.0.0.1:0")
        await server.start()
        await server.stop(None)
        await play(First(), f"127.0.0.1:{port}", give_up_after=0.0)

    with pytest.raises(Unreachable, match=r"^127.0.0.1:\d+: .+") as unreachable:
        asyncio.run(nobody())
    assert unreachable.value.exit_code == 1


def test_waits_grow_with_full_jitter_and_the_server_is_heeded() -> None:
    class Longest(Random):
        def random(self) -> float:
            return 1.0

    backoff = Backoff(Longest())
    waits = [backoff.next_s() for _ in range(12)]
    assert waits[:4] == [FIRST_S * 2**n for n in range(4)]
    assert waits[-1] == LONGEST_S == max(waits)
    assert backoff.next_s(7.5) == 7.5 + LONGEST_S
    backoff.reset()
    assert backoff.next_s() == FIRST_S
    drawn = Backoff(Random(1))
    assert all(0 <= drawn.next_s() <= LONGEST_S for _ in range(1100))
