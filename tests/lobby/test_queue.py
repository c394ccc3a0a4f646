"""The queue of waiting matches against a list that is looked through from the front every time."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paddock_games import game_of
from paddock_server.lobby.queue import MatchQueue, Waiting
from paddock_server.referee.clock import Clock
from paddock_server.referee.plan import Plan

BOTS = ("ada", "bob", "cyd", "dan")
FORMATS = ("summer", "winter")


@dataclass
class World:
    """Who is there, what they play, and how they stand."""

    formats: dict[str, set[str]] = field(default_factory=dict)  # by bot that is connected
    probation: set[str] = field(default_factory=set)

    def present(self, bot: str, waiting: Waiting) -> bool:
        if waiting.plan.format not in self.formats.get(bot, ()):
            return False
        return waiting.plan.trial or bot not in self.probation


def match(
    number: int, bots: Sequence[str], form: str = "summer", *, trial: bool = False
) -> Waiting:
    """A match that waits for these bots, and for a house bot that is always there."""
    rules = game_of(form).rules(None)
    return Waiting(
        number, f"M{number}", Plan(form, rules, (*bots, "house-random"), Clock(), trial=trial)
    )


class Naive:
    """All that waits, in a list; a match stands in line from when all its bots were there."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._all: list[Waiting] = []
        self.line: list[Waiting] = []

    def add(self, waiting: Waiting) -> None:
        self._all.append(waiting)
        self.look()

    def look(self) -> None:
        """Those that could begin stay in line or join it; the others leave it."""
        could = [w for w in self._all if all(self._world.present(bot, w) for bot in w.bots)]
        self.line = [w for w in self.line if w in could]
        self.line += [w for w in could if w not in self.line]

    def take(self, room: dict[str, int]) -> list[int]:
        taken = []
        kept = False  # what is free for the first that has to wait is kept for it
        for waiting in list(self.line):
            begins = all(room[bot] > 0 for bot in waiting.bots)
            if begins or not kept:
                for bot in set(waiting.bots):
                    room[bot] -= 1
            if begins:
                self._all.remove(waiting)
                self.line.remove(waiting)
                taken.append(waiting.number)
            else:
                kept = True
        return taken

    def of(self, bot: str) -> list[int]:
        return [waiting.number for waiting in self._all if bot in waiting.bots]

    def __len__(self) -> int:
        return len(self._all)


happenings = st.one_of(
    st.tuples(
        st.just("add"),
        st.lists(st.sampled_from(BOTS), min_size=1, max_size=4),
        st.sampled_from(FORMATS),
        st.booleans(),
    ),
    st.tuples(st.just("come"), st.sampled_from(BOTS), st.sets(st.sampled_from(FORMATS))),
    st.tuples(st.just("go"), st.sampled_from(BOTS)),
    st.tuples(st.just("probation"), st.sampled_from(BOTS)),
    st.tuples(st.just("take"), st.lists(st.integers(-1, 2), min_size=4, max_size=4)),
)


@settings(max_examples=300)
@given(many=st.lists(happenings, max_size=60))
def test_the_queue_does_what_a_list_would(many: list[Any]) -> None:
    world = World({bot: set(FORMATS) for bot in BOTS[:2]})
    queue, naive = MatchQueue(world.present), Naive(world)
    for number, (what, *how) in enumerate(many):
        if what == "add":
            bots, form, trial = how
            queue.add(match(number, bots, form, trial=trial))
            naive.add(match(number, bots, form, trial=trial))
        elif what == "take":
            room = dict(zip(BOTS, how[0], strict=True))
            taken = [waiting.number for waiting in queue.take(lambda bot, now=room: now[bot])]  # type: ignore[misc]
            assert taken == naive.take(dict(room))
        else:
            bot = how[0]
            if what == "come":
                world.formats[bot] = how[1]
            elif what == "go":
                world.formats.pop(bot, None)
            else:
                world.probation ^= {bot}
            queue.look_again(bot)
            naive.look()
        assert len(queue) == len(naive)
        for bot in BOTS:
            assert [waiting.number for waiting in queue.of(bot)] == naive.of(bot)


@settings(max_examples=100)
@given(
    seats=st.lists(st.lists(st.sampled_from(BOTS), min_size=1, max_size=3), max_size=30),
    most=st.lists(st.integers(1, 3), min_size=4, max_size=4),
    ends=st.randoms(use_true_random=False),
)
def test_nobody_plays_more_than_they_can_and_everything_is_played(
    seats: list[list[str]], most: list[int], ends: Any
) -> None:
    """Matches begin as others end, until all have been played, once each."""
    world = World({bot: set(FORMATS) for bot in BOTS})
    queue = MatchQueue(world.present)
    limits = dict(zip(BOTS, most, strict=True))
    playing: dict[int, Waiting] = {}
    begun: list[int] = []

    def busy(bot: str) -> int:
        return sum(bot in waiting.bots for waiting in playing.values())

    for number, bots in enumerate(seats):
        queue.add(match(number, bots))
    freed: tuple[str, ...] = BOTS
    while len(queue) or playing:
        for waiting in queue.take(lambda bot: limits[bot] - busy(bot), freed):
            assert waiting.number not in begun
            begun.append(waiting.number)
            playing[waiting.number] = waiting  # the lobby counts it at once
            assert all(busy(bot) <= limits[bot] for bot in BOTS)
        left = {waiting.number: waiting for bot in BOTS for waiting in queue.of(bot)}
        if left:  # the first that is left could not have begun
            assert any(busy(player) == limits[player] for player in left[min(left)].bots)
        assert playing, "nothing is played, but something waits"
        freed = playing.pop(ends.choice(sorted(playing))).bots
    assert sorted(begun) == list(range(len(seats)))


def test_matches_begin_in_the_order_in_which_they_were_added() -> None:
    world = World({bot: set(FORMATS) for bot in BOTS})
    queue = MatchQueue(world.present)
    for number in range(10):
        queue.add(match(number, ("ada", "bob")))
    for number in range(10):
        assert [waiting.number for waiting in queue.take(lambda _: 1)] == [number]
    assert len(queue) == 0
    assert list(queue.take(lambda _: 1)) == []


def test_what_is_not_taken_to_the_end_is_not_taken_out() -> None:
    """Whoever stops taking leaves the rest in the queue."""
    world = World({bot: set(FORMATS) for bot in BOTS})
    queue = MatchQueue(world.present)
    for number in range(3):
        queue.add(match(number, ("ada",)))
    assert next(queue.take(lambda _: 9)).number == 0
    assert len(queue) == 2
    assert [waiting.number for waiting in queue.take(lambda _: 9)] == [1, 2]


@pytest.mark.parametrize("others", [0, 1])
def test_a_match_that_waits_for_nobody_begins(others: int) -> None:
    world = World({"ada": set(FORMATS)})
    queue = MatchQueue(world.present)
    for number in range(others):
        queue.add(match(number, ("ada",)))
    queue.add(match(9, ()))
    assert [waiting.number for waiting in queue.take(lambda _: 0)] == [9]


def test_a_match_of_busy_bots_is_not_overtaken_for_ever() -> None:
    world = World({bot: set(FORMATS) for bot in BOTS})
    queue = MatchQueue(world.present)
    busy = {"ada": 1, "bob": 1}
    queue.add(match(0, ("ada", "bob")))
    begun: set[int] = set()
    for number in range(1, 1001):
        bot = ("ada", "bob")[number % 2]
        queue.add(match(number, (bot,)))
        busy[bot] = 0  # a match of this bot is over
        for waiting in queue.take(lambda name: 1 - busy[name]):
            begun.add(waiting.number)
            busy.update(dict.fromkeys(waiting.bots, 1))
    assert 0 in begun
