"""The templates of the pages, and the filters that write values in them."""

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from paddock_games import FORMATS
from paddock_server.basics.wording import counted, lasting, likelihood
from paddock_server.web import charts
from paddock_server.web.drawing import drawing_of
from paddock_server.web.menu import SERVED, Menu
from paddock_server.web.page import Page
from paddock_server.web.pages.rules import rules_address
from paddock_server.web.visit import Visit

HERE: Final = Path(__file__).parent
STATIC: Final = HERE / "static"
FAULTS: Final[Mapping[str, str]] = {
    "TIMEOUT": "no answer came in time, so the referee chose",
    "ILLEGAL": "the answer is against the rules, so the referee chose",
    "MALFORMED": "the answer could not be read, so the referee chose",
    "DISCONNECTED": "the bot was not connected, so the referee chose",
    "RESIGNED": "the bot had given up, so the referee chose",
}


class Templates:
    """The templates of all pages."""

    def __init__(self, menu: Menu = SERVED) -> None:
        self._environment = Environment(
            loader=FileSystemLoader(HERE / "templates"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._environment.filters.update(
            number=number,
            decimal=decimal,
            signed=signed,
            time=time,
            age=age,
            title=title,
            segment=segment,
            game=game,
            lasting=lasting,
            counted=counted,
            likelihood=likelihood,
            by_pair=by_pair,
            rules=rules,
        )
        self._environment.globals.update(
            charts=charts, drawing_of=drawing_of, faults=FAULTS, menu=menu, static=_versioned()
        )

    def page(self, page: Page, visit: Visit, values: Any, follow: str = "") -> bytes:
        """A page of these values; `follow` is the stream that says when they change."""
        template = self._environment.get_template(page.template)
        json_address = page.api
        for name, value in visit.path.items():
            json_address = json_address.replace(f"{{{name}}}", segment(str(value)))
        query = visit.with_query().removeprefix(visit.address)
        csv_address = f"{json_address}/{page.sheet.name}{query}" if page.sheet else ""
        return template.render(
            page=values, visit=visit, json_address=json_address + query, csv_address=csv_address,
            follow=follow,
        ).encode()  # fmt: skip

    def fragment(self, name: str, **values: Any) -> str:
        """A part of a page."""
        return self._environment.get_template(name).render(**values)

    def wrong(self, status: int, phrase: str, sentence: str) -> bytes:
        """The page of an error."""
        template = self._environment.get_template("wrong.html")
        return template.render(status=status, phrase=phrase, sentence=sentence).encode()


def _versioned() -> dict[str, str]:
    """The address of every static file, with a hash of its content, so that it can be cached."""
    return {
        file.name: f"/static/{file.name}?v={hashlib.sha256(file.read_bytes()).hexdigest()[:12]}"
        for file in sorted(STATIC.iterdir())
    }


def number(value: float) -> str:
    """A whole number for people."""
    return f"{value:,.0f}"


def decimal(value: float | None, digits: int = 1) -> str:
    """A number with this many decimals; a dash if there is no number."""
    return "–" if value is None else f"{value:,.{digits}f}"  # noqa: RUF001 -- a real dash


def signed(value: float | None, digits: int = 1) -> str:
    """A number with its sign; a dash if there is no number."""
    return "–" if value is None else f"{value:+,.{digits}f}"  # noqa: RUF001 -- a real dash


def time(stamp: str) -> Markup:
    """A time, for people and for programs."""
    if not stamp:
        return Markup("–")  # noqa: RUF001 -- a real dash
    return Markup('<time datetime="{}">{} {}</time>').format(stamp, stamp[:10], stamp[11:16])


def age(stamp: str) -> Markup:
    """A time that the page's script turns into how long ago it was."""
    return Markup('<time datetime="{}" data-age>at {} {}</time>').format(
        stamp, stamp[:10], stamp[11:16]
    )


def title(format_name: str) -> str:
    """A format's title."""
    return FORMATS[format_name].title if format_name in FORMATS else format_name.capitalize()


def by_pair(meetings: Sequence[Any]) -> dict[tuple[str, str], Any]:
    """The lines of a cross table by bot and other."""
    return {(meeting.bot, meeting.other): meeting for meeting in meetings}


def game(format_name: str) -> str:
    """The game that a format belongs to."""
    return FORMATS[format_name].game


def rules(format_name: str) -> str:
    """The address of the rules of a format's game."""
    return rules_address(game(format_name))


def segment(name: str) -> str:
    """A name as a part of an address."""
    return quote(name, safe="")
