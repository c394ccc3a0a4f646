"""The table of clients/README.md: what every client does, as `paddock check-bot` found it.

`python -m tests.clients.parity --write` checks all clients and writes the table again; with names,
such as `go`, only those. The packages of clients/node have to be installed.
"""

import asyncio
import re
import sys
import tempfile
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Final

from paddock_server.checking.check import POINTS, check
from paddock_server.checking.report import PointResult
from tests.clients.building import Builder
from tests.clients.languages import BOTS, CLIENTS, LANGUAGES, OTHERS, Language, columns

README: Final = CLIENTS / "README.md"
_BEGIN: Final = "<!-- parity: made by python -m tests.clients.parity --write -->\n"
_END: Final = "<!-- end of parity -->\n"
_MARKS: Final = {"passed": "yes", "not used": "-"}

Column = Mapping[str, str]
"""What a client does, by point: `yes`, or `-` for what it may leave out and does."""


def commands(language: Language) -> list[Sequence[str]]:
    """The commands of the sample bots of an SDK."""
    return [(str(language.program(name)), "--max-matches", "64") for name in BOTS]


def judge(*programs: Sequence[str]) -> list[list[PointResult]]:
    """The outcomes of all points for each of these commands, checked side by side."""

    async def all_of_them() -> list[list[PointResult]]:
        return await asyncio.gather(*(check(command, patience=60.0) for command in programs))

    return asyncio.run(all_of_them())


def column(outcomes: Sequence[PointResult]) -> Column:
    """What the outcomes say, by point; all formats together are one line."""
    marks = {each.point: _MARKS.get(each.word, each.word) for each in outcomes}
    formats = {mark for point, mark in marks.items() if point.startswith("format ")}
    rest = {point: marks[point] for point in POINTS}
    return {"all formats": formats.pop() if len(formats) == 1 else "some", **rest}


def written() -> dict[str, Column]:
    """The columns that clients/README.md has, by title of the client."""
    table = README.read_text().partition(_BEGIN)[2].partition(_END)[0]
    rows = [
        [cell.strip().strip("`") for cell in line.split("|")[1:-1]]
        for line in table.splitlines()
        if line.startswith("|") and not re.match(r"\|\s*-", line)
    ]
    head, *body = rows or [[""]]
    return {
        title: {row[0]: row[place] for row in body} for place, title in enumerate(head) if place > 0
    }


def table_of(found: Mapping[str, Column]) -> str:
    """The table of the columns."""
    titles = list(found)
    points = list(next(iter(found.values())))
    lines = [f"| | {' | '.join(titles)} |", f"|---{'|---' * len(titles)}|"]
    for point in points:
        cells = [found[title][point] for title in titles]
        label = point if point == "all formats" else f"`{point}`"
        lines.append(f"| {label} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _found(builder: Builder, names: Collection[str]) -> dict[str, Column]:
    """The columns of the clients with these names, checked now."""
    found = {}
    for language in (each for each in LANGUAGES.values() if each.name in names):
        builder.build(language)
        outcomes = judge(*commands(language))
        first = column(outcomes[0])
        if any(column(each) != first for each in outcomes):
            sys.exit(f"the sample bots of {language.title} differ: {outcomes}")
        found[language.title] = first
    for other in (each for each in OTHERS.values() if each.name in names):
        (outcome,) = judge(other.command)
        found[other.title] = column(outcome)
    return found


def main(names: Sequence[str]) -> None:
    """Check the clients with these names, or all, and write the table."""
    with tempfile.TemporaryDirectory() as folder:
        found = _found(Builder(Path(folder)), names or (*LANGUAGES, *OTHERS))
    known = {**written(), **found}
    text = README.read_text()
    before, rest = text.split(_BEGIN)
    table = table_of({title: known[title] for title in columns()})
    README.write_text(f"{before}{_BEGIN}{table}{_END}{rest.split(_END)[1]}")


if __name__ == "__main__":
    if sys.argv[1:2] != ["--write"]:
        sys.exit(__doc__)
    main(sys.argv[2:])
