"""Library, patterns and rules in a real Chromium."""

from __future__ import annotations

import re
from typing import Any

import pytest

from support.waiting import until

CODE = """import sqlite3


class OrderRepository:
    def find(self, number):
        return sqlite3.connect("shop.db")
"""


@pytest.mark.parametrize("script", [True, False])
def test_documents_are_found_and_read(opened: Any, dash: Any, script: bool) -> None:
    """W-13: documents by kind, search with excerpt; a link with `raw` in its name."""
    tab = opened(dash, "/library", java_script_enabled=script)
    for kind in ("Guidelines", "Patterns", "Decisions"):
        assert tab.get_by_role("region", name=kind).get_by_role("link").count() > 0
    tab.get_by_role("searchbox", name="Search documents").fill("integer cents")
    tab.keyboard.press("Enter")
    tab.wait_for_url("**q=integer**")
    found = tab.get_by_role("region", name="Found")
    assert "cents" in found.get_by_role("listitem").first.inner_text()
    found.get_by_role("link").first.click()
    article = tab.get_by_role("article", name="Document")
    article.wait_for()
    address = article.get_by_role("link", name=re.compile("raw")).first.get_attribute("href")
    _, headers, text = dash.ask(address)
    assert headers["content-type"] == "text/plain; charset=utf-8" and text.startswith(("#", "---"))
    assert headers["x-content-type-options"] == "nosniff"
    # W-6: what was searched for is still there, for the next one that is found.
    assert found.get_by_role("link").count() > 1
    assert tab.get_by_role("searchbox", name="Search documents").input_value() == "integer cents"


@pytest.mark.parametrize("script", [True, False])
def test_code_is_checked_against_a_pattern(opened: Any, dash: Any, script: bool) -> None:
    """W-13: rules with severity, mode; violations at their lines, with rule, message and fix."""
    tab = opened(dash, "/patterns/repository-pattern", java_script_enabled=script)
    asks = tab.get_by_role("region", name="What it asks").inner_text()
    assert "mode: rules" in asks and "error" in asks and "repository-opens-no-connection" in asks
    tab.get_by_role("textbox", name="Code").fill(CODE)
    tab.get_by_role("combobox", name="Language").select_option("python")
    tab.get_by_role("button", name="Check", exact=True).click()
    violations = tab.get_by_role("list", name="Violations").get_by_role("listitem")
    texts = violations.all_inner_texts()
    assert any(text.startswith("line 6") for text in texts)
    assert any("Fix:" in text for text in texts)
    assert tab.locator("ol.code li.marked").evaluate_all("all => all.map(e => e.value)") == [6]
    assert tab.get_by_text("compliant", exact=True).count() == 0
    assert tab.get_by_role("textbox", name="Code").input_value() == CODE


def test_what_fits_is_compliant_and_nothing_to_check_says_so(opened: Any, dash: Any) -> None:
    """W, exactly: `compliant` exactly when the answer says so; mode none: `nothing to check`."""
    tab = opened(dash, "/patterns/repository-pattern")
    tab.get_by_role("textbox", name="Code").fill("# shop/other.py\nx = 1\n")
    tab.get_by_role("button", name="Check", exact=True).click()
    tab.get_by_text("compliant", exact=True).wait_for()
    tab.get_by_role("textbox", name="Code").fill("body { color: red }")
    tab.get_by_role("combobox", name="Language").select_option("css")
    tab.get_by_role("button", name="Check", exact=True).click()
    tab.get_by_text("nothing to check", exact=True).wait_for()


def test_too_much_code_is_told(dash: Any) -> None:
    """W-13: textbox Code, at most 50,000."""
    kind = {"Content-Type": "application/x-www-form-urlencoded"}
    path = "/patterns/repository-pattern/check"
    _, _, text = dash.ask(path, method="POST", headers=kind, body=f"code={'x' * 50_001}")
    assert "50,000" in text


@pytest.mark.parametrize("script", [True, False])
def test_a_path_has_its_rules(opened: Any, dash: Any, script: bool) -> None:
    """W-13: textbox Path, list Rules: what holds there, nearest first."""
    tab = opened(dash, "/rules", java_script_enabled=script)
    tab.get_by_role("textbox", name="Path").fill("shop/app.py")
    tab.keyboard.press("Enter")
    tab.wait_for_url("**path=shop**")
    rules = tab.get_by_role("list", name="Rules").get_by_role("listitem")
    assert "AGENTS.md" in rules.first.inner_text()
    tab.goto(f"{dash.base}/rules?path=..%2F..%2Fetc%2Fpasswd")
    assert tab.get_by_role("alert").count() == 1 or rules.count() == 0


def test_hostile_documents_are_text(opened: Any, dashboards: Any) -> None:
    """FAULTS: script, handlers, schemes, templates, bidi, 1 MB in one word: text; layout holds."""
    dash = dashboards()
    bad = "<script>alert(1)</script><img src=x onerror=alert(1)></textarea>{{7*7}}"
    folder = dash.project / "mcp" / "resources" / "patterns"
    (folder / "evil-pattern.md").write_text(
        f"# Evil {bad}\n\n[x](javascript:alert(1)) ![y](http://evil.example/y.png) {bad}\n\n"
        f"`a\u202eb` {'w' * 1_000_000}\n"
    )
    (dash.project / "mcp" / "resources" / "adr" / "0099-evil.md").write_text(
        f"# 99. {bad} {'w' * 4000}\n\n## Status\n\nAccepted. Supersedes ADR 15.\n"
    )
    until(lambda: "evil-pattern" in dash.ask("/library")[2])
    until(lambda: dash.ask("/decisions/0099")[0] == 200)
    tab = opened(dash, "/library", viewport={"width": 360, "height": 700})
    asked: list[str] = []
    opened.on(tab, "request", lambda request: asked.append(request.url))
    opened.on(tab, "dialog", lambda dialog: opened.errors.append("a dialog came up"))
    uri = "architecture%3A%2F%2Fpatterns%2Fevil-pattern"
    decisions = ("/decisions", "/decisions/0099", "/decisions/0015")
    patterns = ("/library", f"/library?uri={uri}", "/patterns/evil-pattern", "/library?q=evil")
    for path in (*patterns, *decisions):
        tab.goto(f"{dash.base}{path}")
        assert "{{7*7}}" in tab.get_by_role("main").inner_text()
        assert tab.locator("main img").count() == 0
        assert tab.evaluate("document.documentElement.scrollWidth") <= 360, path
    tab.goto(f"{dash.base}/library?uri={uri}")
    article = tab.get_by_role("article", name="Document").inner_text()
    assert "a⟨U+202E⟩b" in article and "longer than what is shown" in article
    assert {url for url in asked if not url.startswith(dash.base)} == set()


def test_a_long_list_has_pages(opened: Any, dashboards: Any) -> None:
    """W-6: complete without JavaScript: every document of a large library can be reached."""
    dash = dashboards()
    folder = dash.project / "many"
    folder.mkdir()
    for number in range(230):
        (folder / f"g{number}.md").write_text(f"# Guideline {number}\n\nText.\n")
    # All of them come at once: a part of them would have a second page, too.
    folder.rename(dash.project / "mcp" / "resources" / "guidelines" / "many")
    until(lambda: ">Next</a>" in dash.ask("/library")[2])
    tab = opened(dash, "/library", java_script_enabled=False)
    known = set(tab.get_by_role("region", name="Guidelines").get_by_role("link").all_inner_texts())
    with tab.expect_navigation():
        tab.get_by_role("link", name="Next").click()
    more = set(tab.get_by_role("region", name="Guidelines").get_by_role("link").all_inner_texts())
    assert len(known) == 200 and len(known | more) >= 230 and not known & more
