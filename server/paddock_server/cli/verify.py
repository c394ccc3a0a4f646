"""`paddock verify`: a check of match records by replay."""

from typing import Any

import click

from paddock_games import BadRecord, read_record
from paddock_games import verify as verify_record
from paddock_server.cli.files import record_lines
from paddock_server.cli.terminal import clean, print_json, progress

WRONG = 1


@click.command()
@click.argument("file", metavar="FILE.jsonl")
@click.option("--json", "as_json", is_flag=True, help="Print JSON for a program.")
def verify(file: str, as_json: bool) -> int:
    """Check every match record in FILE.jsonl (- for standard input), one per line.

    Replays each match from its seed: commitment, deal, die, the legality of every choice, faults
    and forfeits, points by pen, totals and ranks. Prints the first problem of each bad record.
    The exit code is 1 if there is one.
    """
    count, wrong = 0, []
    with progress("verifying") as bar:
        task = bar.add_task("", total=None, rate="")
        for number, line in record_lines(file):
            count += 1
            problem = _problem(number, line)
            if problem:
                wrong.append(problem)
                if not as_json:
                    click.echo(clean(f"line {number}: {problem['problem']}"))
            bar.update(task, advance=1)
    if not count:
        raise BadRecord(file, "has no records in it; give a file with one match record per line")
    if as_json:
        print_json({"records": count, "wrong": wrong})
    else:
        right = count - len(wrong)
        click.echo(
            f"{right} of {count} records check out" + (f", {len(wrong)} do not" * bool(wrong))
        )
    return WRONG if wrong else 0


def _problem(number: int, line: bytes) -> dict[str, Any] | None:
    """The first problem of a record, or None."""
    match = None
    try:
        record = read_record(line)
        match = record.value.get("match")
        verify_record(record)
    except BadRecord as problem:
        if match is None and not line.endswith(b"\n"):
            cut = f"is cut off: its writer was interrupted; delete the line ({problem})"
            return {"line": number, "match": None, "where": problem.where, "problem": cut}
        named = match if isinstance(match, str) else None
        return {"line": number, "match": named, "where": problem.where, "problem": str(problem)}
    return None
