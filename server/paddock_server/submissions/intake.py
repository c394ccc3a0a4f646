"""The intake: which uploads are taken, how much of each is here, and the submission they become."""

import asyncio
import hashlib
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple

from paddock_server.basics.errors import ServerError
from paddock_server.basics.identity import new_match_id, stamp, stamp_of
from paddock_server.basics.wording import counted
from paddock_server.packing.manifest import Manifest, read_manifest
from paddock_server.store import owners, store, submissions
from paddock_server.store.connection import Connection
from paddock_server.store.database import Database
from paddock_server.store.rows import BotRow
from paddock_server.store.submissions import SubmissionRow
from paddock_server.submissions.blobs import Blobs
from paddock_server.submissions.settings import SubmissionSettings

_MB: Final = 1024 * 1024


class NotTaken(ServerError):
    """Raised when something is not handed in so; the sentence says what to do."""


class Announced(NamedTuple):
    """An upload as its header says it."""

    bot: str
    sha256: str
    size: int
    manifest: bytes


class Sender(NamedTuple):
    """The sender of an upload: a bot, or an owner with a bot that is not there yet."""

    owner: str
    place: str  # of what arrived so far: one for each sender, so that nobody fills the disk


class Upload(NamedTuple):
    """An upload that is under way."""

    announced: Announced
    sender: Sender
    manifest: Manifest
    turn: object  # the newest upload of the same sender is the one that may write


class Intake:
    """The intake of a server: it checks what is announced, and stores what arrives."""

    def __init__(self, database: Database, blobs: Blobs, settings: SubmissionSettings) -> None:
        self._database = database
        self._blobs = blobs
        self._settings = settings
        self._turns: dict[str, object] = {}  # by the place of a sender
        self._finishing = asyncio.Lock()  # nobody removes a blob that another upload just brought
        self.on_received: Callable[[SubmissionRow], None] = lambda _: None

    def check(self, announced: Announced) -> Manifest:
        """The manifest of an upload; raises NotTaken, BadManifest or BadBlob for a wrong header."""
        if not self._settings.enabled:
            raise NotTaken(
                "this server takes no submissions; connect the bot to it, or ask the organiser to "
                "set enabled in [submissions]",
                "submission/disabled",
            )
        most = self._settings.archive_mb
        if not 0 < announced.size <= most * _MB:
            raise NotTaken(
                f"the archive has {announced.size} bytes; it may have 1 byte to {most} MB",
                "submission/too_large",
            )
        manifest = read_manifest(announced.manifest)
        if manifest.name != announced.bot:
            raise NotTaken(
                f"paddock-bot.toml names {manifest.name}, not {announced.bot}; change one of them",
                "submission/other_bot",
            )
        return manifest

    async def known(self, bot: str, sha256: str) -> SubmissionRow | None:
        """The submission of an archive that was handed in before."""
        return await self._database.read(submissions.find_archive, bot, sha256)

    async def held(self, sender: Sender, sha256: str) -> int:
        """How many bytes of an upload are here."""
        return await asyncio.to_thread(self._blobs.held, sender.place, sha256)

    async def begin(self, announced: Announced, sender: Sender, offset: int) -> Upload:
        """Begin or go on with an upload; raises NotTaken where a quota is used up."""
        manifest = self.check(announced)
        await self._database.read(self._check_quota, announced, sender.owner, manifest)
        held = await self.held(sender, announced.sha256)
        if offset > held:
            raise NotTaken(
                f"{held} bytes are here, and the upload goes on from {offset}; ask how many there "
                "are, and go on from there",
                "submission/wrong_offset",
            )
        turn = self._turns[sender.place] = object()
        await asyncio.to_thread(self._blobs.begin, sender.place, announced.sha256, offset)
        return Upload(announced, sender, manifest, turn)

    async def append(self, upload: Upload, data: bytes, so_far: int) -> None:
        """Store the next bytes, of which `so_far` are here already."""
        sha256, size = upload.announced.sha256, upload.announced.size
        if so_far + len(data) > size:
            raise NotTaken(
                f"more than the {size} bytes arrived that were announced", "submission/bad_archive"
            )
        self._expect_turn(upload)
        await asyncio.to_thread(self._blobs.append, upload.sender.place, sha256, data)

    def _expect_turn(self, upload: Upload) -> None:
        if self._turns.get(upload.sender.place) is not upload.turn:
            raise NotTaken(
                "another upload of this bot, or of another new bot of its owner, began; "
                "one at a time",
                "submission/wrong_offset",
            )

    async def finish(self, upload: Upload, new_bot: BotRow | None = None) -> SubmissionRow:
        """The submission that a complete upload becomes, stored before anybody hears of it.

        A bot that is not there yet is added with it, so that no refusal leaves one behind.
        """
        self._expect_turn(upload)
        announced, (owner, place), manifest, _ = upload
        bot, sha256, size, told = announced
        held = await self.held(upload.sender, sha256)
        if held < size:  # what is here stays: a connection that broke looks like an early end
            raise NotTaken(
                f"{held} of {size} bytes arrived; go on from there", "submission/bad_archive"
            )
        now = stamp()
        row = SubmissionRow(
            id=new_match_id(),
            bot=bot,
            owner=owner,
            version=manifest.version,
            language=manifest.language,
            formats=manifest.formats,
            manifest=told,
            archive=sha256,
            archive_bytes=size,
            state="received",
            received=now,
            changed=now,
        )

        def add(connection: Connection) -> tuple[SubmissionRow, list[str]]:
            before = submissions.find_archive(connection, bot, sha256)
            if before is not None and before.kept:
                return before, []
            self._check_quota(connection, announced, owner, manifest)  # others came meanwhile
            if new_bot is not None:
                _add_bot(connection, new_bot)
            submissions.add_submission(connection, row)
            return row, submissions.let_go(connection, bot, self._settings.versions_kept)

        async with self._finishing:
            await asyncio.to_thread(self._blobs.finish, place, sha256, size)
            self._turns.pop(place, None)
            try:
                stored, spare = await self._database.writer.write(add)
            except NotTaken:
                if not await self._database.read(submissions.is_needed, sha256):
                    await asyncio.to_thread(self._blobs.remove, sha256)
                raise
            for blob in spare:
                await asyncio.to_thread(self._blobs.remove, blob)
        self.on_received(stored)
        return stored

    def _check_quota(
        self, connection: Connection, announced: Announced, owner: str, manifest: Manifest
    ) -> None:
        bot, most = announced.bot, self._settings
        if submissions.find_version(connection, bot, manifest.version) is not None or (
            submissions.has_played(connection, bot, manifest.version)
        ):
            raise NotTaken(
                f"{bot} had a version {manifest.version} before; raise version in paddock-bot.toml",
                "submission/version_exists",
            )
        hour_ago = stamp_of(datetime.now(UTC) - timedelta(hours=1))
        count, first = submissions.count_since(connection, bot, hour_ago)
        if count >= most.uploads_per_hour:
            again = stamp_of(datetime.fromisoformat(first) + timedelta(hours=1))
            uploads = counted(most.uploads_per_hour, "upload", "uploads")
            raise NotTaken(
                f"{bot} had {uploads} within an hour, the most; the next may come at {again}",
                "submission/quota",
            )
        if submissions.count_waiting(connection, owner) >= most.waiting_per_owner:
            waiting = counted(most.waiting_per_owner, "submission", "submissions")
            raise NotTaken(
                f"{waiting} of {owner} wait to be built and checked, the most; wait for the result",
                "submission/quota",
            )
        kept = owners.holding_of(connection, owner).archive_bytes
        if kept + announced.size > most.owner_mb * _MB:
            raise NotTaken(
                f"the archives of {owner} would have more than {most.owner_mb} MB; make them "
                "smaller, or ask the organiser",
                "submission/quota",
            )


def sender_of(bot: str, owner: str, *, known: bool) -> Sender:
    """Who sends an upload for a bot, which is there already or not."""
    # No bot has such a name, and no owner's name is the name of a file.
    place = bot if known else f"_{hashlib.sha256(owner.encode()).hexdigest()[:32]}"
    return Sender(owner, place)


def expect_room(connection: Connection, owner: str) -> None:
    """Raise NotTaken where an owner may have no more bots."""
    found = owners.find_owner(connection, owner)
    most = 0 if found is None else found.most_bots
    bots = owners.holding_of(connection, owner).bots
    if len(bots) >= most:
        raise NotTaken(
            f"{owner} may have {most} and has {', '.join(bots) or 'none'}; hand in a new version "
            "of one of them, or ask the organiser",
            "owner/too_many_bots",
        )


def _add_bot(connection: Connection, bot: BotRow) -> None:
    expect_room(connection, bot.owner)
    if not store.add_bot(connection, bot):
        taken = store.find_alike(connection, bot.name) or bot.name
        raise NotTaken(
            f"{bot.name} is taken, or looks like {taken}; choose another name", "bot/exists"
        )
