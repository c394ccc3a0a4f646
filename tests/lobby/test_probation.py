"""Probation: who forfeits match after match is taken out, told why, and let in after a trial."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paddock_games import game_of
from paddock_server.lobby.limits import Policy
from paddock_server.lobby.probation import Probation
from paddock_server.referee.clock import Clock
from paddock_server.referee.plan import Plan
from paddock_server.referee.result import SeatResult
from paddock_server.tables.notices import Finished
from tests.store.opened import bot as bot_row
from tests.store.opened import played_match


class Office:
    """Probation, and what it announced."""

    def __init__(self, after: int = 3) -> None:
        self.changes: list[tuple[str, str]] = []
        policy = Policy(probation_after=after)
        self.retried: list[str] = []
        self.probation = Probation(
            policy, lambda bot, why: self.changes.append((bot, why)), self.retried.append
        )

    def match(self, *seats: tuple[str, bool, int], trial: bool = False) -> None:
        """A match is over: bot, whether it forfeited, and how many faults it had, by seat."""
        plan = Plan(
            "summer", game_of("summer").rules(None), tuple(seat[0] for seat in seats), Clock(),
            trial=trial,
        )  # fmt: skip
        results = [
            SeatResult(bot, "", 0, 1, forfeit=forfeit, faults=faults)
            for bot, forfeit, faults in seats
        ]
        self.probation.judge(Finished(1, "M1", plan, results, played_match()))

    @property
    def why(self) -> dict[str, str]:
        return self.probation.reasons()


@given(after=st.integers(1, 4), matches=st.lists(st.booleans(), max_size=20))
def test_so_many_forfeits_in_a_row_are_too_many(after: int, matches: list[bool]) -> None:
    office = Office(after)
    row = 0
    for forfeit in matches:
        office.match(("rex", forfeit, 3), ("bob", False, 0))
        row = row + 1 if forfeit else 0
        if row >= after:
            break
        assert office.changes == []
    if row < after:
        assert office.why == {}
        return
    sentence = f"it forfeited {after} matches in a row; one clean trial ends this"
    assert office.why == {"rex": sentence}
    assert office.changes == [("rex", sentence)]
    office.match(("rex", True, 3), ("bob", False, 0))  # one that had begun before
    assert office.changes == [("rex", sentence)]  # it is told once
    office.match(("rex", False, 0), ("bob", False, 0))  # and only a trial ends it
    assert set(office.why) == {"rex"}


def test_a_clean_trial_ends_it_and_counting_begins_anew() -> None:
    office = Office(2)
    for _ in range(2):
        office.match(("rex", True, 3), ("bob", False, 0))
    office.match(("rex", False, 0), ("house-random", False, 0), trial=True)
    assert office.why == {}
    assert [why for _, why in office.changes][1:] == [""]
    office.match(("rex", True, 3), ("bob", False, 0))
    assert office.why == {}
    office.match(("rex", True, 3), ("bob", False, 0))
    assert set(office.why) == {"rex"}


@pytest.mark.parametrize(("forfeit", "faults"), [(True, 3), (False, 1), (True, 12)])
def test_a_trial_with_a_fault_does_not_end_it(forfeit: bool, faults: int) -> None:
    office = Office(1)
    office.match(("rex", True, 3))
    office.match(("rex", forfeit, faults), ("house-random", False, 0), trial=True)
    assert set(office.why) == {"rex"}
    office.match(("rex", False, 0), ("house-random", False, 0), trial=True)
    assert office.why == {}


def test_faults_alone_are_no_reason() -> None:
    office = Office(1)
    for _ in range(10):
        office.match(("rex", False, 11), ("bob", False, 0))
    assert office.changes == []


def test_everybody_is_judged_alone_and_house_bots_not_at_all() -> None:
    office = Office(2)
    for _ in range(5):
        office.match(("rex", True, 3), ("bob", False, 0), ("house-greedy", True, 3))
    assert set(office.why) == {"rex"}
    assert {bot for bot, _ in office.changes} == {"rex"}


def test_a_bot_that_plays_against_itself_forfeits_a_match_once() -> None:
    office = Office(3)
    office.match(*[("rex", True, 3)] * 4)
    assert office.why == {}


def test_what_was_stored_is_gone_on_with() -> None:
    """Forfeits in a row are counted across a restart, and whoever is on probation stays there."""
    office = Office(3)
    office.probation.load([bot_row("rex", forfeits=2), bot_row("rox", probation="as it was")])
    assert office.why == {"rox": "as it was"}
    office.match(("rex", True, 3), ("bob", True, 3))
    assert set(office.why) == {"rex", "rox"}
