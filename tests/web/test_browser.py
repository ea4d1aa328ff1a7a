"""The page in a real Chromium, found by role and name as a person would."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest


@pytest.fixture
def page(browser: Any, dash: Any) -> Iterator[Any]:
    context = browser.new_context()
    tab = context.new_page()
    errors: list[str] = []
    tab.on("pageerror", lambda error: errors.append(str(error)))
    tab.on("console", lambda line: errors.append(line.text) if line.type == "error" else None)
    tab.goto(dash.told["url"])
    yield tab
    assert errors == []
    context.close()


def test_a_new_call_is_in_the_table_without_a_reload(page: Any, dash: Any) -> None:
    """W-10: live: a new line is in the table; status `live`."""
    status = page.get_by_role("status").filter(has_text="live")
    status.wait_for()
    dash.call(("search-architecture", {"query": "livetest"}))
    page.get_by_role("table", name="Calls").get_by_text("query=livetest").wait_for()


def test_a_row_opens_in_place_and_escape_closes_it(page: Any) -> None:
    """W-10, W-16: the tool's cell holds the link; region `Call`; Escape closes it."""
    page.get_by_role("link", name="climax_call").first.click()
    region = page.get_by_role("region", name="Call")
    region.wait_for()
    assert region.get_by_text("What the agent was told").count() == 1
    page.keyboard.press("Escape")
    region.wait_for(state="detached")


def test_pause_holds_new_calls_back(page: Any, dash: Any) -> None:
    """W-10: button Pause/Resume; new rows wait behind a button `1 new call`."""
    page.get_by_role("button", name="Pause").click()
    page.get_by_role("status").filter(has_text="paused").wait_for()
    dash.call(("search-architecture", {"query": "heldback"}))
    page.get_by_role("button", name="1 new call", exact=True).wait_for()
    assert page.get_by_text("query=heldback").count() == 0
    page.get_by_role("button", name="Resume").click()
    page.get_by_text("query=heldback").wait_for()


def test_the_keyboard_alone_suffices(page: Any) -> None:
    """W-16: `/` to the search box, never while a field has the focus; Enter filters."""
    page.keyboard.press("/")
    assert page.get_by_role("searchbox", name="Filter calls").evaluate(
        "each => each === document.activeElement"
    )
    page.keyboard.type("money/")
    page.keyboard.press("Backspace")
    page.keyboard.press("Enter")
    page.wait_for_url("**q=money**")
    assert page.get_by_role("table", name="Calls").get_by_role("link").count() >= 1


def test_arguments_are_checked_at_their_fields(page: Any, dash: Any) -> None:
    """W-11: every problem at its field (aria-invalid), in the words the agent would get."""
    page.goto(f"{dash.base}/tools/shop_stock_count")
    page.get_by_label("sku", exact=True).fill("mug-ink")
    page.get_by_label("pieces", exact=True).fill("900")
    page.get_by_role("button", name="Check arguments").click()
    page.get_by_text("must be at most 500").wait_for()
    field = page.get_by_label("pieces", exact=True)
    assert field.get_attribute("aria-invalid") == "true"
    page.get_by_role("button", name="As JSON").click()
    assert '"pieces": 900' in page.get_by_role("textbox", name="JSON").input_value()
    page.get_by_role("button", name="As form").click()
    page.get_by_role("button", name="Copy as command").click()
    command = page.get_by_role("textbox", name="Command").input_value()
    assert command == """toolcrib call shop_stock_count '{"sku":"mug-ink","pieces":900}'"""
    assert page.get_by_role("button", name="Call", exact=True).is_disabled()


def test_pages_are_whole_without_javascript_and_from_360_pixels_on(browser: Any, dash: Any) -> None:
    """W-6, W-16: each complete without JavaScript; nothing scrolls sideways from 360 px."""
    context = browser.new_context(java_script_enabled=False, viewport={"width": 360, "height": 700})
    tab = context.new_page()
    tab.goto(dash.told["url"])
    for path in ("calls", "tools", "decisions", "library", "health"):
        tab.goto(f"{dash.base}/{path}")
        assert tab.get_by_role("heading", level=1).count() == 1
        buttons = tab.locator("button:visible:not([disabled])")
        assert buttons.evaluate_all("all => all.every(each => each.closest('form'))")
    context.close()
    wide = browser.new_context(viewport={"width": 360, "height": 700})
    tab = wide.new_page()
    tab.goto(dash.told["url"])
    for path in ("calls", "tools", "decisions/0007", "library", "health"):
        tab.goto(f"{dash.base}/{path}")
        assert tab.evaluate("document.documentElement.scrollWidth") <= 360, path
    wide.close()
