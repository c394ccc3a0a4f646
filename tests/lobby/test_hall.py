"""The hall: one session a bot, the newest wins, and nobody takes more than their share."""

import asyncio
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paddock_server.lobby.budget import Budget
from paddock_server.lobby.hall import Full, Hall
from paddock_server.lobby.limits import Limits
from paddock_server.lobby.session import Session
from paddock_server.referee.plan import Entrant
from tests.lobby.outlet import Frames

OWNERS = {"rex": "ada", "rox": "ada", "rax": "ada", "bot": "bob", "bit": "bob"}
LIMITS = Limits(sessions=4, sessions_per_owner=2)


def session(bot: str) -> Session:
    entrant = Entrant(bot, "1", OWNERS[bot], sends_nonces=True)
    return Session(entrant, ("summer",), 4, LIMITS, Budget(LIMITS))


def test_the_newest_session_wins_and_the_older_is_told_why() -> None:
    hall = Hall(LIMITS)
    old, new = session("rex"), session("rex")
    hall.enter(old)
    hall.enter(new)
    assert list(hall) == [new]
    assert new.ended is None
    assert old.ended is not None
    assert old.ended.reason == "session/replaced"
    outlet = Frames()

    async def connect() -> None:
        old.connect(outlet)

    asyncio.run(connect())
    assert [item.goodbye.reason for item in outlet.items] == ["session/replaced"]
    assert outlet.items[0].goodbye.return_after_ms == 0  # or the two would fight for ever
    assert not hall.leave(old)
    assert list(hall) == [new]
    assert hall.leave(new)
    assert not hall.leave(new)
    assert not list(hall)


def test_an_owner_has_so_many_sessions() -> None:
    hall = Hall(LIMITS)
    mine = [session("rex"), session("rox")]
    for one in mine:
        hall.enter(one)
    with pytest.raises(Full, match="owner ada has 2 sessions, the most; end one"):
        hall.enter(session("rax"))
    assert [each.bot for each in hall] == ["rex", "rox"]
    hall.enter(session("bot"))  # another owner has room
    hall.enter(session("rex"))  # and whoever replaces needs none
    hall.leave(mine[1])
    hall.enter(session("rax"))


def test_the_server_has_so_many_sessions() -> None:
    hall = Hall(LIMITS._replace(sessions=2))
    hall.enter(session("rex"))
    hall.enter(session("bot"))
    with pytest.raises(Full, match="the server is full: 2 sessions are open; try again later"):
        hall.enter(session("bit"))
    hall.enter(session("bot"))
    hall.leave(next(iter(hall)))
    hall.enter(session("bit"))


@settings(max_examples=200)
@given(
    many=st.lists(
        st.tuples(
            st.sampled_from(["enter", "leave", "leave an old one"]), st.sampled_from([*OWNERS])
        ),
        max_size=60,
    )
)
def test_the_hall_does_what_a_dictionary_would(many: list[Any]) -> None:
    hall = Hall(LIMITS)
    there: dict[str, Session] = {}
    old: dict[str, Session] = {}
    for what, bot in many:
        if what == "enter":
            new = session(bot)
            others = [name for name in there if name != bot]
            of_owner = [name for name in others if OWNERS[name] == OWNERS[bot]]
            if len(others) >= LIMITS.sessions or len(of_owner) >= LIMITS.sessions_per_owner:
                with pytest.raises(Full):
                    hall.enter(new)
                assert bot not in there, "whoever is in can always come again"
            else:
                hall.enter(new)
                if bot in there:
                    old[bot] = there[bot]
                    assert old[bot].over.is_set()
                there[bot] = new
        elif what == "leave":
            assert bot not in there or hall.leave(there.pop(bot))
        elif bot in old:
            assert not hall.leave(old[bot])
        assert {each.bot: each for each in hall} == there
        assert all(one.ended is None for one in there.values())
