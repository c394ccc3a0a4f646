"""Errors of the server: one tree, and the status of every reason for gRPC, HTTP and commands.

ServerError          the root; `reason` is stable, the text says what is wrong and what to do
├── BadFile          a file of settings is invalid
├── BotFailed        a bot's program does not start, or dies
├── CannotChange     a tournament can't be changed like this
├── CannotOpen       a database can't be opened
├── CannotServe      a server can't be started with these settings
├── CannotStart      the program of a bot that is checked can't be started
├── ChildFailed      the process that reads whole histories failed
├── ClosedEntries    a tournament takes no more bots
├── CutOff           a connection to the database was cut before its commit
├── Failed           a bot fails a point of its check
├── Full             the server has as many sessions as it allows
├── NoTournament     no tournament has this name
├── NotComputed      a standing could not be computed
├── NotInspected     a history could not be inspected
├── OtherRun         a run can't be resumed with this database
├── OtherTournament  another tournament has this name
├── Refusal          a call ends with this reason
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
"""The reasons that a gRPC call can end with: part of the contract, see docs/protocol.md."""

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
