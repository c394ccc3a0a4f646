"""What was acknowledged survives `kill -9`, though nobody waited for the disk."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from paddock_server.referee.events import Dealt
from paddock_server.store import store
from tests.store.opened import begun, new_match, opened, plan, read, write

APPENDING = Path(__file__).with_name("appending.py")


@pytest.mark.parametrize(("acknowledged", "group"), [(1, 1), (2, 7), (50, 1), (40, 7)])
def test_what_was_acknowledged_survives_the_death_of_the_process(
    place: str, acknowledged: int, group: int
) -> None:
    with opened(place) as database:
        (number,) = write(database, store.add_matches, [new_match()])
        write(database, store.open_match, number, plan(), begun(plan()))
    safe = 0
    command = [sys.executable, str(APPENDING), place, str(number), str(group)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for _ in range(acknowledged):
            safe = int(process.stdout.readline())
        process.send_signal(signal.SIGKILL)
        # What it managed to say before it died was a promise, too.
        for line in process.stdout.read().split("\n")[:-1]:
            safe = int(line)
    assert process.returncode == -signal.SIGKILL
    with opened(place) as database:  # at once: its lock is gone with it
        (left,) = read(database, store.unfinished)
        assert len(left.events) >= safe >= acknowledged * group
        assert len(left.events) % group == 0  # a group is kept whole or not at all
        assert left.events == [Dealt([f"{n}"]) for n in range(len(left.events))]
        if database.address.file:
            with database.engine.connect() as connection:
                assert connection.exec_driver_sql("PRAGMA integrity_check").scalar_one() == "ok"
