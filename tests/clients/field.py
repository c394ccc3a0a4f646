"""A field of bots: one of every language."""

import shlex
from typing import NamedTuple

from tests.clients.building import Builder
from tests.clients.languages import LANGUAGES, OTHERS
from tests.tools import needs_perl


class Entrant(NamedTuple):
    """A bot of the field."""

    name: str
    command: str


def field(builder: Builder, bot: str) -> list[Entrant]:
    """A bot of every SDK and those over the bridge; skips the test where a tool is missing."""
    needs_perl()
    found = []
    for language in LANGUAGES.values():
        builder.build(language)
        found.append(Entrant(language.name, shlex.join([str(language.program(bot))])))
    return [*found, *(Entrant(name, shlex.join(OTHERS[name].command)) for name in ("perl", "sh"))]
