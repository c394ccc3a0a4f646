"""A field of bots: one of every language."""

import json
import shlex
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from tests.clients.building import Builder
from tests.clients.languages import LANGUAGES, OTHERS
from tests.tools import needs_perl

CALM: Final = "[clock]\nbase = 60.0\nbank = 60.0\n"  # on the slowest machine nobody is late


class Entrant(NamedTuple):
    """A bot of the field."""

    name: str
    command: str


def sdk_bots(builder: Builder, bot: str) -> list[Entrant]:
    """A bot of every SDK; skips the test where a tool is missing."""
    found = []
    for language in LANGUAGES.values():
        builder.build(language)
        found.append(Entrant(language.name, shlex.join([str(language.program(bot))])))
    return found


def field(builder: Builder, bot: str) -> list[Entrant]:
    """A bot of every SDK and those over the bridge; skips the test where a tool is missing."""
    needs_perl()
    bridged = [Entrant(name, shlex.join(OTHERS[name].command)) for name in ("perl", "sh")]
    return [*sdk_bots(builder, bot), *bridged]


def tournament_file(folder: Path, entrants: Sequence[Entrant], formats: Iterable[str]) -> Path:
    """A tournament of these formats in which nobody meets a bot of its own language."""
    seats = max(2, min(5, len(entrants)))
    bots = "".join(
        f"\n[[bots]]\nname = {json.dumps(each.name)}\ncommand = {json.dumps(each.command)}\n"
        for each in entrants
    )
    path = folder / "babel.toml"
    path.write_text(
        f'name = "babel"\nschedule = "round-robin"\nformats = {json.dumps(list(formats))}\n'
        f"seats = {seats}\ngroups = {len(entrants)}\nrotations = false\n{bots}\n{CALM}"
    )
    return path
