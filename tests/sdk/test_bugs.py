"""A bug of the bot's author is told, costs a choice, and ends nothing."""

from typing import Any

import pytest

from paddock import Ask, Bot, Event, Match
from paddock.ask import read_ask
from paddock.fallback import fallback
from paddock.match import read_match
from paddock_games.draftosaurus import Choice
from tests.sdk import wire
from tests.sdk.referee import Referee, against
from tests.sdk.test_playing import First, start


def raises(ask: Ask) -> Any:
    raise LookupError("my own mistake")


def finds_nothing(ask: Ask) -> Any:
    return next(choice for choice in ask.legal if choice.pen == "NOWHERE")


def leaves(ask: Ask) -> Any:
    raise SystemExit(3)


def returns_nothing(ask: Ask) -> Any:
    return None


def returns_a_number(ask: Ask) -> Any:
    return 1


def returns_the_illegal(ask: Ask) -> Any:
    return Choice("REMOVE", "T_REX")


class Hostile:
    def __repr__(self) -> str:
        raise RuntimeError("even to show it fails")


def returns_the_unspeakable(ask: Ask) -> Any:
    return Hostile()


BUGS = {
    returns_the_unspeakable: "RuntimeError: even to show it fails",
    raises: "LookupError: my own mistake",
    finds_nothing: "StopIteration",
    leaves: "SystemExit: 3",
    returns_nothing: "returned None, which is not one of ask.legal",
    returns_a_number: "returned 1, which is not one of ask.legal",
    returns_the_illegal: "returned Choice('REMOVE', 'T_REX', None, 0), which is not one of",
}


@pytest.mark.parametrize("is_async", [False, True])
@pytest.mark.parametrize("bug", BUGS)
def test_a_bug_in_choose_plays_the_default(
    bug: Any, is_async: bool, caplog: pytest.LogCaptureFixture
) -> None:
    class Plain(Bot):
        def choose(self, ask: Ask) -> Any:
            return bug(ask)

    class Async(Bot):
        async def choose(self, ask: Ask) -> Any:
            return bug(ask)

    async def script(referee: Referee) -> None:
        stream, _ = await referee.welcomed()
        state = await start(stream, "M1")
        for ask_id in (41, 42):  # and it goes on
            stream.say(wire.ask("M1", ask_id, state))
            choice = await stream.item("choice")
            assert choice.ask_id == ask_id
            assert state.legal(0)[choice.number] == state.default(0)
            assert BUGS[bug] in choice.fallback
            assert len(choice.fallback) <= 200
        stream.say(wire.ask("M1", 42, state))  # told again, it is answered alike
        assert await stream.item("choice") == choice

    against(script, Async() if is_async else Plain())
    assert BUGS[bug] in caplog.text
    assert "match M1, ask 41: choose" in caplog.text
    assert "match M1, ask 42: choose" in caplog.text
    quiet = (returns_nothing, returns_a_number, returns_the_illegal)
    assert ("Traceback" in caplog.text) is (bug not in quiet)


def test_any_reason_fits_the_wire() -> None:
    state = wire.first_state()
    match = read_match(wire.started("M1", state).match_started)
    ask = read_ask(wire.ask("M1", 7, state).ask, match)
    sent = fallback(ask, "\ud800" * 100_000)
    assert (sent.ask_id, sent.fallback) == (7, "?" * 200)
    assert sent.SerializeToString()


def test_a_bug_in_a_hook_is_told_and_no_more(caplog: pytest.LogCaptureFixture) -> None:
    class Broken(First):
        def started(self, match: Match) -> None:
            raise LookupError("in started")

        async def happened(self, match: Match, event: Event) -> None:
            raise LookupError("in happened")

    async def script(referee: Referee) -> None:
        stream, _ = await referee.welcomed()
        state = await start(stream, "M1")
        stream.say(wire.happened("M1", {0: state.default(0)}), wire.ask("M1", 1, state))
        await stream.item("choice")

    against(script, Broken())
    assert "hook failed: match M1: started" in caplog.text
    assert "LookupError: in happened" in caplog.text


def test_an_ask_that_can_not_be_read_is_told(caplog: pytest.LogCaptureFixture) -> None:
    async def script(referee: Referee) -> None:
        stream, _ = await referee.welcomed()
        state = await start(stream, "M1")
        strange = wire.ask("M1", 1, state)
        strange.ask.choices[0].draftosaurus.pen = 99  # type: ignore[assignment]
        stream.say(strange, wire.ping(1))
        await stream.item("pong")
        stream.say(wire.ask("NEVER HEARD OF", 2, state), wire.ask("M1", 3, state))
        assert (await stream.item("choice")).ask_id == 3

    against(script, First())
    assert "match M1: there is no choice" in caplog.text
    assert "ask ignored: 2 is of unknown match NEVER HEARD OF" in caplog.text
