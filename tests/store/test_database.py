"""The doors to a database: one who writes, any who read, and sentences for those who can't."""

import asyncio
import re
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import Connection
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DBAPIError

from paddock_server.referee.events import Stepped
from paddock_server.store import store
from paddock_server.store.address import CannotOpen, address_of
from paddock_server.store.database import Database
from paddock_server.store.rows import JournalRow
from tests import postgresql
from tests.store.opened import (
    begun,
    bot,
    count,
    new_match,
    opened,
    plan,
    read,
    stepped,
    waits_for_disk,
    write,
)

SECRET = "geheim"  # noqa: S105
APPENDING = Path(__file__).with_name("appending.py")
NOWHERE = "postgresql://ada:geheim@127.0.0.1:1/paddock"  # nobody listens on port 1


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for a lock."""
    monkeypatch.setattr("paddock_server.store.on_postgresql._LOCK_WAIT", "1ms")


def test_one_writes_and_another_is_refused(place: str) -> None:
    with opened(place) as one:
        for _ in range(2):
            with pytest.raises(CannotOpen, match="in use by another Paddock; stop that one first"):
                Database(place)
        assert write(one, store.add_bot, bot())  # who was first has noticed nothing
    with opened(place) as other:
        assert read(other, store.find_bot, "rex") == bot()


def also_named(file: Path, kind: str) -> Path:
    """Another name of a file, in another folder."""
    other = file.parent / "elsewhere" / "other.db"
    other.parent.mkdir()
    if kind == "symbolic":
        other.symlink_to(file)
    else:
        other.hardlink_to(file)
    return other


@pytest.mark.parametrize("kind", ["symbolic", "hard"])
def test_one_writes_to_the_data_whatever_others_call_them(tmp_path: Path, kind: str) -> None:
    file = tmp_path / "paddock.db"
    with opened(file) as one:
        other = also_named(file, kind)
        with pytest.raises(CannotOpen, match="in use by another Paddock; stop that one first"):
            Database(str(other))
        process = subprocess.run(
            [sys.executable, str(APPENDING), str(other), "1", "1"],
            capture_output=True, text=True, timeout=60, check=False,
        )  # fmt: skip
        assert re.search("in use by another Paddock|has 2 names", process.stderr)
        assert write(one, store.add_bot, bot())
        assert read(one, store.find_bot, "rex") == bot()
    if kind == "symbolic":
        with opened(other) as later:
            assert read(later, store.find_bot, "rex") == bot()


def test_a_file_is_written_through_a_symbolic_link(tmp_path: Path) -> None:
    file = tmp_path / "paddock.db"
    with opened(file):
        pass
    other = also_named(file, "symbolic")
    with opened(other) as linked:

        async def waiting_for_the_disk() -> bool:
            return await linked.writer.write(lambda connection: store.add_bot(connection, bot()))

        assert asyncio.run(waiting_for_the_disk())
    with opened(file) as database:
        assert read(database, store.find_bot, "rex") == bot()


def test_a_file_with_two_names_is_refused(tmp_path: Path) -> None:
    """SQLite keeps the last writes of a killed server beside the one name that it used."""
    file = tmp_path / "paddock.db"
    with opened(file) as database:
        write(database, store.add_bot, bot())
    other = also_named(file, "hard")
    for name in (file, other):
        with pytest.raises(CannotOpen, match=r"has 2 names \(hard links\).*remove the others"):
            Database(str(name))
    other.unlink()
    with opened(file) as database:
        assert read(database, store.find_bot, "rex") == bot()


def test_others_read_while_one_writes(place: str) -> None:
    with opened(place) as writing, opened(place, reading=True) as reading:
        assert read(reading, store.find_bot, "rex") is None
        write(writing, store.add_bot, bot())
        assert read(reading, store.find_bot, "rex") == bot()
        with opened(place, reading=True) as another:
            assert read(another, store.find_bot, "rex") == bot()
    with opened(place, reading=True) as alone:
        assert read(alone, store.find_bot, "rex") == bot()


def test_who_reads_changes_nothing(place: str) -> None:
    with opened(place), opened(place, reading=True) as reading:
        with pytest.raises(DBAPIError, match=r"read.?only"):
            read(reading, store.add_bot, bot())
        with pytest.raises(CannotOpen, match="for reading only"):
            _ = reading.engine
        with pytest.raises(CannotOpen, match="for reading only"):
            _ = reading.writer
        assert read(reading, store.list_bots, "", 10) == []


def test_a_look_sees_one_moment(place: str) -> None:
    """A match that ends between two statements of a report is in both or in neither."""
    with opened(place) as database:

        def look(connection: Connection) -> tuple[int, int]:
            before = count(connection, "matches")
            write(database, store.add_matches, [new_match()])
            return before, count(connection, "seats")

        assert read(database, look) == (0, 0)
        assert read(database, count, "seats") == 3


def test_a_file_that_is_not_there_is_not_made_by_reading(tmp_path: Path) -> None:
    with pytest.raises(CannotOpen, match=r"there is no database .*none\.db; name a server's"):
        Database(str(tmp_path / "none.db"), reading=True)
    assert list(tmp_path.iterdir()) == []


def test_an_empty_server_is_not_filled_by_reading(postgresql_place: str) -> None:
    with pytest.raises(CannotOpen, match="is empty; start a server with it once to set it up"):
        Database(postgresql_place, reading=True)
    assert postgresql.tell(postgresql_place, "SELECT 1 FROM pg_tables WHERE tablename='bots'") == []


@pytest.mark.parametrize("reading", [False, True])
@pytest.mark.parametrize(
    ("named", "sentence"),
    [
        (NOWHERE, "postgresql://ada@127.0.0.1:1/paddock can't be opened .*refused.* server"),
        (f"{NOWHERE}?password=geheim", "can't be opened"),
        (f"{NOWHERE}?nonsense=geheim", 'invalid connection option "nonsense"'),
        ("postgresql://ada:ge@heim@127.0.0.1:1/x", "more than one @; write %40"),
        ("postgresql://ada:geheim@127.0.0.1:port/x", "is invalid; name a file, or"),
        ("postgres://ada:geheim@127.0.0.1:1/x", "kind postgres:// are not supported"),
        ("mysql://ada:geheim@127.0.0.1:1/x", "kind mysql:// are not supported"),
        ("postgresql+asyncpg://ada:geheim@127.0.0.1:1/x", "asyncpg:// are not supported"),
        ("sqlite://", "names no file"),
    ],
)
def test_what_can_not_be_opened_is_told_in_a_sentence_without_passwords(
    named: str, sentence: str, reading: bool
) -> None:
    with pytest.raises(CannotOpen, match=sentence) as refused:
        Database(named, reading=reading)
    said = str(refused.value)
    assert SECRET not in said
    assert "heim" not in said
    assert "\n" not in said
    assert refused.value.__cause__ is None  # nor would a log show what lies behind it


def test_a_password_that_a_driver_repeats_is_not_shown() -> None:
    address = address_of("postgresql://ada:geheim@host/x?password=schatz")
    said = address.reason(ValueError("'geheim' or 'schatz' is wrong\nby far"))
    assert said == "'***' or '***' is wrong"


def test_a_server_gets_the_password_and_what_else_was_said(tmp_path: Path) -> None:
    address = address_of("postgresql://ada:geheim@host:1234/x?connect_timeout=9&sslmode=require")
    assert address.url.password == SECRET
    assert address.url.query["connect_timeout"] == "9"
    assert address.url.query["sslmode"] == "require"
    assert address.shown == "postgresql://ada@host:1234/x"
    assert address_of(str(tmp_path / "a%20b?.db")).file == tmp_path / "a%20b?.db"


def test_a_database_without_room_for_all_names_is_refused(postgresql_server: str) -> None:
    narrow = "paddock_test_latin1"
    options = "ENCODING LATIN1 LOCALE 'C' TEMPLATE template0"
    postgresql.tell(postgresql_server, f"CREATE DATABASE {narrow} {options}")
    try:
        named = make_url(postgresql_server).set(database=narrow)
        with pytest.raises(CannotOpen, match=r"the encoding LATIN1, .* createdb --encoding UTF8"):
            Database(named.render_as_string(hide_password=False))
    finally:
        postgresql.tell(postgresql_server, f"DROP DATABASE {narrow} WITH (FORCE)")


def test_a_name_with_a_zero_byte_is_stored_and_found(place: str) -> None:
    """Bots say what version they are; whatever it is, their matches must end."""
    with opened(place) as database:
        write(database, store.add_bot, bot(version="1\0b"))
        found = read(database, store.find_bot, "rex")
        assert found is not None
        assert found.version in {"1\0b", "1\N{REPLACEMENT CHARACTER}b"}
        assert read(database, store.find_bot, "re\0x") is None


def test_gaps_in_the_journal_end_a_match_there(place: str) -> None:
    """A database server that crashed has lost what nobody waited for."""
    with opened(place) as database:
        new = [new_match(f"M{i}") for i in range(4)]
        whole, gap, headless, waiting = write(database, store.add_matches, new)
        for number in (whole, gap, headless):
            write(database, store.open_match, number, plan(), begun(plan()))
        kept = {whole: (0, 1, 2), gap: (0, 1, 3, 4, 7), headless: (1, 2), waiting: (0,)}
        for number, positions in kept.items():
            rows = [JournalRow(number, position, stepped(position)) for position in positions]
            write(database, store.append, rows)
    with opened(place) as database:
        left = {
            row.number: [event.step for event in events if isinstance(event, Stepped)]
            for row, events in read(database, store.unfinished)
        }
        assert left == {whole: [0, 1, 2], gap: [0, 1], headless: [], waiting: []}
        write(database, store.append, [JournalRow(gap, 2, stepped(2))])
        assert read(database, count, "journal") == 6


def test_who_has_no_event_loop_writes_until_there_is_a_writer(place: str) -> None:
    with opened(place) as database:
        assert database.write(lambda connection: store.add_bot(connection, bot()))
        for sync in (True, False):
            assert database.write(waits_for_disk, sync=sync) is sync

        async def with_writer() -> None:
            assert database.writer.waiting == 0
            with pytest.raises(CannotOpen, match="can't be written to from here"):
                database.write(waits_for_disk)

        asyncio.run(with_writer())
        with opened(place, reading=True) as reading:
            assert read(reading, store.find_bot, "rex") == bot()
            with pytest.raises(CannotOpen, match="can't be written to from here"):
                reading.write(waits_for_disk)
