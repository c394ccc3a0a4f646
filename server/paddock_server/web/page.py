"""A page: one address, its values, and their forms: HTML, JSON and CSV."""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import quote

from paddock_server.web.visit import Parameter, Visit


class Sheet(NamedTuple):
    """A page's table as CSV."""

    name: str  # the end of its address
    columns: Sequence[str]
    rows: Callable[[Any], Iterable[Sequence[Any]]]  # from the page's values


class Page(NamedTuple):
    """A page: one address, as HTML, as JSON below /api and, where it has a table, as CSV."""

    address: str
    summary: str  # what it shows, in a sentence
    kind: type  # of its values: a named tuple
    values: Callable[[Visit], Awaitable[Any]]
    template: str
    in_path: tuple[Parameter, ...] = ()
    in_query: tuple[Parameter, ...] = ()
    sheet: Sheet | None = None
    by_host: bool = False  # whether it depends on the name that the visitor reached us by
    api_address: str = ""  # where it is not /api and the address

    def visit(self, path: Mapping[str, Any], query: Mapping[str, Any]) -> Visit:
        """A visit to the page; parameters that the query leaves out have their default."""
        address = self.address
        for name, value in path.items():
            address = address.replace(f"{{{name}}}", quote(str(value), safe=""))
        defaults = {parameter.name: parameter.default for parameter in self.in_query}
        return Visit(path, {**defaults, **query}, address)

    @property
    def api(self) -> str:
        """The address of its JSON."""
        return self.api_address or f"/api{self.address}"

    @property
    def csv(self) -> str:
        """The address of its CSV; empty if the page has no table."""
        return f"{self.api}/{self.sheet.name}" if self.sheet else ""
