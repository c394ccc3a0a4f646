"""The description of the API, made from the table of pages, so that it can't be out of date."""

import re
from collections.abc import Sequence
from importlib.metadata import version
from typing import Any, Final

from paddock_server.web.page import Page
from paddock_server.web.shapes import schema
from paddock_server.web.visit import Parameter

_PROBLEM: Final = {
    "type": "object",
    "description": "Why there is no answer, and what to do.",
    "properties": {"status": {"type": "integer"}, "error": {"type": "string"}},
    "required": ["status", "error"],
    "additionalProperties": False,
}


def describe(pages: Sequence[Page]) -> dict[str, Any]:
    """An OpenAPI 3.1 document."""
    named: dict[str, Any] = {"Problem": _PROBLEM}
    paths: dict[str, Any] = {}
    for page in pages:
        values = {JSON_TYPE: {"schema": schema(page.kind, named)}}
        paths[_path(page.api)] = {"get": _operation(page, page.api, page.told, values)}
        if page.sheet is not None:
            told = f"{page.told} As CSV: {', '.join(page.sheet.columns)}."
            text = {"text/csv": {"schema": {"type": "string"}}}
            paths[_path(page.csv)] = {"get": _operation(page, page.csv, told, text)}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Paddock",
            "version": version("paddock"),
            "description": "Everything that the pages show, to read and without a token.",
        },
        "paths": paths,
        "components": {"schemas": named},
    }


JSON_TYPE: Final = "application/json"


def _path(address: str) -> str:
    return address.replace(":int}", "}")


def _operation(page: Page, address: str, told: str, content: dict[str, Any]) -> dict[str, Any]:
    problem = {JSON_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    answers: dict[str, Any] = {
        "200": {"description": "Here it is.", "content": content},
        "304": {"description": "You have it: If-None-Match was its ETag."},
        "400": {"description": "A parameter is unknown or no good.", "content": problem},
    }
    if page.in_path:
        answers["404"] = {"description": "There is no such thing.", "content": problem}
    words = re.sub(r"[^a-z]+", "_", address.lower()).strip("_")
    return {
        "summary": told,
        "operationId": words,
        "parameters": [
            *(_parameter(each, "path") for each in page.in_path),
            *(_parameter(each, "query") for each in page.in_query),
        ],
        "responses": answers,
    }


def _parameter(given: Parameter, where: str) -> dict[str, Any]:
    return {
        "name": given.name,
        "in": where,
        "required": where == "path" or given.required,
        "description": given.told,
        "schema": given.schema(),
    }
