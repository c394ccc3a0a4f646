"""The page of a match: its replay turn by turn, and the check of its deal."""

import json
from collections import OrderedDict
from typing import Any, Final, NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from paddock_games import FORMATS, BadRecord, read_record, verify
from paddock_games.game import Luck, Result
from paddock_server.store import store
from paddock_server.store.database import Database
from paddock_server.store.rows import MatchRow
from paddock_server.tournaments.telling import Telling
from paddock_server.visitors.pool import aside
from paddock_server.web.answer import answer, body_of
from paddock_server.web.drawing import drawing_of
from paddock_server.web.drawing.frame import Frame
from paddock_server.web.page import Page
from paddock_server.web.pages.matches import MatchLine, match_line
from paddock_server.web.pages.ties import ties
from paddock_server.web.visit import Missing, Parameter, Visit, read_visit

_REPLAYS: Final = 200  # kept, so that stepping through one reads it once
ID: Final = Parameter("match", "The match's id.", pattern="[0-9A-HJKMNP-TV-Z]{26}")
UNKNOWN: Final = "match not found; look for it among the matches"


class Fairness(NamedTuple):
    """The fairness of a deal: a commitment published before it, a seed published after the end."""

    commitment: str
    seed: str
    nonces: tuple[str, ...]  # by seat
    verified: bool  # commitment, deal, die, every choice, points and ranks
    problem: str  # what is wrong, and where; empty: nothing


class Replayed(NamedTuple):
    """A replay of a record, with the check of its deal."""

    fairness: Fairness
    frames: tuple[Frame, ...]  # empty if the record is invalid
    rules: dict[str, Any]
    result: Result | None  # None if the record is invalid
    luck: tuple[Luck, ...]  # by seat; empty if the record is invalid
    cpu_shares: tuple[float, ...]  # of a core, by seat; 0: the arena gave none


class MatchValues(NamedTuple):
    """A match, and one turn of it where that may be shown."""

    match: MatchLine
    game: str
    published: bool  # whether its record may be shown: others may be going to play the same deal
    turn: int  # the turn shown, from 1; 0: no turn can be shown
    frame: Frame | None
    fairness: Fairness | None
    rules: dict[str, Any]
    ties: tuple[str, ...]  # who is ahead of whom with equal points, and why
    luck: tuple[Luck, ...]  # by seat: points that chance gave; empty if the record may not be shown
    cpu_shares: tuple[float, ...]  # of a core, by seat; 0: the arena gave none; empty as luck is


class TurnsValues(NamedTuple):
    """A match, and every turn of it where they may be shown."""

    match: MatchLine
    game: str
    published: bool  # whether its record may be shown: others may be going to play the same deal
    frames: tuple[Frame, ...]  # by turn
    fairness: Fairness | None
    rules: dict[str, Any]
    ties: tuple[str, ...]  # who is ahead of whom with equal points, and why
    luck: tuple[Luck, ...]  # by seat: points that chance gave; empty if the record may not be shown
    cpu_shares: tuple[float, ...]  # of a core, by seat; 0: the arena gave none; empty as luck is


class _Seen(NamedTuple):
    """The part of a match that may be shown."""

    match: MatchLine
    game: str
    replayed: Replayed | None  # None: it is not over, or others still play its deal

    @property
    def ties(self) -> tuple[str, ...]:
        """Who is ahead of whom with equal points."""
        if self.replayed is None or self.replayed.result is None:
            return ()
        return ties(self.replayed.result, self.match.seats, drawing_of(self.game).tie_break)


class MatchPages:
    """The pages of single matches."""

    def __init__(self, database: Database, telling: Telling) -> None:
        self._database = database
        self._telling = telling
        self._replays: OrderedDict[str, Replayed] = OrderedDict()

    async def values(self, visit: Visit) -> MatchValues:
        """A match at the turn asked for, or at its end."""
        seen = await self._seen(visit.path["match"])
        line, game, replayed = seen
        turn = visit.path.get("turn", 0)
        if replayed is None:
            if turn:
                over = line.state == "finished"
                why = "others still play its deal" if over else "it is not over yet"
                raise Missing(f"no turn of this match can be shown: {why}; come back later")
            return MatchValues(
                match=line,
                game=game,
                published=False,
                turn=0,
                frame=None,
                fairness=None,
                rules={},
                ties=(),
                luck=(),
                cpu_shares=(),
            )
        if turn > max(len(replayed.frames), 1):
            raise Missing(f"turn not found; this match has {len(replayed.frames)} turns")
        turn = (turn or len(replayed.frames)) if replayed.frames else 0
        frame = replayed.frames[turn - 1] if turn else None
        return MatchValues(
            match=line,
            game=game,
            published=True,
            turn=turn,
            frame=frame,
            fairness=replayed.fairness,
            rules=replayed.rules,
            ties=seen.ties,
            luck=replayed.luck,
            cpu_shares=replayed.cpu_shares,
        )

    async def turns(self, visit: Visit) -> TurnsValues:
        """A match with all its turns."""
        seen = await self._seen(visit.path["match"])
        line, game, replayed = seen
        if replayed is None:
            return TurnsValues(
                match=line,
                game=game,
                published=False,
                frames=(),
                fairness=None,
                rules={},
                ties=(),
                luck=(),
                cpu_shares=(),
            )
        return TurnsValues(
            match=line,
            game=game,
            published=True,
            frames=replayed.frames,
            fairness=replayed.fairness,
            rules=replayed.rules,
            ties=seen.ties,
            luck=replayed.luck,
            cpu_shares=replayed.cpu_shares,
        )

    async def _seen(self, match_id: str) -> _Seen:
        match = await self._database.read(store.find_match, match_id)
        if match is None:
            raise Missing(UNKNOWN)
        row, record = match
        line, game = match_line(row), FORMATS[row.format].game
        if not await self._is_told(row, record):
            return _Seen(line, game, None)
        return _Seen(line, game, await self._replayed(match_id, game, record))

    async def published_record(self, match_id: str) -> str:
        """The record of a match; empty if it does not exist or may not be shown yet."""
        match = await self._database.read(store.find_match, match_id)
        if match is None:
            raise Missing(UNKNOWN)
        row, record = match
        return record if await self._is_told(row, record) else ""

    async def _is_told(self, row: MatchRow, record: str) -> bool:
        is_told = self._telling.is_told
        return bool(record) and await is_told(row.plan, row.tournament, row.block)

    async def _replayed(self, match_id: str, game: str, record: str) -> Replayed:
        replay = self._replays.get(match_id)
        if replay is None:
            replay = await aside(_replay, game, record)
            self._replays[match_id] = replay
            if len(self._replays) > _REPLAYS:
                self._replays.popitem(last=False)
        self._replays.move_to_end(match_id)
        return replay

    async def record(self, request: Request) -> Response:
        """The record as a file."""
        match_id = read_visit(request, (ID,), (), request.url.path).path["match"]
        record = await self.published_record(match_id)
        if not record:
            raise Missing("the record of this match can't be shown yet; come back later")
        body = await aside(lambda: body_of(f"{record}\n".encode(), "application/jsonl"))
        return answer(request, body, name=f"{match_id}.jsonl")

    def pages(self) -> list[Page]:
        """The pages of a match at its end, and at each of its turns."""
        turn = Parameter("turn", "The turn, from 1.", default=1, least=1, most=1000)
        summary = "A match: who played, how it ended, whether its deal was fair, and its last turn."
        return [
            Page(
                address="/matches/{match}",
                summary=summary,
                kind=MatchValues,
                values=self.values,
                template="match.html",
                in_path=(ID,),
            ),
            Page(
                address="/matches/{match}/turns/{turn}",
                summary="One turn of a match.",
                kind=MatchValues,
                values=self.values,
                template="match.html",
                in_path=(ID, turn),
            ),
            Page(
                address="/matches/{match}/turns",
                summary="A match with every turn.",
                kind=TurnsValues,
                values=self.turns,
                template="turns.html",
                in_path=(ID,),
            ),
        ]


def _replay(game: str, record: str) -> Replayed:
    document = json.loads(record)
    fairness = document["fairness"]
    nonces = tuple(seat["nonce"] for seat in document["seats"])
    shares = tuple(seat.get("cpu_share", 0.0) for seat in document["seats"])
    frames: tuple[Frame, ...] = ()
    luck: tuple[Luck, ...] = ()
    result, problem = None, ""
    try:
        replay = verify(read_record(record))
        frames, result = drawing_of(game).frames(replay), replay.end.result()
        luck = replay.luck
    except BadRecord as wrong:
        problem = str(wrong)
    checked = Fairness(fairness["commitment"], fairness["seed"], nonces, not problem, problem)
    return Replayed(checked, frames, document["rules"], result, luck, cpu_shares=shares)
