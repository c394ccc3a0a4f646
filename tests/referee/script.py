"""What every bot does at every step of a match, whatever happens to the server meanwhile."""

from collections.abc import Collection, Mapping
from random import Random
from typing import Any, NamedTuple

from paddock_games.chance import digest_of
from paddock_server.referee.answers import MALFORMED
from paddock_server.referee.opening import Opening
from tests.referee.desk import TICK, Desk


class Act(NamedTuple):
    """So long after being asked, a bot does this."""

    after: float
    what: Any  # a number of a choice, counted round; or a word
    lag: float


class Script:
    """The same acts for the same number, step and seat: bots that do not notice a restart."""

    def __init__(self, number: int, trouble: float) -> None:
        self._number = number
        self._trouble = trouble  # how often a bot does not answer as it should

    def act(self, step: int, seat: int) -> Act:
        chooser = Random(f"{self._number}/{step}/{seat}")
        after, lag = chooser.randrange(40) * TICK, chooser.randrange(6) * TICK
        if chooser.random() >= self._trouble:
            return Act(after, chooser.randrange(1000), lag)
        words = ["silent", "silent", "illegal", "malformed", "resign"]
        return Act(after, chooser.choice(words), lag)


def perform(desk: Desk, script: Script) -> None:
    """One step: every seat acts its part, counted from now; then it is written."""
    step, asked = len(desk.referee.steps), desk.at
    acts = {seat: script.act(step, seat) for seat in desk.open_asks}
    for seat in sorted(acts, key=lambda seat: acts[seat].after):
        after, what, lag = acts[seat]
        while desk.referee.deadline is not None and desk.referee.deadline <= asked + after:
            desk.sleep_until_due()
        desk.wait(max(0.0, asked + after - desk.at))
        if seat not in desk.open_asks:
            continue
        if what == "resign":
            desk.resign(seat)
        elif what in {"illegal", "malformed"}:
            desk.answer(seat, MALFORMED if what == "malformed" else 999)
        elif what != "silent":
            desk.answer(seat, what % len(desk.asks[seat].state.legal(seat)), lag=lag)
    while desk.unwritten is None:
        desk.sleep_until_due()
    desk.written()


def own_nonce(seat: int) -> bytes:
    """The part of a seat in the deal."""
    return bytes([seat + 1]) * 16


class Server:
    """A server that dies now and then, and bots that come back to it."""

    def __init__(self, opening: Opening, script: Script, deaths: Collection[int] = ()) -> None:
        """It dies when so many events are durable; for 0: before the deal is."""
        self.opening = opening
        self.script = script
        self.desk = Desk(opening)
        self.ids: list[Mapping[tuple[int, int], int]] = []  # of the asks of every life
        self._deaths = deaths

    def play(self) -> Mapping[str, Any]:
        """The record of the match, however often the server died."""
        self.desk.open()
        self._die_if_it_is_time()
        for seat, steps in enumerate(self.opening.nonce_steps):
            if steps == 1:
                self.desk.nonce(seat, own_nonce(seat))
            elif steps == 2:
                self.desk.digest(seat, digest_of(own_nonce(seat)))
        if 2 in self.opening.nonce_steps:
            self.desk.written()
            self._die_if_it_is_time()
            for seat, steps in enumerate(self.opening.nonce_steps):
                if steps == 2:
                    self.desk.nonce(seat, own_nonce(seat))
        while self.desk.unwritten is None:
            self.desk.sleep_until_due()
        self.desk.written()
        while self.desk.record is None:
            self._die_if_it_is_time()
            if self.desk.open_asks:
                perform(self.desk, self.script)
            else:
                self.desk.written()  # everybody forfeited
        self._die_if_it_is_time()  # all is durable but the record
        assert self.desk.record is not None
        self.ids.append(self.desk.ids)
        return self.desk.record

    def _die_if_it_is_time(self) -> None:
        """Another process goes on from what is durable, and the bots come back to it."""
        if len(self.desk.events) not in self._deaths:
            return
        self.ids.append(self.desk.ids)
        chooser = Random(len(self.desk.events))
        events, later = self.desk.events, self.desk.at + chooser.randrange(100_000) * TICK
        self.desk = Desk(self.opening, later)
        self.desk.resume(events)
        self.desk.wait(chooser.randrange(100) * TICK)
        seats = list(range(len(self.opening.nonce_steps)))
        chooser.shuffle(seats)
        for seat in seats:
            self.desk.back(seat)
