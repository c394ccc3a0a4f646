"""A page of a browser that must not complain, nor ask anybody else for anything."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, Page, expect

expect.set_options(timeout=20_000)  # a guard, not a measure

DESK: dict[str, Any] = {"viewport": {"width": 1280, "height": 900}}
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True}


@contextmanager
def strict_page(browser: Browser, base: str, **options: Any) -> Iterator[Page]:
    """A page whose every request has to begin with `base`."""
    context = browser.new_context(base_url=base, **options)
    context.set_default_timeout(20_000)
    page = context.new_page()
    wrong: list[str] = []
    page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("requestfailed", lambda asked: wrong.append(f"{asked.url}: {asked.failure}"))
    page.on(
        "request", lambda asked: None if asked.url.startswith(base) else wrong.append(asked.url)
    )
    try:
        yield page
        # A page that is left ends its own streams and questions; that is no failure.
        assert [each for each in wrong if "ERR_ABORTED" not in each] == []
    finally:
        context.close()
