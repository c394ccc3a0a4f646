"""Probation: who forfeits match after match is taken out, told why, and let in after a trial."""

from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paddock_server.arena.limits import Policy
from paddock_server.arena.probation import Probation


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
        table: Any = SimpleNamespace(
            match=SimpleNamespace(seats=[SimpleNamespace(bot=bot) for bot, _, _ in seats]),
            results=[{"forfeit": forfeit, "faults": faults} for _, forfeit, faults in seats],
            plan=SimpleNamespace(trial=trial),
        )
        self.probation.judge(table)

    @property
    def why(self) -> dict[str, str]:
        return self.probation.why


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
