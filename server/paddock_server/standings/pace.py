"""The pace of a process that computes beside play: a small part of a core while matches are open.

The server says on the standard input of the process whether matches are open. The process looks
every two milliseconds at how long it ran. While matches are open it rests nineteen times as long.
So an ask meets two milliseconds of it at most, apart from the few calls of numpy that take longer.
"""

import os
import signal
import threading
import time
from typing import Final, Self

PLAYING: Final = b"1"  # matches are open
QUIET: Final = b"0"  # no match is
PART: Final = 0.05  # of a core while matches are open
BURST: Final = 1.5  # seconds of CPU at full speed, in which a small ladder is done
_SLICE: Final = 0.002  # seconds between two looks


class Pace:
    """The pace of this process: full speed until it is told that matches are open."""

    def __init__(self, part: float = PART, burst: float = BURST) -> None:
        """`burst` is how many seconds of CPU are at full speed in any case."""
        self._rest_per_second = 1 / part - 1
        self._burst = burst
        self._quiet = threading.Event()
        self._quiet.set()
        self._counted = 0.0  # seconds of CPU that were rested for, or were free

    def __enter__(self) -> Self:
        """Listen to the server, and rest as it says; end the process when the server ends."""
        threading.Thread(target=self._listen, daemon=True).start()
        signal.signal(signal.SIGALRM, self._look)
        signal.siginterrupt(signal.SIGALRM, False)  # whatever waits for the database goes on
        signal.setitimer(signal.ITIMER_REAL, _SLICE)
        return self

    def __exit__(self, *_: object) -> None:
        """Rest no more."""
        signal.signal(signal.SIGALRM, signal.SIG_IGN)  # one may be under way, and would end Python

    def _listen(self) -> None:
        while orders := os.read(0, 4096):
            if orders.endswith(PLAYING):
                self._quiet.clear()
            else:
                self._quiet.set()
        os._exit(1)  # nobody wants the result any more

    def _look(self, _number: int, _frame: object) -> None:
        ran = time.process_time() - max(self._counted, self._burst)
        if ran > 0:
            self._quiet.wait(ran * self._rest_per_second)
        self._counted = time.process_time()
        signal.setitimer(signal.ITIMER_REAL, _SLICE)
