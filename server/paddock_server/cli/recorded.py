"""A match of a file of records: the option that names it, and its replay."""

from typing import Final

import click

from paddock_games import BadRecord, read_record, replay
from paddock_games.field import Field
from paddock_games.record import PlayedMatch
from paddock_server.cli.files import record_lines

MATCH: Final = click.option(
    "--match", "number_or_id", default="1", show_default=True, metavar="N",
    help="The match in the file: its number from 1, or its id.",
)  # fmt: skip


def recorded_match(file: str, number_or_id: str) -> PlayedMatch:
    """The replay of the match with this number or id; BadRecord if the file has no such match."""
    for count, (number, line) in enumerate(record_lines(file), start=1):
        try:
            record = read_record(line)
            if number_or_id == str(count) or _id(record) == number_or_id:
                return replay(record)
        except BadRecord as problem:
            if number_or_id == str(count):
                raise BadRecord(
                    f"{file} line {number}", f"{problem}; see paddock verify {file}"
                ) from None
    raise BadRecord(
        "--match", f"{file} has no match {number_or_id}; give a number from 1 or a match id"
    )


def _id(record: Field) -> object:
    return record.value.get("match")
