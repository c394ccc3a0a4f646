"""A bot on one stream: it says hello, answers what it is asked, and nothing holds it up."""

import asyncio
import threading
from typing import Any

import pytest

from paddock import Ask, Bot, Event, Match, Refusal, Result
from paddock.v1 import arena_pb2
from paddock_games import FORMATS
from paddock_games.draftosaurus import Choice
from tests.sdk import wire
from tests.sdk.referee import Referee, Stream, against


class First(Bot):
    """Takes the first choice."""

    name = "first"

    def choose(self, ask: Ask) -> Any:
        return ask.legal[0]


class Last(Bot):
    """Takes the last choice, and is async."""

    name = "last"

    async def choose(self, ask: Ask) -> Any:
        await asyncio.sleep(0)
        return ask.legal[-1]


async def start(stream: Stream, match_id: str, form: str = "winter", seats: int = 4) -> Any:
    """A match that has begun, with its nonce."""
    state = wire.first_state(form, seats)
    stream.say(wire.started(match_id, state))
    nonce = await stream.item("nonce")
    assert nonce.match_id == match_id
    assert len(nonce.nonce) == 16
    return state


def test_hello_says_who_it_is() -> None:
    async def script(referee: Referee) -> None:
        stream, hello = await referee.welcomed()
        assert stream.metadata["authorization"] == "Bearer T0KEN"
        assert (hello.bot, hello.version, hello.protocol) == ("first", "1", 1)
        assert list(hello.formats) == []  # all that the server has, as far as they are known here
        assert list(hello.known_formats) == list(FORMATS)
        assert (hello.max_matches, hello.sends_nonces) == (8, True)
        assert hello.resume_token == ""
        assert hello.client.startswith("paddock-python/")

    against(script, First(), token="T0KEN")  # noqa: S106 -- no secret


def test_the_environment_counts_and_what_is_given_counts_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PADDOCK_TOKEN", "FROM-ENV\n")
    monkeypatch.setenv("PADDOCK_BOT", "other")

    async def from_environment(referee: Referee) -> None:
        stream, hello = await referee.welcomed()
        assert stream.metadata["authorization"] == "Bearer FROM-ENV"
        assert hello.bot == "other"

    async def given(referee: Referee) -> None:
        stream, hello = await referee.welcomed()
        assert stream.metadata["authorization"] == "Bearer GIVEN"
        assert (hello.bot, hello.max_matches) == ("named", 3)

    against(from_environment, First())
    against(given, First(), token="GIVEN", name="named", max_matches=3)  # noqa: S106 -- no secret


@pytest.mark.parametrize(("bot", "end"), [(First(), 0), (Last(), -1)])
def test_answers_by_number(bot: Bot, end: int) -> None:
    async def script(referee: Referee) -> None:
        stream, _ = await referee.welcomed()
        state = await start(stream, "M1")
        for ask_id in (7, 8):
            stream.say(wire.ask("M1", ask_id, state))
            choice = await stream.item("choice")
            assert choice.ask_id == ask_id
            assert choice.number == range(len(state.legal(0)))[end]

    against(script, bot)


def test_what_the_bot_is_told(caplog: pytest.LogCaptureFixture) -> None:
    told: list[Any] = []

    class Curious(First):
        def started(self, match: Match) -> None:
            told.append(match)

        def happened(self, match: Match, event: Event) -> None:
            told.append((match.id, event))

        async def refused(self, match: Match, refusal: Refusal) -> None:
            told.append((match.id, refusal))

        def ended(self, match: Match, result: Result) -> None:
            told.append((match.id, result))

    async def script(referee: Referee) -> None:
        stream, _ = await referee.welcomed()
        state = await start(stream, "M1")
        stream.say(wire.ask("M1", 1, state))
        await stream.item("choice")
        refused = arena_pb2.Refused(ask_id=1, reason="choice/stale", sentence="Too late.")
        stream.say(arena_pb2.RefereeItem(refused=refused))
        choices = {seat: state.default(seat) for seat in state.to_move}
        stream.say(wire.happened("M1", choices, arena_pb2.FAULT_TIMEOUT))
        stream.say(wire.ended("M1", state.step(choices)))
        await stream.hung_up()  # stop_when_idle

    against(script, Curious(), stop_when_idle=True)
    match, refused, happened, ended = told
    assert (match.id, match.format, match.seat, len(match.seats)) == ("M1", "winter", 0, 4)
    assert match.seats[2].bot == "bot2"
    assert match.clock == (1000, 10_000, 200, 3)
    assert refused == ("M1", (1, "choice/stale", "Too late."))
    assert [one.fault for one in happened[1].revealed] == ["TIMEOUT", None, None, None]
    assert all(isinstance(one.choice, Choice) for one in happened[1].revealed)
    assert "fault TIMEOUT: match M1: the referee chose" in caplog.text
    result = ended[1]
    assert result.kept_its_word
    assert result.mine.total == result.scores[0][0].total == 1  # the default: into the river


def test_a_broken_commitment_is_reported(caplog: pytest.LogCaptureFixture) -> None:
    async def script(referee: Referee) -> None:
        stream, _ = await referee.welcomed()
        state = await start(stream, "M1")
        stream.say(wire.ended("M1", state, seed=bytes(31) + b"1"))
        await stream.hung_up()

    against(script, First(), stop_when_idle=True)
    assert "match M1: the seed is not the one the server committed to" in caplog.text


def test_a_seed_that_is_not_told_yet_breaks_no_word(caplog: pytest.LogCaptureFixture) -> None:
    """Others are to play the same deal: nothing can be checked, and nobody is accused."""
    told: list[Result] = []

    class Listening(First):
        def ended(self, match: Match, result: Result) -> None:
            told.append(result)

    async def script(referee: Referee) -> None:
        stream, _ = await referee.welcomed()
        state = await start(stream, "M1")
        stream.say(wire.ended("M1", state, seed=b""))
        await stream.hung_up()

    against(script, Listening(), stop_when_idle=True)
    assert told[0].kept_its_word is None
    assert "committed" not in caplog.text


def test_a_ping_is_answered_while_choosing() -> None:
    choosing, go_on = threading.Event(), threading.Event()

    class Slow(First):
        def choose(self, ask: Ask) -> Any:
            choosing.set()
            go_on.wait()
            return ask.legal[0]

    async def script(referee: Referee) -> None:
        stream, _ = await referee.welcomed()
        state = await start(stream, "M1")
        try:
            stream.say(wire.ask("M1", 1, state))
            await asyncio.to_thread(choosing.wait)
            for number in (5, 6):
                stream.say(wire.ping(number))
                assert (await stream.item("pong")).id == number
        finally:
            go_on.set()
        assert (await stream.item("choice")).ask_id == 1

    against(script, Slow())


def test_a_slow_match_does_not_hold_up_another() -> None:
    go_on = threading.Event()

    class SlowInOne(First):
        max_matches = 2

        def choose(self, ask: Ask) -> Any:
            if ask.match.id == "SLOW":
                go_on.wait()
            return ask.legal[0]

    async def script(referee: Referee) -> None:
        stream, _ = await referee.welcomed()
        slow, quick = await start(stream, "SLOW"), await start(stream, "QUICK")
        try:
            stream.say(wire.ask("SLOW", 1, slow))
            for ask_id in range(2, 12):
                stream.say(wire.ask("QUICK", ask_id, quick))
                assert (await stream.item("choice")).ask_id == ask_id
        finally:
            go_on.set()
        assert (await stream.item("choice")).ask_id == 1

    against(script, SlowInOne())


def test_answers_that_gather_leave_in_one_frame() -> None:
    # The bot holds all eight answers back until it has all eight asks; then its loop does not get
    # to write before the last of them is there.
    class Together(Bot):
        waiting = 0
        all_there: asyncio.Event

        def __init__(self) -> None:
            self.all_there = asyncio.Event()

        async def choose(self, ask: Ask) -> Any:
            self.waiting += 1
            if self.waiting == 8:
                self.all_there.set()
            await self.all_there.wait()
            return ask.legal[0]

    async def script(referee: Referee) -> None:
        stream, _ = await referee.welcomed()
        states = {n: await start(stream, f"M{n}") for n in range(8)}
        stream.say(*(wire.ask(f"M{n}", n, state) for n, state in states.items()))
        frame = await stream.frame()
        assert sorted(item.choice.ask_id for item in frame) == list(range(8))

    against(script, Together())


def test_one_match_is_called_one_at_a_time_and_skips_what_went_by(
    caplog: pytest.LogCaptureFixture,
) -> None:
    asked: list[int] = []
    choosing, go_on = threading.Event(), threading.Event()

    class Stuck(First):
        def choose(self, ask: Ask) -> Any:
            asked.append(ask.id)
            choosing.set()
            go_on.wait()
            return ask.legal[0]

    async def script(referee: Referee) -> None:
        stream, _ = await referee.welcomed()
        state = await start(stream, "M1")
        try:
            stream.say(wire.ask("M1", 1, state))
            await asyncio.to_thread(choosing.wait)
            stream.say(*(wire.ask("M1", ask_id, state) for ask_id in (2, 3, 4)), wire.ping(1))
            await stream.item("pong")
        finally:
            go_on.set()
        assert (await stream.item("choice")).ask_id == 4

    against(script, Stuck())
    assert asked == [1, 4]
    assert "match M1, ask 1: choose was too late" in caplog.text


def test_what_a_newer_server_says_is_passed_over() -> None:
    async def script(referee: Referee) -> None:
        stream, _ = await referee.welcomed()
        state = await start(stream, "M1")
        invented = arena_pb2.RefereeItem.FromString(b"\xa2\x06\x03abc")  # field 100
        ask = wire.ask("M1", 1, state)
        more = arena_pb2.RefereeItem.FromString(
            ask.SerializeToString() + invented.SerializeToString()
        )
        elsewhere = arena_pb2.Happened(match_id="NEVER HEARD OF")
        strange = wire.started("M2", state)
        strange.match_started.format = "spring"
        stream.say(invented, strange, arena_pb2.RefereeItem(happened=elsewhere), more)
        assert (await stream.item("choice")).ask_id == 1

    against(script, First())
