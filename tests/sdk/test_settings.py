"""What a bot can't be run with, said before anything is tried."""

import asyncio
from typing import Any

import pytest

from paddock import Ask, Bot, play
from paddock.errors import BadSettings


class First(Bot):
    def choose(self, ask: Ask) -> Any:
        return ask.legal[0]


class OneString(First):
    formats = "winter"


@pytest.mark.parametrize(
    ("bot", "settings", "sentence"),
    [
        (First(), {"token": "snow\u2603"}, "token: it has invalid characters"),
        (First(), {"token": "two\nlines"}, "token: it has invalid characters"),
        (First(), {"max_matches": 0}, "max_matches: give 1 or more, not 0"),
        (OneString(), {}, r'formats: give a list, such as \("winter",\)'),
    ],
)
def test_what_a_bot_can_not_be_run_with(bot: Bot, settings: Any, sentence: str) -> None:
    with pytest.raises(BadSettings, match=sentence):
        asyncio.run(play(bot, "localhost:1", **settings))


def test_a_server_that_can_not_be_meant() -> None:
    with pytest.raises(BadSettings, match=r"^server: write HOST:PORT or https://HOST:PORT, not"):
        asyncio.run(play(First(), "ftp://arena:1"))
