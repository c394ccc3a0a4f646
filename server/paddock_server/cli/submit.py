"""`paddock submit`: hand in a bot."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import click
import grpc

from paddock.v1 import submission_pb2, submission_pb2_grpc
from paddock_server.basics.errors import FAILED
from paddock_server.cli.following import follow, told
from paddock_server.cli.remote import Caller, channel, holder_options, refused
from paddock_server.packing.archive import Package, pack

_CHUNK: Final = 64 * 1024
_SECONDS: Final = 600.0
_TRIES: Final = 5


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option("--wait", is_flag=True, help="Follow the log until the submission is decided.")
@holder_options
def submit(folder: Path, wait: bool, **connection: Any) -> int:
    """Hand in the bot in FOLDER, which has a paddock-bot.toml; the arena builds and runs it.

    The same folder again is the same submission. With --wait the exit code is 0 if the bot was
    accepted and 1 if it was rejected.
    """
    package = pack(folder)
    with channel(**connection) as caller:
        stub = submission_pb2_grpc.SubmissionServiceStub(caller.channel)
        uploaded = _upload(caller, stub, package)
        found = uploaded.submission
        again = "was handed in before" if uploaded.known_before else "is handed in"
        click.echo(f"version {found.version} of {found.bot} {again}: submission {found.id}")
        if uploaded.bot_token:
            click.echo(f"{found.bot} is a new bot of {found.owner}. Its token, shown only once:")
            click.echo(uploaded.bot_token)
        if not wait:
            click.echo(told(found))
            return 0
        last = follow(caller, stub, found.id)
    accepted = (submission_pb2.SUBMISSION_STATE_ACTIVE, submission_pb2.SUBMISSION_STATE_RETIRED)
    return 0 if last.state in accepted else FAILED


def _upload(caller: Caller, stub: Any, package: Package) -> Any:
    """The answer to an upload, which goes on where it was if the connection breaks."""
    name = package.manifest.name
    for tries in range(_TRIES):
        request = submission_pb2.GetUploadRequest(bot=name, sha256=package.sha256)
        held = caller.call(stub.GetUpload, request).held
        offset = 0 if held >= len(package.data) else held
        try:
            return stub.Upload(_parts(package, offset), metadata=caller.metadata, timeout=_SECONDS)
        except grpc.RpcError as problem:
            cut = problem.code() is grpc.StatusCode.UNAVAILABLE
            if not cut or tries == _TRIES - 1:
                raise refused(problem, caller.where) from None
            time.sleep(1.0)
    raise AssertionError("the last try answers or raises")


def _parts(package: Package, offset: int) -> Iterator[submission_pb2.UploadRequest]:
    header = submission_pb2.UploadHeader(
        bot=package.manifest.name,
        sha256=package.sha256,
        size=len(package.data),
        manifest=package.manifest_bytes,
        offset=offset,
    )
    yield submission_pb2.UploadRequest(header=header)
    for at in range(offset, len(package.data), _CHUNK):
        yield submission_pb2.UploadRequest(chunk=package.data[at : at + _CHUNK])
