"""SubmissionService: bots are handed in, and their owners see how that goes."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from typing import Any, Final

from paddock.v1 import submission_pb2, submission_pb2_grpc
from paddock_server.api.access import Access, TokenHolder, bad_name
from paddock_server.api.in_time import in_time
from paddock_server.api.refusal import Refusal
from paddock_server.basics.identity import hash_token, new_token, stamp
from paddock_server.basics.name import is_guest
from paddock_server.store import store, submissions
from paddock_server.store.database import Database
from paddock_server.store.rows import BotRow
from paddock_server.store.submissions import ACCEPTED, WAITING, SubmissionRow
from paddock_server.submissions.blobs import Blobs
from paddock_server.submissions.intake import Announced, Intake, expect_room, sender_of
from paddock_server.submissions.intake import Upload as UnderWay
from paddock_server.submissions.workshop import STAGES, Workshop

_PAGE: Final = 100
_CHUNK_MOST: Final = 256 * 1024
_STAGE_NUMBERS: Final[Mapping[str, Any]] = {name: number for number, name in STAGES.items()}


class Submissions(submission_pb2_grpc.SubmissionServiceServicer):
    """SubmissionService, for bots, their owners and the organiser."""

    def __init__(
        self,
        database: Database,
        access: Access,
        intake: Intake,
        workshop: Workshop,
        blobs: Blobs,
    ) -> None:
        self._database = database
        self._access = access
        self._intake = intake
        self._workshop = workshop
        self._blobs = blobs
        self._changed: dict[str, set[asyncio.Event]] = {}  # by submission: who follows it
        workshop.on_change.append(self._on_change)

    # --- handing in -------------------------------------------------------------------------

    async def Upload(
        self, requests: AsyncIterator[submission_pb2.UploadRequest], context: Any
    ) -> submission_pb2.UploadResponse:
        """A new submission, or the one of an archive that was handed in before."""
        holder = await self._access.holder(context)
        parts = in_time(requests)
        first = await anext(parts, None)
        if first is None or first.WhichOneof("part") != "header":
            raise Refusal("hello/missing", "the first message has no header; send it first")
        header = first.header
        announced = Announced(header.bot, header.sha256, header.size, header.manifest)
        self._intake.check(announced)
        bot, token = await self._bot(holder, header.bot)
        known = await self._intake.known(bot.name, header.sha256)
        if known is not None and known.kept:
            return submission_pb2.UploadResponse(submission=self._message(known), known_before=True)
        sender = sender_of(bot.name, bot.owner, known=not token)
        upload = await self._intake.begin(announced, sender, header.offset)
        await self._receive(upload, header.offset, parts)
        # With its first submission, or not at all: its token is in this answer alone.
        row = await self._intake.finish(upload, new_bot=bot if token else None)
        return submission_pb2.UploadResponse(submission=self._message(row), bot_token=token)

    async def _receive(
        self,
        upload: UnderWay,
        so_far: int,
        requests: AsyncIterator[submission_pb2.UploadRequest],
    ) -> None:
        async for request in requests:
            if request.WhichOneof("part") != "chunk" or len(request.chunk) > _CHUNK_MOST:
                raise Refusal("frame/too_large", "send chunks of at most 256 KB behind the header")
            await self._intake.append(upload, request.chunk, so_far)
            so_far += len(request.chunk)

    async def _bot(self, holder: TokenHolder, name: str) -> tuple[BotRow, str]:
        """The bot that something is handed in for, and its token if an owner is about to add it."""
        if not is_guest(name):
            raise bad_name(name)
        row = await self._database.read(store.find_bot, name)
        if row is not None:
            if not holder.may_see(row.name, row.owner):
                raise Refusal("auth/other_bot", f"{name} is not a bot of this token's holder")
            return row, ""
        if holder.bot is not None:
            raise Refusal("auth/other_bot", f"the token is of {holder.bot.name}, not of {name}")
        if holder.owner is None:
            raise Refusal("bot/unknown", f"there is no bot {name}; add it with: paddock bot add")
        await self._database.read(expect_room, holder.owner.name)
        new = new_token()
        return BotRow(name, holder.owner.name, hash_token(new), stamp()), new

    async def GetUpload(
        self, request: submission_pb2.GetUploadRequest, context: Any
    ) -> submission_pb2.GetUploadResponse:
        """How much of an upload is here."""
        holder = await self._access.holder(context)
        row = await self._database.read(store.find_bot, request.bot)
        if row is not None and not holder.may_see(row.name, row.owner):
            raise Refusal("auth/other_bot", f"{row.name} is not a bot of this token's holder")
        if row is None and (holder.bot is not None or not is_guest(request.bot)):
            return submission_pb2.GetUploadResponse()  # an owner adds it with its first upload
        known = await self._intake.known(request.bot, request.sha256)
        if known is not None and known.kept:
            return submission_pb2.GetUploadResponse(
                held=known.archive_bytes, submission=self._message(known)
            )
        owner = row.owner if row is not None else holder.owner.name if holder.owner else ""
        sender = sender_of(request.bot, owner, known=row is not None)
        held = await self._intake.held(sender, request.sha256)
        return submission_pb2.GetUploadResponse(held=held)

    # --- looking ----------------------------------------------------------------------------

    async def ListSubmissions(
        self, request: submission_pb2.ListSubmissionsRequest, context: Any
    ) -> submission_pb2.ListSubmissionsResponse:
        """A page of submissions that the token may see, the newest first."""
        holder = await self._access.holder(context)
        bot = holder.bot.name if holder.bot is not None else request.bot
        if request.bot not in ("", bot):
            raise Refusal("auth/other_bot", f"the token is of {bot}, not of {request.bot[:40]}")
        owner = holder.owner.name if holder.owner is not None else ""
        size = min(request.page_size or _PAGE, _PAGE)
        rows = await self._database.read(
            lambda connection: submissions.list_submissions(
                connection, request.page_token, size + 1, bot=bot, owner=owner
            )
        )
        return submission_pb2.ListSubmissionsResponse(
            submissions=[self._message(row) for row in rows[:size]],
            next_page_token=rows[size - 1].id if len(rows) > size else "",
        )

    async def GetSubmission(
        self, request: submission_pb2.GetSubmissionRequest, context: Any
    ) -> submission_pb2.GetSubmissionResponse:
        """One submission."""
        row = await self._find(request.id, context)
        return submission_pb2.GetSubmissionResponse(submission=self._message(row))

    async def ReadLog(
        self, request: submission_pb2.ReadLogRequest, context: Any
    ) -> AsyncIterator[submission_pb2.ReadLogResponse]:
        """States and logs as they come."""
        row = await self._find(request.id, context)
        changed = asyncio.Event()
        followers = self._changed.setdefault(row.id, set())
        followers.add(changed)
        told: dict[str, int] = {}  # characters by stage
        state = ""
        try:
            while True:
                changed.clear()
                now = await self._database.read(submissions.find_submission, row.id)
                row = now or row
                for log in await self._database.read(submissions.logs_of, row.id):
                    text = log.text[max(0, told.get(log.stage, 0) - log.dropped) :]
                    told[log.stage] = log.dropped + len(log.text)
                    if text:
                        yield submission_pb2.ReadLogResponse(
                            text=submission_pb2.LogText(stage=_STAGE_NUMBERS[log.stage], text=text)
                        )
                if row.state + row.sentence != state:
                    state = row.state + row.sentence
                    yield submission_pb2.ReadLogResponse(submission=self._message(row))
                if not request.follow or row.state not in WAITING:
                    return
                await changed.wait()
        finally:
            followers.discard(changed)
            if not followers:
                self._changed.pop(row.id, None)

    def _on_change(self, submission: str) -> None:
        for event in self._changed.get(submission, ()):
            event.set()

    async def FetchArchive(
        self, request: submission_pb2.FetchArchiveRequest, context: Any
    ) -> AsyncIterator[submission_pb2.FetchArchiveResponse]:
        """The archive in chunks."""
        row = await self._find(request.id, context)
        if not row.kept or not await asyncio.to_thread(self._blobs.has, row.archive):
            raise Refusal("submission/gone", f"the archive of {row.version} is not kept any more")
        chunks = self._blobs.read(row.archive)
        while chunk := await asyncio.to_thread(next, chunks, b""):
            yield submission_pb2.FetchArchiveResponse(chunk=chunk)

    # --- changing ---------------------------------------------------------------------------

    async def ActivateVersion(
        self, request: submission_pb2.ActivateVersionRequest, context: Any
    ) -> submission_pb2.ActivateVersionResponse:
        """Go back to an accepted version, or forward again."""
        bot, version = request.bot, request.version
        holder = await self._access.holder(context)
        row = await self._database.read(
            lambda connection: submissions.find_version(connection, bot, version, rejected=True)
        )
        if row is None or not holder.may_see(row.bot, row.owner):
            raise Refusal(
                "submission/unknown",
                f"{bot[:40]} has no version {version[:40]!r}; see: paddock submission list",
            )
        if row.state not in ACCEPTED or not row.kept:
            why = f"it is {row.state}" if row.kept else "its archive is not kept any more"
            raise Refusal("submission/not_accepted", f"version {version} can't play: {why}")
        await self._workshop.activate(row)
        row = await self._found(row.id)
        return submission_pb2.ActivateVersionResponse(submission=self._message(row))

    async def RetrySubmission(
        self, request: submission_pb2.RetrySubmissionRequest, context: Any
    ) -> submission_pb2.RetrySubmissionResponse:
        """Build and check a stuck or rejected submission again."""
        self._access.organiser(context)
        row = await self._found(request.id)
        if row.state not in ("stuck", "rejected") or not row.kept:
            raise Refusal("submission/not_stuck", f"submission {row.id} is {row.state}")
        await self._workshop.retry(row)
        row = await self._found(request.id)
        return submission_pb2.RetrySubmissionResponse(submission=self._message(row))

    async def _find(self, submission: str, context: Any) -> SubmissionRow:
        """A submission of the holder of the token; others can't even tell whether it is there."""
        holder = await self._access.holder(context)
        row = await self._database.read(submissions.find_submission, submission)
        if row is None or not holder.may_see(row.bot, row.owner):
            raise _unknown(submission)
        return row

    async def _found(self, submission: str) -> SubmissionRow:
        row = await self._database.read(submissions.find_submission, submission)
        if row is None:
            raise _unknown(submission)
        return row

    def _message(self, row: SubmissionRow) -> submission_pb2.Submission:
        message = submission_pb2.Submission(
            id=row.id,
            bot=row.bot,
            owner=row.owner,
            version=row.version,
            language=row.language,
            formats=row.formats,
            state=submission_pb2.SubmissionState.Value(f"SUBMISSION_STATE_{row.state.upper()}"),
            reason=row.reason,
            sentence=row.sentence,
            received=row.received,
            changed=row.changed,
            archive_sha256=row.archive,
            archive_bytes=row.archive_bytes,
            attempts=row.attempts,
            before=self._workshop.before(row.id),
        )
        if row.certificate:
            message.certificate.ParseFromString(row.certificate)
        return message


def _unknown(submission: str) -> Refusal:
    return Refusal(
        "submission/unknown",
        f"there is no submission {submission[:40]!r} of yours; see: paddock submission list",
    )
