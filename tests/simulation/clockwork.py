"""Time and chance as values: an event loop that never waits, and secrets drawn from a seed."""

import asyncio
import secrets
import selectors
import time
from base64 import urlsafe_b64encode
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, tzinfo
from random import Random
from typing import Any, Final, Self

from paddock_server.api import play
from paddock_server.basics import identity
from paddock_server.tables import lateness
from paddock_server.tournaments import deadlines, waiting

_EPOCH: Final = datetime(2027, 1, 1, tzinfo=UTC)


class NothingHappens(Exception):
    """Raised when no timer is set, so that the simulation would wait for ever."""


class _NoFiles(selectors.SelectSelector):
    """A selector that looks at no file: waiting only moves the time."""

    def __init__(self, clockwork: "Clockwork") -> None:
        super().__init__()
        self._clockwork = clockwork

    def select(self, timeout: float | None = None) -> list[Any]:
        if timeout is None:
            raise NothingHappens("no timer is set; the simulation would wait for ever")
        self._clockwork.now += max(0.0, timeout)
        return []


class Clockwork(asyncio.SelectorEventLoop):
    """An event loop in simulated time; threads are called at once, so everything is in order."""

    def __init__(self) -> None:
        self.now = 0.0  # seconds since the beginning
        self.calendar_error = 0.0  # seconds by which the calendar is wrong, until it is set again
        super().__init__(_NoFiles(self))

    def time(self) -> float:
        return self.now

    def calendar(self) -> datetime:
        """The date and time of day, as the machine has it."""
        return _EPOCH + timedelta(seconds=self.now + self.calendar_error)

    def sleep_through(self, seconds: float) -> None:
        """Let time pass in which nothing runs, as when the machine is suspended."""
        self.now += seconds

    def run_in_executor(  # type: ignore[override]  # the executor is not used
        self, _executor: object, work: Callable[..., Any], *arguments: Any
    ) -> "asyncio.Future[Any]":
        done = self.create_future()
        try:
            done.set_result(work(*arguments))
        except Exception as problem:  # noqa: BLE001 -- whoever waits hears of it
            done.set_exception(problem)
        return done

    def install(self, chance: Random) -> None:
        """Give this process the simulated time, and secrets that come from a seed."""
        time.monotonic = self.time
        setattr(lateness, "RunDelay", NoDelay)  # noqa: B010 -- it is not exported
        time.time_ns = lambda: int(self.calendar().timestamp() * 1e9)
        for module in (identity, deadlines, waiting, play):
            module.datetime = _dated(self)  # type: ignore[attr-defined]
        for name, draw in _drawn(chance).items():
            setattr(secrets, name, draw)


class NoDelay:
    """A thread that never waits for a processor, because none is simulated."""

    def since_last(self) -> float:
        return 0.0

    def close(self) -> None:
        pass


def _drawn(chance: Random) -> dict[str, Callable[..., Any]]:
    """The functions of `secrets`, drawing from a seed."""

    def token_bytes(size: int = 32) -> bytes:
        return chance.randbytes(size)

    def token_hex(size: int = 32) -> str:
        return chance.randbytes(size).hex()

    def token_urlsafe(size: int = 32) -> str:
        return urlsafe_b64encode(chance.randbytes(size)).rstrip(b"=").decode()

    drawn: tuple[Callable[..., Any], ...] = (token_bytes, token_hex, token_urlsafe)
    functions = {draw.__name__: draw for draw in drawn}
    return {**functions, "randbits": chance.getrandbits, "randbelow": chance.randrange}


def _dated(clockwork: Clockwork) -> type[datetime]:
    class Simulated(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> Self:
            return cls.fromtimestamp(clockwork.calendar().timestamp(), tz or UTC)

    return Simulated
