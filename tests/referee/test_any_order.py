"""Whatever happens in whatever order, a match comes to an end, and its record tells the truth."""

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paddock_games.chance import digest_of
from paddock_games.record import PlayedMatch
from paddock_server.referee.answers import MALFORMED
from paddock_server.referee.clock import Clock
from paddock_server.referee.commands import Ask, Command, Fault, Finish, Refuse, Reveal, Write
from paddock_server.referee.events import Stepped
from paddock_server.referee.referee import Referee
from tests.games.tables import REFEREED, options
from tests.referee.desk import TICK, Desk, opening, ticks

# What can happen, how often, and with what: a seat and a number are drawn with each.
WEIGHTS = {
    "answer": 30, "written": 20, "wait": 4, "due": 1, "illegal": 3, "malformed": 3, "repeat": 3,
    "stale": 3, "wild": 3, "nonce": 3, "digest": 3, "lost": 3, "back": 4, "resign": 1, "die": 1,
}  # fmt: skip


def happenings(seed: int, count: int) -> list[tuple[str, int, int]]:
    """So many things that happen; fewer of the same seed are the first of them."""
    chooser = Random(seed)
    words, weights = list(WEIGHTS), list(WEIGHTS.values())
    return [
        (chooser.choices(words, weights)[0], chooser.randrange(8), chooser.randrange(64))
        for _ in range(count)
    ]


clocks = st.builds(
    Clock,
    base=ticks(1),
    bank=ticks(3),
    lag_allowance=ticks(0.5),
    max_faults=st.integers(1, 4),
    nonce_wait=ticks(1),
    return_wait=ticks(4),
)


class Chaos(Desk):
    """A desk at which anything happens; it never asks whether it makes sense."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.faults: list[Fault] = []  # that are durable
        self._closing: list[Fault] = []  # that will be with the step that is being written
        self._noted: list[Fault] = []  # that will be with the step after that

    def happen(self, what: str, seat: int, number: int) -> None:
        seat %= len(self.referee.chairs)
        ask = self.asks.get(seat)
        lag = number % 5 * TICK
        if what == "answer":
            for open_seat in self.open_asks[: 1 + number % 3]:
                legal = self.referee.state.legal(open_seat) if self.referee.state else ()
                asked = self.referee.chairs[open_seat].ask
                if asked is None:  # an answer that was late made the referee choose for all
                    continue
                self.answer(open_seat, number % len(legal), asked=asked.ask_id, lag=lag)
        elif what in {"illegal", "malformed"} and ask:
            self.answer(seat, MALFORMED if what == "malformed" else 200 + number)
        elif what == "repeat" and ask:
            self.answer(seat, number, asked=ask.ask_id)
        elif what == "stale" and ask:
            self.answer(seat, number, asked=ask.ask_id - 8 * (1 + number))
        elif what == "wild":
            self.answer(seat, [None, -1, "RIVER", (), 2**63][number % 5], asked=number)
        elif what == "nonce":
            self.nonce(seat, bytes([number]) * (16 if number % 4 else number))
        elif what == "digest":
            nonce = bytes([number]) * 16
            self.digest(seat, digest_of(nonce) if number % 4 else nonce)
        elif what == "lost":
            self.lost(seat)
        elif what == "back":
            self.back(seat)
        elif what == "resign":
            self.resign(seat)
        elif what == "wait":
            self.wait(number * TICK / 4, late=number % 4 * TICK / 16)
            self.wake()
        elif what == "due" and self.referee.deadline is not None:
            self.sleep_until_due()
        elif what == "written" and self.unwritten is not None:
            self.written()
        elif what == "die":
            self.die()

    def die(self) -> None:
        """The process is gone and so is what was not durable; another one goes on."""
        self.referee, self.unwritten = Referee(self.opening), None
        self._closing, self._noted = [], []
        self.resume(self.events)

    def _hear(self, commands: list[Command]) -> list[Command]:
        for command in super()._hear(commands):
            if isinstance(command, Fault):
                self._noted.append(command)
            elif isinstance(command, Write) and isinstance(command.event, Stepped):
                self._closing, self._noted = self._noted, []
            elif isinstance(command, Finish):
                self.faults += self._noted
        return commands

    def written(self) -> list[Command]:
        self.faults += self._closing
        self._closing = []
        return super().written()

    def end(self) -> PlayedMatch:
        """Nothing happens any more but the passing of time."""
        for _ in range(1000):
            if self.record is not None:
                return self.checked
            if self.unwritten is not None:
                self.written()
            else:
                self.sleep_until_due()
        pytest.fail("the match does not come to an end")


@settings(max_examples=250)
@given(
    table=st.sampled_from(REFEREED),
    clock=clocks,
    sends=st.lists(st.integers(0, 2), min_size=5, max_size=5),
    many=st.builds(happenings, st.integers(0, 2**32 - 1), st.integers(0, 400)),
    data=st.data(),
)
def test_whatever_happens_a_match_ends_with_a_true_record(
    table: tuple[str, int], clock: Clock, sends: list[int], many: Any, data: st.DataObject
) -> None:
    form, seats = table
    rules = data.draw(st.sampled_from(options(form)))
    desk = Chaos(opening(form, seats, rules=rules, clock=clock, sends=sends[:seats]))
    desk.open()
    for what, seat, number in many:
        if desk.record is None:
            desk.happen(what, seat, number)
        assert all(0 <= bank <= clock.bank for bank in desk.banks)
    match, steps, _ = desk.end()
    # Afterwards nothing changes any more (what is said then is checked by the desk).
    for seat in range(seats):
        assert desk.referee.wake(desk.now) == desk.referee.back(seat, desk.now) == []
        assert desk.referee.resign(seat, desk.now) == []
        assert desk.referee.nonce(seat, bytes(16), desk.now) == []
        assert desk.referee.digest(seat, bytes(32), desk.now) == []
        (said,) = desk.referee.choice(seat, 1, 0, desk.now, 0.0)
        assert said[:3] == (seat, 1, "choice/stale")
    for seat in range(seats):
        check_faults(seat, [fault for fault in desk.faults if fault.seat == seat], steps)
    forfeited = {fault.seat for fault in desk.faults if fault.forfeits}
    assert forfeited == desk.referee.forfeited
    assert match.forfeited <= forfeited
    for seat in forfeited - match.forfeited:  # resigned with nothing left to decide
        assert [fault.kind for fault in desk.faults if fault.seat == seat][-1] == "RESIGNED"
        assert "RESIGNED" not in faults_of(seat, steps)
    for seat in match.forfeited:
        why = match.seats[seat].forfeited
        assert why is not None
        assert why.reason == faults_of(seat, steps)[-1]
        assert steps[why.step].timings[seat].fault == why.reason
    check_sayings(desk, steps)


def faults_of(seat: int, steps: Any) -> list[str | None]:
    """The fault of every decision of a seat."""
    return [step.timings[seat].fault for step in steps if seat in step.choices]


def check_faults(seat: int, noted: list[Fault], steps: Any) -> None:
    """What was noted of a seat is what its record says; after its forfeit all is the referee's."""
    decisions = [(step, step.timings[seat].fault) for step in steps if seat in step.choices]
    faults = [fault for _, fault in decisions if fault]
    own = [fault.kind for fault in noted if fault.kind != "RESIGNED"]
    assert faults[: len(own)] == own
    assert [fault.forfeits for fault in noted[:-1]] == [False] * (len(noted) - 1)
    played_out = faults[len(own) :]
    if played_out:
        assert noted[-1].forfeits
        assert set(played_out) == {noted[-1].kind}
        assert [fault for _, fault in decisions[-len(played_out) :]] == played_out
    for step, fault in decisions:
        if fault:
            assert step.choices[seat] == step.state.default(seat)


def check_sayings(desk: Chaos, steps: Any) -> None:
    """Each step was revealed once, as the record has it; refusals have a reason and a remedy."""
    reveals = {reveal.number: reveal for reveal in desk.every(Reveal)}
    assert len(reveals) == len(desk.every(Reveal)) == len(steps)
    for number, step in enumerate(steps):
        assert reveals[number].step.choices == step.choices
        assert reveals[number].step.timings == step.timings
    for refused in desk.every(Refuse):
        assert refused.reason in {"choice/stale", "choice/illegal", "choice/malformed"}
        assert len(refused.sentence) > 20
        assert refused.sentence.isprintable()
    for ask in desk.every(Ask):
        assert ask.seat in ask.state.to_move
        assert 0.0 <= ask.time_left <= desk.opening.clock.base
        assert 0.0 <= ask.bank <= desk.opening.clock.bank
