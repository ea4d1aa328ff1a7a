"""Tools in a real Chromium: what an agent sees, and a form for each tool."""

from __future__ import annotations

import json
import re
import shlex
from typing import Any

import pytest

from support.waiting import until

VALUES = {
    "word": "a 'quoted' \"word\"", "text": "two\nlines", "count": 7, "share": 0.25, "sure": True,
    "maybe": False, "quiet": True, "colour": "green", "level": 2, "tags": ["x", "y"],
    "more": {"deep": [1, None]}, "action": "go", "csrf": "mine",
}  # fmt: skip


def form_of(opened: Any, dash: Any, name: str, given: dict[str, Any] | None = None) -> Any:
    from urllib.parse import quote

    more = f"?arguments={quote(json.dumps(given))}" if given else ""
    return opened(dash, f"/tools/{quote(name, safe='')}{more}")


def press(tab: Any, name: str) -> None:
    tab.get_by_role("button", name=name, exact=True).click()


def result(tab: Any) -> Any:
    region = tab.get_by_role("region", name="Result")
    region.get_by_role("status").wait_for()
    return region


def typed_json(tab: Any) -> Any:
    return json.loads(tab.get_by_role("textbox", name="JSON", exact=True).input_value())


def test_each_way_of_discovery_shows_what_it_would_list(opened: Any, dash: Any) -> None:
    """W-11: group Discovery with three links, Context cost in tokens, groups of the list."""
    tab = opened(dash, "/tools")
    ways = tab.get_by_role("group", name="Discovery").get_by_role("link")
    assert ways.all_inner_texts() == ["default", "classic", "progressive"]
    totals = []
    for way in ("default", "classic", "progressive"):
        ways.filter(has_text=way).click()
        tab.wait_for_url(f"**discovery={way}")
        cost = tab.get_by_role("region", name="Context cost").inner_text()
        found = re.search(r"≈ ([\d,]+) tokens", cost)
        totals.append(int(found[1].replace(",", "")))
        tokens = dash.json(f"/tools.json?discovery={way}")["tokens"]
        assert tokens["total"] == totals[-1] == tokens["ways"][way]
    assert totals[2] < totals[0] < totals[1]
    assert tab.get_by_role("region", name="behind climax_search").count() == 1


def test_what_a_policy_turns_off_is_named_and_never_callable(opened: Any, dash: Any) -> None:
    """W-11: group `off by policy`: names and the deciding place."""
    tab = opened(dash, "/tools")
    off = tab.get_by_role("region", name="off by policy")
    assert re.search(r"shop_orders_\w+", off.inner_text()) and "policy.yaml:" in off.inner_text()
    assert off.get_by_role("link").count() == 0
    assert dash.ask("/tools/shop_orders_set-status")[0] == 404


def test_the_search_says_why_while_it_is_typed(opened: Any, dash: Any) -> None:
    """W-11: the order of climax_search, each result with its score, words and fields."""
    tab = opened(dash, "/tools")
    tab.get_by_role("searchbox", name="Search tools").press_sequentially("count stock")
    found = tab.get_by_role("region", name="found")
    tab.get_by_text("found for “count stock”").wait_for()
    first = found.get_by_role("listitem").first.inner_text().replace("\n", " ")
    assert first.startswith("shop_stock_count") and "count in name" in first
    assert "q=count+stock" in tab.url

    def in_order(tab: Any) -> bool:  # meanings are read in the background, and may come late
        tab.reload()
        given = dash.json("/tools.json?q=count%20stock")["tools"]
        links = tab.get_by_role("region", name="found").get_by_role("link")
        return bool(links.all_inner_texts() == [each["name"] for each in given])

    until(lambda: in_order(tab))
    plain = opened(dash, "/tools?q=count+stock", java_script_enabled=False)
    until(lambda: in_order(plain))


@pytest.mark.parametrize("script", [True, False])
def test_a_tool_that_is_opened_leaves_what_was_found_beside_it(
    opened: Any, dash: Any, script: bool
) -> None:
    """W-6, W-11: state is in the address: one result after another can be opened."""
    tab = opened(dash, "/tools?discovery=classic", java_script_enabled=script)
    tab.get_by_role("searchbox", name="Search tools").press_sequentially("count stock")
    if not script:
        tab.keyboard.press("Enter")
    found = tab.get_by_role("region", name="found")
    tab.get_by_text("found for “count stock”").wait_for()
    for name in ("shop_stock_count", "shop_stock_list"):
        found.get_by_role("link", name=name).click()
        tab.get_by_role("region", name="Tool", exact=True).get_by_text(name).first.wait_for()
        assert tab.get_by_role("searchbox", name="Search tools").input_value() == "count stock"
        chosen = tab.get_by_role("group", name="Discovery").locator("[aria-current]")
        assert chosen.inner_text() == "classic"


def test_every_kind_of_argument_has_its_control(opened: Any, workshop: Any) -> None:
    """W-11: a control's name is exactly the property's; defaults filled, required marked."""
    tab = form_of(opened, workshop, "every_kind")
    roles = {
        "word": "textbox", "text": "textbox", "count": "spinbutton", "share": "spinbutton",
        "sure": "checkbox", "maybe": "combobox", "quiet": "checkbox", "colour": "combobox",
        "level": "combobox", "tags": "textbox", "more": "textbox", "action": "textbox",
    }  # fmt: skip
    form = tab.get_by_role("form", name="Arguments")
    for name, role in roles.items():
        assert form.get_by_role(role, name=name, exact=True).count() == 1, name
    assert form.get_by_label("count", exact=True).input_value() == "3"
    assert form.get_by_label("text", exact=True).evaluate("each => each.tagName") == "TEXTAREA"
    assert form.get_by_label("word", exact=True).get_attribute("aria-required") == "true"
    assert form.get_by_label("colour", exact=True).locator("option").count() == 2
    assert form.get_by_label("maybe", exact=True).locator("option").first.inner_text() == ""


def test_a_call_says_exactly_what_the_form_says(opened: Any, workshop: Any) -> None:
    """W-11: every value as it was meant; outcome and ms, structured content; on record."""
    tab = form_of(opened, workshop, "every_kind", VALUES)
    press(tab, "As JSON")
    assert typed_json(tab) == VALUES
    press(tab, "As form")
    press(tab, "Call")
    region = result(tab)
    assert re.match(r"ok [\d.]+ ms", region.get_by_role("status").inner_text())
    assert json.loads(region.locator("pre").first.inner_text()) == VALUES
    assert "Structured content" in region.inner_text()
    newest = workshop.json("/calls.json")["calls"][0]
    assert newest["tool"] == "every_kind" and newest["arguments"] == VALUES
    assert newest["client"]["name"] == newest["caller"] == "dashboard"


def test_a_command_line_tool_is_called_as_an_agent_calls_it(opened: Any, workshop: Any) -> None:
    """W-11: `Call` runs every tool that has a form, through climax_call where clients have to."""
    tab = form_of(opened, workshop, "shop_report_bestsellers", {"limit": 2})
    press(tab, "Call")
    press(tab, "Call it")
    text = result(tab).inner_text()
    assert "plate-moon" in text and "isError" not in text
    assert result(tab).get_by_role("status").inner_text().startswith("ok")
    newest = workshop.json("/calls.json")["calls"][0]
    assert newest["tool"] == "climax_call" and newest["client"]["name"] == "dashboard"
    assert newest["arguments"]["tool_name"] == "shop_report_bestsellers"
    assert newest["arguments"]["args"]["limit"] == 2


def test_as_json_and_back_loses_nothing(opened: Any, workshop: Any) -> None:
    """W-11: button `As JSON` switches without loss: nulls, empty texts, long numbers, others."""
    tab = form_of(opened, workshop, "every_kind")
    odd = (
        '{"word": "", "share": null, "text": "a\\nb", "count": 12345678901234567890,'
        ' "tags": "no list", "level": 7, "else": {"x": 1.0}}'
    )
    press(tab, "As JSON")
    tab.get_by_role("textbox", name="JSON", exact=True).fill(odd)
    press(tab, "As form")
    press(tab, "As JSON")
    text = tab.get_by_role("textbox", name="JSON", exact=True).input_value()
    kept = json.loads(text)
    assert {key: kept[key] for key in json.loads(odd)} == json.loads(odd)
    assert "12345678901234567890" in text
    press(tab, "As form")
    tab.get_by_label("share", exact=True).fill("0.5")
    press(tab, "As JSON")
    assert typed_json(tab)["share"] == 0.5


def test_the_command_does_the_same(opened: Any, workshop: Any) -> None:
    """W-11: `toolcrib call NAME 'JSON'`, quoted for a shell; in the clipboard and in Command."""
    tab = form_of(opened, workshop, "every_kind", VALUES)
    tab.context.grant_permissions(["clipboard-read", "clipboard-write"])
    press(tab, "Copy as command")
    command = tab.get_by_role("textbox", name="Command", exact=True)
    until(lambda: tab.evaluate("navigator.clipboard.readText()") == command.input_value())
    words = shlex.split(command.input_value())
    assert words[:3] == ["toolcrib", "call", "every_kind"] and json.loads(words[3]) == VALUES


def test_every_problem_stands_at_its_field(opened: Any, workshop: Any) -> None:
    """W-11: aria-invalid, aria-describedby, the words the agent would get; no line is left."""
    before = workshop.json("/calls.json")["summary"]["calls"]
    for script in (True, False):
        tab = opened(workshop, "/tools/every_kind", java_script_enabled=script)
        tab.get_by_label("count", exact=True).fill("99")
        tab.get_by_label("tags", exact=True).fill("{}")
        press(tab, "Check arguments")
        for name in ("count", "tags", "word"):
            field = tab.get_by_label(name, exact=True)
            tab.locator(f"[name={name}][aria-invalid=true]").wait_for()
            told = field.get_attribute("aria-describedby").split()[-1]
            assert f"'{name}'" in tab.locator(f"#{told}").inner_text()
    assert workshop.json("/calls.json")["summary"]["calls"] == before


def test_what_writes_asks_once_more(opened: Any, workshop: Any) -> None:
    """W-11: dialog `Really call NAME?` with the arguments, the cautious button focused; a consent
    field is never prefilled."""
    given = {"name": "ink", "consent": "yes"}
    tab = form_of(opened, workshop, "writes_much", given)
    consent = tab.get_by_label("consent", exact=True)
    assert consent.input_value() == "" and tab.get_by_label("name", exact=True).input_value()
    consent.select_option("yes")
    for button in ("Do not call", "Call it"):
        press(tab, "Call")
        dialog = tab.get_by_role("dialog", name="Really call writes_much?")
        dialog.wait_for()
        assert '"name": "ink"' in dialog.inner_text()
        assert tab.evaluate("document.activeElement.textContent") == "Do not call"
        # Also behind the dialog: nothing runs that could be cancelled.
        assert tab.locator("button", has_text="Cancel").count() == 0
        dialog.get_by_role("button", name=button, exact=True).click()
        dialog.wait_for(state="detached")
        if button == "Do not call":
            assert workshop.json("/calls.json?tool=writes_much")["summary"]["calls"] == 0
    assert "written: ink" in result(tab).inner_text()


def test_without_script_a_page_asks_once_more(opened: Any, workshop: Any) -> None:
    """W, exactly: without JavaScript a page with that heading."""
    tab = opened(workshop, "/tools/writes_much", java_script_enabled=False)
    tab.get_by_label("name", exact=True).fill("paper")
    tab.get_by_label("consent", exact=True).select_option("yes")
    press(tab, "Call")
    tab.get_by_role("heading", name="Really call writes_much?").wait_for()
    press(tab, "Call it")
    assert "written: paper" in tab.get_by_role("region", name="Result").inner_text()


def test_an_argument_called_really_agrees_to_nothing(opened: Any, workshop: Any) -> None:
    """W-11: what is not read-only asks once more, whatever its arguments are called."""
    tab = opened(workshop, "/tools/writes_really", java_script_enabled=False)
    tab.get_by_label("really", exact=True).fill("yes")
    press(tab, "Call")
    tab.get_by_role("heading", name="Really call writes_really?").wait_for()
    assert workshop.json("/calls.json?tool=writes_really")["summary"]["calls"] == 0
    press(tab, "Call it")
    assert "written: yes" in tab.get_by_role("region", name="Result").inner_text()


def test_without_script_structured_content_is_a_tree_too(opened: Any, workshop: Any) -> None:
    """W-6, W-11: complete without JavaScript; text, structured content as a tree."""
    tab = opened(workshop, "/tools/search-architecture", java_script_enabled=False)
    tab.get_by_label("query", exact=True).fill("money")
    press(tab, "Call")
    text = result(tab).inner_text()
    assert "Structured content" in text and "relevance_score" in text


@pytest.mark.parametrize(
    ("tool", "words"),
    [("fails", "It does not work <b>at all</b>"), ("floods", "characters more are not shown")],
)
def test_a_bad_answer_is_plain_to_see(opened: Any, workshop: Any, tool: str, words: str) -> None:
    """W-11, FAULTS: fails, 4 MB: `isError` shown, cut with a word how much; the page is usable."""
    tab = form_of(opened, workshop, tool)
    press(tab, "Call")
    region = result(tab)
    assert words in region.inner_text()
    outcome = region.get_by_role("status").inner_text()
    assert outcome.startswith("failed" if tool == "fails" else "ok")


@pytest.mark.parametrize("leaving", [False, True])
def test_a_call_that_hangs_can_be_cancelled_or_left(
    opened: Any, workshop: Any, leaving: bool
) -> None:
    """W-11: button Cancel while it runs; leaving the page cancels; the record says so."""
    known = workshop.json("/calls.json?outcome=cancelled")["summary"]["calls"]
    tab = form_of(opened, workshop, "hangs")
    press(tab, "Call")
    cancel = tab.get_by_role("button", name="Cancel", exact=True)
    cancel.wait_for()
    if leaving:
        tab.goto(f"{workshop.base}/healthz")
    else:
        cancel.click()
        tab.get_by_text("Cancelled.").wait_for()
        assert cancel.count() == 0
    cancelled = "/calls.json?outcome=cancelled"
    until(lambda: workshop.json(cancelled)["summary"]["calls"] == known + 1)
    assert workshop.json(cancelled)["calls"][0]["error"] == "cancelled by the client"


def test_without_the_option_the_button_says_how(opened: Any, dash: Any) -> None:
    """W-11: `Call` runs only with --allow-calls; else the button is disabled and says how."""
    tab = opened(dash, "/tools/shop_stock_count")
    button = tab.get_by_role("button", name="Call", exact=True)
    assert button.is_disabled()
    told = button.get_attribute("aria-describedby")
    assert "--allow-calls" in tab.locator(f"#{told}").inner_text()


def test_a_script_with_the_token_is_not_asked_twice(workshop: Any) -> None:
    """W-9: a bearer without a cookie is a script; nobody is there to be asked."""
    kind = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"}
    given = 'arguments={"name": "script", "consent": "yes"}'
    path = "/tools/writes_much/call"
    status, _, text = workshop.ask(path, method="POST", headers=kind, body=given)
    assert status == 200 and json.loads(text)["result"]["text"] == "written: script"
