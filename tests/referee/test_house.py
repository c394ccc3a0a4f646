"""House bots: nobody foretells their choices, and a restart does not change them."""

from typing import Any

from paddock_games import Match, Seated, game_of
from paddock_games.chance import NO_NONCE
from paddock_server.referee.commands import Ask
from paddock_server.referee.house import House
from tests.referee.desk import Desk, opening

FORMAT = "two-player"


def match(seed: bytes = bytes(32), match_id: str = "M1") -> Match:
    seats = [Seated(bot, "", "paddock", NO_NONCE) for bot in ("rex", "house-random")]
    return Match(match_id, FORMAT, game_of(FORMAT).rules(None), seats, seed)


def asks() -> list[Ask]:
    """All asks of seat 1 in a match."""
    desk = Desk(opening(FORMAT, 2))
    desk.open()
    desk.written()
    desk.play_on()
    return [ask for ask in desk.every(Ask) if ask.seat == 1]


def choices(house: House, some: list[Ask]) -> list[Any]:
    return [house.choice(ask) for ask in some]


def test_who_sits_there() -> None:
    house = House(match())
    assert house.seats == {1}


def test_a_restart_changes_no_choice() -> None:
    every = asks()
    whole = choices(House(match()), every)
    for ask, choice in zip(every, whole, strict=True):
        assert choice in ask.legal
    half = len(every) // 2
    assert choices(House(match()), every[half:]) == whole[half:]
    assert [House(match()).choice(ask) for ask in every] == whole


def test_choices_follow_from_the_secret_seed() -> None:
    every = asks()
    mine = choices(House(match()), every)
    assert choices(House(match(seed=b"s" * 32)), every) != mine  # the id alone tells nothing
    assert choices(House(match(match_id="M2")), every) != mine  # nor does the sister match
