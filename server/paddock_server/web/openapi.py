"""The OpenAPI description of the pages' JSON, generated from the pages themselves."""

import re
from collections.abc import Sequence
from importlib.metadata import version
from typing import Any, Final

from paddock_server.web.page import Page
from paddock_server.web.shapes import schema
from paddock_server.web.visit import Parameter

_PROBLEM: Final = {
    "type": "object",
    "description": "What is wrong, and what to do.",
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
        paths[_path(page.api)] = {"get": _operation(page, page.api, page.summary, values)}
        if page.sheet is not None:
            summary = f"{page.summary} As CSV: {', '.join(page.sheet.columns)}."
            text = {"text/csv": {"schema": {"type": "string"}}}
            paths[_path(page.csv)] = {"get": _operation(page, page.csv, summary, text)}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Paddock",
            "version": version("paddock"),
            "description": "Everything that the pages show, read-only and without a token.",
        },
        "paths": paths,
        "components": {"schemas": named},
    }


JSON_TYPE: Final = "application/json"


def _path(address: str) -> str:
    return address.replace(":int}", "}")


def _operation(page: Page, address: str, summary: str, content: dict[str, Any]) -> dict[str, Any]:
    problem = {JSON_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    answers: dict[str, Any] = {
        "200": {"description": "The values.", "content": content},
        "304": {"description": "Not modified: If-None-Match is the current ETag."},
        "400": {"description": "A parameter is unknown or invalid.", "content": problem},
    }
    if page.in_path:
        answers["404"] = {"description": "Not found.", "content": problem}
    words = re.sub(r"[^a-z]+", "_", address.lower()).strip("_")
    return {
        "summary": summary,
        "operationId": words,
        "parameters": [
            *(_parameter(parameter, "path") for parameter in page.in_path),
            *(_parameter(parameter, "query") for parameter in page.in_query),
        ],
        "responses": answers,
    }


def _parameter(parameter: Parameter, where: str) -> dict[str, Any]:
    return {
        "name": parameter.name,
        "in": where,
        "required": where == "path" or parameter.required,
        "description": parameter.meaning,
        "schema": parameter.schema(),
    }
