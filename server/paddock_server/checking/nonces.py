"""The point of nonces in two steps: a digest first, the nonce when all digests are known."""

import hashlib
from typing import Final

from paddock.v1 import arena_pb2
from paddock_games.chance import NO_NONCE
from paddock_server.checking.points import attentive, settled
from paddock_server.checking.report import Failed, NotUsed
from paddock_server.checking.returning import returned
from paddock_server.checking.scripted_table import ScriptedTable
from paddock_server.checking.stage import Stage
from paddock_server.checking.stream import Stream
from paddock_server.checking.subject import Subject
from paddock_server.referee.clock import Clock

_DIGEST_BYTES: Final = 32
_QUIET_SECONDS: Final = 0.2  # in which a nonce would come that must not
_NO_DIGEST: Final = hashlib.sha256(NO_NONCE).digest()
_OTHER: Final = hashlib.sha256(b"somebody else's").digest()


async def two_steps(bot: Subject) -> str:
    """The bot commits to its nonce, shows it when all are bound, and repeats both alike."""
    if not bot.hello.commits_nonces:
        raise NotUsed("its Hello does not say commits_nonces")
    stream = bot.stream
    other = ScriptedTable(bot.stage, bot.played[0], Clock())
    await committed(bot.stage, stream, other)
    stream.say(commitments(other, _OTHER))
    await _kept(stream, other.match.id, "NonceCommitments without its digest")
    other.deal(stream)
    await other.play_on(stream)

    table = ScriptedTable(bot.stage, bot.played[0], Clock())
    match_id = table.match.id
    digest = await committed(bot.stage, stream, table)
    stream, _ = await returned(bot)
    if await committed(bot.stage, stream, table) != digest:
        raise Failed("it sent another digest when MatchStarted was repeated; repeat the first one")
    stream.say(table.started())
    await _kept(stream, match_id, "a MatchStarted without commit_nonces; its digest binds it")
    stream.say(commitments(table, digest))
    await shown(bot.stage, stream, match_id, digest)
    stream, _ = await returned(bot)
    stream.say(_started(table), commitments(table, digest, _OTHER))
    await _kept(stream, match_id, "other digests of the other seats than before; keep it then")
    stream.say(commitments(table, digest))
    await shown(bot.stage, stream, match_id, digest)
    await table.take_nonce(stream)
    table.deal(stream)
    await table.play_on(stream)
    await settled(bot)
    return "it sent its digest, then its nonce, and the same again when it came back"


async def committed(stage: Stage, stream: Stream, table: ScriptedTable) -> bytes:
    """The digest that the bot sends for a match that begins, or is sent again."""
    stream.say(_started(table))
    wait, match_id = Clock().nonce_wait, table.match.id
    if not await stage.nonce_in_time(stream, lambda: match_id in stream.digests, wait):
        raise Failed(
            f"its Hello says commits_nonces, but no NonceCommitment came within {wait:g} s"
        )
    digest = stream.digests[match_id]
    if len(digest) != _DIGEST_BYTES:
        raise Failed(f"its digest has {len(digest)} bytes; send the {_DIGEST_BYTES} of SHA-256")
    await _kept(stream, match_id, "MatchStarted; send only the digest before NonceCommitments")
    return digest


async def _kept(stream: Stream, match_id: str, told: str) -> None:
    """Wait until the bot has heard what must not open its nonce; raises Failed where it does."""
    await attentive(stream)
    await stream.quiet(_QUIET_SECONDS)
    if match_id in stream.nonces:
        raise Failed(f"it showed its nonce after {told}")


async def shown(stage: Stage, stream: Stream, match_id: str, digest: bytes) -> None:
    """Wait for the nonce that belongs to the digest."""
    wait = Clock().nonce_wait
    if not await stage.nonce_in_time(stream, lambda: match_id in stream.nonces, wait):
        raise Failed(f"it did not send its nonce within {wait:g} s after NonceCommitments")
    if hashlib.sha256(stream.nonces[match_id]).digest() != digest:
        raise Failed("the SHA-256 of its nonce is not the digest that it sent before")


def _started(table: ScriptedTable) -> bytes:
    message = arena_pb2.PlayResponse.FromString(table.started())
    message.items[0].match_started.commit_nonces = True
    return message.SerializeToString()


def commitments(table: ScriptedTable, digest: bytes, others: bytes = _NO_DIGEST) -> bytes:
    """NonceCommitments with this digest for the bot; the house bots send no nonces."""
    digests = [others] * len(table.match.seats)
    digests[table.seat] = digest
    message = arena_pb2.NonceCommitments(match_id=table.match.id, digests=digests)
    item = arena_pb2.RefereeItem(nonce_commitments=message)
    return arena_pb2.PlayResponse(items=[item]).SerializeToString()
