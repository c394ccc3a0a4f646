"""A bot's own dice: common where the server says so, and nobody else's."""

from typing import Any

import pytest

from paddock import Ask, Bot
from paddock.dice import Dice, match_seed
from tests.sdk import wire
from tests.sdk.referee import Referee, against


class Thrower(Bot):
    """Notes what it throws."""

    name = "thrower"

    def __init__(self) -> None:
        self.throws: list[float] = []

    def choose(self, ask: Ask) -> Any:
        self.throws += [ask.rng.random(), ask.rng.random()]
        return ask.legal[0]


def _throws(dice: bytes, seat: int = 0) -> list[float]:
    """What a bot throws in two decisions of a match with these dice."""
    bot = Thrower()

    async def script(referee: Referee) -> None:
        stream, _ = await referee.welcomed()
        state = wire.first_state("winter", 4)
        began = wire.started("M", state, seat)
        began.match_started.dice = dice
        stream.say(began)
        await stream.item("nonce")
        for ask_id in (1, 2):
            asked = wire.ask("M", ask_id, state, seat)
            stream.say(asked)
            await stream.item("choice")
            stream.say(asked)  # told again, as after a reconnect: nothing is thrown again
            await stream.item("choice")

    against(script, bot)
    return bot.throws


def test_the_same_dice_fall_alike_and_others_do_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PADDOCK_DICE_SECRET", "ours")
    throws = _throws(b"block")
    assert len(set(throws)) == 4  # every throw of every decision is another one
    assert _throws(b"block") == throws
    assert not set(throws).intersection(_throws(b"other block"), _throws(b"block", seat=1))
    monkeypatch.setenv("PADDOCK_DICE_SECRET", "theirs")
    assert not set(throws).intersection(_throws(b"block"))


def test_without_a_common_secret_nobody_can_foretell_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("PADDOCK_DICE_SECRET", raising=False)
    assert not set(_throws(b"block")).intersection(_throws(b"block"))


def test_every_part_of_the_seed_counts() -> None:
    seeds = {
        match_seed(secret, dice, seat)
        for secret in (b"a", b"b")
        for dice in (b"c", b"d")
        for seat in range(6)
    }
    assert len(seeds) == 24
    assert len({Dice(seed, turn).rng.random() for seed in seeds for turn in range(9)}) == 24 * 9


def test_an_ask_made_by_hand_has_dice_too() -> None:
    ask = Ask(1, None, None, (), 0, 0)  # type: ignore[arg-type]
    assert 0 <= ask.rng.random() < 1
