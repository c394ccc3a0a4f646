"""The bot that is being checked: its process, its stream and its Hello."""

from collections.abc import Callable, Sequence
from typing import Final

from paddock.v1 import arena_pb2
from paddock_server.api.offer import formats_of, welcome
from paddock_server.api.refusal import Refusal
from paddock_server.checking.program import NAME, Program, Starter
from paddock_server.checking.report import Failed
from paddock_server.checking.stage import Stage
from paddock_server.checking.stream import Stream
from paddock_server.lobby.limits import PROTOCOL, Limits
from paddock_server.referee.clock import Moment
from paddock_server.wire import items

_POLL_SECONDS: Final = 0.1


class Subject:
    """The bot that is being checked; it can be started several times."""

    def __init__(
        self,
        command: Sequence[str],
        stage: Stage,
        patience: float,
        name: str = NAME,
        hear: Callable[[str], None] = lambda _: None,
        *,
        starter: Starter = Program.start,
    ) -> None:
        self.stage = stage
        self.patience = patience
        self.formats: tuple[str, ...] = ()  # that its Hello asks for
        self.played: list[str] = []  # formats that it played without a mistake
        self.newer = False  # whether later streams look like those of a newer server
        self._command = command
        self._name = name
        self._starter = starter
        self._hear = hear  # takes every line of its output
        self._program: Program | None = None
        self._stream: Stream | None = None
        self._hello: arena_pb2.Hello | None = None
        self._welcomes = 0

    @property
    def stream(self) -> Stream:
        """The present stream; raises Failed where there is none, or a second one."""
        if self._stream is None:
            raise Failed("it is not connected")
        if self.stage.waiting:
            raise Failed("it opened a second stream; one carries all matches")
        return self._stream

    @property
    def hello(self) -> arena_pb2.Hello:
        """The Hello of the bot."""
        assert self._hello is not None  # noqa: S101 -- nothing is asked before Hello
        return self._hello

    @property
    def resume_token(self) -> str:
        """The resume token of the last Welcome."""
        return f"resume-{self._welcomes}"

    @property
    def present(self) -> bool:
        """Whether the bot is connected."""
        return self._stream is not None

    @property
    def code(self) -> int | None:
        """The exit code of its process; None while it runs."""
        return self._program.code if self._program else None

    @property
    def output(self) -> tuple[str, ...]:
        """The last lines of its output."""
        return self._program.output if self._program else ()

    async def start(self) -> None:
        """Start the bot again and wait for its Hello; raises Failed where it does not come."""
        await self.stop()
        self._program = await self._starter(
            self._command, self.stage.line.address, self._name, self._hear
        )
        self.stage.time.follow(self._program.pids)
        await self.arrive(self.patience)

    async def stop(self) -> None:
        """End the process of the bot."""
        if self._program is not None:
            await self._program.stop()
            self._program = None
        self._stream = None
        while await self.stage.stream(0) is not None:
            pass  # late streams of the old process

    async def terminate(self, seconds: float) -> None:
        """Send SIGTERM to its process, and wait so long for it to end."""
        if self._program is not None:
            began = self.stage.time.now()
            await self._program.terminate(seconds)
            await self._ended(began, seconds)

    async def arrive(
        self,
        seconds: float,
        missing: str = "it did not connect",
        still_open: Sequence[str] | None = None,
    ) -> Stream:
        """The next stream, after Hello and Welcome; raises Failed where none comes. `still_open`
        are the matches that Welcome says are not over; None: it says nothing about them."""
        stream = await self.called(seconds, missing)
        hello = stream.hello
        assert hello is not None  # noqa: S101 -- `until` waited for it
        try:
            _check_name(hello, self._name)
            self.formats = formats_of(hello)
        except Refusal as refusal:
            stream.end(refusal.reason, refusal.sentence)
            raise Failed(
                f"{refusal.sentence}; a server refuses this with {refusal.reason}"
            ) from None
        self._hello, self._stream = hello, stream
        self._welcomes += 1
        stream.newer = self.newer
        stream.say(items.welcome(self._welcome(still_open)))
        return stream

    def _welcome(self, still_open: Sequence[str] | None) -> arena_pb2.Welcome:
        message = welcome(Limits(), self.formats)
        message.session = f"check-{self._welcomes}"
        message.resume_token = self.resume_token
        message.server = "check-bot"
        if still_open is not None:
            message.open_matches.CopyFrom(arena_pb2.OpenMatches(match_ids=still_open))
        return message

    async def called(self, seconds: float, missing: str) -> Stream:
        """The next stream, after Hello; raises Failed where none comes."""
        self._stream = None
        stream = await self._called(seconds, missing)
        if not await stream.until(lambda: stream.hello is not None, seconds):
            raise Failed("it called Play and sent nothing; send Hello first")
        return stream

    async def _called(self, seconds: float, missing: str) -> Stream:
        """The next call of Play, unless the process ends or the time is over."""
        assert self._program is not None  # noqa: S101 -- somebody has to call
        before, began = self.stage.calls, self.stage.time.now()
        while self.stage.time.left(began, seconds):
            stream = await self.stage.stream(min(seconds, _POLL_SECONDS))
            if stream is not None:
                self.stage.time.came(began, seconds)
                return stream
            if self._program.code is not None:
                raise Failed(missing)
        if self.stage.elsewhere:
            raise Failed(f"it called {self.stage.elsewhere}; call Play of ArenaService")
        if self.stage.calls > before:
            raise Failed(
                f"it connected but did not call Play within {seconds:g} s; does it use TLS?"
            )
        raise Failed(f"{missing} within {seconds:g} s")

    def lose(self) -> None:
        """Forget the stream, because the script ended it."""
        self._stream = None

    async def epitaph(self, seconds: float) -> str:
        """A sentence on how its process ended; empty if it runs longer than this many seconds."""
        if self._program is None:
            return ""
        began = self.stage.time.now()
        await self._program.ended(seconds)
        await self._ended(began, seconds)
        return self._program.end

    async def _ended(self, began: Moment, seconds: float) -> None:
        """Wait for the end of its process as long as is fair, if it runs still."""
        assert self._program is not None  # noqa: S101 -- the callers looked
        while self.code is None and (left := self.stage.time.left(began, seconds)):
            await self._program.ended(min(left, _POLL_SECONDS))
            self.stage.time.came(began, seconds)


def _check_name(hello: arena_pb2.Hello, name: str) -> None:
    """Raise Refusal for a wrong protocol or name, as a server does."""
    if hello.protocol != PROTOCOL:
        reason = "protocol/too_old" if hello.protocol < PROTOCOL else "protocol/too_new"
        raise Refusal(reason, f"it speaks protocol {hello.protocol}, not {PROTOCOL}")
    if hello.bot != name:
        sentence = f"its name is {hello.bot[:40]!r}, not {name}; take the name from PADDOCK_BOT"
        raise Refusal("auth/bad_token", sentence)
