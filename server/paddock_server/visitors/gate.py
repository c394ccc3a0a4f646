"""The gate of visitors: their requests wait there for the event loop, address by address."""

import asyncio
from collections import OrderedDict, deque
from typing import Final, NamedTuple

from paddock_server.visitors.admission import Most, TooMany
from paddock_server.visitors.share import Share

REQUEST_SECONDS: Final = 0.001  # of the event loop, for a request whose answer is kept
ITEM_SECONDS: Final = 0.0001  # for an item of a stream
_LEAST_WAIT: Final = 0.001
_WHAT: Final = "requests"


class _Waiting(NamedTuple):
    entered: asyncio.Future[None]
    cost: float  # seconds of the event loop


class Gate:
    """Requests that wait, in one line per address; the first of each line enters in rotation.

    Requests of one address delay others of the same address, and hardly those of anybody else.
    Nobody waits while there is time to spend.
    """

    def __init__(self, share: Share, most: Most) -> None:
        self._share = share
        self._most = most
        self._lines: OrderedDict[str, deque[_Waiting]] = OrderedDict()
        self._waiting = 0
        self._timer: asyncio.TimerHandle | None = None
        self._closed = False

    async def enter(self, address: str, cost: float = REQUEST_SECONDS) -> None:
        """Wait until a request of this address may enter; TooMany if too many wait already."""
        if not self._lines and self._share.wait() <= 0:
            self._share.spend(cost)
            return
        if len(self._lines.get(address, ())) >= self._most.per_address:
            raise TooMany.of_address(_WHAT)
        if self._closed or self._waiting >= self._most.together:
            raise TooMany.of_all(_WHAT)
        waiting = _Waiting(asyncio.get_running_loop().create_future(), cost)
        self._lines.setdefault(address, deque()).append(waiting)
        self._waiting += 1
        self._set_timer()
        await waiting.entered

    def close(self) -> None:
        """Refuse all who wait: the server stops."""
        self._closed = True
        while self._lines:
            entered = self._first().entered
            if not entered.done():
                entered.set_exception(TooMany.of_all(_WHAT))

    def _first(self) -> _Waiting:
        """Whoever is next; the rest of its line comes after the other lines."""
        address, line = self._lines.popitem(last=False)
        first = line.popleft()
        self._waiting -= 1
        if line:
            self._lines[address] = line
        return first

    def _set_timer(self) -> None:
        if self._lines and self._timer is None:
            wait = max(self._share.wait(), _LEAST_WAIT)
            self._timer = asyncio.get_running_loop().call_later(wait, self._open)

    def _open(self) -> None:
        self._timer = None
        while self._lines and self._share.wait() <= 0:
            first = self._first()
            if not first.entered.done():  # else whoever asked is gone
                first.entered.set_result(None)
                self._share.spend(first.cost)
        self._set_timer()
