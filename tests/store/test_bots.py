"""Bots in the store: added once, changed, found, listed a page at a time, forgotten."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from paddock_server.basics.name import skeleton
from paddock_server.store import store
from paddock_server.store.rows import BotRow, MatchFilter
from tests.store.opened import bot, new_match, opened, read, write


def test_a_bot_comes_back_as_it_was_added(place: str) -> None:
    full = BotRow("Rex-1.2_x", "Zoë 漢字", b"\x00\x01\xff", "2026", "v'1\"", ("a", "b"), 7, "why")
    with opened(place) as database:
        assert write(database, store.add_bot, full)
        assert read(database, store.find_bot, full.name) == full
        assert read(database, store.find_bot, "rex-1.2_x") is None  # names have their case
        assert read(database, store.list_bots, "", 10) == [full]


def test_a_name_is_taken_once(place: str) -> None:
    with opened(place) as database:
        assert write(database, store.add_bot, bot("Rex-10"))
        for alike in ("rex-10", "REX-1O", "rex-lo"):
            assert not write(database, store.add_bot, bot(alike))
            assert read(database, store.find_alike, alike) == "Rex-10"
        assert read(database, store.find_alike, "rex-2") is None
        assert write(database, store.add_bot, bot(owner="ada"))
        assert not write(database, store.add_bot, bot(owner="eve", token_hash=b"mine"))
        assert read(database, store.find_bot, "rex") == bot(owner="ada")


@pytest.mark.parametrize(
    "values",
    [
        {"version": "2"},
        {"formats": ("summer", "winter")},
        {"formats": ()},
        {"token_hash": b"other"},
        {"forfeits": 3, "probation": "it forfeited"},
    ],
)
def test_what_is_changed_is_changed_and_nothing_else(place: str, values: dict[str, object]) -> None:
    with opened(place) as database:
        for name in ("rex", "other"):
            write(database, store.add_bot, bot(name))
        assert write(database, store.change_bot, "rex", **values)
        assert read(database, store.find_bot, "rex") == bot("rex", **values)
        assert read(database, store.find_bot, "other") == bot("other")
        assert not write(database, store.change_bot, "nobody", **values)


def test_a_removed_bot_is_gone_but_not_its_matches(place: str) -> None:
    with opened(place) as database:
        write(database, store.add_bot, bot())
        write(database, store.add_matches, [new_match("M1", "rex", "ada")])
        assert write(database, store.remove_bot, "rex")
        assert not write(database, store.remove_bot, "rex")
        assert read(database, store.find_bot, "rex") is None
        assert not write(database, store.change_bot, "rex", version="2")
        (row,) = read(database, store.list_matches, None, 10, MatchFilter(bot="rex"))
        assert row.id == "M1"
        assert write(database, store.add_bot, bot(owner="new"))  # the name is free again


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    names=st.sets(st.text("abAB01._-é", min_size=1, max_size=4), max_size=12),
    size=st.integers(1, 5),
)
def test_pages_hold_every_bot_once_by_name(place: str, names: set[str], size: int) -> None:
    with opened(place) as database:
        for left in read(database, store.list_bots, "", 100):
            write(database, store.remove_bot, left.name)
        added = {name for name in names if write(database, store.add_bot, bot(name))}
        assert set(map(skeleton, added)) == set(map(skeleton, names))
        found: list[str] = []
        while page := read(database, store.list_bots, found[-1] if found else "", size):
            assert len(page) <= size
            found += [row.name for row in page]
        assert found == sorted(added)
