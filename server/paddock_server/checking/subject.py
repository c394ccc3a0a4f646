"""The bot that is being checked: its process, its stream, and what it said of itself."""

from collections.abc import Callable, Sequence
from typing import Final

from paddock.v1 import arena_pb2
from paddock_games import FORMATS
from paddock_server.checking.program import NAME, Program
from paddock_server.checking.report import Failed
from paddock_server.checking.stage import Stage
from paddock_server.checking.stream import Stream
from paddock_server.lobby.limits import PROTOCOL, Limits
from paddock_server.wire import items

_POLL_SECONDS: Final = 0.1


class Subject:
    """One bot, started as often as it takes."""

    def __init__(
        self,
        command: Sequence[str],
        stage: Stage,
        patience: float,
        name: str = NAME,
        hear: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.stage = stage
        self.patience = patience
        self.played: list[str] = []  # formats that it played without a mistake
        self._command = command
        self._name = name
        self._hear = hear  # takes every line of its output
        self._program: Program | None = None
        self._stream: Stream | None = None
        self._hello: arena_pb2.Hello | None = None
        self._welcomes = 0

    @property
    def stream(self) -> Stream:
        """The stream it is on."""
        if self._stream is None:
            raise Failed("it is not connected")
        if self.stage.waiting:
            raise Failed("it opened a second stream; one carries all matches")
        return self._stream

    @property
    def hello(self) -> arena_pb2.Hello:
        """What it said of itself."""
        assert self._hello is not None  # noqa: S101 -- nothing is asked before Hello
        return self._hello

    @property
    def resume_token(self) -> str:
        """The last one it was given."""
        return f"resume-{self._welcomes}"

    @property
    def present(self) -> bool:
        """Whether it is there to be checked further."""
        return self._stream is not None

    @property
    def output(self) -> tuple[str, ...]:
        """The last that its process said."""
        return self._program.output if self._program else ()

    async def start(self) -> None:
        """Start it anew and wait until it is welcomed; Failed where it does not come."""
        await self.stop()
        self._program = await Program.start(
            self._command, self.stage.address, self._name, self._hear
        )
        await self.arrive(self.patience)

    async def stop(self) -> None:
        """End its process."""
        if self._program is not None:
            await self._program.stop()
            self._program = None
        self._stream = None
        while await self.stage.stream(0) is not None:
            pass  # whatever it still opened is no concern of the next one

    async def arrive(self, seconds: float, missing: str = "it did not connect") -> Stream:
        """The next stream, after a good Hello and a Welcome; Failed where there is none."""
        self._stream = None
        stream = await self._called(seconds, missing)
        if not await stream.until(lambda: stream.hello is not None, seconds):
            raise Failed("it called Play and said nothing; say Hello first")
        hello = stream.hello
        assert hello is not None  # noqa: S101 -- that is what was waited for
        wrong = _wrong(hello, self._name)
        if wrong is not None:
            reason, sentence = wrong
            stream.end(reason, sentence)
            raise Failed(f"{sentence}; a server refuses this with {reason}")
        self._hello, self._stream = hello, stream
        self._welcomes += 1
        stream.say(items.welcome(_welcome(self._welcomes, self.resume_token)))
        return stream

    async def _called(self, seconds: float, missing: str) -> Stream:
        """The next call of Play, unless the process ends or the time is over."""
        assert self._program is not None  # noqa: S101 -- somebody has to call
        before = self.stage.calls
        left = seconds
        while left > 0:
            stream = await self.stage.stream(min(left, _POLL_SECONDS))
            if stream is not None:
                return stream
            left -= _POLL_SECONDS
            if self._program.code is not None:
                raise Failed(missing)
        if self.stage.elsewhere:
            raise Failed(f"it called {self.stage.elsewhere}, and not Play of ArenaService")
        if self.stage.calls > before:
            raise Failed(
                f"it connected, and did not call Play within {seconds:g} s; is it for TLS?"
            )
        raise Failed(f"{missing} within {seconds:g} s")

    def lose(self) -> None:
        """Forget the stream, which is over by the script's own will."""
        self._stream = None

    async def epitaph(self, seconds: float) -> str:
        """How its process ended, if it does within so many seconds."""
        if self._program is None:
            return ""
        await self._program.ended(seconds)
        return self._program.end


def _wrong(hello: arena_pb2.Hello, name: str) -> tuple[str, str] | None:
    """The reason and the sentence with which a server would refuse this."""
    if hello.protocol != PROTOCOL:
        reason = "protocol/too_old" if hello.protocol < PROTOCOL else "protocol/too_new"
        return reason, f"it speaks protocol {hello.protocol}; this is {PROTOCOL}"
    if hello.bot != name:
        came = f"it came as {hello.bot[:40]!r}" if hello.bot else "it gave no name"
        return "auth/bad_token", f"{came}, not as {name}; take the name from PADDOCK_BOT"
    if not hello.formats:
        return "format/unknown", f"it names no format; there are {', '.join(FORMATS)}"
    for form in hello.formats:
        if form not in FORMATS:
            there = ", ".join(FORMATS)
            return "format/unknown", f"there is no format {form[:40]!r}; there are {there}"
    return None


def _welcome(number: int, token: str) -> arena_pb2.Welcome:
    limits = Limits()
    return arena_pb2.Welcome(
        session=f"check-{number}",
        resume_token=token,
        server="check-bot",
        protocol=PROTOCOL,
        limits=arena_pb2.Limits(
            frame_bytes=limits.frame_bytes,
            max_matches=limits.matches_per_bot,
            waiting_items=limits.waiting_items,
            useless_items=limits.useless_items,
        ),
    )
