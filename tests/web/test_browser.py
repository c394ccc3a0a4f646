"""The pages in a real browser: on a desk and on a phone, by keyboard and by touch."""

import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from paddock_server.store import ratings
from tests.server.process import until
from tests.store.opened import opened, read
from tests.web.accessible import barriers
from tests.web.following import changes_now
from tests.web.played import INJECTED, STANDING, VERSION, Played
from tests.web.table import patient_table
from tests.web.visitor import DESK, PHONE, strict_page
from tests.web.waiting import waiting_cup

PAGES = (
    "/", "/ladder", "/ladder/two-player", "/ladder/two-player-winter",
    "/ladder?q=nobody", "/matches", "/matches/{match}",
    "/matches/{match}/turns/3", "/matches/{hidden}", "/live", "/live/{match}", "/tournaments",
    "/tournaments/cup", "/bots/evil", "/bots/rex?format=summer",
    "/bots/rex/against?other=dice&format=winter", "/matches/{twist}", "/matches/{twist}/turns/2",
    "/matches/{match}/turns", "/tournaments/cup/bots/rex", "/rules", "/rules/draftosaurus",
    "/rules/dino-twist", f"/ladder/{STANDING}/calibration", "/ladder/series/calibration",
)  # fmt: skip


def visitor(browser: Browser, played: Played, **options: Any) -> AbstractContextManager[Page]:
    """A page of the server."""
    return strict_page(browser, played.base, **options)


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_every_page_is_shown_without_a_complaint(
    browser: Browser, played: Played, size: dict[str, Any]
) -> None:
    with visitor(browser, played, **size) as page:
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            for address in PAGES:
                answer = page.goto(address.format(**played._asdict()))
                assert answer is not None
                assert answer.status == 200, address
                assert barriers(page) == [], address


def test_what_a_bot_calls_itself_stays_text(browser: Browser, played: Played) -> None:
    with visitor(browser, played, **DESK) as page:
        for address in ("/ladder/two-player", "/bots/evil", "/ladder?q=evil"):
            page.goto(address)
            expect(page.locator("main")).to_contain_text(INJECTED)
            expect(page.locator("main")).to_contain_text(VERSION)
            assert page.locator("main script, main img").count() == 0
            assert page.title() != "taken"


def test_a_replay_is_stepped_by_keyboard_and_every_turn_has_its_address(
    browser: Browser, played: Played
) -> None:
    with visitor(browser, played, **DESK) as page:
        page.goto(f"/matches/{played.match}/turns/1")
        where = page.locator(".where")
        expect(page.locator(".said").first).to_contain_text("no answer came in time")
        page.keyboard.press("ArrowRight")
        expect(where).to_have_text("Turn 2 of 12")
        assert page.url.endswith("/turns/2")
        shown = page.locator(".stage").inner_html()
        page.reload()
        expect(where).to_have_text("Turn 2 of 12")
        assert _still(page.locator(".stage").inner_html()) == _still(shown)
        page.keyboard.press("End")
        expect(where).to_have_text("Turn 12 of 12")
        totals = page.locator(".total").all_inner_texts()  # before the last turn, and at the end
        points = page.locator(".result .points").all_inner_texts()
        assert [int(each) for each in totals[len(points) :]] == [int(each) for each in points]
        before = [sum(map(int, each.split())) for each in totals[: len(points)]]
        assert before == [int(each) for each in points]  # with what the turn adds
        page.keyboard.press("ArrowLeft")
        expect(where).to_have_text("Turn 11 of 12")
        page.get_by_role("button", name="Play").click()
        expect(where).to_have_text("Turn 12 of 12")
        page.keyboard.press("Home")
        expect(where).to_have_text("Turn 1 of 12")


def _still(html: str) -> str:
    return html.replace(' hidden=""', "")


def test_a_replay_is_stepped_by_touch(browser: Browser, played: Played) -> None:
    with visitor(browser, played, **PHONE) as page:
        page.goto(f"/matches/{played.match}/turns/4")
        swipe = """([from, to]) => {
          const at = document.querySelector('.board');
          const touch = (x) => new Touch({identifier: 1, target: at, clientX: x, clientY: 300});
          at.dispatchEvent(new TouchEvent('touchstart', {bubbles: true, touches: [touch(from)]}));
          at.dispatchEvent(
            new TouchEvent('touchend', {bubbles: true, changedTouches: [touch(to)]}));
        }"""
        page.evaluate(swipe, [300, 100])
        expect(page.locator(".where")).to_have_text("Turn 5 of 12")
        page.evaluate(swipe, [100, 300])
        expect(page.locator(".where")).to_have_text("Turn 4 of 12")
        page.get_by_role("link", name="Next turn").tap()
        expect(page.locator(".where")).to_have_text("Turn 5 of 12")


def test_pages_can_be_read_without_a_script(browser: Browser, played: Played) -> None:
    with visitor(browser, played, java_script_enabled=False, **DESK) as page:
        page.goto(f"/matches/{played.match}/turns/2")
        page.get_by_role("link", name="Next turn").click()
        expect(page.locator(".where")).to_have_text("Turn 3 of 12")
        assert page.locator(".board").count() == 2
        expect(page.get_by_role("button", name="Play")).to_have_count(0)
        page.goto("/ladder")
        page.get_by_label("Bot or owner").fill("dice")
        page.get_by_role("button", name="Search").click()
        expect(page.locator(".ladder tbody tr")).to_have_count(1)
        page.get_by_role("link", name="dice").click()
        expect(page.locator("h1")).to_have_text("dice")
        page.get_by_role("textbox", name="Against").fill("rex")
        page.get_by_role("button", name="Compare").click()
        expect(page.locator("h1")).to_have_text("dice against rex")


def test_all_turns_on_one_page_are_stepped_like_a_replay(browser: Browser, played: Played) -> None:
    with visitor(browser, played, **DESK) as page:
        page.goto(f"/matches/{played.match}/turns#turn-3")
        where = page.locator(".stage:visible .where")
        expect(where).to_have_text("Turn 3 of 12")
        page.keyboard.press("ArrowRight")
        expect(where).to_have_text("Turn 4 of 12")
        assert page.url.endswith("/turns#turn-4")
        page.locator(".stage:visible").get_by_role("link", name="Next turn").click()
        expect(where).to_have_text("Turn 5 of 12")
        assert page.evaluate("document.activeElement.dataset.step") == "on"
        page.get_by_role("link", name="Skip to the content").press("Enter")
        expect(where).to_have_text("Turn 5 of 12")
        for odd in ("#turn-0", "#turn-99", "#turn-x", "#turn-1.5"):
            page.goto("about:blank")
            page.goto(f"/matches/{played.match}/turns{odd}")
            expect(where).to_have_count(1)
    with visitor(browser, played, java_script_enabled=False, **DESK) as page:
        page.goto(f"/matches/{played.match}/turns")
        expect(page.locator(".stage:visible")).to_have_count(12)
        page.locator("#turn-2").get_by_role("link", name="Next turn").click()
        assert page.url.endswith("#turn-3")


def test_a_rank_and_its_interval_stay_on_one_line(browser: Browser, played: Played) -> None:
    lines = "(all) => all.map((each) => each.getClientRects().length)"
    with visitor(browser, played, **PHONE) as page:
        for address in ("/", "/ladder", "/ladder/summer", "/bots/rex"):
            page.goto(address)
            found = page.locator(".rank").evaluate_all(lines)
            assert found, address
            assert set(found) == {1}, address


def test_the_rules_are_one_click_away(browser: Browser, played: Played) -> None:
    with visitor(browser, played, **PHONE) as page:
        for address, link, title in (
            ("/", "Draftosaurus", "Draftosaurus"),
            ("/", "Dino Twist", "Dino Twist"),
            ("/ladder/winter", "How it is played", "Draftosaurus"),
            (f"/matches/{played.twist}", "Dino Twist", "Dino Twist"),
            (f"/matches/{played.match}", "Rule options", "Draftosaurus"),
        ):
            page.goto(address)
            page.get_by_role("link", name=link, exact=True).click()
            expect(page.locator("h1")).to_have_text(title)


def test_a_match_is_watched_to_its_end_without_what_is_hidden(
    browser: Browser, played: Played
) -> None:
    with visitor(browser, played, **DESK) as page, patient_table(played.server) as table:
        page.goto("/live")
        page.locator(f'a[href="/live/{table.match}"]').click()
        expect(page.locator("[data-part=state]")).to_contain_text("Turn 1 of 12")
        assert page.locator(".hand").count() == 0
        table.step()  # they place
        expect(page.locator(".board use").first).to_be_attached()
        table.step()  # they remove
        expect(page.locator("[data-part=state]")).to_contain_text("Turn 2 of 12")
        assert page.locator(".hand").count() == 0
        answer = page.request.get(f"/api/matches/{table.match}").json()
        assert (answer["frame"], answer["fairness"], answer["published"]) == (None, None, False)
        while table.step():
            pass
        expect(page.locator("[data-part=state]")).to_contain_text("It is over")
        expect(page.locator("[data-part=state] .points")).to_have_count(2)
        page.get_by_role("link", name=re.compile("every turn")).click()
        expect(page.get_by_role("heading", name="Verify this deal")).to_be_visible()
        expect(page.locator(".badge.good")).to_have_text("checks out")


def test_a_standing_says_what_it_is_and_the_live_table_is_one_click_away(
    browser: Browser, played: Played
) -> None:
    with visitor(browser, played, **DESK) as page:
        page.goto(f"/ladder/{STANDING}")
        standings = page.locator("[data-part=standings]")
        expect(standings).to_contain_text(
            re.compile(r"Standing computed \d+ (s|min) ago from 20 matches; 0 newer")
        )
        expect(standings).to_contain_text(re.compile(r"Rating epoch 1 since \S+: beta 4.17"))
        expect(page.get_by_role("heading", name="Who is better than whom")).to_be_visible()
        cells = page.get_by_role("region", name="Who is better than whom").locator("td")
        chances = [cell for cell in cells.all_inner_texts() if "." in cell]
        assert sum(map(float, chances)) == pytest.approx(100.0, abs=0.11)
        page.get_by_role("link", name="live", exact=True).click()
        expect(standings).to_contain_text("The live table changes with each match")
        expect(page.get_by_role("columnheader", name="Trend")).to_be_visible()
        page.goto("/ladder/two-player")
        expect(standings).to_contain_text("No standing has been computed yet, so this is the live")


def test_the_ladder_keeps_itself_up_to_date_and_nobody_loses_their_place(
    browser: Browser, played: Played
) -> None:
    with visitor(browser, played, **DESK) as page, patient_table(played.server) as table:
        page.goto("/ladder/two-player?sort=bot")
        before = _matches(page)
        page.get_by_label("Bot or owner").fill("half a wo")
        page.get_by_role("link", name="rex", exact=True).focus()
        while table.step():
            pass
        expect(page.locator(".ladder tbody tr", has_text="calm").locator("td").nth(8)).to_have_text(
            str((before or 0) + 1)
        )
        assert page.get_by_label("Bot or owner").input_value() == "half a wo"
        assert page.evaluate("document.activeElement.textContent") == "rex"


def _matches(page: Page) -> int | None:
    """How many matches calm has played, according to the ladder."""
    row = page.locator(".ladder tbody tr", has_text="calm")
    return int(row.locator("td").nth(8).inner_text()) if row.count() else None


def _stored(played: Played) -> int:
    """How many matches calm has played, according to the database; a page may be a second old."""
    with opened(played.server.database, reading=True) as database:
        rows = read(database, ratings.standings, "two-player")
    return next((row.totals.matches for row in rows if row.bot == "calm"), 0)


def _play(played: Played) -> None:
    """Have calm play a match to its end."""
    with patient_table(played.server) as table:
        while table.step():
            pass


def _expect_matches(page: Page, number: int) -> None:
    row = page.locator(".ladder tbody tr", has_text="calm")
    expect(row.locator("td").nth(8)).to_have_text(str(number))


LISTENING = """
window.heard = 0;  // the number of the latest change
const Stream = window.EventSource;
window.EventSource = class extends Stream {
  constructor(address) {
    super(address);
    this.addEventListener("changed", (event) => { window.heard = Number(event.data); });
  }
};
"""


def test_a_change_before_the_page_could_follow_is_not_missed(
    browser: Browser, played: Played
) -> None:
    with visitor(browser, played, **DESK) as page:
        held = _held(page, "**/events*")  # the stream of this page comes late
        page.goto("/ladder/two-player?sort=bot")
        before = _stored(played)
        _play(played)
        _until(page, lambda: bool(held))
        held[0].continue_()
        _expect_matches(page, before + 1)


def test_a_change_while_the_page_is_fetched_is_not_missed(browser: Browser, played: Played) -> None:
    with visitor(browser, played, **DESK) as page:
        page.add_init_script(LISTENING)
        page.goto("/ladder/two-player?sort=bot")
        before = _stored(played)
        held = _held(page, "**/ladder/two-player*")
        _play(played)
        _until(page, lambda: bool(held))
        old = held[0].fetch()  # which the page gets when it has heard of the next change
        _play(played)
        _until_heard(page, changes_now(played.server))
        held[0].fulfill(response=old)
        page.unroute("**/ladder/two-player*")
        _expect_matches(page, before + 2)


def _held(page: Page, pattern: str) -> list[Route]:
    """The requests that a page makes from now on: they wait."""
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route(pattern, hold)
    return held


def _until_heard(page: Page, number: int) -> None:
    """Let the browser go on until the page has heard of a change."""
    _until(page, lambda: bool(page.evaluate("window.heard") >= number))


def _until(page: Page, ready: Callable[[], bool]) -> None:
    """Let the browser go on until something is so."""
    for _ in range(2_000):
        if ready():
            return
        page.wait_for_timeout(10)
    raise AssertionError("it never was")


def test_the_first_page_shows_a_match_as_it_begins_and_ends(
    browser: Browser, played: Played
) -> None:
    with visitor(browser, played, **DESK) as page:
        page.goto("/")
        heading = page.get_by_role("heading", name="Under way")
        expect(heading).to_have_count(0)
        with patient_table(played.server) as table:
            expect(heading).to_be_visible()
            while table.step():
                pass
            expect(heading).to_have_count(0)


def test_a_page_that_nobody_looked_at_catches_up(browser: Browser, played: Played) -> None:
    hide = "Object.defineProperty(document, 'hidden', { configurable: true, get: () => %s })"
    with visitor(browser, played, **DESK) as page:
        page.add_init_script(LISTENING)
        page.goto("/ladder/two-player?sort=bot")
        before = _stored(played)
        page.evaluate(hide % "true")
        _play(played)
        _until_heard(page, changes_now(played.server))
        page.evaluate(hide % "false")
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        _expect_matches(page, before + 1)


def test_a_page_that_somebody_comes_back_to_follows_again(browser: Browser, played: Played) -> None:
    turned = "window.dispatchEvent(new PageTransitionEvent('%s', { persisted: true }))"
    with visitor(browser, played, **DESK) as page:
        page.goto("/ladder/two-player?sort=bot")
        before = _stored(played)
        page.evaluate(turned % "pagehide")
        _play(played)
        page.evaluate(turned % "pageshow")
        _expect_matches(page, before + 1)


def _text(page: Page, tournament: str) -> str:
    """A tournament's page as it is now."""
    return page.request.get(f"/tournaments/{tournament}").text()


def test_a_tournament_that_waits_says_for_whom_as_it_changes(
    browser: Browser, played: Played
) -> None:
    with visitor(browser, played, **PHONE) as page, waiting_cup(played.server) as cup:
        # The desk looks once a second, and a page made before that waits for the next change.
        until("the desk has looked", lambda: "None of the bots" in _text(page, "waiting-cup"))
        page.goto("/tournaments/waiting-cup")
        expect(page.locator(".notice")).to_contain_text("None of the bots of 2 matches can play")
        expect(page.locator(".waiting li")).to_have_count(2)
        expect(page.locator(".waiting")).to_contain_text("slow is not connected since")
        assert barriers(page) == []
        cup.enter("slow", ["summer"])  # the page hears of it by itself
        expect(page.locator(".waiting")).to_contain_text("slow does not play two-player")
        cup.enter("late", ["two-player"])
        expect(page.locator(".notice")).to_have_text(
            "Nothing is being played: every match that could begin waits for a bot."
        )
        expect(page.locator(".waiting li")).to_have_count(1)
        expect(page.locator(".waiting li")).to_contain_text("decided without it from")
        expect(page.locator(".standings").first).to_contain_text("1=")
        page.emulate_media(color_scheme="dark")
        assert barriers(page) == []


def test_the_check_for_barriers_sees_them(browser: Browser) -> None:
    page = browser.new_page(viewport={"width": 390, "height": 844})
    try:
        page.set_content(
            """<html><body><main id="x"><h1>A</h1><h3 id="x">B</h3>
            <svg width="9" height="9"></svg><input><table><tr><th>C</th></tr></table>
            <p style="color: #999; background: #fff">D</p><div style="width: 900px">E</div>
            <button style="width: 9px; height: 9px; padding: 0">F</button></main></body></html>"""
        )
        found = "\n".join(barriers(page))
    finally:
        page.close()
    for wrong in (
        "no language", "no title", "skipped: <h3", "no label: <svg", "no name: <input",
        "no caption", "no scope", "an id is there twice", "too small for a finger: <button",
        "too little contrast: <p", "wide in 390",
    ):  # fmt: skip
        assert wrong in found
    assert found.count("too little contrast") == 1
