"""Errors of the server: one tree, and the status of every reason for gRPC, HTTP and commands.

ServerError          the root; `reason` is stable, the text says what is wrong and what to do
├── BadArchive       an archive that is handed in breaks a rule
├── BadBlob          bytes that arrive are not those that were announced
├── BadCompact       a stored record is damaged, or of a newer Paddock
├── BadConnection    a client breaks a rule of HTTP/2
├── BadFile          a file of settings is invalid
├── BadManifest      the manifest of a bot that is handed in is wrong
├── BadMessage       a message of a call can't be taken
├── BadProject       the project of a new bot can't be made
├── BadSocket        a socket for lines of JSON can't be opened
├── BlobTrouble      a runner gets other files than it was told
├── BotFailed        a bot's program does not start, or dies
├── BuildFailed      a bot that is handed in can't be built
├── CallOver         a call is over: its method has ended it, or its client has gone
├── CannotChange     a tournament can't be changed like this
├── CannotJail       a jail can't be made on this machine
├── CannotOpen       a database can't be opened
├── CannotServe      a server can't be started with these settings
├── CannotStart      the program of a bot that is checked can't be started
├── ChildFailed      the process that reads whole histories failed
├── ClosedEntries    a tournament takes no more bots
├── CutOff           a connection to the database was cut before its commit
├── Draining         the server is about to stop
├── Failed           a bot fails a point of its check
├── Full             the server has as many sessions as it allows
├── LeaseLost        a runner tells of work that is not its own any more
├── NoBus            the NATS server of a cluster can't be reached
├── NoToolchain      this machine has no toolchain for a bot
├── NoTournament     no tournament has this name
├── NotComputed      a standing could not be computed
├── NotInspected     a history could not be inspected
├── NotTaken         a bot is not handed in so
├── NotUsed          a bot leaves out something that a point of its check is about
├── OtherRun         a run can't be resumed with this database
├── OtherTournament  another tournament has this name
├── Outdated         a session is older than another of its bot
├── ReaderGone       the reader of an archive ended too early
├── Refusal          a call ends with this reason
├── Rejected         a bot that is handed in is not admitted
├── RunnerRefused    a server does not want a runner
├── TooMany          a visitor has, or all have, too much under way
├── TooSoon          a bot comes back before it may
├── Unreadable       bytes of another node are no message
└── Wrong            a page can't be shown

Each class is defined where it is raised. The rules have a tree of their own (`GamesError`), whose
reasons are in the table below too.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

FAILED: Final = 1  # exit code: the command ran, and the result is bad
BAD_INPUT: Final = 2  # exit code: the command could not run


class Status(NamedTuple):
    """The status of a kind of error: its gRPC and HTTP status, and the exit code of a command."""

    grpc: str  # the name of a status code
    http: int
    exit: int = BAD_INPUT


_INVALID: Final = Status("INVALID_ARGUMENT", 400)
_NO_TOKEN: Final = Status("UNAUTHENTICATED", 401)
_FORBIDDEN: Final = Status("PERMISSION_DENIED", 403)
_UNKNOWN: Final = Status("NOT_FOUND", 404)
_EXISTS: Final = Status("ALREADY_EXISTS", 409)
_REPLACED: Final = Status("ABORTED", 409)
_NOT_NOW: Final = Status("FAILED_PRECONDITION", 409)
_TOO_MUCH: Final = Status("RESOURCE_EXHAUSTED", 503)
_TOO_OFTEN: Final = Status("RESOURCE_EXHAUSTED", 429)
_AWAY: Final = Status("UNAVAILABLE", 503)
_BROKEN: Final = Status("INTERNAL", 500)

CALL_REASONS: Final[Mapping[str, Status]] = {
    "auth/bad_token": _NO_TOKEN,
    "auth/missing_token": _NO_TOKEN,
    "auth/organiser_only": _FORBIDDEN,
    "auth/other_bot": _FORBIDDEN,
    "auth/too_many_guesses": _TOO_MUCH,
    "bot/bad_name": _INVALID,
    "bot/entered": _NOT_NOW,
    "bot/exists": _EXISTS,
    "bot/too_many_versions": _TOO_MUCH,
    "bot/unknown": _UNKNOWN,
    "cluster/no_steward": _AWAY,
    "cluster/put_out": _AWAY,
    "format/unknown": _INVALID,
    "frame/flood": _TOO_MUCH,
    "frame/malformed": _INVALID,
    "frame/too_large": _TOO_MUCH,
    "hello/missing": _INVALID,
    "hello/repeated": _INVALID,
    "ladder/not_inspected": _NOT_NOW,
    "lease/lost": _REPLACED,
    "match/not_over": _NOT_NOW,
    "match/not_stuck": _NOT_NOW,
    "match/unknown": _UNKNOWN,
    "owner/bad_name": _INVALID,
    "owner/exists": _EXISTS,
    "owner/too_many_bots": _TOO_MUCH,
    "owner/unknown": _UNKNOWN,
    "page/bad_token": _INVALID,
    "protocol/too_new": _NOT_NOW,
    "protocol/too_old": _NOT_NOW,
    "reader/too_slow": _TOO_MUCH,
    "rules/unknown": _INVALID,
    "runner/bad_name": _INVALID,
    "runner/bad_token": _NO_TOKEN,
    "runner/exists": _EXISTS,
    "runner/unknown": _UNKNOWN,
    "seats/wrong": _INVALID,
    "server/draining": _AWAY,
    "session/hosted": _NOT_NOW,
    "session/removed": _REPLACED,
    "session/replaced": _REPLACED,
    "session/too_many": _TOO_MUCH,
    "session/too_soon": _TOO_MUCH,
    "submission/bad_archive": _INVALID,
    "submission/bad_manifest": _INVALID,
    "submission/disabled": _NOT_NOW,
    "submission/gone": _UNKNOWN,
    "submission/not_accepted": _NOT_NOW,
    "submission/not_stuck": _NOT_NOW,
    "submission/other_bot": _FORBIDDEN,
    "submission/quota": _TOO_OFTEN,
    "submission/too_large": _TOO_MUCH,
    "submission/unknown": _UNKNOWN,
    "submission/version_exists": _EXISTS,
    "submission/wrong_offset": _REPLACED,
    "tournament/other": _EXISTS,
    "tournament/refused": _NOT_NOW,
    "tournament/unknown": _UNKNOWN,
    "tournament/wrong": _INVALID,
    "visit/crowded": _TOO_MUCH,
    "visit/too_many": _TOO_OFTEN,
    "watch/too_many": _TOO_MUCH,
    "watch/withheld": _NOT_NOW,
}
"""The reasons that a gRPC call can end with: part of the contract, see docs/protocol.md."""

REASONS: Final[Mapping[str, Status]] = {
    **CALL_REASONS,
    "bot/failed": Status("FAILED_PRECONDITION", 409, FAILED),
    "call/over": _AWAY,
    "choice/illegal": _INVALID,
    "cluster/no_bus": _AWAY,
    "cluster/old_nodes": _NOT_NOW,
    "cluster/other_bus": _NOT_NOW,
    "cluster/unreadable": _BROKEN,
    "database/unusable": _AWAY,
    "file/wrong": _INVALID,
    "games/error": _INVALID,
    "jail/unusable": _NOT_NOW,
    "page/unknown": _UNKNOWN,
    "page/wrong": _INVALID,
    "position/impossible": _INVALID,
    "record/wrong": _INVALID,
    "request/wrong": _INVALID,
    "run/other": _NOT_NOW,
    "runner/refused": _NOT_NOW,
    "runner/trouble": _AWAY,
    "server/error": _BROKEN,
    "server/unusable": _NOT_NOW,
    "standing/failed": _BROKEN,
    "submission/rejected": Status("FAILED_PRECONDITION", 409, FAILED),
    "toolchain/missing": _NOT_NOW,
}
"""All reasons with their status: those of calls, pages and commands."""


class ServerError(Exception):
    """Raised when a server, or a command that works like one, can't do what it is asked."""

    reason: str = "server/error"

    def __init__(self, sentence: str, reason: str = "") -> None:
        super().__init__(sentence)
        self.sentence = sentence
        if reason:
            self.reason = reason

    @property
    def status(self) -> Status:
        """The status that belongs to the reason."""
        return REASONS[self.reason]
