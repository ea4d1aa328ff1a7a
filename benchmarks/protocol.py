"""Start-up, memory, latency and throughput, beside the floor and the peers, interleaved in one run.

    python benchmarks/protocol.py [--rounds N] [--only start|pipe|http|http-start] [--json FILE]

The floor is the least that can answer: a bare loop over asyncio pipes (over HTTP a bare ASGI
function). Every figure is a median over rounds in which all servers take turns, and what counts
is its ratio to the floor: absolute times say more about the machine than about the server.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import re
import resource
import selectors
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

HERE = Path(__file__).parent
SERVERS = HERE / "servers"
PYTHON = sys.executable
INITIALIZE = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "bench", "version": "1"},
}
OWN_TOOL = """
from pydantic import Field
from toolcrib import ToolArguments

class Said(ToolArguments):
    text: str = Field(description="What to say")

@ToolArguments.declare
async def tool_0001(args: Said) -> str:
    '''Say it'''
    return args.text
"""
CALL = {"name": "tool_0001", "arguments": {"text": "hello"}}


class Peer:
    """One server process on a pipe, spoken to without any client library."""

    def __init__(self, command: list[str], cwd: Path | None = None) -> None:
        self.started = time.perf_counter()
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        self._cpu_before = before.ru_utime + before.ru_stime
        self.process = subprocess.Popen(
            command,
            cwd=cwd,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=-1,
        )
        self._id = 0

    def ask(self, method: str, params: dict | None = None) -> dict:
        self._id += 1
        self.send(self._id, method, params or {})
        return self.take()

    def send(self, id: int, method: str, params: dict) -> None:
        message = {"jsonrpc": "2.0", "id": id, "method": method, "params": params}
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def take(self) -> dict:
        while True:
            message = json.loads(self.process.stdout.readline())
            if "id" in message:
                return message

    def handshake(self) -> None:
        self.ask("initialize", INITIALIZE)
        note = {"jsonrpc": "2.0", "method": "notifications/initialized"}
        self.process.stdin.write(json.dumps(note).encode() + b"\n")
        self.process.stdin.flush()

    def memory(self) -> float:
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        line = next(line for line in status.splitlines() if line.startswith("VmRSS"))
        return int(line.split()[1]) / 1024

    def close(self) -> float:
        """Stop it; returns the processor time that it took, in seconds."""
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - self._cpu_before


def spawn(command: list[str], cwd: Path | None) -> tuple[float, float, float]:
    """Spawn to the first `tools/list`: wall and processor milliseconds, and RSS in MB."""
    peer = Peer(command, cwd)
    peer.handshake()
    assert peer.ask("tools/list")["result"]["tools"]
    wall = time.perf_counter() - peer.started
    memory = peer.memory()
    return wall * 1000, peer.close() * 1000, memory


def latency(command: list[str], calls: int) -> float:
    """The median of sequential calls, in microseconds."""
    peer = Peer(command)
    peer.handshake()
    times = []
    for _ in range(calls):
        begun = time.perf_counter()
        peer.ask("tools/call", CALL)
        times.append(time.perf_counter() - begun)
    peer.close()
    return statistics.median(times) * 1e6


def throughput(command: list[str], calls: int) -> float:
    """Calls per second when 50 are always on their way, after a first one that sets things up."""
    peer = Peer(command)
    peer.handshake()
    peer.ask("tools/call", CALL)
    begun = time.perf_counter()
    sent = done = 0
    while done < calls:
        while sent < calls and sent - done < 50:
            sent += 1
            peer.send(1000 + sent, "tools/call", CALL)
        peer.take()
        done += 1
    spent = time.perf_counter() - begun
    peer.close()
    return calls / spent


def listing(command: list[str]) -> float:
    """The median of `tools/list`, in microseconds."""
    peer = Peer(command)
    peer.handshake()
    peer.ask("tools/list")
    times = []
    for _ in range(30):
        begun = time.perf_counter()
        peer.ask("tools/list")
        times.append(time.perf_counter() - begun)
    peer.close()
    return statistics.median(times) * 1e6


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextlib.contextmanager
def over_http(script: str, tools: int) -> Iterator[tuple[int, int]]:
    """A server over HTTP: its port and its process id."""
    port = free_port()
    command = [PYTHON, str(SERVERS / script), str(tools), str(port)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(400):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                break
            time.sleep(0.05)
        yield port, process.pid
    finally:
        process.terminate()
        process.wait()


def http_request(port: int) -> bytes:
    """A stateless `tools/call` as bytes."""
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    params = {**CALL, "_meta": meta}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
    lines = [
        "POST /mcp HTTP/1.1",
        f"Host: 127.0.0.1:{port}",
        "Content-Type: application/json",
        "Accept: application/json, text/event-stream",
        "MCP-Protocol-Version: 2026-07-28",
        "Mcp-Method: tools/call",
        f"Mcp-Name: {CALL['name']}",
        f"Content-Length: {len(body)}",
    ]
    return ("\r\n".join(lines) + "\r\n\r\n" + body).encode()


def complete(answer: bytes) -> bool:
    head, found, body = answer.partition(b"\r\n\r\n")
    if not found:
        return False
    length = re.search(rb"(?i)content-length: (\d+)", head)
    if len(body) < int(length[1]) if length else not body.endswith(b"0\r\n\r\n"):
        return False
    assert head.startswith(b"HTTP/1.1 200") and b"hello" in body, answer
    return True


def http_round(port: int, clients: int, calls: int) -> None:
    """`calls` calls over `clients` connections that each wait for their answer."""
    request = http_request(port)
    selector = selectors.DefaultSelector()
    seen: dict[socket.socket, bytes] = {}
    for _ in range(clients):
        connection = socket.create_connection(("127.0.0.1", port))
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        selector.register(connection, selectors.EVENT_READ)
        seen[connection] = b""
    sent = min(clients, calls)
    for connection in list(seen)[:sent]:
        connection.sendall(request)
    done = 0
    while done < calls:
        for key, _ in selector.select():
            connection = key.fileobj
            seen[connection] += connection.recv(65536)
            if not complete(seen[connection]):
                continue
            done += 1
            seen[connection] = b""
            if sent < calls:
                sent += 1
                connection.sendall(request)
    for connection in seen:
        connection.close()


def cpu_of(process: int) -> float:
    """Processor seconds of a process so far."""
    threads = Path(f"/proc/{process}/task").glob("*/schedstat")
    return sum(int(thread.read_text().split()[0]) for thread in threads) / 1e9


def http_start(command: list[str], port: int) -> tuple[float, float]:
    """Spawn to the first answer over HTTP: processor milliseconds, and RSS in MB."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        while True:
            with contextlib.suppress(OSError):
                http_round(port, 1, 1)
                break
            time.sleep(0.005)
        status = Path(f"/proc/{process.pid}/status").read_text()
        line = next(line for line in status.splitlines() if line.startswith("VmRSS"))
        return cpu_of(process.pid) * 1000, int(line.split()[1]) / 1024
    finally:
        process.kill()
        process.wait()


def repository(folder: Path) -> Path:
    """A repository with directive/, 1,000 documents and 1,000 tools in 20 files."""
    run = lambda *words: subprocess.run(  # noqa: E731
        [PYTHON, "-m", "toolcrib", *words], cwd=folder, check=True, stdout=subprocess.DEVNULL
    )
    run("directive", "init")
    records = folder / "mcp" / "resources" / "adr"
    records.mkdir(parents=True)
    for number in range(1000):
        text = f"# {number}. Decision {number}\n\n## Status\n\nAccepted\n\nWe do {number}.\n"
        (records / f"{number:04}-decision.md").write_text(text)
    tools = folder / "tools"
    tools.mkdir()
    for number in range(20):
        lines = [f"name: cli{number}", "description: A program", "command: echo", "tools:"]
        for n in range(50):
            lines += [
                f"  - name: cli{number}_tool_{n}",
                f"    description: Does {n} of {number}",
                f"    command: do {n}",
                "    args:",
                "      - {name: path, type: string, required: true, positional: true}",
                "      - {name: depth, type: integer, default: 3, flag: --depth}",
            ]
        (tools / f"cli{number}.yaml").write_text("\n".join(lines) + "\n")
    (folder / "toolcrib.toml").write_text('[climax]\nconfigs = ["tools/*.yaml"]\n')
    return folder


def ours(*packs: str) -> list[str]:
    return [PYTHON, "-m", "toolcrib", "serve", *packs]


def script(name: str, tools: int = 10) -> list[str]:
    return [PYTHON, str(SERVERS / name), str(tools)]


Seen = dict[str, dict[str, list[float]]]


def measure_start(seen: Seen, rounds: int, calls: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        repo = repository(Path(folder))
        started = {
            "floor": (script("floor.py"), None),
            "SDK low-level": (script("lowlevel.py"), None),
            "SDK MCPServer": (script("sdk.py"), None),
            "FastMCP": (script("fast.py"), None),
            "toolcrib echo": (script("ours.py"), None),
            "toolcrib directive": (ours("directive"), repo),
            "toolcrib architecture, 1,000 documents": (ours("architecture"), repo),
            "toolcrib climax, 1,000 tools": (ours("climax"), repo),
            "toolcrib guide": (ours("guide"), repo),
        }
        for name in started:  # warm caches: byte code, and climax' own
            spawn(*started[name])
        for _ in range(rounds):
            for name, (command, cwd) in started.items():
                wall, cpu, memory = spawn(command, cwd)
                seen[name]["first answer, ms"].append(wall)
                seen[name]["first answer, CPU ms"].append(cpu)
                seen[name]["RSS, MB"].append(memory)


def measure_pipe(seen: Seen, rounds: int, calls: int) -> None:
    peers = {
        "floor": "floor.py",
        "SDK MCPServer": "sdk.py",
        "FastMCP": "fast.py",
        "toolcrib echo": "ours.py",
    }
    for _ in range(rounds):
        for name, file in peers.items():
            seen[name]["call, us"].append(latency(script(file), calls))
            # Half a second each: shorter runs measure how the first calls warm up.
            many = calls * (100 if name in ("floor", "toolcrib echo") else 2)
            seen[name]["calls/s, pipelined"].append(throughput(script(file), many))
            seen[name]["list of 10, us"].append(listing(script(file, 10)))
            seen[name]["list of 1,000, us"].append(listing(script(file, 1000)))


def measure_http(seen: Seen, rounds: int, calls: int) -> None:
    over = {"floor": "floor_http.py", "SDK MCPServer": "sdk.py", "toolcrib echo": "ours.py"}
    with contextlib.ExitStack() as stack:
        servers = {name: stack.enter_context(over_http(file, 10)) for name, file in over.items()}
        for _ in range(rounds):
            for clients in (1, 50, 200):
                for name, (port, process) in servers.items():
                    count = max(calls, clients) * (4 if name != "SDK MCPServer" else 1)
                    before = cpu_of(process)
                    http_round(port, clients, count)
                    spent = (cpu_of(process) - before) / count * 1e6
                    seen[name][f"HTTP call, {clients} clients, CPU us"].append(spent)


def measure_http_start(seen: Seen, rounds: int, calls: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        module = Path(folder) / "tools.py"
        module.write_text(OWN_TOOL)
        (Path(folder) / "toolcrib.toml").write_text('[custom]\nmodules = ["tools.py"]\n')
        for _ in range(rounds):
            for name in ("floor", "toolcrib echo"):
                port = free_port()
                command = (
                    [PYTHON, str(SERVERS / "floor_http.py"), "10", str(port)]
                    if name == "floor"
                    else [*ours("custom"), "--http", f"127.0.0.1:{port}", "--project", folder]
                )
                cpu, memory = http_start(command, port)
                seen[name]["HTTP first answer, CPU ms"].append(cpu)
                seen[name]["HTTP RSS, MB"].append(memory)


PARTS = {
    "start": measure_start,
    "pipe": measure_pipe,
    "http": measure_http,
    "http-start": measure_http_start,
}


def measure(parts: Sequence[str], rounds: int, calls: int) -> dict[str, dict[str, float]]:
    seen: Seen = defaultdict(lambda: defaultdict(list))
    for part in parts:
        PARTS[part](seen, rounds, calls)
    return {
        name: {key: statistics.median(values) for key, values in figures.items()}
        for name, figures in seen.items()
    }


def report(figures: dict[str, dict[str, float]]) -> str:
    floor = figures["floor"]
    lines = [f"{'':42}{'figure':>12}{'× floor':>10}"]
    for key in floor:
        lines.append(f"\n{key}")
        for name, values in figures.items():
            if key in values:
                ratio = values[key] / floor[key]
                lines.append(f"  {name:40}{values[key]:12.1f}{ratio:10.2f}")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--calls", type=int, default=300)
    parser.add_argument("--only", choices=PARTS, help="measure this part alone")
    parser.add_argument("--json", type=Path, help="write the figures here, too")
    args = parser.parse_args()
    # Nothing of whoever runs this is read or written; entries of other keys would be made anew.
    os.environ["TOOLCRIB_STATE"] = tempfile.mkdtemp()
    os.environ["XDG_CACHE_HOME"] = tempfile.mkdtemp()
    os.environ["TOOLCRIB_TRUST"] = "all"  # nobody is there to be asked
    # An installed package has its byte code; without this, a checkout may compile at each start.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    figures = measure([args.only] if args.only else list(PARTS), args.rounds, args.calls)
    print(report(figures))
    if args.json:
        args.json.write_text(json.dumps(figures, indent=2) + "\n")


if __name__ == "__main__":
    main()
