"""The output of a bot: a log file if wanted, its first error and its last lines."""

import re
import shlex
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from paddock_server.basics.identity import stamp

_LAST_LINES: Final = 12
_TRACEBACK_LINES: Final = 60  # the most of a traceback that are kept, besides its last line
_ENDLESS_LINES: Final = 1000  # after which a traceback is taken to be over
_LINE_BYTES: Final = 4096  # the most of a line that are kept
_TRACEBACK: Final = re.compile(r"Traceback \(most recent call last\):\s*$")
_ERROR: Final = re.compile(r"error|exception|panic|fatal|traceback", re.IGNORECASE)


class Traceback:
    """The first Python traceback in the lines of a bot, bounded in size."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.complete = False
        self._indent = ""
        self._count = 0

    def read(self, line: str) -> bool:
        """Look at one more line; True where it completes the traceback."""
        if self.complete:
            return False
        if not self.lines:
            if _TRACEBACK.search(line):
                self._indent = line[: len(line) - len(line.lstrip())]
                self.lines.append(line)
            return False
        self._count += 1
        inside = not line.strip() or line.removeprefix(self._indent).startswith((" ", "\t"))
        if len(self.lines) < _TRACEBACK_LINES:
            self.lines.append(line)
        elif not inside:
            self.lines += ["  ...", line]
        self.complete = not inside or self._count >= _ENDLESS_LINES
        return self.complete

    def end(self) -> bool:
        """End the output; True if that completes the traceback."""
        unfinished = bool(self.lines) and not self.complete
        self.complete = self.complete or unfinished
        return unfinished


class Output:
    """The output of one bot, through all its restarts."""

    def __init__(
        self, name: str, logs: Path | None = None, tell: Callable[[str], None] | None = None
    ) -> None:
        """With `logs` all output is appended to the file NAME.log in that folder.

        `tell` gets the first traceback, once, and problems with that file.
        """
        self.log = logs / f"{name}.log" if logs is not None else None
        self.last: deque[str] = deque(maxlen=_LAST_LINES)
        self.first_error = ""  # the first line since the last start that looks like one
        self.traceback = Traceback()
        self._name = name
        self._tell = tell or (lambda _sentence: None)
        self._command: Sequence[str] = ()
        self._line = bytearray()
        self._file = self.log.open("ab", buffering=0) if self.log is not None else None

    def start(self, command: Sequence[str]) -> None:
        """Note that the bot's process starts, for the first time or again."""
        self._command = command
        self.last.clear()
        self.first_error = ""
        self._keep(f"=== {stamp()} {self._name} starts: {shlex.join(command)} ===\n".encode())

    def write(self, data: bytes) -> None:
        """Add what the process wrote."""
        self._keep(data)
        *whole, rest = data.split(b"\n")
        for part in whole:
            self._extend(part)
            self._end_line()
        self._extend(rest)

    def end(self, code: int | None) -> None:
        """Note that the process has ended."""
        if self._line:
            self._keep(b"\n")
            self._end_line()
        self._keep(f"=== {stamp()} {self._name} ended with {code} ===\n".encode())
        if self.traceback.end():
            self._tell_traceback()

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def summary(self) -> str:
        """The first error and the last lines, without the traceback that was printed before."""
        traceback = set(self.traceback.lines)
        lines = [line for line in self.last if line not in traceback]
        if self.first_error and self.first_error not in (*lines, *traceback):
            lines = [self.first_error, "...", *lines]
        if lines:
            return "it said:\n" + "\n".join(f"  {line}" for line in lines)
        return "its traceback is above" if traceback else "it said:\n  (it said nothing)"

    def _extend(self, part: bytes) -> None:
        self._line += part[: _LINE_BYTES - len(self._line)]

    def _end_line(self) -> None:
        line = self._line.decode(errors="replace").rstrip()
        self._line.clear()
        self.last.append(line)
        if not self.first_error and _ERROR.search(line):
            self.first_error = line
        if self.traceback.read(line):
            self._tell_traceback()

    def _tell_traceback(self) -> None:
        lines = "\n".join(f"  {line}" for line in self.traceback.lines)
        where = f"its output is in {self.log}" if self.log else "--logs DIR keeps all its output"
        check = f"paddock check-bot -- {shlex.join(self._command)}"
        self._tell(f"{self._name} wrote a traceback:\n{lines}\n{where}; to check it: {check}")

    def _keep(self, data: bytes) -> None:
        if self._file is None:
            return
        try:
            self._file.write(data)
        except OSError as problem:
            self.close()
            self._tell(f"{self.log} can't be written: {problem.strerror}; {self._name} plays on")
