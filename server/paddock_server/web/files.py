"""Files that never change while a server runs: style, script, pictures, contract, new projects."""

import asyncio
from functools import cache
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from paddock_server.projects.project import project, zipped
from paddock_server.projects.starters import STARTERS
from paddock_server.web.answer import Body, answer, body_of
from paddock_server.web.contract import contract
from paddock_server.web.rendering import STATIC
from paddock_server.web.visit import Missing

_TYPES: Final = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
_FOR_GOOD: Final = "public, max-age=31536000, immutable"
_NEW_BOT: Final = "mine"  # the name of the bot in a new project


@cache
def _project(language: str) -> Body:
    """A new project as a download."""
    body = body_of(zipped(project(language, _NEW_BOT)), "application/zip")
    return body._replace(zipped=b"")  # it is compressed already


class Files:
    """The static files and the contract, read and compressed once."""

    def __init__(self) -> None:
        self._static = {
            file.name: body_of(file.read_bytes(), _TYPES[file.suffix]) for file in STATIC.iterdir()
        }
        self._contract = {
            path: body_of(text, "text/plain; charset=utf-8") for path, text in contract().items()
        }

    def routes(self) -> list[Route]:
        """Their addresses."""
        return [
            Route("/static/{name}", self._file),
            Route("/proto/{path:path}", self._proto),
            Route("/new-bot/{language}.zip", self._new_bot),
        ]

    async def _file(self, request: Request) -> Response:
        body = self._static.get(request.path_params["name"])
        if body is None:
            raise HTTPException(404)
        return answer(request, body, _FOR_GOOD)

    async def _proto(self, request: Request) -> Response:
        body = self._contract.get(request.path_params["path"])
        if body is None:
            there = ", ".join(self._contract)
            raise Missing(f"contract file not found; the files are {there}")
        return answer(request, body)

    async def _new_bot(self, request: Request) -> Response:
        language = request.path_params["language"]
        if language not in STARTERS:
            raise Missing(f"language not found; the languages are {', '.join(STARTERS)}")
        body = await asyncio.to_thread(_project, language)
        return answer(request, body, name=f"{_NEW_BOT}-{language}.zip")
