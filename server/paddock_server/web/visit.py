"""What a visitor asks for: the parameters of an address, read strictly."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

from starlette.requests import Request

from paddock_server.basics.errors import ServerError

_MOST: Final = 200  # characters of a parameter
_LARGEST: Final = 2**53 - 1  # a number that every reader of JSON can hold


class Wrong(ServerError):
    """Raised when a page can't be given."""

    reason = "page/wrong"


class Missing(Wrong):
    """Raised when there is no such page."""

    reason = "page/unknown"


class Parameter(NamedTuple):
    """A parameter of an address, and what it may be."""

    name: str
    told: str  # in the description of the API
    default: Any = ""  # its type is the parameter's: text or a whole number
    among: Sequence[str] = ()  # all it may be; nothing: anything that fits
    pattern: str = ""
    least: int = 0
    most: int = _LARGEST
    required: bool = False  # in a query; in a path all are

    def read(self, given: str) -> Any:
        """The value, or Wrong with what it should be."""
        if isinstance(self.default, int):
            if not re.fullmatch(r"[0-9]{1,16}", given) or not self.least <= int(given) <= self.most:
                to = f" to {self.most}" if self.most < _LARGEST else " on"
                raise Wrong(f"{self.name}: give a whole number from {self.least}{to}")
            return int(given)
        if self.among and given not in self.among:
            raise Wrong(f"{self.name}: give one of {', '.join(filter(None, self.among))}")
        if self.pattern and not re.fullmatch(self.pattern, given):
            raise Wrong(f"{self.name}: it has to look like {self.pattern}")
        if len(given) > _MOST or "\x00" in given:
            raise Wrong(f"{self.name}: give at most {_MOST} characters, none of them NUL")
        return given

    def schema(self) -> dict[str, Any]:
        """What the description of the API says of it."""
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
    """A page that is wanted: the names in its path, its parameters, and its own address."""

    path: Mapping[str, Any]
    query: Mapping[str, Any]
    address: str
    host: str = ""  # as the visitor reached us, without the port; for pages that tell it

    def with_query(self, **changes: Any) -> str:
        """The same address with other parameters; those at their default are left out."""
        return self.address + _written({**self.query, **changes})


def _written(query: Mapping[str, Any]) -> str:
    given = {name: value for name, value in query.items() if value not in ("", 0, None)}
    return f"?{urlencode(given)}" if given else ""


def read_visit(
    request: Request, in_path: Sequence[Parameter], in_query: Sequence[Parameter], address: str
) -> Visit:
    """What this request asks for; Wrong where a parameter is unknown, given twice or no good."""
    known = {parameter.name: parameter for parameter in in_query}
    query = {name: parameter.default for name, parameter in known.items()}
    seen = set()
    for name, given in request.query_params.multi_items():
        if name not in known:
            there = ", ".join(known) or "none"
            raise Wrong(f"there is no parameter {name[:40]!r}; this page knows {there}")
        if name in seen:
            raise Wrong(f"{name}: give it once")
        seen.add(name)
        query[name] = known[name].read(given)
    for name, parameter in known.items():
        if parameter.required and name not in seen:
            raise Wrong(f"{name} is missing: {parameter.told}")
    path = {parameter.name: request.path_params[parameter.name] for parameter in in_path}
    for parameter in in_path:
        try:
            path[parameter.name] = parameter.read(path[parameter.name])
        except Wrong as problem:
            raise Missing(problem.sentence) from None
    return Visit(path, query, address)
