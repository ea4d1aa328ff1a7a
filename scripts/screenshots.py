"""Take the pictures of docs/dashboard.md in a real Chromium: docs/images/page-*.png.

    python scripts/screenshots.py [FOLDER]

A copy of the example shop is served to three clients that make the same calls each time; times and
process ids differ from run to run. The pictures are reduced to a palette, which makes them small.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).parents[1]
TARGET = ROOT / "docs" / "images"
TOOLCRIB = [sys.executable, "-m", "toolcrib"]
DESK, PHONE = {"width": 1440, "height": 900}, {"width": 400, "height": 860}
COLOURS = 256
CLIENTS = (("claude-code", "2.1.14"), ("cursor", "2.1"), ("codex", "0.63.0"))
CALLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("search-architecture", {"query": "how do we store money"}),
    ("guide_get_content", {"expression": "lang/python"}),
    ("shop_quote", {"sku": "mug-ink", "pieces": 3}),
    ("climax_search", {"query": "what is left on the shelf"}),
    ("climax_call", {"tool_name": "shop_stock_list", "args": {}}),
    ("search-architecture", {"query": "outbox", "max_results": 99}),
    ("climax_call", {"tool_name": "shop_report_revenue", "args": {"format": "csv"}}),
    ("check-adr-alignment", {"decision_description": "Render pages on the server again"}),
    ("climax_call", {"tool_name": "shop_orders_show", "args": {"order": 999999}}),
    ("guide_get_content", {"expression": "lang/pyhton"}),
    ("search-architecture", {"query": "errors", "max_results": 5}),
    ("climax_search", {"query": "refund"}),
)
DENIED = (
    "climax_call",
    {"tool_name": "shop_stock_count", "args": {"sku": "mug-ink", "pieces": 900}},
)


def main() -> int:
    """Take every picture."""
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else TARGET
    target.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="toolcrib-pictures-") as name:
        os.environ |= {"TOOLCRIB_STATE": f"{name}/state", "TOOLCRIB_TRUST": "all"}
        project = Path(shutil.copytree(ROOT / "examples" / "shop", Path(name) / "shop"))
        subprocess.run([*TOOLCRIB, "calls", "--on"], cwd=project, check=True, capture_output=True)
        with contextlib.ExitStack() as open_clients:
            clients = [open_clients.enter_context(connected(project, *each)) for each in CLIENTS]
            for each in clients:
                each.call(*DENIED)
            for at, call in enumerate(CALLS * 2):
                clients[at % len(clients)].call(*call)
            url = open_clients.enter_context(dashboard(project))
            with chromium() as browser:
                take(browser, url, target)
    return 0


def take(browser: Browser, url: str, target: Path) -> None:
    """One picture after the other."""
    base = url.partition("?")[0]
    with opened(browser, url, color_scheme="light", viewport=DESK) as page:
        one_call(page, base)
        save(page, target / "page-calls.png")
        page.goto(f"{base}tools/shop_stock_count?q=count+stock")
        page.get_by_label("sku", exact=True).fill("mug-ink")
        page.get_by_label("pieces", exact=True).fill("900")
        page.get_by_role("button", name="Check arguments").click()
        page.get_by_text("must be at most 500").wait_for()
        save(page, target / "page-tools.png")
        page.goto(f"{base}decisions")
        page.get_by_role("textbox", name="Proposal").fill("Use floating point numbers for money")
        page.get_by_role("button", name="Check").click()
        page.get_by_role("region", name="Alignment").wait_for()
        save(page, target / "page-proposal.png")
        page.goto(f"{base}decisions/0007")
        save(page, target / "page-decisions.png")
        page.goto(f"{base}health")
        page.get_by_role("region", name="Flags").wait_for()
        save(page, target / "page-health.png")
    with opened(browser, url, color_scheme="dark", viewport=DESK) as page:
        one_call(page, base)
        save(page, target / "page-calls-dark.png")
    with opened(browser, url, color_scheme="light", viewport=PHONE) as page:
        page.goto(f"{base}calls")
        page.get_by_role("status").filter(has_text="live").wait_for()
        save(page, target / "page-calls-phone.png")


def one_call(page: Page, base: str) -> None:
    """The calls, with one that a policy turned away."""
    page.goto(f"{base}calls")
    page.get_by_role("link", name="shop_stock_count").first.click()
    page.get_by_role("region", name="Call").wait_for()
    page.evaluate("scrollTo(0, 0)")


def save(page: Page, file: Path) -> None:
    """A picture of what is seen, with few colours."""
    page.mouse.move(0, 0)
    seen = Image.open(io.BytesIO(page.screenshot(animations="disabled"))).convert("RGB")
    few = seen.quantize(COLOURS, kmeans=2, dither=Image.Dither.NONE)
    few.save(file, optimize=True)
    print(f"wrote {file} ({file.stat().st_size / 1000:.0f} kB)")


class Client:
    """A client with a name, on a pipe to a server of its own."""

    def __init__(self, process: subprocess.Popen[bytes], name: str, version: str) -> None:
        self._process = process
        self._number = 0
        about = {"clientInfo": {"name": name, "version": version}, "capabilities": {}}
        self._ask("initialize", {"protocolVersion": "2025-11-25", **about})
        self._send({"method": "notifications/initialized"})

    def call(self, tool: str, arguments: dict[str, Any]) -> None:
        """Call a tool, and wait for its answer."""
        self._ask("tools/call", {"name": tool, "arguments": arguments})

    def _ask(self, method: str, params: dict[str, Any]) -> None:
        self._number += 1
        self._send({"id": self._number, "method": method, "params": params})
        while json.loads(self._process.stdout.readline()).get("id") != self._number:
            pass

    def _send(self, message: dict[str, Any]) -> None:
        self._process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        self._process.stdin.flush()


@contextlib.contextmanager
def running(project: Path, *words: str) -> Iterator[subprocess.Popen[bytes]]:
    """A command of toolcrib that ends with the block."""
    pipe = subprocess.PIPE
    process = subprocess.Popen(
        [*TOOLCRIB, *words], cwd=project, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL
    )
    try:
        yield process
    finally:
        process.terminate()
        process.wait(10)


@contextlib.contextmanager
def connected(project: Path, name: str, version: str) -> Iterator[Client]:
    """A client of a server that runs for as long as the block."""
    with running(project, "serve") as process:
        yield Client(process, name, version)


@contextlib.contextmanager
def dashboard(project: Path) -> Iterator[str]:
    """The address that opens the page."""
    with running(project, "dashboard", "--no-open", "--port", "0") as process:
        yield process.stdout.readline().decode().strip()


@contextlib.contextmanager
def chromium() -> Iterator[Browser]:
    """A real browser."""
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield browser
        browser.close()


@contextlib.contextmanager
def opened(browser: Browser, url: str, **options: Any) -> Iterator[Page]:
    """A signed-in page."""
    context = browser.new_context(**options, timezone_id="Europe/Berlin")
    page = context.new_page()
    page.goto(url)
    yield page
    context.close()


if __name__ == "__main__":
    raise SystemExit(main())
