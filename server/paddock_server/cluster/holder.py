"""The holder: the streams of this node's bots, whose matches may be on any node."""

from collections.abc import Callable
from typing import Final, NamedTuple

from paddock.v1 import arena_pb2
from paddock_server.cluster.link import Link
from paddock_server.cluster.messages import (
    Chose,
    End,
    Entered,
    Left,
    Measure,
    Probe,
    Proof,
    Resigned,
    SaidDigest,
    SaidNonce,
    Say,
    Tell,
    Useless,
)
from paddock_server.lobby.guest import Guest
from paddock_server.referee.answers import MALFORMED, Answer, Fallback
from paddock_server.referee.asks import asked_match, asked_seat
from paddock_server.tables.lateness import Lateness
from paddock_wire import codec_of_choice

_MOST_ROUTES: Final = 4096  # far more than a bot has open matches; those of old ones go


class Asked(NamedTuple):
    """An ask of a seat, and when it was told."""

    ask_id: int
    moment: float  # fair


class Stream:
    """The stream of a bot: where its matches are, and when it got which ask."""

    def __init__(self, session: Guest, resumes: str) -> None:
        self.session = session
        self.resumes = resumes
        self.owners: dict[int | str, int] = {}  # nodes, by number and by id of a match
        self._asked: dict[tuple[int, int], Asked] = {}  # by match and seat: the latest

    def ask(self, ask_id: int, moment: float) -> None:
        """Note that the bot has an ask; what its seat was asked before is over."""
        self._asked[asked_match(ask_id), asked_seat(ask_id)] = Asked(ask_id, moment)

    def since(self, ask_id: int, moment: float) -> float:
        """How long the bot has had an ask; 0: it never got it, or its seat was asked again."""
        asked = self._asked.get((asked_match(ask_id), asked_seat(ask_id)))
        if asked is None or asked.ask_id != ask_id:
            return 0.0
        return max(0.0, moment - asked.moment)

    def route(self, say: Say, owner: int) -> None:
        """Note where a match is."""
        for key in (say.number, say.match_id):
            self.owners.pop(key, None)
            self.owners[key] = owner
        while len(self.owners) > _MOST_ROUTES:
            del self.owners[next(iter(self.owners))]
        while len(self._asked) > _MOST_ROUTES:
            del self._asked[next(iter(self._asked))]


class Holder:
    """The streams of this node, by session."""

    def __init__(self, link: Link) -> None:
        self.streams: dict[str, Stream] = {}
        self.steward: int | None = None  # the node that decides; None: it is not known
        self._link = link
        self._lateness = Lateness()

    # --- what bots do -----------------------------------------------------------------------

    def enter(self, session: Guest, resumes: str) -> None:
        """Add a stream, and tell the steward of it."""
        stream = self.streams[session.id] = Stream(session, resumes)
        if len(self.streams) == 1:
            self._lateness.start()
        self._report(stream)

    def leave(self, session: Guest, *, stranded: bool) -> None:
        """Remove a stream, and tell the steward of it; `stranded`: its bot is not to blame."""
        if self.streams.pop(session.id, None) is None:
            return
        if not self.streams:
            self._lateness.stop()
        if self.steward is not None:
            self._link.send(self.steward, Left(session.id, stranded))

    def led_by(self, steward: int) -> None:
        """There is a steward: tell it of all streams."""
        self.steward = steward
        for stream in self.streams.values():
            self._report(stream)

    def _report(self, stream: Stream) -> None:
        if self.steward is not None:
            session = stream.session
            offer = session.formats, session.max_matches
            entered = Entered(
                session.id, session.entrant, *offer,
                token=session.resume_token, resumes=stream.resumes, order=session.order,
            )  # fmt: skip
            self._link.send(self.steward, entered)

    def owner_of(self, session: Guest, match: int | str) -> int | None:
        """The node where a match of this bot is, by its number or id; None: it is not known."""
        stream = self.streams.get(session.id)
        return None if stream is None else stream.owners.get(match)

    def choice(self, session: Guest, ask_id: int, answer: Answer) -> None:
        """An answer to an ask of a match on another node."""
        stream = self.streams[session.id]
        owner = stream.owners[asked_match(ask_id)]
        # An illegal answer may be followed by another one, so the ask stays.
        took = stream.since(ask_id, self._lateness.arrival().fair)
        said = Chose(
            session.id, session.bot, ask_id, answer_bytes(answer),
            lag=session.lag, took=took, kept=session.host_delay,
        )  # fmt: skip
        self._link.send(owner, said)

    def digest(self, session: Guest, match_id: str, digest: bytes) -> None:
        """The digest of a bot's part of a deal."""
        said = SaidDigest(session.id, session.bot, match_id, digest)
        self._link.send(self.streams[session.id].owners[match_id], said)

    def nonce(self, session: Guest, match_id: str, nonce: bytes) -> None:
        """A bot's part of a deal."""
        said = SaidNonce(session.id, session.bot, match_id, nonce)
        self._link.send(self.streams[session.id].owners[match_id], said)

    def resign(self, session: Guest, match_id: str) -> None:
        """A bot resigns a match."""
        said = Resigned(session.id, session.bot, match_id)
        self._link.send(self.streams[session.id].owners[match_id], said)

    # --- what other nodes say ---------------------------------------------------------------

    def say(self, owner: int, say: Say) -> None:
        """Hand an item of a match to its bot."""
        stream = self.streams.get(say.session)
        if stream is None:
            return  # it is gone, and the steward knows
        stream.route(say, owner)
        if say.ask_id:
            stream.ask(say.ask_id, self._lateness.now().fair)
        stream.session.send(say.item)

    def tell(self, tell: Tell) -> None:
        """Hand an item of the lobby to a bot."""
        self._with(tell.session, lambda session: session.send(tell.item))

    def end(self, end: End) -> None:
        """End a session."""
        self._with(end.session, lambda session: session.end(end.reason, end.sentence))

    def measure(self, measure: Measure) -> None:
        """Ping a bot."""
        self._with(measure.session, lambda session: session.ping())

    def useless(self, useless: Useless) -> None:
        """Count a useless item."""
        self._with(useless.session, lambda session: session.useless())

    def probe(self, owner: int, probe: Probe) -> None:
        """Say since when a bot has had an ask; what it said before is on its way before."""
        stream = self.streams.get(probe.session)
        held = -1.0 if stream is None else stream.since(probe.ask_id, self._lateness.now().fair)
        self._link.send(owner, Proof(probe.probe, held))

    def _with(self, session_id: str, do: Callable[[Guest], None]) -> None:
        stream = self.streams.get(session_id)
        if stream is not None:
            do(stream.session)


def answer_bytes(answer: Answer) -> bytes:
    """An answer that was read, as a Choice of the contract again."""
    if isinstance(answer, Fallback):
        return arena_pb2.Choice(fallback=answer.reason).SerializeToString()
    if answer is MALFORMED:
        return b""
    if isinstance(answer, int):
        return arena_pb2.Choice(number=answer).SerializeToString()
    choice = arena_pb2.GameChoice.FromString(codec_of_choice(answer).choice(answer))
    return arena_pb2.Choice(choice=choice).SerializeToString()
