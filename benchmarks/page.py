"""The page for people in a real Chromium, a blank page of the same server beside it, in one run.

    python benchmarks/page.py [--rounds 5] [--only load|tools|calls|flow|record|start] [--json FILE]

Every figure is a median over the rounds. Bytes are those on the wire with headers, as the browser
counts them; the stream of new calls is not among them. First paints are told as multiples of the
first paint of `/healthz`, which is two letters of plain text behind the same headers.
"""

from __future__ import annotations

import argparse
import contextlib
import http.client
import json
import os
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright
from protocol import Peer
from report import Report

SHOP = Path(__file__).parents[1] / "examples" / "shop"
TOOLCRIB = [sys.executable, "-m", "toolcrib"]
PAGES = ("calls", "tools", "decisions", "library", "health")
MANY_TOOLS, MANY_CALLS, MANY_DECISIONS = 10_000, 100_000, 1_000
PER_SECOND, SECONDS, STREAMS = 500, 20, 50
PART = 100
TEXT = (
    "list count show create remove deploy order invoice stock branch issue table row image log "
    "secret folder message channel event report price customer parcel refund shelf label"
)
WORDS = TEXT.split()
CALL = {"name": "tool_0001", "arguments": {"text": "hello"}}
OWN_TOOL = '''
from pydantic import Field
from toolcrib import ToolArguments

class Said(ToolArguments):
    text: str = Field(description="What to say")

@ToolArguments.declare
async def tool_0001(args: Said) -> str:
    """Say it"""
    return args.text
'''


def main() -> int:
    """Measure everything, or one part of it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", choices=sorted(PARTS))
    parser.add_argument("--json", type=Path, metavar="FILE")
    args = parser.parse_args()
    report = Report()
    with tempfile.TemporaryDirectory(prefix="toolcrib-page-") as name:
        os.environ["TOOLCRIB_TRUST"] = "all"
        for part, measure in PARTS.items():
            if args.only in (None, part):
                folder = Path(name) / part
                folder.mkdir()
                os.environ["TOOLCRIB_STATE"] = f"{name}/state of {part}"
                measure(report, folder, args.rounds)
    if args.json:
        args.json.write_text(json.dumps(report.rows, indent=1))
    return 0 if report.kept else 1


class Dash:
    """A dashboard process."""

    def __init__(self, project: Path, *words: str) -> None:
        command = [*TOOLCRIB, "dashboard", "--no-open", "--port", "0", "--json", *words]
        self.process = subprocess.Popen(
            command, cwd=project, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        assert self.process.stdout is not None
        told = json.loads(self.process.stdout.readline())
        self.url, self.port = told["url"], told["port"]
        self.base = f"http://127.0.0.1:{self.port}"
        self.bearer = {"Authorization": f"Bearer {self.url.split('token=')[1]}"}

    def seconds(self, path: str) -> float:
        """How long one answer takes, until its last byte."""
        link = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        begun = time.perf_counter()
        link.request("GET", path, headers={**self.bearer, "Accept-Encoding": "gzip"})
        answer = link.getresponse()
        answer.read()
        spent = time.perf_counter() - begun
        assert answer.status == 200, answer.status
        link.close()
        return spent

    def memory(self) -> float:
        """Its RSS in MB."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        line = next(line for line in status.splitlines() if line.startswith("VmRSS"))
        return int(line.split()[1]) / 1024

    def close(self) -> None:
        """End it as a person would."""
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(10)


@contextlib.contextmanager
def dashboard(project: Path, *words: str) -> Iterator[Dash]:
    """A dashboard that ends with the block."""
    made = Dash(project, *words)
    try:
        yield made
    finally:
        made.close()


@contextlib.contextmanager
def chromium() -> Iterator[Browser]:
    """A real browser."""
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield browser
        browser.close()


def signed_in(browser: Browser, dash: Dash) -> BrowserContext:
    """A browser with an empty cache that may look."""
    context = browser.new_context()
    context.request.get(dash.url)
    return context


def recorded_shop(folder: Path) -> Path:
    """A copy of the shop whose calls are recorded, with some calls."""
    project = Path(shutil.copytree(SHOP, folder / "shop"))
    subprocess.run([*TOOLCRIB, "calls", "--on"], cwd=project, check=True, capture_output=True)
    call(project, *[("search-architecture", {"query": word}) for word in WORDS])
    return project


def call(project: Path, *calls: tuple[str, dict[str, Any]]) -> None:
    """Calls by a client over a pipe."""
    peer = Peer([*TOOLCRIB, "serve"], project)
    peer.handshake()
    for name, arguments in calls:
        peer.ask("tools/call", {"name": name, "arguments": arguments})
    peer.close()


class Traffic:
    """What a page loads: requests and bytes, but for the stream of new calls."""

    def __init__(self, page: Page) -> None:
        self.sizes: dict[str, float] = {}
        self._streams: set[str] = set()
        session = page.context.new_cdp_session(page)
        session.send("Network.enable")
        session.on("Network.requestWillBeSent", self._sent)
        session.on("Network.loadingFinished", self._finished)

    def _sent(self, event: dict[str, Any]) -> None:
        if event["request"]["url"].partition("?")[0].endswith("/calls/stream"):
            self._streams.add(event["requestId"])
        else:
            self.sizes.setdefault(event["requestId"], 0.0)

    def _finished(self, event: dict[str, Any]) -> None:
        if event["requestId"] in self.sizes:
            self.sizes[event["requestId"]] = event["encodedDataLength"]

    @property
    def kilobytes(self) -> float:
        """Over the wire, in kB."""
        return sum(self.sizes.values()) / 1000


PAINT = """() => new Promise(done => {
  const found = () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime;
  const look = () => found() === undefined ? requestAnimationFrame(look) : done(found());
  look();
})"""


def loads(report: Report, folder: Path, rounds: int) -> None:
    """The first load of each page on the shop, with an empty cache."""
    with dashboard(recorded_shop(folder)) as dash, chromium() as browser:
        paints: dict[str, list[float]] = {name: [] for name in ("healthz", *PAGES)}
        traffic: dict[str, Traffic] = {}
        for at in range(rounds + 1):
            for name in paints:
                context = signed_in(browser, dash)
                page = context.new_page()
                traffic[name] = Traffic(page)
                page.goto(f"{dash.base}/{name}", wait_until="load")
                paint = page.evaluate(PAINT)
                page.wait_for_timeout(100)
                if at:  # the first round warms up
                    paints[name].append(paint)
                context.close()
        blank = statistics.median(paints["healthz"])
        report.add("first contentful paint of the blank page", blank, "ms")
        for name in PAGES:
            report.add(f"/{name}: over the wire", traffic[name].kilobytes, "kB", 40)
            report.add(f"/{name}: requests", len(traffic[name].sizes), "", 6)
            paint = statistics.median(paints[name]) / blank
            report.add(f"/{name}: first contentful paint beside it", paint, "x", 3)


# From the key to the frame that shows the answer, told by the page itself.
FILTER = """(box) => new Promise(done => {
  let begun = 0;
  box.addEventListener('keydown', () => { begun = performance.now(); }, {once: true});
  const seen = new MutationObserver(() => {
    seen.disconnect();
    requestAnimationFrame(() => setTimeout(() => done(performance.now() - begun)));
  });
  seen.observe(document.getElementById('groups'), {childList: true, subtree: true});
})"""
SCROLL = """(list) => new Promise(done => {
  const frames = [];
  let last = 0;
  const step = (now) => {
    if (last) frames.push(now - last);
    last = now;
    list.scrollTop += 997;
    if (frames.length < 150) requestAnimationFrame(step); else done(frames);
  };
  requestAnimationFrame(step);
})"""


def many_tools(folder: Path) -> Path:
    """A repository with ten thousand tools."""
    tools = folder / "climax"
    tools.mkdir(parents=True)
    (folder / "toolcrib.toml").write_text('[server]\npacks = ["climax"]\n')
    for part in range(MANY_TOOLS // PART):
        lines = [f"name: p{part}", "description: A program", "command: 'true'", "tools:"]
        for number in range(PART):
            words = [WORDS[(part * 7 + number * step) % len(WORDS)] for step in (1, 3, 5)]
            lines += [f"  - name: p{part}_{'_'.join(words)}_{number}"]
            lines += [f"    description: Program {part} can {' '.join(words)}"]
        (tools / f"p{part}.yaml").write_text("\n".join(lines) + "\n")
    return folder


def tools_by_the_thousand(report: Report, folder: Path, rounds: int) -> None:
    """Ten thousand tools: what is loaded, the search while it is typed, scrolling."""
    with dashboard(many_tools(folder)) as dash, chromium() as browser:
        dash.seconds("/tools")
        seen: dict[str, list[float]] = {key: [] for key in ("kB", "nodes", "filter", "frames")}
        for _ in range(rounds):
            context = signed_in(browser, dash)
            page = context.new_page()
            traffic = Traffic(page)
            page.goto(f"{dash.base}/tools", wait_until="load")
            page.locator(".windowed li a").first.wait_for()
            page.wait_for_timeout(200)
            seen["kB"].append(traffic.kilobytes)
            frames = page.locator(".windowed").first.evaluate(SCROLL)
            seen["frames"].append(sorted(frames)[int(len(frames) * 0.95)])
            seen["nodes"].append(page.evaluate("document.querySelectorAll('*').length"))
            box = page.get_by_role("searchbox", name="Search tools")
            for key in "orde":
                # In braces: what an expression returns would be waited for before the key.
                box.evaluate(f"(box) => {{ window.shown = ({FILTER})(box); }}")
                box.press(key)
                seen["filter"].append(page.evaluate("window.shown"))
            context.close()
    report.add("10,000 tools: over the wire", statistics.median(seen["kB"]), "kB", 150)
    report.add("10,000 tools: nodes", max(seen["nodes"]), "", 3000)
    report.add(
        "10,000 tools: filter shown after a key", statistics.median(seen["filter"]), "ms", 100
    )
    report.add(
        "10,000 tools: frame while scrolling, p95", statistics.median(seen["frames"]), "ms", 50
    )


def line(number: int, at: float) -> dict[str, Any]:
    """A call as the record has it."""
    word = WORDS[number % len(WORDS)]
    outcome = "ok" if number % 9 else ("failed", "invalid", "denied")[number % 3]
    told = None if outcome == "ok" else f"Argument 'query' must be a {word}"
    clock = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(at)) + f".{number % 1000:03d}+00:00"
    return {
        "time": clock, "caller": "stdio", "v": 2, "session": "5e55", "pid": 1,
        "client": {"name": ("codex", "cursor", "claude-code")[number % 3], "version": "2.1"},
        "tool": f"shop_{word}_{number % 40}", "arguments": {"query": f"{word} {number}"},
        "outcome": outcome, "duration_ms": number % 700 / 10, "id": f"{number:x}",
        "method": "tools/call", "parent": None, "error": told, "answer_chars": 400,
        "answer_tokens": 100, "refused_by": None, "place": None,
    }  # fmt: skip


def calls_by_the_thousand(report: Report, folder: Path, rounds: int) -> None:
    """A hundred thousand recorded calls: the first look, the next, and filters."""
    project = Path(shutil.copytree(SHOP, folder / "shop"))
    record = folder / "record.jsonl"
    begun = time.time() - MANY_CALLS
    texts = (json.dumps(line(number, begun + number)) for number in range(MANY_CALLS))
    record.write_text("\n".join(texts) + "\n")
    filters = (
        "q=order+7",
        "outcome=denied",
        "client=codex&q=shelf",
        "slower=60",
        "tool=shop_log_3",
    )
    seen: dict[str, list[float]] = {key: [] for key in ("first", "next", "filter", "memory")}
    for _ in range(rounds):
        with dashboard(project, "--audit", str(record)) as dash:
            seen["first"].append(dash.seconds("/calls"))
            seen["next"].append(dash.seconds("/calls"))
            seen["filter"] += [dash.seconds(f"/calls?{each}") for each in filters]
            seen["memory"].append(dash.memory())
    report.add("100,000 calls: first look", statistics.median(seen["first"]), "s", 1.5)
    report.add("100,000 calls: the next", statistics.median(seen["next"]) * 1000, "ms", 200)
    report.add("100,000 calls: slowest filter", max(seen["filter"]) * 1000, "ms", 300)
    report.add("100,000 calls: memory", max(seen["memory"]), "MB", 150)


ROW = """(words) => new Promise(done => {
  const there = () => document.querySelector('#calls').textContent.includes(words);
  if (there()) { done(Date.now()); return; }
  const seen = new MutationObserver(() => {
    if (there()) { seen.disconnect(); done(Date.now()); }
  });
  seen.observe(document.querySelector('#calls'), {childList: true, subtree: true});
})"""
REDRAWS = """() => {
  window.redraws = 0;
  let due = false;
  new MutationObserver(() => {
    if (!due) { due = true; requestAnimationFrame(() => { due = false; window.redraws += 1; }); }
  }).observe(document.querySelector('#calls tbody'), {childList: true});
}"""


def flow(report: Report, folder: Path, rounds: int) -> None:
    """New calls: until one is on the screen, many at once, many who listen."""
    project = recorded_shop(folder)
    (record,) = Path(os.environ["TOOLCRIB_STATE"]).glob("audit/*.jsonl")
    with dashboard(project) as dash, chromium() as browser:
        page = signed_in(browser, dash).new_page()
        page.goto(f"{dash.base}/calls")
        page.get_by_role("status").filter(has_text="live").wait_for()
        delays = [_until_shown(project, page, f"shown{number}") for number in range(rounds)]
        report.add("a call until it is on the screen", statistics.median(delays), "s", 1)
        listeners = [Listener(dash) for _ in range(STREAMS)]
        page.evaluate(REDRAWS)
        written = _written(record)
        redraws, rows = page.evaluate(
            "[window.redraws, document.querySelectorAll('#calls tbody tr').length]"
        )
        report.add(f"{PER_SECOND} lines a second: redraws a second", redraws / SECONDS, "", 4)
        report.add(f"{PER_SECOND} lines a second: rows in the page", rows, "", 500)
        found = page.request.get(f"{dash.base}/calls.json").json()["summary"]["calls"]
        missing = written + len(WORDS) + rounds - found
        report.add("… missing after a reload", abs(missing), "", 0)
        lost = [written - each.count(written) for each in listeners]
        report.add(f"{STREAMS} streams: lines that one did not get", max(lost), "", 0)


def _until_shown(project: Path, page: Page, word: str) -> float:
    """Seconds from the answer to a client until the page shows the call."""
    shown = page.evaluate_handle(f"(words) => {{ window.shown = ({ROW})(words); }}", word)
    peer = Peer([*TOOLCRIB, "serve"], project)
    peer.handshake()
    peer.ask("tools/call", {"name": "search-architecture", "arguments": {"query": word}})
    answered = time.time()
    spent = page.evaluate("window.shown") / 1000 - answered
    peer.close()
    shown.dispose()
    return max(spent, 0.0)


def _written(record: Path) -> int:
    """Append lines at a steady pace; returns how many."""
    begun, number = time.time(), 0
    with record.open("a") as end:
        while number < PER_SECOND * SECONDS:
            due = min(int((time.time() - begun) * PER_SECOND) + 1, PER_SECOND * SECONDS)
            for each in range(number, due):
                end.write(json.dumps({**line(each, time.time()), "id": f"flow{each}"}) + "\n")
            end.flush()
            number = max(number, due)
            time.sleep(0.02)
    return number


class Listener:
    """Somebody who listens to the stream and counts."""

    def __init__(self, dash: Dash) -> None:
        self._link = http.client.HTTPConnection("127.0.0.1", dash.port, timeout=60)
        self._link.request("GET", "/calls/stream", headers=dash.bearer)
        self._answer = self._link.getresponse()
        self._answer.readline()
        self._seen: set[bytes] = set()
        self._changed = threading.Condition()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        with contextlib.suppress(OSError, ValueError, AttributeError):
            while text := self._answer.readline():
                if text.startswith(b"id: flow"):
                    with self._changed:
                        self._seen.add(text)
                        self._changed.notify_all()

    def count(self, wanted: int) -> int:
        """How many calls it was told of, once they are all there or ten seconds have passed."""
        with self._changed:
            self._changed.wait_for(lambda: len(self._seen) >= wanted, timeout=10)
        return len(self._seen)


def own_tool(folder: Path, name: str, audit: str) -> Path:
    """A repository with one tool that costs next to nothing."""
    project = folder / name
    (project / "tools").mkdir(parents=True)
    (project / "tools" / "bench.py").write_text(OWN_TOOL)
    (project / "toolcrib.toml").write_text(f'[custom]\nmodules = ["tools/bench.py"]\n{audit}')
    return project


def record_cost(report: Report, folder: Path, rounds: int) -> None:
    """Processor time of a call with the record, against the same call without.

    Two processes of the same server differ by a quarter, whatever they do (where their pages lie,
    how their dictionaries are laid out): each round has new ones.
    """
    projects = {
        name: own_tool(folder, name, text)
        for name, text in (("off", ""), ("on", '[server]\naudit = "auto"\n'))
    }
    costs = []
    for _ in range(rounds * 2):
        peers = {name: Peer([*TOOLCRIB, "serve"], project) for name, project in projects.items()}
        for peer in peers.values():
            peer.handshake()
            _cpu(peer, 500)
        for _ in range(5):
            spent = {name: _cpu(peer, 200) for name, peer in peers.items()}
            costs.append(spent["on"] - spent["off"])
        for peer in peers.values():
            peer.close()
    report.add("the record, processor time per call", statistics.median(costs), "us", 45)


def _cpu(peer: Peer, calls: int) -> float:
    """Microseconds of the processor that a call takes the server, all its threads together."""
    before = _spent(peer)
    for _ in range(calls):
        answer = peer.ask("tools/call", CALL)
        assert answer["result"]["content"][0]["text"] == "hello", answer
    return (_spent(peer) - before) / calls / 1000


def _spent(peer: Peer) -> int:
    tasks = Path(f"/proc/{peer.process.pid}/task").iterdir()
    return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks)


def starts(report: Report, folder: Path, rounds: int) -> None:
    """A start over stdio with the record, against one without."""
    del rounds
    projects = {
        name: own_tool(folder, name, text)
        for name, text in (("off", ""), ("on", '[server]\naudit = "auto"\n'))
    }
    loaded = {name: _modules(project) for name, project in projects.items()}
    report.add("modules of the page in a start over stdio", len(_of_the_page(loaded["on"])), "", 0)
    report.add("modules that the record itself needs", len(loaded["on"] - loaded["off"]), "")
    times: dict[str, list[float]] = {name: [] for name in projects}
    for _ in range(21):
        for name, project in projects.items():
            peer = Peer([*TOOLCRIB, "serve"], project)
            peer.handshake()
            assert peer.ask("tools/list")["result"]["tools"]
            times[name].append(time.perf_counter() - peer.started)
            peer.close()
    more = statistics.median(times["on"]) / statistics.median(times["off"]) - 1
    report.add("start over stdio with the record, median of 21", more * 100, "%", 5)


def _modules(project: Path) -> set[str]:
    """The modules that a server has loaded once it has answered `tools/list` and one call."""
    command = [sys.executable, "-X", "importtime", "-m", "toolcrib", "serve"]
    asked = [
        {"method": "initialize", "params": {"protocolVersion": "2025-11-25", "capabilities": {}}},
        {"method": "tools/list", "params": {}},
        {"method": "tools/call", "params": CALL},
    ]
    text = "".join(
        json.dumps({"jsonrpc": "2.0", "id": at, **each}) + "\n" for at, each in enumerate(asked)
    )
    done = subprocess.run(
        command, cwd=project, input=text, capture_output=True, text=True, check=True
    )
    lines = [each for each in done.stderr.splitlines() if each.startswith("import time:")]
    return {each.rpartition("|")[2].strip() for each in lines}


def _of_the_page(modules: set[str]) -> list[str]:
    page = ("toolcrib.web", "jinja2", "markdown_it", "nh3", "starlette", "uvicorn")
    return [each for each in modules if each.startswith(page)]


def decisions_by_the_thousand(report: Report, folder: Path, rounds: int) -> None:
    """A thousand decisions on one page."""
    records = folder / "docs" / "adr"
    records.mkdir(parents=True)
    for number in range(1, MANY_DECISIONS + 1):
        word, before = WORDS[number % len(WORDS)], f"{number - 7:04d}"
        head = f"# {number}. Keep the {word} {number}\n\n- Status: accepted\n"
        date = f"- Date: 2024-01-{number % 28 + 1:02d}\n"
        link = f"\nSupersedes [ADR {before}]({before}-x.md)\n" if number % 9 == 8 else ""
        text = f"{head}{date}{link}\n## Decision\n\nWe keep the {word}.\n"
        (records / f"{number:04d}-x.md").write_text(text)
    with dashboard(folder) as dash:
        dash.seconds("/healthz")
        times = [dash.seconds("/decisions") for _ in range(rounds)]
    report.add("1,000 decisions: the first look at the page", times[0], "s")
    report.add("1,000 decisions: page", statistics.median(times), "s", 1)


PARTS: dict[str, Callable[[Report, Path, int], None]] = {
    "load": loads,
    "tools": tools_by_the_thousand,
    "calls": calls_by_the_thousand,
    "decisions": decisions_by_the_thousand,
    "flow": flow,
    "record": record_cost,
    "start": starts,
}

if __name__ == "__main__":
    sys.exit(main())
