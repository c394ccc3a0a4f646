"""One match of a file of records: the option that names it, and the match played again."""

from typing import Final

import click

from paddock_games import BadRecord, read_record, replay
from paddock_games.field import Field
from paddock_games.record import Replay
from paddock_server.cli.files import record_lines

MATCH: Final = click.option(
    "--match", "which", default="1", show_default=True, metavar="N",
    help="Which match of the file: its number from 1, or its id.",
)  # fmt: skip


def recorded_match(file: str, which: str) -> Replay:
    """The match of this number or id, played again; BadRecord where there is none."""
    for count, (number, line) in enumerate(record_lines(file), start=1):
        try:
            record = read_record(line)
            if which == str(count) or _id(record) == which:
                return replay(record)
        except BadRecord as problem:
            if which == str(count):
                raise BadRecord(
                    f"{file} line {number}", f"{problem}; see paddock verify {file}"
                ) from None
    raise BadRecord("--match", f"{file} has no match {which}; give a number from 1 or a match id")


def _id(record: Field) -> object:
    return record.value.get("match")
