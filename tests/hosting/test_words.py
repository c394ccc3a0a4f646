"""What programs say arrives in parts, and of a flood only its beginning and its end."""

import asyncio

from paddock_server.hosting.words import Words
from paddock_server.store.submissions import LOG_LETTERS
from tests.hosting.handed_in import run


def _sent(*said: bytes) -> list[str]:
    parts: list[str] = []

    async def scene() -> None:
        words = Words(parts.append)
        for data in said:
            words.add(data)
            await asyncio.sleep(0)
        words.close()

    run(scene())
    return parts


def test_what_is_short_arrives_as_it_is() -> None:
    assert _sent(b"one\n", b"", b"two \xff\n") == ["one\ntwo \ufffd\n"]
    assert _sent() == []


def test_of_a_flood_the_beginning_and_the_end_arrive() -> None:
    parts = _sent(b"first", *(100 * [b"x" * 50_000]), b"last")
    text = "".join(parts)
    assert len(text) < LOG_LETTERS
    assert len(parts) == 3
    assert text.startswith("firstx")
    assert text.endswith("xlast")
    missing = 100 * 50_000 + len("firstlast") - text.count("x") - len("firstlast")
    assert f"\n... {missing:,} bytes are left out ...\n" in text


def test_what_is_just_too_long_misses_nothing() -> None:
    text = "".join(_sent(b"y" * 60_000))
    assert text == "y" * 60_000
