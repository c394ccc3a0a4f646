"""A tournament's folder in a real browser: from the disk, without a server or a network."""

from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.accessible import barriers
from tests.web.exported import contents_of
from tests.web.visitor import DESK, PHONE, strict_page

FORMATS = ("summer", "winter", "two-player")


def _reader(browser: Browser, folder: Path, **options: Any) -> AbstractContextManager[Page]:
    """A page of a browser without a network."""
    return strict_page(browser, folder.as_uri(), offline=True, **options)


def test_the_folder_is_read_in_a_browser_without_a_server(
    browser: Browser, published: Path
) -> None:
    with _reader(browser, published, **DESK) as page:
        page.goto((published / "index.html").as_uri())
        expect(page.locator("h1")).to_have_text("cup")
        tables = page.locator(".standings caption").all_inner_texts()
        assert tables == ["Standings", *(f"Standings of {each}" for each in FORMATS)]
        page.get_by_role("link", name="rex", exact=True).first.click()
        expect(page.locator("h1")).to_contain_text("rex in cup")
        page.locator("main").get_by_role("link", name="…").first.click()
        where = page.locator(".stage:visible .where")
        expect(where).to_have_text("Turn 12 of 12")
        # Totals before the last turn, and at the end.
        totals = page.locator(".stage:visible .total").all_inner_texts()
        points = page.locator(".result .points").all_inner_texts()
        assert totals[len(points) :] == points
        page.keyboard.press("Home")
        for turn in range(1, 12):
            expect(where).to_have_text(f"Turn {turn} of 12")
            page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowLeft")
        page.reload()  # a turn has its address here, too
        expect(where).to_have_text("Turn 11 of 12")
        page.locator(".stage:visible").get_by_role("button", name="Play").click()
        expect(where).to_have_text("Turn 12 of 12")
        page.get_by_role("link", name="Rules", exact=True).click()
        page.get_by_role("link", name="Draftosaurus").click()
        expect(page.locator("h1")).to_have_text("Draftosaurus")
        page.get_by_role("link", name="Paddock").click()
        expect(page.locator("h1")).to_have_text("cup")


def test_the_folder_can_be_read_without_a_script(browser: Browser, published: Path) -> None:
    with _reader(browser, published, java_script_enabled=False, **DESK) as page:
        page.goto((published / "matches.html").as_uri())
        page.locator("main").get_by_role("link", name="…").first.click()
        expect(page.locator(".stage:visible")).to_have_count(12)
        page.locator("#turn-4").get_by_role("link", name="Next turn").click()
        assert page.url.endswith("#turn-5")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_in_the_folder_is_in_anybodys_way(
    browser: Browser, published: Path, scheme: Any
) -> None:
    names = [name for name in contents_of(published) if name.endswith(".html")]
    replays = [name for name in names if name.startswith("matches/")]
    with _reader(browser, published, **PHONE) as page:
        page.emulate_media(color_scheme=scheme)
        for name in sorted({*names} - {*replays[1:]}):
            page.goto((published / name).as_uri())
            assert barriers(page) == [], name
