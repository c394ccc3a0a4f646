"""The rules pages: every game, format and option is told, and the pictures count right."""

import asyncio
import re
from typing import Any

import pytest

from paddock_games import GAMES
from paddock_games.dino_twist.material import EVENT_COPIES, SPECIES, TERRITORIES
from paddock_games.draftosaurus.material import (
    FACES,
    MEADOW_POINTS,
    PLOTS,
    PYRAMID_POINTS,
    ROW_POINTS,
)
from paddock_server.web.drawing import drawing_of, shores, zoos
from paddock_server.web.options import OPTIONS, UNDESCRIBED
from paddock_server.web.pages.rules import RulesPages, slug
from paddock_server.web.rendering import Templates
from paddock_server.web.visit import Visit


def _page(game: str) -> tuple[Any, str]:
    """The values and the HTML of a game's rules."""
    _, page = RulesPages().pages()
    visit = Visit({"game": slug(game)}, {}, f"/rules/{slug(game)}")

    async def look() -> Any:
        return await page.values(visit)

    values = asyncio.run(look())
    return values, Templates().page(page, visit, values).decode()


def _words(html: str) -> str:
    """What a reader sees of it."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", html.replace("<wbr>", "")))


@pytest.mark.parametrize("game", GAMES)
def test_every_format_and_every_option_is_told(game: str) -> None:
    values, html = _page(game)
    words = _words(html)
    for form in GAMES[game].formats:
        assert f" {form} " in words
    fields = GAMES[game].rules(None)._fields
    assert [each.option for each in values.options] == list(fields)
    for each in values.options:
        assert f" {each.option} " in words
        assert each.meaning != UNDESCRIBED, f"{each.option}: say what it does in web/options.py"
    assert "Nobody has written" not in words


def test_an_option_that_nobody_described_is_listed_all_the_same() -> None:
    assert set(OPTIONS) == set(GAMES)
    values, html = _page("draftosaurus")
    strange = values.options[0]._replace(option="of_tomorrow", meaning=UNDESCRIBED)
    _, page = RulesPages().pages()
    visit = Visit({"game": "draftosaurus"}, {}, "/rules/draftosaurus")
    written = Templates().page(page, visit, values._replace(options=(strange,))).decode()
    assert UNDESCRIBED in written
    assert UNDESCRIBED not in html


def test_every_pen_and_face_of_draftosaurus_is_drawn() -> None:
    _, html = _page("draftosaurus")
    sights = drawing_of("draftosaurus").sights()
    for name in (*FACES, *PLOTS, *(plot.name for side in PLOTS.values() for plot in side)):
        assert name == "RIVER" or html.count(str(sights[name])) == 1, name
    for board in PLOTS:
        holding = zoos.frame(board).seats[0]
        assert sum(len(place.stands) for place in holding.places) == 12
        assert sum(holding.parts.values()) == holding.total


def test_the_points_that_the_page_tells_are_those_of_the_rules() -> None:
    _, html = _page("draftosaurus")
    words = _words(html)
    for pen, points in (
        ("Forest of Sameness", ROW_POINTS),
        ("Well-ordered Wood", ROW_POINTS),
        ("Meadow of Differences", MEADOW_POINTS),
        ("Pyramid", PYRAMID_POINTS),
    ):
        assert f"{pen} {' '.join(map(str, points[1:]))} " in words
    parts = list(zoos.frame("SUMMER").seats[0].parts.values())
    pens = " + ".join(map(str, parts[:6]))
    total = f"{sum(parts)} points on the summer board: {pens} in its pens, {parts[6]} in the river"
    assert f"{total}, {parts[7]} for T-Rexes" in words


def test_every_species_territory_and_event_of_dino_twist_is_told() -> None:
    _, html = _page("dino_twist")
    words = _words(html)
    for name in (*SPECIES, *TERRITORIES):
        assert name.lower() in words.lower()
    copies = {**EVENT_COPIES, "METEOR": len(TERRITORIES), "FURY": len(SPECIES)}
    for event, count in copies.items():
        assert f"{event.replace('_', ' ').capitalize()} {count} " in words
    for picture in drawing_of("dino_twist").sights().values():
        assert str(picture) in html
    parts = shores.full().seats[0].parts
    told = re.search(
        r"(\d+) points for strengths, (\d+) .*?, (\d+) .*?, (\d+) for claws: (\d+)", words
    )
    assert told is not None
    assert list(map(int, told.groups())) == [*parts.values(), sum(parts.values())]
