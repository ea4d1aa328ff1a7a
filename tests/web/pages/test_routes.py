"""What every page has: a frame, an address, JSON, a way for everybody to use it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest

FORM = {"Content-Type": "application/x-www-form-urlencoded"}
PAGES = (
    "/calls",
    "/tools",
    "/tools/shop_stock_count",
    "/decisions",
    "/decisions/0007",
    "/library",
    "/library?uri=architecture%3A%2F%2Fpatterns%2Frepository-pattern",
    "/rules?path=shop%2Fapp.py",
    "/patterns/repository-pattern",
    "/health",
    "/trust",
    "/approvals",
    "/nowhere",
)


def test_what_only_a_form_is_sent_to_is_not_allowed_by_get(dash: Any) -> None:
    """W, exactly: POST alone; by GET 405, which says how."""
    for path in (
        "/sign-in",
        "/tools/shop_stock_count/check",
        "/tools/shop_stock_count/call",
        "/decisions/check",
        "/patterns/repository-pattern/check",
        "/flags/colour",
    ):
        for method in ("GET", "HEAD", "PUT"):
            status, headers, _ = dash.ask(path, method=method)
            assert (status, headers["allow"]) == (405, "POST"), (path, method)
    for path, method in (("/calls", "PUT"), ("/calls/x", "DELETE"), ("/decisions.json", "POST")):
        status, headers, _ = dash.ask(path, method=method, headers=FORM, body="")
        assert (status, headers["allow"]) == (405, "GET, HEAD"), path
    assert dash.ask("/nowhere", method="POST", headers=FORM, body="")[0] == 404


def test_what_is_not_there_names_the_nearest_also_to_a_form(dash: Any) -> None:
    """W-6: 404 with the nearest names as links, the page's frame around it."""
    for path, near in (
        ("/tools/shop_stock_cont", "/tools/shop_stock_count"),
        ("/decisions/0070", "/decisions/0007"),
        ("/patterns/repository-patern", "/patterns/repository-pattern"),
    ):
        status, _, text = dash.ask(path)
        assert status == 404 and f'href="{near}"' in text and 'aria-label="Pages"' in text
    status, _, text = dash.ask("/tools/shop_stock_cont/check", method="POST", headers=FORM, body="")
    assert status == 404 and 'href="/tools/shop_stock_count"' in text
    assert json.loads(dash.ask("/decisions/0070.json")[2])["nearest"]


def test_every_page_is_json_too(dash: Any) -> None:
    """W-6: `.json` at the end of the path, before the question mark; the same numbers."""
    for path in PAGES[:-1]:
        page, mark, query = path.partition("?")
        status, headers, text = dash.ask(f"{page}.json{mark}{query}")
        assert status == 200 and headers["content-type"].startswith("application/json"), path
        json.loads(text)


def test_a_head_of_the_stream_ends(dash: Any) -> None:
    """W-6: whoever asks for headers alone is not kept."""
    status, headers, text = dash.ask("/calls/stream", method="HEAD")
    assert status == 200 and headers["content-type"].startswith("text/event-stream") and not text


def test_style_and_script_are_kept_for_a_year(dash: Any) -> None:
    """W-6: `/static/…`: immutable, by a hash in the name."""
    _, _, text = dash.ask("/calls")
    for name in re.findall(r'(?:href|src)="(/static/[^"]+)"', text):
        status, headers, _ = dash.ask(name, token=False)
        assert (status, headers["cache-control"]) == (200, "max-age=31536000, immutable")


def test_nobody_finds_a_barrier(opened: Any, workshop: Any, axe: Callable[..., list[str]]) -> None:
    """W-16: no violation of level A or AA, in light and in dark."""
    tab = opened(workshop)
    found = {}
    for path in PAGES:
        tab.emulate_media(color_scheme="light", reduced_motion="reduce")
        tab.goto(f"{workshop.base}{path}")
        found[path] = axe(tab)
        tab.emulate_media(color_scheme="dark", reduced_motion="reduce")
        found[f"{path} in the dark"] = axe(tab, colours=True)
    assert {path: each for path, each in found.items() if each} == {}


def test_nothing_scrolls_sideways_from_360_pixels_on(opened: Any, workshop: Any) -> None:
    """W-16: from 360 px width nothing scrolls sideways."""
    tab = opened(workshop, viewport={"width": 360, "height": 700})
    for path in (*PAGES, "/tools/check-adr-alignment"):
        tab.goto(f"{workshop.base}{path}")
        assert tab.evaluate("document.documentElement.scrollWidth") <= 360, path


def test_what_is_chosen_can_be_read_in_a_narrow_window(opened: Any, workshop: Any) -> None:
    """W-16: on a phone, or enlarged to twice the size, a select is more than its arrow."""
    tab = opened(workshop)
    widths = "[...document.querySelectorAll('.filters select')].map(each => each.offsetWidth)"
    for width in (320, 720):
        tab.set_viewport_size({"width": width, "height": 700})
        for path in ("/calls", "/decisions", "/health"):
            tab.goto(f"{workshop.base}{path}")
            found = tab.evaluate(widths)
            assert found and min(found) >= 80, (width, path)
            assert tab.evaluate("document.documentElement.scrollWidth") <= width, (width, path)


def test_without_script_pages_are_whole_and_have_no_dead_buttons(
    opened: Any, workshop: Any
) -> None:
    """W-6, W, exactly: without JavaScript no enabled button stands outside a form."""
    tab = opened(workshop, java_script_enabled=False)
    for path in PAGES:
        tab.goto(f"{workshop.base}{path}")
        assert tab.get_by_role("heading", level=1).count() == 1
        for button in tab.locator("button:not([disabled])").all():
            assert button.locator("xpath=ancestor::form | self::*[@form]").count(), path
        assert tab.get_by_role("navigation", name="Pages").get_by_role("link").count() == 5


def test_the_five_links_lead_to_the_pages_and_the_current_one_is_marked(
    opened: Any, dash: Any
) -> None:
    """W-6: names begin with Calls, Tools, Decisions, Library, Health; `aria-current`."""
    tab = opened(dash)
    for name in ("Tools", "Decisions", "Library", "Health", "Calls"):
        links = tab.get_by_role("navigation", name="Pages").get_by_role("link")
        links.filter(has_text=re.compile(f"^{name}")).click()
        tab.get_by_role("heading", level=1, name=name, exact=True).wait_for()
        current = tab.locator('nav [aria-current="page"]')
        assert current.count() == 1 and current.inner_text().startswith(name)
        assert tab.title() == f"{name} · shop · toolcrib"


@pytest.mark.parametrize("path", ["/calls", "/tools", "/decisions"])
def test_the_keyboard_leads_along_the_rows(opened: Any, workshop: Any, path: str) -> None:
    """W-16: `/` to the search box, `j`/`k` along rows; never while a field has the focus."""
    tab = opened(workshop, path)
    focused = "document.activeElement.getAttribute('href')"
    seen = []
    for key in ("j", "j", "k"):
        tab.keyboard.press(key)
        seen.append(tab.evaluate(focused))
    assert seen[0] == seen[2] != seen[1] and None not in seen
    tab.keyboard.press("/")
    tab.keyboard.type("j/k")
    assert tab.get_by_role("searchbox").input_value() == "j/k"


def test_no_other_host_is_ever_asked(opened: Any, dash: Any) -> None:
    """W-9: no other host is ever asked, no inline script or style, no `style=`."""
    asked: list[str] = []
    tab = opened(dash)
    opened.on(tab, "request", lambda request: asked.append(request.url))
    for path in PAGES:
        tab.goto(f"{dash.base}{path}")
        text = dash.ask(path)[2]
        assert " style=" not in text and "<style" not in text and "<script>" not in text
    assert {url for url in asked if not url.startswith(f"{dash.base}/")} == set()
