"""Other servers behind this one, beside a bare forwarder and other gateways, in one run.

    python benchmarks/gateway.py [--rounds 3] [--calls 300] [--tools 10000]
        [--only starts,calls,searches] [--json FILE]

All speak to the same server (`servers/floor.py`). The forwarder copies lines between two pairs of
pipes with asyncio and knows no protocol: nothing that stands between a client and a server can be
faster. FastMCP's proxy is measured where it is installed; mcp-compressor is installed into a folder
of its own below build/compare, where that can be done.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from gateways import compressed, environment
from protocol import INITIALIZE, Peer
from report import Report

HERE = Path(__file__).parent
FLOOR = [sys.executable, str(HERE / "servers" / "floor.py")]
FORWARDER = [sys.executable, str(HERE / "servers" / "forwarder.py"), *FLOOR]
FAST_PROXY = """
import sys
from fastmcp.server import create_proxy
config = {"mcpServers": {"floor": {"command": sys.argv[1], "args": sys.argv[2:]}}}
create_proxy(config).run(show_banner=False)
"""
GATEWAY = [sys.executable, "-m", "toolcrib", "serve", "gateway"]
TEXT = (
    "create list delete update issue repository branch file user comment search query table row "
    "schema calendar event message channel invoice order product deploy log metric alert secret "
    "key token page document folder image"
)
WORDS = TEXT.split()
QUICK = ("direct", "forwarder", "ours")


def project(folder: Path, servers: int) -> Path:
    """A repository with some servers."""
    (folder / "mcp").mkdir(parents=True)
    entry = {"command": FLOOR[0], "args": FLOOR[1:], "sandbox": "off"}
    named = {f"s{n}": {**entry, "args": [*FLOOR[1:], str(100 + n)]} for n in range(servers)}
    (folder / "mcp" / "servers.json").write_text(json.dumps({"mcpServers": named}))
    return folder


def refreshed(folder: Path) -> None:
    """Have every server asked once, so that its catalogue is there."""
    command = [sys.executable, "-m", "toolcrib", "servers", "refresh", "--project", str(folder)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def greeted(command: list[str], cwd: Path | None = None) -> Peer:
    """A server that has answered its handshake."""
    peer = Peer(command, cwd)
    peer.handshake()
    return peer


def start(command: list[str], cwd: Path | None) -> float:
    """Milliseconds from spawn to the first `tools/list`."""
    peer = greeted(command, cwd)
    assert peer.ask("tools/list")["result"]["tools"]
    spent = time.perf_counter() - peer.started
    peer.close()
    return spent * 1000


def call_of(name: str) -> dict:
    return {"name": name, "arguments": {"text": "hello"}}


def through(server: str) -> dict:
    args = {"tool_name": f"{server}__tool_0000", "args": {"text": "hello"}}
    return {"name": "climax_call", "arguments": args}


def latency(peer: Peer, params: dict, calls: int) -> float:
    """The median of sequential calls, in microseconds."""
    times = []
    for _ in range(calls):
        begun = time.perf_counter()
        answer = peer.ask("tools/call", params)
        times.append(time.perf_counter() - begun)
        assert answer["result"]["content"][0]["text"] == "hello", answer
    return statistics.median(times) * 1e6


def throughput(peer: Peer, params: dict, calls: int) -> float:
    """Calls per second with fifty of them on their way."""
    begun = time.perf_counter()
    for number in range(50):
        peer.send(10_000 + number, "tools/call", params)
    for number in range(calls):
        peer.take()
        peer.send(20_000 + number, "tools/call", params)
    for _ in range(50):
        peer.take()
    return (calls + 50) / (time.perf_counter() - begun)


def children(pid: int) -> int:
    """How many processes a process has below it, but for its own supervisors."""
    found = 0
    for task in Path(f"/proc/{pid}/task").iterdir():
        for child in (task / "children").read_text().split():
            words = Path(f"/proc/{child}/cmdline").read_bytes()
            found += (b"floor.py" in words) + children(int(child))
    return found


def starts(report: Report, folder: Path, rounds: int) -> None:
    """A start with ten servers in the catalogue, beside the floor."""
    times: dict[str, list[float]] = {"floor": [], "ours": []}
    for _ in range(rounds):
        times["floor"].append(start(FLOOR, None))
        times["ours"].append(start(GATEWAY, folder))
    floor, ours = (statistics.median(times[name]) for name in ("floor", "ours"))
    report.add("spawn to tools/list with ten servers", ours, "ms")
    report.add("… beside the floor", ours / floor, "x", 2.0)


def peers() -> dict[str, tuple[list[str], dict]]:
    """The other gateways that can be had here, and how the tool is called through each."""
    found: dict[str, tuple[list[str], dict]] = {}
    if importlib.util.find_spec("fastmcp"):
        command = [sys.executable, "-c", FAST_PROXY, *FLOOR]
        found["FastMCP's proxy"] = (command, call_of("tool_0000"))
    programs = environment("mcp-compressor")
    if programs is None:
        print("mcp-compressor could not be installed, and is not measured")
    else:
        command = [str(programs / "mcp-compressor"), "--server-name", "floor", "--", *FLOOR]
        name, arguments = compressed("floor", "tool_0000")
        call = {"name": name, "arguments": arguments({"text": "hello"})}
        found["mcp-compressor"] = (command, call)
    return found


def calls(report: Report, folder: Path, rounds: int, count: int) -> None:
    """Calls through climax_call, through a forwarder and through others, interleaved."""
    gates: dict[str, tuple[Peer, dict]] = {
        "direct": (greeted(FLOOR), call_of("tool_0000")),
        "forwarder": (greeted(FORWARDER), call_of("tool_0000")),
        "ours": (greeted(GATEWAY, folder), through("s0")),
    }
    none = children(gates["ours"][0].process.pid)
    report.add("server processes before the first call", none, "", 0)
    for name, (command, params) in peers().items():
        gates[name] = (greeted(command), params)
    seen: dict[str, list[tuple[float, float]]] = {name: [] for name in gates}
    for peer, params in gates.values():
        latency(peer, params, 20)
    for _ in range(rounds):
        for name, (peer, params) in gates.items():
            # Half a second each: in a few milliseconds it is chance how two cores are shared.
            single, many = (count * 8, count * 20) if name in QUICK else (count, count)
            seen[name].append((latency(peer, params, single), throughput(peer, params, many)))
    medians = {
        name: tuple(statistics.median(each[n] for each in rows) for n in (0, 1))
        for name, rows in seen.items()
    }
    for name, (micro, per_second) in medians.items():
        report.add(f"call, {name}", micro, "us")
        report.add(f"pipelined, {name}", per_second, "/s")
    ours, forwarder = medians["ours"], medians["forwarder"]
    report.add("call beside the forwarder", ours[0] / forwarder[0], "x", 1.5)
    report.add("pipelined beside the forwarder", ours[1] / forwarder[1], "x", least=1 / 3)
    report.add("memory with one server up", gates["ours"][0].memory(), "MB", 38)
    report.add("from a death to the next good call", _death(*gates["ours"]), "ms")
    for peer, _ in gates.values():
        peer.close()


def _death(peer: Peer, params: dict) -> float:
    """Milliseconds from the kill of the server to the next good answer, its start included."""
    found = subprocess.run(
        ["pgrep", "-g", "0", "-f", "floor.py 100"], capture_output=True, text=True, check=False
    )
    for pid in map(int, found.stdout.split() or _below(peer.process.pid)):
        os.kill(pid, 9)
    begun = time.perf_counter()
    while "error" in (peer.ask("tools/call", params)["result"].get("structuredContent") or {}):
        assert time.perf_counter() - begun < 30
    return (time.perf_counter() - begun) * 1000


def _below(pid: int) -> list[int]:
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").iterdir():
        for child in map(int, (task / "children").read_text().split()):
            if b"floor.py" in Path(f"/proc/{child}/cmdline").read_bytes():
                found.append(child)
            found += _below(child)
    return found


def catalogued(folder: Path, tools: int) -> None:
    """Ten servers whose catalogues hold that many tools together; none of them is ever started."""
    import random

    from toolcrib.packs.gateway.catalogue import Catalogue
    from toolcrib.packs.gateway.pack import GatewayPack
    from toolcrib.packs.gateway.settings import GatewaySettings

    some = random.Random(1)
    servers = GatewayPack(project(folder, 10), GatewaySettings()).servers
    for entry in servers.entries.values():
        made = []
        for number in range(tools // 10):
            names = {
                word: {"type": "string", "description": " ".join(some.choices(WORDS, k=5))}
                for word in some.sample(WORDS, 3)
            }
            made.append({
                "name": f"{some.choice(WORDS)}_{some.choice(WORDS)}_{number}",
                "description": " ".join(some.choices(WORDS, k=12)).capitalize() + ".",
                "inputSchema": {"type": "object", "properties": names},
            })  # fmt: skip
        catalogue = Catalogue({"name": entry.name}, tools=made, time=time.time())
        servers.pins.first(servers.catalogues.key(entry), catalogue)
        servers.keep(entry, catalogue)


def searches(report: Report, folder: Path, tools: int) -> None:
    """Searches over many catalogued tools: processor time of the whole server.

    Behind the first answer the index is written and the model is loaded, which counts for the
    searches that come at once.
    """
    catalogued(folder, tools)
    for word in ("built", "kept"):
        peer = greeted(GATEWAY, folder)
        peer.ask("tools/list")
        first, size = _searched(peer, "create an invoice for an order")
        report.add(f"first search over {tools:,} tools, index {word}", first, "s", 0.5)
        report.add("… those that follow at once, median", _median(peer, WORDS[:12]), "ms", 5)
        time.sleep(5)
        report.add("… later ones, median", _median(peer, WORDS[12:24]), "ms", 5)
        report.add("… an answer, a token for four characters", size / 4, "tokens", 2500)
        peer.close()


def _median(peer: Peer, words: Sequence[str]) -> float:
    """Processor milliseconds of a search: each of some words with each of two others."""
    queries = [f"{one} the {two}" for one in words[:-2] for two in words[-2:]]
    return statistics.median(_searched(peer, query)[0] for query in queries) * 1000


def _searched(peer: Peer, query: str) -> tuple[float, int]:
    """Processor seconds of one search, and the characters of its answer."""
    before = _cpu(peer.process.pid)
    arguments = {"query": query}
    answer = peer.ask("tools/call", {"name": "climax_search", "arguments": arguments})
    return _cpu(peer.process.pid) - before, len(json.dumps(answer["result"]["structuredContent"]))


def _cpu(pid: int) -> float:
    """Processor seconds of a process, to the nanosecond of the scheduler."""
    total = 0
    for task in Path(f"/proc/{pid}/task").iterdir():
        total += int((task / "schedstat").read_text().split()[0])
    return total / 1e9


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--calls", type=int, default=300)
    parser.add_argument("--tools", type=int, default=10_000)
    parser.add_argument("--only", default="starts,calls,searches", help="parts, by commas")
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    assert INITIALIZE
    report = Report()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for variable in ("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "TOOLCRIB_STATE"):
            os.environ[variable] = str(folder / variable)
        os.environ["TOOLCRIB_TRUST"] = "all"
        parts = args.only.split(",")
        ten = project(folder / "ten", 10)
        if "starts" in parts or "calls" in parts:
            refreshed(ten)
        if "starts" in parts:
            starts(report, ten, args.rounds * 3)
        if "calls" in parts:
            calls(report, ten, args.rounds, args.calls)
        if "searches" in parts:
            searches(report, folder / "many", args.tools)
    if args.json:
        args.json.write_text(json.dumps(report.rows, indent=2))
    return 0 if report.kept else 1


if __name__ == "__main__":
    sys.exit(main())
