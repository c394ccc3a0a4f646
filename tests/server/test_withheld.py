"""Matches of a block can't be looked into while others are to play the same deal."""

import asyncio
import urllib.error
import urllib.request
from pathlib import Path

import grpc
import grpc.aio
import pytest

from paddock.v1 import match_pb2, match_pb2_grpc, tournament_pb2, tournament_pb2_grpc
from tests.server.process import Server
from tests.server.raw import bots, connected, nothing

CUP = """
name = "cup"
schedule = "round-robin"
formats = ["two-player"]
rotations = {}
bots = ["ada", "bob"]
"""


def seen(server: Server, path: str) -> str:
    """A page."""
    with urllib.request.urlopen(f"http://{server.http}{path}") as page:
        return str(page.read().decode())


async def watched(server: Server, rotations: str) -> grpc.aio.AioRpcError | None:
    """The refusal of somebody who wants to watch the first match of a cup."""
    async with (
        connected(server.address) as channel,
        bots(server.address, ["ada", "bob"], nothing) as (ada, _),
    ):
        cup = tournament_pb2.StartTournamentRequest(definition=CUP.format(rotations))
        await tournament_pb2_grpc.TournamentServiceStub(channel).StartTournament(cup)
        started = await ada.next("match_started")
        await ada.next("ask")
        call = match_pb2_grpc.MatchServiceStub(channel).WatchMatch(
            match_pb2.WatchMatchRequest(match_id=started.match_id)
        )
        page = await asyncio.to_thread(seen, server, f"/live/{started.match_id}")
        assert ("Other matches are to play the same deal" in page) == (rotations == "true")
        assert ("data-watch" in page) == (rotations == "false")
        events = f"/live/{started.match_id}/events"
        try:
            await call.read()
        except grpc.aio.AioRpcError as refusal:
            with pytest.raises(urllib.error.HTTPError) as refused:
                await asyncio.to_thread(seen, server, events)
            with refused.value as answer:
                assert answer.code == 409
            return refusal
        finally:
            call.cancel()
        return None


def test_a_match_of_a_block_is_watched_by_nobody(tmp_path: Path) -> None:
    with Server(tmp_path / "shared") as server:
        refusal = asyncio.run(watched(server, "true"))
        assert refusal is not None
        assert refusal.code() is grpc.StatusCode.FAILED_PRECONDITION
        assert str(refusal.details()).startswith("watch/withheld: other matches are to play")
    with Server(tmp_path / "own") as server:
        assert asyncio.run(watched(server, "false")) is None
