"""The organiser over gRPC: starts matches, waits for their records, checks them."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import grpc.aio

from paddock.v1 import bot_pb2, bot_pb2_grpc, match_pb2, match_pb2_grpc
from paddock_games import read_record, verify
from tests.server.process import patiently


class Finished(NamedTuple):
    """A finished match, checked by the rules."""

    summary: match_pb2.MatchSummary
    replay: Any
    json: str

    @property
    def bots(self) -> list[str]:
        """Who played, by seat."""
        return [seat.bot for seat in self.summary.seats]

    @property
    def faults_by_seat(self) -> list[list[str]]:
        """The faults of every seat, in order."""
        found: list[list[str]] = [[] for _ in self.bots]
        for step in self.replay.steps:
            for seat, timing in step.timings.items():
                if timing.fault:
                    found[seat].append(timing.fault)
        return found

    @property
    def faults(self) -> dict[str, list[str]]:
        """The faults of every bot, in order."""
        return dict(zip(self.bots, self.faults_by_seat, strict=True))

    def clean(self) -> bool:
        """Whether every bot made all its decisions itself."""
        return not any(self.faults_by_seat) and not self.replay.match.forfeited


class Organiser:
    """Calls to MatchService and BotService, with a token where one is needed."""

    def __init__(self, channel: grpc.aio.Channel, token: str | None = None) -> None:
        self.stub: Any = match_pb2_grpc.MatchServiceStub(channel)
        self.bots: Any = bot_pb2_grpc.BotServiceStub(channel)
        self._metadata = (("authorization", f"Bearer {token}"),) if token else ()

    async def start(
        self, format_name: str, bots: Sequence[str], count: int = 1, **more: Any
    ) -> list[str]:
        """Start matches."""
        request = match_pb2.StartMatchesRequest(format=format_name, bots=bots, count=count, **more)
        response = await self.stub.StartMatches(request, metadata=self._metadata)
        return list(response.match_ids)

    async def connected(self, *names: str) -> list[bot_pb2.Bot]:
        """The bots of these names, once they are all connected."""
        async for _ in patiently():
            listed = await self.bots.ListBots(bot_pb2.ListBotsRequest(), metadata=self._metadata)
            found = [bot for bot in listed.bots if bot.name in names and bot.connected]
            if len(found) == len(names):
                break
        return found

    async def get(self, match_id: str) -> match_pb2.GetMatchResponse:
        """A match as it stands."""
        request = match_pb2.GetMatchRequest(match_id=match_id)
        response: match_pb2.GetMatchResponse = await self.stub.GetMatch(request)
        return response

    async def finished(self, match_id: str) -> Finished:
        """A match at its end, with a record that checks out."""
        async for _ in patiently():
            found = await self.get(match_id)
            if found.match.state == match_pb2.MATCH_STATE_FINISHED:
                break
        return checked(found)

    async def all(
        self, state: match_pb2.MatchState.ValueType = match_pb2.MATCH_STATE_UNSPECIFIED
    ) -> list[match_pb2.MatchSummary]:
        """All matches in a state, the newest first, page by page."""
        found: list[match_pb2.MatchSummary] = []
        token = ""
        while True:
            request = match_pb2.ListMatchesRequest(page_token=token, state=state)
            page = await self.stub.ListMatches(request)
            found += page.matches
            token = page.next_page_token
            if not token:
                return found


def checked(found: match_pb2.GetMatchResponse) -> Finished:
    """A finished match: its record checks out, and says what the summary says."""
    made = Finished(found.match, verify(read_record(found.record_json)), found.record_json)
    match, results = made.replay.match, found.match.results
    assert match.id == found.match.match_id
    assert [seat.bot for seat in match.seats] == made.bots
    assert [result.total for result in results] == list(made.replay.end.result().totals)
    ranks = made.replay.end.result().ranks(match.forfeited)
    assert [result.rank for result in results] == list(ranks)
    assert [result.forfeit for result in results] == [seat.forfeit for seat in match.seats]
    assert [result.faults for result in results] == [len(f) for f in made.faults_by_seat]
    return made
