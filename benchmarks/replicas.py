"""Several replicas behind nginx, on one PostgreSQL through PgBouncer, while things go wrong.

    python benchmarks/replicas.py              three replicas, every fault, about two minutes
    python benchmarks/replicas.py --short      two replicas, a few seconds per fault

All parts are real processes of this script. Clients of both eras call tools that need no store,
and set and read flags. Each client knows what was acknowledged and what was refused: an
acknowledged value that is not read back, or a refused one that appears, ends the run with 1.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from support.databases import (  # noqa: E402
    FaultyLink,
    PgBouncer,
    Postgres,
    free_port,
    postgres_binaries,
    wait_for_port,
)

SHOP = ROOT / "examples" / "shop"
MODERN = "2026-07-28"
META = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "replicas", "version": "1"},
}
PLAIN = ("guide_rules_for_path", {"path": "shop/handlers/orders.py"})
DOUBT = "may or may not have been saved"
_TIMEOUT = 20.0


# -- one request ---------------------------------------------------------------------------------


async def post(
    port: int, message: Any, headers: dict[str, str], path: str = "/mcp", method: str = "POST"
) -> tuple[int, dict[str, str], bytes]:
    """One HTTP request on a connection of its own."""
    body = json.dumps(message).encode() if message is not None else b""
    sent = {
        "Host": f"127.0.0.1:{port}",
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
        "Content-Length": str(len(body)),
        "Connection": "close",
        **headers,
    }
    head = f"{method} {path} HTTP/1.1\r\n" + "".join(f"{k}: {v}\r\n" for k, v in sent.items())
    async with asyncio.timeout(_TIMEOUT):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        try:
            writer.write(head.encode() + b"\r\n" + body)
            raw = await reader.read()
        finally:
            writer.close()
    first, _, rest = raw.partition(b"\r\n")
    fields, _, body = rest.partition(b"\r\n\r\n")
    if not first:
        raise ConnectionError("closed without an answer")
    found = dict(line.split(": ", 1) for line in fields.decode("latin-1").splitlines())
    named = {name.lower(): value for name, value in found.items()}
    if named.get("transfer-encoding") == "chunked":
        body = _unchunked(body)
    return int(first.split()[1]), named, body


def _unchunked(body: bytes) -> bytes:
    whole = b""
    while body:
        size, _, body = body.partition(b"\r\n")
        length = int(size, 16)
        whole, body = whole + body[:length], body[length + 2 :]
    return whole


def _answer(body: bytes) -> Any:
    if body.startswith(b"{"):
        return json.loads(body)
    lines = [line[5:] for line in body.splitlines() if line.startswith(b"data:")]
    return next(found for line in reversed(lines) if "id" in (found := json.loads(line)))


# -- what is counted -----------------------------------------------------------------------------


@dataclass
class Phase:
    """One line of the table."""

    name: str
    began: float = field(default_factory=time.monotonic)
    seconds: float = 0.0
    counts: Counter[str] = field(default_factory=Counter)
    plain: list[float] = field(default_factory=list)
    store: list[float] = field(default_factory=list)


class Ledger:
    """What the clients saw, phase by phase."""

    def __init__(self) -> None:
        self.phases: list[Phase] = [Phase("warm-up")]
        self.errors: Counter[str] = Counter()
        self.broken: list[str] = []
        self.costs = ""

    @property
    def now(self) -> Phase:
        return self.phases[-1]

    def begin(self, name: str) -> None:
        self.end()
        self.phases.append(Phase(name))

    def end(self) -> None:
        self.now.seconds = time.monotonic() - self.now.began

    def table(self) -> str:
        head = (
            "| phase | s | calls | plain p50 / p99 ms | plain errors | flags p50 / p99 ms "
            "| flags refused | doubtful | busy | HTTP errors |\n"
            "|---|---|---|---|---|---|---|---|---|---|\n"
        )
        return head + "\n".join(map(_row, self.phases))


def _row(phase: Phase) -> str:
    count = phase.counts
    return (
        f"| {phase.name} | {phase.seconds:.0f} | {count['calls']:,} | {_quantiles(phase.plain)} "
        f"| {count['plain errors']} | {_quantiles(phase.store)} | {count['refused']} "
        f"| {count['doubtful']} | {count['busy']} | {count['http']} |"
    )


def _quantiles(values: list[float]) -> str:
    if not values:
        return "–"
    ordered = sorted(values)
    at = [ordered[min(len(ordered) - 1, int(len(ordered) * share))] for share in (0.5, 0.99)]
    return " / ".join(f"{value * 1000:.0f}" for value in at)


# -- a client ------------------------------------------------------------------------------------


class Client:
    """Calls tools through nginx, one after the other, and checks what it is told."""

    def __init__(self, number: int, port: int, ledger: Ledger) -> None:
        self.name = f"client-{number}"
        self._modern = number % 2 == 0
        self._port = port
        self._ledger = ledger
        self._session = ""
        self._count = 0
        self._acknowledged: str | None = None
        self._doubtful: set[str] = set()
        self._refused: set[str] = set()
        self.handled = 0

    async def run(self, stop: asyncio.Event) -> None:
        while not stop.is_set():
            await self._plain()
            await self._write()
            await self._read()
            self.handled += 3
            await asyncio.sleep(0.02)
        await self._read()

    async def _plain(self) -> None:
        started = time.monotonic()
        phase = self._ledger.now
        result = await self._call(*PLAIN)
        phase.plain.append(time.monotonic() - started)
        # An answer that never came belongs to what went wrong then, not to when it was asked for.
        phase = self._ledger.now if result is None else phase
        if result is None or result["isError"]:
            phase.counts["plain errors"] += 1
            self._note(phase, result)

    async def _write(self) -> None:
        self._count += 1
        value = f"{self.name}:{self._count}"
        started = time.monotonic()
        phase = self._ledger.now
        result = await self._call("guide_set_project_flag", {"name": self.name, "value": value})
        phase.store.append(time.monotonic() - started)
        text = str(result)
        phase = self._ledger.now if result is None else phase
        if result is None or DOUBT in text:
            # The connection to the server broke, or the server says so itself.
            self._doubtful.add(value)
            phase.counts["doubtful"] += 1
            self._note(phase, result)
        elif result["isError"]:
            self._refused.add(value)
            busy = result["structuredContent"].get("error_type") == "busy"
            phase.counts["busy" if busy else "refused"] += 1
        else:
            self._acknowledged = value
            self._doubtful.clear()

    def _note(self, phase: Phase, result: Any) -> None:
        """Keep the words of an error that nobody expects."""
        if result is not None:
            self._ledger.errors[f"{phase.name}: {result['content'][0]['text'][:160]}"] += 1

    async def _read(self) -> None:
        phase = self._ledger.now
        result = await self._call("guide_get_project_flag", {"name": self.name})
        if result is None or result["isError"]:
            return
        value = result["structuredContent"].get("value")
        if value in self._refused:
            self._ledger.broken.append(f"{self.name}: {value} was refused, and is there")
        elif value != self._acknowledged and value not in self._doubtful:
            self._ledger.broken.append(
                f"{self.name}: {self._acknowledged} was acknowledged, {value} is there"
            )
        phase.counts["read"] += 1

    async def _call(self, tool: str, arguments: dict[str, Any]) -> Any:
        """The result of a call; None where the HTTP request itself failed."""
        self._ledger.now.counts["calls"] += 1
        params: dict[str, Any] = {"name": tool, "arguments": arguments}
        headers = {"MCP-Protocol-Version": MODERN, "Mcp-Method": "tools/call", "Mcp-Name": tool}
        try:
            if self._modern:
                params["_meta"] = META
            else:
                headers = {"Mcp-Session-Id": await self._opened()}
            message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
            status, _, body = await post(self._port, message, headers)
            if status != 200:
                raise ConnectionError(f"HTTP {status}")
            return _answer(body)["result"]
        except (OSError, TimeoutError, KeyError, ValueError, StopIteration) as error:
            self._ledger.now.counts["http"] += 1
            self._ledger.errors[f"{self._ledger.now.name}: {error or type(error).__name__}"] += 1
            return None

    async def _opened(self) -> str:
        if not self._session:
            params = {
                "protocolVersion": "2025-11-25",
                "capabilities": {},
                "clientInfo": {"name": self.name, "version": "1"},
            }
            hello = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params}
            status, headers, _ = await post(self._port, hello, {})
            if status != 200:
                raise ConnectionError(f"HTTP {status} on initialize")
            self._session = headers["mcp-session-id"]
        return self._session


# -- the parts -----------------------------------------------------------------------------------


class Replica:
    """One server, started and stopped like a service."""

    def __init__(self, port: int, project: Path, env: dict[str, str]) -> None:
        self.port = port
        self._project = project
        self._env = env
        self._log = (project.parent / f"replica-{port}.log").open("ab")
        self.start()

    def start(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "toolcrib", "serve", "--http", f"127.0.0.1:{self.port}"],
            cwd=self._project,
            env={**os.environ, **self._env},
            stderr=self._log,
        )

    async def ready(self) -> None:
        """Return when `/readyz` says 200."""
        end = time.monotonic() + 180
        while True:
            with contextlib.suppress(OSError, TimeoutError):
                status, _, _ = await post(self.port, None, {}, "/readyz", "GET")
                if status == 200:
                    return
            if time.monotonic() > end:
                raise TimeoutError(f"replica {self.port} is not ready")
            await asyncio.sleep(0.05)

    async def stop(self, sign: signal.Signals = signal.SIGTERM) -> None:
        self.process.send_signal(sign)
        await asyncio.to_thread(self.process.wait)

    async def restart(self, sign: signal.Signals = signal.SIGTERM) -> None:
        await self.stop(sign)
        self.start()
        await self.ready()

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self._log.close()


class Nginx:
    """nginx with `deploy/nginx.conf`, before replicas on other ports."""

    def __init__(self, folder: Path, ports: list[int]) -> None:
        self.port = free_port()
        text = (ROOT / "deploy" / "nginx.conf").read_text()
        lines = "".join(f"        server 127.0.0.1:{port} max_fails=0;\n" for port in ports)
        text = re.sub(r"( *server 127\.0\.0\.1:\d+[^;]*;\n)+", lines, text, count=1)
        text = re.sub(r"listen \d+;", f"listen 127.0.0.1:{self.port};", text)
        text = text.replace("/tmp/toolcrib-nginx", f"{folder}/nginx")
        (folder / "nginx.conf").write_text(text)
        program = shutil.which("nginx") or "/usr/sbin/nginx"
        self._process = subprocess.Popen(
            [program, "-c", str(folder / "nginx.conf"), "-g", f"daemon off; pid {folder}/pid;"],
            stderr=subprocess.DEVNULL,
        )
        wait_for_port(self.port)

    @property
    def pid(self) -> int:
        return self._process.pid

    def close(self) -> None:
        self._process.terminate()
        self._process.wait(10)


@dataclass
class Setting:
    """Everything that stands while the clients call."""

    postgres: Postgres
    bouncer: PgBouncer
    link: FaultyLink
    replicas: list[Replica]
    nginx: Nginx

    def spent(self) -> dict[str, float]:
        """Seconds of processor time that each part has used so far."""
        return {
            "replicas": sum(processor_time(each.process.pid) for each in self.replicas),
            "nginx": processor_time(self.nginx.pid),
            "PgBouncer": processor_time(self.bouncer.pid),
            "PostgreSQL": processor_time(self.postgres.pid),
        }


def processor_time(pid: int) -> float:
    """What a process, its children that live, and those that are gone have used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    own = sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return own + sum(processor_time(int(child)) for child in children)


@contextlib.contextmanager
def standing(count: int, folder: Path) -> Any:
    """All parts; replica 1 reaches the database over a link that can hang, the others directly."""
    binaries = postgres_binaries()
    if binaries is None:
        raise SystemExit(
            "no PostgreSQL on this machine: apt-get install postgresql pgbouncer nginx"
        )
    with contextlib.ExitStack() as stack:

        def kept(made: Any) -> Any:
            stack.callback(made.close)
            return made

        postgres = kept(Postgres(binaries))
        bouncer = kept(PgBouncer(postgres, size=10))
        link = kept(FaultyLink(postgres.socket))
        replicas = []
        for number in range(count):
            project = folder / f"replica-{number}" / "shop"
            shutil.copytree(SHOP, project)
            env = {
                "TOOLCRIB_STATE": str(folder / f"state-{number}"),
                "TOOLCRIB_SECRET": "of-all-replicas-" * 4,
                "TOOLCRIB_GUIDE_STORE": link.url if number == 0 else bouncer.url,
                "TOOLCRIB_GUIDE_LISTEN_STORE": postgres.url,
                "TOOLCRIB_GUIDE_PROJECT": "shop",
                "TOOLCRIB_HTTP_GRACE": "15",
            }
            replicas.append(kept(Replica(free_port(), project, env)))
        yield Setting(
            postgres, bouncer, link, replicas, kept(Nginx(folder, [each.port for each in replicas]))
        )


# -- the faults ----------------------------------------------------------------------------------


async def quiet(setting: Setting, seconds: float) -> None:
    await asyncio.sleep(seconds)


async def rolling_restart(setting: Setting, seconds: float) -> None:
    """The next replica is stopped as soon as the last one is ready, without a pause."""
    for replica in setting.replicas:
        await replica.restart()


async def killed(setting: Setting, seconds: float) -> None:
    await setting.replicas[-1].restart(signal.SIGKILL)
    await asyncio.sleep(seconds / 2)


async def database_restarted(setting: Setting, seconds: float) -> None:
    await asyncio.to_thread(setting.postgres.stop, "fast")
    await asyncio.sleep(seconds / 4)
    await asyncio.to_thread(setting.postgres.start)
    await asyncio.sleep(seconds)


async def database_frozen(setting: Setting, seconds: float) -> None:
    with setting.postgres.frozen():
        await asyncio.sleep(seconds)
    await asyncio.sleep(seconds)


async def link_hangs(setting: Setting, seconds: float) -> None:
    setting.link.hang()
    await asyncio.sleep(seconds)
    setting.link.heal()
    await asyncio.sleep(seconds / 2)


async def link_swallows(setting: Setting, seconds: float) -> None:
    setting.link.swallow()
    await asyncio.sleep(seconds)
    setting.link.heal()
    await asyncio.sleep(seconds / 2)


async def pooler_killed(setting: Setting, seconds: float) -> None:
    """Every connection of the other replicas breaks at once; a new pooler stands a moment later."""
    await asyncio.to_thread(setting.bouncer.kill)
    await asyncio.sleep(seconds / 4)
    await asyncio.to_thread(setting.bouncer.start)
    await asyncio.sleep(seconds / 2)


Fault = Callable[[Setting, float], Awaitable[None]]
FAULTS: list[tuple[str, Fault]] = [
    ("quiet", quiet),
    ("rolling restart", rolling_restart),
    ("kill -9 of one replica", killed),
    ("PostgreSQL restarted", database_restarted),
    ("PostgreSQL frozen", database_frozen),
    ("PgBouncer killed", pooler_killed),
    ("link of replica 1 hangs", link_hangs),
    ("link of replica 1 swallows", link_swallows),
    ("quiet again", quiet),
]


async def run(options: argparse.Namespace, folder: Path) -> int:
    ledger = Ledger()
    with standing(options.replicas, folder) as setting:
        await asyncio.gather(*(replica.ready() for replica in setting.replicas))
        stop = asyncio.Event()
        clients = [Client(n, setting.nginx.port, ledger) for n in range(options.clients)]
        tasks = [asyncio.create_task(client.run(stop)) for client in clients]
        await asyncio.sleep(3)
        for name, fault in FAULTS:
            ledger.begin(name)
            before = setting.spent()
            await fault(setting, options.seconds)
            if name == "quiet":
                ledger.costs = costs(before, setting.spent(), ledger.now.counts["calls"])
        ledger.end()
        stop.set()
        await asyncio.gather(*tasks)
    return report(ledger, options)


def costs(before: dict[str, float], after: dict[str, float], calls: int) -> str:
    """Milliseconds of processor time per call, part by part."""
    each = {part: 1000 * (spent - before[part]) / max(1, calls) for part, spent in after.items()}
    return ", ".join(f"{part} {cost:.2f} ms" for part, cost in each.items())


def report(ledger: Ledger, options: argparse.Namespace) -> int:
    """Print the table; 1 where an acknowledged write was lost, or plain calls failed in peace."""
    print(f"{options.replicas} replicas, {options.clients} clients, both eras\n")
    print(ledger.table())
    print(f"\nprocessor time per call while quiet: {ledger.costs}")
    for what, count in ledger.errors.most_common(12):
        print(f"  {count} x {what}")
    print(f"acknowledged writes lost, refused writes that appeared: {len(ledger.broken)}")
    for each in ledger.broken[:10]:
        print(f"  {each}")
    peaceful = {"quiet", "rolling restart", "quiet again"}
    failed = sum(
        phase.counts["http"] + phase.counts["plain errors"]
        for phase in ledger.phases
        if phase.name in peaceful
    )
    print(f"errors while quiet and during the rolling restart: {failed}")
    return 1 if ledger.broken or failed else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--replicas", type=int, default=3)
    parser.add_argument("--clients", type=int, default=24)
    parser.add_argument("--seconds", type=float, default=12.0, help="how long a fault lasts")
    parser.add_argument("--short", action="store_true", help="two replicas, 3 s per fault")
    options = parser.parse_args()
    if options.short:
        options.replicas, options.clients, options.seconds = 2, 8, 3.0
    with tempfile.TemporaryDirectory(prefix="toolcrib-replicas-") as folder:
        return asyncio.run(run(options, Path(folder)))


if __name__ == "__main__":
    sys.exit(main())
