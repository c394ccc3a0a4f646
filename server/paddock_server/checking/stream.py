"""A stream of the bot: one call of Play, with what the bot sent and what the script sends."""

import asyncio
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from google.protobuf.message import DecodeError

from paddock.v1 import arena_pb2
from paddock_server.api.refusal import REASON, code_of
from paddock_server.calls.call import END, CallOver
from paddock_server.checking.exchange import Exchange
from paddock_server.checking.fair_time import FairTime
from paddock_server.checking.newer import as_newer
from paddock_server.checking.report import Failed, Gone
from paddock_server.lobby.limits import Limits
from paddock_server.referee.clock import Moment

_FAREWELL_SECONDS: Final = 5.0  # for what waits to leave before a stream ends
_MOST_BYTES: Final = Limits().frame_bytes


class Answer(NamedTuple):
    """A legal answer of the bot, and the moment when it came."""

    choice: Any
    at: Moment


class Stream:
    """A call of Play: it sorts the items of the bot, and wakes the script at each of them."""

    def __init__(
        self,
        exchange: Exchange,
        time: FairTime,
        judge: Callable[[arena_pb2.Choice], Any],
        port: int = 0,
    ) -> None:
        self.port: Final = port  # from which the script was called
        self.hello: arena_pb2.Hello | None = None
        self.answers: dict[int, list[Answer]] = {}  # by ask
        self.pongs: list[int] = []
        self.nonces: dict[str, bytes] = {}  # by match, the first of each
        self.digests: dict[str, bytes] = {}  # of nonces, by match, the first of each
        self.resigned: set[str] = set()
        self.newer = False  # whether frames look like those of a newer server
        self.began = time.now()
        self._exchange = exchange
        self._time = time
        self._judge = judge
        self._wrong = ""  # the first mistake
        self._over = asyncio.Event()
        self._news = asyncio.Event()
        self._frames: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._status: tuple[str, str] | None = None

    # --- the script's side ------------------------------------------------------------------

    def say(self, *items: bytes) -> None:
        """Send items in one frame."""
        frame = b"".join(items)
        self._frames.put_nowait(as_newer(frame) if self.newer else frame)

    def end(self, reason: str, sentence: str) -> None:
        """End the stream with a reason, after the waiting items."""
        self._status = (reason, sentence)
        self._frames.put_nowait(None)
        self._over.set()

    async def until(self, ready: Callable[[], bool], seconds: float) -> bool:
        """Whether a condition comes true in time; raises Failed where the bot makes a mistake.

        The time is fair: what this program is late, and what the machine keeps from the bot, does
        not count.
        """
        began = self._time.now()
        in_time = await self._wait(ready, lambda: self._time.left(began, seconds))
        if in_time:
            self._time.came(began, seconds)
        return in_time

    async def quiet(self, seconds: float) -> None:
        """Wait a while; raises Failed where the bot makes a mistake."""
        began = self._time.now()
        await self._wait(lambda: False, lambda: seconds - self._time.now().since(began))

    async def _wait(self, ready: Callable[[], bool], left: Callable[[], float]) -> bool:
        """Whether a condition comes true while there are seconds left."""
        while True:
            if self._wrong:
                raise Failed(self._wrong)
            if ready():
                return True
            if self._over.is_set():
                raise Gone("it ended the stream, which should stay open")
            seconds = left()
            if seconds <= 0:
                return False
            self._news.clear()
            try:
                async with asyncio.timeout(seconds):
                    await self._news.wait()
            except TimeoutError:
                continue

    async def ended(self, seconds: float) -> bool:
        """Whether the stream ends in time; all that the bot sent before has been read then."""
        try:
            async with asyncio.timeout(seconds):
                await self._over.wait()
        except TimeoutError:
            return False
        return True

    # --- the call ---------------------------------------------------------------------------

    async def serve(self, context: Any) -> None:
        """Carry frames both ways until either side ends the stream."""
        reader = asyncio.create_task(self._read(context))
        writer = asyncio.create_task(self._write(context))
        try:
            await self._over.wait()
            if self._status is not None:
                await asyncio.wait([writer], timeout=_FAREWELL_SECONDS)
        finally:
            self._over.set()
            self._news.set()
            for task in (reader, writer):
                task.cancel()
            await asyncio.gather(reader, writer, return_exceptions=True)
        if self._status is not None:
            reason, sentence = self._status
            self._exchange.remark(f"the referee ended the stream: {reason}")
            await context.abort(code_of(reason), f"{reason}: {sentence}", ((REASON, reason),))

    async def _write(self, context: Any) -> None:
        try:
            while (frame := await self._frames.get()) is not None:
                while not self._frames.empty():  # what waits leaves in one frame, as in the arena
                    more = self._frames.get_nowait()
                    if more is None:
                        self._frames.put_nowait(None)
                        break
                    frame += more
                self._exchange.to_bot(frame)
                await context.write(frame)
        except CallOver:
            return  # the reader notices

    async def _read(self, context: Any) -> None:
        while (frame := await context.read()) is not END:
            self._exchange.from_bot(frame)
            self._take_frame(frame)
            self._news.set()
        if self._status is None:
            self._exchange.remark("the stream ended, and not by the referee")
        self._over.set()
        self._news.set()

    def _take_frame(self, frame: bytes) -> None:
        if len(frame) > _MOST_BYTES:
            self._complain(f"it sent a frame of {len(frame)} bytes; send at most {_MOST_BYTES}")
            return
        try:
            items = arena_pb2.PlayRequest.FromString(frame).items
        except DecodeError:
            self._complain(f"it sent {len(frame)} bytes that are not a PlayRequest")
            return
        for item in items:
            self._take(item)

    def _take(self, item: arena_pb2.BotItem) -> None:
        kind = item.WhichOneof("item")
        if (kind == "hello") == (self.hello is not None):
            mistake = "it sent Hello twice" if self.hello else f"its first item is {kind}"
            self._complain(f"{mistake}; send Hello first, and once per stream")
        elif kind == "hello":
            self.hello = item.hello
        elif kind == "pong":
            self.pongs.append(item.pong.id)
        elif kind == "nonce":
            self.nonces.setdefault(item.nonce.match_id, item.nonce.nonce)
        elif kind == "nonce_commitment":
            self.digests.setdefault(item.nonce_commitment.match_id, item.nonce_commitment.digest)
        elif kind == "resign":
            self.resigned.add(item.resign.match_id)
        elif kind == "choice":
            try:
                answer = Answer(self._judge(item.choice), self._time.now())
            except Failed as failed:
                self._complain(str(failed))
            else:
                self.answers.setdefault(item.choice.ask_id, []).append(answer)

    def _complain(self, sentence: str) -> None:
        self._wrong = self._wrong or sentence
