"""What can be wrong with what a server is asked or given, and how each side of it is told.

ServerError          the root; `reason` is stable, the text says what is wrong and what to do
├── BadFile          a file that people write does not say what it should
├── BotFailed        a bot's program does not start, or dies
├── CannotChange     a tournament can't be changed like this
├── CannotOpen       a database can't be opened
├── CannotServe      a server can't be started as it was asked for
├── CannotStart      a program that is to be checked can't be started
├── ChildFailed      the process that reads whole histories failed
├── ClosedEntries    a tournament takes no more bots
├── CutOff           a connection to the database was cut before its commit
├── Failed           a bot that is checked does what a point does not allow
├── Full             no further session is taken
├── NoTournament     no tournament has this name
├── NotComputed      a standing could not be computed
├── NotInspected     a history could not be inspected
├── OtherRun         a database is not what a run can go on with
├── OtherTournament  another tournament has this name
├── Refusal          a call ends with this reason
└── Wrong            a page can't be given

Each class is defined where it is raised. The rules have a tree of their own (`GamesError`), whose
reasons are in the table below too.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

FAILED: Final = 1  # exit code: what was asked for was done, and came out badly
BAD_INPUT: Final = 2  # exit code: what was asked for could not be done


class Status(NamedTuple):
    """How a kind of error is told: by gRPC, by HTTP and by the exit code of a command."""

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
_AWAY: Final = Status("UNAVAILABLE", 503)
_BROKEN: Final = Status("INTERNAL", 500)

CALL_REASONS: Final[Mapping[str, Status]] = {
    "auth/bad_token": _NO_TOKEN,
    "auth/missing_token": _NO_TOKEN,
    "auth/organiser_only": _FORBIDDEN,
    "auth/other_bot": _FORBIDDEN,
    "bot/bad_name": _INVALID,
    "bot/entered": _NOT_NOW,
    "bot/exists": _EXISTS,
    "bot/unknown": _UNKNOWN,
    "format/unknown": _INVALID,
    "frame/flood": _TOO_MUCH,
    "frame/malformed": _INVALID,
    "frame/too_large": _TOO_MUCH,
    "hello/missing": _INVALID,
    "hello/repeated": _INVALID,
    "ladder/not_inspected": _NOT_NOW,
    "match/not_over": _NOT_NOW,
    "match/unknown": _UNKNOWN,
    "page/bad_token": _INVALID,
    "protocol/too_new": _NOT_NOW,
    "protocol/too_old": _NOT_NOW,
    "reader/too_slow": _TOO_MUCH,
    "rules/unknown": _INVALID,
    "seats/wrong": _INVALID,
    "server/draining": _AWAY,
    "session/removed": _REPLACED,
    "session/replaced": _REPLACED,
    "session/too_many": _TOO_MUCH,
    "tournament/other": _EXISTS,
    "tournament/refused": _NOT_NOW,
    "tournament/unknown": _UNKNOWN,
    "tournament/wrong": _INVALID,
    "watch/too_many": _TOO_MUCH,
}
"""What a gRPC call can end with: part of the contract, listed in docs/protocol.md."""

REASONS: Final[Mapping[str, Status]] = {
    **CALL_REASONS,
    "bot/failed": Status("FAILED_PRECONDITION", 409, FAILED),
    "choice/illegal": _INVALID,
    "database/unusable": _AWAY,
    "file/wrong": _INVALID,
    "games/error": _INVALID,
    "page/unknown": _UNKNOWN,
    "page/wrong": _INVALID,
    "position/impossible": _INVALID,
    "record/wrong": _INVALID,
    "run/other": _NOT_NOW,
    "server/error": _BROKEN,
    "server/unusable": _NOT_NOW,
    "standing/failed": _BROKEN,
}
"""Every reason there is, and how it is told: those of pages and commands too."""


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
        """How this error is told."""
        return REASONS[self.reason]
