"""A bot without the SDK: one stream in bytes, all that comes over it kept, all said by hand."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from random import Random
from typing import Any, NamedTuple, TypeAlias

import grpc
import grpc.aio

from paddock.v1 import arena_pb2
from paddock_games import FORMATS
from paddock_games.chance import digest_of
from tests.server.process import GUARD_S

PLAY = "/paddock.v1.ArenaService/Play"
Answer: TypeAlias = Callable[[arena_pb2.Ask], Sequence[arena_pb2.BotItem]]


# The status of every reason, as the comments of the .proto files promise it.
_REASONS = {
    grpc.StatusCode.UNAUTHENTICATED: "auth/bad_token auth/missing_token",
    grpc.StatusCode.PERMISSION_DENIED: "auth/other_bot auth/organiser_only",
    grpc.StatusCode.INVALID_ARGUMENT: "hello/missing hello/repeated format/unknown rules/unknown "
    "seats/wrong frame/malformed bot/bad_name page/bad_token",
    grpc.StatusCode.FAILED_PRECONDITION: "protocol/too_old protocol/too_new",
    grpc.StatusCode.RESOURCE_EXHAUSTED: "auth/too_many_guesses bot/too_many_versions "
    "session/too_many session/too_soon frame/too_large frame/flood reader/too_slow "
    "watch/too_many visit/too_many",
    grpc.StatusCode.ABORTED: "session/replaced session/removed",
    grpc.StatusCode.UNAVAILABLE: "server/draining",
    grpc.StatusCode.NOT_FOUND: "bot/unknown match/unknown",
    grpc.StatusCode.ALREADY_EXISTS: "bot/exists",
}
STATUS = {reason: code for code, reasons in _REASONS.items() for reason in reasons.split()}


class Ending(NamedTuple):
    """How a call ended."""

    code: grpc.StatusCode
    reason: str  # of the metadata
    details: str

    @classmethod
    def of(cls, error: grpc.aio.AioRpcError) -> "Ending":
        """How a call ended that failed."""
        metadata: Any = error.trailing_metadata()
        return cls(error.code(), dict(metadata).get("paddock-reason", ""), error.details() or "")

    def must_be(self, reason: str) -> None:
        """Check that this is a refusal for this reason, with its status and a sentence."""
        assert (self.reason, self.code) == (reason, STATUS[reason]), self
        word, _, sentence = self.details.partition(": ")
        assert word == reason
        assert len(sentence) > 10


class Raw:
    """One stream: says what it is told to, and keeps what it hears, frame by frame."""

    def __init__(self, channel: grpc.aio.Channel, token: str | None = None) -> None:
        metadata = (("authorization", f"Bearer {token}"),) if token else ()
        play: Any = channel.stream_stream(PLAY)  # bytes both ways
        self.call: Any = play(metadata=metadata)
        self.frames: list[bytes] = []
        self.heard: list[arena_pb2.RefereeItem] = []
        self._news = asyncio.Condition()
        self._writing = asyncio.Lock()
        self._reader: asyncio.Task[None] | None = None

    def listen(self) -> None:
        """Begin to read, in a task: a read that is given up would end the stream."""
        self._reader = asyncio.create_task(self._read())

    async def _read(self) -> None:
        try:
            while (frame := await self.call.read()) is not grpc.aio.EOF:
                items = arena_pb2.PlayResponse.FromString(frame).items
                self.frames.append(frame)
                for item in items:
                    self.heard.append(item)
                    self.take(item)
                await self._tell()
        except (grpc.aio.AioRpcError, asyncio.InvalidStateError):
            pass
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is None or task.cancelling():
                raise  # else it was the call that was cancelled, not its reader
        await self._tell()

    async def _tell(self) -> None:
        async with self._news:
            self._news.notify_all()

    def take(self, item: arena_pb2.RefereeItem) -> None:
        """Something was heard."""

    async def write(self, frame: bytes) -> None:
        """Send a frame, if the stream still takes one."""
        try:
            async with self._writing:  # a stream takes one write at a time
                await self.call.write(frame)
        except (grpc.aio.AioRpcError, asyncio.InvalidStateError, asyncio.CancelledError):
            task = asyncio.current_task()
            if task is not None and task.cancelling():
                raise

    async def say(self, *items: arena_pb2.BotItem) -> None:
        """Send these in one frame."""
        await self.write(arena_pb2.PlayRequest(items=items).SerializeToString())

    def of(self, kind: str) -> list[Any]:
        """All items of this kind that were heard so far."""
        return [getattr(item, kind) for item in self.heard if item.WhichOneof("item") == kind]

    async def until(self, there: Callable[[], Any]) -> Any:
        """What the function returns, as soon as that is something."""
        async with asyncio.timeout(GUARD_S), self._news:
            while not (found := there()):
                assert self._reader is not None
                assert not self._reader.done(), f"the stream ended: {await self.ended()}"
                await self._news.wait()
            return found

    async def next(self, kind: str, number: int = 0) -> Any:
        """The item of this kind with this number, from 0, as soon as it was heard."""
        return (await self.until(lambda: self.of(kind)[number:]))[0]

    async def ended(self) -> Ending:
        """How the stream ended, at its end."""
        async with asyncio.timeout(GUARD_S):
            if self._reader is not None:
                await asyncio.wait([self._reader])
            code = await self.call.code()
            metadata = dict(await self.call.trailing_metadata() or ())
            details = await self.call.details()
            return Ending(code, metadata.get("paddock-reason", ""), details)

    async def close(self) -> None:
        """Drop the stream as it is; grpc has nothing left to tell of it to a loop that is gone."""
        self.call.cancel()
        if self._reader is not None:
            await asyncio.wait([self._reader])
        await self.call.code()


def hello(name: str, **more: Any) -> arena_pb2.BotItem:
    """A Hello that any server takes, unless told otherwise."""
    said = {"protocol": 1, "formats": list(FORMATS), "max_matches": 64, "client": "raw", **more}
    return arena_pb2.BotItem(hello=arena_pb2.Hello(bot=name, **said))


def number(ask_id: int, chosen: int) -> arena_pb2.BotItem:
    """An answer by number."""
    return arena_pb2.BotItem(choice=arena_pb2.Choice(ask_id=ask_id, number=chosen))


def typed(ask_id: int, chosen: arena_pb2.GameChoice) -> arena_pb2.BotItem:
    """An answer by choice."""
    return arena_pb2.BotItem(choice=arena_pb2.Choice(ask_id=ask_id, choice=chosen))


class Bot(Raw):
    """A bot that does all that is expected of it at once, and answers as it was told to."""

    def __init__(
        self,
        channel: grpc.aio.Channel,
        name: str,
        answer: Answer | None = None,
        token: str | None = None,
        **said: Any,
    ) -> None:
        super().__init__(channel, token)
        self.name = name
        self.answer = answer or anything(name)
        self.said = said
        self.nonces: dict[str, bytes] = {}  # by match
        self.opens = True  # whether it opens a nonce that it committed to
        self._rng = Random(name)
        self._to_say: asyncio.Queue[arena_pb2.BotItem] = asyncio.Queue()
        self._writer: asyncio.Task[None] | None = None

    async def enter(self) -> arena_pb2.Welcome:
        """Say Hello, and begin to play."""
        await self.say(hello(self.name, **self.said))
        self.listen()
        self._writer = asyncio.create_task(self._write())
        welcome: arena_pb2.Welcome = await self.next("welcome")
        return welcome

    def take(self, item: arena_pb2.RefereeItem) -> None:
        """Answer as a bot must."""
        kind = item.WhichOneof("item")
        if kind == "ping":
            self.put(arena_pb2.BotItem(pong=arena_pb2.Pong(id=item.ping.id)))
        elif kind == "match_started" and self.said.get("commits_nonces"):
            match = item.match_started.match_id
            digest = digest_of(self.nonces.setdefault(match, self._rng.randbytes(16)))
            said = arena_pb2.NonceCommitment(match_id=match, digest=digest)
            self.put(arena_pb2.BotItem(nonce_commitment=said))
        elif kind == "nonce_commitments" and self.opens and self.said.get("commits_nonces"):
            self.open_nonce(item.nonce_commitments.match_id)
        elif kind == "match_started" and self.said.get("sends_nonces"):
            match = item.match_started.match_id
            self.nonces.setdefault(match, self._rng.randbytes(16))
            self.open_nonce(match)
        elif kind == "ask":
            self.put(*self.answer(item.ask))

    def open_nonce(self, match: str) -> None:
        """Send the nonce of this match."""
        nonce = arena_pb2.Nonce(match_id=match, nonce=self.nonces[match])
        self.put(arena_pb2.BotItem(nonce=nonce))

    def put(self, *items: arena_pb2.BotItem) -> None:
        """Say these as soon as what was said before is gone."""
        for item in items:
            self._to_say.put_nowait(item)

    async def _write(self) -> None:
        while True:
            items = [await self._to_say.get()]
            while not self._to_say.empty() and len(items) < 100:
                items.append(self._to_say.get_nowait())
            await self.say(*items)

    async def close(self) -> None:
        """Say nothing any more, either."""
        if self._writer is not None:
            self._writer.cancel()
            await asyncio.wait([self._writer])
        await super().close()


def anything(seed: object) -> Answer:
    """Any legal choice, by its number or as it is."""
    rng = Random(str(seed))

    def answer(ask: arena_pb2.Ask) -> Sequence[arena_pb2.BotItem]:
        chosen = rng.randrange(len(ask.choices))
        if rng.random() < 0.5:
            return [number(ask.ask_id, chosen)]
        return [typed(ask.ask_id, ask.choices[chosen])]

    return answer


def nothing(_ask: arena_pb2.Ask) -> Sequence[arena_pb2.BotItem]:
    """No answer at all."""
    return []


@asynccontextmanager
async def connected(address: str, *options: tuple[str, int]) -> AsyncIterator[grpc.aio.Channel]:
    """A connection of its own: channels to one address otherwise share one."""
    own = (("grpc.use_local_subchannel_pool", 1), *options)
    async with grpc.aio.insecure_channel(address, options=own) as channel:
        yield channel


@asynccontextmanager
async def bots(
    address: str, names: Iterable[str], answer: Answer | None = None, **said: Any
) -> AsyncIterator[list[Bot]]:
    """Good bots with these names, connected."""
    async with connected(address) as channel:
        made = [Bot(channel, name, answer, **said) for name in names]
        try:
            for bot in made:
                await bot.enter()
            yield made
        finally:
            for bot in made:
                await bot.close()
