"""The page of an owner: states, logs and certificates of the own bots, for whoever has a token.

The token is kept in a cookie that no script can read and no other site can send. The page is made
for its owner alone, so it is never cached, and nobody else gets a line of a log.
"""

from typing import Final, NamedTuple
from urllib.parse import parse_qs

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from paddock_server.basics.identity import hash_token
from paddock_server.store import owners, store, submissions
from paddock_server.store.connection import Connection
from paddock_server.store.database import Database
from paddock_server.store.submissions import LogRow, SubmissionRow
from paddock_server.visitors.admission import Kind
from paddock_server.visitors.visitors import Visitors
from paddock_server.web.rendering import Templates
from paddock_server.web.site import visitor
from paddock_server.wire.certificate import Certificate, read_certificate

_ADDRESS: Final = "/own"
_COOKIE: Final = "paddock_token"
_DAY: Final = 24 * 3600
_MOST_BYTES: Final = 1024  # of a form
_SHOWN: Final = 20  # submissions
_PRIVATE: Final = {"Cache-Control": "no-store"}


class _Shown(NamedTuple):
    """A submission on the page."""

    row: SubmissionRow
    certificate: Certificate
    logs: tuple[LogRow, ...]


class Own:
    """The page of an owner, and the form to log in."""

    def __init__(self, database: Database, templates: Templates, visitors: Visitors) -> None:
        self._database = database
        self._templates = templates
        self._visitors = visitors

    def routes(self) -> list[Route]:
        """The page, and what its forms do."""
        return [
            Route(_ADDRESS, self._page),
            Route(f"{_ADDRESS}/login", self._login, methods=["POST"]),
            Route(f"{_ADDRESS}/logout", self._logout, methods=["POST"]),
        ]

    async def _page(self, request: Request) -> Response:
        token = request.cookies.get(_COOKIE, "")
        with self._visitors.admission.admitted(Kind.PAGE, visitor(request)):
            contents = await self._database.read(_own, hash_token(token)) if token else None
        return self._answer(contents, wrong=bool(token) and contents is None)

    async def _login(self, request: Request) -> Response:
        body = b""
        async for chunk in request.stream():
            body += chunk
            if len(body) > _MOST_BYTES:
                break
        token = parse_qs(body[:_MOST_BYTES].decode(errors="replace")).get("token", [""])[0].strip()
        with self._visitors.admission.admitted(Kind.PAGE, visitor(request)):
            contents = await self._database.read(_own, hash_token(token)) if token else None
        if contents is None:
            return self._answer(None, wrong=True)
        answer = RedirectResponse(_ADDRESS, 303, _PRIVATE)
        answer.set_cookie(
            _COOKIE, token, max_age=_DAY, path=_ADDRESS, secure=request.url.scheme == "https",
            httponly=True, samesite="strict",
        )  # fmt: skip
        return answer

    async def _logout(self, _request: Request) -> Response:
        answer = RedirectResponse(_ADDRESS, 303, _PRIVATE)
        answer.delete_cookie(_COOKIE, path=_ADDRESS, httponly=True, samesite="strict")
        return answer

    def _answer(self, contents: tuple[str, list[_Shown]] | None, *, wrong: bool) -> Response:
        who, shown = contents or ("", [])
        body = self._templates.fragment("own.html", who=who, shown=shown, wrong=wrong)
        return HTMLResponse(body, 403 if wrong else 200, _PRIVATE)


def _own(connection: Connection, token_hash: bytes) -> tuple[str, list[_Shown]] | None:
    """Who holds a token, and the last submissions of that owner or bot; None: nobody does."""
    owner = owners.owner_of_token(connection, token_hash)
    bot = store.bot_of_token(connection, token_hash)
    if owner is not None:
        rows = submissions.list_submissions(connection, "", _SHOWN, owner=owner.name)
        return owner.name, [_shown(connection, row) for row in rows]
    if bot is not None:
        rows = submissions.list_submissions(connection, "", _SHOWN, bot=bot.name)
        return bot.name, [_shown(connection, row) for row in rows]
    return None


def _shown(connection: Connection, row: SubmissionRow) -> _Shown:
    certificate = read_certificate(row.certificate)
    return _Shown(row, certificate, tuple(submissions.logs_of(connection, row.id)))
