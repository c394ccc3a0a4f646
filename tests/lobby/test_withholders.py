"""Bots that announce nonces and do not send them cost others little, and not for long."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from paddock_games.chance import digest_of
from paddock_server.lobby.withholders import Withholders
from tests.lobby.playing import NONCE, PATIENT, Bot, Finished, running

HASTY = PATIENT._replace(nonce_wait=0.05)
DIGEST = digest_of(NONCE).hex()


class Watch:
    """A clock that moves when it is told to."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_two_late_nonces_in_an_hour_are_too_many() -> None:
    watch = Watch()
    office = Withholders(watch)
    office.note(["rex"])
    assert "rex" not in office
    watch.now += 3599
    office.note(["rex", "bob"])
    assert "rex" in office
    assert "bob" not in office
    watch.now += 2  # the first one is forgotten
    assert "rex" not in office
    office.note(["rex"])
    assert "rex" in office


def test_what_is_long_over_takes_no_room() -> None:
    watch = Watch()
    office = Withholders(watch)
    for number in range(100):
        office.note([f"bot-{number}"] * 3)
        watch.now += 100
    assert len(office._late) == 36


def late(record: Any, bot: str) -> bool:
    """Whether the record says that the nonce of a bot was late."""
    (seat,) = (seat for seat in record["seats"] if seat["bot"] == bot)
    return bool(seat.get("nonce_late", False))


@pytest.mark.parametrize("two_steps", [False, True])
def test_who_withholds_twice_is_taken_as_one_that_sends_none(
    tmp_path: Path, two_steps: bool
) -> None:
    async def main() -> None:
        async with running(tmp_path / "a.db", HASTY) as rooms:
            done = Finished(rooms.tables)
            Bot(rooms, "bob", most=1, commits=True)
            rex = Bot(rooms, "rex", most=1, nonces=True, commits=two_steps, withholds=True)
            await rooms.lobby.add_matches("two-player", ["rex", "bob"], 3)
            await done.wait(3)
            rex.leave()
            Bot(rooms, "rex", most=1, commits=True)  # a new session changes nothing
            await rooms.lobby.add_matches("two-player", ["rex", "bob"], 1)
            await done.wait(4)
            assert [late(record, "rex") for record in done.records] == [True, True, False, False]
            assert not any(late(record, "bob") for record in done.records)
            for number, record in enumerate(done.records):
                for seat in record["seats"]:
                    committed = seat["bot"] == "bob" or (two_steps and number < 2)
                    assert seat.get("nonce_digest") == (DIGEST if committed else None)
                    assert seat["nonce"] == (NONCE if seat["bot"] == "bob" else bytes(16)).hex()
            metrics = rooms.metrics.text().decode()
            assert "paddock_late_nonces_total 2.0" in metrics

    asyncio.run(main())
