"""A client's part in a deal: its nonce is opened in two steps, and only to who keeps the rules."""

import asyncio
import logging
from collections.abc import Callable
from typing import Any

import pytest

from paddock import Ask, Bot
from paddock.bot_session import BotSession
from paddock.line_session import LineSession
from paddock.outbox import Outbox
from paddock.session import Session
from paddock.v1 import arena_pb2
from paddock_games.chance import NO_NONCE, digest_of
from tests.sdk import wire

STATE = wire.first_state()
OTHERS = [digest_of(NO_NONCE)] * 3


class First(Bot):
    """Chooses what comes first."""

    def choose(self, ask: Ask) -> Any:
        return ask.legal[0]


def hello() -> arena_pb2.Hello:
    return arena_pb2.Hello(bot="first", max_matches=1)


sessions = pytest.mark.parametrize(
    "made",
    [
        lambda: BotSession(First(), hello(), lambda: None),
        lambda: LineSession(hello(), lambda _line: None),
    ],
    ids=["bot", "lines"],
)
Made = Callable[[], Session]


def started(*, commit: bool = True) -> arena_pb2.RefereeItem:
    item = wire.started("M1", STATE)
    item.match_started.commit_nonces = commit
    return item


def told(*digests: bytes) -> arena_pb2.RefereeItem:
    message = arena_pb2.NonceCommitments(match_id="M1", digests=digests)
    return arena_pb2.RefereeItem(nonce_commitments=message)


def ended(*nonces: bytes) -> arena_pb2.RefereeItem:
    item = wire.ended("M1", STATE)
    item.match_ended.nonces[:] = nonces
    return item


async def said(outbox: Outbox) -> list[arena_pb2.BotItem]:
    """All that was said but Hello."""
    outbox.close()
    return [item async for frame in outbox.frames() for item in frame.items][1:]


def digest(outbox: Outbox) -> bytes:
    """The digest that waits to be sent."""
    return next(
        item.nonce_commitment.digest
        for item in outbox._items
        if item.WhichOneof("item") == "nonce_commitment"
    )


@sessions
def test_the_nonce_is_opened_when_its_digest_was_told(made: Made) -> None:
    async def scene() -> None:
        here = made()
        outbox = here.connect()
        here.receive(started())
        here.receive(told(digest(outbox), *OTHERS))
        again = here.connect()  # everything comes again after a lost connection
        here.receive(started())
        here.receive(told(digest(outbox), *OTHERS))
        committed, opened = await said(outbox)
        assert digest_of(opened.nonce.nonce) == committed.nonce_commitment.digest
        assert len(opened.nonce.nonce) == 16
        assert opened.nonce.match_id == committed.nonce_commitment.match_id == "M1"
        assert await said(again) == [committed, opened]

    asyncio.run(scene())


@sessions
def test_a_server_without_two_steps_gets_the_nonce_at_once(made: Made) -> None:
    async def scene() -> None:
        here = made()
        outbox = here.connect()
        here.receive(started(commit=False))
        here.receive(told(*OTHERS, OTHERS[0]))  # which it never asked for
        (opened,) = await said(outbox)
        assert len(opened.nonce.nonce) == 16

    asyncio.run(scene())


@sessions
@pytest.mark.parametrize("wrong", ["other", "none", "changed", "back to one step"])
def test_the_nonce_stays_secret_where_the_server_breaks_the_rules(made: Made, wrong: str) -> None:
    async def scene() -> None:
        here = made()
        outbox = here.connect()
        here.receive(started())
        mine = digest(outbox)
        if wrong == "other":
            here.receive(told(bytes(32), *OTHERS))
        elif wrong == "none":
            here.receive(told())
        elif wrong == "back to one step":
            here.receive(started(commit=False))
        else:
            here.receive(told(mine, *OTHERS))
            here.receive(told(mine, *OTHERS[:2], bytes(32)))  # somebody has chosen again
        kinds = [item.WhichOneof("item") for item in await said(outbox)]
        assert kinds == ["nonce_commitment"] + ["nonce"] * (wrong == "changed")

    asyncio.run(scene())


@sessions
@pytest.mark.parametrize(
    ("second", "mine", "words"),
    [
        (NO_NONCE, True, ""),
        (b"x" * 16, True, "the nonce of seat 1 does not fit the digest that was told before"),
        (NO_NONCE, False, "the deal was made without the nonce of this seat"),
        (None, True, "the server tells 3 nonces of 4 seats"),
    ],
)
def test_what_was_dealt_is_compared_with_what_was_told(
    made: Made, second: bytes | None, mine: bool, words: str, caplog: pytest.LogCaptureFixture
) -> None:
    async def scene() -> None:
        here = made()
        outbox = here.connect()
        here.receive(started())
        here.receive(told(digest(outbox), digest_of(b"y" * 16), *OTHERS[1:]))
        _, opened = await said(outbox)
        own = opened.nonce.nonce if mine else NO_NONCE
        rest = [NO_NONCE, NO_NONCE] if second is None else [second, NO_NONCE, NO_NONCE]
        here.receive(ended(own, *rest))

    with caplog.at_level(logging.WARNING, "paddock"):
        asyncio.run(scene())
    warnings = [record.getMessage() for record in caplog.records]
    assert [words in warning for warning in warnings if "nonces wrong" in warning] == (
        [True] if words else []
    )
