"""`paddock submission`: the bots that were handed in, and how that went."""

from pathlib import Path
from typing import Any, Final

import click
from rich.markup import escape
from rich.table import Table

from paddock.v1 import submission_pb2, submission_pb2_grpc
from paddock_server.basics.toml_file import BadFile
from paddock_server.cli.following import follow, state_of, told
from paddock_server.cli.remote import Caller, Refused, channel, holder_options, server_options
from paddock_server.cli.submission_check import check
from paddock_server.cli.terminal import clean, console, print_json

_AS_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON for a program.")
_ID = click.argument("submission_id", metavar="ID")
_ID_OR_BOT = click.argument("submission_id", metavar="ID")
_ID_LETTERS: Final = 26
_MINUTE: Final = len("2026-12-18T18:00")  # of a stamp


@click.group()
def submission() -> None:
    """Submissions: check one here; list, show, log, fetch, activate, retry those of a server."""


submission.add_command(check)


@submission.command("list")
@click.option("--bot", default="", help="Only those of this bot.")
@_AS_JSON
@holder_options
def list_submissions(bot: str, as_json: bool, **connection: Any) -> None:
    """List your submissions, the newest first; with the organiser's token, everybody's."""
    rows: list[Any] = []
    with channel(**connection) as caller:
        stub = submission_pb2_grpc.SubmissionServiceStub(caller.channel)
        token = ""
        while True:
            request = submission_pb2.ListSubmissionsRequest(bot=bot, page_token=token)
            page = caller.call(stub.ListSubmissions, request)
            rows += page.submissions
            token = page.next_page_token
            if not token:
                break
    if as_json:
        print_json([_values(each) for each in rows])
        return
    table = Table()
    table.add_column("submission", no_wrap=True)  # for `log` and others, so never cut off
    for title in ("bot", "version", "owner", "state", "received"):
        table.add_column(title, overflow="fold")
    for each in rows:
        received = each.received[:_MINUTE].replace("T", " ")
        cells = (each.id, each.bot, each.version, each.owner, state_of(each), received)
        table.add_row(*(escape(clean(cell)) for cell in cells))
    console().print(table)
    for each in rows:
        if each.sentence:
            click.echo(told(each).partition("\n")[0])


@submission.command()
@_ID_OR_BOT
@_AS_JSON
@holder_options
def show(submission_id: str, as_json: bool, **connection: Any) -> None:
    """Show one submission with its certificate. ID may be a bot: its newest one."""
    with channel(**connection) as caller:
        stub = submission_pb2_grpc.SubmissionServiceStub(caller.channel)
        request = submission_pb2.GetSubmissionRequest(id=_found(caller, stub, submission_id))
        row = caller.call(stub.GetSubmission, request).submission
    if as_json:
        print_json(_values(row))
        return
    click.echo(told(row))
    click.echo(f"archive: {row.archive_bytes} bytes, SHA-256 {row.archive_sha256}")
    certificate = row.certificate
    if not certificate.checked:
        return
    table = Table()
    for title in ("point", "met", "what was seen"):
        table.add_column(title, overflow="fold")
    for point in certificate.points:
        met = "-" if point.skipped else "yes" if point.met else "no"
        table.add_row(*(escape(clean(text)) for text in (point.name, met, point.sentence)))
    console().print(table)
    with_what = f" with {_toolchain(certificate)}, Paddock {certificate.paddock}"
    click.echo(
        clean(
            f"checked by {certificate.runner} at {certificate.checked}"
            + (with_what if certificate.toolchain else "")
            + ("; its build could reach a mirror of packages" if certificate.mirror else "")
        )
    )
    for sentence in certificate.weaknesses:
        click.echo(clean(f"the runner does not promise {sentence}"))


@submission.command()
@_ID_OR_BOT
@click.option("--follow", "wait", is_flag=True, help="Go on until the submission is decided.")
@holder_options
def log(submission_id: str, wait: bool, **connection: Any) -> None:
    """Print what building, checking and playing printed; only you and the organiser can.

    ID may be a bot: its newest submission.
    """
    with channel(**connection) as caller:
        stub = submission_pb2_grpc.SubmissionServiceStub(caller.channel)
        follow(caller, stub, _found(caller, stub, submission_id), wait=wait)


@submission.command()
@_ID_OR_BOT
@click.argument("file", type=click.Path(path_type=Path))
@holder_options
def fetch(submission_id: str, file: Path, **connection: Any) -> None:
    """Write the archive of a submission to FILE, as it was handed in. ID may be a bot: its newest
    one."""
    if file.exists():
        raise BadFile(f"{file} exists already; name a new file")
    partial = file.with_name(f"{file.name}.part")
    with channel(**connection) as caller:
        stub = submission_pb2_grpc.SubmissionServiceStub(caller.channel)
        request = submission_pb2.FetchArchiveRequest(id=_found(caller, stub, submission_id))
        try:
            with partial.open("wb") as out:
                for part in caller.stream(stub.FetchArchive, request):
                    out.write(part.chunk)
            partial.rename(file)
        finally:
            partial.unlink(missing_ok=True)
    click.echo(f"{file}: {file.stat().st_size} bytes")


@submission.command()
@click.argument("bot")
@click.option("--version", required=True, help="A version that was accepted.")
@holder_options
def activate(bot: str, version: str, **connection: Any) -> None:
    """Have an accepted version play from the next match on: go back, or forward again."""
    with channel(**connection) as caller:
        stub = submission_pb2_grpc.SubmissionServiceStub(caller.channel)
        request = submission_pb2.ActivateVersionRequest(bot=bot, version=version)
        row = caller.call(stub.ActivateVersion, request).submission
    click.echo(told(row))


@submission.command()
@_ID
@server_options
def retry(submission_id: str, **connection: Any) -> None:
    """Have a stuck or rejected submission built and checked again; for the organiser."""
    with channel(**connection) as caller:
        stub = submission_pb2_grpc.SubmissionServiceStub(caller.channel)
        request = submission_pb2.RetrySubmissionRequest(id=submission_id)
        row = caller.call(stub.RetrySubmission, request).submission
    click.echo(told(row))


def _found(caller: Caller, stub: Any, wanted: str) -> str:
    """The id of a submission: this one, or that of the newest one of the bot of this name."""
    if len(wanted) == _ID_LETTERS and wanted.isalnum() and wanted.isupper():
        return wanted
    request = submission_pb2.ListSubmissionsRequest(bot=wanted, page_size=1)
    page = caller.call(stub.ListSubmissions, request)
    if not page.submissions:
        raise Refused(
            f"you have no submission {clean(wanted)!r}, nor one of a bot of this name; "
            "see: paddock submission list"
        )
    return str(page.submissions[0].id)


def _toolchain(certificate: Any) -> str:
    """A toolchain, with the beginning of the SHA-256 of its root where it has one."""
    sha256 = certificate.toolchain_sha256[:12]
    return f"{certificate.toolchain} ({sha256})" if sha256 else str(certificate.toolchain)


def _values(row: Any) -> dict[str, Any]:
    certificate = row.certificate
    return {
        "id": row.id,
        "bot": row.bot,
        "owner": row.owner,
        "version": row.version,
        "language": row.language,
        "formats": list(row.formats),
        "state": state_of(row),
        "reason": row.reason,
        "sentence": row.sentence,
        "received": row.received,
        "changed": row.changed,
        "archive_sha256": row.archive_sha256,
        "archive_bytes": row.archive_bytes,
        "attempts": row.attempts,
        "before": row.before,
        "certificate": {
            "points": [
                {
                    "name": point.name,
                    "met": point.met,
                    "sentence": point.sentence,
                    "skipped": point.skipped,
                }
                for point in certificate.points
            ],
            "toolchain": certificate.toolchain,
            "toolchain_sha256": certificate.toolchain_sha256,
            "mirror": certificate.mirror,
            "artefact_sha256": certificate.artefact_sha256,
            "runner": certificate.runner,
            "checked": certificate.checked,
            "weaknesses": list(certificate.weaknesses),
            "paddock": certificate.paddock,
        },
    }
