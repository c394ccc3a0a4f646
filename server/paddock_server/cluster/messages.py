"""The messages between nodes. Every node can have three parts at once:

- a **holder** has the streams of the bots that dialled this node;
- an **owner** has the tables of some matches;
- the **steward**, one node of all, decides who plays whom, when and where.
"""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple, TypeAlias

import msgpack  # type: ignore[import-untyped]

from paddock_ladder.rating import Rating
from paddock_server.basics.errors import ServerError
from paddock_server.referee.plan import Entrant
from paddock_server.referee.result import SeatResult
from paddock_server.store.rows import RatingChange

BUS: Final = 2
"""The version of the messages: nodes of another one are refused, so raise it with every change."""


class Place(NamedTuple):
    """The place of a bot: the node that holds its stream, and its session there."""

    node: int
    session: str
    entrant: Entrant


# --- holder to steward ----------------------------------------------------------------------


class Entered(NamedTuple):
    """A bot is connected."""

    session: str
    entrant: Entrant
    formats: Sequence[str]
    max_matches: int
    token: str  # that the session resumes with
    resumes: str  # the token of the session before; empty: it does not resume
    order: int  # among all sessions of the cluster: of two of a bot, the higher counts


class Left(NamedTuple):
    """The session of a bot is over; `stranded`: because its node drains."""

    session: str
    stranded: bool = False


# --- steward to holder ----------------------------------------------------------------------


class Tell(NamedTuple):
    """An item for a session, from the lobby."""

    session: str
    item: bytes


class End(NamedTuple):
    """End a session."""

    session: str
    reason: str
    sentence: str


class Measure(NamedTuple):
    """Ping the bot of a session."""

    session: str


# --- steward to owner -----------------------------------------------------------------------


class Begin(NamedTuple):
    """Play a match."""

    number: int
    match_id: str
    places: Sequence[Place | None]  # by seat; None: a house bot, or nobody is there now


class Resume(NamedTuple):
    """Go on with a match whose owner is gone."""

    number: int


class Back(NamedTuple):
    """A bot is there (again): its match goes on."""

    number: int
    place: Place


class Lost(NamedTuple):
    """The stream of a bot is gone; `stranded`: because its node is, so the bot is not to blame."""

    number: int
    bot: str
    session: str
    stranded: bool


# --- owner to holder ------------------------------------------------------------------------


class Say(NamedTuple):
    """An item for a bot, from a match."""

    session: str
    number: int
    match_id: str
    ask_id: int  # 0: it is no ask
    item: bytes


class Useless(NamedTuple):
    """An item of a bot was useless."""

    session: str


class Probe(NamedTuple):
    """Is this session still there, and since when does it have this ask?"""

    probe: int
    session: str
    ask_id: int


# --- holder to owner ------------------------------------------------------------------------


class Chose(NamedTuple):
    """An answer to an ask."""

    session: str
    bot: str
    ask_id: int
    answer: bytes  # a Choice of the contract
    lag: float  # seconds
    took: float  # seconds, as the holder measured
    kept: float = 0.0  # seconds in which the bot's own host kept it waiting


class SaidDigest(NamedTuple):
    """The digest of a bot's part of a deal."""

    session: str
    bot: str
    match_id: str
    digest: bytes


class SaidNonce(NamedTuple):
    """A bot's part of a deal."""

    session: str
    bot: str
    match_id: str
    nonce: bytes


class Resigned(NamedTuple):
    """A bot resigns a match."""

    session: str
    bot: str
    match_id: str


class Proof(NamedTuple):
    """An answer to a probe; whatever the bot said before it has arrived before it."""

    probe: int
    held: float  # seconds that the bot has had the ask; negative: it is not there


# --- owner to steward -----------------------------------------------------------------------


class WasDealt(NamedTuple):
    """A match was dealt."""

    number: int
    seed: str
    nonces: Sequence[str]
    withheld: Sequence[str]


class WasFinished(NamedTuple):
    """A match is over, and its result is stored."""

    number: int
    results: Sequence[SeatResult]
    changes: Sequence[RatingChange]


class WasStuck(NamedTuple):
    """A match was set aside."""

    number: int
    why: str


class Plays(NamedTuple):
    """The list of the matches that this node plays, for a new steward."""

    numbers: Sequence[int]


class NotMine(NamedTuple):
    """A match could not be claimed: another node has it, or it is over."""

    number: int


# --- steward to everybody -------------------------------------------------------------------


class Leads(NamedTuple):
    """This node is the steward now: tell it who is connected."""


Message: TypeAlias = (
    Entered | Left | Tell | End | Measure | Begin | Resume | Back | Lost | Say | Useless | Probe
    | Chose | SaidDigest | SaidNonce | Resigned | Proof | WasDealt | WasFinished | WasStuck
    | NotMine | Leads | Plays
)  # fmt: skip

_KINDS: Final[Sequence[type[Any]]] = (
    Entered, Left, Tell, End, Measure, Begin, Resume, Back, Lost, Say, Useless, Probe, Chose,
    SaidDigest, SaidNonce, Resigned, Proof, WasDealt, WasFinished, WasStuck, NotMine, Leads,
    Plays,
)  # fmt: skip
_NUMBERS: Final = {kind: number for number, kind in enumerate(_KINDS)}


def pack(message: Message) -> bytes:
    """A message as bytes."""
    packed: bytes = msgpack.packb((_NUMBERS[type(message)], *message))
    return packed


class Unreadable(ServerError):
    """Raised for bytes that are no message."""

    reason = "cluster/unreadable"


def unpack(data: bytes) -> Message:
    """The message in these bytes; raises Unreadable if there is none."""
    try:
        return _unpack(data)
    except (ValueError, TypeError, LookupError, msgpack.UnpackException) as problem:
        raise Unreadable(f"{len(data)} bytes are no message ({problem})") from problem


def _unpack(data: bytes) -> Message:
    number, *fields = msgpack.unpackb(data, use_list=False)
    message: Message = _KINDS[number](*fields)
    if isinstance(message, Entered):
        return message._replace(entrant=Entrant(*message.entrant))
    if isinstance(message, Back):
        return message._replace(place=_place(message.place))
    if isinstance(message, WasFinished):
        return message._replace(
            results=[SeatResult(*result) for result in message.results],
            changes=[
                RatingChange(*(Rating(*rating) for rating in each)) for each in message.changes
            ],
        )
    if isinstance(message, Begin):
        return message._replace(places=tuple(map(_place, message.places)))
    return message


def _place(fields: Any) -> Any:
    if fields is None:
        return None
    node, session, entrant = fields
    return Place(node, session, Entrant(*entrant))
