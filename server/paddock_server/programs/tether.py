"""A tether for a command that must not outlive its parent: `python tether.py COMMAND...`.

When the pipe on its standard input ends, by intent or because the parent was killed, the command
and all processes that it started are ended. This file imports nothing of Paddock, so that it
starts at once.
"""

import os
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from typing import NoReturn

_GRACE_SECONDS = 3.0
_NOT_FOUND = 127


def main() -> NoReturn:
    """Start the command; end with its exit code, or end it."""
    try:
        child = subprocess.Popen(  # noqa: S603 -- what the organiser wrote is what is started
            sys.argv[1:], stdin=subprocess.DEVNULL, start_new_session=True
        )
    except OSError as problem:
        sys.stderr.write(f"{problem}\n")
        sys.exit(_NOT_FOUND)

    def end(*_: object) -> None:
        _signal(child.pid, signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            child.wait(_GRACE_SECONDS)
        _signal(child.pid, signal.SIGKILL)
        with suppress(subprocess.TimeoutExpired):
            child.wait(_GRACE_SECONDS)
        os._exit(0)

    def watch() -> None:
        while os.read(0, 4096):
            pass
        end()

    signal.signal(signal.SIGTERM, end)
    threading.Thread(target=watch, daemon=True).start()
    code = child.wait()
    _signal(child.pid, signal.SIGKILL)  # whatever it left behind
    sys.exit(code if code >= 0 else 128 - code)


def _signal(group: int, number: signal.Signals) -> None:
    with suppress(ProcessLookupError):
        os.killpg(group, number)


if __name__ == "__main__":
    main()
