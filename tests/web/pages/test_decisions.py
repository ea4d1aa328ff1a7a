"""Decisions in a real Chromium: over time, one to read, a proposal to check."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from support.waiting import until


def items(tab: Any) -> Any:
    return tab.get_by_role("list", name="Decisions over time").get_by_role("listitem")


def test_the_list_is_in_order_with_what_was_left_struck_through(opened: Any, dash: Any) -> None:
    """W-12: id, title, status, date; superseded ones struck through by style."""
    tab = opened(dash, "/decisions")
    texts = items(tab).all_inner_texts()
    numbers = [re.search(r"\d{4}", text)[0] for text in texts]  # type: ignore[index]
    assert numbers == sorted(numbers) and len(numbers) == 15
    gone = items(tab).filter(has_text="superseded")
    lines = gone.get_by_role("link").evaluate_all(
        "all => all.map(each => getComputedStyle(each).textDecorationLine)"
    )
    assert lines and set(lines) == {"line-through"}
    arcs = tab.locator("svg title").all_text_contents()
    assert "0007 supersedes 0004" in arcs and any("relates to" in arc for arc in arcs)


def test_a_decision_is_read_beside_the_list(opened: Any, dash: Any) -> None:
    """W-12: article Decision: text, status as written, links both ways, file."""
    tab = opened(dash, "/decisions")
    items(tab).get_by_role("link", name="Store money as integer cents").click()
    article = tab.get_by_role("article", name="Decision")
    text = article.inner_text()
    assert "accepted" in text and "0007-store-money-as-integer-cents.md" in text
    assert "Floating point numbers must not be used for money" in text
    article.get_by_role("link", name=re.compile("^0004")).click()
    tab.wait_for_url("**/decisions/0004")
    assert "superseded by" in tab.get_by_role("article", name="Decision").inner_text()


@pytest.mark.parametrize("script", [True, False])
def test_filters_by_status_and_word(opened: Any, dash: Any, script: bool) -> None:
    """W-12: searchbox `Filter decisions`, select `Status`; in the address."""
    tab = opened(dash, "/decisions", java_script_enabled=script)
    tab.get_by_role("combobox", name="Status").select_option("superseded")
    if not script:
        tab.get_by_role("button", name="Filter", exact=True).click()
    tab.wait_for_url("**status=superseded**")
    assert items(tab).count() == 3
    tab.get_by_role("searchbox", name="Filter decisions").fill("decimal")
    tab.keyboard.press("Enter")
    tab.wait_for_url("**q=decimal**")
    assert items(tab).count() == 1


def test_a_decision_that_is_opened_leaves_the_list_as_it_was_filtered(
    opened: Any, dash: Any
) -> None:
    """W-6, W-12: state is in the address; a row opens beside the list that was asked for."""
    tab = opened(dash, "/decisions?status=superseded")
    items(tab).first.get_by_role("link").click()
    tab.get_by_role("article", name="Decision").wait_for()
    assert items(tab).count() == 3
    assert tab.get_by_role("combobox", name="Status").input_value() == "superseded"


@pytest.mark.parametrize("script", [True, False])
def test_a_proposal_is_compared_with_every_decision(opened: Any, dash: Any, script: bool) -> None:
    """W-12: form `Check a proposal`; conflicts first, each with its sentence, linked; recorded."""
    tab = opened(dash, "/decisions", java_script_enabled=script)
    form = tab.get_by_role("form", name="Check a proposal")
    form.get_by_role("textbox", name="Proposal").fill("Use floating point numbers for money")
    form.get_by_role("textbox", name="Context").fill("Totals of an order")
    form.get_by_role("button", name="Check", exact=True).click()
    answer = tab.get_by_role("region", name="Alignment")
    answer.wait_for()
    text = answer.inner_text()
    assert "conflicts" in text and "must not be used for money, not even for a moment" in text
    assert answer.get_by_role("link").first.get_attribute("href") == "/decisions/0007"
    assert tab.get_by_role("textbox", name="Context").input_value() == "Totals of an order"
    newest = dash.json("/calls.json")["calls"][0]
    assert newest["tool"] == "check-adr-alignment" and newest["client"]["name"] == "dashboard"


def test_what_is_too_long_or_empty_is_told(dash: Any) -> None:
    """W-12: Proposal at most 5,000, Context at most 2,000 characters."""
    kind = {"Content-Type": "application/x-www-form-urlencoded"}
    for body, words in (
        ("proposal=", "Write down"),
        (f"proposal={'x' * 5001}", "5,000"),
        (f"proposal=x&context={'x' * 2001}", "2,000"),
    ):
        _, _, text = dash.ask("/decisions/check", method="POST", headers=kind, body=body)
        assert words in text


def test_lint_stands_at_its_decision_and_one_that_cannot_be_read_is_marked_alone(
    opened: Any, dashboards: Any
) -> None:
    """W-12, FAULTS: findings at their decision; one that cannot be read; the list is whole."""
    dash = dashboards()
    folder: Path = dash.project / "mcp" / "resources" / "adr"
    wrong = folder / "0016-odd.md"
    wrong.write_text("# 16. Odd <script>alert(1)</script>\n\n## Status\n\nSuperseded by 0099\n")
    (folder / "0017-binary.md").write_bytes(b"# 17. Binary\n\xff\xfe\x00 rest\n")
    until(lambda: "0017-binary.md" in dash.ask("/decisions")[2])
    tab = opened(dash, "/decisions")
    odd = items(tab).filter(has_text="Odd <script>")
    assert "lint" in odd.inner_text() and items(tab).count() == 16
    broken = tab.get_by_role("region", name="Cannot be read").get_by_role("listitem")
    assert "0017-binary.md is not text" in broken.inner_text()
    tab.goto(f"{dash.base}/decisions/0016")
    assert "0099" in tab.get_by_role("article", name="Decision").inner_text()
    tab.goto(f"{dash.base}/library")
    assert tab.get_by_role("region", name="Cannot be read").count() == 1
