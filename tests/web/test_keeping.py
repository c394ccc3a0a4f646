"""What is made once for all, and what a page's types promise."""

import asyncio
import math
import time
from typing import Any, Literal, NamedTuple

import pytest

from paddock_server.visitors.cache import Cache, noting_sources
from paddock_server.web.events import Notice, event
from paddock_server.web.shapes import plain, schema


def test_those_who_ask_at_the_same_time_get_the_same() -> None:
    async def ask() -> None:
        kept: Cache[int] = Cache(seconds=math.inf)
        made: list[int] = []
        go = asyncio.Event()

        async def make() -> int:
            await go.wait()
            made.append(len(made))
            return made[-1]

        asked = [asyncio.create_task(kept.get("one", make)) for _ in range(5)]
        await asyncio.sleep(0)
        go.set()
        assert await asyncio.gather(*asked) == [0] * 5
        assert await kept.get("one", make) == 0
        assert await kept.get("two", make) == 1

    asyncio.run(ask())


def test_what_failed_is_tried_again_and_what_is_old_is_made_again() -> None:
    async def ask() -> None:
        kept: Cache[int] = Cache(seconds=-math.inf, most=1)
        left = [ValueError("no")]

        async def make() -> int:
            if left:
                raise left.pop()
            return 7

        with pytest.raises(ValueError, match="no"):
            await kept.get("one", make)
        assert await kept.get("one", make) == 7
        left.append(ValueError("again"))
        assert await kept.get("two", lambda: asyncio.sleep(0, 8)) == 8  # which drives out the first
        with pytest.raises(ValueError, match="again"):
            await kept.get("one", make)

    asyncio.run(ask())


def test_a_notice_reaches_whoever_waits_and_whoever_comes_late() -> None:
    async def wait() -> None:
        notice = Notice()
        waiting = asyncio.create_task(notice.after(0, 60.0))
        await asyncio.sleep(0)
        notice.tell()
        assert await waiting
        assert await notice.after(0, 0.0)
        assert not await notice.after(1, 0.0)

    asyncio.run(wait())


def test_what_was_made_from_something_older_has_the_number_of_that() -> None:
    async def make_pages() -> None:
        notice = Notice(first=70)
        kept: Cache[int] = Cache(seconds=math.inf)

        async def number(key: str) -> int:
            """The number of changes that a page has which is made from this value."""
            with noting_sources() as sources:
                await kept.get(key, lambda: asyncio.sleep(0, 1))
            return notice.number_at(sources.oldest)

        assert await number("early") == 70
        notice.tell()
        assert await number("early") == 70  # the value was made before the change
        assert await number("late") == 71
        notice.tell()
        notice.tell()
        assert await number("late") < 73
        assert notice.number_at(time.monotonic()) == 73
        with noting_sources() as outer:
            now = outer.oldest
            assert await number("new") == 73
        assert outer.oldest == now  # what is noted inside is noted there alone

    asyncio.run(make_pages())


def test_who_waits_for_a_value_under_way_has_its_age() -> None:
    async def ask() -> None:
        kept: Cache[int] = Cache()
        go = asyncio.Event()

        async def make() -> int:
            await go.wait()
            return 1

        first = asyncio.create_task(kept.get("one", make))
        await asyncio.sleep(0)
        begun = time.monotonic()
        with noting_sources() as sources:
            go.set()
            await kept.get("one", make)
        await first
        assert sources.oldest <= begun

    asyncio.run(ask())


def test_an_event_is_one_line_of_data() -> None:
    assert event("table", "<p>\na\r\nb</p>") == "event: table\ndata: <p> a b</p>\n\n"


class _Inner(NamedTuple):
    """One of them."""

    name: str
    kind: Literal["a", "b"]


class _Outer(NamedTuple):
    """All of it."""

    some: tuple[_Inner, ...]
    pair: tuple[int, float]
    counts: dict[str, int]
    maybe: str | None
    whatever: Any


def test_values_and_their_schema_agree() -> None:
    value = _Outer((_Inner("x", "a"),), (1, 2.5), {"y": 3}, None, [True])
    assert plain(value) == {
        "some": [{"name": "x", "kind": "a"}], "pair": [1, 2.5], "counts": {"y": 3},
        "maybe": None, "whatever": [True],
    }  # fmt: skip
    named: dict[str, Any] = {}
    assert schema(_Outer, named) == {"$ref": "#/components/schemas/_Outer"}
    outer = named["_Outer"]
    assert outer["required"] == ["some", "pair", "counts", "maybe", "whatever"]
    assert outer["properties"]["some"]["items"] == {"$ref": "#/components/schemas/_Inner"}
    assert outer["properties"]["maybe"] == {"anyOf": [{"type": "string"}, {"type": "null"}]}
    assert named["_Inner"]["properties"]["kind"] == {"enum": ["a", "b"]}
    with pytest.raises(TypeError, match="has no JSON Schema"):
        schema(set, named)
