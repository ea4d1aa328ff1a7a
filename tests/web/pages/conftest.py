"""A real Chromium, and pages that are opened in it as a person opens them."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from web.conftest import Dash

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
OPTIONS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
USUAL = {"width": 1280, "height": 720}
AXE = """async ([type, values]) => {
  const found = await axe.run(document, { runOnly: { type, values }, resultTypes: ["violations"] });
  return found.violations.map(each => `${each.id}: ${each.nodes.map(n => n.target).join(' ')}`);
}"""
LOST = re.compile("status of 4|net::ERR_(INCOMPLETE_CHUNKED|CONNECTION|EMPTY)")
"""What a browser says of refused requests, and of a server that went away."""
LEVELS = ["tag", ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]]
CONTRAST = ["rule", ["color-contrast", "link-in-text-block"]]
"""All that another colour scheme can change."""


class Chromium:
    """One browser for all tests of this folder, and its windows.

    A new window costs half a second of CPU, so they are handed on from test to test: empty, without
    cookies and of the usual size.
    """

    def __init__(self) -> None:
        self._play: Any = None
        self._browser: Any = None
        self._free: dict[str, list[Any]] = {}

    def window(self, options: dict[str, Any]) -> Any:
        """A tab in a context of its own that has these options."""
        if self._browser is None:
            self._start()
        free = self._free.get(repr(options), [])
        return free.pop() if free else self._browser.new_context(**options).new_page()

    def give_back(self, tab: Any, options: dict[str, Any]) -> None:
        """Leave a window to the next test as if nobody had used it."""
        if tab.is_closed():
            tab.context.close()
            return
        for other in tab.context.pages:
            if other is not tab:
                other.close()
        tab.goto("about:blank")
        tab.context.clear_cookies()
        tab.context.clear_permissions()
        self._free.setdefault(repr(options), []).append(tab)

    def close(self) -> None:
        """End the browser, and the event loop that runs as long as it does."""
        if self._browser is not None:
            self._browser.close()
            self._play.stop()
        self._play = self._browser = None
        self._free = {}

    def _start(self) -> None:
        sync = pytest.importorskip("playwright.sync_api")
        if CHROMIUM is None:
            pytest.skip("Chromium is not installed")
        self._play = sync.sync_playwright().start()
        self._browser = self._play.chromium.launch(executable_path=CHROMIUM, args=OPTIONS)


chromium = Chromium()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(nextitem: pytest.Item | None) -> Iterator[None]:
    """Close the browser before a test of another folder, which may need a loop of its own."""
    yield
    if nextitem is None or Path(__file__).parent not in nextitem.path.parents:
        chromium.close()


@pytest.fixture(scope="session")
def workshop(dashboards: Callable[..., Dash]) -> Dash:
    """A dashboard where everything is allowed, with tools of every kind and two calls."""
    found: Dash = dashboards("--allow-calls", "--allow-edits", tools=True)
    found.call(("search-architecture", {"query": "a"}), ("search-architecture", {"query": "b"}))
    return found


class Opened:
    """Signed-in pages of one test, whose errors are its failures."""

    def __init__(self) -> None:
        self._windows: list[tuple[Any, dict[str, Any]]] = []
        self._heard: list[tuple[Any, str, Callable[[Any], None]]] = []
        self.errors: list[str] = []

    def __call__(self, dash: Dash, path: str = "/calls", **options: Any) -> Any:
        """A page in a browser of its own."""
        tab = self.window(**options)
        self._visit(tab, dash, path)
        return tab

    def window(self, *, viewport: Any = None, color_scheme: str = "light", **options: Any) -> Any:
        """An empty page in a browser of its own."""
        tab = chromium.window(options)
        self._windows.append((tab, options))
        tab.context.set_default_timeout(20_000)
        tab.set_viewport_size(viewport or USUAL)
        tab.emulate_media(color_scheme=color_scheme)
        self._watch(tab)
        return tab

    def beside(self, context: Any, dash: Dash, path: str) -> Any:
        """One more tab of a browser."""
        tab = context.new_page()
        self._watch(tab)
        self._visit(tab, dash, path)
        return tab

    def _visit(self, tab: Any, dash: Dash, path: str) -> None:
        joint = "&" if "?" in path else "?"
        tab.goto(f"{dash.base}{path}{joint}token={dash.token}")

    def _watch(self, tab: Any) -> None:
        self.on(tab, "pageerror", lambda error: self.errors.append(str(error)))
        self.on(tab, "console", self._note)

    def on(self, tab: Any, event: str, heard: Callable[[Any], None]) -> None:
        """Listen to a page for as long as the test has it."""
        tab.on(event, heard)
        self._heard.append((tab, event, heard))

    def _note(self, line: Any) -> None:
        if line.type == "error" and not LOST.search(line.text):
            self.errors.append(line.text)

    def close(self) -> None:
        """Give everything back."""
        for tab, event, heard in self._heard:
            tab.remove_listener(event, heard)
        for tab, options in self._windows:
            chromium.give_back(tab, options)


@pytest.fixture
def opened() -> Iterator[Opened]:
    made = Opened()
    yield made
    made.close()
    assert made.errors == []


@pytest.fixture(scope="session")
def axe() -> Callable[..., list[str]]:
    """What axe-core finds wrong with a page, or with its colours alone."""
    package = pytest.importorskip("axe_playwright_python")
    script = Path(package.__file__).with_name("axe.min.js").read_text()

    def violations(tab: Any, *, colours: bool = False) -> list[str]:
        if not tab.evaluate("'axe' in window"):
            tab.evaluate(script)
        found: list[str] = tab.evaluate(AXE, CONTRAST if colours else LEVELS)
        return found

    return violations
