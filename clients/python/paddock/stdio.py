"""A program that somebody else started: its lines come in on stdin, and lines for it go out on
stdout."""

import asyncio
import json
import logging
import os
import sys
from collections.abc import Callable
from contextlib import suppress

from paddock.lines import MOST_UNREAD, read_lines, shown
from paddock_wire import Json

log = logging.getLogger("paddock")


class Stdio:
    """The far end of this process's stdin and stdout; used like `Program`."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.WriteTransport) -> None:
        self._reader = reader
        self._writer = writer
        self._last = b""

    @classmethod
    async def open(cls) -> "Stdio":
        """Take over stdin and stdout."""
        loop = asyncio.get_running_loop()
        reader = asyncio.StreamReader()
        await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
        # A copy, so that nothing that is printed by mistake becomes a line.
        lines_out = os.fdopen(os.dup(sys.stdout.fileno()), "wb", buffering=0)
        os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
        writer, _ = await loop.connect_write_pipe(asyncio.Protocol, lines_out)
        return cls(reader, writer)

    def say(self, item: Json) -> None:
        """Write a line, without waiting for the program to read it."""
        line = json.dumps(item, separators=(",", ":"))
        log.debug("to the bot: %s", line)
        if self._writer.is_closing():
            return
        self._writer.write(f"{line}\n".encode())
        if self._writer.get_write_buffer_size() > MOST_UNREAD:
            log.error("bot given up: it left %d bytes unread", MOST_UNREAD)
            self._writer.abort()
            self._reader.feed_eof()

    async def listen(self, hear: Callable[[bytes], None]) -> None:
        """Pass on the lines of the program until its output ends."""
        async for line in read_lines(self._reader):
            log.debug("from the bot: %s", shown(line))
            self._last = line
            hear(line)
            await asyncio.sleep(0)  # a flood of lines must not keep everything else waiting

    async def end(self) -> None:
        """Tell the program by the end of its input that it is over."""
        with suppress(OSError):
            self._writer.close()

    def epitaph(self) -> str:
        """A sentence on how it ended, with its last line."""
        return f"the bot closed its output; {self.last_words}"

    @property
    def last_words(self) -> str:
        """A sentence with its last line."""
        return f"the last it said was {shown(self._last)}" if self._last else "it said nothing"
