"""The site: the routes of all pages, and the pages of errors."""

import csv
import io
import json
import logging
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from http import HTTPStatus
from typing import Any, Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from paddock_server.visitors.address import visitor_at
from paddock_server.visitors.admission import RETRY_SECONDS, Kind, TooMany
from paddock_server.visitors.cache import Cache, noting_sources
from paddock_server.visitors.pool import aside
from paddock_server.visitors.visitors import Visitors
from paddock_server.web.answer import Body, answer, body_of
from paddock_server.web.events import Notice
from paddock_server.web.openapi import describe
from paddock_server.web.page import Page, Sheet
from paddock_server.web.rendering import Templates
from paddock_server.web.shapes import plain
from paddock_server.web.visit import Visit, Wrong, read_visit

_LOG: Final = logging.getLogger("paddock.web")
JSON: Final = "application/json"
HTML: Final = "text/html"
CSV: Final = "text/csv"
_HOST: Final = re.compile(r"([A-Za-z0-9.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::[0-9]{1,5})?")
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")

Handler = Callable[[Request], Awaitable[Response]]
Render = Callable[[Any, int], bytes]
"""From a page's values and the number of changes at that time to the bytes of the answer."""


class Site:
    """A site of pages, each answered from its values."""

    def __init__(
        self, pages: Sequence[Page], templates: Templates, changed: Notice, visitors: Visitors
    ) -> None:
        self._pages = pages
        self._templates = templates
        self._changed = changed
        self._admission = visitors.admission
        self._bodies: Cache[Body] = Cache()
        self._description = body_of(json.dumps(describe(pages)).encode(), JSON)

    def routes(self) -> list[Route]:
        """Every address of every page, and the description of the API."""
        routes = [Route("/api/openapi.json", self._openapi)]
        for page in self._pages:
            if page.sheet is not None:
                render = _csv_of(page.sheet)
                routes.append(Route(page.csv, self._handler(page, render, CSV, page.sheet.name)))
            routes.append(Route(page.api, self._handler(page, _json, JSON)))
        routes += [Route(page.address, self._html(page)) for page in self._pages if page.template]
        return routes

    def _html(self, page: Page) -> Handler:
        async def get(request: Request) -> Response:
            visit = _visit(page, request)

            def render(values: Any, number: int) -> bytes:
                return self._templates.page(page, visit, values, f"/events?since={number}")

            return await self._answer(request, page, visit, render, kind=HTML)

        return get

    def _handler(self, page: Page, render: Render, media_type: str, name: str = "") -> Handler:
        async def get(request: Request) -> Response:
            visit = _visit(page, request)
            return await self._answer(request, page, visit, render, kind=media_type, name=name)

        return get

    async def _answer(
        self,
        request: Request,
        page: Page,
        visit: Visit,
        render: Render,
        *,
        kind: str,
        name: str = "",
    ) -> Response:
        async def make() -> Body:
            with self._admission.admitted(Kind.PAGE, visitor(request)):
                with noting_sources() as sources:
                    values = await page.values(visit)
                number = self._changed.number_at(sources.oldest)
                return await aside(lambda: body_of(render(values, number), kind))

        key = f"{kind} {visit.host} {visit.with_query()}"
        return answer(request, await self._bodies.get(key, make), name=name)

    async def _openapi(self, request: Request) -> Response:
        if request.query_params:
            raise Wrong("unknown parameter; the description of the API has none")
        return answer(request, self._description)

    # --- errors -----------------------------------------------------------------------------

    async def wrong(self, request: Request, problem: Exception) -> Response:
        """The answer that says what is wrong, as a page or as JSON."""
        headers: Mapping[str, str] | None = None
        if isinstance(problem, Wrong | TooMany):
            status, sentence = problem.status.http, problem.sentence
            if isinstance(problem, TooMany):
                headers = {"Retry-After": str(RETRY_SECONDS)}
        elif isinstance(problem, HTTPException):
            status, headers = problem.status_code, problem.headers
            sentence = _SENTENCES.get(status, problem.detail)
        else:
            _LOG.error("page failed: %s", request.url.path, exc_info=problem)
            status, sentence = 500, "the server failed; its log says why, and trying again may help"
        if request.url.path.startswith("/api/"):
            body = json.dumps({"status": status, "error": sentence}).encode()
            return Response(body, status, headers, JSON)
        body = self._templates.wrong(status, HTTPStatus(status).phrase, sentence)
        return Response(body, status, headers, HTML)


_SENTENCES: Final = {
    404: "address not found; start at the ladder, the matches or the tournaments",
    405: "method not allowed; use GET",
}


def visitor(request: Request) -> str:
    """The address that a request is counted by."""
    return visitor_at(request.client.host if request.client else None)


def _visit(page: Page, request: Request) -> Visit:
    visit = read_visit(request, page.in_path, page.in_query, request.url.path)
    return visit._replace(host=_host(request)) if page.by_host else visit


def _host(request: Request) -> str:
    """The host name in the visitor's request; empty if it is invalid."""
    named = _HOST.fullmatch(request.headers.get("host", ""))
    return named[1] if named else ""


def _json(values: Any, _number: int) -> bytes:
    return json.dumps(plain(values), ensure_ascii=False, allow_nan=False).encode()


def _csv_of(sheet: Sheet) -> Render:
    def render(values: Any, _number: int) -> bytes:
        text = io.StringIO()
        writer = csv.writer(text)
        writer.writerow(sheet.columns)
        writer.writerows([_cell(each) for each in row] for row in sheet.rows(values))
        return text.getvalue().encode()

    return render


def _cell(value: Any) -> Any:
    """A cell of CSV that no spreadsheet takes for a formula."""
    if isinstance(value, str) and value.startswith(_FORMULA):
        return f"'{value}"
    return value
