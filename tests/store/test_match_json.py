"""The JSON of matches: what was written once is read for ever, and written again as it was."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paddock_games import Timing, game_of
from paddock_games.dino_twist import Rules1
from paddock_server.referee.clock import Clock
from paddock_server.referee.events import Committed, Dealt, Event, Stepped
from paddock_server.referee.plan import Begun, Deal, Entrant, Plan
from paddock_server.referee.result import SeatResult
from paddock_server.store.database import Database
from paddock_server.store.match_json import (
    event_text,
    opening_text,
    read_deal,
    read_event,
    read_opening,
    read_results,
    results_text,
)
from tests.store.opened import stepped

DATA = Path(__file__).parents[1] / "data"


@pytest.fixture
def latest(tmp_path: Path) -> Path:
    """What a server of the latest version left."""
    path = tmp_path / "left.db"
    Database(str(path)).close()
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript((DATA / "journals" / "4.sql").read_text())
    return path


def test_what_the_latest_version_wrote_is_written_again_byte_for_byte(latest: Path) -> None:
    with closing(sqlite3.connect(latest)) as connection:
        matches = connection.execute("SELECT opening, results FROM matches").fetchall()
        events = connection.execute("SELECT event FROM journal").fetchall()
    assert len(matches) == 6
    assert len(events) == 17
    for opening, results in matches:
        plan, begun = read_opening(opening)
        assert opening_text(plan, begun) == opening
        stored = read_results(results, plan.bots, begun)
        assert results_text(stored) == results
        assert [seat.bot for seat in stored] == (list(plan.bots) if stored else [])
    for (event,) in events:
        assert event_text(read_event(event)) == event


def test_openings_of_the_first_version_are_read() -> None:
    """They knew nothing of ratings, blocks, rounds, dice and versions of rules."""
    rules = Rules1(bury_by_species=True)
    old = {
        "format": "dino-twist", "rules": rules._asdict(), "bots": ["ada", "bob"],
        "clock": Clock()._asdict(), "tournament": None, "trial": False,
    }  # fmt: skip
    plan = Plan("dino-twist", rules, ("ada", "bob"), Clock())
    assert read_opening(json.dumps(old)) == (plan, None)
    began = {"seats": [["1", "ada's", True], ["", "bob's", False]], "seed": "00", "started": "2026"}
    entrants = (Entrant("ada", "1", "ada's", True), Entrant("bob", "", "bob's", False))
    assert read_opening(json.dumps({**old, **began})).begun == Begun(entrants, "00", "2026")


@given(
    deal=st.none() | st.builds(Deal, st.just("0f" * 32), st.just(("00" * 16, "ff" * 16))),
    names=st.lists(st.text(max_size=5), min_size=2, max_size=2),
    begins=st.booleans(),
    size=st.integers(1, 9),
    share=st.just(0.0) | st.floats(0, 1),
)
def test_openings_come_back_as_they_were(
    deal: Deal | None, names: list[str], begins: bool, size: int, share: float
) -> None:
    rules = game_of("two-player").rules(None)
    plan = Plan(
        "two-player", rules, tuple(names), Clock(base=0.1), rated=True, tournament=names[0],
        pairing="k", block="b", block_size=size, round=3, deal=deal, common_dice=size > 1,
    )  # fmt: skip
    begun = None
    if begins:
        entrants = (Entrant(name, "1", name, True, size > 4, share) for name in names)
        begun = Begun(tuple(entrants), "0f" * 32, "2026")
    assert read_opening(opening_text(plan, begun)) == (plan, begun)


@given(
    event=st.one_of(
        st.builds(
            Dealt,
            st.lists(st.text("0123456789abcdef", min_size=32, max_size=32)),
            st.lists(st.integers(0, 7)).map(tuple),
        ),
        st.builds(
            Committed,
            st.lists(st.none() | st.text("0123456789abcdef", min_size=64, max_size=64)),
            st.lists(st.none() | st.text("0123456789abcdef", min_size=32, max_size=32)),
        ),
        st.builds(
            Stepped,
            step=st.integers(0, 8191),
            choices=st.lists(st.integers(0, 99)),
            timings=st.lists(
                st.builds(
                    Timing,
                    st.floats(0, 1e6), st.floats(0, 1e3), st.none() | st.just("TIMEOUT"),
                    st.none() | st.floats(0, 1e6), st.none() | st.text(max_size=9),
                    st.floats(0, 1e6),
                )
            ),
            banks=st.lists(st.floats(0, 100)),
            in_a_row=st.lists(st.integers(0, 9)),
            forfeits=st.lists(st.none() | st.just("RESIGNED")),
        ),
    )
)  # fmt: skip
def test_events_come_back_as_they_were(event: Event) -> None:
    assert read_event(event_text(event)) == event


def test_a_deal_is_known_from_opening_and_first_event() -> None:
    plan = Plan("two-player", game_of("two-player").rules(None), ("ada", "bob"), Clock())
    entrants = tuple(Entrant(bot, "", "", False) for bot in plan.bots)
    opening = opening_text(plan, Begun(entrants, "0f" * 32, "2026"))
    nonces = ("00" * 16, "ff" * 16)
    assert read_deal(opening, event_text(Dealt(nonces))) == Deal("0f" * 32, nonces)
    assert read_deal(opening_text(plan), event_text(Dealt(nonces))) is None
    assert read_deal(opening, event_text(stepped(0))) is None


def test_results_from_before_fallbacks_are_read() -> None:
    old = '[{"total": 31, "rank": 1, "forfeit": false, "faults": 2}]'
    assert read_results(old, ["ada"]) == (SeatResult("ada", "", 31, 1, False, 2, 0),)
    assert read_results("[]", ["ada"]) == ()
