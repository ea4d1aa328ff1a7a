"""What a sandbox costs: a call on each rung, beside no sandbox and release 0.1, a new profile,
the proxy, what trust adds to a start, and what it takes to remove secrets from output (T-18).

python benchmarks/sandbox.py [--rounds N] [--calls N]

All variants run in processes of their own, which take turns, so that what else the machine does
hits all of them alike. Release 0.1 is taken from git (commit ea371d6). The targets are T-15's.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import io
import json
import os
import random
import shutil
import socket
import statistics
import string
import subprocess
import sys
import tarfile
import tempfile
import time
from pathlib import Path

from toolcrib.core.support.known_secrets import Redactor

ROOT = Path(__file__).parents[1]
RELEASE = "ea371d6"

TURN = """
async def turns(make):
    import json, sys, time
    async def one():
        outcome = await make()
        assert outcome.exit_code == 0, outcome
    began = time.perf_counter()
    await one()
    print(json.dumps((time.perf_counter() - began) * 1000), flush=True)
    for _ in range(20):
        await one()
    for line in sys.stdin:
        began = time.perf_counter()
        for _ in range(int(line)):
            await one()
        print(json.dumps((time.perf_counter() - began) * 1000 / int(line)), flush=True)

def opened(Sandbox, level, folder):
    from pathlib import Path
    sandbox = Sandbox("off" if level == "off" else "auto", Path(folder))
    if level == "landlock":
        sandbox._working_bwrap = lambda: None
    assert sandbox.level == level, (sandbox.level, sandbox.reason)
    return sandbox
"""

NOW = (
    TURN
    + """
import asyncio, sys
from toolcrib.running.environment import child_environment
from toolcrib.running.runner import Job, running
from toolcrib.running.sandbox.guard import ProtectedFiles
from toolcrib.running.sandbox.ladder import Sandbox
from toolcrib.running.sandbox.profile import NOTHING

async def main(level, folder):
    sandbox = opened(Sandbox, level, folder)
    env, guard = child_environment({}), ProtectedFiles(sandbox.layout)
    async with running() as runner:
        async def call():
            before = guard.before(NOTHING) if level != "off" else None
            how = sandbox.confine(("true",), "/bin/true")
            outcome = await runner.run_command(Job("t", how, env, folder, 30))
            if before is not None:
                guard.after(before)
            return outcome
        await turns(call)
    sandbox.close()

asyncio.run(main(*sys.argv[1:]))
"""
)

THEN = (
    TURN
    + """
import asyncio, sys
from toolcrib.packs.climax.environment import child_environment
from toolcrib.packs.climax.runner import Job, running
from toolcrib.packs.climax.sandbox import Sandbox

async def main(level, folder):
    sandbox = opened(Sandbox, level, folder)
    env = child_environment({})
    async with running() as runner:
        async def call():
            how = sandbox.confine(("true",), "/bin/true", folder, env.get("HOME"))
            return await runner.run_command(Job("t", how, env, folder, 30))
        await turns(call)

asyncio.run(main(*sys.argv[1:]))
"""
)


SOURCE = """
import socket, sys, threading
server = socket.create_server(("127.0.0.1", 0))
print(server.getsockname()[1], flush=True)
piece = bytes(1 << 20)
def answer(line):
    with line:
        for _ in range(int(line.recv(20))):
            line.sendall(piece)
while True:
    threading.Thread(target=answer, args=(server.accept()[0],), daemon=True).start()
"""

SINK = """
import socket, sys, time
port, proxied, size = map(int, sys.argv[1:])
line = socket.create_connection(("127.0.0.1", proxied or port))
if proxied:
    line.sendall(f"CONNECT 127.0.0.1:{port} HTTP/1.1\\r\\n\\r\\n".encode())
    assert b" 200 " in line.recv(1000)
began, room, got = time.perf_counter(), bytearray(1 << 20), 0
line.sendall(str(size).encode())
while got < size << 20:
    got += line.recv_into(room)
print(got / (time.perf_counter() - began) / 1e6)
"""


def through_proxy(rounds: int, size: int = 512) -> int:
    """MB/s through the proxy and past it, in turns; returns how many targets were missed."""
    return asyncio.run(_through_proxy(rounds, size))


async def _through_proxy(rounds: int, size: int) -> int:
    from toolcrib.running.network.hosts import parse_network
    from toolcrib.running.network.proxy import Proxy

    source = subprocess.Popen([sys.executable, "-c", SOURCE], stdout=subprocess.PIPE, text=True)
    assert source.stdout is not None
    port = int(source.stdout.readline())
    network = parse_network([f"127.0.0.1:{port}"], private=True)
    proxy = Proxy(network, socket.create_server(("127.0.0.1", 0)), open_to_all=True)
    proxy.start()
    proxy.begin()
    found: dict[int, list[float]] = {0: [], proxy.port: []}
    cpu = 0.0
    for _ in range(rounds):
        for way, speeds in found.items():
            before = time.process_time()
            words = [sys.executable, "-c", SINK, str(port), str(way), str(size)]
            sink = await asyncio.create_subprocess_exec(*words, stdout=subprocess.PIPE)
            printed, _ = await sink.communicate()
            speeds.append(float(printed))
            cpu += time.process_time() - before if way else 0
    proxy.close()
    source.kill()
    source.wait()
    direct, proxied = map(statistics.median, found.values())
    per_second = rounds * size * 1.048576 / cpu
    print(f"past the proxy {direct:.0f} MB/s, through it {proxied:.0f} MB/s")
    print(f"through the proxy, by its own CPU time: {per_second:.0f} MB/s  at least 300  "
          f"{'ok' if per_second >= 300 else 'MISSED'}")  # fmt: skip
    return int(per_second < 300)


PROFILE = """
import asyncio, json, os, sys, time
from pathlib import Path
from toolcrib.running.environment import child_environment
from toolcrib.running.runner import Job, running
from toolcrib.running.sandbox.ladder import Sandbox
from toolcrib.running.sandbox.profile import Access
from toolcrib.running.supervisor.processes import descendants

def spent(pid):
    return int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) / 1e6

async def main(folder, rounds):
    sandbox, env = Sandbox("auto", Path(folder)), child_environment({})
    assert sandbox.level == "bubblewrap", sandbox.reason
    async with running() as runner:
        for number in range(int(rounds)):
            place = Path(folder).parent / f"granted{number}"
            place.mkdir()
            began, own = time.perf_counter(), time.process_time()
            how = sandbox.confine(("true",), "/bin/true", Access(writes=(str(place),)))
            outcome = await runner.run_command(Job("t", how, env, folder, 30))
            assert outcome.exit_code == 0, outcome
            wall, own = time.perf_counter() - began, time.process_time() - own
            firsts = runner.pool._kept[how.spec.key].pids
            children = sum(spent(pid) for first in firsts for pid in (first, *descendants(first)))
            print(json.dumps([wall * 1000, own * 1000 + children]), flush=True)

asyncio.run(main(*sys.argv[1:]))
"""

START = """
import json, sys, time
from pathlib import Path
from toolcrib.settings import load
trust = load(Path(sys.argv[1])).trust
assert trust.state == "trusted" and trust.verdict.by == "record", trust.verdict
times = []
for _ in range(20):
    began = time.process_time()
    trust.refresh()
    times.append((time.process_time() - began) * 1000)
print(json.dumps(sorted(times)[10]))
"""


def printed_by(code: str, *words: str, **env: str) -> list[str]:
    """The lines that a program prints, with our sources."""
    done = subprocess.run(
        [sys.executable, "-c", code, *words],
        env={**os.environ, "PYTHONPATH": str(ROOT / "src"), **env},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()


def verdict(title: str, value: float, unit: str, most: float) -> int:
    """Print a figure beside its target; 1 if it was missed."""
    word = "ok" if value <= most else "MISSED"
    print(f"{title:<44}{value:6.1f} {unit}  at most {most:g}  {word}")
    return int(value > most)


def new_profile(rounds: int = 8) -> int:
    """What the first command with grants that no sandbox has yet takes."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "project"
        folder.mkdir()
        pairs = [json.loads(line) for line in printed_by(PROFILE, str(folder), str(rounds))]
    wall, cpu = (statistics.median(each) for each in zip(*pairs, strict=True))
    return verdict("a new profile, to the command's end", wall, "ms", 60) + verdict(
        "… in CPU time of all processes", cpu, "ms", 60
    )


def start_of_a_trusted_repository() -> int:
    """Reading all that acts in the example shop, and comparing it with its record."""
    with tempfile.TemporaryDirectory() as scratch:
        shop = Path(scratch) / "shop"
        shutil.copytree(ROOT / "examples" / "shop", shop)
        env = {"TOOLCRIB_STATE": f"{scratch}/state", "TOOLCRIB_TRUST": "", "CLAUDECODE": ""}
        words = [sys.executable, "-m", "toolcrib", "trust", "--yes", "--json"]
        quiet = subprocess.DEVNULL
        subprocess.run(words, cwd=shop, env={**os.environ, **env}, check=True, stdout=quiet)
        times = [float(printed_by(START, str(shop), **env)[0]) for _ in range(5)]
    return verdict("trust at a start: read and compared", statistics.median(times), "ms", 2)


def redaction(rounds: int = 5) -> int:
    """CPU time for a MiB of output with twenty secrets known, short ones and long ones."""
    rng = random.Random(18)
    letters = string.ascii_letters + string.digits
    missed = 0
    for title, size in (("tokens of 40 characters", 40), ("keys of 1,700 characters", 1700)):
        redactor = Redactor({f"S{n}": "".join(rng.choices(letters, k=size)) for n in range(20)})
        text = base64.encodebytes(rng.randbytes(3 << 18))[: 1 << 20].decode()
        redactor.text(text)
        times = []
        for _ in range(rounds):
            began = time.process_time()
            redactor.text(text)
            times.append((time.process_time() - began) * 1000)
        missed += verdict(f"redaction of a MiB, {title}", statistics.median(times), "ms", 20)
    return missed


class Variant:
    """One way to run commands, in a process of its own that waits for its turns."""

    def __init__(self, title: str, code: str, source: Path, level: str, folder: str) -> None:
        self.title = title
        self.process = subprocess.Popen(
            [sys.executable, "-c", code, level, folder],
            env={**os.environ, "PYTHONPATH": str(source)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.first = self._answer()
        self.times: list[float] = []

    def take_turn(self, calls: int) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{calls}\n")
        self.process.stdin.flush()
        self.times.append(self._answer())

    def _answer(self) -> float:
        assert self.process.stdout is not None
        return float(json.loads(self.process.stdout.readline()))

    def close(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


def unpacked(folder: str) -> Path:
    """The sources of release 0.1."""
    archive = subprocess.run(
        ["git", "-C", str(ROOT), "archive", RELEASE, "src"], capture_output=True, check=True
    )
    with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as files:
        files.extractall(folder, filter="data")
    return Path(folder) / "src"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--calls", type=int, default=40)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "project"
        folder.mkdir()
        subprocess.run(["git", "init", "-q", str(folder)], check=True)
        old = unpacked(scratch + "/release")
        new = ROOT / "src"
        variants = [
            Variant("0.1, no sandbox", THEN, old, "off", str(folder)),
            Variant("0.1, bubblewrap", THEN, old, "bubblewrap", str(folder)),
            Variant("now, no sandbox", NOW, new, "off", str(folder)),
            Variant("now, landlock", NOW, new, "landlock", str(folder)),
            Variant("now, bubblewrap", NOW, new, "bubblewrap", str(folder)),
        ]
        for _ in range(args.rounds):
            for variant in variants:
                variant.take_turn(args.calls)
        for variant in variants:
            variant.close()
    _, then, plain, landlock, bubblewrap = variants
    for variant in variants:
        print(f"{variant.title:<18}{statistics.median(variant.times):7.2f} ms a call, "
              f"{variant.first:6.0f} ms for the first")  # fmt: skip
    missed = 0
    for title, one, other, most in (
        ("bubblewrap / bubblewrap of 0.1", bubblewrap, then, 1.0),
        ("bubblewrap / no sandbox", bubblewrap, plain, None),
        ("landlock / no sandbox", landlock, plain, 1.1),
    ):
        pairs = zip(one.times, other.times, strict=True)
        ratio = statistics.median(mine / theirs for mine, theirs in pairs)
        target = f"  at most {most}  {'ok' if ratio <= most else 'MISSED'}" if most else ""
        missed += most is not None and ratio > most
        print(f"{title:<32}{ratio:6.2f}{target}")
    missed += new_profile() + start_of_a_trusted_repository() + redaction()
    return missed + through_proxy(max(3, args.rounds // 3))


if __name__ == "__main__":
    sys.exit(main())
