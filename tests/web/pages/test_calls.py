"""Calls in a real Chromium: what agents did, as it happens."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from support.waiting import until

HEADER = ["Time", "Client", "Tool", "Arguments", "Outcome", "ms"]


def record_of(dash: Any) -> Path:
    (file,) = Path(dash.env["TOOLCRIB_STATE"]).glob("audit/*.jsonl")
    return file


def line(id: str, **more: Any) -> str:
    """A call as the record has it."""
    clock = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime()) + ".250+00:00"
    given = {
        "time": clock, "caller": "stdio", "v": 2, "session": "5e55", "pid": 1, "tool": "a_tool",
        "client": {"name": "codex", "version": "1"}, "arguments": {"query": id}, "outcome": "ok",
        "duration_ms": 1.5, "id": id, "method": "tools/call", "parent": None, "error": None,
        "answer_chars": 4, "answer_tokens": 1, "refused_by": None, "place": None,
    }  # fmt: skip
    return json.dumps({**given, **more}) + "\n"


def write(dash: Any, *lines: str) -> None:
    with record_of(dash).open("a") as end:
        end.write("".join(lines))


@pytest.fixture(scope="module")
def recording(dashboards: Callable[..., Any]) -> Any:
    """A dashboard whose record these tests may fill."""
    dash = dashboards()
    dash.call(("search-architecture", {"query": "first"}))
    return dash


@pytest.fixture
def calls(recording: Any) -> Any:
    """The same with one call on record, whatever was there before."""
    record_of(recording).write_text(line("first", tool="first_tool"))
    return recording


def live(tab: Any) -> None:
    tab.get_by_role("status").filter(has_text=re.compile("^live$")).wait_for()


def rows(tab: Any) -> Any:
    return tab.get_by_role("table", name="Calls").get_by_role("row")


def test_the_table_has_its_columns_and_the_summary_its_words(opened: Any, dash: Any) -> None:
    """W-10: region Summary, the strip as an image in words, six columns."""
    tab = opened(dash)
    assert tab.get_by_role("columnheader").all_inner_texts() == HEADER
    summary = tab.get_by_role("region", name="Summary")
    assert "turned away" in summary.inner_text()
    name = summary.get_by_role("img").get_attribute("aria-label")
    assert re.match(r"\d+ calls over time: .*1 denied", name)
    assert tab.get_by_role("button", name="denied 1", exact=True).get_attribute("aria-pressed")
    for select in ("Client", "Tool", "Time"):
        assert tab.get_by_role("combobox", name=select, exact=True).count() == 1


def test_times_are_those_of_the_reader(opened: Any, dash: Any) -> None:
    """W-16: times in the reader's zone with the exact instant as `<time datetime>`."""
    tab = opened(dash, timezone_id="Asia/Tokyo")
    first = tab.locator("#calls time").first
    hour = (int(first.get_attribute("datetime")[11:13]) + 9) % 24
    assert re.fullmatch(rf"{hour:02}:\d\d:\d\d", first.inner_text())
    plain = opened(dash, java_script_enabled=False).locator("#calls time").first
    assert plain.get_attribute("datetime")[11:19] == plain.inner_text()


def test_filters_are_in_the_address_and_a_copied_link_shows_the_same(
    opened: Any, dash: Any
) -> None:
    """W-6, W-10: buttons, selects and words; Enter in the box filters by the words alone."""
    tab = opened(dash)
    tab.get_by_role("button", name=re.compile("^denied")).click()
    tab.wait_for_url("**outcome=denied**")
    assert rows(tab).count() == 2
    tab.get_by_role("combobox", name="Tool", exact=True).select_option("shop_stock_count")
    tab.wait_for_url("**tool=shop_stock_count**")
    assert "outcome=denied" in tab.url
    copied = opened(dash, tab.url.removeprefix(dash.base))
    assert rows(copied).count() == 2
    assert copied.get_by_role("button", name="denied 1").get_attribute("aria-pressed") == "true"
    tab.goto(f"{dash.base}/calls")
    tab.get_by_role("searchbox", name="Filter calls").fill("money search")
    tab.keyboard.press("Enter")
    tab.wait_for_url("**q=money**")
    assert "outcome" not in tab.url and rows(tab).count() == 2


def test_every_filter_of_an_address_can_be_seen_and_taken_back(opened: Any, calls: Any) -> None:
    """W-6, W-10: a copied link shows the same, and what it leaves out."""
    write(calls, line("slow", tool="slow_tool", duration_ms=900.0))
    address = "/calls?slower=500&since=90m&client=codex&tool=gone_tool&outcome=timeout"
    tab = opened(calls, address, java_script_enabled=False)
    shown = {
        name: tab.get_by_role("combobox", name=name, exact=True).input_value()
        for name in ("Client", "Tool", "Time")
    }
    assert shown == {"Client": "codex", "Tool": "gone_tool", "Time": "90m"}
    pressed = tab.get_by_role("button", name="timeout 0")
    assert pressed.get_attribute("aria-pressed") == "true"
    tab.goto(f"{calls.base}/calls?slower=500")
    assert rows(tab).count() == 2
    assert tab.get_by_text("Only calls of 500 ms or more").count() == 1
    with tab.expect_navigation():
        tab.get_by_role("link", name="show the others too").click()
    assert rows(tab).count() == 3


def test_only_a_call_of_a_tool_leads_to_its_form(calls: Any) -> None:
    """W-10: what read a document or a prompt has no form, and no link to one."""
    read = {"method": "resources/read", "tool": "architecture://guidelines/testing"}
    write(calls, line("read", **read), line("called", tool="shop_quote"))
    assert "Open in Tools" not in calls.ask("/calls/read")[2]
    assert "Open in Tools" in calls.ask("/calls/called")[2]


def test_a_row_opens_in_place_by_keys_alone(opened: Any, dash: Any) -> None:
    """W-10, W-16: Enter opens region Call, Escape closes it and leads back to the row."""
    tab = opened(dash)
    region = tab.get_by_role("region", name="Call", exact=True)
    for _ in range(2):
        tab.keyboard.press("j")
    row = tab.evaluate("document.activeElement.closest('tr').dataset.id")
    tab.keyboard.press("Enter")
    region.wait_for()
    for words in ("What the agent was told", "at most 500", "climax_call", "policy.yaml:", "Why"):
        assert words in region.inner_text()
    tab.keyboard.press("Tab")
    tab.keyboard.press("Escape")
    region.wait_for(state="detached")
    assert tab.evaluate("document.activeElement.closest('tr').dataset.id") == row
    tab.get_by_role("searchbox").focus()
    tab.keyboard.press("Escape")


def test_arguments_can_be_read_beside_an_open_call(opened: Any, calls: Any) -> None:
    """W-10, W-16: an open call leaves its row room for more than the first letters."""
    tab = opened(calls, viewport={"width": 1200, "height": 760})
    tab.get_by_role("link", name="first_tool").click()
    tab.get_by_role("region", name="Call", exact=True).wait_for()
    assert tab.get_by_role("columnheader").all_inner_texts() == HEADER
    assert tab.get_by_role("columnheader", name="Arguments").bounding_box()["width"] >= 100


def test_a_call_leads_to_the_form_filled_with_its_arguments(opened: Any, dash: Any) -> None:
    """W-10: link `Open in Tools` fills the form with these arguments."""
    tab = opened(dash)
    tab.get_by_role("link", name="shop_stock_count").click()
    tab.get_by_role("region", name="Call", exact=True).wait_for()
    tab.get_by_role("link", name="Open in Tools").click()
    tab.get_by_role("form", name="Arguments").wait_for()
    assert tab.get_by_label("pieces", exact=True).input_value() == "900"


def test_a_new_call_is_in_the_table_and_in_the_numbers(opened: Any, calls: Any) -> None:
    """W-10: live; the first call of an outcome brings its button, an unknown one by its name."""
    tab = opened(calls)
    live(tab)
    calls.call(("search-architecture", {"query": "livetest"}))
    tab.get_by_text("query=livetest").wait_for()
    write(calls, line("odd", outcome="postponed", tool="x‮y"))
    tab.get_by_role("button", name="postponed 1", exact=True).wait_for()
    tab.get_by_role("link", name="x⟨U+202E⟩y").wait_for()
    tab.get_by_role("button", name="all 3", exact=True).wait_for()
    assert rows(tab).count() == 4


def test_what_waits_stands_behind_a_button(opened: Any, calls: Any) -> None:
    """W-10: Pause and Resume; while somebody reads, `1 new call`, `N new calls`."""
    tab = opened(calls)
    live(tab)
    tab.get_by_role("button", name="Pause", exact=True).click()
    assert tab.get_by_role("status").inner_text() == "paused"
    write(calls, line("one"))
    tab.get_by_role("button", name="1 new call", exact=True).wait_for()
    write(calls, line("two"), line("three"))
    tab.get_by_role("button", name="3 new calls", exact=True).wait_for()
    assert rows(tab).count() == 2
    tab.get_by_role("button", name="Resume", exact=True).click()
    until(lambda: rows(tab).count() == 5)
    tab.get_by_role("link", name="a_tool").first.click()
    tab.get_by_role("region", name="Call", exact=True).wait_for()
    write(calls, line("four"))
    tab.get_by_role("button", name="1 new call", exact=True).click()
    until(lambda: rows(tab).count() == 6)
    assert tab.get_by_role("region", name="Call", exact=True).count() == 0


def test_filtered_rows_come_live_too_and_wait_as_well(opened: Any, calls: Any) -> None:
    """W-10: what fits the filters appears; what came during a pause is there after it."""
    tab = opened(calls, "/calls?client=cursor")
    live(tab)
    assert rows(tab).count() == 1
    write(calls, line("no"), line("yes", client={"name": "cursor"}))
    until(lambda: rows(tab).count() == 2)
    tab.get_by_role("button", name="Pause", exact=True).click()
    write(calls, line("later", client={"name": "cursor"}))
    tab.get_by_role("button", name="1 new call", exact=True).wait_for()
    tab.get_by_role("button", name="Resume", exact=True).click()
    until(lambda: rows(tab).count() == 3)


def test_an_answered_question_takes_the_place_of_the_asked_one(opened: Any, calls: Any) -> None:
    """W-3: what follows a question is one row with it; inner calls are shown as `↳ inner`."""
    tab = opened(calls)
    live(tab)
    write(calls, line("q1", outcome="asked"))
    until(lambda: rows(tab).count() == 3)
    write(calls, line("a1", parent="q1", arguments={"query": "answered"}))
    tab.get_by_text("query=answered").wait_for()
    write(calls, line("in", parent="out", tool="inner_one"), line("out", tool="climax_call"))
    tab.get_by_text("↳ inner_one").wait_for()
    assert rows(tab).count() == 4


def test_eight_tabs_of_one_browser_are_all_live(opened: Any, calls: Any) -> None:
    """W, exactly: tabs share one stream; one that comes later misses nothing, nor does the next
    when the first one closes."""
    first = opened(calls)
    tabs = [first, *(opened.beside(first.context, calls, "/calls") for _ in range(7))]
    for tab in tabs:
        live(tab)
    write(calls, line("all"))
    for tab in tabs:
        tab.get_by_text("query=all").wait_for()
    first.close()
    for tab in tabs[1:]:
        live(tab)
    write(calls, line("rest"))
    for tab in tabs[1:]:
        tab.get_by_text("query=rest").wait_for()
        assert rows(tab).count() == 4


def test_the_status_says_when_the_server_is_away(
    opened: Any, dashboards: Callable[..., Any]
) -> None:
    """W-10: status `live`, `paused` or `reconnecting`."""
    dash = dashboards()
    tab = opened(dash)
    live(tab)
    dash.stop()
    tab.get_by_role("status").filter(has_text="reconnecting").wait_for()


def test_an_open_page_finds_its_way_to_a_server_that_was_started_anew(
    opened: Any, dashboards: Callable[..., Any]
) -> None:
    """W-8, W-10: the token is another, so it says what to do, and goes on once that was done."""
    dash = dashboards()
    tab = opened(dash)
    live(tab)
    dash.stop()
    dash.start_again()
    notice = tab.get_by_role("alert").filter(has_text="Open the address that it printed")
    notice.wait_for()
    assert notice.get_by_role("link", name="sign in").get_attribute("href") == tab.url
    assert tab.get_by_role("status").inner_text() == "reconnecting"
    dash.call(("search-architecture", {"query": "meanwhile"}))
    opened.beside(tab.context, dash, "/tools")
    live(tab)
    tab.get_by_text("query=meanwhile").wait_for()
    assert notice.count() == 0


def test_older_calls_are_a_link_away(opened: Any, calls: Any) -> None:
    """W-10: newest first, 100 a page; links Newer and Older, also without JavaScript."""
    write(calls, *(line(f"n{number}") for number in range(150)))
    tab = opened(calls, java_script_enabled=False)
    assert rows(tab).count() == 101 and "query=n149" in rows(tab).nth(1).inner_text()
    tab.get_by_role("link", name="Older", exact=True).click()
    assert rows(tab).count() == 52 and "query=n49" in rows(tab).nth(1).inner_text()
    tab.get_by_role("link", name="Newer", exact=True).click()
    assert "query=n149" in rows(tab).nth(1).inner_text()
    status, headers, text = calls.ask("/calls.jsonl?q=n14")
    assert status == 200 and "attachment" in headers["content-disposition"]
    assert [json.loads(each)["id"] for each in text.splitlines()] == [
        "n14", *(f"n{number}" for number in range(140, 150)),
    ]  # fmt: skip


def test_nothing_recorded_says_how_to_begin(opened: Any, dashboards: Callable[..., Any]) -> None:
    """W-10: the sentence and the command; with a record that is still empty, neither."""
    recording = dashboards()
    text = opened(recording, java_script_enabled=False).get_by_role("main").inner_text()
    assert "Nothing has been called yet." in text and "not recorded" not in text
    (recording.project / "toolcrib.toml").write_text("")
    text = opened(recording, java_script_enabled=False).get_by_role("main").inner_text()
    assert "Calls are not recorded here." in text and "toolcrib calls --on" in text


def test_hostile_calls_are_text(opened: Any, calls: Any) -> None:
    """FAULTS: script, handlers, templates, bidi, a word of 60 kB: shown as text, layout holds."""
    bad = "</textarea><script>alert(1)</script><img src=x onerror=alert(1)>{{7*7}}‮"
    write(
        calls,
        line("evil", tool=bad, client={"name": bad}, error=bad, outcome="failed",
             arguments={bad: bad, "long": "w" * 60_000}),
    )  # fmt: skip
    tab = opened(calls, viewport={"width": 360, "height": 700})
    opened.on(tab, "dialog", lambda dialog: opened.errors.append("a dialog came up"))
    for path in ("/calls", "/calls/evil"):
        tab.goto(f"{calls.base}{path}")
        text = tab.get_by_role("main").inner_text()
        assert "{{7*7}}⟨U+202E⟩" in text and "<script>" in text
        assert tab.locator("main img").count() == 0
        assert tab.evaluate("document.documentElement.scrollWidth") <= 360
    assert "⟨U+202E⟩" in tab.title()
    tab.goto(f"{calls.base}/calls")
    boxes = [
        tab.get_by_label(name, exact=True).bounding_box() for name in ("Client", "Tool", "Time")
    ]
    assert len({box["y"] for box in boxes}) == 1, "a long name pushes the filters apart"
    links = tab.get_by_role("navigation", name="Pages").get_by_role("link").all()
    assert len({link.bounding_box()["y"] for link in links}) == 1, "the pages stand in one row"
