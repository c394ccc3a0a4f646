"""Players of local tables whose streams are on other nodes."""

import asyncio
from collections.abc import Callable
from itertools import count
from typing import Final

from paddock_server.cluster.link import Link
from paddock_server.cluster.messages import Place, Probe, Proof, Say, Useless
from paddock_server.referee.plan import Entrant

PROOF_SECONDS: Final = 2.0  # a link that takes longer proves nothing
_DELAY_SECONDS: Final = 0.25  # on the way to the bot, which it may have lost by that
_PROBES: Final = count(1)


class Away:
    """The player of one seat at one table; another node holds its stream."""

    def __init__(self, link: Link, place: Place, number: int, match_id: str) -> None:
        self.place = place
        self.number = number
        self.lag = 0.0
        self.host_delay = 0.0
        self.cut_off = False  # the table does not count on it until its node is heard again
        self.match_id = match_id
        self._link = link
        self._ask_id = 0
        self._asked = 0.0
        self._probes: dict[int, Callable[[float], None] | None] = {}  # None: it was given up

    @property
    def entrant(self) -> Entrant:
        """The bot, with its version and owner."""
        return self.place.entrant

    def send(self, item: bytes) -> None:
        """Queue an item for the bot."""
        self._say(0, item)

    def ask(self, item: bytes, ask_id: int) -> None:
        """Queue an ask for the bot."""
        self._ask_id, self._asked = ask_id, asyncio.get_running_loop().time()
        self._say(ask_id, item)

    def _say(self, ask_id: int, item: bytes) -> None:
        session, node = self.place.session, self.place.node
        self._link.send(node, Say(session, self.number, self.match_id, ask_id, item))

    def useless(self) -> None:
        """Count a useless item."""
        self._link.send(self.place.node, Useless(self.place.session))

    def vouches(self, later: Callable[[bool], None]) -> bool:
        """Ask the node that holds the stream whether the bot has had its time.

        What the bot said before the proof arrives before it. Without a proof, or if the ask was
        long on its way, the bot is not late but cut off.
        """
        probe, loop = next(_PROBES), asyncio.get_running_loop()
        asked, sent = self._asked, loop.time()

        def proved(held: float) -> None:
            timer.cancel()
            works = held >= 0 and sent - asked - held <= _DELAY_SECONDS
            if asked == self._asked:  # else it has answered, and was asked something else
                self.cut_off = not works
            later(works)

        def given_up() -> None:
            self._probes[probe] = None  # the proof may still come
            proved(-1.0)

        timer = loop.call_later(PROOF_SECONDS, given_up)
        self._probes[probe] = proved
        self._link.send(self.place.node, Probe(probe, self.place.session, self._ask_id))
        return False

    def proof(self, proof: Proof) -> bool:
        """Take a proof; whether it was asked for by this player, and the bot is there."""
        if proof.probe not in self._probes:
            return False
        proved = self._probes.pop(proof.probe)
        if proved is not None:
            proved(proof.held)
        return proof.held >= 0
