"""Submissions as words: where one stands, and its log while it is built and checked."""

from typing import Any, Final

import click

from paddock.v1 import submission_pb2
from paddock_server.basics.wording import counted
from paddock_server.cli.remote import Caller
from paddock_server.cli.terminal import clean_lines

_WORDS: Final = {
    "received": "waits for a runner",
    "building": "is being built",
    "checking": "is being checked",
    "active": "was accepted: it plays",
    "rejected": "was rejected",
    "retired": "was accepted; another version plays",
    "stuck": "is stuck, not by its own fault; the organiser has to look",
}


def state_of(submission: Any) -> str:
    """The state of a submission as one word."""
    name: str = submission_pb2.SubmissionState.Name(submission.state)
    return name.removeprefix("SUBMISSION_STATE_").lower()


def told(submission: Any) -> str:
    """Where a submission stands, in a sentence."""
    state = state_of(submission)
    words = f"version {submission.version} of {submission.bot} {_WORDS.get(state, state)}"
    if submission.before:
        words += f", {counted(submission.before, 'submission', 'submissions')} before it"
    if submission.sentence:
        words += f": {submission.sentence}"
    return clean_lines(words).replace("\n", "\n    ")  # as a compiler said it


def follow(caller: Caller, stub: Any, submission: str, *, wait: bool = True) -> Any:
    """Print the log and the states of a submission until it is decided; the last state."""
    last = submission_pb2.Submission()
    request = submission_pb2.ReadLogRequest(id=submission, follow=wait)
    for part in caller.stream(stub.ReadLog, request):
        if part.WhichOneof("part") == "text":
            click.echo(clean_lines(part.text.text))
        else:
            last = part.submission
            click.echo(told(last))
    return last
