"""A real Chromium, and pages that are opened in it as a person opens them."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from web.conftest import Dash, with_calls

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
OPTIONS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
AXE = """async ([type, values]) => {
  const found = await axe.run(document, { runOnly: { type, values } });
  return found.violations.map(each => `${each.id}: ${each.nodes.map(n => n.target).join(' ')}`);
}"""
LOST = re.compile("status of 4|net::ERR_(INCOMPLETE_CHUNKED|CONNECTION|EMPTY)")
"""What a browser says of refused requests, and of a server that went away."""
LEVELS = ["tag", ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]]
CONTRAST = ["rule", ["color-contrast", "link-in-text-block"]]
"""All that another colour scheme can change."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """For one module, since its event loop runs on until it is closed."""
    sync = pytest.importorskip("playwright.sync_api")
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed")
    with sync.sync_playwright() as play:
        started = play.chromium.launch(executable_path=CHROMIUM, args=OPTIONS)
        yield started
        started.close()


@pytest.fixture(scope="session")
def dash(dashboards: Callable[..., Dash]) -> Dash:
    """A dashboard with some calls on record, to which these tests add others."""
    return with_calls(dashboards())


@pytest.fixture(scope="session")
def workshop(dashboards: Callable[..., Dash]) -> Dash:
    """A dashboard where everything is allowed, with tools of every kind."""
    return dashboards("--allow-calls", "--allow-edits", tools=True)


class Opened:
    """Signed-in pages of one test, whose errors are its failures."""

    def __init__(self, browser: Any) -> None:
        self._browser = browser
        self._contexts: list[Any] = []
        self.errors: list[str] = []

    def __call__(self, dash: Dash, path: str = "/calls", **options: Any) -> Any:
        """A page in a browser of its own."""
        context = self._browser.new_context(**options)
        self._contexts.append(context)
        context.set_default_timeout(20_000)
        return self.beside(context, dash, path)

    def beside(self, context: Any, dash: Dash, path: str) -> Any:
        """One more tab of a browser."""
        tab = context.new_page()
        tab.on("pageerror", lambda error: self.errors.append(str(error)))
        tab.on("console", self._note)
        joint = "&" if "?" in path else "?"
        tab.goto(f"{dash.base}{path}{joint}token={dash.token}")
        return tab

    def _note(self, line: Any) -> None:
        if line.type == "error" and not LOST.search(line.text):
            self.errors.append(line.text)

    def close(self) -> None:
        """Close everything."""
        for each in self._contexts:
            each.close()


@pytest.fixture
def opened(browser: Any) -> Iterator[Opened]:
    made = Opened(browser)
    yield made
    made.close()
    assert made.errors == []


@pytest.fixture(scope="session")
def axe() -> Callable[..., list[str]]:
    """What axe-core finds wrong with a page, or with its colours alone."""
    package = pytest.importorskip("axe_playwright_python")
    script = Path(package.__file__).with_name("axe.min.js").read_text()

    def violations(tab: Any, *, colours: bool = False) -> list[str]:
        tab.evaluate(script)
        found: list[str] = tab.evaluate(AXE, CONTRAST if colours else LEVELS)
        return found

    return violations
