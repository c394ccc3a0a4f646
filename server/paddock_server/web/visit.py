"""A visit to a page: the parameters of its address, read strictly."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

from starlette.requests import Request

from paddock_server.basics.errors import ServerError

_MOST: Final = 200  # characters of a parameter
_LARGEST: Final = 2**53 - 1  # a number that every reader of JSON can hold


class Wrong(ServerError):
    """Raised when a page can't be shown."""

    reason = "page/wrong"


class Missing(Wrong):
    """Raised when a page does not exist."""

    reason = "page/unknown"


class Parameter(NamedTuple):
    """A parameter of an address, and the values that it may have."""

    name: str
    meaning: str  # for people, in the description of the API
    default: Any = ""  # its type is the parameter's: text or a whole number
    among: Sequence[str] = ()  # all values that it may have; empty: any
    pattern: str = ""
    least: int = 0
    most: int = _LARGEST
    required: bool = False  # in a query; in a path all are

    def read(self, text: str) -> Any:
        """The value of a text; Wrong if it is invalid."""
        if isinstance(self.default, int):
            if not re.fullmatch(r"[0-9]{1,16}", text) or not self.least <= int(text) <= self.most:
                to = f" to {self.most}" if self.most < _LARGEST else " on"
                raise Wrong(f"{self.name}: give a whole number from {self.least}{to}")
            return int(text)
        if self.among and text not in self.among:
            raise Wrong(f"{self.name}: give one of {', '.join(filter(None, self.among))}")
        if self.pattern and not re.fullmatch(self.pattern, text):
            raise Wrong(f"{self.name} is invalid: it must match {self.pattern}")
        if len(text) > _MOST or "\x00" in text:
            raise Wrong(f"{self.name}: give at most {_MOST} characters, none of them NUL")
        return text

    def schema(self) -> dict[str, Any]:
        """The JSON Schema of the parameter."""
        if isinstance(self.default, int):
            return {
                "type": "integer",
                "minimum": self.least,
                "maximum": self.most,
                "default": self.default,
            }
        if self.among:
            return {"type": "string", "enum": list(self.among)}
        if self.pattern:
            return {"type": "string", "pattern": f"^{self.pattern}$"}
        return {"type": "string", "maxLength": _MOST, "pattern": "^[^\\u0000]*$"}


class Visit(NamedTuple):
    """A visit to a page: the names in its path, its parameters, and its address."""

    path: Mapping[str, Any]
    query: Mapping[str, Any]
    address: str
    host: str = ""  # in the visitor's request, without the port; for pages that show it

    def with_query(self, **changes: Any) -> str:
        """The same address with other parameters; those at their default are left out."""
        return self.address + _written({**self.query, **changes})


def _written(query: Mapping[str, Any]) -> str:
    changed = {name: value for name, value in query.items() if value not in ("", 0, None)}
    return f"?{urlencode(changed)}" if changed else ""


def read_visit(
    request: Request, in_path: Sequence[Parameter], in_query: Sequence[Parameter], address: str
) -> Visit:
    """The visit of a request; Wrong if a parameter is unknown, repeated or invalid."""
    known = {parameter.name: parameter for parameter in in_query}
    query = {name: parameter.default for name, parameter in known.items()}
    seen = set()
    for name, text in request.query_params.multi_items():
        if name not in known:
            names = ", ".join(known)
            hint = f"known are {names}" if names else "this page has no parameters"
            raise Wrong(f"unknown parameter {name[:40]!r}; {hint}")
        if name in seen:
            raise Wrong(f"{name} is repeated; give it once")
        seen.add(name)
        query[name] = known[name].read(text)
    for name, parameter in known.items():
        if parameter.required and name not in seen:
            raise Wrong(f"{name} is missing: {parameter.meaning}")
    path = {parameter.name: request.path_params[parameter.name] for parameter in in_path}
    for parameter in in_path:
        try:
            path[parameter.name] = parameter.read(path[parameter.name])
        except Wrong as problem:
            raise Missing(problem.sentence) from None
    return Visit(path, query, address)
